"""Which metrics a command computes, and how it reads files for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, cast

import attrs

from keyfold import Pipeline, UsageError
from keyfold.catalog import Catalog, default_catalog
from keyfold.config import ReaderTable, read_config
from keyfold.contracts import AnyKeyStrategy
from keyfold.expressions import read_expression
from keyfold_contrib.cli._notes import note
from keyfold_strategies.pipelines import reward_pipelines

__all__ = ["Job", "chosen", "job_of"]


@attrs.frozen(order=False, eq=False)
class Job:
    """What a command computes, and how it reads files for that.

    Attributes:
        pipelines: The metrics by name.
        catalog: The plugins.
        format: The reader for all files; None looks at each file's content.
        mapping: From a sample field to where the files have it.
        skip_bad: Whether broken records are passed over.
    """

    pipelines: Mapping[str, Pipeline[Any]]
    catalog: Catalog
    format: str | None
    mapping: Mapping[str, str]
    skip_bad: bool

    @property
    def fields(self) -> frozenset[str] | None:
        """The sample fields that the metrics read; None where one does not say."""
        return _fields_of(self.pipelines.values())


def _fields_of(pipelines: Iterable[Pipeline[Any]]) -> frozenset[str] | None:
    found: set[str] = set()
    for pipeline in pipelines:
        if pipeline.fields is None:
            return None
        found |= pipeline.fields
    return frozenset(found)


def job_of(
    *,
    config: Path | None,
    metrics: Sequence[str],
    by: str | None,
    reward_key: str | None,
    fields: Sequence[str],
    step: str | None,
    format_name: str | None,
    skip_bad: bool,
) -> Job:
    """Return what the options of a command ask for.

    Options on the command line win over the configuration's table `reader`. People are
    told of a mapped field that no metric reads, as it may be a slip of the pen.

    Raises:
        UsageError: The options contradict each other, or name what there is not.
    """
    catalog, pipelines, table = _configured(config, reward_key)
    mapping = {**table.fields, **_mappings(fields)}
    if by is not None:
        pipelines = _broken_down(pipelines, by, catalog)
    _note_unread(mapping, pipelines)
    step = table.step if step is None else step
    if step is not None:
        mapping["step"] = step
    if metrics:
        pipelines = chosen(metrics, pipelines)
    return Job(
        pipelines,
        catalog,
        format_name or table.format,
        mapping,
        skip_bad or table.skip_bad,
    )


def _broken_down(
    pipelines: Mapping[str, Pipeline[Any]], by: str, catalog: Catalog
) -> Mapping[str, Pipeline[Any]]:
    read = read_expression(by, "key", source="--by", catalog=catalog)
    key = cast("AnyKeyStrategy", read)
    return {
        name: attrs.evolve(pipeline, by=key, total=True)
        for name, pipeline in pipelines.items()
    }


def _configured(
    config: Path | None, reward_key: str | None
) -> tuple[Catalog, Mapping[str, Pipeline[Any]], ReaderTable]:
    if config is None:
        catalog, table = default_catalog(), ReaderTable()
        metrics: Mapping[str, Pipeline[Any]] = {}
    else:
        read = read_config(config)
        catalog, table, metrics = read.catalog, read.reader, read.metrics
    if reward_key is not None:
        if metrics:
            raise UsageError(
                f"--reward-key goes with the default metrics, and {config} has its own",
                hint='name the key in the file, as in value = "reward(key=…)"',
            )
        metrics = reward_pipelines(reward_key=reward_key)
    return catalog, metrics or catalog.defaults(), table


def chosen(
    names: Sequence[str], pipelines: Mapping[str, Pipeline[Any]]
) -> Mapping[str, Pipeline[Any]]:
    """Return the pipelines of some names, in the order of the names.

    Raises:
        UsageError: There is no such metric.
    """
    return {name: _named(name, pipelines) for name in names}


def _named(name: str, pipelines: Mapping[str, Pipeline[Any]]) -> Pipeline[Any]:
    if name in pipelines:
        return pipelines[name]
    close = get_close_matches(name, pipelines, n=1)
    raise UsageError(
        f"there is no metric {name!r}; the metrics are "
        + ", ".join(map(repr, pipelines)),
        hint=f"did you mean {close[0]!r}?" if close else None,
    )


def _mappings(options: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for option in options:
        field, equals, source = option.partition("=")
        if not equals or not field or not source:
            raise UsageError(
                f"--field expects FIELD=SOURCE, found {option!r}",
                hint="--field rollout_id=sample_uid reads rollout_id from sample_uid",
            )
        if found.setdefault(field, source) != source:
            raise UsageError(
                f"--field maps {field!r} twice, to {found[field]!r} and to {source!r}"
            )
    return found


def _note_unread(
    mapping: Mapping[str, str], pipelines: Mapping[str, Pipeline[Any]]
) -> None:
    fields = _fields_of(pipelines.values())
    if fields is None:
        return
    read = {*fields, "step"}
    for target in mapping:
        if any(_overlap(target, field) for field in read):
            continue
        close = get_close_matches(target, sorted(read), n=1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        note(
            f"{target!r} is mapped to {mapping[target]!r}, but no metric reads it{hint}"
        )


def _overlap(one: str, other: str) -> bool:
    return f"{one}.".startswith(f"{other}.") or f"{other}.".startswith(f"{one}.")
