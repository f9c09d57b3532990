"""The commands about links and devices of kitchens and of the desk."""

from campus_app.operators import json_output, options, output
from campus_app.operators.command import Answer, command
from campus_app.operators.entry import operator
from campus_app.operators.rules.desk import DeskRole
from campus_app.operators.wiring import Services
from campus_app.shared.rules import routes


@command(options.restaurant_id)
async def kitchen_link(services: Services, restaurant_id: int) -> Answer:
    """Create a link that shows a kitchen's board on one device, within a day."""
    link = await services.kitchen_devices.create_link(restaurant_id, operator())
    url = services.settings.origin + routes.kitchen_link(link.token)
    return Answer(
        {"url": url, "expiresAt": link.expires_at},
        lambda: output.show_device_link(url, link.expires_at),
    )


@command(options.optional_restaurant_id)
async def kitchen_devices(services: Services, restaurant_id: int | None) -> Answer:
    """List the devices that show kitchen boards, of one restaurant or of all."""
    devices = await services.kitchen_devices.devices(restaurant_id)
    names = {each.id: each.name for each in services.catalogue.restaurants()}
    return Answer(
        json_output.kitchen_devices(devices, names),
        lambda: output.show_kitchen_devices(devices, names),
    )


@command(options.device_id)
async def revoke_kitchen_device(services: Services, device_id: str) -> Answer:
    """Revoke a device: its kitchen board closes, and only a new link opens it again."""
    await services.kitchen_devices.revoke(device_id, operator())
    message = f"The device {device_id} is revoked."
    return Answer({"device": device_id, "revoked": True}, lambda: output.say(message))


@command(options.desk_role, options.desk_name)
async def desk_link(services: Services, role: str, name: str) -> Answer:
    """Create a link that opens the desk on one device, within an hour."""
    link = await services.desk_devices.create_link(DeskRole(role), name, operator())
    url = services.settings.origin + routes.desk_link(link.token)
    return Answer(
        {"url": url, "expiresAt": link.expires_at},
        lambda: output.show_device_link(url, link.expires_at),
    )


@command()
async def desk_devices(services: Services) -> Answer:
    """List the devices that may use the desk."""
    devices = await services.desk_devices.devices()
    return Answer(json_output.desk_devices(devices), lambda: output.show_desk_devices(devices))


@command(options.device_id)
async def revoke_desk_device(services: Services, device_id: str) -> Answer:
    """Revoke a device of the desk: its pages close, and only a new link opens it again."""
    await services.desk_devices.revoke(device_id, operator())
    message = f"The device {device_id} is revoked."
    return Answer({"device": device_id, "revoked": True}, lambda: output.say(message))
