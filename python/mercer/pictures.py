"""Pictures: SVG that notebooks show and files keep."""
from __future__ import annotations

import os
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import _mercer
from .kernels import Kernel
from .words import RandomSeed, label_text, plain_errors, seed, threads


class Picture:
    """A picture as SVG text. A notebook shows it; ``save`` writes it.

    Attributes
    ----------
    svg : str
        The picture, complete: no scripts, no outside files, legible on light and dark pages.
    """

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: str | os.PathLike[str]) -> None:
        """Save the plot to a file."""
        _mercer.write_file(os.fspath(path), self.svg)

    def __repr__(self) -> str:
        return f"Picture({len(self.svg)} bytes of SVG; .save('picture.svg') writes it)"


class Page:
    """A page of HTML. A notebook shows it; ``save`` writes it.

    Attributes
    ----------
    html : str
        The page, complete: no scripts, no outside files.
    """

    def __init__(self, html: str) -> None:
        self.html = html

    def _repr_html_(self) -> str:
        from html import escape

        return f'<iframe srcdoc="{escape(self.html)}" style="width:100%;height:40em;border:1px solid #8884"></iframe>'

    def save(self, path: str | os.PathLike[str]) -> None:
        """Save the page to a file."""
        _mercer.write_file(os.fspath(path), self.html)

    def __repr__(self) -> str:
        return f"Page({len(self.html)} bytes of HTML; .save('report.html') writes it)"


QUALITY = ("roc", "precision-recall", "calibration", "confusion", "residuals")
KINDS = ("regions", "curve", "components", "gram", *QUALITY)


def picture_of(model: _mercer.Model, data: _mercer.Dataset, kind: str, *, columns: Any = None, projection: str = "columns", title: str = "", n_jobs: int | None = None) -> Picture:
    """The picture ``kind`` of a model and the rows of ``data``."""
    how: dict[str, Any] = {"title": title, "threads": threads(n_jobs)}
    with plain_errors():
        if kind == "regions":
            return Picture(_mercer.regions_picture(model, data, projection, [str(column) for column in columns or []], **how))
        if kind == "curve":
            return Picture(_mercer.curve_picture(model, data, "" if columns is None else str(columns), **how))
        if kind == "components":
            return Picture(_mercer.components_picture(model.kernel, data, **how))
        if kind == "gram":
            return Picture(_mercer.gram_picture(model.kernel, data, **how))
        if kind in QUALITY:
            return Picture(_mercer.quality_picture(kind, model, data, title or kind.capitalize().replace("Roc", "ROC").replace("-", " and "), threads=how["threads"]))
    raise ValueError(f"unknown kind of plot {kind!r}; choose from {', '.join(KINDS)}")


def plot_gram(K: ArrayLike, y: ArrayLike | None = None, title: str = "") -> Picture:
    """Plot a kernel matrix.

    Parameters
    ----------
    K : array of shape (n_rows, n_columns)
        Kernel values, distances or other numbers.
    y : array of shape (n_rows,), default=None
        Class of each row: rows are then ordered by class, so that a suitable kernel shows as blocks.
    title : str, default=''
        Title of the plot.

    Returns
    -------
    Picture

    Examples
    --------
    >>> from mercer import RBF, plot_gram
    >>> plot_gram(RBF(gamma=1)([[0.0], [1.0], [5.0]])).svg.startswith("<svg")
    True
    """
    K = np.asarray(K, dtype=np.float64)
    target = _mercer.Target()
    if y is not None:
        classes, codes = np.unique(np.asarray(y), return_inverse=True)
        target = _mercer.classes(codes, [label_text(label) for label in classes])
    with plain_errors():
        return Picture(_mercer.matrix_picture(K, target, title))


def plot_prior(kernel: str | Kernel, low: float = -5.0, high: float = 5.0, *, n_samples: int = 5, random_state: RandomSeed = None, title: str = "") -> Picture:
    """Plot functions of one variable drawn from the Gaussian process of a kernel, beside the kernel's spectral density.

    Parameters
    ----------
    kernel : Kernel or str
        Positive semidefinite, of rows of one number.
    low : float, default=-5.0
        Where the variable begins.
    high : float, default=5.0
        Where it ends.
    n_samples : int, default=5
        Number of functions, from 1 to 100.
    random_state : int, RandomState, Generator or None, default=None
        Random seed; None is 1.
    title : str, default=''
        Title of the plot; without one it is the expression.

    Returns
    -------
    Picture

    Examples
    --------
    >>> from mercer import plot_prior
    >>> plot_prior("rbf(gamma=1)", n_samples=2).svg.startswith("<svg")
    True
    """
    with plain_errors():
        return Picture(_mercer.prior_picture(Kernel(kernel).engine, float(low), float(high), int(n_samples), seed(random_state), title))
