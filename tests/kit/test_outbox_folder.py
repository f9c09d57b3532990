"""The folder whose files stand for what would have gone out."""

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


async def test_it_is_made_when_it_is_needed_and_again_when_it_is_gone(folder, path):
    assert not path.parent.exists()
    for _ in range(2):
        await folder.put("1.eml", b"a mail")
        await folder.append("calls.jsonl", "a call")
        assert names(path) == ["1.eml", "calls.jsonl"]
        shutil.rmtree(path.parent)


async def test_a_file_of_the_same_name_gives_way(folder, path):
    await folder.put("1.eml", b"what was there")
    await folder.put("1.eml", b"new")
    assert (path / "1.eml").read_bytes() == b"new"
    assert names(path) == ["1.eml"]


async def test_lines_are_added_in_the_order_in_which_they_were_asked_for(folder, path):
    await asyncio.gather(*(folder.append("calls.jsonl", str(number)) for number in range(99)))
    written = (path / "calls.jsonl").read_text(encoding="utf-8").splitlines()
    assert written == [str(number) for number in range(99)]


async def test_what_can_not_be_written_is_told_to_its_writer_alone_and_leaves_nothing(folder, path):
    (path / "taken").mkdir(parents=True)
    bad, good = await asyncio.gather(
        folder.put("taken", b"in place of a folder"),
        folder.put("1.eml", b"a mail"),
        return_exceptions=True,
    )
    assert isinstance(bad, OSError)
    assert good is None
    assert names(path) == ["1.eml", "taken"]


async def test_a_file_in_place_of_the_folder_is_told(folder, path):
    path.parent.mkdir()
    path.touch()
    with pytest.raises(OSError, match="mail"):
        await folder.append("calls.jsonl", "a call")


async def test_several_loops_one_after_the_other_can_write(folder, path):
    def another(number):
        asyncio.run(folder.append("calls.jsonl", str(number)))

    for number in range(3):
        await asyncio.to_thread(another, number)
    assert (path / "calls.jsonl").read_text(encoding="utf-8").split() == ["0", "1", "2"]
