"""Rollout dumps of miles and slime."""

from __future__ import annotations

import collections
import copyreg
import io
import pickle
import sys
import zipfile
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from fractions import Fraction
from numbers import Number
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pytest

from keyfold.contracts import DumpPart, Reader, ReadRequest
from keyfold.errors import ReadError, UsageError
from keyfold_contrib.readers import MilesPtReader
from keyfold_strategies import AdapterRef, Sample

FIELDS = frozenset({"adapter", "group_index", "rollout_id", "reward", "metadata"})


Writes: TypeAlias = Callable[..., Path]
Trainer: TypeAlias = Callable[..., AbstractContextManager[Any]]


LAYOUT = "<torch.serialization._get_layout, not read>"


def rollout(*samples: Any, step: object = 3, **more: object) -> dict[str, Any]:
    return {"rollout_id": step, "samples": list(samples), **more}


def parts(
    path: Path,
    *fields: str,
    mapping: Mapping[str, str] | None = None,
    skip_bad: bool = False,
) -> list[DumpPart]:
    request = ReadRequest(frozenset(fields) or FIELDS, mapping or {}, skip_bad)
    return list(MilesPtReader().read(path, request))


def samples(path: Path, *fields: str, **mapping: str) -> list[Any]:
    found = parts(path, *fields, mapping=mapping)
    return [sample for part in found for sample in part.samples]


def failure(path: Path) -> str:
    with pytest.raises(ReadError) as caught:
        parts(path)
    assert caught.value.path == path
    return caught.value.message


def test_is_a_reader() -> None:
    assert isinstance(MilesPtReader(), Reader)


def test_recognises_torch_files(tmp_path: Path, dump: Writes) -> None:
    reader = MilesPtReader()
    head = dump(tmp_path / "0.pt", rollout({})).read_bytes()[:4096]
    assert reader.recognises(Path("0.pt"), head)
    assert reader.recognises(Path("dump.bin"), head)
    assert not reader.recognises(Path("a.eval"), b"PK\x03\x04" + b"\0" * 60)
    assert not reader.recognises(Path("0.pt"), b'{"a": 1}')
    legacy = pickle.dumps(0x1950A86A20F9469CFC6C, 2)
    assert reader.recognises(Path("0.pt"), legacy)


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
@pytest.mark.parametrize("trainer", ["miles", "slime"])
def test_reads_samples(
    tmp_path: Path, protocol: int, trainer: str, dump: Writes, fake_trainer: Trainer
) -> None:
    with fake_trainer(trainer) as types:
        adapter = types.AdapterRef("math", 1)
        one = {
            "group_index": 0,
            "index": 5,
            "rollout_id": 7,
            "reward": 1.0,
            "status": "completed",
            "response_length": 4,
            "adapter": adapter,
            "metadata": {"raw_reward": 0.5, "other": adapter},
            "tokens": [*range(-5, 3000), 70_000, 2**40, True, None],
            "loss_mask": [1, 0] * 600,
            "rollout_log_probs": [-0.5] * 1500,
            "weight_versions": ["3", "4"],
            "reward_spec": types.RewardSpec("x"),
            "prefix_cache_info": {"cached_tokens": 8},
        }
        path = dump(tmp_path / "3.pt", rollout(one, one | {"adapter": None}), protocol)
    assert trainer not in sys.modules
    (part,) = parts(path)
    first, second = part.samples
    assert part.step == 3
    assert first == Sample(
        adapter=AdapterRef("math", 1),
        group_index=0,
        rollout_id=7,
        index=5,
        reward=1.0,
        metadata={"raw_reward": 0.5, "other": AdapterRef("math", 1)},
        status="completed",
        response_length=4,
        step=3,
    )
    assert second.adapter is None
    wide = samples(path, "tokens", "loss_mask", "rollout_log_probs", "reward_spec")[0]
    assert wide.tokens == one["tokens"]
    assert wide.loss_mask == one["loss_mask"]
    assert wide.rollout_log_probs == one["rollout_log_probs"]
    assert repr(wide.reward_spec) == f"<{trainer}.utils.types.RewardSpec, not read>"
    assert wide.rollout_id == 7


@pytest.mark.parametrize("protocol", [0, 1, 2, 4])
def test_adapters_in_every_form(
    tmp_path: Path, protocol: int, torch_zip: Writes, fake_trainer: Trainer
) -> None:
    with fake_trainer() as types:
        values = [types.AdapterRef("a", 1)]
        if protocol >= 2:
            cls = types.AdapterRef = types.SlotAdapterRef
            values = [cls("a", 1)]
        pickled = pickle.dumps(rollout({"adapter": values[0]}), protocol)
    if protocol == 0:
        # Text instructions are not what torch.save writes at any setting.
        with pytest.raises(ReadError, match="instruction"):
            parts(torch_zip(tmp_path / "a.pt", pickled))
        return
    (sample,) = samples(torch_zip(tmp_path / "a.pt", pickled))
    assert sample.adapter == AdapterRef("a", 1)


def test_other_adapters_are_refused(
    tmp_path: Path, dump: Writes, fake_trainer: Trainer
) -> None:
    with fake_trainer() as types:
        odd = types.AdapterRef(["a"], 1)
        path = dump(tmp_path / "a.pt", rollout({"adapter": odd}))
    assert "`miles.utils.types.AdapterRef`" in failure(path)
    path = dump(tmp_path / "b.pt", rollout({}, {"adapter": [1]}))
    assert "sample 2 of 2: the field `adapter` holds a list" in failure(path)


@pytest.mark.parametrize("protocol", [2, 4])
def test_a_status_becomes_its_text(
    tmp_path: Path, protocol: int, dump: Writes, fake_trainer: Trainer
) -> None:
    with fake_trainer() as types:
        status = types.Sample.Status.CUT
        path = dump(tmp_path / "a.pt", rollout({"status": status}), protocol)
    assert samples(path, "status")[0].status == "truncated"


@pytest.mark.parametrize("protocol", [2, 4])
@pytest.mark.parametrize(
    "value",
    [
        *(np.float16(0.5), np.float32(0.1), np.float64(0.1), np.float64("nan")),
        *(np.int8(-3), np.uint8(200), np.int64(-(2**60)), np.uint64(2**63)),
        *(np.complex64(1 + 2j), np.str_("é"), np.float32(0)),
        np.array([1.5], ">f4")[0],
    ],
)
def test_numpy_scalars_become_numbers(
    tmp_path: Path, protocol: int, value: Any, dump: Writes
) -> None:
    path = dump(tmp_path / "a.pt", rollout({"reward": value}), protocol)
    (sample,) = samples(path)
    assert type(sample.reward) is type(value.item())
    np.testing.assert_equal(sample.reward, value.item())


@pytest.mark.parametrize("protocol", [2, 4])
def test_numpy_bools_are_no_numbers_here_either(
    tmp_path: Path, protocol: int, dump: Writes
) -> None:
    path = dump(tmp_path / "a.pt", rollout({"reward": np.bool_(True)}), protocol)
    reward: Any = samples(path)[0].reward
    assert not isinstance(reward, Number)
    assert [np.bool_(True), True] == [reward, reward]
    assert hash(reward) == hash(True)
    assert bool(reward)
    assert reward.item() is True
    assert repr(reward) == "<numpy.bool True>"


@pytest.mark.parametrize("protocol", [2, 4, 5])
@pytest.mark.parametrize("value", [np.arange(3), np.array(0.5), np.ones((2, 2), "c16")])
def test_arrays_are_passed_over(
    tmp_path: Path, protocol: int, value: Any, dump: Writes
) -> None:
    path = dump(tmp_path / "a.pt", rollout({"reward": value}), protocol)
    reward = samples(path)[0].reward
    assert not isinstance(reward, Number)
    assert repr(reward) == "<numpy.ndarray, not read>"


@pytest.mark.parametrize("protocol", [2, 4])
def test_plain_containers(tmp_path: Path, protocol: int, dump: Writes) -> None:
    ordered = collections.OrderedDict([("a", 1)])
    defaults = collections.defaultdict(list, {"b": [2]})
    metadata: dict[Any, Any] = {
        "ordered": ordered,
        "defaults": defaults,
        "deque": collections.deque([1, 2]),
        "set": {1, (2, "x")},
        "frozen": frozenset({"a"}),
        "bytes": b"\xff\x00",
        "empty": b"",
        "array": bytearray(b"abc"),
        "complex": 1j,
        "big": 2**100,
        "same": ordered,
        (1, "a"): ((), (1,), (1, 2, 3, 4), [], {}, set[int]()),
        "text": "é" * 300 + "\ud800",
    }
    path = dump(tmp_path / "a.pt", rollout({"metadata": metadata}), protocol)
    expected = metadata | {"deque": [1, 2]}
    assert samples(path)[0].metadata == expected


def test_what_refers_to_itself(tmp_path: Path, dump: Writes) -> None:
    loop: list[Any] = []
    loop.append(loop)
    path = dump(tmp_path / "a.pt", rollout({"reward": loop, "group_index": 1}))
    assert samples(path)[0].group_index == 1
    path = dump(tmp_path / "a.pt", rollout({"group_index": loop}))
    assert "`group_index` holds a list with 1 entry" in failure(path)


def test_an_eval_dump_has_steps_of_its_own(tmp_path: Path, dump: Writes) -> None:
    assert parts(dump(tmp_path / "eval_3.pt", rollout({})))[0].step == "eval_3"
    assert parts(dump(tmp_path / "3.pt", rollout({})))[0].step == 3
    no_step: dict[str, Any] = {"samples": [{}]}
    assert parts(dump(tmp_path / "eval_x.pt", no_step))[0].step == "eval_x"
    assert parts(dump(tmp_path / "x.pt", no_step))[0].step is None


def test_mapping(tmp_path: Path, dump: Writes) -> None:
    records = [
        {"reward": 0, "metadata": {"score": n / 2, "turns": n, "at": n // 2}}
        for n in range(3)
    ]
    path = dump(tmp_path / "7.pt", rollout(*records))
    found = parts(
        path,
        "reward",
        "turns",
        "rollout_id",
        mapping={
            "reward": "metadata.score",
            "turns": "metadata.turns",
            "rollout_id": "@line",
            "step": "metadata.at",
        },
    )
    assert [(part.step, len(part.samples)) for part in found] == [(0, 2), (1, 1)]
    rows = [sample for part in found for sample in part.samples]
    assert [row.reward for row in rows] == [0.0, 0.5, 1.0]
    assert [row.turns for row in rows] == [0, 1, 2]
    assert [row.rollout_id for row in rows] == [1, 2, 3]
    assert parts(path, mapping={"step": "@file"})[0].step == 7
    with pytest.raises(ReadError, match=r"`reward` is mapped to `metadata\.scor`"):
        parts(path, mapping={"reward": "metadata.scor"})
    with pytest.raises(UsageError, match="`@lin`"):
        parts(path, mapping={"reward": "@lin"})


def test_everything_when_the_fields_are_unknown(tmp_path: Path, dump: Writes) -> None:
    path = dump(tmp_path / "7.pt", rollout({"reward": 1, "tokens": [1], 5: 6}))
    (part,) = MilesPtReader().read(path, ReadRequest(None))
    (sample,) = part.samples
    assert (sample.reward, sample.tokens, sample.adapter) == (1, [1], None)
    assert sample.step == part.step == 3


def test_parts_are_bounded_and_progress_is_told(tmp_path: Path, dump: Writes) -> None:
    path = dump(tmp_path / "7.pt", rollout(*[{"reward": 1}] * 10_000))
    told: list[int] = []
    request = ReadRequest(FIELDS, advance=told.append)
    found = list(MilesPtReader().read(path, request))
    assert [len(part.samples) for part in found] == [8192, 1808]
    assert sum(told) == path.stat().st_size


def test_bad_samples_can_be_passed_over(tmp_path: Path, dump: Writes) -> None:
    path = dump(tmp_path / "7.pt", rollout({"reward": 1}, 5, {"index": [1]}))
    assert "sample 2 of 3: it is a number (5); expected a dict" in failure(path)
    (part,) = parts(path, skip_bad=True)
    assert len(part.samples) == 1
    assert ["sample 2" in part.bad[0], "sample 3" in part.bad[1]] == [True, True]
    path = dump(tmp_path / "7.pt", rollout(5))
    with pytest.raises(ReadError, match="all 1 are broken"):
        parts(path, skip_bad=True)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([5], "the file holds a list with 1 entry"),
        ({"rollout_id": 1, "rank": 0, "rollout_data": 1}, "'rank', 'rollout_data'"),
        (rollout({}, rank=0, dp_shards=[]), "a dump of training data"),
        ({"samples": 5}, "`samples` that are a number (5)"),
        (rollout(), "holds no samples"),
        (rollout({}, step=[1]), "the step `rollout_id` that is a list"),
        (dict[str, int](), "a dict with the keys"),
    ],
)
def test_other_shapes_are_described(
    tmp_path: Path, value: object, message: str, dump: Writes
) -> None:
    assert message in failure(dump(tmp_path / "a.pt", value))


def test_unlisted_classes_are_refused_by_name(tmp_path: Path, dump: Writes) -> None:
    text = failure(dump(tmp_path / "a.pt", rollout({"reward": Fraction(1, 2)})))
    assert "`fractions.Fraction`" in text
    assert "nothing in the file was run" in text


def test_legacy_files(tmp_path: Path) -> None:
    path = tmp_path / "a.pt"
    path.write_bytes(pickle.dumps(0x1950A86A20F9469CFC6C, 2) + pickle.dumps(1001, 2))
    with pytest.raises(ReadError, match=r"before torch 1\.6") as caught:
        parts(path)
    assert caught.value.hint is not None
    assert "re-save" in caught.value.hint


def test_files_that_are_no_torch_files(tmp_path: Path, torch_zip: Writes) -> None:
    path = tmp_path / "a.pt"
    assert "No such file" in failure(path)
    assert "directory" in failure(tmp_path)
    for content in (b"", b"PK\x03\x04", b"text", pickle.dumps([1])):
        path.write_bytes(content)
        assert "no torch file" in failure(path)
    torch_zip(path, b"N.", member="other/thing.pkl")
    assert "0 members named <folder>/data.pkl" in failure(path)
    torch_zip(path, b"N.", compression=zipfile.ZIP_BZIP2)
    assert "compressed by method 12" in failure(path)


def test_a_file_that_unpacks_to_far_more_is_refused(
    tmp_path: Path, torch_zip: Writes
) -> None:
    bomb = torch_zip(
        tmp_path / "a.pt", b"N" * 5_000_000, compression=zipfile.ZIP_DEFLATED
    )
    assert "unpacks to 5,000,000 bytes" in failure(bomb)
    # A repacked file of ordinary size is read.
    data = pickle.dumps(rollout({"reward": 1}), 2)
    path = torch_zip(tmp_path / "b.pt", data, compression=zipfile.ZIP_DEFLATED)
    assert samples(path)[0].reward == 1


def test_a_declared_size_is_not_believed(tmp_path: Path, torch_zip: Writes) -> None:
    path = torch_zip(tmp_path / "a.pt", b"N.")
    content = bytearray(path.read_bytes())
    entry = content.index(b"PK\x01\x02")
    content[entry + 24 : entry + 28] = (2**31 - 1).to_bytes(4, "little")
    path.write_bytes(content)
    assert "says that it unpacks to" in failure(path)


def test_deep_nesting(tmp_path: Path, torch_zip: Writes) -> None:
    deep_list = b"]" * 200_000 + b"a" * 199_999
    deep_tuple = b")" + b"\x85" * 200_000
    path = torch_zip(tmp_path / "a.pt", b"\x80\x02" + deep_list + b".")
    assert "holds a list with 1 entry" in failure(path)
    path = torch_zip(tmp_path / "b.pt", b"\x80\x02}" + deep_tuple + b"Ns.")
    assert "has a tuple as a key" in failure(path)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\x80\x02}]Ns.", "has a list as a key"),
        (b"\x80\x02}}Ns.", "has a dict as a key"),
        (b"\x80\x04\x8f(]\x90.", "has a list as a key or a set's entry"),
        (b"\x80\x04(]\x91.", "has a list as a key or a set's entry"),
        (b"\x80\x02\x8b\xff\xff\xff\x7f.", "a whole number of 2147483647 bytes"),
        (b"\x80\x02X\xff\xff\xff\xff.", "broken or cut off"),
        (b"\x80\x63N.", "unknown protocol 99"),
        (b"\x80\x05\x97.", "instruction b'\\x97'"),
        (b"\x80\x02h\x05.", "broken or cut off"),
        (b"", "broken or cut off"),
        (b"N", "broken or cut off"),
        (b".", "broken or cut off"),
        (b"K\x01K\x02s.", "broken or cut off"),
        (b"e.", "broken or cut off"),
        (b"(0(1e.", "broken or cut off"),
        (b"K\x01(00t.", "broken or cut off"),
        (b"K\x01K\x01\x93.", "broken or cut off"),
        (b"}NR.", "broken or cut off"),
        (b"K\x01(e.", "broken or cut off"),
        (b"](K\x01\x90.", "broken or cut off"),
        (b"](NNu.", "broken or cut off"),
        (b"}(Nu.", "broken or cut off"),
    ],
)
def test_broken_pickles(
    tmp_path: Path, data: bytes, message: str, torch_zip: Writes
) -> None:
    assert message in failure(torch_zip(tmp_path / "a.pt", data))


@pytest.mark.parametrize(
    ("instructions", "expected"),
    [
        (b"(NK\x01d", "{None: 1}"),
        (b"(K\x01\x91", "frozenset({1})"),
        (b"(K\x01l", "[1]"),
        (b"K\x05K\x060", "5"),
        (b"K\x05(NN1", "5"),
        (b"K\x052\x86", "(5, 5)"),
        (b"\x96\x01\0\0\0\0\0\0\0a", "b'a'"),
        (b"\x8d\x01\0\0\0\0\0\0\0a", "'a'"),
        (b"N0N", "None"),
        (b"(c__builtin__\nlist\n](K\x01K\x02eo", "[1, 2]"),
        (b"((K\x01tibuiltins\ntuple\n", "(1,)"),
        (b"cbuiltins\ntuple\n)R", "()"),
        (b"cbuiltins\nset\n", "<builtins.set, not read>"),
        (b"ccopyreg\n__newobj__\n(cbuiltins\nlist\ntR", "[]"),
        (b"cmiles.x\nAdapterRef\n)\x81", "<unfinished miles.x.AdapterRef>"),
        (
            b"cmiles.x\nAdapterRef\n)}(X\x04\0\0\0nameX\x01\0\0\0aX\x04\0\0\0slotK\x02u\x92",
            "AdapterRef(name='a', slot=2)",
        ),
        (b"cmiles.x\nRewardSpec\n)}\x92", "<miles.x.RewardSpec, not read>"),
        (b"ctorch\nfloat32\n)R", "<torch.float32, not read>"),
        (b"ctorch\ndevice\n)R(NNu(Ne}b", "<torch.device, not read>"),
        (b"ctorch.storage\nTypedStorage\n)R", "<torch.storage.TypedStorage, not read>"),
        (b"ctorch._tensor\n_rebuild_from_type_v2\n)R", "<torch.Tensor, not read>"),
        (
            b"ctorch.nn.parameter\nParameter\n)R",
            "<torch.nn.parameter.Parameter, not read>",
        ),
        (
            b"ctorch.serialization\n_get_layout\n)R",
            "<torch.serialization._get_layout, not read>",
        ),
    ],
)
def test_instructions(
    tmp_path: Path, torch_zip: Writes, instructions: bytes, expected: str
) -> None:
    before = b"\x80\x04}\x8c\x07samples]}\x8c\x06reward"
    path = torch_zip(tmp_path / "a.pt", before + instructions + b"sas.")
    assert repr(samples(path)[0].reward) == expected


@pytest.mark.parametrize("value", [np.datetime64("2020-01-01"), np.longdouble(1)])
def test_other_numpy_scalars_are_passed_over(
    tmp_path: Path, dump: Writes, value: Any
) -> None:
    path = dump(tmp_path / "a.pt", rollout({"reward": value}))
    assert repr(samples(path)[0].reward).startswith("<numpy scalar of dtype ")


def test_copies_without_end_are_refused(tmp_path: Path, torch_zip: Writes) -> None:
    text = b"X" + (100_000).to_bytes(4, "little") + b"a" * 100_000
    encode = b"c_codecs\nencode\nq\x01(h\x00X\x06\x00\x00\x00latin1tR"
    data = b"\x80\x02" + text + b"q\x00" + encode * 1000 + b"."
    assert "copies the same data" in failure(torch_zip(tmp_path / "a.pt", data))


def test_the_pickle_reader_agrees_with_pythons_own(
    tmp_path: Path, dump: Writes, torch_zip: Writes
) -> None:
    value = rollout({"metadata": {"x": [1.5, (2, None), {"k": b"v"}]}, "reward": 0})
    picklers: list[Any] = [pickle.Pickler, vars(pickle)["_Pickler"]]
    for pickler in picklers:
        file = io.BytesIO()
        pickler(file, 2).dump(value)
        path = torch_zip(tmp_path / "a.pt", file.getvalue())
        assert samples(path)[0].metadata == value["samples"][0]["metadata"]


def test_reconstructed_adapters(
    tmp_path: Path, dump: Writes, fake_trainer: Trainer
) -> None:
    # How a class pickles itself under the oldest protocols.
    class Old:
        def __reduce__(self) -> tuple[Any, ...]:
            reconstruct: Any = vars(copyreg)["_reconstructor"]
            return (
                reconstruct,
                (types.AdapterRef, object, None),
                {"name": "a", "slot": 2},
            )

    with fake_trainer() as types:
        path = dump(tmp_path / "a.pt", rollout({"adapter": Old()}))
    assert samples(path)[0].adapter == AdapterRef("a", 2)


def test_a_real_torch_file_from_elsewhere_is_refused(shared: Path) -> None:
    path = shared / "dumps/pickle_pt/openrlhf-experience/experience.pt"
    assert MilesPtReader().recognises(path, path.read_bytes()[:4096])
    text = failure(path)
    assert "'sequences', 'attention_mask'" in text
    assert "nothing in the file was run" in text
