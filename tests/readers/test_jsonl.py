"""JSON Lines: mapping, decoding, and everything that can be wrong with a line."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keyfold.contracts import DumpPart, Reader, ReadRequest
from keyfold.errors import ReadError, UsageError
from keyfold_contrib.readers import JsonlReader
from keyfold_strategies import AdapterRef

FIELDS = frozenset(
    {"adapter", "group_index", "rollout_id", "index", "reward", "metadata"}
)


def write(folder: Path, content: bytes | str, name: str = "dump.jsonl") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def parts(
    path: Path,
    *fields: str,
    mapping: Mapping[str, str] | None = None,
    skip_bad: bool = False,
) -> list[DumpPart]:
    wanted = frozenset(fields) if fields else FIELDS
    request = ReadRequest(wanted, mapping or {}, skip_bad)
    return list(JsonlReader().read(path, request))


def samples(path: Path, *fields: str, **mapping: str) -> list[Any]:
    found = parts(path, *fields, mapping=mapping)
    return [sample for part in found for sample in part.samples]


def failure(path: Path, *fields: str, **mapping: str) -> ReadError:
    with pytest.raises(ReadError) as caught:
        parts(path, *fields, mapping=mapping)
    assert caught.value.path == path
    return caught.value


def test_is_a_reader() -> None:
    assert isinstance(JsonlReader(), Reader)
    assert JsonlReader() == JsonlReader()


@pytest.mark.parametrize(
    ("name", "head", "expected"),
    [
        ("a.jsonl", b'{"a": 1}\n', True),
        ("a.JSONL", b'{"a": 1}\n', True),
        ("a.jsonl", b"", True),
        ("a.ndjson", b"not json at all\n", True),
        ("a.jsonl", b"PK\x03\x04\x14\x00", False),
        ("a.txt", b'\xef\xbb\xbf\r\n {"a": 1}\r\n', True),
        ("rollouts", b'{"a": ' + b"1" * 4090, True),
        ("a.txt", b'{\n  "a": 1\n}', False),
        ("a.txt", b"[1]\n", False),
        ("a.txt", b"", False),
        ("a.json", b'{\n  "a": 1\n}', False),
        ("a.json", b'{"a": 1}\n', False),
        ("a.json", b'{"a": 1}\n{"a": 2}\n', True),
    ],
)
def test_recognises_by_name_and_content(name: str, head: bytes, expected: bool) -> None:
    assert JsonlReader().recognises(Path(name), head) is expected


def test_reads_the_canonical_fields(tmp_path: Path) -> None:
    line = {
        "adapter": {"name": "math", "slot": 2},
        "group_index": 1,
        "rollout_id": "r-7",
        "index": 3,
        "reward": {"acc": 1.0},
        "metadata": {"raw_reward": 0.5},
        "step": 4,
        "tokens": [1, 2, 3],
    }
    path = write(tmp_path, json.dumps(line) + "\n{}\n")
    first, second = parts(path)
    (full,), (bare,) = first.samples, second.samples
    assert (first.step, second.step) == (4, None)
    assert full.adapter == AdapterRef("math", 2)
    assert (full.group_index, full.rollout_id, full.index) == (1, "r-7", 3)
    assert full.reward == {"acc": 1.0}
    assert full.metadata == {"raw_reward": 0.5}
    assert not hasattr(full, "tokens")
    assert {getattr(bare, name) for name in FIELDS} == {None}


def test_adapters_are_one_object_each(tmp_path: Path) -> None:
    line = '{"adapter": {"name": "a", "slot": 1}}\n'
    one, two = samples(write(tmp_path, line * 2))
    assert one.adapter is two.adapter


@pytest.mark.parametrize("adapter", ["math", 3, None])
def test_adapters_may_be_plain(tmp_path: Path, adapter: object) -> None:
    (sample,) = samples(write(tmp_path, json.dumps({"adapter": adapter})))
    assert sample.adapter == adapter


@pytest.mark.parametrize(
    "adapter",
    [
        *(True, 1.5, [1], {}, {"name": "a"}, {"name": "a", "slot": 1, "x": 0}),
        *({"name": 1, "slot": 1}, {"name": "a", "slot": True}),
    ],
)
@pytest.mark.parametrize("fields", [(), ("adapter", "metadata.a"), None])
def test_other_adapters_are_refused(
    tmp_path: Path, adapter: object, fields: tuple[str, ...] | None
) -> None:
    path = write(tmp_path, "{}\n" + json.dumps({"adapter": adapter}) + "\n")
    request = ReadRequest(None if fields is None else frozenset(fields or FIELDS))
    with pytest.raises(ReadError, match="`adapter` holds") as caught:
        list(JsonlReader().read(path, request))
    assert caught.value.line == 2


def test_dotted_fields_build_only_their_keys(tmp_path: Path) -> None:
    line = '{"metadata": {"turns": 3, "log": "long", "a": {"b": 1, "c": 2}}}\n'
    path = write(tmp_path, line + '{"metadata": null}\n{"metadata": [1]}\n{}\n')
    found = samples(path, "metadata.turns", "metadata.a.b")
    assert [sample.metadata for sample in found] == [
        {"turns": 3, "a": {"b": 1}},
        None,
        [1],
        None,
    ]


def test_a_whole_field_wins_over_its_keys(tmp_path: Path) -> None:
    path = write(tmp_path, '{"metadata": {"turns": 3, "log": "long"}}\n')
    (sample,) = samples(path, "metadata.turns", "metadata")
    assert sample.metadata == {"turns": 3, "log": "long"}


def test_mapping(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        '{"id": 3, "info": {"score": 0.5, "who": "x"}, "a.b": 1, "a": {"b": 2}}\n',
        "eval7.jsonl",
    )
    (sample,) = samples(
        path,
        *("group_index", "rollout_id", "index", "reward", "metadata.b", "other"),
        group_index="id",
        rollout_id="@file",
        index="@line",
        reward="info.score",
        other="id",
        **{"metadata.b": "a.b"},
    )
    assert sample.group_index == 3
    assert sample.rollout_id == "eval7"
    assert sample.index == 1
    assert sample.reward == 0.5
    assert sample.other == 3
    # The key that is spelt like the whole path wins over the path.
    assert sample.metadata == {"b": 1}


def test_mapping_a_renamed_key_needs_no_second_step(tmp_path: Path) -> None:
    path = write(tmp_path, '{"score": 0.5, "extra": {"turns": 3, "log": 1}}\n')
    (sample,) = samples(
        path, "reward", "metadata.turns", reward="score", metadata="extra"
    )
    assert (sample.reward, sample.metadata) == (0.5, {"turns": 3})


def test_mapping_inside_a_field_keeps_the_rest(tmp_path: Path) -> None:
    path = write(tmp_path, '{"metadata": {"a": 1}, "score": 2}\n{"score": 3}\n')
    found = samples(path, "metadata", **{"metadata.raw_reward": "score"})
    assert [sample.metadata for sample in found] == [
        {"a": 1, "raw_reward": 2},
        {"raw_reward": 3},
    ]


def test_names_that_are_no_identifiers(tmp_path: Path) -> None:
    path = write(tmp_path, '{"pass@1": 1, "metadata": {"pass@1": 2}}\n')
    (sample,) = samples(path, "pass@1", "metadata.pass@1")
    assert getattr(sample, "pass@1") == 1
    assert sample.metadata == {"pass@1": 2}


def test_everything_when_the_fields_are_unknown(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        '{"reward": 1, "turns": 3, "__class__": "x", "info": {"id": 4}, "step": 2}\n',
    )
    request = ReadRequest(None, {"group_index": "info.id"})
    (part,) = JsonlReader().read(path, request)
    (sample,) = part.samples
    assert part.step == 2
    assert (sample.reward, sample.turns, sample.group_index) == (1, 3, 4)
    assert sample.info == {"id": 4}
    assert sample.adapter is None
    assert sample.index is None


def test_steps(tmp_path: Path) -> None:
    lines = [1, 1, 2, 2, 2, 1, None, "a", 3.0, 3, 0.5]
    path = write(tmp_path, "".join(json.dumps({"step": s}) + "\n" for s in lines))
    found = [(part.step, len(part.samples)) for part in parts(path)]
    assert found == [(1, 2), (2, 3), (1, 1), (None, 1), ("a", 1), (3, 2), ("0.5", 1)]


def test_a_numbered_file_is_a_numbered_step(tmp_path: Path) -> None:
    path = write(tmp_path, "{}\n", "12.jsonl")
    (part,) = parts(path, mapping={"step": "@file"})
    assert part.step == 12
    assert part.samples[0].step == 12


def test_parts_are_bounded(tmp_path: Path) -> None:
    path = write(tmp_path, '{"index": 1, "step": 0}\n' * 20_000)
    assert [len(part.samples) for part in parts(path)] == [8192, 8192, 3616]


def test_progress_adds_up(tmp_path: Path) -> None:
    path = write(tmp_path, ('{"text": "' + "x" * 1000 + '"}\n\n') * 3000)
    told: list[int] = []
    request = ReadRequest(FIELDS, advance=told.append)
    list(JsonlReader().read(path, request))
    assert sum(told) == path.stat().st_size
    assert len(told) > 2


def test_byte_order_mark_blank_lines_and_crlf(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        b'\xef\xbb\xbf\r\n  \r\n{"index": 1}\r\n\r\n{"index": 2}\r\n{"x": \r\n',
    )
    (part,) = parts(path, skip_bad=True)
    assert [sample.index for sample in part.samples] == [1, 2]
    assert "dump.jsonl:6:" in part.bad[0]


def test_python_constants_are_read(tmp_path: Path) -> None:
    text = '{"reward": NaN, "x": 1}\n{"reward": -Infinity}\n{"x": Infinity}\n'
    for fields in (("reward",), ("reward", "metadata.a"), ("reward", "@x")):
        nan, infinity, none = samples(write(tmp_path, text), *fields)
        assert math.isnan(nan.reward)
        assert infinity.reward == -math.inf
        assert none.reward is None


def test_half_surrogates_are_read(tmp_path: Path) -> None:
    path = write(tmp_path, '{"text": "\\ud83d", "reward": 1}\n')
    (sample,) = samples(path, "reward", "text")
    assert (sample.reward, sample.text) == (1, "\ud83d")


def test_a_broken_line_names_file_line_and_column(tmp_path: Path) -> None:
    path = write(tmp_path, '{"index": 1}\n{"é": 1, "b": oops}\n')
    error = failure(path)
    assert (error.line, error.column) == (2, 16)
    assert str(error).startswith(f"{path}:2:16: broken JSON: expecting value")
    assert "oops" in error.message
    assert error.hint is not None
    assert "--skip-bad" in error.hint


def test_broken_lines_can_be_passed_over(tmp_path: Path) -> None:
    path = write(tmp_path, 'ruff check\n{"index": 1}\n{"index": [1]}\n{"index": 2}\n')
    (part,) = parts(path, skip_bad=True)
    assert [sample.index for sample in part.samples] == [1, 2]
    assert [text.split(": ")[0] for text in part.bad] == [f"{path}:1:1", f"{path}:3"]


def test_a_half_written_last_line(tmp_path: Path) -> None:
    error = failure(write(tmp_path, '{"index": 1}\n{"index": 2, "rewa'))
    assert error.line == 2
    assert "may still be being written" in error.message
    error = failure(write(tmp_path, b'{"index": 1}\n{"index": "\xc3'))
    assert "may still be being written" in error.message
    # A whole last line without an end is nothing to complain about.
    assert len(samples(write(tmp_path, '{"index": 1}\n{"index": 2}'))) == 2


def test_invalid_utf8_is_found_in_fields_that_nobody_reads(tmp_path: Path) -> None:
    error = failure(write(tmp_path, b'{"index": 1, "text": "\xff"}\n'))
    assert (error.line, error.column) == (1, 23)
    assert "0xff" in error.message
    assert "UTF-8" in error.message


@pytest.mark.parametrize("line", ["[1, 2]", "3", "null", '"text"'])
@pytest.mark.parametrize("fields", [("index",), ("index", "@x"), None])
def test_a_line_that_is_no_object(
    tmp_path: Path, line: str, fields: tuple[str, ...] | None
) -> None:
    request = ReadRequest(None if fields is None else frozenset(fields))
    path = write(tmp_path, line + "\n")
    with pytest.raises(ReadError, match="expected an object"):
        list(JsonlReader().read(path, request))


@pytest.mark.parametrize("name", ["group_index", "rollout_id", "index", "step"])
@pytest.mark.parametrize("value", ["[1]", '{"a": 1}', "NaN"])
@pytest.mark.parametrize("extra", ["reward", "metadata.a", "@x"])
def test_ids_of_other_types_are_refused(
    tmp_path: Path, name: str, value: str, extra: str
) -> None:
    path = write(tmp_path, f'{{}}\n{{"{name}": {value}}}\n')
    error = failure(path, *FIELDS, extra)
    assert error.line == 2
    assert f"`{name}` holds" in error.message
    assert "expected a whole number, a text or null" in error.message


@pytest.mark.parametrize("name", ["index", "reward"])
@pytest.mark.parametrize("extra", ["metadata", "@x"])
def test_extreme_json(tmp_path: Path, name: str, extra: str) -> None:
    big = 2**64 + 1
    (sample,) = samples(write(tmp_path, f'{{"{name}": {big}}}\n'), name, extra)
    assert getattr(sample, name) == big
    for value in ("9" * 5000, "1e400", "[" * 100_000 + "]" * 100_000):
        error = failure(write(tmp_path, f'{{"{name}": {value}}}\n'), name, extra)
        assert error.line == 1
        assert len(str(error)) < 1000


@pytest.mark.parametrize("content", ["", "\n", " \r\n\n", "\ufeff"])
def test_an_empty_file(tmp_path: Path, content: str) -> None:
    assert "holds no samples" in failure(write(tmp_path, content)).message


def test_a_file_of_broken_lines_only(tmp_path: Path) -> None:
    path = write(tmp_path, "oops\n" * 3)
    with pytest.raises(ReadError, match=r"every line is broken \(3 passed over\)"):
        parts(path, skip_bad=True)


def test_descriptions_of_broken_lines_are_bounded_too(tmp_path: Path) -> None:
    path = write(tmp_path, "oops\n" * 10_000 + "{}\n")
    found = parts(path, skip_bad=True)
    assert [len(part.bad) for part in found] == [8192, 1808]
    assert [len(part.samples) for part in found] == [0, 1]


def test_a_line_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("keyfold_contrib.readers._lines._LONGEST", 100)
    error = failure(write(tmp_path, '{"index": 1}\n' + "x" * 1000))
    assert error.line == 2
    assert "longer than 100 bytes" in error.message


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    assert "No such file" in failure(tmp_path / "gone.jsonl").message
    assert "directory" in failure(tmp_path).message


def test_a_mapping_that_no_line_bears_out(tmp_path: Path) -> None:
    path = write(tmp_path, '{"group": 1, "info": {"score": 1}}\n{"x": null}\n')
    error = failure(path, "group_index", group_index="grop")
    assert "`group_index` is mapped to `grop`" in error.message
    assert error.hint is not None
    assert "did you mean `group`" in error.hint
    assert "group, info, x" in error.hint
    error = failure(path, "reward", reward="info.scor")
    assert error.hint is not None
    assert "did you mean `info.score`" in error.hint
    path = write(tmp_path, 'oops\n{"group": 1, "x": null}\n{}\n')
    with pytest.raises(ReadError, match="`grop`"):
        parts(path, "group_index", mapping={"group_index": "grop"}, skip_bad=True)
    path = write(tmp_path, '{"group": 1, "x": null}\n')
    # A key that is there and always null is no typo.
    assert samples(path, "reward", reward="x")[0].reward is None
    # A mapping that no pipeline needs is not looked at.
    assert samples(path, "index", group_index="grop")


def test_mappings_that_cant_be_right(tmp_path: Path) -> None:
    path = write(tmp_path, "{}\n")
    with pytest.raises(UsageError, match="`@fil`") as caught:
        JsonlReader().read(path, ReadRequest(FIELDS, {"index": "@fil"}))
    assert caught.value.hint == "did you mean `@file`?"
    with pytest.raises(UsageError, match="empty"):
        JsonlReader().read(path, ReadRequest(FIELDS, {"index": ""}))


@given(st.binary(max_size=60))
def test_bytes_of_any_kind_give_samples_or_a_read_error(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    path = write(tmp_path_factory.mktemp("any"), content)
    for fields in (FIELDS, None):
        try:
            list(JsonlReader().read(path, ReadRequest(fields)))
        except ReadError as error:
            assert error.path == path  # noqa: PT017


texts = st.text('aé\ud83d"\\\n', max_size=4)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(texts, inner, max_size=2)
    ),
    max_leaves=4,
)


@given(
    st.lists(
        st.fixed_dictionaries({"reward": json_values, "other": json_values}), max_size=4
    )
)
def test_values_come_as_the_standard_library_reads_them(
    tmp_path_factory: pytest.TempPathFactory, lines: list[dict[str, Any]]
) -> None:
    text = "".join(json.dumps(line) + "\n" for line in [{}, *lines])
    path = write(tmp_path_factory.mktemp("any"), text)
    expected = [json.loads(line).get("reward") for line in text.splitlines()]
    found = [sample.reward for sample in samples(path, "reward")]
    assert repr(found) == repr(expected)
