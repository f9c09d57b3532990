"""Detection of a browser's 'Desktop site' and of its zoom in `assets/js/kit/device.js`."""

from tests.helpers.browser_rules import call_in_node

SCRIPT = "kit/device.js"
PHONE = "Mozilla/5.0 (Linux; Android 14) Chrome/140.0.0.0 Mobile Safari/537.36"
TABLET = "Mozilla/5.0 (Linux; Android 14) Chrome/140.0.0.0 Safari/537.36"
IPAD = "Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1"
LINUX = "Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0 Safari/537.36"
MAC = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1.15"


def case(layout, screen, agent, *, is_touch=True):
    return {
        "width": layout[0],
        "height": layout[1],
        "screenWidth": screen[0],
        "screenHeight": screen[1],
        "isTouch": is_touch,
        "agent": agent,
    }


CASES = {
    "a phone": (case((412, 785), (412, 915), PHONE), False),
    "a phone whose agent is a desktop's, in its own width": (
        case((390, 844), (390, 844), LINUX),
        False,
    ),
    "a phone with its keyboard up": (case((412, 300), (412, 915), PHONE), False),
    "a phone on its side": (case((915, 360), (915, 412), PHONE), False),
    "an iPhone on its side": (case((844, 340), (390, 844), PHONE), False),
    "a tablet": (case((800, 1180), (800, 1280), TABLET), False),
    "an iPad": (case((820, 1106), (820, 1180), IPAD), False),
    "an iPad, which names itself a Mac": (case((820, 1106), (820, 1180), MAC), False),
    "a narrow window": (case((800, 600), (1920, 1080), LINUX, is_touch=False), False),
    "a window of 980 px": (case((980, 600), (1920, 1080), LINUX, is_touch=False), False),
    "a phone, Desktop site": (case((980, 1866), (412, 915), LINUX), True),
    "a tall phone, Desktop site": (case((980, 2000), (448, 997), LINUX), True),
    "a phone on its side, Desktop site": (case((997, 440), (997, 448), LINUX), True),
    "an iPhone, Desktop Website": (case((980, 1900), (390, 844), MAC), True),
    "a phone whose agent stays, Desktop site": (case((980, 1866), (412, 915), PHONE), True),
    "a tablet, Desktop site": (case((980, 1450), (800, 1280), LINUX), True),
    "a screen as wide as the layout": (case((980, 1866), (980, 1866), LINUX), True),
}


WIDTHS = {
    "a window without zoom": ((1280, 1296, True), 1280),
    "a window of 1023 px without zoom": ((1023, 1039, True), 1023),
    "a maximised window whose frame is out of view": ((1536, 1528, True), 1536),
    "a window at 150%": ((853, 1280, True), 1280),
    "a window at 200%": ((640, 1280, True), 1280),
    "a narrow window at 200%": ((450, 900, True), 900),
    "a narrow window at 50%": ((1800, 900, True), 900),
    "a background tab, which has no window yet": ((1280, 0, True), 1280),
    "a phone": ((412, 412, False), 412),
    "a tablet in a split screen": ((507, 1024, False), 507),
}
"""Width of the page, outer width of the window, and whether it is a computer; then the result."""


def test_desktop_site_is_recognized_by_layout_screen_and_agent():
    answers = call_in_node(SCRIPT, "isDesktopSite", ([case] for case, _ in CASES.values()))
    assert dict(zip(CASES, answers, strict=True)) == {
        name: each for name, (_, each) in CASES.items()
    }


def test_width_without_zoom_is_that_of_the_window():
    names = ("width", "outerWidth", "isComputer")
    given = ([dict(zip(names, case, strict=True))] for case, _ in WIDTHS.values())
    widths = call_in_node(SCRIPT, "widthWithoutZoom", given)
    assert dict(zip(WIDTHS, widths, strict=True)) == {
        name: each for name, (_, each) in WIDTHS.items()
    }
