"""The site's table."""

from datetime import datetime

from sqlmodel import Field, SQLModel

from kit.db.columns import timestamp


class DemoRequestRow(SQLModel, table=True):
    """A demo request; `submission_key` is the key that the browser chose for it."""

    __tablename__ = "demo_requests"  # pyright: ignore[reportAssignmentType]

    id: str = Field(primary_key=True)
    submission_key: str = Field(unique=True)
    full_name: str
    job_title: str
    email: str
    phone: str
    company: str
    company_size: str
    industry: str
    location: str
    selected_variant: str
    """The id of a plan, or of 'none yet'."""
    use_case: str
    additional_notes: str
    source: str
    """The button that opened the form; empty if it is not known."""
    is_suspected: bool
    """Whether a bot probably sent it: then it is neither confirmed nor forwarded."""
    created_at: datetime = timestamp("created_at", index=True)
