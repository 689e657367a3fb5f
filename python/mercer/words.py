"""What scikit-learn's users call things, in the engine's words, and what their parameters may be."""
from __future__ import annotations

import math
import os
import re
import sys
from contextlib import contextmanager
from numbers import Integral, Real
from typing import Any, Iterator, Union

import numpy as np

RandomSeed = Union[int, np.random.RandomState, np.random.Generator, None]  # what random_state may be


def whole_number(name: str, value: Any, least: int) -> int:
    """A parameter that counts something."""
    if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
        raise ValueError(f"{name} must be a whole number, at least {least}, not {value!r}")
    return int(value)


def positive_number(name: str, value: Any) -> float:
    """A parameter that measures something."""
    if isinstance(value, bool) or not isinstance(value, Real) or not value > 0:
        raise ValueError(f"{name} must be a number > 0, not {value!r}")
    return float(value)


def truth(name: str, value: Any) -> bool:
    """A parameter that is on or off; 0 and 1 are taken too."""
    if isinstance(value, str) or value not in (0, 1):
        raise ValueError(f"{name} must be True or False, not {value!r}")
    return bool(value)


def word(name: str, value: Any, words: tuple[str, ...]) -> str:
    """A parameter that is one of some words."""
    if not isinstance(value, str) or value not in words:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, words))}, not {value!r}")
    return value


def number_or_word(name: str, value: Any) -> Any:
    """A parameter of a method, as the engine takes it; the engine knows its range."""
    if isinstance(value, str):
        return value
    if hasattr(value, "_own"):  # a loss or regularizer of the user's
        return value._own()
    if hasattr(value, "dtype") and getattr(value, "ndim", 1) == 0:
        value = value.item()
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, Real):
        raise ValueError(f"{name} must be a number or a word, not {value!r}")
    return float(value)


def bytes_of(megabytes: Any) -> int:
    """What ``cache_size`` allows, in bytes."""
    size = positive_number("cache_size", megabytes)
    return int(min(size * 2**20, 2**62)) if math.isfinite(size) else 2**62


def threads(n_jobs: int | None) -> int:
    """How many threads ``n_jobs`` asks for; 0 is all. Worker processes of joblib are told their share by OMP_NUM_THREADS."""
    if n_jobs is None:
        told = os.environ.get("OMP_NUM_THREADS", "")
        return int(told) if told.isdigit() else 0
    if isinstance(n_jobs, bool) or not isinstance(n_jobs, Integral):
        raise ValueError(f"n_jobs must be None or a whole number, not {n_jobs!r}")
    if n_jobs == 0:
        raise ValueError("n_jobs == 0 has no meaning; None takes all cores")
    return int(n_jobs) if n_jobs > 0 else max(1, (os.cpu_count() or 1) + 1 + int(n_jobs))


def seed(random_state: Any) -> int:
    """The engine's seed. None is always the same one: a call repeated gives the same bits."""
    if random_state is None:
        return 1
    if hasattr(random_state, "randint"):
        return int(random_state.randint(2**31 - 1))
    if hasattr(random_state, "integers"):
        return int(random_state.integers(2**31 - 1))
    if isinstance(random_state, bool) or not isinstance(random_state, Integral) or not 0 <= random_state < 2**64:
        raise ValueError(f"random_state must be None, a whole number ≥ 0 or a random generator of numpy, not {random_state!r}")
    return int(random_state)


def label_text(label: Any) -> str:
    """The name of a class: whole numbers without a point."""
    if isinstance(label, (float, np.floating)) and float(label).is_integer():
        return str(int(label))
    return str(label)


def classes_of(labels: list[str]) -> np.ndarray:
    """Classes by their names, in the same order: numbers where every name is that of one."""
    for kind in (int, float):
        try:
            numbers = [kind(label) for label in labels]
        except ValueError:
            continue
        if [label_text(number) for number in numbers] == labels:
            return np.array(numbers)
    return np.array(labels)


def caller() -> int:
    """For warnings.warn(stacklevel=…): how far above lies the line that called into the package."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith(f"{__package__}."):
        level, frame = level + 1, frame.f_back
    return level


# What the engine's hints are in Python; {} is the hint's value. A hint that is missing here is for the command line alone.
HINTS = {
    "name_target": "pass y",
    "name_other_target": "pass another y",
    "read_as_classes": "pass labels that are texts or whole numbers",
    "read_as_numbers": "pass y as numbers",
    "drop_column": "drop column {} from X",
    "scale_columns": "scale the columns first, e.g. with StandardScaler",
    "take_indefinite": "allow_indefinite=True accepts it anyway",
    "choose_solver": "leave solver='auto'",
    "approximate": "approximate the kernel, e.g. approx='{}'",
    "no_approximation": "approx=None",
    "more_memory": "allow more memory",
    "more_time": "allow more time",
    "fit_probabilities": "fit with probability=True",
    "take_nonconvex": "allow_nonconvex=True accepts it: the result is a local minimum at best",
    "name_classes": "pass all classes to the first partial_fit, as classes",
    "give_function": "pass functions={{'{0}': {0}}}",
}


def _hinted(text: str, hint: str, hints: list[tuple[str, str]]) -> str:
    """``text; hint, or hint``."""
    words = [hint] if hint else []
    words += [HINTS[remedy].format(value) for remedy, value in hints if remedy in HINTS]
    return text + ("; " + ", or ".join(words) if words else "")


def note_text(text: str, hints: list[tuple[str, str]]) -> str:
    """What the engine noted, in words of this package."""
    return _hinted(text, "", hints)


def error_text(error: Any, names: dict[str, str], method: str, estimator: str, kernel: str) -> str:
    """What the engine says is wrong, in words of this package: its classes and parameters for the engine's methods and theirs."""
    problem = re.sub(r"\bprecomputed\b", kernel, error.problem)
    if error.requirement:
        wrong = f", not {error.value}" if error.value else ""
        problem = f"{names.get(error.parameter, error.parameter)} {error.requirement}{wrong}"
    owner = estimator if method and error.owner == method else error.owner
    place = f"{error.file}:{error.line}:{error.column}" if error.line else error.file
    before = "".join(f"{part}: " for part in (place, owner) if part)
    return _hinted(before + problem, error.hint, error.hints) + error.excerpt


@contextmanager
def plain_errors(names: dict[str, str] | None = None, method: str = "", estimator: str = "", kernel: str = "precomputed") -> Iterator[None]:
    """Errors of the engine say what is wrong in its own terms; here they get those of the package. `names`: its parameters, by the engine's names; `kernel`: what was given for
    values that the engine does not compute."""
    try:
        yield
    except (ValueError, MemoryError, TimeoutError, ImportError, OSError) as error:
        if hasattr(error, "problem"):
            error.args = (error_text(error, names or {}, method, estimator, kernel),)
        raise
