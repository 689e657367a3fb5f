"""Which estimators of the Python package there are: a line for each, over a method of the engine's catalogue. scripts/python_pages.py writes the classes from it.

Parameters, their defaults and what they mean come from the catalogue; here stands only what scikit-learn's users know by other names.
A method with a target that no line names appears under its own name (``some_method`` as ``SomeMethod``).
"""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Entry:
    """An estimator: a method, the class (module.Class) that gives it its manners, and its parameters."""

    method: str                                            # none: the class chooses one
    base: str
    renamed: dict[str, str] = field(default_factory=dict)  # catalogue's name: Python's
    left_out: tuple[str, ...] = ()                         # parameters of the method that stay at the catalogue's default
    defaults: dict[str, Any] = field(default_factory=dict)  # Python's name: in place of the catalogue's
    meanings: dict[str, tuple[str, str]] = field(default_factory=dict)  # Python's name: type and meaning, in place of the catalogue's
    kernel: dict[str, Any] | None = field(default_factory=dict)  # kernel, gamma, degree, coef0; None: the class has a kernel of its own
    shared: tuple[str, ...] = ()                           # of SHARED
    first: str = ""                                        # Python's name of the parameter that may be given by place; none: the method's first
    like: str = ""                                         # scikit-learn's class of the same contract
    note: str = ""                                         # for the documentation
    summary: str = ""                                      # in the place of the catalogue's
    formula: str = ""                                      # in the place of the catalogue's, where its symbols are no parameters here
    chosen: str = ""                                       # parameters of the documentation's example
    example: str = ""                                      # in the place of the usual one


# Parameters that several estimators have and no method: default, type, and what they mean.
SHARED: dict[str, tuple[Any, str, str]] = {
    "kernel": ("rbf", "str, Kernel or callable",
               "a name that scikit-learn knows ('linear', 'poly', 'rbf', 'sigmoid', 'cosine', 'laplacian', 'chi2', 'precomputed'), an expression such as "
               "'0.5*rbf(gamma=0.1) + linear', a mercer.Kernel, or a callable that returns the kernel matrix of two arrays"),
    "gamma": ("scale", "{'scale', 'auto'}, float or None",
              "gamma of 'rbf', 'poly', 'sigmoid', 'laplacian' and 'chi2': 'scale' is 1 / (n_features * X.var()), 'auto' and None are 1 / n_features"),
    "degree": (3, "int", "degree of 'poly'"),
    "coef0": (0.0, "float", "constant term of 'poly' and 'sigmoid'"),
    "kernel_params": (None, "dict or None", "keyword arguments for a callable kernel"),
    "task": ("auto", "{'auto', 'classification', 'regression'}",
             "what y holds: classes or numbers; 'auto' decides from y (whole numbers and strings are classes, other numbers and several columns are numbers). Before a fit "
             "'auto' counts as a classifier, so that cross_val_score stratifies folds where y holds classes"),
    "allow_nonconvex": (False, "bool", "whether a loss of your own may be one that is not convex: the result is a local minimum at best"),
    "tol": (None, "float or None", "tolerance for convergence, measured in float64; None: the method's own"),
    "dual": ("auto", "{'auto', True, False}",
             "solver: True, coordinate descent over the samples; False, over the weights, with penalty='l2' Newton's method. 'auto' takes the faster one; the solution is the same"),
    "shrinking": (True, "bool", "use the shrinking heuristic"),
    "probability": (False, "bool", "calibrate probabilities for predict_proba; takes five more fits"),
    "class_weight": (None, "dict, 'balanced' or None", "weights of the classes: a dictionary, or 'balanced' for n_samples / (n_classes * samples of the class)"),
    "decision_function_shape": ("ovr", "{'ovr', 'ovo'}",
                                "with more than two classes, the columns of decision_function: 'ovr', one per class, or 'ovo', one per pair of classes"),
    "break_ties": (False, "bool", "with more than two classes and 'ovr': break ties between votes by the values of decision_function"),
    "max_iter": (-1, "int", "maximum number of solver iterations; -1: no limit"),
    "cache_size": (1024, "float", "memory for the kernel matrix, in MB"),
    "solver": ("auto", "str", "solver; 'auto' takes the fastest that fits into memory"),
    "approx": (None, "str or None",
               "kernel approximation: 'nystrom:500', 'fourier:2000', 'sketch:1024', 'explicit', or 'none'; None: the exact kernel, by explicit features where they are cheaper"),
    "repair": (None, "{'clip', 'flip', 'shift', 'square'} or None",
               "how a kernel that is not positive semidefinite is made so: clip negative eigenvalues of its matrix to 0, flip their sign (for SVC: the machine in a Kreĭn space), shift or square all of them; new rows are "
               "changed in the same way"),
    "allow_indefinite": (False, "bool", "accept kernel expressions that are not known to be positive semidefinite"),
    "normalize_y": (False, "bool", "standardize y before the fit; predictions, std and cov are in the original units"),
    "copy_X_train": (True, "bool", "X_train_ is a copy of X; False: it may be X itself, which must not be changed then"),
    "fit_inverse_transform": (False, "bool",
                              "learn the inverse transform by kernel ridge regression, as scikit-learn does; otherwise inverse_transform computes pre-images"),
    "alpha": (1.0, "float", "ridge penalty of the inverse transform, with fit_inverse_transform"),
    "eigen_solver": ("auto", "{'auto', 'dense', 'arpack', 'randomized'}",
                     "'auto': the fastest that fits into memory (block Lanczos, or a decomposition over features or of the whole matrix), to the tolerance tol; 'dense': LAPACK; 'arpack': ARPACK, to "
                     "the tolerance tol (None: machine precision); 'randomized': random projections, for few components. The named ones hold the kernel matrix, and give no model file and no pre-images"),
    "iterated_power": ("auto", "int ≥ 0 or 'auto'", "number of power iterations of eigen_solver='randomized'; 'auto': 7 for few components, else 4"),
    "copy_X": (True, "bool", "X_fit_ is a copy of X; False: it may be X itself, which must not be changed then"),
    "remove_zero_eig": (False, "bool", "drop components with eigenvalue 0; n_components=None always does"),
    "method": (None, "str or None", "a method of the catalogue ('svm', 'ridge', 'logistic', 'gp' …); None: selected"),
    "scaling": (None, "{'none', 'standard', 'minmax'} or None", "scaling of the columns; None: selected"),
    "metric": (None, "str or None", "metric to optimize: of classes 'accuracy', 'auc' …, None: accuracy; of numbers 'rmse', 'mae' …, None: rmse"),
    "cv": (5, "int ≥ 2", "number of cross-validation folds"),
    "holdout": (0.0, "float ≥ 0 and < 1", "fraction of the samples to hold out for the evaluation; 0: cross-validation with new folds"),
    "max_seconds": (None, "float > 0 or None", "time limit: the best candidate so far is taken then; TimeoutError if none has been evaluated"),
    "random_state": (None, "int, RandomState, Generator or None", "random seed; None is 1, so that results are reproducible"),
    "n_jobs": (None, "int or None", "number of threads; None: all, or OMP_NUM_THREADS if set; -1: all"),
    "verbose": (False, "bool", "show a progress bar"),
}
KERNEL = ("kernel", "gamma", "degree", "coef0", "kernel_params")
RUNNING = ("tol", "cache_size", "approx", "allow_indefinite", "random_state", "n_jobs", "verbose")
MACHINE = ("shrinking", "max_iter", "tol", "cache_size", "approx", "allow_indefinite", "random_state", "n_jobs", "verbose")
OF_LINEAR = {"intercept": "fit_intercept", "epochs": "max_iter"}
INTERCEPT = {
    "fit_intercept": ("bool", "learn an intercept: the weight of one more feature, which is intercept_scaling for each sample and penalized like the others"),
    "intercept_scaling": ("float > 0", "value of the feature of the intercept; the larger, the less the intercept is penalized"),
    "max_iter": ("int ≥ 1", "maximum number of passes over the samples, or of Newton steps"),
}
OF_SVC = ("probability", "class_weight", "decision_function_shape", "break_ties")
NEIGHBORS = {"neighbours": "n_neighbors", "weighting": "weights"}
PROCESS_KERNEL = {"kernel": ("str, Kernel, sklearn.gaussian_process.kernels.Kernel, callable or None",
                             "a name or an expression, whose hyperparameters are optimized, or one of scikit-learn's kernel objects, with its bounds and fixed parts; a callable returns the kernel "
                             "matrix of two arrays. None is an RBF of length 1, which is kept")}
SEARCH = ("method", "kernel", "scaling", "metric", "cv", "holdout", "max_seconds", "random_state", "n_jobs", "verbose")
SEARCHED = {"kernel": ("str, Kernel or None", "an expression, whose 'scale', 'auto' and 'median' are searched; None: selected among several")}
CLUSTERS = {"clusters": "n_clusters", "restarts": "n_init"}

ONLINE = "partial_fit(X, y) goes on with more samples; the model is the same, bit by bit, whether they come one by one or in blocks, and at most budget of them are kept."

ESTIMATORS: dict[str, Entry] = {
    "SVC": Entry("svm", "classifiers.SupportVectorClassifier", left_out=("lambda", "C_convention", "multiclass"), shared=("solver", "repair") + OF_SVC + MACHINE, like="sklearn.svm.SVC"),
    "NuSVC": Entry("nu_svm", "classifiers.NuClassifier", shared=("repair",) + OF_SVC + MACHINE, like="sklearn.svm.NuSVC"),
    "LinearSVC": Entry("linear_svm", "classifiers.LinearClassifier", formula="min penalty(w, b) + C Σ loss(y (wᵀx + b))", renamed={"multiclass": "multi_class", **OF_LINEAR}, defaults={"tol": 1e-4}, kernel=None,
                       meanings={**INTERCEPT, "C": ("float > 0", "penalty on margin violations"),
                                 "penalty": ("{'l2', 'l1'}", "'l2': half the squared norm of the weights; 'l1': the sum of their magnitudes, which makes many of them 0"),
                                 "loss": ("{'squared_hinge', 'hinge'}", "'hinge' is max(0, 1 - y f), 'squared_hinge' its square"),
                                 "multi_class": ("{'ovr', 'crammer_singer'}", "with more than two classes: 'ovr', a problem for each class against the rest; 'crammer_singer', one problem for all, which "
                                                                              "knows no penalty, loss and dual, and makes up to 100000 passes as in scikit-learn")},
                       shared=("dual", "tol", "class_weight", "random_state", "n_jobs", "verbose"), first="penalty", like="sklearn.svm.LinearSVC"),
    "SVR": Entry("svr", "regressors.SupportVectorRegressor", shared=("solver", "repair") + MACHINE, like="sklearn.svm.SVR"),
    "LinearSVR": Entry("linear_svr", "regressors.LinearRegressor", formula="min (‖w‖² + b²)/2 + C Σ loss(|y - wᵀx - b| - epsilon)", renamed=OF_LINEAR, defaults={"tol": 1e-4}, kernel=None,
                       meanings={**INTERCEPT, "C": ("float > 0", "penalty on errors beyond epsilon"),
                                 "loss": ("{'epsilon_insensitive', 'squared_epsilon_insensitive'}", "'epsilon_insensitive' is max(0, |y - f| - epsilon), the other one its square")},
                       shared=("dual", "tol", "random_state", "n_jobs", "verbose"), first="epsilon", like="sklearn.svm.LinearSVR"),
    "NuSVR": Entry("nu_svr", "regressors.SupportVectorRegressor", shared=("repair",) + MACHINE, like="sklearn.svm.NuSVR"),
    "OneClassSVM": Entry("one_class", "unsupervised.SupportVectorNovelty", shared=("solver",) + MACHINE, like="sklearn.svm.OneClassSVM"),
    "KernelRidge": Entry("ridge", "regressors.DualRegressor", renamed={"tau2": "alpha"}, left_out=("lambda",), defaults={"alpha": 1.0}, formula="min Σ (y - f(x))² + alpha ‖f‖²",
                         meanings={"select": ("{'none', 'loo', 'gcv'}", "'loo' and 'gcv' select the penalty, instead of alpha, from 50 values by leave-one-out or generalized cross-validation"),
                                   "alpha": ("float ≥ 0 or array of shape (n_targets,)", "ridge penalty, added to the diagonal of K; an array has one for each target. With 0 the function interpolates y; if K is singular it is the minimum-norm "
                                                          "least-squares solution, with a warning")},
                         kernel={"kernel": "linear", "gamma": None, "coef0": 1.0}, shared=("solver", "repair") + RUNNING, like="sklearn.kernel_ridge.KernelRidge"),
    "KernelLogisticRegression": Entry("logistic", "classifiers.DualClassifier", shared=("class_weight", "solver", "repair") + RUNNING),
    "KernelPerceptron": Entry("perceptron", "classifiers.Perceptron", renamed={"epochs": "max_iter"}, shared=("class_weight", "solver") + RUNNING),
    "OnlinePerceptron": Entry("online_perceptron", "online.OnlineClassifier", shared=RUNNING, note=ONLINE),
    "NormaClassifier": Entry("norma", "online.OnlineClassifier", shared=RUNNING, note=ONLINE, chosen="epochs=5"),
    "NormaRegressor": Entry("norma", "online.OnlineRegressor", shared=RUNNING, note=ONLINE),
    "RecursiveKernelRidge": Entry("recursive_ridge", "online.OnlineRegressor", renamed={"tau2": "alpha"}, shared=RUNNING, note=ONLINE),
    "KernelFisherDiscriminant": Entry("fisher", "discriminant.Discriminant", shared=("solver",) + RUNNING, note="transform(X) gives the discriminant coordinates."),
    "KernelNeighborsClassifier": Entry("knn", "either.ShareClassifier", renamed=NEIGHBORS, shared=("class_weight",) + RUNNING),
    "KernelNeighborsRegressor": Entry("knn", "regressors.Regressor", renamed=NEIGHBORS, shared=RUNNING),
    "NadarayaWatsonClassifier": Entry("nadaraya_watson", "either.SmoothClassifier", shared=("class_weight",) + RUNNING),
    "NadarayaWatsonRegressor": Entry("nadaraya_watson", "either.SmoothRegressor", shared=RUNNING),
    "LocallyWeightedRegression": Entry("lwlr", "regressors.Regressor", shared=RUNNING),
    "KernelQuantileRegressor": Entry("quantile", "regressors.QuantileMachine", renamed={"tau": "quantile"}, shared=RUNNING),
    "KernelHuberRegressor": Entry("huber", "regressors.SumRegressor", shared=("solver",) + RUNNING),
    "KernelPoissonRegressor": Entry("poisson", "regressors.CountRegressor", shared=("solver",) + RUNNING),
    "LeastSquares": Entry("ols", "regressors.Regressor", shared=("solver",) + RUNNING),
    "RiskMinimizer": Entry("rerm", "either.RiskEstimator", shared=("class_weight", "solver", "repair", "allow_nonconvex") + RUNNING, chosen="'logistic'",
                           meanings={"loss": ("str or Loss", "name of a loss, a formula over y and f such as 'log(1 + exp(-y*f))', or a mercer.Loss made of your own functions"),
                                     "omega": ("{'square', 'norm', 'fourth'} or Regularizer", "Ω: square ‖f‖², norm ‖f‖, fourth ‖f‖⁴, or a mercer.Regularizer")},
                           note="The loss decides the task: hinge, squared_hinge, logistic and exponential are for two classes, multinomial for any number of classes, poisson for counts, "
                                "the others for regression. A formula is for classification where y has two values (1 stands for the second, -1 for the first), else for regression."),
    "GaussianProcessRegressor": Entry("gp", "gaussian_process.GaussianProcess", left_out=("mean",), formula="f(x) = k(x, X)(K + alpha I)⁻¹y, with var f(x) = k(x, x) - k(x, X)(K + alpha I)⁻¹k(X, x)",
                                      renamed={"noise": "alpha", "optimize": "optimizer", "restarts": "n_restarts_optimizer"},
                                      defaults={"alpha": 1e-10, "optimizer": "fmin_l_bfgs_b"}, meanings={
                                          "alpha": ("float ≥ 0, array of shape (n_samples,) or 'auto'", "noise variance, added to the diagonal of K; an array has one for each sample. It is kept as given; 'auto' optimizes it with the kernel hyperparameters, as does "
                                                                          "a WhiteKernel in the kernel, whose noise is part of predictions too"),
                                          "optimizer": ("{'fmin_l_bfgs_b', 'evidence'}, callable or None", "'fmin_l_bfgs_b' and 'evidence': maximize the log marginal likelihood (evidence) over the "
                                                                                             "kernel hyperparameters within their bounds; a function optimizer(obj_func, initial_theta, bounds) that returns theta and its "
                                                                                             "objective, as in scikit-learn; None: keep them as given"),
                                          "n_restarts_optimizer": ("int", "number of additional starts of the optimizer, drawn around the given hyperparameters"),
                                          "ard": ("bool", "True: learn a weight for each column (automatic relevance determination)"), **PROCESS_KERNEL},
                                      kernel={"kernel": None}, shared=("normalize_y", "copy_X_train") + RUNNING, first="kernel",
                                      like="sklearn.gaussian_process.GaussianProcessRegressor"),
    "GaussianProcessClassifier": Entry("gp_classifier", "gaussian_process_classifier.LaplaceClassifier",
                                       renamed={"optimize": "optimizer", "restarts": "n_restarts_optimizer"}, defaults={"optimizer": "fmin_l_bfgs_b"}, meanings={
                                           "optimizer": ("{'fmin_l_bfgs_b', 'evidence'} or None", "'fmin_l_bfgs_b' and 'evidence': maximize the log marginal likelihood (evidence) over the "
                                                                                              "kernel hyperparameters within their bounds; None: keep them as given"),
                                           "n_restarts_optimizer": ("int", "number of additional starts of the optimizer, drawn around the given hyperparameters"),
                                           "ard": ("bool", "True: learn a weight for each column (automatic relevance determination)"), **PROCESS_KERNEL},
                                       kernel={"kernel": None}, shared=RUNNING, first="kernel",
                                       like="sklearn.gaussian_process.GaussianProcessClassifier"),
    "SparseGaussianProcessRegressor": Entry("sparse_gp", "sparse_gaussian_process.SparseProcess", renamed={"inducing": "n_inducing", "restarts": "n_restarts_optimizer"},
                                            shared=RUNNING, first="kernel",
                                            note="The interface of GaussianProcessRegressor, but the noise and the mean of y are the model's own: noise is optimized with the kernel "
                                                 "hyperparameters, and a kernel without a factor gets one."),
    "MultiOutputGaussianProcessRegressor": Entry("multi_gp", "multi_output_gp.CoregionalProcess", renamed={"restarts": "n_restarts_optimizer"}, shared=RUNNING, first="kernel",
                                                 note="y has a column for each output, and NaN where an output was not observed. The outputs learn from each other through "
                                                      "coregionalization_."),
    "KernelPCA": Entry("pca", "components.PrincipalComponents", renamed={"components": "n_components"}, left_out=("centred",), defaults={"n_components": None, "max_iter": None},
                       meanings={"n_components": ("int ≥ 1 or None", "number of components; None: as many as the samples span"),
                                 "max_iter": ("int ≥ 1 or None", "maximum number of iterations of eigen_solver='arpack'; None: ARPACK's own"),
                                 "solver": ("{'auto', 'dual', 'primal'}", "with eigen_solver='auto': over the kernel matrix or over explicit features; 'auto' takes the fastest that fits into memory")},
                       kernel={"kernel": "linear", "gamma": None, "coef0": 1.0}, shared=("fit_inverse_transform", "alpha", "eigen_solver", "max_iter", "iterated_power", "remove_zero_eig", "copy_X", "solver") + RUNNING, like="sklearn.decomposition.KernelPCA"),
    "KernelKMeans": Entry("kmeans", "unsupervised.MeansClusterer", renamed=CLUSTERS, defaults={"n_clusters": 8, "n_init": 10}, shared=RUNNING),
    "KernelSpectralClustering": Entry("spectral", "unsupervised.Clusterer", renamed=CLUSTERS, defaults={"n_clusters": 8, "n_init": 10}, shared=RUNNING),
    "MeanDistance": Entry("mean_distance", "unsupervised.MeanDetector", renamed={"outliers": "contamination"}, shared=RUNNING),
    "TwoSampleTest": Entry("mmd", "classifiers.TwoSamples", shared=RUNNING,
                           note="fit(X, y) takes both samples; y says which sample a row belongs to. decision_function is the witness function: positive where the second "
                                "sample is denser."),
    "AutoKernelClassifier": Entry("", "automatic.SelectedClassifier", kernel=None, defaults={"kernel": None}, shared=SEARCH, meanings=SEARCHED,
                                  summary="selects method, kernel, hyperparameters and scaling of a classifier by cross-validation",
                                  note="The selected model is fitted on all samples; score_ estimates its score on unseen samples.",
                                  example=">>> model = AutoKernelClassifier().fit(X, y)\n>>> model.score_[\"value\"] > 0.9\nTrue"),
    "AutoKernelRegressor": Entry("", "automatic.SelectedRegressor", kernel=None, defaults={"kernel": None}, shared=SEARCH, meanings=SEARCHED,
                                 summary="selects method, kernel, hyperparameters and scaling of a regressor by cross-validation",
                                 note="The selected model is fitted on all samples; score_ estimates its score on unseen samples.",
                                 example=">>> model = AutoKernelRegressor(method=\"ridge\").fit(X[:, :3], X[:, 3])\n>>> model.score_[\"value\"] < model.baseline_[\"value\"]\nTrue"),
}


def unnamed(methods: list[dict[str, Any]], named: set[str]) -> dict[str, Entry]:
    """Lines for the methods of a catalogue that no line names. What learns without a target can be novelty, clusters or coordinates and needs a line of its own."""
    bases = {"classification": ("classifiers.Classifier", ()), "regression": ("regressors.Regressor", ()), "either": ("either.AnyTask", ("task",))}
    lines = {}
    for method in methods:
        if method["name"] not in named and method["task"] in bases:
            base, shared = bases[method["task"]]
            lines["".join(part.capitalize() for part in method["name"].split("_"))] = Entry(method["name"], base, shared=shared + RUNNING)
    return lines


# Names of the version before, which go with the next one: those that were made from lines of their own, and what stands in the place of each.
EARLIER: dict[str, Entry] = {
    "KernelNeighbors": Entry("knn", "either.AnyTask", renamed=NEIGHBORS, shared=("task", "class_weight") + RUNNING),
    "NadarayaWatson": Entry("nadaraya_watson", "either.Smoother", shared=("task", "class_weight") + RUNNING),
    "AutoKernel": Entry("", "automatic.SelectedEither", kernel=None, defaults={"kernel": None}, shared=("task",) + SEARCH, meanings=SEARCHED, summary="selects method, kernel, hyperparameters and scaling by cross-validation, of classes or numbers, whichever y holds"),
}
REPLACED: dict[str, tuple[str, ...]] = {
    "KernelNeighbors": ("KernelNeighborsClassifier", "KernelNeighborsRegressor"), "NadarayaWatson": ("NadarayaWatsonClassifier", "NadarayaWatsonRegressor"),
    "AutoKernel": ("AutoKernelClassifier", "AutoKernelRegressor"), "QuantileRegressor": ("KernelQuantileRegressor",), "HuberRegressor": ("KernelHuberRegressor",),
    "PoissonRegressor": ("KernelPoissonRegressor",), "SpectralClustering": ("KernelSpectralClustering",),
}

# What the package has beside the estimators and the kernels, by module.
OTHERS: dict[str, tuple[str, ...]] = {
    "feature_maps": ("Nystroem", "RBFSampler", "PolynomialCountSketch", "RandomFourierFeatures", "ExplicitFeatureMap"),
    "cca": ("KernelCCA",), "independence": ("hsic_test", "hsic_ranking"), "model_files": ("load",), "losses": ("Loss", "Regularizer"),
    "pictures": ("plot_gram", "plot_prior"), "machine": ("show_versions",), "kernel_check": ("check_kernel",), "kernels": ("Kernel",),
}
