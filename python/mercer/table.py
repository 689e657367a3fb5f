"""Which estimators there are: a line for each, over a method of the engine's catalogue.

Parameters, their defaults and what they mean come from the catalogue; here stands only what scikit-learn's users know by other names.
A method that no line names appears under its own name (``mean_distance`` as ``MeanDistance``).
"""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Entry:
    """An estimator: a method, the class (module.Class) that gives it its manners, and its parameters."""

    method: str
    base: str
    renamed: dict[str, str] = field(default_factory=dict)  # catalogue's name: Python's
    left_out: tuple[str, ...] = ()                         # parameters of the method that stay at the catalogue's default
    defaults: dict[str, Any] = field(default_factory=dict)  # Python's name: in place of the catalogue's
    kernel: dict[str, Any] = field(default_factory=dict)   # kernel, gamma, degree, coef0
    shared: tuple[str, ...] = ()                           # of SHARED
    first: str = ""                                        # Python's name of the parameter that may be given by place; none: the method's first
    like: str = ""                                         # scikit-learn's class of the same contract


# Parameters that several estimators have and no method: default, and what they mean.
SHARED: dict[str, tuple[Any, str]] = {
    "kernel": ("rbf", "a name that scikit-learn knows ('linear', 'poly', 'rbf', 'sigmoid', 'cosine', 'laplacian', 'chi2', 'precomputed'), an expression such as "
               "'0.5*rbf(gamma=0.1) + linear', a mercer.Kernel, or a function of two arrays that gives their matrix"),
    "gamma": ("scale", "of 'rbf', 'poly', 'sigmoid', 'laplacian' and 'chi2': 'scale' is 1 / (columns · variance of X), 'auto' and None are 1 / columns"),
    "degree": (3, "of 'poly'"),
    "coef0": (0.0, "of 'poly' and 'sigmoid': the constant term"),
    "kernel_params": (None, "keyword arguments of a kernel given as a function"),
    "tol": (None, "of the certificate, which is computed from float64 kernel values; None: the method's own"),
    "shrinking": (True, "may leave out settled variables for a while"),
    "probability": (False, "calibrate, so that there is predict_proba; takes five more fits"),
    "class_weight": (None, "factors of the rows of classes: a dictionary, or 'balanced'"),
    "decision_function_shape": ("ovr", "of several classes: 'ovr' gives a column per class, 'ovo' one per pair"),
    "break_ties": (False, "of several classes and 'ovr': the decision values decide between classes with the same number of votes"),
    "max_iter": (-1, "steps at most in a problem; -1: until the tolerance is reached"),
    "cache_size": (1024, "memory for rows of K, in MB"),
    "solver": ("auto", "how to solve"),
    "approx": (None, "features in place of the kernel: 'nystrom:500', 'fourier:2000', 'sketch:1024', 'explicit', 'none'; None: explicit ones where they cost less"),
    "allow_indefinite": (False, "take expressions that no rule proves positive semidefinite"),
    "normalize_y": (False, "take the mean out of y and divide it by its standard deviation; answers are put back, std and cov too"),
    "fit_inverse_transform": (False, "learn the way back from coordinates to rows by kernel ridge regression, as scikit-learn does; without it inverse_transform takes pre-images"),
    "alpha": (1.0, "penalty of the regression that fit_inverse_transform learns"),
    "remove_zero_eig": (False, "leave out components of eigenvalue 0; n_components=None always does"),
    "random_state": (None, "the seed; None is 1, so that the same call gives the same bits"),
    "n_jobs": (None, "threads; None: all, or OMP_NUM_THREADS where that is set"),
    "verbose": (False, "show how far the work is"),
}
KERNEL = ("kernel", "gamma", "degree", "coef0", "kernel_params")
RUNNING = ("tol", "cache_size", "approx", "allow_indefinite", "random_state", "n_jobs", "verbose")
MACHINE = ("shrinking", "max_iter", "tol", "cache_size", "approx", "allow_indefinite", "random_state", "n_jobs", "verbose")
OF_SVC = ("probability", "class_weight", "decision_function_shape", "break_ties")

ESTIMATORS: dict[str, Entry] = {
    "SVC": Entry("svm", "classifiers.SupportVectorClassifier", left_out=("lambda", "C_convention", "multiclass"), shared=OF_SVC + MACHINE, like="sklearn.svm.SVC"),
    "NuSVC": Entry("nu_svm", "classifiers.SupportVectorClassifier", shared=OF_SVC + MACHINE, like="sklearn.svm.NuSVC"),
    "LinearSVC": Entry("svm", "classifiers.LinearClassifier", left_out=("lambda", "C_convention", "multiclass"), kernel={"kernel": None}, shared=("class_weight",) + MACHINE, like="sklearn.svm.LinearSVC"),
    "SVR": Entry("svr", "regressors.SupportVectorRegressor", shared=MACHINE, like="sklearn.svm.SVR"),
    "NuSVR": Entry("nu_svr", "regressors.SupportVectorRegressor", shared=MACHINE, like="sklearn.svm.NuSVR"),
    "OneClassSVM": Entry("one_class", "unsupervised.NoveltyDetector", shared=MACHINE, like="sklearn.svm.OneClassSVM"),
    "KernelRidge": Entry("ridge", "regressors.DualRegressor", renamed={"tau2": "alpha"}, left_out=("lambda",), defaults={"alpha": 1.0},
                         kernel={"kernel": "linear", "gamma": None, "coef0": 1.0}, shared=("solver",) + RUNNING, like="sklearn.kernel_ridge.KernelRidge"),
    "KernelLogisticRegression": Entry("logistic", "classifiers.Classifier", shared=("class_weight", "solver") + RUNNING),
    "KernelPerceptron": Entry("perceptron", "classifiers.Classifier", renamed={"epochs": "max_iter"}, shared=("class_weight",) + RUNNING),
    "KernelFisherDiscriminant": Entry("fisher", "classifiers.Classifier", shared=("class_weight",) + RUNNING),
    "KernelNeighbors": Entry("knn", "either.AnyTask", renamed={"neighbours": "n_neighbors", "weighting": "weights"}, shared=("class_weight",) + RUNNING),
    "NadarayaWatson": Entry("nadaraya_watson", "either.AnyTask", shared=("class_weight",) + RUNNING),
    "LocallyWeightedRegression": Entry("lwlr", "regressors.Regressor", shared=RUNNING),
    "QuantileRegressor": Entry("quantile", "regressors.Regressor", renamed={"tau": "quantile"}, shared=RUNNING),
    "HuberRegressor": Entry("huber", "regressors.Regressor", shared=("solver",) + RUNNING),
    "PoissonRegressor": Entry("poisson", "regressors.Regressor", shared=("solver",) + RUNNING),
    "LeastSquares": Entry("ols", "regressors.Regressor", shared=("solver",) + RUNNING),
    "RiskMinimizer": Entry("rerm", "either.RiskEstimator", shared=("class_weight", "solver") + RUNNING),
    "GaussianProcessRegressor": Entry("gp", "gaussian_process.GaussianProcess", renamed={"noise": "alpha", "optimize": "optimizer", "restarts": "n_restarts_optimizer"}, left_out=("mean",),
                                      defaults={"alpha": 1e-10}, kernel={"kernel": None}, shared=("normalize_y",) + RUNNING, first="kernel", like="sklearn.gaussian_process.GaussianProcessRegressor"),
    "KernelPCA": Entry("pca", "components.PrincipalComponents", renamed={"components": "n_components"}, left_out=("centred",), defaults={"n_components": None},
                       kernel={"kernel": "linear", "gamma": None, "coef0": 1.0}, shared=("fit_inverse_transform", "alpha", "remove_zero_eig") + RUNNING, like="sklearn.decomposition.KernelPCA"),
    "KernelKMeans": Entry("kmeans", "unsupervised.Clusterer", renamed={"clusters": "n_clusters", "restarts": "n_init"}, defaults={"n_clusters": 8}, shared=RUNNING),
    "SpectralClustering": Entry("spectral", "unsupervised.Clusterer", renamed={"clusters": "n_clusters", "restarts": "n_init"}, defaults={"n_clusters": 8}, shared=RUNNING),
}

# Written out as classes: name, module.
OTHERS = {"Nystroem": "feature_maps", "RandomFourierFeatures": "feature_maps", "ExplicitFeatureMap": "feature_maps", "AutoKernel": "automatic"}
