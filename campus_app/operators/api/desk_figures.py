"""`/api/desk/figures.csv` and `.xlsx`: the figures as files. Source: specification 13.6."""

from typing import Annotated, Literal

from fastapi import APIRouter, Cookie, Request
from fastapi.responses import Response

from campus_app.kitchen.rules.day_sheet import day_of
from campus_app.operators import wiring
from campus_app.operators.figure_files import figures_csv, figures_xlsx
from campus_app.operators.rules.desk import DESK_COOKIE, DeskArea, may_enter
from campus_app.operators.rules.figures import Span
from campus_app.shared.rules import routes
from campus_app.shared.translations import language_of_headers
from kit.translations import use_locale

router = APIRouter(include_in_schema=False)

_CSV = "text/csv; charset=utf-8"
_XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@router.get(routes.desk_figures_file("{ending}"))
async def figures_file(
    request: Request,
    ending: Literal["csv", "xlsx"],
    first: str = "",
    last: str = "",
    token: Annotated[str, Cookie(alias=DESK_COOKIE)] = "",
) -> Response:
    """Return the figures of a span of days, to a device that may see them; else 403."""
    services = wiring.services()
    device = await services.desk_devices.device_of(token)
    if device is None or not may_enter(device.role, DeskArea.FIGURES):
        return Response(status_code=403)
    span = Span.read(first, last, day_of(services.clock.now()))
    figures = await services.figures.of(span)
    with use_locale(language_of_headers(request.headers)):
        content = figures_csv(figures) if ending == "csv" else figures_xlsx(figures)
    name = f"figures-{span.first}-{span.last}.{ending}"
    return Response(
        content,
        media_type=_CSV if ending == "csv" else _XLSX,
        headers={
            "Content-Disposition": f'attachment; filename="{name}"',
            "Cache-Control": "no-store",
        },
    )
