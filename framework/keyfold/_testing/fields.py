"""Whether a plugin reads the sample fields that it declares, and no others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import SimpleNamespace
from typing import Any, cast

from keyfold._describe import fields_of, shown
from keyfold._testing.answers import differing, numbered
from keyfold._testing.check import Check, Fresh, Skip
from keyfold._testing.compare import same
from keyfold._testing.roles import Role
from keyfold.errors import ContractError, KeyfoldError

__all__ = ["field_checks"]


def _only(sample: Any, names: Iterable[str]) -> Any:
    """Return a sample that has some fields of another, and nothing else."""
    if isinstance(sample, Mapping):
        entries = cast("Mapping[str, object]", sample)
        return {name: entries[name] for name in names if name in entries}
    held = {name: getattr(sample, name) for name in names if hasattr(sample, name)}
    return SimpleNamespace(**held)


def _declared(subject: object) -> frozenset[str]:
    fields = fields_of(subject)
    if fields is None:
        raise Skip("declares no fields")
    # Of a dotted path, the sample has the first part.
    return frozenset(field.partition(".")[0] for field in fields)


def _enough(role: Role) -> Check:
    def run(subject: object, fresh: Fresh) -> None:
        declared = _declared(subject)
        samples = fresh()
        places = numbered(samples)
        whole = role.ask_all(subject, samples, places)
        bare = [_only(sample, declared) for sample in samples]
        hint = "name in `fields` every field that is read"
        try:
            found = role.ask_all(subject, bare, places)
        except KeyfoldError as error:
            raise ContractError(
                f"fails on samples that have only the declared fields: {error.message}",
                hint=hint,
            ) from error
        differing(role, whole, found, "with the declared fields alone", hint)

    about = "the declared fields are all that is read"
    return Check("fields_are_enough", about, run, after=("deterministic",))


def _missing(role: Role) -> Check:
    def run(subject: object, fresh: Fresh) -> None:
        declared = _declared(subject)
        for place, sample in enumerate(fresh()):
            whole = role.ask_all(subject, [sample], [place])
            for field in sorted(declared):
                lacking = _only(sample, declared - {field})
                hint = f"read sample.{field} without a default; None is for no value"
                try:
                    found = role.ask_all(subject, [lacking], [place])
                except KeyfoldError as error:
                    if field in error.message:
                        continue
                    raise ContractError(
                        f"fails without the field {field!r} and does not name it: "
                        f"{error.message}",
                        hint=hint,
                    ) from error
                # A field that this sample does not need makes no difference.
                if not same(whole[0], found[0]):
                    raise ContractError(
                        f"sample {place} has the {role.answer} {shown(whole[0])}, and "
                        f"without the field {field!r} silently {shown(found[0])}",
                        hint=hint,
                    )

    about = "a sample without a field that is needed is an error that names the field"
    after = ("deterministic", "fields_are_enough")
    return Check("missing_field_is_told", about, run, after=after)


def field_checks(role: Role) -> tuple[Check, ...]:
    """Return the checks of what a plugin reads of a sample."""
    return (_enough(role), _missing(role))
