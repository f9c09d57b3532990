"""The one sentence that says why another screen came up."""

import reflex as rx


class NoticeState(rx.State):
    """What the visitor should know on this screen, until it is put away."""

    message: str = ""

    @rx.event
    def stay_known(self):
        """An open tab says that it is still there.

        Reflex forgets a session an hour after its last event; what the browser keeps would then
        be overwritten with nothing.
        """

    @rx.event
    def close(self):
        """Put the notice away."""
        self.message = ""


async def say(state: rx.State, message: str) -> None:
    """Show a sentence on the screen that comes up next."""
    notice = await state.get_state(NoticeState)
    notice.message = message
