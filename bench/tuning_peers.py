#!/usr/bin/env python3
"""One search of scikit-learn for bench/tuning.py, in a process of its own, on one thread. The work is JSON, and so is the answer.

    tuning_peers.py '{"what": "grid", "train": "FILE.npz", "C": [1, 4], "gamma": [0.1, 1]}'

`seconds` is the wall time of search and last fit, `processor` the processor time of the same: where others work on the machine
too, the second is what the search would take alone.
"""
import json
import os
import sys
import time

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import numpy as np  # after the thread settings
from scipy.sparse import csr_matrix
from sklearn.compose import TransformedTargetRegressor
from sklearn.datasets import load_svmlight_files
from sklearn.kernel_ridge import KernelRidge
from sklearn.model_selection import GridSearchCV, KFold, PredefinedSplit, StratifiedKFold, train_test_split
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR


def timed(work):
    wall, processor = time.perf_counter(), time.process_time()
    result = work()
    return result, {"seconds": time.perf_counter() - wall, "processor": time.process_time() - processor}


def grid(train, C, gamma, sparse):
    """The grid of C × γ on the folds of the file; the mean accuracy of each cell."""
    with np.load(train) as arrays:
        X, y, folds = arrays["X"], arrays["y"], arrays["folds"]
    if sparse:
        X = csr_matrix(X)
    search = GridSearchCV(SVC(cache_size=2000), {"C": C, "gamma": gamma}, cv=PredefinedSplit(folds), n_jobs=1)
    _, times = timed(lambda: search.fit(X, y))
    found = search.cv_results_
    trials = [{"C": cell["C"], "gamma": cell["gamma"], "score": float(score)}
              for cell, score in zip(found["params"], found["mean_test_score"])]
    return {**times, "trials": trials, "best": search.best_params_}


def tuned(estimator, parameters, X, y, rows, folds):
    """The best of the grid by cross-validation on at most `rows` rows, then fitted to all."""
    search = GridSearchCV(estimator, parameters, cv=folds, n_jobs=1, refit=False,
                          scoring="accuracy" if isinstance(folds, StratifiedKFold) else "neg_root_mean_squared_error")
    if len(y) > rows:
        Xs, _, ys, _ = train_test_split(X, y, train_size=rows, random_state=0, stratify=y if isinstance(folds, StratifiedKFold) else None)
    else:
        Xs, ys = X, y
    search.fit(Xs, ys)
    return search.best_score_, estimator.set_params(**search.best_params_), search.best_params_


def automatic(train, test, task, rows, C, gamma, alpha):
    """What a user would write: standard scores, then SVC, or the better of SVR and KernelRidge on standardised targets."""
    X, y, Z, truth = load_svmlight_files([train, test])
    X, Z = X.toarray(), Z.toarray()

    def search():
        if task == "classes":
            pipeline = Pipeline([("scale", StandardScaler()), ("svc", SVC(cache_size=2000))])
            found = [tuned(pipeline, {"svc__C": C, "svc__gamma": gamma}, X, y, rows, StratifiedKFold(5, shuffle=True, random_state=0))]
        else:
            found = []
            for learner, price in ((SVR(epsilon=0.1, cache_size=2000), {"C": C}), (KernelRidge(kernel="rbf"), {"alpha": alpha})):
                pipeline = TransformedTargetRegressor(Pipeline([("scale", StandardScaler()), ("learner", learner)]), transformer=StandardScaler())
                parameters = {f"regressor__learner__{name}": values for name, values in {**price, "gamma": gamma}.items()}
                found.append(tuned(pipeline, parameters, X, y, rows, KFold(5, shuffle=True, random_state=0)))
        _, chosen, parameters = max(found, key=lambda one: one[0])
        return chosen.fit(X, y), parameters

    (model, parameters), times = timed(search)
    predicted = model.predict(Z)
    right = (predicted == truth) if task == "classes" else (predicted - truth) ** 2
    learner = model[-1] if task == "classes" else model.regressor_[-1]
    return {**times, **score(right, task), "learner": type(learner).__name__,
            "parameters": {name.split("__")[-1]: value for name, value in parameters.items()}}


def score(right, task):
    """Accuracy and its standard error, or RMSE and the standard error of 1,000 bootstrap samples of the test rows."""
    n = len(right)
    if task == "classes":
        p = float(np.mean(right))
        return {"score": p, "error": float(np.sqrt(p * (1 - p) / n))}
    drawn = np.random.default_rng(0).integers(0, n, (1000, n))
    return {"score": float(np.sqrt(np.mean(right))), "error": float(np.std(np.sqrt(np.mean(right[drawn], axis=1))))}


if __name__ == "__main__":
    work = json.loads(sys.argv[1])
    print(json.dumps(globals()[work.pop("what")](**work)))
