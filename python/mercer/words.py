"""What scikit-learn's users call things, in the engine's words."""
from __future__ import annotations

import os
import re
from contextlib import contextmanager
from typing import Any, Iterator


def threads(n_jobs: int | None) -> int:
    """How many threads ``n_jobs`` asks for; 0 is all. Worker processes of joblib are told their share by OMP_NUM_THREADS."""
    if n_jobs is None:
        told = os.environ.get("OMP_NUM_THREADS", "")
        return int(told) if told.isdigit() else 0
    if n_jobs == 0:
        raise ValueError("n_jobs == 0 has no meaning; None takes all cores")
    return n_jobs if n_jobs > 0 else max(1, (os.cpu_count() or 1) + 1 + n_jobs)


def seed(random_state: Any) -> int:
    """The engine's seed. None is always the same one: a call repeated gives the same bits."""
    if random_state is None:
        return 1
    if hasattr(random_state, "randint"):
        return int(random_state.randint(2**31 - 1))
    return int(random_state)


@contextmanager
def plain_errors(names: dict[str, str] | None = None) -> Iterator[None]:
    """Messages of the engine speak of options of the command line; here they are parameters."""
    try:
        yield
    except (ValueError, MemoryError) as error:
        text = str(error)
        said = re.sub(r"--([a-z][a-z0-9-]*)", lambda found: found[1].replace("-", "_"), text)
        for engine, python in (names or {}).items():
            said = re.sub(rf"\b{engine}\b(?= must be)", python, said)
        if said == text:
            raise
        raise type(error)(said) from None
