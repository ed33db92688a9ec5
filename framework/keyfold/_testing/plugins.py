"""The checks of an installed distribution of plugins."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

import attrs

from keyfold._catalog.choice import Choice
from keyfold._catalog.entry_points import installed
from keyfold._catalog.faults import settling_line
from keyfold._catalog.modules import load_modules
from keyfold._catalog.offer import Offer, same_distribution
from keyfold._catalog.sets import merged_sets
from keyfold._catalog.shelf import Shelf
from keyfold._config.wording import listed
from keyfold._describe import name_of, shown
from keyfold._nearest import did_you_mean
from keyfold._testing.check import Check, Fresh, Skip, behind
from keyfold._testing.identity import LEGAL_NAME, doc_problem
from keyfold._testing.travel import HEAVY, refuse_heavy
from keyfold.errors import ContractError, PluginError, PluginLoadError, UsageError
from keyfold.kinds import GROUPS, MODULE_GROUP
from keyfold.pipeline import Pipeline
from keyfold.settings import Settings

__all__ = ["Provided", "plugin_checks", "provided_by"]

_COMPONENTS = ("key", "reducer", "value", "selection")


@attrs.frozen(order=False, eq=False)
class Provided:
    """What an installed distribution provides.

    Attributes:
        called: The distribution's name.
        offers: Its entry points in keyfold's groups.
        others: Those of every other distribution.
        shelf: Keeps what was imported.
    """

    called: str
    offers: Sequence[Offer]
    others: Sequence[Offer]
    shelf: Shelf = attrs.field(factory=Shelf)

    def loaded(self) -> Iterator[tuple[Offer, Any]]:
        """Yield each offer that loads, with what it loads."""
        for offer in self.offers:
            try:
                loaded = self.shelf.take(offer)
            except PluginError:
                continue
            yield offer, loaded


def provided_by(distribution: str, path: Sequence[str] | None = None) -> Provided:
    """Return what an installed distribution provides.

    Args:
        distribution: Its name, in any spelling.
        path: Where distributions are looked for; None means `sys.path`.

    Raises:
        UsageError: It is not installed, or provides nothing for keyfold.
    """
    offers = installed(path)
    own = [it for it in offers if same_distribution(it.distribution, distribution)]
    if not own:
        names = dict.fromkeys(it.distribution for it in offers)
        groups = (*GROUPS.values(), MODULE_GROUP)
        raise UsageError(
            f"no installed distribution {distribution!r} has entry points in any of "
            f"{listed(groups)}; those that have: {listed(names)}",
            hint=did_you_mean(distribution, names)
            or "install it anew: entry points are read at install time",
        )
    others = [it for it in offers if it not in own]
    return Provided(own[0].distribution, own, others)


def _tell(problems: Sequence[str], hint: str) -> None:
    if problems:
        raise ContractError("; ".join(problems), hint=hint)


def _faults(plugin: Provided) -> Iterator[tuple[Offer, PluginError]]:
    for offer in plugin.offers:
        try:
            plugin.shelf.take(offer)
        except PluginError as error:
            yield offer, error


def _loads(plugin: Provided, _fresh: Fresh) -> None:
    faults = [it for _, it in _faults(plugin) if isinstance(it, PluginLoadError)]
    hint = "let each target, module:attribute, be there and import by itself"
    _tell([fault.message for fault in faults], hint)


def _of_its_kind(plugin: Provided, _fresh: Fresh) -> None:
    faults = [it for _, it in _faults(plugin) if isinstance(it, ContractError)]
    hint = "let each name stand for an object of its group, or a class that makes one"
    _tell([fault.message for fault in faults], hint)


def _hooks(plugin: Provided, _fresh: Fresh) -> None:
    modules = [it for it, _ in plugin.loaded() if it.kind == "module"]
    if not modules:
        raise Skip("has no module with hooks")
    failures = load_modules(modules, plugin.shelf, Settings()).failures.values()
    hints = [failure.hint for failure in failures if failure.hint]
    hint = hints[0] if hints else "keyfold.hooks has the hooks, with their arguments"
    _tell([failure.message for failure in failures], hint)


def _added(plugin: Provided) -> Sequence[Offer]:
    """Return the offers, with those that modules add by code."""
    modules = [it for it, _ in plugin.loaded() if it.kind == "module"]
    return [*plugin.offers, *load_modules(modules, plugin.shelf, Settings()).offers]


def _names(plugin: Provided, _fresh: Fresh) -> None:
    wrong = [
        f"the {offer.kind} {offer.name!r} can't be spelt in a configuration"
        for offer in _added(plugin)
        if offer.kind != "module" and not LEGAL_NAME.fullmatch(offer.name)
    ]
    _tell(wrong, "use small letters, digits and _, and begin with a letter")


def _conflicts(plugin: Provided, _fresh: Fresh) -> None:
    own = _added(plugin)
    choice = Choice.among((*own, *plugin.others), Settings())
    clashes: Mapping[tuple[str, str], Sequence[Offer]] = {
        (offer.kind, offer.name): choice.candidates(offer.kind, offer.name)
        for offer in own
        if offer.kind != "module"
    }
    found = [
        f"the {kind} {name!r} is also provided by "
        + listed([it.provider for it in offers if it not in own] or [plugin.called])
        + f": {settling_line(offers)}"
        for (kind, name), offers in clashes.items()
        if len(offers) > 1
    ]
    _tell(
        found, "give it a name of its own, such as one that begins with the project's"
    )


def _agree(plugin: Provided, _fresh: Fresh) -> None:
    wrong: list[str] = []
    for offer, loaded in plugin.loaded():
        if offer.kind not in _COMPONENTS or inspect.isfunction(loaded):
            continue
        # A property says its name of objects alone.
        own = getattr(loaded, "name", None)
        if own is not None and not isinstance(own, str):
            continue
        kind = cast("type", loaded if inspect.isclass(loaded) else type(loaded))
        # Asked of an object, so that no argument is needed to make one of its own.
        called = own or name_of(type(kind.__name__, (), {})())
        if called != offer.name:
            wrong.append(f"the {offer.kind} {offer.name!r} calls itself {called!r}")
    _tell(
        wrong,
        "write name: ClassVar[str] as the entry point has it, so that partials find it",
    )


def _documented(plugin: Provided, _fresh: Fresh) -> None:
    problems = [
        doc_problem(cast("type", loaded if inspect.isclass(loaded) else type(loaded)))
        for offer, loaded in plugin.loaded()
        if offer.kind in _COMPONENTS and not inspect.isfunction(loaded)
    ]
    hint = "say in one sentence what each does; keyfold plugins are read by others"
    _tell([it for it in problems if it is not None], hint)


def _version(plugin: Provided, _fresh: Fresh) -> None:
    version = plugin.offers[0].version
    if not version[:1].isdigit():
        raise ContractError(
            f"has the version {version}, expected one such as 1.0",
            hint="give the project a version in its pyproject.toml",
        )


def _light(heavy: Sequence[str]) -> Check:
    def run(plugin: Provided, _fresh: Fresh) -> None:
        modules = dict.fromkeys(
            offer.target.partition(":")[0].strip() for offer, _ in plugin.loaded()
        )
        refuse_heavy(list(modules), heavy)

    about = f"the import loads none of {', '.join(heavy)}"
    return Check("light_import", about, run, after=("loads",))


def _pipelines(plugin: Provided, _fresh: Fresh) -> None:
    wrong: list[str] = []
    sets = [(it, loaded) for it, loaded in plugin.loaded() if it.kind == "pipeline"]
    if not sets:
        raise Skip("provides no pipelines")
    for offer, loaded in sets:
        metrics = merged_sets({offer.name: loaded})
        for name, pipeline in metrics.items():
            wrong += [
                f"{name!r} of {offer.name!r}: {problem}"
                for problem in _shape_problems(pipeline)
            ]
    _tell(
        wrong, "let each level have a key and a reducer; check_pipeline tests the rest"
    )


def _shape_problems(pipeline: Pipeline[Any]) -> Iterator[str]:
    reducers = [*(level.reducer for level in pipeline.levels), pipeline.across]
    selections = [] if pipeline.where is None else [pipeline.where]
    for kind, parts, methods in (
        ("value", [pipeline.value], ("value",)),
        ("selection", selections, ("selects",)),
        ("key", pipeline.keys, ("key",)),
        ("reducer", reducers, ("init", "fold", "merge", "finish")),
    ):
        for part in parts:
            lacking = [it for it in methods if not callable(getattr(part, it, None))]
            if lacking or inspect.isclass(part):
                yield f"{shown(part)} is no {kind}"


def plugin_checks(*, heavy: Sequence[str] = HEAVY) -> tuple[Check, ...]:
    """Return every check of a distribution, in the order in which they are made.

    Args:
        heavy: The modules that the import of a plugin may not bring along.
    """
    return (
        Check("has_version", "the distribution has a version", _version),
        Check("loads", "every entry point can be imported", _loads),
        Check("of_its_kind", "every entry point is of its group", _of_its_kind),
        *behind(
            "loads",
            (
                Check("hooks", "every hook is one that there is", _hooks),
                Check("names", "configurations can spell every name", _names),
                Check("names_agree", "a plugin calls itself by its name", _agree),
                Check("no_conflict", "no other distribution has the names", _conflicts),
                Check("documented", "every class says what it does", _documented),
                _light(heavy),
                Check("pipelines", "ready pipelines are whole", _pipelines),
            ),
        ),
    )
