"""Which content is sent to an open page."""

from kit.open_views import OpenViews


def test_open_view_is_sent_new_content_only_until_it_is_opened_again():
    woken = []
    views = OpenViews(lambda: woken.append(True))
    assert not views.is_new("a socket", "content")
    views.open("a socket", "a view")
    assert woken == [True]
    assert (list(views), len(views)) == ([("a socket", "a view")], 1)
    assert [views.is_new("a socket", each) for each in ("a", "a", "b")] == [True, False, True]
    views.open("a socket", "a view")
    assert views.is_new("a socket", "b")
    views.close("a socket")
    views.close("a socket")
    assert (len(views), views.is_new("a socket", "c")) == (0, False)


def test_shown_content_is_not_sent_but_what_was_sent_before_it_is():
    woken = []
    views = OpenViews(lambda: woken.append(True))
    views.show("a socket", "a view", "a")
    assert (woken, views.is_new("a socket", "a")) == ([True], False)
    assert views.is_new("a socket", "b")
    views.show("a socket", "another view", "c")
    assert (woken, list(views)) == ([True], [("a socket", "another view")])
    assert views.is_new("a socket", "b")
