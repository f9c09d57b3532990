"""The folder whose files stand for mails and calls that would have been sent."""

import asyncio
import shutil

import pytest

from kit.outbox_folder import OutboxFolder

pytestmark = pytest.mark.anyio


@pytest.fixture
def path(tmp_path):
    return tmp_path / "outbox" / "mail"


@pytest.fixture
def folder(path):
    return OutboxFolder(path)


def names(path):
    return sorted(file.name for file in path.iterdir())


async def test_folder_is_created_when_it_is_missing_or_was_removed(folder, path):
    assert not path.parent.exists()
    for _ in range(2):
        await folder.put("1.eml", b"a mail")
        await folder.append("calls.jsonl", "a call")
        assert names(path) == ["1.eml", "calls.jsonl"]
        shutil.rmtree(path.parent)


async def test_put_replaces_a_file_of_the_same_name(folder, path):
    await folder.put("1.eml", b"what was there")
    await folder.put("1.eml", b"new")
    assert (path / "1.eml").read_bytes() == b"new"
    assert names(path) == ["1.eml"]


async def test_append_keeps_the_order_of_concurrent_calls(folder, path):
    await asyncio.gather(*(folder.append("calls.jsonl", str(number)) for number in range(99)))
    written = (path / "calls.jsonl").read_text(encoding="utf-8").splitlines()
    assert written == [str(number) for number in range(99)]


async def test_failed_put_raises_in_its_caller_only_and_leaves_no_file(folder, path):
    (path / "taken").mkdir(parents=True)
    bad, good = await asyncio.gather(
        folder.put("taken", b"in place of a folder"),
        folder.put("1.eml", b"a mail"),
        return_exceptions=True,
    )
    assert isinstance(bad, OSError)
    assert good is None
    assert names(path) == ["1.eml", "taken"]


async def test_append_raises_when_a_file_has_the_name_of_the_folder(folder, path):
    path.parent.mkdir()
    path.touch()
    with pytest.raises(OSError, match="mail"):
        await folder.append("calls.jsonl", "a call")


async def test_append_works_from_several_event_loops(folder, path):
    def append_in_new_loop(number):
        asyncio.run(folder.append("calls.jsonl", str(number)))

    for number in range(3):
        await asyncio.to_thread(append_in_new_loop, number)
    assert (path / "calls.jsonl").read_text(encoding="utf-8").split() == ["0", "1", "2"]
