"""Compare the JSON of a line of the record with the keys that its action declares."""

from __future__ import annotations

from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    NotRequired,
    Required,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from tournaments.models import Action, Decision, payloads
from tournaments.models.payloads import PAYLOADS, ActionUndone


def declared(action: Action) -> tuple[Any, Any]:
    """Return the declared types of ``before`` and ``after`` of *action*."""
    (base,) = vars(PAYLOADS[action])["__orig_bases__"]
    before, after = get_args(base)
    return before, after


def require_declared_keys(row: Decision) -> None:
    """Check that *row* has exactly the declared keys:
    all required ones, and no others than the declared.
    """
    payload = row.payload
    if isinstance(payload, ActionUndone):
        undone = payloads.undone_by(payload)
        require_form(undone.before, declared(undone.action)[0], f"{row.action} before")
        require_form(undone.after, declared(undone.action)[1], f"{row.action} after")
        return
    before, after = declared(payload.action)
    require_form(row.before, before, f"{row.action} before")
    require_form(row.after, after, f"{row.action} after")


def require_form(value: object, form: Any, where: str) -> None:
    """Check that *value* has *form*: the keys and the types, inside lists and dictionaries too."""
    while get_origin(form) in (Required, NotRequired, Annotated):
        form = get_args(form)[0]
    if get_origin(form) in (Union, UnionType):
        assert any(fits(value, each, where) for each in get_args(form)), (where, value)
    elif is_typeddict(form):
        assert isinstance(value, dict), (where, value)
        forms = get_type_hints(form, include_extras=True)
        assert required_keys(form) <= value.keys() <= forms.keys(), (where, value)
        for key, inner in value.items():
            require_form(inner, forms[key], f"{where}: {key}")
    elif get_origin(form) in (list, dict):
        assert isinstance(value, get_origin(form)), (where, value)
        for inner in value.values() if isinstance(value, dict) else value:
            require_form(inner, get_args(form)[-1], where)
    else:
        assert type(value) is (NoneType if form is None else form), (where, value)


def required_keys(form: Any) -> set[str]:
    """Return the required keys of *form*, whose ``__required_keys__``
    do not know annotations that are texts.
    """
    forms = get_type_hints(form, include_extras=True)
    sure = {key for key, inner in forms.items() if get_origin(inner) is Required}
    optional = {key for key, inner in forms.items() if get_origin(inner) is NotRequired}
    return ({*form.__required_keys__} | sure) - optional


def fits(value: object, form: Any, where: str) -> bool:
    try:
        require_form(value, form, where)
    except AssertionError:
        return False
    return True
