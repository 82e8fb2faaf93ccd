"""The values that a confined process may send back, as bytes: records and errors of sheetgen, plain values, containers.

The bytes are a pickle, but one that can name nothing else: if hostile input ever took the child over, its answer still
could not make the parent do anything.
"""

from __future__ import annotations

import dataclasses
import enum
import io
import pickle
from contextlib import suppress
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from sheetgen.errors import InputError, SheetgenError

_PLAIN = MappingProxyType({"builtins": ("set", "frozenset", "bytearray", "complex", "range"), "decimal": ("Decimal",)})


def pack(value: object, error: SheetgenError | None) -> bytes:
    """Return a value, or the error there is instead; pickle.PicklingError or TypeError for what cannot be packed."""
    buffer = io.BytesIO()
    packer = _Pickler(buffer, pickle.HIGHEST_PROTOCOL)
    packer.dispatch_table = {}  # none of what other libraries (Dask) add to everybody's
    packer.dump((value, error))
    return buffer.getvalue()


def unpack(data: bytes) -> tuple[Any, SheetgenError | None]:
    """Return the value and the error; pickle.UnpicklingError for what may not pass, any exception for damaged bytes."""
    value, error = _Unpickler(io.BytesIO(data)).load()
    if error is not None and not isinstance(error, SheetgenError):
        raise pickle.UnpicklingError("the error is none")
    return value, error


def portable(error: SheetgenError) -> SheetgenError:
    """Return the error itself if it survives packing, otherwise the nearest kind of error with the same line."""
    with suppress(Exception):
        unpack(pack(None, error))
        return error
    nearest = next(kind for kind in type(error).__mro__ if kind.__module__ == SheetgenError.__module__)
    return SheetgenError(str(error)) if nearest is InputError else nearest(str(error))


def _fraction(numerator: int, denominator: int) -> Fraction:
    return Fraction(numerator, denominator)


def _read_only(items: dict[object, object]) -> MappingProxyType[object, object]:
    return MappingProxyType(items)


_OWN = MappingProxyType({each.__name__: each for each in (_read_only, _fraction)})


class _Pickler(pickle.Pickler):
    """Packs read-only mappings, too, which pickle does not, and fractions as numbers: as text they could be endless."""

    def reducer_override(self, value: object) -> Any:
        """Return how to rebuild a value, if pickle does not know."""
        if isinstance(value, Fraction):
            return _fraction, value.as_integer_ratio()
        return (_read_only, (dict(value),)) if isinstance(value, MappingProxyType) else NotImplemented


class _Unpickler(pickle.Unpickler):
    """Finds nothing but what may pass."""

    def find_class(self, module: str, name: str) -> object:
        """Return the class of that name; UnpicklingError for any that may not come out of a confined process."""
        if module == __name__ and name in _OWN:
            return _OWN[name]
        if name in _PLAIN.get(module, ()):
            return super().find_class(module, name)
        if module.startswith("sheetgen.") and "__" not in module:
            found = super().find_class(module, name)
            if isinstance(found, type) and found.__module__ == module and _is_record(found):
                return found
        raise pickle.UnpicklingError(f"{module}.{name} may not pass")


def _is_record(kind: type) -> bool:
    """Return whether creating an instance has no side effects: errors, values, classes of the model, frozen
    dataclasses.
    """
    if issubclass(kind, SheetgenError | str | int | tuple | enum.Enum) or kind.__module__.startswith("sheetgen.model."):
        return True
    return dataclasses.is_dataclass(kind) and bool(kind.__dataclass_params__.frozen)  # type: ignore[attr-defined]
