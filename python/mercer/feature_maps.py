"""Feature maps φ with φ(x)ᵀφ(z) ≈ k(x, z): a linear estimator on φ(x) is then nearly the kernel estimator, in time linear in the rows."""
from __future__ import annotations

import warnings
from typing import Any, Callable, Literal, Union

import numpy as np
from scipy import sparse
from scipy.linalg import svd
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import check_random_state

from . import _mercer
from .compatibility import check_fitted, described, dtype_of, samples_at, samples_in
from .frames import Rows
from .kernel_choice import Expression, choose, of_arrays
from .kernels import Kernel
from .rows import RowsEstimator, as_rows
from .words import RandomSeed, caller, plain_errors, positive_number, seed, threads, word

Gamma = Union[Literal["scale", "auto"], float, None]


class FeatureTransformer(ClassNamePrefixFeaturesOutMixin, TransformerMixin, RowsEstimator):
    """What the maps share: a kernel, chosen as estimators choose it, and features of rows."""

    def __sklearn_tags__(self) -> Any:
        return described(self, super().__sklearn_tags__())  # those of transformers, which the mixin makes, too

    def _own_tags(self) -> dict[str, Any]:
        return {"preserves_dtype": [np.float64, np.float32]}

    def fit(self, X: Any, y: Any = None) -> Any:
        """Fit the feature map.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
            Training samples; with kernel='precomputed' the kernel matrix.
        y : ignored
            For compatibility with pipelines.

        Returns
        -------
        self
        """
        X = self._rows(X, learn=True)
        self._learned, self._dtype = X.schema if isinstance(X, Rows) else None, dtype_of(X)
        with plain_errors():
            self._choice = self._choose_kernel(X)
            self._make(X)
        return self

    def _schema(self) -> _mercer.Schema | None:
        return self._learned

    def transform(self, X: Any) -> np.ndarray:
        """Compute the features of each sample.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples, n_features_out_)
            float32 where these samples and those of the fit are, otherwise float64.
        """
        check_fitted(self)
        X = self._rows(X, learn=False)
        with plain_errors():
            return self._features(X).astype(np.result_type(self._dtype, dtype_of(X)), copy=False)

    def _choose_kernel(self, X: Any) -> Any:
        kernel, arguments = self.kernel, getattr(self, "kernel_params", None)
        if callable(kernel) and not isinstance(kernel, Kernel):
            kernel = of_arrays(kernel, X, arguments)
        degree, coef0 = getattr(self, "degree", None), getattr(self, "coef0", None)
        return choose(kernel, X, gamma=self.gamma, degree=3 if degree is None else degree, coef0=1.0 if coef0 is None else coef0, arguments=arguments,
                      names=self._columns())

    def _kernel_of_engine(self, X: Any) -> tuple[_mercer.Kernel, _mercer.Points]:
        if not isinstance(self._choice, Expression):
            raise ValueError(f"{type(self).__name__} needs a kernel name or expression, not {self.kernel!r}; Nystroem accepts any kernel")
        points = self._choice.training(X)
        return self._choice.kernel.resolve(points), points

    def _generator(self) -> np.random.RandomState:
        """numpy's, as scikit-learn makes it of random_state; None is 1."""
        given = 1 if self.random_state is None else self.random_state
        return check_random_state(seed(given) if isinstance(given, np.random.Generator) else given)

    def _make(self, X: Any) -> None:
        """From the rows to learn from, all that _features needs."""
        raise NotImplementedError

    def _features(self, X: Any) -> np.ndarray:
        return self.map_.apply(self._choice.training(X), threads(self.n_jobs))

    @property
    def _n_features_out(self) -> int:
        return self.n_features_out_


class Nystroem(FeatureTransformer):
    """Nyström approximation: features from kernel values with some training samples, the landmarks, for any kernel.

    Williams & Seeger 2000. Same interface as sklearn.kernel_approximation.Nystroem.

    Parameters
    ----------
    kernel : str, Kernel or callable, default='rbf'
        As for the estimators; a callable may take two arrays or two rows.
    gamma : {'scale', 'auto'}, float or None, default=None
        Of 'rbf', 'poly', 'sigmoid', 'laplacian' and 'chi2': 'scale' is 1 / (n_features * X.var()), 'auto' and None are 1 / n_features.
    coef0 : float or None, default=None
        Constant term of 'poly' and 'sigmoid'; None is 1.
    degree : float or None, default=None
        Degree of 'poly'; None is 3.
    kernel_params : dict or None, default=None
        Keyword arguments for a callable kernel.
    n_components : int, default=100
        Number of landmarks.
    random_state : int, RandomState, Generator or None, default=None
        Random seed; None is 1, so that results are reproducible.
    landmarks : {'uniform', 'pivoted', 'kmeans++'}, default='uniform'
        'uniform': drawn as scikit-learn draws them, so that the same random_state gives the same features; 'pivoted': by randomly pivoted Cholesky (Chen, Epperly, Tropp & Webber
        2024), the most accurate; 'kmeans++': far from each other. The last two need a kernel name or expression, and drop landmarks that depend on others.
    n_jobs : int or None, default=None
        Number of threads; None: all, or OMP_NUM_THREADS if set.

    Attributes
    ----------
    components_ : array or sparse matrix of shape (n_components, n_features)
        The landmarks.
    component_indices_ : ndarray of shape (n_components,)
        Their indices in the training data.
    normalization_ : ndarray of shape (n_features_out_, n_components)
        Turns kernel values with the landmarks into features.
    n_features_out_ : int
        Number of features.
    trace_left_ : float
        The fraction of the trace of the kernel matrix that the features do not capture; not with landmarks='uniform'.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from mercer import Nystroem
    >>> X, y = load_iris(return_X_y=True)
    >>> Nystroem(n_components=20).fit_transform(X).shape
    (150, 20)
    """

    def __init__(self, kernel: str | Kernel | Callable[..., Any] = "rbf", *, gamma: Gamma = None, coef0: float | None = None, degree: float | None = None, kernel_params: dict[str, Any] | None = None, n_components: int = 100,
                 random_state: RandomSeed = None, landmarks: Literal["uniform", "pivoted", "kmeans++"] = "uniform", n_jobs: int | None = None) -> None:
        self.kernel, self.gamma, self.coef0, self.degree, self.kernel_params = kernel, gamma, coef0, degree, kernel_params
        self.n_components, self.random_state, self.landmarks, self.n_jobs = n_components, random_state, landmarks, n_jobs

    def _make(self, X: Any) -> None:
        word("landmarks", self.landmarks, ("uniform", "pivoted", "kmeans++"))
        count = _whole("n_components", self.n_components)
        n = samples_in(X)
        if count > n:
            warnings.warn(f"n_components = {count} > n_samples = {n}: each row is a landmark", stacklevel=caller())
            count = n
        if not isinstance(self._choice, Expression) and not (self.gamma is self.coef0 is self.degree is None):
            raise ValueError("Don't pass gamma, coef0 or degree to Nystroem if using a callable or precomputed kernel")
        if self.landmarks == "uniform":
            return self._make_from_drawn(X, count)
        if not isinstance(self._choice, Expression):
            raise ValueError(f"landmarks={self.landmarks!r} needs a kernel name or expression; for callable and precomputed kernels, landmarks are drawn uniformly")
        kernel, points = self._kernel_of_engine(X)
        rule = "" if self.landmarks == "pivoted" else f":{self.landmarks}"
        self.map_ = _mercer.FeatureMap(f"nystrom:{count}{rule}", kernel, points, seed(self.random_state), threads(self.n_jobs))
        self.components_, self.normalization_ = as_rows(self.map_.landmarks), self.map_.matrix
        self.component_indices_ = self.map_.rows
        self.trace_left_, self.n_features_out_ = self.map_.trace_left, self.map_.features

    def _make_from_drawn(self, X: Any, count: int) -> None:
        """As scikit-learn does it: φ(x) = K^−½ k(landmarks, x) with K the matrix of the landmarks, by singular values, of which none is taken as smaller than 1e-12."""
        self.component_indices_ = self._generator().permutation(samples_in(X))[:count]
        chosen = samples_at(X, self.component_indices_)
        if isinstance(self._choice, Expression):
            self._kernel = self._choice.kernel.resolve(self._choice.training(X))
            self._chosen = chosen
            self.components_ = as_rows(self._choice.training(chosen))
        else:
            self._choice.keep(X, self.component_indices_)
            self.components_ = chosen
        U, values, V = svd(self._similarities(chosen))
        signs = np.einsum("ij,ji->j", U, V)  # of the eigenvalues
        if np.any((signs < 0) & (values > 1e3 * count * np.finfo(float).eps * values[0])):
            raise ValueError(f"the kernel is not positive semidefinite: between the landmarks its smallest eigenvalue is {(signs * values).min():.3g} and its largest {(signs * values).max():.3g}")
        self.normalization_ = (U / np.sqrt(np.maximum(values, 1e-12))) @ V
        self.n_features_out_ = count

    def _similarities(self, X: Any) -> np.ndarray:
        """Of the rows with the landmarks."""
        if isinstance(self._choice, Expression):
            return self._kernel.gram(self._choice.training(X), self._choice.training(self._chosen), threads=threads(self.n_jobs))
        return np.concatenate([points.numbers()[:, self.component_indices_] for points in self._choice.blocks(X)])

    def _features(self, X: Any) -> np.ndarray:
        return self._similarities(X) @ self.normalization_.T if self.landmarks == "uniform" else super()._features(X)


class RandomFourierFeatures(FeatureTransformer):
    """Random Fourier features with orthogonal directions, for translation-invariant kernels.

    Rahimi & Recht 2007, Yu et al. 2016. Like sklearn.kernel_approximation.RBFSampler, but more accurate, and for more kernels.

    Parameters
    ----------
    kernel : str or Kernel, default='rbf'
        A name or an expression of translation-invariant kernels: 'rbf', 'laplacian', 'matern(nu=1.5, length=2)', '0.5*rbf + rbf(gamma=3)' …
    gamma : {'scale', 'auto'}, float or None, default='scale'
        Of 'rbf' and 'laplacian': 'scale' is 1 / (n_features * X.var()), 'auto' and None are 1 / n_features.
    n_components : int, default=100
        Number of features; an odd number is rounded up, since each direction has a cosine and a sine.
    random_state : int, RandomState, Generator or None, default=None
        Random seed; None is 1, so that results are reproducible.
    n_jobs : int or None, default=None
        Number of threads; None: all, or OMP_NUM_THREADS if set.

    Attributes
    ----------
    map_ : FeatureMap
        The engine's map.
    n_features_out_ : int
        Number of features.

    Examples
    --------
    >>> from mercer import RandomFourierFeatures
    >>> RandomFourierFeatures(gamma=0.5, n_components=50).fit_transform([[0.0, 1.0], [2.0, 3.0]]).shape
    (2, 50)
    """

    def __init__(self, kernel: str | Kernel = "rbf", *, gamma: Gamma = "scale", n_components: int = 100, random_state: RandomSeed = None, n_jobs: int | None = None) -> None:
        self.kernel, self.gamma, self.n_components, self.random_state, self.n_jobs = kernel, gamma, n_components, random_state, n_jobs

    def _make(self, X: Any) -> None:
        count = _whole("n_components", self.n_components)
        kernel, points = self._kernel_of_engine(X)
        self.map_ = _mercer.FeatureMap(f"fourier:{count}", kernel, points, seed(self.random_state), threads(self.n_jobs))
        self.n_features_out_ = self.map_.features


class RandomMap(FeatureTransformer):
    """A map that is drawn from a random generator of numpy, in the order in which scikit-learn draws it, so that the same seed gives the same features."""

    kernel = "linear"  # rows of numbers, whatever they come from

    def _choose_kernel(self, X: Any) -> Any:
        return choose("linear", X, names=self._columns())

    def _numbers(self, X: Any) -> Any:
        return as_rows(self._choice.training(X))


class RBFSampler(RandomMap):
    """Random Fourier features of the RBF kernel exp(-gamma ‖x - z‖²) (Rahimi & Recht 2007): cosines in random directions.

    Same interface, and for the same random_state the same features, as sklearn.kernel_approximation.RBFSampler. RandomFourierFeatures has orthogonal directions, which are more
    accurate, and other kernels.

    Parameters
    ----------
    gamma : float > 0 or 'scale', default=1.0
        Of the kernel; 'scale' is 1 / (n_features * X.var()).
    n_components : int, default=100
        Number of features.
    random_state : int, RandomState, Generator or None, default=None
        Random seed; None is 1, so that results are reproducible.

    Attributes
    ----------
    random_weights_ : ndarray of shape (n_features, n_components)
        Directions.
    random_offset_ : ndarray of shape (n_components,)
        Phases.

    Examples
    --------
    >>> from mercer import RBFSampler
    >>> RBFSampler(gamma=0.5, n_components=50).fit_transform([[0.0, 1.0], [2.0, 3.0]]).shape
    (2, 50)
    """

    def __init__(self, *, gamma: float | Literal["scale"] = 1.0, n_components: int = 100, random_state: RandomSeed = None) -> None:
        self.gamma, self.n_components, self.random_state = gamma, n_components, random_state

    def _make(self, X: Any) -> None:
        count, numbers, random = _whole("n_components", self.n_components), self._numbers(X), self._generator()
        if isinstance(self.gamma, str) and self.gamma == "scale":
            mean = numbers.mean()
            square = numbers.multiply(numbers).mean() if hasattr(numbers, "multiply") else (numbers**2).mean()
            variance = float(square - mean**2)
            gamma = 1.0 / (numbers.shape[1] * variance) if variance > 0 else 1.0
        else:
            gamma = positive_number("gamma", self.gamma)
        self._gamma = gamma  # where programs look for it in scikit-learn's class
        self.random_weights_ = (np.sqrt(2 * gamma) * random.normal(size=(numbers.shape[1], count))).astype(self._dtype, copy=False)
        self.random_offset_ = random.uniform(0, 2 * np.pi, size=count).astype(self._dtype, copy=False)
        self.n_features_out_ = count

    def _features(self, X: Any) -> np.ndarray:
        return np.sqrt(2.0 / self.n_features_out_) * np.cos(self._numbers(X) @ self.random_weights_ + self.random_offset_)


class PolynomialCountSketch(RandomMap):
    """Tensor sketch of the polynomial kernel (gamma xᵀz + coef0)^degree (Pham & Pagh 2013): the convolution of count sketches, by Fourier transforms.

    Same interface, and for the same random_state the same features, as sklearn.kernel_approximation.PolynomialCountSketch.

    Parameters
    ----------
    gamma : float ≥ 0, default=1.0
        Factor of the dot product.
    degree : int, default=2
        Degree of the polynomial.
    coef0 : float ≥ 0, default=0.0
        Constant term of the polynomial.
    n_components : int, default=100
        Number of features.
    random_state : int, RandomState, Generator or None, default=None
        Random seed; None is 1, so that results are reproducible.

    Attributes
    ----------
    indexHash_ : ndarray of shape (degree, n_features), with coef0 > 0 (degree, n_features + 1)
        Which entry of each count sketch a feature is added to.
    bitHash_ : ndarray of the same shape
        With which sign.

    Examples
    --------
    >>> from mercer import PolynomialCountSketch
    >>> PolynomialCountSketch(degree=3, n_components=50).fit_transform([[0.0, 1.0], [2.0, 3.0]]).shape
    (2, 50)
    """

    def __init__(self, *, gamma: float = 1.0, degree: int = 2, coef0: float = 0.0, n_components: int = 100, random_state: RandomSeed = None) -> None:
        self.gamma, self.degree, self.coef0, self.n_components, self.random_state = gamma, degree, coef0, n_components, random_state

    def _make(self, X: Any) -> None:
        count, degree, random = _whole("n_components", self.n_components), _whole("degree", self.degree), self._generator()
        for name in ("gamma", "coef0"):
            value = getattr(self, name)
            if isinstance(value, (bool, str)) or not np.isscalar(value) or not 0 <= value < np.inf:
                raise ValueError(f"{name} must be a number ≥ 0, not {value!r}: of a negative one there are no real features")
        columns = self._numbers(X).shape[1] + (self.coef0 != 0)
        self.indexHash_ = random.randint(0, high=count, size=(degree, columns))
        self.bitHash_ = random.choice(a=[-1, 1], size=(degree, columns))
        self.n_features_out_ = count

    def _features(self, X: Any) -> np.ndarray:
        numbers, count = self._numbers(X), self.n_features_out_
        product: Any = 1.0
        for places, signs in zip(self.indexHash_, self.bitHash_):  # the sketch of a row is its product with a matrix of one entry a column
            sketch = sparse.csr_matrix((signs.astype(float), (np.arange(len(places)), places)), shape=(len(places), count))
            own = numbers.shape[1]
            sums = np.sqrt(self.gamma) * _dense(numbers @ sketch[:own])
            product = product * np.fft.rfft(sums + np.sqrt(self.coef0) * sketch[own:].toarray().sum(axis=0), axis=1)
        return np.fft.irfft(product, n=count, axis=1)


def _dense(matrix: Any) -> np.ndarray:
    return matrix.toarray() if sparse.issparse(matrix) else np.asarray(matrix)


class ExplicitFeatureMap(FeatureTransformer):
    """The exact feature map of a kernel: the monomials of 'poly' and of sums and products of such kernels.

    For infinite series such as 'rbf' it has the first terms.

    Parameters
    ----------
    kernel : str or Kernel, default='poly'
        A name or an expression.
    degree : int, default=2
        Degree of 'poly': (gamma xᵀz + coef0)^degree.
    gamma : {'scale', 'auto'}, float or None, default=None
        Factor of the dot product in 'poly': 'scale' is 1 / (n_features * X.var()), 'auto' and None are 1 / n_features.
    coef0 : float, default=1.0
        Constant term of 'poly'.
    terms : int, default=8
        Number of terms kept of an infinite series.
    ordered : bool, default=False
        Keep x₁x₂ and x₂x₁ as separate features, instead of one with the weight √2.
    n_jobs : int or None, default=None
        Number of threads; None: all, or OMP_NUM_THREADS if set.

    Attributes
    ----------
    n_features_out_ : int
        Number of features.
    exact_ : bool
        False if a series was truncated.

    Examples
    --------
    >>> from mercer import ExplicitFeatureMap
    >>> ExplicitFeatureMap(gamma=1.0).fit_transform([[3.0, 4.0]]).shape
    (1, 6)
    """

    def __init__(self, kernel: str | Kernel = "poly", *, degree: int = 2, gamma: Gamma = None, coef0: float = 1.0, terms: int = 8, ordered: bool = False, n_jobs: int | None = None) -> None:
        self.kernel, self.degree, self.gamma, self.coef0, self.terms, self.ordered, self.n_jobs = kernel, degree, gamma, coef0, terms, ordered, n_jobs

    def _make(self, X: Any) -> None:
        terms = _whole("terms", self.terms)
        self._kernel, points = self._kernel_of_engine(X)
        count, digits, truncated = _mercer.count_features(self._kernel, points, terms, bool(self.ordered))
        if count is None:
            raise ValueError(f"{self._kernel.text()} has about 1e{digits:.0f} features for {points.columns} columns; use Nystroem")
        self.exact_ = not truncated
        self.n_features_out_ = int(count)

    def _features(self, X: Any) -> np.ndarray:
        return _mercer.explicit_features(self._kernel, self._choice.training(X), int(self.terms), bool(self.ordered))


def _whole(name: str, value: Any) -> int:
    if isinstance(value, (bool, str)) or not np.isscalar(value) or value < 1 or int(value) != value:
        raise ValueError(f"{name} must be a whole number ≥ 1, not {value!r}")
    return int(value)
