"""Every estimator: what its parameters are, what it learns and an example.

Written by scripts/python_pages.py from scripts/python_table.py and the engine's catalogue of methods; what the classes do stands in those they come from.
"""
from __future__ import annotations

from typing import Any, Callable, Literal

import numpy as np
from numpy.typing import ArrayLike
from sklearn.gaussian_process.kernels import Kernel as ProcessKernel

from .automatic import SelectedClassifier, SelectedEither, SelectedRegressor
from .classifiers import DualClassifier, LinearClassifier, NuClassifier, Perceptron, SupportVectorClassifier, TwoSamples
from .components import PrincipalComponents
from .discriminant import Discriminant
from .either import AnyTask, RiskEstimator, ShareClassifier, SmoothClassifier, SmoothRegressor, Smoother
from .gaussian_process import GaussianProcess
from .gaussian_process_classifier import LaplaceClassifier
from .multi_output_gp import CoregionalProcess
from .online import OnlineClassifier, OnlineRegressor
from .regressors import CountRegressor, DualRegressor, LinearRegressor, QuantileMachine, Regressor, SumRegressor, SupportVectorRegressor
from .sparse_gaussian_process import SparseProcess
from .unsupervised import Clusterer, MeanDetector, MeansClusterer, SupportVectorNovelty
from .kernels import Kernel
from .losses import Loss, Regularizer

__all__ = [
    "SVC", "NuSVC", "LinearSVC", "SVR", "LinearSVR", "NuSVR", "OneClassSVM", "KernelRidge",
    "KernelLogisticRegression", "KernelPerceptron", "OnlinePerceptron", "NormaClassifier", "NormaRegressor",
    "RecursiveKernelRidge", "KernelFisherDiscriminant", "KernelNeighborsClassifier",
    "KernelNeighborsRegressor", "NadarayaWatsonClassifier", "NadarayaWatsonRegressor",
    "LocallyWeightedRegression", "KernelQuantileRegressor", "KernelHuberRegressor", "KernelPoissonRegressor",
    "LeastSquares", "RiskMinimizer", "GaussianProcessRegressor", "GaussianProcessClassifier",
    "SparseGaussianProcessRegressor", "MultiOutputGaussianProcessRegressor", "KernelPCA", "KernelKMeans",
    "KernelSpectralClustering", "MeanDistance", "TwoSampleTest", "AutoKernelClassifier",
    "AutoKernelRegressor",
]


class SVC(SupportVectorClassifier):
    """Support vector classification; C=inf is the hard margin.

    ::

        min ½‖w‖² + C·Σ max(0, 1 − y·f(x))

    Same interface as sklearn.svm.SVC.

    Parameters
    ----------
    C : float > 0, default=1.0
        Penalty C on margin violations; inf: hard margin.
    kernel : str, Kernel or callable, default='rbf'
        A name that scikit-learn knows ('linear', 'poly', 'rbf', 'sigmoid', 'cosine', 'laplacian', 'chi2',
        'precomputed'), an expression such as '0.5*rbf(gamma=0.1) + linear', a mercer.Kernel, or a callable
        that returns the kernel matrix of two arrays.
    gamma : {'scale', 'auto'}, float or None, default='scale'
        Gamma of 'rbf', 'poly', 'sigmoid', 'laplacian' and 'chi2': 'scale' is 1 / (n_features * X.var()),
        'auto' and None are 1 / n_features.
    degree : int, default=3
        Degree of 'poly'.
    coef0 : float, default=0.0
        Constant term of 'poly' and 'sigmoid'.
    kernel_params : dict or None, default=None
        Keyword arguments for a callable kernel.
    solver : {'auto', 'dual', 'primal'}, default='auto'
        Solver; 'auto' takes the fastest that fits into memory.
    repair : {'clip', 'flip', 'shift', 'square'} or None, default=None
        How a kernel that is not positive semidefinite is made so: clip negative eigenvalues of its matrix to
        0, flip their sign (for SVC: the machine in a Kreĭn space), shift or square all of them; new rows are
        changed in the same way.
    probability : bool, default=False
        Calibrate probabilities for predict_proba; takes five more fits.
    class_weight : dict, 'balanced' or None, default=None
        Weights of the classes: a dictionary, or 'balanced' for n_samples / (n_classes * samples of the
        class).
    decision_function_shape : {'ovr', 'ovo'}, default='ovr'
        With more than two classes, the columns of decision_function: 'ovr', one per class, or 'ovo', one per
        pair of classes.
    break_ties : bool, default=False
        With more than two classes and 'ovr': break ties between votes by the values of decision_function.
    shrinking : bool, default=True
        Use the shrinking heuristic.
    max_iter : int, default=-1
        Maximum number of solver iterations; -1: no limit.
    tol : float or None, default=None
        Tolerance for convergence, measured in float64; None: the method's own.
    cache_size : float, default=1024
        Memory for the kernel matrix, in MB.
    approx : str or None, default=None
        Kernel approximation: 'nystrom:500', 'fourier:2000', 'sketch:1024', 'explicit', or 'none'; None: the
        exact kernel, by explicit features where they are cheaper.
    allow_indefinite : bool, default=False
        Accept kernel expressions that are not known to be positive semidefinite.
    random_state : int, RandomState, Generator or None, default=None
        Random seed; None is 1, so that results are reproducible.
    n_jobs : int or None, default=None
        Number of threads; None: all, or OMP_NUM_THREADS if set; -1: all.
    verbose : bool, default=False
        Show a progress bar.

    Attributes
    ----------
    class_weight_ : ndarray of shape (n_classes,)
        Weights of the classes.
    probA_ : ndarray of shape (n_classes * (n_classes - 1) / 2,)
        Slopes of Platt's calibration, one per pair of classes; empty unless probability=True.
    probB_ : ndarray of shape (n_classes * (n_classes - 1) / 2,)
        Offsets of Platt's calibration.
    support_ : ndarray of shape (n_SV,)
        Indices of the support vectors, class by class.
    support_vectors_ : array or sparse matrix of shape (n_SV, n_features)
        Support vectors; empty with kernel='precomputed'.
    n_support_ : ndarray of shape (n_classes,) or (1,)
        Number of support vectors, for classification of each class.
    dual_coef_ : array or sparse matrix of shape (n_classes - 1, n_SV) or (1, n_SV)
        Dual coefficients of the support vectors.
    intercept_ : ndarray of shape (n_classes * (n_classes - 1) / 2,) or (1,)
        Intercepts.
    coef_ : array or sparse matrix of shape (functions, n_features)
        Feature weights; only with kernel='linear'.
    fit_status_ : int
        0 if the solver converged, else 1.
    n_iter_ : int or ndarray of int
        Solver iterations, for classification of each pair of classes.
    shape_fit_ : tuple
        Shape of X.
    classes_ : ndarray of shape (n_classes,)
        Class labels, sorted.
    model_ : Model
        The fitted model, which the command line can read, too.
    report_ : dict
        Report of the fit: convergence, objective, time, warnings.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Feature names, if X was a data frame with column names.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from mercer import SVC
    >>> X, y = load_iris(return_X_y=True)
    >>> model = SVC().fit(X[:100], y[:100])
    >>> model.predict(X[[0, 99]])
    array([0, 1])
    """

    _method = "svm"
    _names = {"C": "C"}

    def __init__(
        self,
        C: float = 1.0,
        *,
        kernel: str | Kernel | Callable[..., Any] = "rbf",
        gamma: Literal['scale', 'auto'] | float | None = "scale",
        degree: int = 3,
        coef0: float = 0.0,
        kernel_params: dict[Any, Any] | None = None,
        solver: Literal['auto', 'dual', 'primal'] = "auto",
        repair: Literal['clip', 'flip', 'shift', 'square'] | None = None,
        probability: bool = False,
        class_weight: Literal['balanced'] | dict[Any, Any] | None = None,
        decision_function_shape: Literal['ovr', 'ovo'] = "ovr",
        break_ties: bool = False,
        shrinking: bool = True,
        max_iter: int = -1,
        tol: float | None = None,
        cache_size: float = 1024,
        approx: str | None = None,
        allow_indefinite: bool = False,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.C = C
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.solver = solver
        self.repair = repair
        self.probability = probability
        self.class_weight = class_weight
        self.decision_function_shape = decision_function_shape
        self.break_ties = break_ties
        self.shrinking = shrinking
        self.max_iter = max_iter
        self.tol = tol
        self.cache_size = cache_size
        self.approx = approx
        self.allow_indefinite = allow_indefinite
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class NuSVC(NuClassifier):
    """Support vector classification with a fraction nu instead of C.

    ::

        min ½‖w‖² − νρ + (1/n)·Σ max(0, ρ − y·f(x)), then f/ρ

    Same interface as sklearn.svm.NuSVC.

    Parameters
    ----------
    nu : float > 0 and at most 1, default=0.5
        Upper bound on the fraction of margin errors, lower bound on the fraction of support vectors.
    kernel : str, Kernel or callable, default='rbf'
        A name that scikit-learn knows ('linear', 'poly', 'rbf', 'sigmoid', 'cosine', 'laplacian', 'chi2',
        'precomputed'), an expression such as '0.5*rbf(gamma=0.1) + linear', a mercer.Kernel, or a callable
        that returns the kernel matrix of two arrays.
    gamma : {'scale', 'auto'}, float or None, default='scale'
        Gamma of 'rbf', 'poly', 'sigmoid', 'laplacian' and 'chi2': 'scale' is 1 / (n_features * X.var()),
        'auto' and None are 1 / n_features.
    degree : int, default=3
        Degree of 'poly'.
    coef0 : float, default=0.0
        Constant term of 'poly' and 'sigmoid'.
    kernel_params : dict or None, default=None
        Keyword arguments for a callable kernel.
    repair : {'clip', 'flip', 'shift', 'square'} or None, default=None
        How a kernel that is not positive semidefinite is made so: clip negative eigenvalues of its matrix to
        0, flip their sign (for SVC: the machine in a Kreĭn space), shift or square all of them; new rows are
        changed in the same way.
    probability : bool, default=False
        Calibrate probabilities for predict_proba; takes five more fits.
    class_weight : dict, 'balanced' or None, default=None
        Weights of the classes: a dictionary, or 'balanced' for n_samples / (n_classes * samples of the
        class).
    decision_function_shape : {'ovr', 'ovo'}, default='ovr'
        With more than two classes, the columns of decision_function: 'ovr', one per class, or 'ovo', one per
        pair of classes.
    break_ties : bool, default=False
        With more than two classes and 'ovr': break ties between votes by the values of decision_function.
    shrinking : bool, default=True
        Use the shrinking heuristic.
    max_iter : int, default=-1
        Maximum number of solver iterations; -1: no limit.
    tol : float or None, default=None
        Tolerance for convergence, measured in float64; None: the method's own.
    cache_size : float, default=1024
        Memory for the kernel matrix, in MB.
    approx : str or None, default=None
        Kernel approximation: 'nystrom:500', 'fourier:2000', 'sketch:1024', 'explicit', or 'none'; None: the
        exact kernel, by explicit features where they are cheaper.
    allow_indefinite : bool, default=False
        Accept kernel expressions that are not known to be positive semidefinite.
    random_state : int, RandomState, Generator or None, default=None
        Random seed; None is 1, so that results are reproducible.
    n_jobs : int or None, default=None
        Number of threads; None: all, or OMP_NUM_THREADS if set; -1: all.
    verbose : bool, default=False
        Show a progress bar.

    Attributes
    ----------
    class_weight_ : ndarray of shape (n_classes,)
        Weights of the classes.
    probA_ : ndarray of shape (n_classes * (n_classes - 1) / 2,)
        Slopes of Platt's calibration, one per pair of classes; empty unless probability=True.
    probB_ : ndarray of shape (n_classes * (n_classes - 1) / 2,)
        Offsets of Platt's calibration.
    support_ : ndarray of shape (n_SV,)
        Indices of the support vectors, class by class.
    support_vectors_ : array or sparse matrix of shape (n_SV, n_features)
        Support vectors; empty with kernel='precomputed'.
    n_support_ : ndarray of shape (n_classes,) or (1,)
        Number of support vectors, for classification of each class.
    dual_coef_ : array or sparse matrix of shape (n_classes - 1, n_SV) or (1, n_SV)
        Dual coefficients of the support vectors.
    intercept_ : ndarray of shape (n_classes * (n_classes - 1) / 2,) or (1,)
        Intercepts.
    coef_ : array or sparse matrix of shape (functions, n_features)
        Feature weights; only with kernel='linear'.
    fit_status_ : int
        0 if the solver converged, else 1.
    n_iter_ : int or ndarray of int
        Solver iterations, for classification of each pair of classes.
    shape_fit_ : tuple
        Shape of X.
    classes_ : ndarray of shape (n_classes,)
        Class labels, sorted.
    model_ : Model
        The fitted model, which the command line can read, too.
    report_ : dict
        Report of the fit: convergence, objective, time, warnings.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Feature names, if X was a data frame with column names.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from mercer import NuSVC
    >>> X, y = load_iris(return_X_y=True)
    >>> model = NuSVC().fit(X[:100], y[:100])
    >>> model.predict(X[[0, 99]])
    array([0, 1])
    """

    _method = "nu_svm"
    _names = {"nu": "nu"}

    def __init__(
        self,
        nu: float = 0.5,
        *,
        kernel: str | Kernel | Callable[..., Any] = "rbf",
        gamma: Literal['scale', 'auto'] | float | None = "scale",
        degree: int = 3,
        coef0: float = 0.0,
        kernel_params: dict[Any, Any] | None = None,
        repair: Literal['clip', 'flip', 'shift', 'square'] | None = None,
        probability: bool = False,
        class_weight: Literal['balanced'] | dict[Any, Any] | None = None,
        decision_function_shape: Literal['ovr', 'ovo'] = "ovr",
        break_ties: bool = False,
        shrinking: bool = True,
        max_iter: int = -1,
        tol: float | None = None,
        cache_size: float = 1024,
        approx: str | None = None,
        allow_indefinite: bool = False,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.nu = nu
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.repair = repair
        self.probability = probability
        self.class_weight = class_weight
        self.decision_function_shape = decision_function_shape
        self.break_ties = break_ties
        self.shrinking = shrinking
        self.max_iter = max_iter
        self.tol = tol
        self.cache_size = cache_size
        self.approx = approx
        self.allow_indefinite = allow_indefinite
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class LinearSVC(LinearClassifier):
    """Linear support vector classification with a squared hinge, sparse weights or one machine for all classes.

    ::

        min penalty(w, b) + C Σ loss(y (wᵀx + b))

    Same interface as sklearn.svm.LinearSVC.

    Parameters
    ----------
    penalty : {'l2', 'l1'}, default='l2'
        'l2': half the squared norm of the weights; 'l1': the sum of their magnitudes, which makes many of
        them 0.
    C : float > 0, default=1.0
        Penalty on margin violations.
    loss : {'squared_hinge', 'hinge'}, default='squared_hinge'
        'hinge' is max(0, 1 - y f), 'squared_hinge' its square.
    multi_class : {'ovr', 'crammer_singer'}, default='ovr'
        With more than two classes: 'ovr', a problem for each class against the rest; 'crammer_singer', one
        problem for all, which knows no penalty, loss and dual, and makes up to 100000 passes as in scikit-
        learn.
    fit_intercept : bool, default=True
        Learn an intercept: the weight of one more feature, which is intercept_scaling for each sample and
        penalized like the others.
    intercept_scaling : float > 0, default=1.0
        Value of the feature of the intercept; the larger, the less the intercept is penalized.
    max_iter : int ≥ 1, default=1000
        Maximum number of passes over the samples, or of Newton steps.
    dual : {'auto', True, False}, default='auto'
        Solver: True, coordinate descent over the samples; False, over the weights, with penalty='l2' Newton's
        method. 'auto' takes the faster one; the solution is the same.
    tol : float or None, default=0.0001
        Tolerance for convergence, measured in float64; None: the method's own.
    class_weight : dict, 'balanced' or None, default=None
        Weights of the classes: a dictionary, or 'balanced' for n_samples / (n_classes * samples of the
        class).
    random_state : int, RandomState, Generator or None, default=None
        Random seed; None is 1, so that results are reproducible.
    n_jobs : int or None, default=None
        Number of threads; None: all, or OMP_NUM_THREADS if set; -1: all.
    verbose : bool, default=False
        Show a progress bar.

    Attributes
    ----------
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
        Feature weights.
    intercept_ : ndarray of shape (1,) or (n_classes,), or 0.0
        Intercepts; 0.0 with fit_intercept=False.
    n_iter_ : int
        Passes over the samples, or Newton steps; the maximum over the classes.
    classes_ : ndarray of shape (n_classes,)
        Class labels, sorted.
    model_ : Model
        The fitted model, which the command line can read, too.
    report_ : dict
        Report of the fit: convergence, objective, time, warnings.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Feature names, if X was a data frame with column names.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from mercer import LinearSVC
    >>> X, y = load_iris(return_X_y=True)
    >>> model = LinearSVC().fit(X[:100], y[:100])
    >>> model.predict(X[[0, 99]])
    array([0, 1])
    """

    _method = "linear_svm"
    _names = {"C": "C", "penalty": "penalty", "loss": "loss", "multiclass": "multi_class", "intercept":
              "fit_intercept", "intercept_scaling": "intercept_scaling", "epochs": "max_iter"}

    def __init__(
        self,
        penalty: Literal['l2', 'l1'] = "l2",
        *,
        C: float = 1.0,
        loss: Literal['squared_hinge', 'hinge'] = "squared_hinge",
        multi_class: Literal['ovr', 'crammer_singer'] = "ovr",
        fit_intercept: bool = True,
        intercept_scaling: float = 1.0,
        max_iter: int = 1000,
        dual: Literal['auto'] | bool = "auto",
        tol: float | None = 0.0001,
        class_weight: Literal['balanced'] | dict[Any, Any] | None = None,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.penalty = penalty
        self.C = C
        self.loss = loss
        self.multi_class = multi_class
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.max_iter = max_iter
        self.dual = dual
        self.tol = tol
        self.class_weight = class_weight
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class SVR(SupportVectorRegressor):
    """Support vector regression: ignores errors below epsilon.

    ::

        min ½‖w‖² + C·Σ max(0, |y − f(x)| − ε)

    Same interface as sklearn.svm.SVR.

    Parameters
    ----------
    C : float > 0, default=1.0
        Penalty C on errors beyond epsilon.
    epsilon : float ≥ 0, default=0.1
        Epsilon, half the width of the tube around f: errors up to it cost nothing.
    kernel : str, Kernel or callable, default='rbf'
        A name that scikit-learn knows ('linear', 'poly', 'rbf', 'sigmoid', 'cosine', 'laplacian', 'chi2',
        'precomputed'), an expression such as '0.5*rbf(gamma=0.1) + linear', a mercer.Kernel, or a callable
        that returns the kernel matrix of two arrays.
    gamma : {'scale', 'auto'}, float or None, default='scale'
        Gamma of 'rbf', 'poly', 'sigmoid', 'laplacian' and 'chi2': 'scale' is 1 / (n_features * X.var()),
        'auto' and None are 1 / n_features.
    degree : int, default=3
        Degree of 'poly'.
    coef0 : float, default=0.0
        Constant term of 'poly' and 'sigmoid'.
    kernel_params : dict or None, default=None
        Keyword arguments for a callable kernel.
    solver : {'auto', 'dual', 'primal'}, default='auto'
        Solver; 'auto' takes the fastest that fits into memory.
    repair : {'clip', 'flip', 'shift', 'square'} or None, default=None
        How a kernel that is not positive semidefinite is made so: clip negative eigenvalues of its matrix to
        0, flip their sign (for SVC: the machine in a Kreĭn space), shift or square all of them; new rows are
        changed in the same way.
    shrinking : bool, default=True
        Use the shrinking heuristic.
    max_iter : int, default=-1
        Maximum number of solver iterations; -1: no limit.
    tol : float or None, default=None
        Tolerance for convergence, measured in float64; None: the method's own.
    cache_size : float, default=1024
        Memory for the kernel matrix, in MB.
    approx : str or None, default=None
        Kernel approximation: 'nystrom:500', 'fourier:2000', 'sketch:1024', 'explicit', or 'none'; None: the
        exact kernel, by explicit features where they are cheaper.
    allow_indefinite : bool, default=False
        Accept kernel expressions that are not known to be positive semidefinite.
    random_state : int, RandomState, Generator or None, default=None
        Random seed; None is 1, so that results are reproducible.
    n_jobs : int or None, default=None
        Number of threads; None: all, or OMP_NUM_THREADS if set; -1: all.
    verbose : bool, default=False
        Show a progress bar.

    Attributes
    ----------
    support_ : ndarray of shape (n_SV,)
        Indices of the support vectors, class by class.
    support_vectors_ : array or sparse matrix of shape (n_SV, n_features)
        Support vectors; empty with kernel='precomputed'.
    n_support_ : ndarray of shape (n_classes,) or (1,)
        Number of support vectors, for classification of each class.
    dual_coef_ : array or sparse matrix of shape (n_classes - 1, n_SV) or (1, n_SV)
        Dual coefficients of the support vectors.
    intercept_ : ndarray of shape (n_classes * (n_classes - 1) / 2,) or (1,)
        Intercepts.
    coef_ : array or sparse matrix of shape (functions, n_features)
        Feature weights; only with kernel='linear'.
    fit_status_ : int
        0 if the solver converged, else 1.
    n_iter_ : int or ndarray of int
        Solver iterations, for classification of each pair of classes.
    shape_fit_ : tuple
        Shape of X.
    model_ : Model
        The fitted model, which the command line can read, too.
    report_ : dict
        Report of the fit: convergence, objective, time, warnings.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Feature names, if X was a data frame with column names.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from mercer import SVR
    >>> X, y = load_iris(return_X_y=True)
    >>> model = SVR().fit(X[:, :3], X[:, 3])
    >>> model.predict(X[:2, :3]).shape
    (2,)
    """

    _method = "svr"
    _names = {"C": "C", "epsilon": "epsilon"}

    def __init__(
        self,
        C: float = 1.0,
        *,
        epsilon: float = 0.1,
        kernel: str | Kernel | Callable[..., Any] = "rbf",
        gamma: Literal['scale', 'auto'] | float | None = "scale",
        degree: int = 3,
        coef0: float = 0.0,
        kernel_params: dict[Any, Any] | None = None,
        solver: Literal['auto', 'dual', 'primal'] = "auto",
        repair: Literal['clip', 'flip', 'shift', 'square'] | None = None,
        shrinking: bool = True,
        max_iter: int = -1,
        tol: float | None = None,
        cache_size: float = 1024,
        approx: str | None = None,
        allow_indefinite: bool = False,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.C = C
        self.epsilon = epsilon
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.solver = solver
        self.repair = repair
        self.shrinking = shrinking
        self.max_iter = max_iter
        self.tol = tol
        self.cache_size = cache_size
        self.approx = approx
        self.allow_indefinite = allow_indefinite
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class LinearSVR(LinearRegressor):
    """Linear support vector regression with a penalized intercept, its loss squared or not.

    ::

        min (‖w‖² + b²)/2 + C Σ loss(|y - wᵀx - b| - epsilon)

    Same interface as sklearn.svm.LinearSVR.

    Parameters
    ----------
    epsilon : float ≥ 0, default=0.0
        Errors below it cost nothing.
    C : float > 0, default=1.0
        Penalty on errors beyond epsilon.
    loss : {'epsilon_insensitive', 'squared_epsilon_insensitive'}, default='epsilon_insensitive'
        'epsilon_insensitive' is max(0, |y - f| - epsilon), the other one its square.
    fit_intercept : bool, default=True
        Learn an intercept: the weight of one more feature, which is intercept_scaling for each sample and
        penalized like the others.
    intercept_scaling : float > 0, default=1.0
        Value of the feature of the intercept; the larger, the less the intercept is penalized.
    max_iter : int ≥ 1, default=1000
        Maximum number of passes over the samples, or of Newton steps.
    dual : {'auto', True, False}, default='auto'
        Solver: True, coordinate descent over the samples; False, over the weights, with penalty='l2' Newton's
        method. 'auto' takes the faster one; the solution is the same.
    tol : float or None, default=0.0001
        Tolerance for convergence, measured in float64; None: the method's own.
    random_state : int, RandomState, Generator or None, default=None
        Random seed; None is 1, so that results are reproducible.
    n_jobs : int or None, default=None
        Number of threads; None: all, or OMP_NUM_THREADS if set; -1: all.
    verbose : bool, default=False
        Show a progress bar.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        Feature weights.
    intercept_ : ndarray of shape (1,) or 0.0
        Intercept; 0.0 with fit_intercept=False.
    n_iter_ : int
        Passes over the samples, or Newton steps.
    model_ : Model
        The fitted model, which the command line can read, too.
    report_ : dict
        Report of the fit: convergence, objective, time, warnings.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Feature names, if X was a data frame with column names.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from mercer import LinearSVR
    >>> X, y = load_iris(return_X_y=True)
    >>> model = LinearSVR().fit(X[:, :3], X[:, 3])
    >>> model.predict(X[:2, :3]).shape
    (2,)
    """

    _method = "linear_svr"
    _names = {"C": "C", "epsilon": "epsilon", "loss": "loss", "intercept": "fit_intercept",
              "intercept_scaling": "intercept_scaling", "epochs": "max_iter"}

    def __init__(
        self,
        epsilon: float = 0.0,
        *,
        C: float = 1.0,
        loss: Literal['epsilon_insensitive', 'squared_epsilon_insensitive'] = "epsilon_insensitive",
        fit_intercept: bool = True,
        intercept_scaling: float = 1.0,
        max_iter: int = 1000,
        dual: Literal['auto'] | bool = "auto",
        tol: float | None = 0.0001,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.epsilon = epsilon
        self.C = C
        self.loss = loss
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.max_iter = max_iter
        self.dual = dual
        self.tol = tol
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class NuSVR(SupportVectorRegressor):
    """Support vector regression that finds epsilon from a fraction nu.

    ::

        min ½‖w‖² + C·(nνε + Σ max(0, |y − f(x)| − ε)) over w and ε

    Same interface as sklearn.svm.NuSVR.

    Parameters
    ----------
    C : float > 0, default=1.0
        Penalty C on errors beyond epsilon.
    nu : float > 0 and at most 1, default=0.5
        Upper bound on the fraction of errors, lower bound on the fraction of support vectors.
    kernel : str, Kernel or callable, default='rbf'
        A name that scikit-learn knows ('linear', 'poly', 'rbf', 'sigmoid', 'cosine', 'laplacian', 'chi2',
        'precomputed'), an expression such as '0.5*rbf(gamma=0.1) + linear', a mercer.Kernel, or a callable
        that returns the kernel matrix of two arrays.
    gamma : {'scale', 'auto'}, float or None, default='scale'
        Gamma of 'rbf', 'poly', 'sigmoid', 'laplacian' and 'chi2': 'scale' is 1 / (n_features * X.var()),
        'auto' and None are 1 / n_features.
    degree : int, default=3
        Degree of 'poly'.
    coef0 : float, default=0.0
        Constant term of 'poly' and 'sigmoid'.
    kernel_params : dict or None, default=None
        Keyword arguments for a callable kernel.
    repair : {'clip', 'flip', 'shift', 'square'} or None, default=None
        How a kernel that is not positive semidefinite is made so: clip negative eigenvalues of its matrix to
        0, flip their sign (for SVC: the machine in a Kreĭn space), shift or square all of them; new rows are
        changed in the same way.
    shrinking : bool, default=True
        Use the shrinking heuristic.
    max_iter : int, default=-1
        Maximum number of solver iterations; -1: no limit.
    tol : float or None, default=None
        Tolerance for convergence, measured in float64; None: the method's own.
    cache_size : float, default=1024
        Memory for the kernel matrix, in MB.
    approx : str or None, default=None
        Kernel approximation: 'nystrom:500', 'fourier:2000', 'sketch:1024', 'explicit', or 'none'; None: the
        exact kernel, by explicit features where they are cheaper.
    allow_indefinite : bool, default=False
        Accept kernel expressions that are not known to be positive semidefinite.
    random_state : int, RandomState, Generator or None, default=None
        Random seed; None is 1, so that results are reproducible.
    n_jobs : int or None, default=None
        Number of threads; None: all, or OMP_NUM_THREADS if set; -1: all.
    verbose : bool, default=False
        Show a progress bar.

    Attributes
    ----------
    support_ : ndarray of shape (n_SV,)
        Indices of the support vectors, class by class.
    support_vectors_ : array or sparse matrix of shape (n_SV, n_features)
        Support vectors; empty with kernel='precomputed'.
    n_support_ : ndarray of shape (n_classes,) or (1,)
        Number of support vectors, for classification of each class.
    dual_coef_ : array or sparse matrix of shape (n_classes - 1, n_SV) or (1, n_SV)
        Dual coefficients of the support vectors.
    intercept_ : ndarray of shape (n_classes * (n_classes - 1) / 2,) or (1,)
        Intercepts.
    coef_ : array or sparse matrix of shape (functions, n_features)
        Feature weights; only with kernel='linear'.
    fit_status_ : int
        0 if the solver converged, else 1.
    n_iter_ : int or ndarray of int
        Solver iterations, for classification of each pair of classes.
    shape_fit_ : tuple
        Shape of X.
    model_ : Model
        The fitted model, which the command line can read, too.
    report_ : dict
        Report of the fit: convergence, objective, time, warnings.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Feature names, if X was a data frame with column names.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from mercer import NuSVR
    >>> X, y = load_iris(return_X_y=True)
    >>> model = NuSVR().fit(X[:, :3], X[:, 3])
    >>> model.predict(X[:2, :3]).shape
    (2,)
    """

    _method = "nu_svr"
    _names = {"C": "C", "nu": "nu"}

    def __init__(
        self,
        C: float = 1.0,
        *,
        nu: float = 0.5,
        kernel: str | Kernel | Callable[..., Any] = "rbf",
        gamma: Literal['scale', 'auto'] | float | None = "scale",
        degree: int = 3,
        coef0: float = 0.0,
        kernel_params: dict[Any, Any] | None = None,
        repair: Literal['clip', 'flip', 'shift', 'square'] | None = None,
        shrinking: bool = True,
        max_iter: int = -1,
        tol: float | None = None,
        cache_size: float = 1024,
        approx: str | None = None,
        allow_indefinite: bool = False,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.C = C
        self.nu = nu
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.repair = repair
        self.shrinking = shrinking
        self.max_iter = max_iter
        self.tol = tol
        self.cache_size = cache_size
        self.approx = approx
        self.allow_indefinite = allow_indefinite
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class OneClassSVM(SupportVectorNovelty):
    """One-class SVM: novelty detection with at most a fraction nu of outliers.

    ::

        min ½‖w‖² − νnρ + Σ max(0, ρ − wᵀφ(x))

    Same interface as sklearn.svm.OneClassSVM.

    Parameters
    ----------
    nu : float > 0 and at most 1, default=0.5
        Upper bound on the fraction of outliers, lower bound on the fraction of support vectors.
    kernel : str, Kernel or callable, default='rbf'
        A name that scikit-learn knows ('linear', 'poly', 'rbf', 'sigmoid', 'cosine', 'laplacian', 'chi2',
        'precomputed'), an expression such as '0.5*rbf(gamma=0.1) + linear', a mercer.Kernel, or a callable
        that returns the kernel matrix of two arrays.
    gamma : {'scale', 'auto'}, float or None, default='scale'
        Gamma of 'rbf', 'poly', 'sigmoid', 'laplacian' and 'chi2': 'scale' is 1 / (n_features * X.var()),
        'auto' and None are 1 / n_features.
    degree : int, default=3
        Degree of 'poly'.
    coef0 : float, default=0.0
        Constant term of 'poly' and 'sigmoid'.
    kernel_params : dict or None, default=None
        Keyword arguments for a callable kernel.
    solver : {'auto', 'dual', 'primal'}, default='auto'
        Solver; 'auto' takes the fastest that fits into memory.
    shrinking : bool, default=True
        Use the shrinking heuristic.
    max_iter : int, default=-1
        Maximum number of solver iterations; -1: no limit.
    tol : float or None, default=None
        Tolerance for convergence, measured in float64; None: the method's own.
    cache_size : float, default=1024
        Memory for the kernel matrix, in MB.
    approx : str or None, default=None
        Kernel approximation: 'nystrom:500', 'fourier:2000', 'sketch:1024', 'explicit', or 'none'; None: the
        exact kernel, by explicit features where they are cheaper.
    allow_indefinite : bool, default=False
        Accept kernel expressions that are not known to be positive semidefinite.
    random_state : int, RandomState, Generator or None, default=None
        Random seed; None is 1, so that results are reproducible.
    n_jobs : int or None, default=None
        Number of threads; None: all, or OMP_NUM_THREADS if set; -1: all.
    verbose : bool, default=False
        Show a progress bar.

    Attributes
    ----------
    support_ : ndarray of shape (n_SV,)
        Indices of the support vectors, class by class.
    support_vectors_ : array or sparse matrix of shape (n_SV, n_features)
        Support vectors; empty with kernel='precomputed'.
    n_support_ : ndarray of shape (n_classes,) or (1,)
        Number of support vectors, for classification of each class.
    dual_coef_ : array or sparse matrix of shape (n_classes - 1, n_SV) or (1, n_SV)
        Dual coefficients of the support vectors.
    intercept_ : ndarray of shape (n_classes * (n_classes - 1) / 2,) or (1,)
        Intercepts.
    coef_ : array or sparse matrix of shape (functions, n_features)
        Feature weights; only with kernel='linear'.
    fit_status_ : int
        0 if the solver converged, else 1.
    n_iter_ : int or ndarray of int
        Solver iterations, for classification of each pair of classes.
    shape_fit_ : tuple
        Shape of X.
    offset_ : ndarray of shape (1,)
        Decision_function is score_samples - offset_.
    model_ : Model
        The fitted model, which the command line can read, too.
    report_ : dict
        Report of the fit: convergence, objective, time, warnings.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Feature names, if X was a data frame with column names.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from mercer import OneClassSVM
    >>> X, y = load_iris(return_X_y=True)
    >>> model = OneClassSVM().fit(X)
    >>> model.predict([[50.0, 50.0, 50.0, 50.0]])
    array([-1])
    """

    _method = "one_class"
    _names = {"nu": "nu"}

    def __init__(
        self,
        nu: float = 0.5,
        *,
        kernel: str | Kernel | Callable[..., Any] = "rbf",
        gamma: Literal['scale', 'auto'] | float | None = "scale",
        degree: int = 3,
        coef0: float = 0.0,
        kernel_params: dict[Any, Any] | None = None,
        solver: Literal['auto', 'dual', 'primal'] = "auto",
        shrinking: bool = True,
        max_iter: int = -1,
        tol: float | None = None,
        cache_size: float = 1024,
        approx: str | None = None,
        allow_indefinite: bool = False,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.nu = nu
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.solver = solver
        self.shrinking = shrinking
        self.max_iter = max_iter
        self.tol = tol
        self.cache_size = cache_size
        self.approx = approx
        self.allow_indefinite = allow_indefinite
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class KernelRidge(DualRegressor):
    """Kernel ridge regression; ridge regression with the linear kernel.

    ::

        min Σ (y - f(x))² + alpha ‖f‖²

    Same interface as sklearn.kernel_ridge.KernelRidge.

    Parameters
    ----------
    alpha : float ≥ 0 or array of shape (n_targets,), default=1.0
        Ridge penalty, added to the diagonal of K; an array has one for each target. With 0 the function
        interpolates y; if K is singular it is the minimum-norm least-squares solution, with a warning.
    select : {'none', 'loo', 'gcv'}, default='none'
        'loo' and 'gcv' select the penalty, instead of alpha, from 50 values by leave-one-out or generalized
        cross-validation.
    bias : {'none', 'free'}, default='none'
        Free: an unpenalized intercept; none: no intercept.
    kernel : str, Kernel or callable, default='linear'
        A name that scikit-learn knows ('linear', 'poly', 'rbf', 'sigmoid', 'cosine', 'laplacian', 'chi2',
        'precomputed'), an expression such as '0.5*rbf(gamma=0.1) + linear', a mercer.Kernel, or a callable
        that returns the kernel matrix of two arrays.
    gamma : {'scale', 'auto'}, float or None, default=None
        Gamma of 'rbf', 'poly', 'sigmoid', 'laplacian' and 'chi2': 'scale' is 1 / (n_features * X.var()),
        'auto' and None are 1 / n_features.
    degree : int, default=3
        Degree of 'poly'.
    coef0 : float, default=1.0
        Constant term of 'poly' and 'sigmoid'.
    kernel_params : dict or None, default=None
        Keyword arguments for a callable kernel.
    solver : {'auto', 'cholesky', 'cg', 'primal', 'dual'}, default='auto'
        Solver; 'auto' takes the fastest that fits into memory.
    repair : {'clip', 'flip', 'shift', 'square'} or None, default=None
        How a kernel that is not positive semidefinite is made so: clip negative eigenvalues of its matrix to
        0, flip their sign (for SVC: the machine in a Kreĭn space), shift or square all of them; new rows are
        changed in the same way.
    tol : float or None, default=None
        Tolerance for convergence, measured in float64; None: the method's own.
    cache_size : float, default=1024
        Memory for the kernel matrix, in MB.
    approx : str or None, default=None
        Kernel approximation: 'nystrom:500', 'fourier:2000', 'sketch:1024', 'explicit', or 'none'; None: the
        exact kernel, by explicit features where they are cheaper.
    allow_indefinite : bool, default=False
        Accept kernel expressions that are not known to be positive semidefinite.
    random_state : int, RandomState, Generator or None, default=None
        Random seed; None is 1, so that results are reproducible.
    n_jobs : int or None, default=None
        Number of threads; None: all, or OMP_NUM_THREADS if set; -1: all.
    verbose : bool, default=False
        Show a progress bar.

    Attributes
    ----------
    dual_coef_ : ndarray of shape (n_samples,) or (n_samples, n_outputs)
        Dual coefficients, one per training sample.
    X_fit_ : array or sparse matrix of shape (n_samples, n_features)
        Training samples; with kernel='precomputed' the kernel matrix.
    model_ : Model
        The fitted model, which the command line can read, too.
    report_ : dict
        Report of the fit: convergence, objective, time, warnings.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Feature names, if X was a data frame with column names.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from mercer import KernelRidge
    >>> X, y = load_iris(return_X_y=True)
    >>> model = KernelRidge().fit(X[:, :3], X[:, 3])
    >>> model.predict(X[:2, :3]).shape
    (2,)
    """

    _method = "ridge"
    _names = {"tau2": "alpha", "select": "select", "bias": "bias"}
    _several = True

    def __init__(
        self,
        alpha: float | ArrayLike = 1.0,
        *,
        select: Literal['none', 'loo', 'gcv'] = "none",
        bias: Literal['none', 'free'] = "none",
        kernel: str | Kernel | Callable[..., Any] = "linear",
        gamma: Literal['scale', 'auto'] | float | None = None,
        degree: int = 3,
        coef0: float = 1.0,
        kernel_params: dict[Any, Any] | None = None,
        solver: Literal['auto', 'cholesky', 'cg', 'primal', 'dual'] = "auto",
        repair: Literal['clip', 'flip', 'shift', 'square'] | None = None,
        tol: float | None = None,
        cache_size: float = 1024,
        approx: str | None = None,
        allow_indefinite: bool = False,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.alpha = alpha
        self.select = select
        self.bias = bias
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.solver = solver
        self.repair = repair
        self.tol = tol
        self.cache_size = cache_size
        self.approx = approx
        self.allow_indefinite = allow_indefinite
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class KernelLogisticRegression(DualClassifier):
    """Kernel logistic regression for two or more classes.

    ::

        min (1/n)·Σ log(1 + e^(−y·f(x))) + λ·‖f‖²; of many classes (1/n)·Σ log Σ e^(f_c(x) − f_y(x))

    Parameters
    ----------
    alpha : float > 0, default=0.001
        Penalty on ‖f‖².
    bias : {'free', 'none'}, default='free'
        Free: an unpenalized intercept; none: no intercept.
    kernel : str, Kernel or callable, default='rbf'
        A name that scikit-learn knows ('linear', 'poly', 'rbf', 'sigmoid', 'cosine', 'laplacian', 'chi2',
        'precomputed'), an expression such as '0.5*rbf(gamma=0.1) + linear', a mercer.Kernel, or a callable
        that returns the kernel matrix of two arrays.
    gamma : {'scale', 'auto'}, float or None, default='scale'
        Gamma of 'rbf', 'poly', 'sigmoid', 'laplacian' and 'chi2': 'scale' is 1 / (n_features * X.var()),
        'auto' and None are 1 / n_features.
    degree : int, default=3
        Degree of 'poly'.
    coef0 : float, default=0.0
        Constant term of 'poly' and 'sigmoid'.
    kernel_params : dict or None, default=None
        Keyword arguments for a callable kernel.
    class_weight : dict, 'balanced' or None, default=None
        Weights of the classes: a dictionary, or 'balanced' for n_samples / (n_classes * samples of the
        class).
    solver : {'auto', 'newton', 'gradient', 'cholesky', 'cg', 'primal', 'dual'}, default='auto'
        Solver; 'auto' takes the fastest that fits into memory.
    repair : {'clip', 'flip', 'shift', 'square'} or None, default=None
        How a kernel that is not positive semidefinite is made so: clip negative eigenvalues of its matrix to
        0, flip their sign (for SVC: the machine in a Kreĭn space), shift or square all of them; new rows are
        changed in the same way.
    tol : float or None, default=None
        Tolerance for convergence, measured in float64; None: the method's own.
    cache_size : float, default=1024
        Memory for the kernel matrix, in MB.
    approx : str or None, default=None
        Kernel approximation: 'nystrom:500', 'fourier:2000', 'sketch:1024', 'explicit', or 'none'; None: the
        exact kernel, by explicit features where they are cheaper.
    allow_indefinite : bool, default=False
        Accept kernel expressions that are not known to be positive semidefinite.
    random_state : int, RandomState, Generator or None, default=None
        Random seed; None is 1, so that results are reproducible.
    n_jobs : int or None, default=None
        Number of threads; None: all, or OMP_NUM_THREADS if set; -1: all.
    verbose : bool, default=False
        Show a progress bar.

    Attributes
    ----------
    support_ : ndarray of shape (n_support,)
        Indices of the training samples whose coefficients are not 0.
    dual_coef_ : ndarray of shape (n_functions, n_support)
        Their coefficients: dual_coef_ @ k(X[support_], x) + intercept_ is the decision function or the
        prediction (of counts and rates its logarithm).
    intercept_ : ndarray of shape (n_functions,)
        Intercepts.
    classes_ : ndarray of shape (n_classes,)
        Class labels, sorted.
    model_ : Model
        The fitted model, which the command line can read, too.
    report_ : dict
        Report of the fit: convergence, objective, time, warnings.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Feature names, if X was a data frame with column names.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from mercer import KernelLogisticRegression
    >>> X, y = load_iris(return_X_y=True)
    >>> model = KernelLogisticRegression().fit(X[:100], y[:100])
    >>> model.predict(X[[0, 99]])
    array([0, 1])
    """

    _method = "logistic"
    _names = {"lambda": "alpha", "bias": "bias"}

    def __init__(
        self,
        alpha: float = 0.001,
        *,
        bias: Literal['free', 'none'] = "free",
        kernel: str | Kernel | Callable[..., Any] = "rbf",
        gamma: Literal['scale', 'auto'] | float | None = "scale",
        degree: int = 3,
        coef0: float = 0.0,
        kernel_params: dict[Any, Any] | None = None,
        class_weight: Literal['balanced'] | dict[Any, Any] | None = None,
        solver: Literal['auto', 'newton', 'gradient', 'cholesky', 'cg', 'primal', 'dual'] = "auto",
        repair: Literal['clip', 'flip', 'shift', 'square'] | None = None,
        tol: float | None = None,
        cache_size: float = 1024,
        approx: str | None = None,
        allow_indefinite: bool = False,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.alpha = alpha
        self.bias = bias
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.class_weight = class_weight
        self.solver = solver
        self.repair = repair
        self.tol = tol
        self.cache_size = cache_size
        self.approx = approx
        self.allow_indefinite = allow_indefinite
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class KernelPerceptron(Perceptron):
    """Kernel perceptron, trained on one row at a time.

    ::

        at each mistake f += y·k(x, ·); the result is the mean of all f on the way

    Parameters
    ----------
    max_iter : int, default=10
        Maximum number of passes over the rows.
    averaged : bool, default=True
        Predict with the average of all iterates, or with the last.
    kernel : str, Kernel or callable, default='rbf'
        A name that scikit-learn knows ('linear', 'poly', 'rbf', 'sigmoid', 'cosine', 'laplacian', 'chi2',
        'precomputed'), an expression such as '0.5*rbf(gamma=0.1) + linear', a mercer.Kernel, or a callable
        that returns the kernel matrix of two arrays.
    gamma : {'scale', 'auto'}, float or None, default='scale'
        Gamma of 'rbf', 'poly', 'sigmoid', 'laplacian' and 'chi2': 'scale' is 1 / (n_features * X.var()),
        'auto' and None are 1 / n_features.
    degree : int, default=3
        Degree of 'poly'.
    coef0 : float, default=0.0
        Constant term of 'poly' and 'sigmoid'.
    kernel_params : dict or None, default=None
        Keyword arguments for a callable kernel.
    class_weight : dict, 'balanced' or None, default=None
        Weights of the classes: a dictionary, or 'balanced' for n_samples / (n_classes * samples of the
        class).
    solver : {'auto', 'dual', 'primal'}, default='auto'
        Solver; 'auto' takes the fastest that fits into memory.
    tol : float or None, default=None
        Tolerance for convergence, measured in float64; None: the method's own.
    cache_size : float, default=1024
        Memory for the kernel matrix, in MB.
    approx : str or None, default=None
        Kernel approximation: 'nystrom:500', 'fourier:2000', 'sketch:1024', 'explicit', or 'none'; None: the
        exact kernel, by explicit features where they are cheaper.
    allow_indefinite : bool, default=False
        Accept kernel expressions that are not known to be positive semidefinite.
    random_state : int, RandomState, Generator or None, default=None
        Random seed; None is 1, so that results are reproducible.
    n_jobs : int or None, default=None
        Number of threads; None: all, or OMP_NUM_THREADS if set; -1: all.
    verbose : bool, default=False
        Show a progress bar.

    Attributes
    ----------
    n_iter_ : int
        Number of epochs.
    support_ : ndarray of shape (n_support,)
        Indices of the training samples whose coefficients are not 0.
    dual_coef_ : ndarray of shape (n_functions, n_support)
        Their coefficients: dual_coef_ @ k(X[support_], x) + intercept_ is the decision function or the
        prediction (of counts and rates its logarithm).
    intercept_ : ndarray of shape (n_functions,)
        Intercepts.
    classes_ : ndarray of shape (n_classes,)
        Class labels, sorted.
    model_ : Model
        The fitted model, which the command line can read, too.
    report_ : dict
        Report of the fit: convergence, objective, time, warnings.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Feature names, if X was a data frame with column names.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from mercer import KernelPerceptron
    >>> X, y = load_iris(return_X_y=True)
    >>> model = KernelPerceptron().fit(X[:100], y[:100])
    >>> model.predict(X[[0, 99]])
    array([0, 1])
    """

    _method = "perceptron"
    _names = {"epochs": "max_iter", "averaged": "averaged"}

    def __init__(
        self,
        max_iter: int = 10,
        *,
        averaged: bool = True,
        kernel: str | Kernel | Callable[..., Any] = "rbf",
        gamma: Literal['scale', 'auto'] | float | None = "scale",
        degree: int = 3,
        coef0: float = 0.0,
        kernel_params: dict[Any, Any] | None = None,
        class_weight: Literal['balanced'] | dict[Any, Any] | None = None,
        solver: Literal['auto', 'dual', 'primal'] = "auto",
        tol: float | None = None,
        cache_size: float = 1024,
        approx: str | None = None,
        allow_indefinite: bool = False,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.max_iter = max_iter
        self.averaged = averaged
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.class_weight = class_weight
        self.solver = solver
        self.tol = tol
        self.cache_size = cache_size
        self.approx = approx
        self.allow_indefinite = allow_indefinite
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class OnlinePerceptron(OnlineClassifier):
    """Kernel perceptron on a budget, learning online from one row after the other (Forgetron).

    ::

        at each mistake f += y·k(x, ·); beyond the budget f is shrunk and its oldest term removed

    Partial_fit(X, y) goes on with more samples; the model is the same, bit by bit, whether they come one by
    one or in blocks, and at most budget of them are kept.

    Parameters
    ----------
    budget : int, default=500
        Number of points kept at most.
    epochs : int, default=1
        Number of passes over the rows, in their order.
    kernel : str, Kernel or callable, default='rbf'
        A name that scikit-learn knows ('linear', 'poly', 'rbf', 'sigmoid', 'cosine', 'laplacian', 'chi2',
        'precomputed'), an expression such as '0.5*rbf(gamma=0.1) + linear', a mercer.Kernel, or a callable
        that returns the kernel matrix of two arrays.
    gamma : {'scale', 'auto'}, float or None, default='scale'
        Gamma of 'rbf', 'poly', 'sigmoid', 'laplacian' and 'chi2': 'scale' is 1 / (n_features * X.var()),
        'auto' and None are 1 / n_features.
    degree : int, default=3
        Degree of 'poly'.
    coef0 : float, default=0.0
        Constant term of 'poly' and 'sigmoid'.
    kernel_params : dict or None, default=None
        Keyword arguments for a callable kernel.
    tol : float or None, default=None
        Tolerance for convergence, measured in float64; None: the method's own.
    cache_size : float, default=1024
        Memory for the kernel matrix, in MB.
    approx : str or None, default=None
        Kernel approximation: 'nystrom:500', 'fourier:2000', 'sketch:1024', 'explicit', or 'none'; None: the
        exact kernel, by explicit features where they are cheaper.
    allow_indefinite : bool, default=False
        Accept kernel expressions that are not known to be positive semidefinite.
    random_state : int, RandomState, Generator or None, default=None
        Random seed; None is 1, so that results are reproducible.
    n_jobs : int or None, default=None
        Number of threads; None: all, or OMP_NUM_THREADS if set; -1: all.
    verbose : bool, default=False
        Show a progress bar.

    Attributes
    ----------
    n_seen_ : int
        Samples seen, each as often as it was visited.
    support_vectors_ : array or sparse matrix of shape (n_kept, n_features)
        The samples kept, the oldest first; at most budget.
    dual_coef_ : ndarray of shape (n_kept, n_functions)
        Their coefficients.
    classes_ : ndarray of shape (n_classes,)
        Class labels, sorted.
    model_ : Model
        The fitted model, which the command line can read, too.
    report_ : dict
        Report of the fit: convergence, objective, time, warnings.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Feature names, if X was a data frame with column names.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from mercer import OnlinePerceptron
    >>> X, y = load_iris(return_X_y=True)
    >>> model = OnlinePerceptron().fit(X[:100], y[:100])
    >>> model.predict(X[[0, 99]])
    array([0, 1])
    """

    _method = "online_perceptron"
    _names = {"budget": "budget", "epochs": "epochs"}

    def __init__(
        self,
        budget: int = 500,
        *,
        epochs: int = 1,
        kernel: str | Kernel | Callable[..., Any] = "rbf",
        gamma: Literal['scale', 'auto'] | float | None = "scale",
        degree: int = 3,
        coef0: float = 0.0,
        kernel_params: dict[Any, Any] | None = None,
        tol: float | None = None,
        cache_size: float = 1024,
        approx: str | None = None,
        allow_indefinite: bool = False,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.budget = budget
        self.epochs = epochs
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.tol = tol
        self.cache_size = cache_size
        self.approx = approx
        self.allow_indefinite = allow_indefinite
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class NormaClassifier(OnlineClassifier):
    """Online regularized risk minimization by stochastic gradient steps, on a budget.

    ::

        f ← (1 − η·λ)·f − η·L′(y, f(x))·k(x, ·) at each row

    Partial_fit(X, y) goes on with more samples; the model is the same, bit by bit, whether they come one by
    one or in blocks, and at most budget of them are kept.

    Parameters
    ----------
    loss : {'auto', 'hinge', 'squared_hinge', 'logistic', 'squared', 'absolute', 'epsilon_insensitive', 'huber', 'pinball'}, default='auto'
        Loss L; auto: hinge for classes, squared for numbers.
    shape : float ≥ 0 or None, default=None
        Parameter of the loss (delta of huber, tau of pinball, epsilon of epsilon_insensitive); none: the
        usual one.
    rate : float > 0, default=0.2
        Learning rate η of the first step.
    schedule : {'constant', 'root'}, default='constant'
        Constant: η stays, and old terms fade; root: it falls as 1/√t with the number t of the row.
    alpha : float ≥ 0, default=0.01
        Penalty on ‖f‖²: in each step f shrinks by 1 − η·λ.
    bias : {'none', 'free'}, default='none'
        Free: an unpenalized intercept; none: no intercept.
    budget : int, default=500
        Number of points kept at most.
    epochs : int, default=1
        Number of passes over the rows, in their order.
    kernel : str, Kernel or callable, default='rbf'
        A name that scikit-learn knows ('linear', 'poly', 'rbf', 'sigmoid', 'cosine', 'laplacian', 'chi2',
        'precomputed'), an expression such as '0.5*rbf(gamma=0.1) + linear', a mercer.Kernel, or a callable
        that returns the kernel matrix of two arrays.
    gamma : {'scale', 'auto'}, float or None, default='scale'
        Gamma of 'rbf', 'poly', 'sigmoid', 'laplacian' and 'chi2': 'scale' is 1 / (n_features * X.var()),
        'auto' and None are 1 / n_features.
    degree : int, default=3
        Degree of 'poly'.
    coef0 : float, default=0.0
        Constant term of 'poly' and 'sigmoid'.
    kernel_params : dict or None, default=None
        Keyword arguments for a callable kernel.
    tol : float or None, default=None
        Tolerance for convergence, measured in float64; None: the method's own.
    cache_size : float, default=1024
        Memory for the kernel matrix, in MB.
    approx : str or None, default=None
        Kernel approximation: 'nystrom:500', 'fourier:2000', 'sketch:1024', 'explicit', or 'none'; None: the
        exact kernel, by explicit features where they are cheaper.
    allow_indefinite : bool, default=False
        Accept kernel expressions that are not known to be positive semidefinite.
    random_state : int, RandomState, Generator or None, default=None
        Random seed; None is 1, so that results are reproducible.
    n_jobs : int or None, default=None
        Number of threads; None: all, or OMP_NUM_THREADS if set; -1: all.
    verbose : bool, default=False
        Show a progress bar.

    Attributes
    ----------
    n_seen_ : int
        Samples seen, each as often as it was visited.
    support_vectors_ : array or sparse matrix of shape (n_kept, n_features)
        The samples kept, the oldest first; at most budget.
    dual_coef_ : ndarray of shape (n_kept, n_functions)
        Their coefficients.
    classes_ : ndarray of shape (n_classes,)
        Class labels, sorted.
    model_ : Model
        The fitted model, which the command line can read, too.
    report_ : dict
        Report of the fit: convergence, objective, time, warnings.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Feature names, if X was a data frame with column names.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from mercer import NormaClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = NormaClassifier(epochs=5).fit(X[:100], y[:100])
    >>> model.predict(X[[0, 99]])
    array([0, 1])
    """

    _method = "norma"
    _names = {"loss": "loss", "shape": "shape", "rate": "rate", "schedule": "schedule", "lambda": "alpha",
              "bias": "bias", "budget": "budget", "epochs": "epochs"}
    _several = True

    def __init__(
        self,
        loss: Literal['auto', 'hinge', 'squared_hinge', 'logistic', 'squared', 'absolute', 'epsilon_insensitive', 'huber', 'pinball'] = "auto",
        *,
        shape: float | None = None,
        rate: float = 0.2,
        schedule: Literal['constant', 'root'] = "constant",
        alpha: float = 0.01,
        bias: Literal['none', 'free'] = "none",
        budget: int = 500,
        epochs: int = 1,
        kernel: str | Kernel | Callable[..., Any] = "rbf",
        gamma: Literal['scale', 'auto'] | float | None = "scale",
        degree: int = 3,
        coef0: float = 0.0,
        kernel_params: dict[Any, Any] | None = None,
        tol: float | None = None,
        cache_size: float = 1024,
        approx: str | None = None,
        allow_indefinite: bool = False,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.loss = loss
        self.shape = shape
        self.rate = rate
        self.schedule = schedule
        self.alpha = alpha
        self.bias = bias
        self.budget = budget
        self.epochs = epochs
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.tol = tol
        self.cache_size = cache_size
        self.approx = approx
        self.allow_indefinite = allow_indefinite
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class NormaRegressor(OnlineRegressor):
    """Online regularized risk minimization by stochastic gradient steps, on a budget.

    ::

        f ← (1 − η·λ)·f − η·L′(y, f(x))·k(x, ·) at each row

    Partial_fit(X, y) goes on with more samples; the model is the same, bit by bit, whether they come one by
    one or in blocks, and at most budget of them are kept.

    Parameters
    ----------
    loss : {'auto', 'hinge', 'squared_hinge', 'logistic', 'squared', 'absolute', 'epsilon_insensitive', 'huber', 'pinball'}, default='auto'
        Loss L; auto: hinge for classes, squared for numbers.
    shape : float ≥ 0 or None, default=None
        Parameter of the loss (delta of huber, tau of pinball, epsilon of epsilon_insensitive); none: the
        usual one.
    rate : float > 0, default=0.2
        Learning rate η of the first step.
    schedule : {'constant', 'root'}, default='constant'
        Constant: η stays, and old terms fade; root: it falls as 1/√t with the number t of the row.
    alpha : float ≥ 0, default=0.01
        Penalty on ‖f‖²: in each step f shrinks by 1 − η·λ.
    bias : {'none', 'free'}, default='none'
        Free: an unpenalized intercept; none: no intercept.
    budget : int, default=500
        Number of points kept at most.
    epochs : int, default=1
        Number of passes over the rows, in their order.
    kernel : str, Kernel or callable, default='rbf'
        A name that scikit-learn knows ('linear', 'poly', 'rbf', 'sigmoid', 'cosine', 'laplacian', 'chi2',
        'precomputed'), an expression such as '0.5*rbf(gamma=0.1) + linear', a mercer.Kernel, or a callable
        that returns the kernel matrix of two arrays.
    gamma : {'scale', 'auto'}, float or None, default='scale'
        Gamma of 'rbf', 'poly', 'sigmoid', 'laplacian' and 'chi2': 'scale' is 1 / (n_features * X.var()),
        'auto' and None are 1 / n_features.
    degree : int, default=3
        Degree of 'poly'.
    coef0 : float, default=0.0
        Constant term of 'poly' and 'sigmoid'.
    kernel_params : dict or None, default=None
        Keyword arguments for a callable kernel.
    tol : float or None, default=None
        Tolerance for convergence, measured in float64; None: the method's own.
    cache_size : float, default=1024
        Memory for the kernel matrix, in MB.
    approx : str or None, default=None
        Kernel approximation: 'nystrom:500', 'fourier:2000', 'sketch:1024', 'explicit', or 'none'; None: the
        exact kernel, by explicit features where they are cheaper.
    allow_indefinite : bool, default=False
        Accept kernel expressions that are not known to be positive semidefinite.
    random_state : int, RandomState, Generator or None, default=None
        Random seed; None is 1, so that results are reproducible.
    n_jobs : int or None, default=None
        Number of threads; None: all, or OMP_NUM_THREADS if set; -1: all.
    verbose : bool, default=False
        Show a progress bar.

    Attributes
    ----------
    n_seen_ : int
        Samples seen, each as often as it was visited.
    support_vectors_ : array or sparse matrix of shape (n_kept, n_features)
        The samples kept, the oldest first; at most budget.
    dual_coef_ : ndarray of shape (n_kept, n_functions)
        Their coefficients.
    model_ : Model
        The fitted model, which the command line can read, too.
    report_ : dict
        Report of the fit: convergence, objective, time, warnings.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Feature names, if X was a data frame with column names.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from mercer import NormaRegressor
    >>> X, y = load_iris(return_X_y=True)
    >>> model = NormaRegressor().fit(X[:, :3], X[:, 3])
    >>> model.predict(X[:2, :3]).shape
    (2,)
    """

    _method = "norma"
    _names = {"loss": "loss", "shape": "shape", "rate": "rate", "schedule": "schedule", "lambda": "alpha",
              "bias": "bias", "budget": "budget", "epochs": "epochs"}
    _several = True

    def __init__(
        self,
        loss: Literal['auto', 'hinge', 'squared_hinge', 'logistic', 'squared', 'absolute', 'epsilon_insensitive', 'huber', 'pinball'] = "auto",
        *,
        shape: float | None = None,
        rate: float = 0.2,
        schedule: Literal['constant', 'root'] = "constant",
        alpha: float = 0.01,
        bias: Literal['none', 'free'] = "none",
        budget: int = 500,
        epochs: int = 1,
        kernel: str | Kernel | Callable[..., Any] = "rbf",
        gamma: Literal['scale', 'auto'] | float | None = "scale",
        degree: int = 3,
        coef0: float = 0.0,
        kernel_params: dict[Any, Any] | None = None,
        tol: float | None = None,
        cache_size: float = 1024,
        approx: str | None = None,
        allow_indefinite: bool = False,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.loss = loss
        self.shape = shape
        self.rate = rate
        self.schedule = schedule
        self.alpha = alpha
        self.bias = bias
        self.budget = budget
        self.epochs = epochs
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.tol = tol
        self.cache_size = cache_size
        self.approx = approx
        self.allow_indefinite = allow_indefinite
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class RecursiveKernelRidge(OnlineRegressor):
    """Kernel ridge regression that learns online, updated exactly with each row (kernel recursive least
    squares).

    ::

        min Σ (y − f(x))² + τ²·‖f‖² over f = Σ α·k(x, ·) of a dictionary, by recursive least squares

    Partial_fit(X, y) goes on with more samples; the model is the same, bit by bit, whether they come one by
    one or in blocks, and at most budget of them are kept.

    Parameters
    ----------
    alpha : float > 0, default=1.0
        Ridge penalty: added to the diagonal of K.
    budget : int, default=200
        Number of points kept at most: rows of the dictionary.
    novelty : float from 0 to 1, default=1e-08
        A row joins the dictionary if its squared distance from the span of the dictionary in feature space,
        as a share of k(x, x), is above this; 0: above rounding.
    bias : {'none', 'free'}, default='none'
        Free: an unpenalized intercept; none: no intercept.
    kernel : str, Kernel or callable, default='rbf'
        A name that scikit-learn knows ('linear', 'poly', 'rbf', 'sigmoid', 'cosine', 'laplacian', 'chi2',
        'precomputed'), an expression such as '0.5*rbf(gamma=0.1) + linear', a mercer.Kernel, or a callable
        that returns the kernel matrix of two arrays.
    gamma : {'scale', 'auto'}, float or None, default='scale'
        Gamma of 'rbf', 'poly', 'sigmoid', 'laplacian' and 'chi2': 'scale' is 1 / (n_features * X.var()),
        'auto' and None are 1 / n_features.
    degree : int, default=3
        Degree of 'poly'.
    coef0 : float, default=0.0
        Constant term of 'poly' and 'sigmoid'.
    kernel_params : dict or None, default=None
        Keyword arguments for a callable kernel.
    tol : float or None, default=None
        Tolerance for convergence, measured in float64; None: the method's own.
    cache_size : float, default=1024
        Memory for the kernel matrix, in MB.
    approx : str or None, default=None
        Kernel approximation: 'nystrom:500', 'fourier:2000', 'sketch:1024', 'explicit', or 'none'; None: the
        exact kernel, by explicit features where they are cheaper.
    allow_indefinite : bool, default=False
        Accept kernel expressions that are not known to be positive semidefinite.
    random_state : int, RandomState, Generator or None, default=None
        Random seed; None is 1, so that results are reproducible.
    n_jobs : int or None, default=None
        Number of threads; None: all, or OMP_NUM_THREADS if set; -1: all.
    verbose : bool, default=False
        Show a progress bar.

    Attributes
    ----------
    n_seen_ : int
        Samples seen, each as often as it was visited.
    support_vectors_ : array or sparse matrix of shape (n_kept, n_features)
        The samples kept, the oldest first; at most budget.
    dual_coef_ : ndarray of shape (n_kept, n_functions)
        Their coefficients.
    model_ : Model
        The fitted model, which the command line can read, too.
    report_ : dict
        Report of the fit: convergence, objective, time, warnings.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Feature names, if X was a data frame with column names.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from mercer import RecursiveKernelRidge
    >>> X, y = load_iris(return_X_y=True)
    >>> model = RecursiveKernelRidge().fit(X[:, :3], X[:, 3])
    >>> model.predict(X[:2, :3]).shape
    (2,)
    """

    _method = "recursive_ridge"
    _names = {"tau2": "alpha", "budget": "budget", "novelty": "novelty", "bias": "bias"}
    _several = True

    def __init__(
        self,
        alpha: float = 1.0,
        *,
        budget: int = 200,
        novelty: float = 1e-08,
        bias: Literal['none', 'free'] = "none",
        kernel: str | Kernel | Callable[..., Any] = "rbf",
        gamma: Literal['scale', 'auto'] | float | None = "scale",
        degree: int = 3,
        coef0: float = 0.0,
        kernel_params: dict[Any, Any] | None = None,
        tol: float | None = None,
        cache_size: float = 1024,
        approx: str | None = None,
        allow_indefinite: bool = False,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.alpha = alpha
        self.budget = budget
        self.novelty = novelty
        self.bias = bias
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.tol = tol
        self.cache_size = cache_size
        self.approx = approx
        self.allow_indefinite = allow_indefinite
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class KernelFisherDiscriminant(Discriminant):
    """Fisher discriminant analysis: projects onto the directions that separate the classes, then takes the
    nearest class mean.

    ::

        max vᵀS_B v / vᵀ(S_W + μI)v in feature space; then the nearest class mean

    Transform(X) gives the discriminant coordinates.

    Parameters
    ----------
    alpha : float > 0, default=0.001
        Μ relative to the total variance: μ = lambda·tr S_T.
    kernel : str, Kernel or callable, default='rbf'
        A name that scikit-learn knows ('linear', 'poly', 'rbf', 'sigmoid', 'cosine', 'laplacian', 'chi2',
        'precomputed'), an expression such as '0.5*rbf(gamma=0.1) + linear', a mercer.Kernel, or a callable
        that returns the kernel matrix of two arrays.
    gamma : {'scale', 'auto'}, float or None, default='scale'
        Gamma of 'rbf', 'poly', 'sigmoid', 'laplacian' and 'chi2': 'scale' is 1 / (n_features * X.var()),
        'auto' and None are 1 / n_features.
    degree : int, default=3
        Degree of 'poly'.
    coef0 : float, default=0.0
        Constant term of 'poly' and 'sigmoid'.
    kernel_params : dict or None, default=None
        Keyword arguments for a callable kernel.
    solver : {'auto', 'dual', 'primal'}, default='auto'
        Solver; 'auto' takes the fastest that fits into memory.
    tol : float or None, default=None
        Tolerance for convergence, measured in float64; None: the method's own.
    cache_size : float, default=1024
        Memory for the kernel matrix, in MB.
    approx : str or None, default=None
        Kernel approximation: 'nystrom:500', 'fourier:2000', 'sketch:1024', 'explicit', or 'none'; None: the
        exact kernel, by explicit features where they are cheaper.
    allow_indefinite : bool, default=False
        Accept kernel expressions that are not known to be positive semidefinite.
    random_state : int, RandomState, Generator or None, default=None
        Random seed; None is 1, so that results are reproducible.
    n_jobs : int or None, default=None
        Number of threads; None: all, or OMP_NUM_THREADS if set; -1: all.
    verbose : bool, default=False
        Show a progress bar.

    Attributes
    ----------
    explained_variance_ratio_ : ndarray of shape (n_classes - 1,)
        Share of the scatter between classes along each coordinate, the largest first.
    classes_ : ndarray of shape (n_classes,)
        Class labels, sorted.
    model_ : Model
        The fitted model, which the command line can read, too.
    report_ : dict
        Report of the fit: convergence, objective, time, warnings.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Feature names, if X was a data frame with column names.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from mercer import KernelFisherDiscriminant
    >>> X, y = load_iris(return_X_y=True)
    >>> model = KernelFisherDiscriminant().fit(X[:100], y[:100])
    >>> model.predict(X[[0, 99]])
    array([0, 1])
    """

    _method = "fisher"
    _names = {"lambda": "alpha"}

    def __init__(
        self,
        alpha: float = 0.001,
        *,
        kernel: str | Kernel | Callable[..., Any] = "rbf",
        gamma: Literal['scale', 'auto'] | float | None = "scale",
        degree: int = 3,
        coef0: float = 0.0,
        kernel_params: dict[Any, Any] | None = None,
        solver: Literal['auto', 'dual', 'primal'] = "auto",
        tol: float | None = None,
        cache_size: float = 1024,
        approx: str | None = None,
        allow_indefinite: bool = False,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.alpha = alpha
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.solver = solver
        self.tol = tol
        self.cache_size = cache_size
        self.approx = approx
        self.allow_indefinite = allow_indefinite
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class KernelNeighborsClassifier(ShareClassifier):
    """K nearest neighbours in feature space: their mean, or their majority class.

    ::

        mean of y over the nearest by d² = k(x,x) − 2k(x,z) + k(z,z)

    Parameters
    ----------
    n_neighbors : int, default=5
        Number of neighbours.
    weights : {'uniform', 'distance'}, default='uniform'
        Weight of a neighbour: equal, or 1/distance.
    kernel : str, Kernel or callable, default='rbf'
        A name that scikit-learn knows ('linear', 'poly', 'rbf', 'sigmoid', 'cosine', 'laplacian', 'chi2',
        'precomputed'), an expression such as '0.5*rbf(gamma=0.1) + linear', a mercer.Kernel, or a callable
        that returns the kernel matrix of two arrays.
    gamma : {'scale', 'auto'}, float or None, default='scale'
        Gamma of 'rbf', 'poly', 'sigmoid', 'laplacian' and 'chi2': 'scale' is 1 / (n_features * X.var()),
        'auto' and None are 1 / n_features.
    degree : int, default=3
        Degree of 'poly'.
    coef0 : float, default=0.0
        Constant term of 'poly' and 'sigmoid'.
    kernel_params : dict or None, default=None
        Keyword arguments for a callable kernel.
    class_weight : dict, 'balanced' or None, default=None
        Weights of the classes: a dictionary, or 'balanced' for n_samples / (n_classes * samples of the
        class).
    tol : float or None, default=None
        Tolerance for convergence, measured in float64; None: the method's own.
    cache_size : float, default=1024
        Memory for the kernel matrix, in MB.
    approx : str or None, default=None
        Kernel approximation: 'nystrom:500', 'fourier:2000', 'sketch:1024', 'explicit', or 'none'; None: the
        exact kernel, by explicit features where they are cheaper.
    allow_indefinite : bool, default=False
        Accept kernel expressions that are not known to be positive semidefinite.
    random_state : int, RandomState, Generator or None, default=None
        Random seed; None is 1, so that results are reproducible.
    n_jobs : int or None, default=None
        Number of threads; None: all, or OMP_NUM_THREADS if set; -1: all.
    verbose : bool, default=False
        Show a progress bar.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Class labels, sorted.
    model_ : Model
        The fitted model, which the command line can read, too.
    report_ : dict
        Report of the fit: convergence, objective, time, warnings.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Feature names, if X was a data frame with column names.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from mercer import KernelNeighborsClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = KernelNeighborsClassifier().fit(X[:100], y[:100])
    >>> model.predict(X[[0, 99]])
    array([0, 1])
    """

    _method = "knn"
    _names = {"neighbours": "n_neighbors", "weighting": "weights"}
    _several = True

    def __init__(
        self,
        n_neighbors: int = 5,
        *,
        weights: Literal['uniform', 'distance'] = "uniform",
        kernel: str | Kernel | Callable[..., Any] = "rbf",
        gamma: Literal['scale', 'auto'] | float | None = "scale",
        degree: int = 3,
        coef0: float = 0.0,
        kernel_params: dict[Any, Any] | None = None,
        class_weight: Literal['balanced'] | dict[Any, Any] | None = None,
        tol: float | None = None,
        cache_size: float = 1024,
        approx: str | None = None,
        allow_indefinite: bool = False,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.class_weight = class_weight
        self.tol = tol
        self.cache_size = cache_size
        self.approx = approx
        self.allow_indefinite = allow_indefinite
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class KernelNeighborsRegressor(Regressor):
    """K nearest neighbours in feature space: their mean, or their majority class.

    ::

        mean of y over the nearest by d² = k(x,x) − 2k(x,z) + k(z,z)

    Parameters
    ----------
    n_neighbors : int, default=5
        Number of neighbours.
    weights : {'uniform', 'distance'}, default='uniform'
        Weight of a neighbour: equal, or 1/distance.
    kernel : str, Kernel or callable, default='rbf'
        A name that scikit-learn knows ('linear', 'poly', 'rbf', 'sigmoid', 'cosine', 'laplacian', 'chi2',
        'precomputed'), an expression such as '0.5*rbf(gamma=0.1) + linear', a mercer.Kernel, or a callable
        that returns the kernel matrix of two arrays.
    gamma : {'scale', 'auto'}, float or None, default='scale'
        Gamma of 'rbf', 'poly', 'sigmoid', 'laplacian' and 'chi2': 'scale' is 1 / (n_features * X.var()),
        'auto' and None are 1 / n_features.
    degree : int, default=3
        Degree of 'poly'.
    coef0 : float, default=0.0
        Constant term of 'poly' and 'sigmoid'.
    kernel_params : dict or None, default=None
        Keyword arguments for a callable kernel.
    tol : float or None, default=None
        Tolerance for convergence, measured in float64; None: the method's own.
    cache_size : float, default=1024
        Memory for the kernel matrix, in MB.
    approx : str or None, default=None
        Kernel approximation: 'nystrom:500', 'fourier:2000', 'sketch:1024', 'explicit', or 'none'; None: the
        exact kernel, by explicit features where they are cheaper.
    allow_indefinite : bool, default=False
        Accept kernel expressions that are not known to be positive semidefinite.
    random_state : int, RandomState, Generator or None, default=None
        Random seed; None is 1, so that results are reproducible.
    n_jobs : int or None, default=None
        Number of threads; None: all, or OMP_NUM_THREADS if set; -1: all.
    verbose : bool, default=False
        Show a progress bar.

    Attributes
    ----------
    model_ : Model
        The fitted model, which the command line can read, too.
    report_ : dict
        Report of the fit: convergence, objective, time, warnings.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Feature names, if X was a data frame with column names.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from mercer import KernelNeighborsRegressor
    >>> X, y = load_iris(return_X_y=True)
    >>> model = KernelNeighborsRegressor().fit(X[:, :3], X[:, 3])
    >>> model.predict(X[:2, :3]).shape
    (2,)
    """

    _method = "knn"
    _names = {"neighbours": "n_neighbors", "weighting": "weights"}
    _several = True

    def __init__(
        self,
        n_neighbors: int = 5,
        *,
        weights: Literal['uniform', 'distance'] = "uniform",
        kernel: str | Kernel | Callable[..., Any] = "rbf",
        gamma: Literal['scale', 'auto'] | float | None = "scale",
        degree: int = 3,
        coef0: float = 0.0,
        kernel_params: dict[Any, Any] | None = None,
        tol: float | None = None,
        cache_size: float = 1024,
        approx: str | None = None,
        allow_indefinite: bool = False,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.tol = tol
        self.cache_size = cache_size
        self.approx = approx
        self.allow_indefinite = allow_indefinite
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class NadarayaWatsonClassifier(SmoothClassifier):
    """Nadaraya–Watson kernel regression: the kernel-weighted mean of the targets, or the majority class.

    ::

        Σ y·k(xᵢ,x) / Σ k(xᵢ,x)

    Parameters
    ----------
    bandwidth : {'none', 'loo'}, default='none'
        Loo: select the kernel width by the leave-one-out error; none: keep it as given.
    kernel : str, Kernel or callable, default='rbf'
        A name that scikit-learn knows ('linear', 'poly', 'rbf', 'sigmoid', 'cosine', 'laplacian', 'chi2',
        'precomputed'), an expression such as '0.5*rbf(gamma=0.1) + linear', a mercer.Kernel, or a callable
        that returns the kernel matrix of two arrays.
    gamma : {'scale', 'auto'}, float or None, default='scale'
        Gamma of 'rbf', 'poly', 'sigmoid', 'laplacian' and 'chi2': 'scale' is 1 / (n_features * X.var()),
        'auto' and None are 1 / n_features.
    degree : int, default=3
        Degree of 'poly'.
    coef0 : float, default=0.0
        Constant term of 'poly' and 'sigmoid'.
    kernel_params : dict or None, default=None
        Keyword arguments for a callable kernel.
    class_weight : dict, 'balanced' or None, default=None
        Weights of the classes: a dictionary, or 'balanced' for n_samples / (n_classes * samples of the
        class).
    tol : float or None, default=None
        Tolerance for convergence, measured in float64; None: the method's own.
    cache_size : float, default=1024
        Memory for the kernel matrix, in MB.
    approx : str or None, default=None
        Kernel approximation: 'nystrom:500', 'fourier:2000', 'sketch:1024', 'explicit', or 'none'; None: the
        exact kernel, by explicit features where they are cheaper.
    allow_indefinite : bool, default=False
        Accept kernel expressions that are not known to be positive semidefinite.
    random_state : int, RandomState, Generator or None, default=None
        Random seed; None is 1, so that results are reproducible.
    n_jobs : int or None, default=None
        Number of threads; None: all, or OMP_NUM_THREADS if set; -1: all.
    verbose : bool, default=False
        Show a progress bar.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Class labels, sorted.
    model_ : Model
        The fitted model, which the command line can read, too.
    report_ : dict
        Report of the fit: convergence, objective, time, warnings.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Feature names, if X was a data frame with column names.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from mercer import NadarayaWatsonClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = NadarayaWatsonClassifier().fit(X[:100], y[:100])
    >>> model.predict(X[[0, 99]])
    array([0, 1])
    """

    _method = "nadaraya_watson"
    _names = {"bandwidth": "bandwidth"}
    _several = True

    def __init__(
        self,
        bandwidth: Literal['none', 'loo'] = "none",
        *,
        kernel: str | Kernel | Callable[..., Any] = "rbf",
        gamma: Literal['scale', 'auto'] | float | None = "scale",
        degree: int = 3,
        coef0: float = 0.0,
        kernel_params: dict[Any, Any] | None = None,
        class_weight: Literal['balanced'] | dict[Any, Any] | None = None,
        tol: float | None = None,
        cache_size: float = 1024,
        approx: str | None = None,
        allow_indefinite: bool = False,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.bandwidth = bandwidth
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.class_weight = class_weight
        self.tol = tol
        self.cache_size = cache_size
        self.approx = approx
        self.allow_indefinite = allow_indefinite
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class NadarayaWatsonRegressor(SmoothRegressor):
    """Nadaraya–Watson kernel regression: the kernel-weighted mean of the targets, or the majority class.

    ::

        Σ y·k(xᵢ,x) / Σ k(xᵢ,x)

    Parameters
    ----------
    bandwidth : {'none', 'loo'}, default='none'
        Loo: select the kernel width by the leave-one-out error; none: keep it as given.
    kernel : str, Kernel or callable, default='rbf'
        A name that scikit-learn knows ('linear', 'poly', 'rbf', 'sigmoid', 'cosine', 'laplacian', 'chi2',
        'precomputed'), an expression such as '0.5*rbf(gamma=0.1) + linear', a mercer.Kernel, or a callable
        that returns the kernel matrix of two arrays.
    gamma : {'scale', 'auto'}, float or None, default='scale'
        Gamma of 'rbf', 'poly', 'sigmoid', 'laplacian' and 'chi2': 'scale' is 1 / (n_features * X.var()),
        'auto' and None are 1 / n_features.
    degree : int, default=3
        Degree of 'poly'.
    coef0 : float, default=0.0
        Constant term of 'poly' and 'sigmoid'.
    kernel_params : dict or None, default=None
        Keyword arguments for a callable kernel.
    tol : float or None, default=None
        Tolerance for convergence, measured in float64; None: the method's own.
    cache_size : float, default=1024
        Memory for the kernel matrix, in MB.
    approx : str or None, default=None
        Kernel approximation: 'nystrom:500', 'fourier:2000', 'sketch:1024', 'explicit', or 'none'; None: the
        exact kernel, by explicit features where they are cheaper.
    allow_indefinite : bool, default=False
        Accept kernel expressions that are not known to be positive semidefinite.
    random_state : int, RandomState, Generator or None, default=None
        Random seed; None is 1, so that results are reproducible.
    n_jobs : int or None, default=None
        Number of threads; None: all, or OMP_NUM_THREADS if set; -1: all.
    verbose : bool, default=False
        Show a progress bar.

    Attributes
    ----------
    model_ : Model
        The fitted model, which the command line can read, too.
    report_ : dict
        Report of the fit: convergence, objective, time, warnings.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Feature names, if X was a data frame with column names.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from mercer import NadarayaWatsonRegressor
    >>> X, y = load_iris(return_X_y=True)
    >>> model = NadarayaWatsonRegressor().fit(X[:, :3], X[:, 3])
    >>> model.predict(X[:2, :3]).shape
    (2,)
    """

    _method = "nadaraya_watson"
    _names = {"bandwidth": "bandwidth"}
    _several = True

    def __init__(
        self,
        bandwidth: Literal['none', 'loo'] = "none",
        *,
        kernel: str | Kernel | Callable[..., Any] = "rbf",
        gamma: Literal['scale', 'auto'] | float | None = "scale",
        degree: int = 3,
        coef0: float = 0.0,
        kernel_params: dict[Any, Any] | None = None,
        tol: float | None = None,
        cache_size: float = 1024,
        approx: str | None = None,
        allow_indefinite: bool = False,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.bandwidth = bandwidth
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.tol = tol
        self.cache_size = cache_size
        self.approx = approx
        self.allow_indefinite = allow_indefinite
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class LocallyWeightedRegression(Regressor):
    """Locally weighted linear regression: a linear fit at each row, weighted by the kernel; over features φ a
    fit that is linear in them.

    ::

        β₀ of min Σ k(xᵢ,x)·(yᵢ − β₀ − βᵀ(φ(xᵢ)−φ(x)))² + c·‖β‖²

    Parameters
    ----------
    ridge : float ≥ 0, default=1e-08
        Penalty c, relative to the trace of the weighted scatter matrix; 0: the minimum-norm β.
    features : {'linear', 'poly'}, default='linear'
        Φ: a kernel with explicit features, such as poly(degree=2) for a quadratic fit at each row or
        mapped(linear, by=[x1, sin(x1)]); linear: the columns themselves.
    kernel : str, Kernel or callable, default='rbf'
        A name that scikit-learn knows ('linear', 'poly', 'rbf', 'sigmoid', 'cosine', 'laplacian', 'chi2',
        'precomputed'), an expression such as '0.5*rbf(gamma=0.1) + linear', a mercer.Kernel, or a callable
        that returns the kernel matrix of two arrays.
    gamma : {'scale', 'auto'}, float or None, default='scale'
        Gamma of 'rbf', 'poly', 'sigmoid', 'laplacian' and 'chi2': 'scale' is 1 / (n_features * X.var()),
        'auto' and None are 1 / n_features.
    degree : int, default=3
        Degree of 'poly'.
    coef0 : float, default=0.0
        Constant term of 'poly' and 'sigmoid'.
    kernel_params : dict or None, default=None
        Keyword arguments for a callable kernel.
    tol : float or None, default=None
        Tolerance for convergence, measured in float64; None: the method's own.
    cache_size : float, default=1024
        Memory for the kernel matrix, in MB.
    approx : str or None, default=None
        Kernel approximation: 'nystrom:500', 'fourier:2000', 'sketch:1024', 'explicit', or 'none'; None: the
        exact kernel, by explicit features where they are cheaper.
    allow_indefinite : bool, default=False
        Accept kernel expressions that are not known to be positive semidefinite.
    random_state : int, RandomState, Generator or None, default=None
        Random seed; None is 1, so that results are reproducible.
    n_jobs : int or None, default=None
        Number of threads; None: all, or OMP_NUM_THREADS if set; -1: all.
    verbose : bool, default=False
        Show a progress bar.

    Attributes
    ----------
    model_ : Model
        The fitted model, which the command line can read, too.
    report_ : dict
        Report of the fit: convergence, objective, time, warnings.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Feature names, if X was a data frame with column names.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from mercer import LocallyWeightedRegression
    >>> X, y = load_iris(return_X_y=True)
    >>> model = LocallyWeightedRegression().fit(X[:, :3], X[:, 3])
    >>> model.predict(X[:2, :3]).shape
    (2,)
    """

    _method = "lwlr"
    _names = {"ridge": "ridge", "features": "features"}
    _several = True

    def __init__(
        self,
        ridge: float = 1e-08,
        *,
        features: Literal['linear', 'poly'] = "linear",
        kernel: str | Kernel | Callable[..., Any] = "rbf",
        gamma: Literal['scale', 'auto'] | float | None = "scale",
        degree: int = 3,
        coef0: float = 0.0,
        kernel_params: dict[Any, Any] | None = None,
        tol: float | None = None,
        cache_size: float = 1024,
        approx: str | None = None,
        allow_indefinite: bool = False,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.ridge = ridge
        self.features = features
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.tol = tol
        self.cache_size = cache_size
        self.approx = approx
        self.allow_indefinite = allow_indefinite
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class KernelQuantileRegressor(QuantileMachine):
    """Quantile regression; tau = 0.5 is the median.

    ::

        min (1/n)·Σ pinball(y − f(x)) + λ·‖f‖²

    Parameters
    ----------
    quantile : float > 0 and < 1, default=0.5
        Quantile to predict: the fraction of targets below f.
    alpha : float > 0, default=0.001
        Penalty on ‖f‖².
    kernel : str, Kernel or callable, default='rbf'
        A name that scikit-learn knows ('linear', 'poly', 'rbf', 'sigmoid', 'cosine', 'laplacian', 'chi2',
        'precomputed'), an expression such as '0.5*rbf(gamma=0.1) + linear', a mercer.Kernel, or a callable
        that returns the kernel matrix of two arrays.
    gamma : {'scale', 'auto'}, float or None, default='scale'
        Gamma of 'rbf', 'poly', 'sigmoid', 'laplacian' and 'chi2': 'scale' is 1 / (n_features * X.var()),
        'auto' and None are 1 / n_features.
    degree : int, default=3
        Degree of 'poly'.
    coef0 : float, default=0.0
        Constant term of 'poly' and 'sigmoid'.
    kernel_params : dict or None, default=None
        Keyword arguments for a callable kernel.
    tol : float or None, default=None
        Tolerance for convergence, measured in float64; None: the method's own.
    cache_size : float, default=1024
        Memory for the kernel matrix, in MB.
    approx : str or None, default=None
        Kernel approximation: 'nystrom:500', 'fourier:2000', 'sketch:1024', 'explicit', or 'none'; None: the
        exact kernel, by explicit features where they are cheaper.
    allow_indefinite : bool, default=False
        Accept kernel expressions that are not known to be positive semidefinite.
    random_state : int, RandomState, Generator or None, default=None
        Random seed; None is 1, so that results are reproducible.
    n_jobs : int or None, default=None
        Number of threads; None: all, or OMP_NUM_THREADS if set; -1: all.
    verbose : bool, default=False
        Show a progress bar.

    Attributes
    ----------
    support_ : ndarray of shape (n_support,)
        Indices of the training samples whose coefficients are not 0.
    dual_coef_ : ndarray of shape (n_functions, n_support)
        Their coefficients: dual_coef_ @ k(X[support_], x) + intercept_ is the decision function or the
        prediction (of counts and rates its logarithm).
    intercept_ : ndarray of shape (n_functions,)
        Intercepts.
    model_ : Model
        The fitted model, which the command line can read, too.
    report_ : dict
        Report of the fit: convergence, objective, time, warnings.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Feature names, if X was a data frame with column names.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from mercer import KernelQuantileRegressor
    >>> X, y = load_iris(return_X_y=True)
    >>> model = KernelQuantileRegressor().fit(X[:, :3], X[:, 3])
    >>> model.predict(X[:2, :3]).shape
    (2,)
    """

    _method = "quantile"
    _names = {"tau": "quantile", "lambda": "alpha"}

    def __init__(
        self,
        quantile: float = 0.5,
        *,
        alpha: float = 0.001,
        kernel: str | Kernel | Callable[..., Any] = "rbf",
        gamma: Literal['scale', 'auto'] | float | None = "scale",
        degree: int = 3,
        coef0: float = 0.0,
        kernel_params: dict[Any, Any] | None = None,
        tol: float | None = None,
        cache_size: float = 1024,
        approx: str | None = None,
        allow_indefinite: bool = False,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.quantile = quantile
        self.alpha = alpha
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.tol = tol
        self.cache_size = cache_size
        self.approx = approx
        self.allow_indefinite = allow_indefinite
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class KernelHuberRegressor(SumRegressor):
    """Robust regression: squared loss up to delta, linear beyond.

    ::

        min (1/n)·Σ huber(y − f(x)) + λ·‖f‖²

    Parameters
    ----------
    alpha : float > 0, default=0.001
        Penalty on ‖f‖².
    delta : float > 0, default=1.0
        Residuals beyond it count linearly.
    bias : {'free', 'none'}, default='free'
        Free: an unpenalized intercept; none: no intercept.
    kernel : str, Kernel or callable, default='rbf'
        A name that scikit-learn knows ('linear', 'poly', 'rbf', 'sigmoid', 'cosine', 'laplacian', 'chi2',
        'precomputed'), an expression such as '0.5*rbf(gamma=0.1) + linear', a mercer.Kernel, or a callable
        that returns the kernel matrix of two arrays.
    gamma : {'scale', 'auto'}, float or None, default='scale'
        Gamma of 'rbf', 'poly', 'sigmoid', 'laplacian' and 'chi2': 'scale' is 1 / (n_features * X.var()),
        'auto' and None are 1 / n_features.
    degree : int, default=3
        Degree of 'poly'.
    coef0 : float, default=0.0
        Constant term of 'poly' and 'sigmoid'.
    kernel_params : dict or None, default=None
        Keyword arguments for a callable kernel.
    solver : {'auto', 'newton', 'gradient', 'cholesky', 'cg', 'primal', 'dual'}, default='auto'
        Solver; 'auto' takes the fastest that fits into memory.
    tol : float or None, default=None
        Tolerance for convergence, measured in float64; None: the method's own.
    cache_size : float, default=1024
        Memory for the kernel matrix, in MB.
    approx : str or None, default=None
        Kernel approximation: 'nystrom:500', 'fourier:2000', 'sketch:1024', 'explicit', or 'none'; None: the
        exact kernel, by explicit features where they are cheaper.
    allow_indefinite : bool, default=False
        Accept kernel expressions that are not known to be positive semidefinite.
    random_state : int, RandomState, Generator or None, default=None
        Random seed; None is 1, so that results are reproducible.
    n_jobs : int or None, default=None
        Number of threads; None: all, or OMP_NUM_THREADS if set; -1: all.
    verbose : bool, default=False
        Show a progress bar.

    Attributes
    ----------
    support_ : ndarray of shape (n_support,)
        Indices of the training samples whose coefficients are not 0.
    dual_coef_ : ndarray of shape (n_functions, n_support)
        Their coefficients: dual_coef_ @ k(X[support_], x) + intercept_ is the decision function or the
        prediction (of counts and rates its logarithm).
    intercept_ : ndarray of shape (n_functions,)
        Intercepts.
    model_ : Model
        The fitted model, which the command line can read, too.
    report_ : dict
        Report of the fit: convergence, objective, time, warnings.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Feature names, if X was a data frame with column names.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from mercer import KernelHuberRegressor
    >>> X, y = load_iris(return_X_y=True)
    >>> model = KernelHuberRegressor().fit(X[:, :3], X[:, 3])
    >>> model.predict(X[:2, :3]).shape
    (2,)
    """

    _method = "huber"
    _names = {"lambda": "alpha", "delta": "delta", "bias": "bias"}

    def __init__(
        self,
        alpha: float = 0.001,
        *,
        delta: float = 1.0,
        bias: Literal['free', 'none'] = "free",
        kernel: str | Kernel | Callable[..., Any] = "rbf",
        gamma: Literal['scale', 'auto'] | float | None = "scale",
        degree: int = 3,
        coef0: float = 0.0,
        kernel_params: dict[Any, Any] | None = None,
        solver: Literal['auto', 'newton', 'gradient', 'cholesky', 'cg', 'primal', 'dual'] = "auto",
        tol: float | None = None,
        cache_size: float = 1024,
        approx: str | None = None,
        allow_indefinite: bool = False,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.alpha = alpha
        self.delta = delta
        self.bias = bias
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.solver = solver
        self.tol = tol
        self.cache_size = cache_size
        self.approx = approx
        self.allow_indefinite = allow_indefinite
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class KernelPoissonRegressor(CountRegressor):
    """Poisson regression: the rate of counts, e^f(x).

    ::

        min (1/n)·Σ (e^f(x) − y·f(x)) + λ·‖f‖²

    Parameters
    ----------
    alpha : float > 0, default=0.001
        Penalty on ‖f‖².
    bias : {'free', 'none'}, default='free'
        Free: an unpenalized intercept; none: no intercept.
    kernel : str, Kernel or callable, default='rbf'
        A name that scikit-learn knows ('linear', 'poly', 'rbf', 'sigmoid', 'cosine', 'laplacian', 'chi2',
        'precomputed'), an expression such as '0.5*rbf(gamma=0.1) + linear', a mercer.Kernel, or a callable
        that returns the kernel matrix of two arrays.
    gamma : {'scale', 'auto'}, float or None, default='scale'
        Gamma of 'rbf', 'poly', 'sigmoid', 'laplacian' and 'chi2': 'scale' is 1 / (n_features * X.var()),
        'auto' and None are 1 / n_features.
    degree : int, default=3
        Degree of 'poly'.
    coef0 : float, default=0.0
        Constant term of 'poly' and 'sigmoid'.
    kernel_params : dict or None, default=None
        Keyword arguments for a callable kernel.
    solver : {'auto', 'newton', 'gradient', 'cholesky', 'cg', 'primal', 'dual'}, default='auto'
        Solver; 'auto' takes the fastest that fits into memory.
    tol : float or None, default=None
        Tolerance for convergence, measured in float64; None: the method's own.
    cache_size : float, default=1024
        Memory for the kernel matrix, in MB.
    approx : str or None, default=None
        Kernel approximation: 'nystrom:500', 'fourier:2000', 'sketch:1024', 'explicit', or 'none'; None: the
        exact kernel, by explicit features where they are cheaper.
    allow_indefinite : bool, default=False
        Accept kernel expressions that are not known to be positive semidefinite.
    random_state : int, RandomState, Generator or None, default=None
        Random seed; None is 1, so that results are reproducible.
    n_jobs : int or None, default=None
        Number of threads; None: all, or OMP_NUM_THREADS if set; -1: all.
    verbose : bool, default=False
        Show a progress bar.

    Attributes
    ----------
    support_ : ndarray of shape (n_support,)
        Indices of the training samples whose coefficients are not 0.
    dual_coef_ : ndarray of shape (n_functions, n_support)
        Their coefficients: dual_coef_ @ k(X[support_], x) + intercept_ is the decision function or the
        prediction (of counts and rates its logarithm).
    intercept_ : ndarray of shape (n_functions,)
        Intercepts.
    model_ : Model
        The fitted model, which the command line can read, too.
    report_ : dict
        Report of the fit: convergence, objective, time, warnings.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Feature names, if X was a data frame with column names.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from mercer import KernelPoissonRegressor
    >>> X, y = load_iris(return_X_y=True)
    >>> model = KernelPoissonRegressor().fit(X[:, :3], X[:, 3])
    >>> model.predict(X[:2, :3]).shape
    (2,)
    """

    _method = "poisson"
    _names = {"lambda": "alpha", "bias": "bias"}

    def __init__(
        self,
        alpha: float = 0.001,
        *,
        bias: Literal['free', 'none'] = "free",
        kernel: str | Kernel | Callable[..., Any] = "rbf",
        gamma: Literal['scale', 'auto'] | float | None = "scale",
        degree: int = 3,
        coef0: float = 0.0,
        kernel_params: dict[Any, Any] | None = None,
        solver: Literal['auto', 'newton', 'gradient', 'cholesky', 'cg', 'primal', 'dual'] = "auto",
        tol: float | None = None,
        cache_size: float = 1024,
        approx: str | None = None,
        allow_indefinite: bool = False,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.alpha = alpha
        self.bias = bias
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.solver = solver
        self.tol = tol
        self.cache_size = cache_size
        self.approx = approx
        self.allow_indefinite = allow_indefinite
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class LeastSquares(Regressor):
    """Ordinary least squares; linear regression with the linear kernel.

    ::

        min Σ (y − f(x))², then ‖f‖²

    Parameters
    ----------
    bias : {'none', 'free'}, default='none'
        Free: an intercept.
    kernel : str, Kernel or callable, default='rbf'
        A name that scikit-learn knows ('linear', 'poly', 'rbf', 'sigmoid', 'cosine', 'laplacian', 'chi2',
        'precomputed'), an expression such as '0.5*rbf(gamma=0.1) + linear', a mercer.Kernel, or a callable
        that returns the kernel matrix of two arrays.
    gamma : {'scale', 'auto'}, float or None, default='scale'
        Gamma of 'rbf', 'poly', 'sigmoid', 'laplacian' and 'chi2': 'scale' is 1 / (n_features * X.var()),
        'auto' and None are 1 / n_features.
    degree : int, default=3
        Degree of 'poly'.
    coef0 : float, default=0.0
        Constant term of 'poly' and 'sigmoid'.
    kernel_params : dict or None, default=None
        Keyword arguments for a callable kernel.
    solver : {'auto', 'cholesky', 'cg', 'primal', 'dual'}, default='auto'
        Solver; 'auto' takes the fastest that fits into memory.
    tol : float or None, default=None
        Tolerance for convergence, measured in float64; None: the method's own.
    cache_size : float, default=1024
        Memory for the kernel matrix, in MB.
    approx : str or None, default=None
        Kernel approximation: 'nystrom:500', 'fourier:2000', 'sketch:1024', 'explicit', or 'none'; None: the
        exact kernel, by explicit features where they are cheaper.
    allow_indefinite : bool, default=False
        Accept kernel expressions that are not known to be positive semidefinite.
    random_state : int, RandomState, Generator or None, default=None
        Random seed; None is 1, so that results are reproducible.
    n_jobs : int or None, default=None
        Number of threads; None: all, or OMP_NUM_THREADS if set; -1: all.
    verbose : bool, default=False
        Show a progress bar.

    Attributes
    ----------
    model_ : Model
        The fitted model, which the command line can read, too.
    report_ : dict
        Report of the fit: convergence, objective, time, warnings.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Feature names, if X was a data frame with column names.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from mercer import LeastSquares
    >>> X, y = load_iris(return_X_y=True)
    >>> model = LeastSquares().fit(X[:, :3], X[:, 3])
    >>> model.predict(X[:2, :3]).shape
    (2,)
    """

    _method = "ols"
    _names = {"bias": "bias"}
    _several = True

    def __init__(
        self,
        bias: Literal['none', 'free'] = "none",
        *,
        kernel: str | Kernel | Callable[..., Any] = "rbf",
        gamma: Literal['scale', 'auto'] | float | None = "scale",
        degree: int = 3,
        coef0: float = 0.0,
        kernel_params: dict[Any, Any] | None = None,
        solver: Literal['auto', 'cholesky', 'cg', 'primal', 'dual'] = "auto",
        tol: float | None = None,
        cache_size: float = 1024,
        approx: str | None = None,
        allow_indefinite: bool = False,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.bias = bias
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.solver = solver
        self.tol = tol
        self.cache_size = cache_size
        self.approx = approx
        self.allow_indefinite = allow_indefinite
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class RiskMinimizer(RiskEstimator):
    """Regularized risk minimization with any loss and regularizer.

    ::

        min (1/n)·Σ L(y, f(x)) + λ·Ω(‖f‖²)

    The loss decides the task: hinge, squared_hinge, logistic and exponential are for two classes, multinomial
    for any number of classes, poisson for counts, the others for regression. A formula is for classification
    where y has two values (1 stands for the second, -1 for the first), else for regression.

    Parameters
    ----------
    loss : str or Loss, default='squared'
        Name of a loss, a formula over y and f such as 'log(1 + exp(-y*f))', or a mercer.Loss made of your own
        functions.
    alpha : float > 0, default=0.001
        Penalty on Ω.
    omega : {'square', 'norm', 'fourth'} or Regularizer, default='square'
        Ω: square ‖f‖², norm ‖f‖, fourth ‖f‖⁴, or a mercer.Regularizer.
    shape : float ≥ 0 or None, default=None
        Parameter of the loss (delta of huber, tau of pinball, epsilon of epsilon_insensitive); none: the
        usual one.
    bias : {'free', 'none'}, default='free'
        Free: an unpenalized intercept; none: no intercept.
    kernel : str, Kernel or callable, default='rbf'
        A name that scikit-learn knows ('linear', 'poly', 'rbf', 'sigmoid', 'cosine', 'laplacian', 'chi2',
        'precomputed'), an expression such as '0.5*rbf(gamma=0.1) + linear', a mercer.Kernel, or a callable
        that returns the kernel matrix of two arrays.
    gamma : {'scale', 'auto'}, float or None, default='scale'
        Gamma of 'rbf', 'poly', 'sigmoid', 'laplacian' and 'chi2': 'scale' is 1 / (n_features * X.var()),
        'auto' and None are 1 / n_features.
    degree : int, default=3
        Degree of 'poly'.
    coef0 : float, default=0.0
        Constant term of 'poly' and 'sigmoid'.
    kernel_params : dict or None, default=None
        Keyword arguments for a callable kernel.
    class_weight : dict, 'balanced' or None, default=None
        Weights of the classes: a dictionary, or 'balanced' for n_samples / (n_classes * samples of the
        class).
    solver : {'auto', 'newton', 'gradient', 'cholesky', 'cg', 'primal', 'dual'}, default='auto'
        Solver; 'auto' takes the fastest that fits into memory.
    repair : {'clip', 'flip', 'shift', 'square'} or None, default=None
        How a kernel that is not positive semidefinite is made so: clip negative eigenvalues of its matrix to
        0, flip their sign (for SVC: the machine in a Kreĭn space), shift or square all of them; new rows are
        changed in the same way.
    allow_nonconvex : bool, default=False
        Whether a loss of your own may be one that is not convex: the result is a local minimum at best.
    tol : float or None, default=None
        Tolerance for convergence, measured in float64; None: the method's own.
    cache_size : float, default=1024
        Memory for the kernel matrix, in MB.
    approx : str or None, default=None
        Kernel approximation: 'nystrom:500', 'fourier:2000', 'sketch:1024', 'explicit', or 'none'; None: the
        exact kernel, by explicit features where they are cheaper.
    allow_indefinite : bool, default=False
        Accept kernel expressions that are not known to be positive semidefinite.
    random_state : int, RandomState, Generator or None, default=None
        Random seed; None is 1, so that results are reproducible.
    n_jobs : int or None, default=None
        Number of threads; None: all, or OMP_NUM_THREADS if set; -1: all.
    verbose : bool, default=False
        Show a progress bar.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Class labels, sorted; for classification only.
    model_ : Model
        The fitted model, which the command line can read, too.
    report_ : dict
        Report of the fit: convergence, objective, time, warnings.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Feature names, if X was a data frame with column names.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from mercer import RiskMinimizer
    >>> X, y = load_iris(return_X_y=True)
    >>> model = RiskMinimizer('logistic').fit(X[:100], y[:100])
    >>> model.predict(X[[0, 99]])
    array([0, 1])
    """

    _method = "rerm"
    _names = {"loss": "loss", "lambda": "alpha", "omega": "omega", "shape": "shape", "bias": "bias"}

    def __init__(
        self,
        loss: str | Loss = "squared",
        *,
        alpha: float = 0.001,
        omega: Literal['square', 'norm', 'fourth'] | Regularizer = "square",
        shape: float | None = None,
        bias: Literal['free', 'none'] = "free",
        kernel: str | Kernel | Callable[..., Any] = "rbf",
        gamma: Literal['scale', 'auto'] | float | None = "scale",
        degree: int = 3,
        coef0: float = 0.0,
        kernel_params: dict[Any, Any] | None = None,
        class_weight: Literal['balanced'] | dict[Any, Any] | None = None,
        solver: Literal['auto', 'newton', 'gradient', 'cholesky', 'cg', 'primal', 'dual'] = "auto",
        repair: Literal['clip', 'flip', 'shift', 'square'] | None = None,
        allow_nonconvex: bool = False,
        tol: float | None = None,
        cache_size: float = 1024,
        approx: str | None = None,
        allow_indefinite: bool = False,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.loss = loss
        self.alpha = alpha
        self.omega = omega
        self.shape = shape
        self.bias = bias
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.class_weight = class_weight
        self.solver = solver
        self.repair = repair
        self.allow_nonconvex = allow_nonconvex
        self.tol = tol
        self.cache_size = cache_size
        self.approx = approx
        self.allow_indefinite = allow_indefinite
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class GaussianProcessRegressor(GaussianProcess):
    """Gaussian process regression with predictive variances; kernel hyperparameters and noise maximize the
    evidence.

    ::

        f(x) = k(x, X)(K + alpha I)⁻¹y, with var f(x) = k(x, x) - k(x, X)(K + alpha I)⁻¹k(X, x)

    Same interface as sklearn.gaussian_process.GaussianProcessRegressor.

    Parameters
    ----------
    kernel : str, Kernel, sklearn.gaussian_process.kernels.Kernel, callable or None, default=None
        A name or an expression, whose hyperparameters are optimized, or one of scikit-learn's kernel objects,
        with its bounds and fixed parts; a callable returns the kernel matrix of two arrays. None is an RBF of
        length 1, which is kept.
    alpha : float ≥ 0, array of shape (n_samples,) or 'auto', default=1e-10
        Noise variance, added to the diagonal of K; an array has one for each sample. It is kept as given;
        'auto' optimizes it with the kernel hyperparameters, as does a WhiteKernel in the kernel, whose noise
        is part of predictions too.
    optimizer : {'fmin_l_bfgs_b', 'evidence'}, callable or None, default='fmin_l_bfgs_b'
        'fmin_l_bfgs_b' and 'evidence': maximize the log marginal likelihood (evidence) over the kernel
        hyperparameters within their bounds; a function optimizer(obj_func, initial_theta, bounds) that
        returns theta and its objective, as in scikit-learn; None: keep them as given.
    ard : bool, default=False
        True: learn a weight for each column (automatic relevance determination).
    n_restarts_optimizer : int, default=0
        Number of additional starts of the optimizer, drawn around the given hyperparameters.
    gamma : {'scale', 'auto'}, float or None, default='scale'
        Gamma of 'rbf', 'poly', 'sigmoid', 'laplacian' and 'chi2': 'scale' is 1 / (n_features * X.var()),
        'auto' and None are 1 / n_features.
    degree : int, default=3
        Degree of 'poly'.
    coef0 : float, default=0.0
        Constant term of 'poly' and 'sigmoid'.
    kernel_params : dict or None, default=None
        Keyword arguments for a callable kernel.
    normalize_y : bool, default=False
        Standardize y before the fit; predictions, std and cov are in the original units.
    copy_X_train : bool, default=True
        X_train_ is a copy of X; False: it may be X itself, which must not be changed then.
    tol : float or None, default=None
        Tolerance for convergence, measured in float64; None: the method's own.
    cache_size : float, default=1024
        Memory for the kernel matrix, in MB.
    approx : str or None, default=None
        Kernel approximation: 'nystrom:500', 'fourier:2000', 'sketch:1024', 'explicit', or 'none'; None: the
        exact kernel, by explicit features where they are cheaper.
    allow_indefinite : bool, default=False
        Accept kernel expressions that are not known to be positive semidefinite.
    random_state : int, RandomState, Generator or None, default=None
        Random seed; None is 1, so that results are reproducible.
    n_jobs : int or None, default=None
        Number of threads; None: all, or OMP_NUM_THREADS if set; -1: all.
    verbose : bool, default=False
        Show a progress bar.

    Attributes
    ----------
    kernel_ : Kernel
        The kernel with its optimized hyperparameters, without white noise; a callable kernel is kept as
        given.
    noise_ : float or ndarray of shape (rows,)
        Noise variance, optimized or given; with an array alpha one for each sample.
    alpha_ : ndarray of shape (rows,) or (rows, outputs)
        Dual coefficients.
    L_ : ndarray of shape (rows, rows)
        Lower Cholesky factor of K + noise.
    log_marginal_likelihood_value_ : float
        Log marginal likelihood (evidence).
    X_train_ : ndarray of shape (rows, columns)
        Training samples.
    y_train_ : ndarray of shape (rows,) or (rows, outputs)
        Training targets; standardized with normalize_y=True.
    model_ : Model
        The fitted model, which the command line can read, too.
    report_ : dict
        Report of the fit: convergence, objective, time, warnings.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Feature names, if X was a data frame with column names.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from mercer import GaussianProcessRegressor
    >>> X, y = load_iris(return_X_y=True)
    >>> model = GaussianProcessRegressor().fit(X[:, :3], X[:, 3])
    >>> model.predict(X[:2, :3]).shape
    (2,)
    """

    _method = "gp"
    _names = {"noise": "alpha", "optimize": "optimizer", "ard": "ard", "restarts": "n_restarts_optimizer"}
    _several = True

    def __init__(
        self,
        kernel: str | Kernel | ProcessKernel | Callable[..., Any] | None = None,
        *,
        alpha: Literal['auto'] | float | ArrayLike = 1e-10,
        optimizer: Literal['fmin_l_bfgs_b', 'evidence'] | Callable[..., Any] | None = "fmin_l_bfgs_b",
        ard: bool = False,
        n_restarts_optimizer: int = 0,
        gamma: Literal['scale', 'auto'] | float | None = "scale",
        degree: int = 3,
        coef0: float = 0.0,
        kernel_params: dict[Any, Any] | None = None,
        normalize_y: bool = False,
        copy_X_train: bool = True,
        tol: float | None = None,
        cache_size: float = 1024,
        approx: str | None = None,
        allow_indefinite: bool = False,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.kernel = kernel
        self.alpha = alpha
        self.optimizer = optimizer
        self.ard = ard
        self.n_restarts_optimizer = n_restarts_optimizer
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.normalize_y = normalize_y
        self.copy_X_train = copy_X_train
        self.tol = tol
        self.cache_size = cache_size
        self.approx = approx
        self.allow_indefinite = allow_indefinite
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class GaussianProcessClassifier(LaplaceClassifier):
    """Gaussian process classification with probabilities (Laplace's approximation); kernel hyperparameters
    maximize the approximate evidence.

    ::

        p(y=1|x) = ∫ σ(f)·N(f | k(x)ᵀa, k(x,x) − k(x)ᵀ(K + W⁻¹)⁻¹k(x)) df, a = ∇log p(y|f̂), f̂ the mode of the posterior

    Same interface as sklearn.gaussian_process.GaussianProcessClassifier.

    Parameters
    ----------
    kernel : str, Kernel, sklearn.gaussian_process.kernels.Kernel, callable or None, default=None
        A name or an expression, whose hyperparameters are optimized, or one of scikit-learn's kernel objects,
        with its bounds and fixed parts; a callable returns the kernel matrix of two arrays. None is an RBF of
        length 1, which is kept.
    optimizer : {'fmin_l_bfgs_b', 'evidence'} or None, default='fmin_l_bfgs_b'
        'fmin_l_bfgs_b' and 'evidence': maximize the log marginal likelihood (evidence) over the kernel
        hyperparameters within their bounds; None: keep them as given.
    ard : bool, default=False
        True: learn a weight for each column (automatic relevance determination).
    n_restarts_optimizer : int, default=0
        Number of additional starts of the optimizer, drawn around the given hyperparameters.
    gamma : {'scale', 'auto'}, float or None, default='scale'
        Gamma of 'rbf', 'poly', 'sigmoid', 'laplacian' and 'chi2': 'scale' is 1 / (n_features * X.var()),
        'auto' and None are 1 / n_features.
    degree : int, default=3
        Degree of 'poly'.
    coef0 : float, default=0.0
        Constant term of 'poly' and 'sigmoid'.
    kernel_params : dict or None, default=None
        Keyword arguments for a callable kernel.
    tol : float or None, default=None
        Tolerance for convergence, measured in float64; None: the method's own.
    cache_size : float, default=1024
        Memory for the kernel matrix, in MB.
    approx : str or None, default=None
        Kernel approximation: 'nystrom:500', 'fourier:2000', 'sketch:1024', 'explicit', or 'none'; None: the
        exact kernel, by explicit features where they are cheaper.
    allow_indefinite : bool, default=False
        Accept kernel expressions that are not known to be positive semidefinite.
    random_state : int, RandomState, Generator or None, default=None
        Random seed; None is 1, so that results are reproducible.
    n_jobs : int or None, default=None
        Number of threads; None: all, or OMP_NUM_THREADS if set; -1: all.
    verbose : bool, default=False
        Show a progress bar.

    Attributes
    ----------
    kernel_ : Kernel
        The kernel with its optimized hyperparameters; a callable kernel is kept as given.
    n_classes_ : int
        Number of classes.
    log_marginal_likelihood_value_ : float
        Log marginal likelihood (Laplace's approximation); of more than two classes the mean over the classes.
    X_train_ : ndarray of shape (rows, columns)
        Training samples.
    classes_ : ndarray of shape (n_classes,)
        Class labels, sorted.
    model_ : Model
        The fitted model, which the command line can read, too.
    report_ : dict
        Report of the fit: convergence, objective, time, warnings.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Feature names, if X was a data frame with column names.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from mercer import GaussianProcessClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = GaussianProcessClassifier().fit(X[:100], y[:100])
    >>> model.predict(X[[0, 99]])
    array([0, 1])
    """

    _method = "gp_classifier"
    _names = {"optimize": "optimizer", "ard": "ard", "restarts": "n_restarts_optimizer"}

    def __init__(
        self,
        kernel: str | Kernel | ProcessKernel | Callable[..., Any] | None = None,
        *,
        optimizer: Literal['fmin_l_bfgs_b', 'evidence'] | None = "fmin_l_bfgs_b",
        ard: bool = False,
        n_restarts_optimizer: int = 0,
        gamma: Literal['scale', 'auto'] | float | None = "scale",
        degree: int = 3,
        coef0: float = 0.0,
        kernel_params: dict[Any, Any] | None = None,
        tol: float | None = None,
        cache_size: float = 1024,
        approx: str | None = None,
        allow_indefinite: bool = False,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.kernel = kernel
        self.optimizer = optimizer
        self.ard = ard
        self.n_restarts_optimizer = n_restarts_optimizer
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.tol = tol
        self.cache_size = cache_size
        self.approx = approx
        self.allow_indefinite = allow_indefinite
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class SparseGaussianProcessRegressor(SparseProcess):
    """Sparse Gaussian process regression for many rows: variational inducing points, predictive variances;
    kernel hyperparameters and noise maximize the evidence lower bound.

    ::

        max log N(y | 0, Q + noise·I) − tr(K − Q)/(2·noise), Q = K_XZ·K_ZZ⁻¹·K_ZX, Z the inducing points

    The interface of GaussianProcessRegressor, but the noise and the mean of y are the model's own: noise is
    optimized with the kernel hyperparameters, and a kernel without a factor gets one.

    Parameters
    ----------
    kernel : str, Kernel or callable, default='rbf'
        A name that scikit-learn knows ('linear', 'poly', 'rbf', 'sigmoid', 'cosine', 'laplacian', 'chi2',
        'precomputed'), an expression such as '0.5*rbf(gamma=0.1) + linear', a mercer.Kernel, or a callable
        that returns the kernel matrix of two arrays.
    n_inducing : int, default=500
        Number of inducing points, which are training rows.
    noise : float > 0, default=0.1
        Noise variance; the starting value if the bound is maximized.
    optimize : {'evidence', 'none'}, default='evidence'
        Evidence: maximize the evidence lower bound over kernel hyperparameters and noise; none: keep them as
        given.
    ard : bool, default=False
        Yes: learn a weight for each column (automatic relevance determination).
    n_restarts_optimizer : int, default=0
        Number of additional random starts.
    mean : {'constant', 'zero'}, default='constant'
        Mean of the process: the mean of the target, or zero.
    gamma : {'scale', 'auto'}, float or None, default='scale'
        Gamma of 'rbf', 'poly', 'sigmoid', 'laplacian' and 'chi2': 'scale' is 1 / (n_features * X.var()),
        'auto' and None are 1 / n_features.
    degree : int, default=3
        Degree of 'poly'.
    coef0 : float, default=0.0
        Constant term of 'poly' and 'sigmoid'.
    kernel_params : dict or None, default=None
        Keyword arguments for a callable kernel.
    tol : float or None, default=None
        Tolerance for convergence, measured in float64; None: the method's own.
    cache_size : float, default=1024
        Memory for the kernel matrix, in MB.
    approx : str or None, default=None
        Kernel approximation: 'nystrom:500', 'fourier:2000', 'sketch:1024', 'explicit', or 'none'; None: the
        exact kernel, by explicit features where they are cheaper.
    allow_indefinite : bool, default=False
        Accept kernel expressions that are not known to be positive semidefinite.
    random_state : int, RandomState, Generator or None, default=None
        Random seed; None is 1, so that results are reproducible.
    n_jobs : int or None, default=None
        Number of threads; None: all, or OMP_NUM_THREADS if set; -1: all.
    verbose : bool, default=False
        Show a progress bar.

    Attributes
    ----------
    kernel_ : Kernel
        The kernel with its optimized hyperparameters; a callable kernel is kept as given.
    noise_ : float
        Noise variance, optimized or given.
    evidence_lower_bound_ : float
        Evidence lower bound; at most the log marginal likelihood of GaussianProcessRegressor.
    inducing_indices_ : ndarray of shape (n_inducing,)
        The training samples that are inducing points.
    model_ : Model
        The fitted model, which the command line can read, too.
    report_ : dict
        Report of the fit: convergence, objective, time, warnings.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Feature names, if X was a data frame with column names.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from mercer import SparseGaussianProcessRegressor
    >>> X, y = load_iris(return_X_y=True)
    >>> model = SparseGaussianProcessRegressor().fit(X[:, :3], X[:, 3])
    >>> model.predict(X[:2, :3]).shape
    (2,)
    """

    _method = "sparse_gp"
    _names = {"inducing": "n_inducing", "noise": "noise", "optimize": "optimize", "ard": "ard", "restarts":
              "n_restarts_optimizer", "mean": "mean"}
    _several = True

    def __init__(
        self,
        kernel: str | Kernel | Callable[..., Any] = "rbf",
        *,
        n_inducing: int = 500,
        noise: float = 0.1,
        optimize: Literal['evidence', 'none'] = "evidence",
        ard: bool = False,
        n_restarts_optimizer: int = 0,
        mean: Literal['constant', 'zero'] = "constant",
        gamma: Literal['scale', 'auto'] | float | None = "scale",
        degree: int = 3,
        coef0: float = 0.0,
        kernel_params: dict[Any, Any] | None = None,
        tol: float | None = None,
        cache_size: float = 1024,
        approx: str | None = None,
        allow_indefinite: bool = False,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.kernel = kernel
        self.n_inducing = n_inducing
        self.noise = noise
        self.optimize = optimize
        self.ard = ard
        self.n_restarts_optimizer = n_restarts_optimizer
        self.mean = mean
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.tol = tol
        self.cache_size = cache_size
        self.approx = approx
        self.allow_indefinite = allow_indefinite
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class MultiOutputGaussianProcessRegressor(CoregionalProcess):
    """Gaussian process regression of several correlated outputs, some of which may be missing; kernel
    hyperparameters, B and the noise of each output maximize the evidence.

    ::

        cov(f_i(x), f_j(z)) = B_ij·k(x, z), B = WWᵀ + diag(κ), y_i = f_i(x) + e, e ~ N(0, noise_i)

    Y has a column for each output, and NaN where an output was not observed. The outputs learn from each
    other through coregionalization_.

    Parameters
    ----------
    kernel : str, Kernel or callable, default='rbf'
        A name that scikit-learn knows ('linear', 'poly', 'rbf', 'sigmoid', 'cosine', 'laplacian', 'chi2',
        'precomputed'), an expression such as '0.5*rbf(gamma=0.1) + linear', a mercer.Kernel, or a callable
        that returns the kernel matrix of two arrays.
    rank : int, default=1
        Number of columns of W: shared functions behind the outputs.
    noise : float > 0, default=0.1
        Noise variance of each output; the starting value if the evidence is maximized.
    optimize : {'evidence', 'none'}, default='evidence'
        Evidence: maximize the marginal likelihood over kernel hyperparameters, B and noise; none: keep kernel
        and noise as given, with the covariance of the targets as B.
    ard : bool, default=False
        Yes: learn a weight for each column (automatic relevance determination).
    n_restarts_optimizer : int, default=0
        Number of additional random starts.
    mean : {'constant', 'zero'}, default='constant'
        Mean of the process: the mean of the target, or zero.
    gamma : {'scale', 'auto'}, float or None, default='scale'
        Gamma of 'rbf', 'poly', 'sigmoid', 'laplacian' and 'chi2': 'scale' is 1 / (n_features * X.var()),
        'auto' and None are 1 / n_features.
    degree : int, default=3
        Degree of 'poly'.
    coef0 : float, default=0.0
        Constant term of 'poly' and 'sigmoid'.
    kernel_params : dict or None, default=None
        Keyword arguments for a callable kernel.
    tol : float or None, default=None
        Tolerance for convergence, measured in float64; None: the method's own.
    cache_size : float, default=1024
        Memory for the kernel matrix, in MB.
    approx : str or None, default=None
        Kernel approximation: 'nystrom:500', 'fourier:2000', 'sketch:1024', 'explicit', or 'none'; None: the
        exact kernel, by explicit features where they are cheaper.
    allow_indefinite : bool, default=False
        Accept kernel expressions that are not known to be positive semidefinite.
    random_state : int, RandomState, Generator or None, default=None
        Random seed; None is 1, so that results are reproducible.
    n_jobs : int or None, default=None
        Number of threads; None: all, or OMP_NUM_THREADS if set; -1: all.
    verbose : bool, default=False
        Show a progress bar.

    Attributes
    ----------
    kernel_ : Kernel
        The kernel with its optimized hyperparameters; a callable kernel is kept as given.
    coregionalization_ : ndarray of shape (n_outputs, n_outputs)
        B: the covariance of the outputs, which multiplies the kernel.
    noise_ : ndarray of shape (n_outputs,)
        Noise variance of each output.
    log_marginal_likelihood_value_ : float
        Log marginal likelihood at the optimum.
    model_ : Model
        The fitted model, which the command line can read, too.
    report_ : dict
        Report of the fit: convergence, objective, time, warnings.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Feature names, if X was a data frame with column names.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from mercer import MultiOutputGaussianProcessRegressor
    >>> X, y = load_iris(return_X_y=True)
    >>> model = MultiOutputGaussianProcessRegressor().fit(X[:, :3], X[:, 3])
    >>> model.predict(X[:2, :3]).shape
    (2,)
    """

    _method = "multi_gp"
    _names = {"rank": "rank", "noise": "noise", "optimize": "optimize", "ard": "ard", "restarts":
              "n_restarts_optimizer", "mean": "mean"}
    _several = True

    def __init__(
        self,
        kernel: str | Kernel | Callable[..., Any] = "rbf",
        *,
        rank: int = 1,
        noise: float = 0.1,
        optimize: Literal['evidence', 'none'] = "evidence",
        ard: bool = False,
        n_restarts_optimizer: int = 0,
        mean: Literal['constant', 'zero'] = "constant",
        gamma: Literal['scale', 'auto'] | float | None = "scale",
        degree: int = 3,
        coef0: float = 0.0,
        kernel_params: dict[Any, Any] | None = None,
        tol: float | None = None,
        cache_size: float = 1024,
        approx: str | None = None,
        allow_indefinite: bool = False,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.kernel = kernel
        self.rank = rank
        self.noise = noise
        self.optimize = optimize
        self.ard = ard
        self.n_restarts_optimizer = n_restarts_optimizer
        self.mean = mean
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.tol = tol
        self.cache_size = cache_size
        self.approx = approx
        self.allow_indefinite = allow_indefinite
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class KernelPCA(PrincipalComponents):
    """Kernel principal component analysis: coordinates, pre-images, denoising.

    ::

        max Σ ⟨v, φ(x) − mean⟩² over orthonormal v: the leading eigenvectors of HKH

    Same interface as sklearn.decomposition.KernelPCA.

    Parameters
    ----------
    n_components : int ≥ 1 or None, default=None
        Number of components; None: as many as the samples span.
    kernel : str, Kernel or callable, default='linear'
        A name that scikit-learn knows ('linear', 'poly', 'rbf', 'sigmoid', 'cosine', 'laplacian', 'chi2',
        'precomputed'), an expression such as '0.5*rbf(gamma=0.1) + linear', a mercer.Kernel, or a callable
        that returns the kernel matrix of two arrays.
    gamma : {'scale', 'auto'}, float or None, default=None
        Gamma of 'rbf', 'poly', 'sigmoid', 'laplacian' and 'chi2': 'scale' is 1 / (n_features * X.var()),
        'auto' and None are 1 / n_features.
    degree : int, default=3
        Degree of 'poly'.
    coef0 : float, default=1.0
        Constant term of 'poly' and 'sigmoid'.
    kernel_params : dict or None, default=None
        Keyword arguments for a callable kernel.
    fit_inverse_transform : bool, default=False
        Learn the inverse transform by kernel ridge regression, as scikit-learn does; otherwise
        inverse_transform computes pre-images.
    alpha : float, default=1.0
        Ridge penalty of the inverse transform, with fit_inverse_transform.
    eigen_solver : {'auto', 'dense', 'arpack', 'randomized'}, default='auto'
        'auto': the fastest that fits into memory (block Lanczos, or a decomposition over features or of the
        whole matrix), to the tolerance tol; 'dense': LAPACK; 'arpack': ARPACK, to the tolerance tol (None:
        machine precision); 'randomized': random projections, for few components. The named ones hold the
        kernel matrix, and give no model file and no pre-images.
    max_iter : int ≥ 1 or None, default=None
        Maximum number of iterations of eigen_solver='arpack'; None: ARPACK's own.
    iterated_power : int ≥ 0 or 'auto', default='auto'
        Number of power iterations of eigen_solver='randomized'; 'auto': 7 for few components, else 4.
    remove_zero_eig : bool, default=False
        Drop components with eigenvalue 0; n_components=None always does.
    copy_X : bool, default=True
        X_fit_ is a copy of X; False: it may be X itself, which must not be changed then.
    solver : {'auto', 'dual', 'primal'}, default='auto'
        With eigen_solver='auto': over the kernel matrix or over explicit features; 'auto' takes the fastest
        that fits into memory.
    tol : float or None, default=None
        Tolerance for convergence, measured in float64; None: the method's own.
    cache_size : float, default=1024
        Memory for the kernel matrix, in MB.
    approx : str or None, default=None
        Kernel approximation: 'nystrom:500', 'fourier:2000', 'sketch:1024', 'explicit', or 'none'; None: the
        exact kernel, by explicit features where they are cheaper.
    allow_indefinite : bool, default=False
        Accept kernel expressions that are not known to be positive semidefinite.
    random_state : int, RandomState, Generator or None, default=None
        Random seed; None is 1, so that results are reproducible.
    n_jobs : int or None, default=None
        Number of threads; None: all, or OMP_NUM_THREADS if set; -1: all.
    verbose : bool, default=False
        Show a progress bar.

    Attributes
    ----------
    eigenvalues_ : ndarray of shape (components,)
        Eigenvalues of the centred kernel matrix, descending.
    eigenvectors_ : ndarray of shape (rows, components)
        Eigenvectors of the centred kernel matrix.
    X_fit_ : array or sparse matrix
        Training samples.
    gamma_ : float or None
        Gamma of the kernel, as a number.
    model_ : Model
        The fitted model, which the command line can read, too.
    report_ : dict
        Report of the fit: convergence, objective, time, warnings.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Feature names, if X was a data frame with column names.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from mercer import KernelPCA
    >>> X, y = load_iris(return_X_y=True)
    >>> len(KernelPCA().fit_transform(X))
    150
    """

    _method = "pca"
    _names = {"components": "n_components"}

    def __init__(
        self,
        n_components: int | None = None,
        *,
        kernel: str | Kernel | Callable[..., Any] = "linear",
        gamma: Literal['scale', 'auto'] | float | None = None,
        degree: int = 3,
        coef0: float = 1.0,
        kernel_params: dict[Any, Any] | None = None,
        fit_inverse_transform: bool = False,
        alpha: float = 1.0,
        eigen_solver: Literal['auto', 'dense', 'arpack', 'randomized'] = "auto",
        max_iter: int | None = None,
        iterated_power: Literal['auto'] | int = "auto",
        remove_zero_eig: bool = False,
        copy_X: bool = True,
        solver: Literal['auto', 'dual', 'primal'] = "auto",
        tol: float | None = None,
        cache_size: float = 1024,
        approx: str | None = None,
        allow_indefinite: bool = False,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.n_components = n_components
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.fit_inverse_transform = fit_inverse_transform
        self.alpha = alpha
        self.eigen_solver = eigen_solver
        self.max_iter = max_iter
        self.iterated_power = iterated_power
        self.remove_zero_eig = remove_zero_eig
        self.copy_X = copy_X
        self.solver = solver
        self.tol = tol
        self.cache_size = cache_size
        self.approx = approx
        self.allow_indefinite = allow_indefinite
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class KernelKMeans(MeansClusterer):
    """Kernel k-means: clusters around means in feature space.

    ::

        min Σ ‖φ(x) − mean of its cluster‖² over the clusters

    Parameters
    ----------
    n_clusters : int, default=8
        Number of clusters.
    n_init : int, default=10
        Number of random starts; the best result is kept.
    kernel : str, Kernel or callable, default='rbf'
        A name that scikit-learn knows ('linear', 'poly', 'rbf', 'sigmoid', 'cosine', 'laplacian', 'chi2',
        'precomputed'), an expression such as '0.5*rbf(gamma=0.1) + linear', a mercer.Kernel, or a callable
        that returns the kernel matrix of two arrays.
    gamma : {'scale', 'auto'}, float or None, default='scale'
        Gamma of 'rbf', 'poly', 'sigmoid', 'laplacian' and 'chi2': 'scale' is 1 / (n_features * X.var()),
        'auto' and None are 1 / n_features.
    degree : int, default=3
        Degree of 'poly'.
    coef0 : float, default=0.0
        Constant term of 'poly' and 'sigmoid'.
    kernel_params : dict or None, default=None
        Keyword arguments for a callable kernel.
    tol : float or None, default=None
        Tolerance for convergence, measured in float64; None: the method's own.
    cache_size : float, default=1024
        Memory for the kernel matrix, in MB.
    approx : str or None, default=None
        Kernel approximation: 'nystrom:500', 'fourier:2000', 'sketch:1024', 'explicit', or 'none'; None: the
        exact kernel, by explicit features where they are cheaper.
    allow_indefinite : bool, default=False
        Accept kernel expressions that are not known to be positive semidefinite.
    random_state : int, RandomState, Generator or None, default=None
        Random seed; None is 1, so that results are reproducible.
    n_jobs : int or None, default=None
        Number of threads; None: all, or OMP_NUM_THREADS if set; -1: all.
    verbose : bool, default=False
        Show a progress bar.

    Attributes
    ----------
    inertia_ : float
        Sum of squared distances in feature space between samples and the means of their clusters.
    n_iter_ : int
        Iterations of the best start.
    labels_ : ndarray of shape (n_samples,)
        Cluster of each sample, from 0.
    model_ : Model
        The fitted model, which the command line can read, too.
    report_ : dict
        Report of the fit: convergence, objective, time, warnings.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Feature names, if X was a data frame with column names.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from mercer import KernelKMeans
    >>> X, y = load_iris(return_X_y=True)
    >>> KernelKMeans().fit_predict(X).shape
    (150,)
    """

    _method = "kmeans"
    _names = {"clusters": "n_clusters", "restarts": "n_init"}

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        n_init: int = 10,
        kernel: str | Kernel | Callable[..., Any] = "rbf",
        gamma: Literal['scale', 'auto'] | float | None = "scale",
        degree: int = 3,
        coef0: float = 0.0,
        kernel_params: dict[Any, Any] | None = None,
        tol: float | None = None,
        cache_size: float = 1024,
        approx: str | None = None,
        allow_indefinite: bool = False,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_init = n_init
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.tol = tol
        self.cache_size = cache_size
        self.approx = approx
        self.allow_indefinite = allow_indefinite
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class KernelSpectralClustering(Clusterer):
    """Spectral clustering: connected clusters of any shape.

    ::

        k-means of the rows of the leading eigenvectors of D^(−1/2) K D^(−1/2), D = diag(K1)

    Parameters
    ----------
    n_clusters : int, default=8
        Number of clusters.
    n_init : int, default=10
        Number of random starts; the best result is kept.
    kernel : str, Kernel or callable, default='rbf'
        A name that scikit-learn knows ('linear', 'poly', 'rbf', 'sigmoid', 'cosine', 'laplacian', 'chi2',
        'precomputed'), an expression such as '0.5*rbf(gamma=0.1) + linear', a mercer.Kernel, or a callable
        that returns the kernel matrix of two arrays.
    gamma : {'scale', 'auto'}, float or None, default='scale'
        Gamma of 'rbf', 'poly', 'sigmoid', 'laplacian' and 'chi2': 'scale' is 1 / (n_features * X.var()),
        'auto' and None are 1 / n_features.
    degree : int, default=3
        Degree of 'poly'.
    coef0 : float, default=0.0
        Constant term of 'poly' and 'sigmoid'.
    kernel_params : dict or None, default=None
        Keyword arguments for a callable kernel.
    tol : float or None, default=None
        Tolerance for convergence, measured in float64; None: the method's own.
    cache_size : float, default=1024
        Memory for the kernel matrix, in MB.
    approx : str or None, default=None
        Kernel approximation: 'nystrom:500', 'fourier:2000', 'sketch:1024', 'explicit', or 'none'; None: the
        exact kernel, by explicit features where they are cheaper.
    allow_indefinite : bool, default=False
        Accept kernel expressions that are not known to be positive semidefinite.
    random_state : int, RandomState, Generator or None, default=None
        Random seed; None is 1, so that results are reproducible.
    n_jobs : int or None, default=None
        Number of threads; None: all, or OMP_NUM_THREADS if set; -1: all.
    verbose : bool, default=False
        Show a progress bar.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        Cluster of each sample, from 0.
    model_ : Model
        The fitted model, which the command line can read, too.
    report_ : dict
        Report of the fit: convergence, objective, time, warnings.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Feature names, if X was a data frame with column names.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from mercer import KernelSpectralClustering
    >>> X, y = load_iris(return_X_y=True)
    >>> KernelSpectralClustering().fit_predict(X).shape
    (150,)
    """

    _method = "spectral"
    _names = {"clusters": "n_clusters", "restarts": "n_init"}

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        n_init: int = 10,
        kernel: str | Kernel | Callable[..., Any] = "rbf",
        gamma: Literal['scale', 'auto'] | float | None = "scale",
        degree: int = 3,
        coef0: float = 0.0,
        kernel_params: dict[Any, Any] | None = None,
        tol: float | None = None,
        cache_size: float = 1024,
        approx: str | None = None,
        allow_indefinite: bool = False,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_init = n_init
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.tol = tol
        self.cache_size = cache_size
        self.approx = approx
        self.allow_indefinite = allow_indefinite
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class MeanDistance(MeanDetector):
    """Novelty detection by the distance to the mean in feature space.

    ::

        t − ‖φ(x) − mean φ‖²,  ‖·‖² = k(x,x) − 2/n·Σk(x,xᵢ) + 1/n²·ΣΣk(xᵢ,xⱼ)

    Parameters
    ----------
    contamination : float ≥ 0 and below 1, default=0.05
        Fraction of the training rows treated as outliers.
    kernel : str, Kernel or callable, default='rbf'
        A name that scikit-learn knows ('linear', 'poly', 'rbf', 'sigmoid', 'cosine', 'laplacian', 'chi2',
        'precomputed'), an expression such as '0.5*rbf(gamma=0.1) + linear', a mercer.Kernel, or a callable
        that returns the kernel matrix of two arrays.
    gamma : {'scale', 'auto'}, float or None, default='scale'
        Gamma of 'rbf', 'poly', 'sigmoid', 'laplacian' and 'chi2': 'scale' is 1 / (n_features * X.var()),
        'auto' and None are 1 / n_features.
    degree : int, default=3
        Degree of 'poly'.
    coef0 : float, default=0.0
        Constant term of 'poly' and 'sigmoid'.
    kernel_params : dict or None, default=None
        Keyword arguments for a callable kernel.
    tol : float or None, default=None
        Tolerance for convergence, measured in float64; None: the method's own.
    cache_size : float, default=1024
        Memory for the kernel matrix, in MB.
    approx : str or None, default=None
        Kernel approximation: 'nystrom:500', 'fourier:2000', 'sketch:1024', 'explicit', or 'none'; None: the
        exact kernel, by explicit features where they are cheaper.
    allow_indefinite : bool, default=False
        Accept kernel expressions that are not known to be positive semidefinite.
    random_state : int, RandomState, Generator or None, default=None
        Random seed; None is 1, so that results are reproducible.
    n_jobs : int or None, default=None
        Number of threads; None: all, or OMP_NUM_THREADS if set; -1: all.
    verbose : bool, default=False
        Show a progress bar.

    Attributes
    ----------
    offset_ : ndarray of shape (1,)
        Minus the squared radius; score_samples is minus the squared distance to the mean in feature space.
    model_ : Model
        The fitted model, which the command line can read, too.
    report_ : dict
        Report of the fit: convergence, objective, time, warnings.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Feature names, if X was a data frame with column names.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from mercer import MeanDistance
    >>> X, y = load_iris(return_X_y=True)
    >>> model = MeanDistance().fit(X)
    >>> model.predict([[50.0, 50.0, 50.0, 50.0]])
    array([-1])
    """

    _method = "mean_distance"
    _names = {"outliers": "contamination"}

    def __init__(
        self,
        contamination: float = 0.05,
        *,
        kernel: str | Kernel | Callable[..., Any] = "rbf",
        gamma: Literal['scale', 'auto'] | float | None = "scale",
        degree: int = 3,
        coef0: float = 0.0,
        kernel_params: dict[Any, Any] | None = None,
        tol: float | None = None,
        cache_size: float = 1024,
        approx: str | None = None,
        allow_indefinite: bool = False,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.contamination = contamination
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.tol = tol
        self.cache_size = cache_size
        self.approx = approx
        self.allow_indefinite = allow_indefinite
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class TwoSampleTest(TwoSamples):
    """Two-sample test: the maximum mean discrepancy, its p-value and its witness.

    ::

        f(x) = mean over Q of k(x,·) − mean over P of k(x,·),  MMD² = ‖f‖²

    Fit(X, y) takes both samples; y says which sample a row belongs to. decision_function is the witness
    function: positive where the second sample is denser.

    Parameters
    ----------
    permutations : int, default=1000
        Number of permutations for the p-value; 0: no p-value.
    kernel : str, Kernel or callable, default='rbf'
        A name that scikit-learn knows ('linear', 'poly', 'rbf', 'sigmoid', 'cosine', 'laplacian', 'chi2',
        'precomputed'), an expression such as '0.5*rbf(gamma=0.1) + linear', a mercer.Kernel, or a callable
        that returns the kernel matrix of two arrays.
    gamma : {'scale', 'auto'}, float or None, default='scale'
        Gamma of 'rbf', 'poly', 'sigmoid', 'laplacian' and 'chi2': 'scale' is 1 / (n_features * X.var()),
        'auto' and None are 1 / n_features.
    degree : int, default=3
        Degree of 'poly'.
    coef0 : float, default=0.0
        Constant term of 'poly' and 'sigmoid'.
    kernel_params : dict or None, default=None
        Keyword arguments for a callable kernel.
    tol : float or None, default=None
        Tolerance for convergence, measured in float64; None: the method's own.
    cache_size : float, default=1024
        Memory for the kernel matrix, in MB.
    approx : str or None, default=None
        Kernel approximation: 'nystrom:500', 'fourier:2000', 'sketch:1024', 'explicit', or 'none'; None: the
        exact kernel, by explicit features where they are cheaper.
    allow_indefinite : bool, default=False
        Accept kernel expressions that are not known to be positive semidefinite.
    random_state : int, RandomState, Generator or None, default=None
        Random seed; None is 1, so that results are reproducible.
    n_jobs : int or None, default=None
        Number of threads; None: all, or OMP_NUM_THREADS if set; -1: all.
    verbose : bool, default=False
        Show a progress bar.

    Attributes
    ----------
    statistic_ : float
        Unbiased estimate of MMD², the squared distance between the means of the two samples in feature space.
    pvalue_ : float
        Permutation p-value: the fraction of permutations with an MMD² at least as large; NaN without
        permutations.
    classes_ : ndarray of shape (n_classes,)
        Class labels, sorted.
    model_ : Model
        The fitted model, which the command line can read, too.
    report_ : dict
        Report of the fit: convergence, objective, time, warnings.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Feature names, if X was a data frame with column names.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from mercer import TwoSampleTest
    >>> X, y = load_iris(return_X_y=True)
    >>> model = TwoSampleTest().fit(X[:100], y[:100])
    >>> model.predict(X[[0, 99]])
    array([0, 1])
    """

    _method = "mmd"
    _names = {"permutations": "permutations"}

    def __init__(
        self,
        permutations: int = 1000,
        *,
        kernel: str | Kernel | Callable[..., Any] = "rbf",
        gamma: Literal['scale', 'auto'] | float | None = "scale",
        degree: int = 3,
        coef0: float = 0.0,
        kernel_params: dict[Any, Any] | None = None,
        tol: float | None = None,
        cache_size: float = 1024,
        approx: str | None = None,
        allow_indefinite: bool = False,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.permutations = permutations
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.tol = tol
        self.cache_size = cache_size
        self.approx = approx
        self.allow_indefinite = allow_indefinite
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class AutoKernelClassifier(SelectedClassifier):
    """Selects method, kernel, hyperparameters and scaling of a classifier by cross-validation.

    The selected model is fitted on all samples; score_ estimates its score on unseen samples.

    Parameters
    ----------
    method : str or None, default=None
        A method of the catalogue ('svm', 'ridge', 'logistic', 'gp' …); None: selected.
    kernel : str, Kernel or None, default=None
        An expression, whose 'scale', 'auto' and 'median' are searched; None: selected among several.
    scaling : {'none', 'standard', 'minmax'} or None, default=None
        Scaling of the columns; None: selected.
    metric : str or None, default=None
        Metric to optimize: of classes 'accuracy', 'auc' …, None: accuracy; of numbers 'rmse', 'mae' …, None:
        rmse.
    cv : int ≥ 2, default=5
        Number of cross-validation folds.
    holdout : float ≥ 0 and < 1, default=0.0
        Fraction of the samples to hold out for the evaluation; 0: cross-validation with new folds.
    max_seconds : float > 0 or None, default=None
        Time limit: the best candidate so far is taken then; TimeoutError if none has been evaluated.
    random_state : int, RandomState, Generator or None, default=None
        Random seed; None is 1, so that results are reproducible.
    n_jobs : int or None, default=None
        Number of threads; None: all, or OMP_NUM_THREADS if set; -1: all.
    verbose : bool, default=False
        Show a progress bar.

    Attributes
    ----------
    kernel_ : Kernel
        The selected kernel, with its hyperparameters.
    method_ : str
        The selected method.
    parameters_ : dict
        Its hyperparameters.
    score_ : dict
        The score on unseen samples: 'value', with the confidence interval from 'low' to 'high'.
    baseline_ : dict
        That of always predicting the most frequent class, or the mean.
    metric_ : str
        The metric of both.
    scored_on_ : str
        How the score was estimated.
    trials_ : list of dict
        Every candidate evaluated, with its score.
    notes_ : list of str
        Notes on the data and the selection.
    classes_ : ndarray of shape (n_classes,)
        Class labels, sorted.
    model_ : Model
        The fitted model, which the command line can read, too.
    report_ : dict
        Report of the fit: convergence, objective, time, warnings.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Feature names, if X was a data frame with column names.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from mercer import AutoKernelClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = AutoKernelClassifier().fit(X, y)
    >>> model.score_["value"] > 0.9
    True
    """

    def __init__(
        self,
        method: str | None = None,
        *,
        kernel: str | Kernel | None = None,
        scaling: Literal['none', 'standard', 'minmax'] | None = None,
        metric: str | None = None,
        cv: int = 5,
        holdout: float = 0.0,
        max_seconds: float | None = None,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.method = method
        self.kernel = kernel
        self.scaling = scaling
        self.metric = metric
        self.cv = cv
        self.holdout = holdout
        self.max_seconds = max_seconds
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class AutoKernelRegressor(SelectedRegressor):
    """Selects method, kernel, hyperparameters and scaling of a regressor by cross-validation.

    The selected model is fitted on all samples; score_ estimates its score on unseen samples.

    Parameters
    ----------
    method : str or None, default=None
        A method of the catalogue ('svm', 'ridge', 'logistic', 'gp' …); None: selected.
    kernel : str, Kernel or None, default=None
        An expression, whose 'scale', 'auto' and 'median' are searched; None: selected among several.
    scaling : {'none', 'standard', 'minmax'} or None, default=None
        Scaling of the columns; None: selected.
    metric : str or None, default=None
        Metric to optimize: of classes 'accuracy', 'auc' …, None: accuracy; of numbers 'rmse', 'mae' …, None:
        rmse.
    cv : int ≥ 2, default=5
        Number of cross-validation folds.
    holdout : float ≥ 0 and < 1, default=0.0
        Fraction of the samples to hold out for the evaluation; 0: cross-validation with new folds.
    max_seconds : float > 0 or None, default=None
        Time limit: the best candidate so far is taken then; TimeoutError if none has been evaluated.
    random_state : int, RandomState, Generator or None, default=None
        Random seed; None is 1, so that results are reproducible.
    n_jobs : int or None, default=None
        Number of threads; None: all, or OMP_NUM_THREADS if set; -1: all.
    verbose : bool, default=False
        Show a progress bar.

    Attributes
    ----------
    kernel_ : Kernel
        The selected kernel, with its hyperparameters.
    method_ : str
        The selected method.
    parameters_ : dict
        Its hyperparameters.
    score_ : dict
        The score on unseen samples: 'value', with the confidence interval from 'low' to 'high'.
    baseline_ : dict
        That of always predicting the most frequent class, or the mean.
    metric_ : str
        The metric of both.
    scored_on_ : str
        How the score was estimated.
    trials_ : list of dict
        Every candidate evaluated, with its score.
    notes_ : list of str
        Notes on the data and the selection.
    model_ : Model
        The fitted model, which the command line can read, too.
    report_ : dict
        Report of the fit: convergence, objective, time, warnings.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Feature names, if X was a data frame with column names.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from mercer import AutoKernelRegressor
    >>> X, y = load_iris(return_X_y=True)
    >>> model = AutoKernelRegressor(method="ridge").fit(X[:, :3], X[:, 3])
    >>> model.score_["value"] < model.baseline_["value"]
    True
    """

    def __init__(
        self,
        method: str | None = None,
        *,
        kernel: str | Kernel | None = None,
        scaling: Literal['none', 'standard', 'minmax'] | None = None,
        metric: str | None = None,
        cv: int = 5,
        holdout: float = 0.0,
        max_seconds: float | None = None,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.method = method
        self.kernel = kernel
        self.scaling = scaling
        self.metric = metric
        self.cv = cv
        self.holdout = holdout
        self.max_seconds = max_seconds
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class KernelNeighbors(AnyTask):
    """K nearest neighbours in feature space: their mean, or their majority class.

    ::

        mean of y over the nearest by d² = k(x,x) − 2k(x,z) + k(z,z)

    The name of KernelNeighborsClassifier and KernelNeighborsRegressor in the version before, which goes with
    the next one.

    Parameters
    ----------
    n_neighbors : int, default=5
        Number of neighbours.
    weights : {'uniform', 'distance'}, default='uniform'
        Weight of a neighbour: equal, or 1/distance.
    kernel : str, Kernel or callable, default='rbf'
        A name that scikit-learn knows ('linear', 'poly', 'rbf', 'sigmoid', 'cosine', 'laplacian', 'chi2',
        'precomputed'), an expression such as '0.5*rbf(gamma=0.1) + linear', a mercer.Kernel, or a callable
        that returns the kernel matrix of two arrays.
    gamma : {'scale', 'auto'}, float or None, default='scale'
        Gamma of 'rbf', 'poly', 'sigmoid', 'laplacian' and 'chi2': 'scale' is 1 / (n_features * X.var()),
        'auto' and None are 1 / n_features.
    degree : int, default=3
        Degree of 'poly'.
    coef0 : float, default=0.0
        Constant term of 'poly' and 'sigmoid'.
    kernel_params : dict or None, default=None
        Keyword arguments for a callable kernel.
    task : {'auto', 'classification', 'regression'}, default='auto'
        What y holds: classes or numbers; 'auto' decides from y (whole numbers and strings are classes, other
        numbers and several columns are numbers). Before a fit 'auto' counts as a classifier, so that
        cross_val_score stratifies folds where y holds classes.
    class_weight : dict, 'balanced' or None, default=None
        Weights of the classes: a dictionary, or 'balanced' for n_samples / (n_classes * samples of the
        class).
    tol : float or None, default=None
        Tolerance for convergence, measured in float64; None: the method's own.
    cache_size : float, default=1024
        Memory for the kernel matrix, in MB.
    approx : str or None, default=None
        Kernel approximation: 'nystrom:500', 'fourier:2000', 'sketch:1024', 'explicit', or 'none'; None: the
        exact kernel, by explicit features where they are cheaper.
    allow_indefinite : bool, default=False
        Accept kernel expressions that are not known to be positive semidefinite.
    random_state : int, RandomState, Generator or None, default=None
        Random seed; None is 1, so that results are reproducible.
    n_jobs : int or None, default=None
        Number of threads; None: all, or OMP_NUM_THREADS if set; -1: all.
    verbose : bool, default=False
        Show a progress bar.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Class labels, sorted; for classification only.
    model_ : Model
        The fitted model, which the command line can read, too.
    report_ : dict
        Report of the fit: convergence, objective, time, warnings.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Feature names, if X was a data frame with column names.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from mercer.estimators import KernelNeighbors
    >>> X, y = load_iris(return_X_y=True)
    >>> model = KernelNeighbors().fit(X[:100], y[:100])
    >>> model.predict(X[[0, 99]])
    array([0, 1])
    """

    _method = "knn"
    _names = {"neighbours": "n_neighbors", "weighting": "weights"}
    _several = True

    def __init__(
        self,
        n_neighbors: int = 5,
        *,
        weights: Literal['uniform', 'distance'] = "uniform",
        kernel: str | Kernel | Callable[..., Any] = "rbf",
        gamma: Literal['scale', 'auto'] | float | None = "scale",
        degree: int = 3,
        coef0: float = 0.0,
        kernel_params: dict[Any, Any] | None = None,
        task: Literal['auto', 'classification', 'regression'] = "auto",
        class_weight: Literal['balanced'] | dict[Any, Any] | None = None,
        tol: float | None = None,
        cache_size: float = 1024,
        approx: str | None = None,
        allow_indefinite: bool = False,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.task = task
        self.class_weight = class_weight
        self.tol = tol
        self.cache_size = cache_size
        self.approx = approx
        self.allow_indefinite = allow_indefinite
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class NadarayaWatson(Smoother):
    """Nadaraya–Watson kernel regression: the kernel-weighted mean of the targets, or the majority class.

    ::

        Σ y·k(xᵢ,x) / Σ k(xᵢ,x)

    The name of NadarayaWatsonClassifier and NadarayaWatsonRegressor in the version before, which goes with
    the next one.

    Parameters
    ----------
    bandwidth : {'none', 'loo'}, default='none'
        Loo: select the kernel width by the leave-one-out error; none: keep it as given.
    kernel : str, Kernel or callable, default='rbf'
        A name that scikit-learn knows ('linear', 'poly', 'rbf', 'sigmoid', 'cosine', 'laplacian', 'chi2',
        'precomputed'), an expression such as '0.5*rbf(gamma=0.1) + linear', a mercer.Kernel, or a callable
        that returns the kernel matrix of two arrays.
    gamma : {'scale', 'auto'}, float or None, default='scale'
        Gamma of 'rbf', 'poly', 'sigmoid', 'laplacian' and 'chi2': 'scale' is 1 / (n_features * X.var()),
        'auto' and None are 1 / n_features.
    degree : int, default=3
        Degree of 'poly'.
    coef0 : float, default=0.0
        Constant term of 'poly' and 'sigmoid'.
    kernel_params : dict or None, default=None
        Keyword arguments for a callable kernel.
    task : {'auto', 'classification', 'regression'}, default='auto'
        What y holds: classes or numbers; 'auto' decides from y (whole numbers and strings are classes, other
        numbers and several columns are numbers). Before a fit 'auto' counts as a classifier, so that
        cross_val_score stratifies folds where y holds classes.
    class_weight : dict, 'balanced' or None, default=None
        Weights of the classes: a dictionary, or 'balanced' for n_samples / (n_classes * samples of the
        class).
    tol : float or None, default=None
        Tolerance for convergence, measured in float64; None: the method's own.
    cache_size : float, default=1024
        Memory for the kernel matrix, in MB.
    approx : str or None, default=None
        Kernel approximation: 'nystrom:500', 'fourier:2000', 'sketch:1024', 'explicit', or 'none'; None: the
        exact kernel, by explicit features where they are cheaper.
    allow_indefinite : bool, default=False
        Accept kernel expressions that are not known to be positive semidefinite.
    random_state : int, RandomState, Generator or None, default=None
        Random seed; None is 1, so that results are reproducible.
    n_jobs : int or None, default=None
        Number of threads; None: all, or OMP_NUM_THREADS if set; -1: all.
    verbose : bool, default=False
        Show a progress bar.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Class labels, sorted; for classification only.
    model_ : Model
        The fitted model, which the command line can read, too.
    report_ : dict
        Report of the fit: convergence, objective, time, warnings.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Feature names, if X was a data frame with column names.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from mercer.estimators import NadarayaWatson
    >>> X, y = load_iris(return_X_y=True)
    >>> model = NadarayaWatson().fit(X[:100], y[:100])
    >>> model.predict(X[[0, 99]])
    array([0, 1])
    """

    _method = "nadaraya_watson"
    _names = {"bandwidth": "bandwidth"}
    _several = True

    def __init__(
        self,
        bandwidth: Literal['none', 'loo'] = "none",
        *,
        kernel: str | Kernel | Callable[..., Any] = "rbf",
        gamma: Literal['scale', 'auto'] | float | None = "scale",
        degree: int = 3,
        coef0: float = 0.0,
        kernel_params: dict[Any, Any] | None = None,
        task: Literal['auto', 'classification', 'regression'] = "auto",
        class_weight: Literal['balanced'] | dict[Any, Any] | None = None,
        tol: float | None = None,
        cache_size: float = 1024,
        approx: str | None = None,
        allow_indefinite: bool = False,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.bandwidth = bandwidth
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.task = task
        self.class_weight = class_weight
        self.tol = tol
        self.cache_size = cache_size
        self.approx = approx
        self.allow_indefinite = allow_indefinite
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class AutoKernel(SelectedEither):
    """Selects method, kernel, hyperparameters and scaling by cross-validation, of classes or numbers, whichever
    y holds.

    The name of AutoKernelClassifier and AutoKernelRegressor in the version before, which goes with the next
    one.

    Parameters
    ----------
    task : {'auto', 'classification', 'regression'}, default='auto'
        What y holds: classes or numbers; 'auto' decides from y (whole numbers and strings are classes, other
        numbers and several columns are numbers). Before a fit 'auto' counts as a classifier, so that
        cross_val_score stratifies folds where y holds classes.
    method : str or None, default=None
        A method of the catalogue ('svm', 'ridge', 'logistic', 'gp' …); None: selected.
    kernel : str, Kernel or None, default=None
        An expression, whose 'scale', 'auto' and 'median' are searched; None: selected among several.
    scaling : {'none', 'standard', 'minmax'} or None, default=None
        Scaling of the columns; None: selected.
    metric : str or None, default=None
        Metric to optimize: of classes 'accuracy', 'auc' …, None: accuracy; of numbers 'rmse', 'mae' …, None:
        rmse.
    cv : int ≥ 2, default=5
        Number of cross-validation folds.
    holdout : float ≥ 0 and < 1, default=0.0
        Fraction of the samples to hold out for the evaluation; 0: cross-validation with new folds.
    max_seconds : float > 0 or None, default=None
        Time limit: the best candidate so far is taken then; TimeoutError if none has been evaluated.
    random_state : int, RandomState, Generator or None, default=None
        Random seed; None is 1, so that results are reproducible.
    n_jobs : int or None, default=None
        Number of threads; None: all, or OMP_NUM_THREADS if set; -1: all.
    verbose : bool, default=False
        Show a progress bar.

    Attributes
    ----------
    kernel_ : Kernel
        The selected kernel, with its hyperparameters.
    method_ : str
        The selected method.
    parameters_ : dict
        Its hyperparameters.
    score_ : dict
        The score on unseen samples: 'value', with the confidence interval from 'low' to 'high'.
    baseline_ : dict
        That of always predicting the most frequent class, or the mean.
    metric_ : str
        The metric of both.
    scored_on_ : str
        How the score was estimated.
    trials_ : list of dict
        Every candidate evaluated, with its score.
    notes_ : list of str
        Notes on the data and the selection.
    classes_ : ndarray of shape (n_classes,)
        Class labels, sorted; for classification only.
    model_ : Model
        The fitted model, which the command line can read, too.
    report_ : dict
        Report of the fit: convergence, objective, time, warnings.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Feature names, if X was a data frame with column names.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from mercer.estimators import AutoKernel
    >>> X, y = load_iris(return_X_y=True)
    >>> model = AutoKernel().fit(X[:100], y[:100])
    >>> model.predict(X[[0, 99]])
    array([0, 1])
    """

    def __init__(
        self,
        task: Literal['auto', 'classification', 'regression'] = "auto",
        *,
        method: str | None = None,
        kernel: str | Kernel | None = None,
        scaling: Literal['none', 'standard', 'minmax'] | None = None,
        metric: str | None = None,
        cv: int = 5,
        holdout: float = 0.0,
        max_seconds: float | None = None,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.task = task
        self.method = method
        self.kernel = kernel
        self.scaling = scaling
        self.metric = metric
        self.cv = cv
        self.holdout = holdout
        self.max_seconds = max_seconds
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
