"""What came of the checks of a target, thing by thing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from keyfold import UsageError
from keyfold.catalog import Catalog, default_catalog
from keyfold_contrib.cli._check.expected import Expected
from keyfold_contrib.cli._check.importing import here_importable
from keyfold_contrib.cli._check.kind import CheckedKind, Component
from keyfold_contrib.cli._check.run import (
    Section,
    check_component,
    check_distribution,
    components_in,
)
from keyfold_contrib.cli._check.samples import Material, built_in, from_dumps
from keyfold_contrib.cli._check.target import Plugin, found
from keyfold_contrib.cli._notes import note

__all__ = ["sections_of"]


def sections_of(
    target: str,
    kind: CheckedKind | None,
    expected: Expected,
    *,
    paths: Sequence[str],
    format_name: str | None,
) -> Sequence[Section]:
    """Check what a target names, and return what came of it.

    Args:
        target: A distribution, `module:object`, or the name of a plugin.
        kind: What it is; None finds that.
        expected: The checks that may fail.
        paths: Dumps with the samples to check on; none means samples made here.
        format_name: The only reader for them.

    Raises:
        UsageError: The target is not there, is no plugin, or needs other samples.
        DataError: The dumps can't be read.
    """
    catalog = default_catalog()
    with here_importable():
        meant = found(target, kind, catalog)
        components = _components(meant, catalog)
        material = _material(components, paths, format_name, catalog)
        return list(_sections(meant, components, material, expected))


def _components(
    target: Plugin | Sequence[Component], catalog: Catalog
) -> Sequence[Component | Section]:
    if isinstance(target, Plugin):
        return list(components_in(target.name, catalog))
    return target


def _material(
    components: Sequence[Component | Section],
    paths: Sequence[str],
    format_name: str | None,
    catalog: Catalog,
) -> Material:
    if not paths:
        return built_in()
    subjects = [it.subject for it in components if isinstance(it, Component)]
    return from_dumps(paths, subjects, format_name=format_name, catalog=catalog)


def _sections(
    target: Plugin | Sequence[Component],
    components: Sequence[Component | Section],
    material: Material,
    expected: Expected,
) -> Iterator[Section]:
    if isinstance(target, Plugin):
        yield check_distribution(target.name, expected)
    for component in components:
        if isinstance(component, Section):
            yield component
            continue
        lacking = ", ".join(material.lacks(component))
        reason = f"it reads {lacking}, which the samples that keyfold makes do not have"
        if not lacking:
            section = check_component(component, material, expected)
            _note_strange(component, material, section)
            yield section
        elif isinstance(target, Plugin):
            unchecked = f"{reason}; --samples FILE takes yours"
            yield Section(component.kind, component.title, unchecked=unchecked)
        else:
            raise UsageError(
                f"{component.title} can't be checked: {reason}",
                hint="--samples FILE takes samples of yours, from any dump",
            )


def _note_strange(component: Component, material: Material, section: Section) -> None:
    if material.builtin and section.failed and not component.says_what_it_reads:
        note(
            f"{component.title} was checked on samples that keyfold made, and does not "
            "say which fields it reads; --samples FILE takes samples of yours"
        )
