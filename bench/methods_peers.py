#!/usr/bin/env python3
"""One fit of a peer of bench/methods.py, in a process of its own, on one thread. The work is JSON, and so is the answer.

    methods_peers.py '{"what": "kernel_ridge", "train": "FILE.npz", "gamma": 0.1, "alpha": 0.1}'

A file .npz has X and, where there is something to learn, y. `seconds` is the fit alone.
"""
import json
import os
import sys
import time

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import numpy as np  # after the thread settings
from sklearn.decomposition import KernelPCA
from sklearn.gaussian_process import GaussianProcessClassifier, GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel
from sklearn.kernel_ridge import KernelRidge


def load(path):
    with np.load(path) as arrays:
        return arrays["X"], arrays["y"] if "y" in arrays else None


def timed(work):
    start = time.perf_counter()
    result = work()
    return result, time.perf_counter() - start


def root_mean_square(values):
    return float(np.sqrt(np.mean(np.square(values))))


def kernel_ridge(train, gamma, alpha, test=None, predictions=None):
    X, y = load(train)
    model, seconds = timed(lambda: KernelRidge(kernel="rbf", gamma=gamma, alpha=alpha).fit(X, y))
    if predictions:
        np.save(predictions, model.predict(load(test)[0]))
    return {"seconds": seconds}


def tuned_kernel_ridge(train, test, rows, gammas, alphas, tuned_on):
    """The best of the grid on a fifth of the first `tuned_on` rows, then a fit on the first `rows`."""
    X, y = load(train)
    Z, truth = load(test)
    learned = tuned_on * 4 // 5

    def error(gamma, alpha):
        model = KernelRidge(kernel="rbf", gamma=gamma, alpha=alpha).fit(X[:learned], y[:learned])
        return root_mean_square(model.predict(X[learned:tuned_on]) - y[learned:tuned_on])

    (_, gamma, alpha), tuning = timed(lambda: min((error(gamma, alpha), gamma, alpha) for gamma in gammas for alpha in alphas))
    model, seconds = timed(lambda: KernelRidge(kernel="rbf", gamma=gamma, alpha=alpha).fit(X[:rows], y[:rows]))
    return {"seconds": seconds, "tuning": tuning, "gamma": gamma, "alpha": alpha, "rmse": root_mean_square(model.predict(Z) - truth)}


def gaussian_process(train, rows=None, test=None):
    X, y = load(train)
    process = GaussianProcessRegressor(ConstantKernel() * RBF() + WhiteKernel(), alpha=1e-12)
    _, seconds = timed(lambda: process.fit(X[:rows], y[:rows]))
    answer = {"seconds": seconds, "evidence": float(process.log_marginal_likelihood_value_), "kernel": str(process.kernel_)}
    if test:
        Z, truth = load(test)
        answer["rmse"] = root_mean_square(process.predict(Z) - truth)
    return answer


def process_as_given(train, test, length, noise, deviations):
    process, seconds = timed(lambda: GaussianProcessRegressor(RBF(length), alpha=noise, optimizer=None).fit(*load(train)))
    np.save(deviations, process.predict(load(test)[0], return_std=True)[1])
    return {"seconds": seconds}


def evidence(train, factor, gamma, noise):
    """The log marginal likelihood at these parameters; γ = 1 / (2·length²)."""
    kernel = ConstantKernel(factor) * RBF(np.sqrt(0.5 / gamma)) + WhiteKernel(noise)
    process, seconds = timed(lambda: GaussianProcessRegressor(kernel, alpha=1e-12, optimizer=None).fit(*load(train)))
    return {"seconds": seconds, "evidence": float(process.log_marginal_likelihood_value_)}


def gaussian_process_classifier(train, length, optimizer, test, probabilities):
    process = GaussianProcessClassifier(ConstantKernel() * RBF(length), optimizer=optimizer)
    _, seconds = timed(lambda: process.fit(*load(train)))
    np.save(probabilities, process.predict_proba(load(test)[0]))
    return {"seconds": seconds, "evidence": float(process.log_marginal_likelihood_value_), "kernel": str(process.kernel_)}


def kernel_pca(train, components, gamma):
    X, _ = load(train)
    model, seconds = timed(lambda: KernelPCA(components, kernel="rbf", gamma=gamma, eigen_solver="arpack").fit(X))
    return {"seconds": seconds, "eigenvalues": model.eigenvalues_.tolist()}


def nadaraya_watson(train, test, gamma, rows, predictions, precision="float64"):
    """Tiles of 1,000 × 10,000, changed in place: numpy as one would write it who minds the memory."""
    X, y = (array.astype(precision) for array in load(train))
    Z = load(test)[0][:rows].astype(precision)
    norms = np.einsum("ij,ij->i", X, X)

    def predict(tile):
        sums, weights = np.zeros(len(tile)), np.zeros(len(tile))  # float64 in both
        own = np.einsum("ij,ij->i", tile, tile)[:, None]
        for first in range(0, len(X), 10000):
            part = slice(first, first + 10000)
            K = tile @ X[part].T
            K *= -2
            K += own
            K += norms[part]
            K *= -gamma
            np.exp(K, out=K)
            sums += K @ y[part]
            weights += K.sum(axis=1)
        return sums / weights

    values, seconds = timed(lambda: np.concatenate([predict(Z[first:first + 1000]) for first in range(0, len(Z), 1000)]))
    np.save(predictions, values)
    return {"seconds": seconds}


if __name__ == "__main__":
    work = json.loads(sys.argv[1])
    print(json.dumps(globals()[work.pop("what")](**work)))
