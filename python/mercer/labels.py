"""Classes as Python has them, and as the engine and its files name them."""
from __future__ import annotations

from typing import Any

import numpy as np


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
