"""Leading eigenvectors of a symmetric matrix by the solvers that scikit-learn's KernelPCA offers by name: LAPACK, ARPACK, and random projections (Halko, Martinsson & Tropp 2011)."""
from __future__ import annotations

from typing import Any

import numpy as np
from scipy.linalg import eigh
from scipy.sparse.linalg import eigsh
from sklearn.utils import check_random_state
from sklearn.utils.extmath import randomized_svd

NEGATIVE = 1e-5  # eigenvalues below minus this times the largest are no rounding: K is not positive semidefinite
SMALL = 1e-12    # those below this times the largest are 0


def leading(K: np.ndarray, count: int, solver: str, *, tol: float = 0.0, max_iter: int | None = None, iterated_power: Any = "auto", seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """The ``count`` largest eigenvalues of K, descending, and their eigenvectors, each with its largest entry above 0.

    solver : 'dense', 'arpack' (with tol and max_iter) or 'randomized' (with iterated_power: power iterations); the last finds those of largest modulus
    """
    if solver == "randomized":
        U, values, V = randomized_svd(K, count, n_iter=iterated_power, random_state=seed, flip_sign=False)
        values = values * np.sign(np.einsum("ji,ij->j", V, U))
    elif solver == "arpack" and count < len(K):
        values, U = eigsh(K, count, which="LA", tol=tol, maxiter=max_iter, v0=check_random_state(seed).uniform(-1, 1, len(K)))
    else:
        values, U = eigh(K, subset_by_index=(len(K) - count, len(K) - 1))
    order = np.argsort(values)[::-1]
    values, U = values[order], U[:, order]
    return values, U * np.where(U[np.argmax(np.abs(U), axis=0), np.arange(count)] < 0, -1.0, 1.0)


def without_rounding(values: np.ndarray) -> np.ndarray:
    """Eigenvalues of a matrix that should be positive semidefinite, with 0 for those that are rounding. Raises ValueError where it is not."""
    largest = max(values.max(initial=0.0), 0.0)
    if values.min(initial=0.0) < -max(NEGATIVE * largest, 1e-10):
        raise ValueError(f"There are significant negative eigenvalues ({values.min():g}; the largest is {values.max():g}): the kernel matrix is not positive semidefinite. "
                         "Ask for fewer components, or use a valid kernel")
    return np.where(values <= SMALL * largest, 0.0, values)


def centred(K: np.ndarray, columns: np.ndarray, overall: float) -> np.ndarray:
    """Kernel values with the training rows, as of features that are centred there. columns: the means of the columns of the training matrix, overall: the mean of all."""
    return K - K.mean(axis=1)[:, None] - columns + overall
