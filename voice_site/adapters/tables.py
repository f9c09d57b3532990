"""The site's table."""

from sqlalchemy import BigInteger
from sqlmodel import Field, SQLModel


class DemoRequestRow(SQLModel, table=True):
    """One demo request; `submission_key` is what the browser called it."""

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
    use_case: str
    additional_notes: str
    source: str
    is_suspected: bool
    created_at_ms: int = Field(sa_type=BigInteger, index=True)
