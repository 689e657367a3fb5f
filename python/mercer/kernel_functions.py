"""A function for every kernel and rule of the engine's catalogue: RBF(gamma=0.1), normalize(k), mkl(k1, k2).

Written by scripts/python_pages.py; what the functions do stands in kernel_factories.py.
"""
# mypy: disable-error-code="empty-body"
from __future__ import annotations

import os
from typing import Any, Callable, Literal, Mapping

from numpy.typing import ArrayLike

from .kernel_factories import from_features, from_function, of_catalogue
from .kernels import Kernel

__all__ = [
    "from_features", "from_function", "Linear", "Polynomial", "RBF", "Laplace", "Exponential",
    "QuadraticForm", "Constant", "Delta", "Intersection", "Matern", "RationalQuadratic", "Chi2", "Cosine",
    "Manhattan", "Anova", "Periodic", "Sigmoid", "Precomputed", "Spectrum", "Mismatch", "GKM",
    "WeightedDegree", "Subsequence", "Edit", "WL", "ShortestPath", "RandomWalk", "Graphlet", "Tanimoto",
    "Histogram", "Hog", "Jaccard", "BagOfWords", "ArcCosine", "Ntk", "SpectralMixture", "Distance",
    "Multiquadric", "ThinPlate", "exp", "polynomial", "normalize", "center", "weighted", "mapped", "scaled",
    "mkl", "orbit", "patches", "set_of", "general_set", "mmd",
]


@of_catalogue("leaf", "linear")
def Linear() -> Kernel:
    """The inner product; try it first.

    ::

        k(x, z) = xᵀz

    Returns
    -------
    Kernel

    Examples
    --------
    >>> from mercer import Linear
    >>> Linear()
    Kernel('linear')
    """


@of_catalogue("leaf", "poly")
def Polynomial(degree: int = 3, scale: float = 1.0, offset: float = 1.0) -> Kernel:
    """All monomials up to the degree; offset 0 gives the homogeneous one.

    ::

        k(x, z) = (offset + scale·xᵀz)^degree

    Parameters
    ----------
    degree : int (1 to 1000), default=3
        degree.
    scale : float > 0, default=1.0
        factor of the dot product (scikit-learn's gamma).
    offset : float ≥ 0, default=1.0
        constant term (scikit-learn's coef0).

    Returns
    -------
    Kernel

    Examples
    --------
    >>> from mercer import Polynomial
    >>> Polynomial()
    Kernel('poly(degree=3, scale=1, offset=1)')
    """


@of_catalogue("leaf", "rbf")
def RBF(
    gamma: Literal['scale', 'auto', 'median'] | float = "scale",
    *,
    sigma: Literal['scale', 'auto', 'median'] | float | None = None,
) -> Kernel:
    """The Gaussian; smooth, universal, the usual default.

    ::

        k(x, z) = exp(−gamma·‖x−z‖²), gamma = 1/(2·sigma²)

    Parameters
    ----------
    gamma : float > 0 or {'scale', 'auto', 'median'}, default='scale'
        inverse squared width.
    sigma : float > 0 or {'scale', 'auto', 'median'} or None, default=None
        width.

    Returns
    -------
    Kernel

    Examples
    --------
    >>> from mercer import RBF
    >>> RBF()
    Kernel('rbf(gamma=scale)')
    """


@of_catalogue("leaf", "laplace")
def Laplace(lambda_: Literal['scale', 'auto', 'median'] | float = "scale") -> Kernel:
    """Radial with a kink at 0; heavier tails than the Gaussian.

    ::

        k(x, z) = exp(−lambda·‖x−z‖₂)

    Parameters
    ----------
    lambda_ : float > 0 or {'scale', 'auto', 'median'}, default='scale'
        inverse width.

    Returns
    -------
    Kernel

    Examples
    --------
    >>> from mercer import Laplace
    >>> Laplace()
    Kernel('laplace(lambda=scale)')
    """


@of_catalogue("leaf", "exponential")
def Exponential(sigma: Literal['scale', 'auto', 'median'] | float = "scale") -> Kernel:
    """All polynomials at once; the Gaussian without its normalisation.

    ::

        k(x, z) = exp(xᵀz / sigma²)

    Parameters
    ----------
    sigma : float > 0 or {'scale', 'auto', 'median'}, default='scale'
        width.

    Returns
    -------
    Kernel

    Examples
    --------
    >>> from mercer import Exponential
    >>> Exponential()
    Kernel('exponential(sigma=scale)')
    """


@of_catalogue("leaf", "quadratic_form")
def QuadraticForm(A: ArrayLike) -> Kernel:
    """An inner product with a matrix of your own.

    ::

        k(x, z) = xᵀ A z

    Parameters
    ----------
    A : array of shape (n_features, n_features)
        [[2, 1], [1, 2]], a diagonal [1, 2, 3], or a .npy file in quotes.

    Returns
    -------
    Kernel

    Examples
    --------
    >>> from mercer import QuadraticForm
    >>> QuadraticForm(A=[[2, 1], [1, 2]])
    Kernel('quadratic_form(A=[[2, 1], [1, 2]])')
    """


@of_catalogue("leaf", "constant")
def Constant(c: float = 1.0) -> Kernel:
    """The same for all pairs; adds a bias term to a sum, useless alone.

    ::

        k(x, z) = c

    Parameters
    ----------
    c : float ≥ 0, default=1.0
        the value.

    Returns
    -------
    Kernel

    Examples
    --------
    >>> from mercer import Constant
    >>> Constant()
    Kernel('constant(c=1)')
    """


@of_catalogue("leaf", "delta")
def Delta() -> Kernel:
    """Identity; adds a ridge to a sum, useless alone.

    ::

        k(x, z) = 1 if x = z, else 0

    Returns
    -------
    Kernel

    Examples
    --------
    >>> from mercer import Delta
    >>> Delta()
    Kernel('delta')
    """


@of_catalogue("leaf", "intersection")
def Intersection() -> Kernel:
    """Histogram intersection.

    ::

        k(x, z) = Σ min(xₖ, zₖ), x, z ≥ 0

    Returns
    -------
    Kernel

    Examples
    --------
    >>> from mercer import Intersection
    >>> Intersection()
    Kernel('intersection')
    """


@of_catalogue("leaf", "matern")
def Matern(nu: float = 1.5, length: Literal['scale', 'auto', 'median'] | float = "scale") -> Kernel:
    """Between Laplace (nu = 0.5) and the Gaussian in smoothness.

    ::

        k(x, z) = 2^(1−nu)/Γ(nu)·t^nu·K_nu(t), t = √(2nu)·‖x−z‖/length; e^−t · (1 | 1+t | 1+t+t²/3) for nu = 0.5, 1.5, 2.5

    Parameters
    ----------
    nu : float > 0 and at most 100, default=1.5
        smoothness; 0.5, 1.5, 2.5, … are fast, rbf is the limit.
    length : float > 0 or {'scale', 'auto', 'median'}, default='scale'
        length scale.

    Returns
    -------
    Kernel

    Examples
    --------
    >>> from mercer import Matern
    >>> Matern()
    Kernel('matern(nu=1.5, length=scale)')
    """


@of_catalogue("leaf", "rational_quadratic")
def RationalQuadratic(
    alpha: float = 1.0,
    length: Literal['scale', 'auto', 'median'] | float = "scale",
) -> Kernel:
    """A mixture of Gaussians of all widths.

    ::

        k(x, z) = (1 + ‖x−z‖² / (2·alpha·length²))^−alpha

    Parameters
    ----------
    alpha : float > 0, default=1.0
        small: a mixture of many widths; ∞: the Gaussian.
    length : float > 0 or {'scale', 'auto', 'median'}, default='scale'
        length scale.

    Returns
    -------
    Kernel

    Examples
    --------
    >>> from mercer import RationalQuadratic
    >>> RationalQuadratic()
    Kernel('rational_quadratic(alpha=1, length=scale)')
    """


@of_catalogue("leaf", "chi2")
def Chi2(gamma: float = 1.0) -> Kernel:
    """Histograms compared by the χ² distance.

    ::

        k(x, z) = exp(−gamma·Σ (xₖ−zₖ)²/(xₖ+zₖ)), x, z ≥ 0

    Parameters
    ----------
    gamma : float > 0, default=1.0
        inverse width.

    Returns
    -------
    Kernel

    Examples
    --------
    >>> from mercer import Chi2
    >>> Chi2()
    Kernel('chi2(gamma=1)')
    """


@of_catalogue("leaf", "cosine")
def Cosine() -> Kernel:
    """Cosine similarity: the angle only, not the lengths.

    ::

        k(x, z) = xᵀz / (‖x‖·‖z‖)

    Returns
    -------
    Kernel

    Examples
    --------
    >>> from mercer import Cosine
    >>> Cosine()
    Kernel('cosine')
    """


@of_catalogue("leaf", "manhattan")
def Manhattan(lambda_: float = 1.0) -> Kernel:
    """Laplace in the L1 distance (scikit-learn's laplacian).

    ::

        k(x, z) = exp(−lambda·‖x−z‖₁)

    Parameters
    ----------
    lambda_ : float > 0, default=1.0
        inverse width.

    Returns
    -------
    Kernel

    Examples
    --------
    >>> from mercer import Manhattan
    >>> Manhattan()
    Kernel('manhattan(lambda=1)')
    """


@of_catalogue("leaf", "anova")
def Anova(gamma: float = 1.0, degree: int = 1) -> Kernel:
    """Additive effects of single columns; degree adds interactions.

    ::

        k(x, z) = (Σₖ exp(−gamma·(xₖ−zₖ)²))^degree

    Parameters
    ----------
    gamma : float > 0, default=1.0
        inverse squared width, for each column as for rbf.
    degree : int (1 to 1000), default=1
        order of interaction.

    Returns
    -------
    Kernel

    Examples
    --------
    >>> from mercer import Anova
    >>> Anova()
    Kernel('anova(gamma=1, degree=1)')
    """


@of_catalogue("leaf", "periodic")
def Periodic(period: float = 1.0, length: float = 1.0) -> Kernel:
    """Functions with a known period.

    ::

        k(x, z) = exp(−2/length²·Σ sin²(π(xₖ−zₖ)/period))

    Parameters
    ----------
    period : float > 0, default=1.0
        period, the same for all columns.
    length : float > 0, default=1.0
        length scale within a period.

    Returns
    -------
    Kernel

    Examples
    --------
    >>> from mercer import Periodic
    >>> Periodic()
    Kernel('periodic(period=1, length=1)')
    """


@of_catalogue("leaf", "sigmoid")
def Sigmoid(scale: float = 1.0, offset: float = 0.0) -> Kernel:
    """Tanh of the inner product; NOT positive semidefinite in general.

    ::

        k(x, z) = tanh(scale·xᵀz + offset)

    Parameters
    ----------
    scale : float, default=1.0
        factor of the dot product (scikit-learn's gamma).
    offset : float, default=0.0
        constant term (scikit-learn's coef0).

    Returns
    -------
    Kernel

    Examples
    --------
    >>> from mercer import Sigmoid
    >>> Sigmoid()
    Kernel('sigmoid(scale=1, offset=0)')
    """


@of_catalogue("leaf", "precomputed")
def Precomputed() -> Kernel:
    """A precomputed kernel matrix.

    ::

        k(x, z) = K[x, z]

    Returns
    -------
    Kernel

    Examples
    --------
    >>> from mercer import Precomputed
    >>> Precomputed()
    Kernel('precomputed')
    """


@of_catalogue("leaf", "spectrum")
def Spectrum(k: int = 3, reverse_complement: bool = False) -> Kernel:
    """Counts of shared words of k letters.

    ::

        k(x, z) = Σ_w #(w in x)·#(w in z), w of k letters

    Compares objects: sequence.

    Parameters
    ----------
    k : int (1 to 1000), default=3
        word length (k-mers).
    reverse_complement : bool, default=False
        yes: count a k-mer and its reverse complement (DNA) as the same.

    Returns
    -------
    Kernel

    Examples
    --------
    >>> from mercer import Spectrum
    >>> Spectrum()
    Kernel('spectrum(k=3, reverse_complement=no)')
    """


@of_catalogue("leaf", "mismatch")
def Mismatch(k: int = 5, m: int = 1, alphabet: str = "ACGT") -> Kernel:
    """Counts of words of k letters shared up to m substitutions.

    ::

        k(x, z) = Σ_w φ_w(x)·φ_w(z), φ_w(x) = #(words of x within m substitutions of w), w of k letters

    Compares objects: sequence.

    Parameters
    ----------
    k : int (1 to 1000), default=5
        word length (k-mers).
    m : int (0 to 8), default=1
        maximum number of mismatches.
    alphabet : str, default='ACGT'
        letters that a mismatch may put in place of another.

    Returns
    -------
    Kernel

    Examples
    --------
    >>> from mercer import Mismatch
    >>> Mismatch()
    Kernel('mismatch(k=5, m=1, alphabet=ACGT)')
    """


@of_catalogue("leaf", "gkm")
def GKM(
    l: int = 11,
    k: int = 7,
    d: int = 12,
    reverse_complement: bool = True,
    filter: Literal['none', 'full', 'truncated'] = "none",
) -> Kernel:
    """Counts of shared gapped k-mers of DNA sequences.

    ::

        k(x, z) = Σ_{u in x} Σ_{v in z} C(l−m, k), m = #(letters in which u and v of l letters differ) ≤ d

    Compares objects: sequence.

    Parameters
    ----------
    l : int (1 to 12), default=11
        word length, gaps included.
    k : int (1 to 12), default=7
        number of letters of a word that must match.
    d : int (0 to 12), default=12
        maximum number of mismatches that is counted.
    reverse_complement : bool, default=True
        yes: compare both strands of DNA.
    filter : {'none', 'full', 'truncated'}, default='none'
        count gapped k-mers, or words estimated from them.

    Returns
    -------
    Kernel

    Examples
    --------
    >>> from mercer import GKM
    >>> GKM()
    Kernel('gkm(l=11, k=7, d=4, reverse_complement=yes, filter=none)')
    """


@of_catalogue("leaf", "weighted_degree")
def WeightedDegree(degree: int = 10, shift: int = 0) -> Kernel:
    """Shared substrings at the same position.

    ::

        k(x, z) = Σ_e β_e·#(places where x and z have the same e letters), e ≤ degree, β_e = 2(degree−e+1)/(degree(degree+1))

    Compares objects: sequence.

    Parameters
    ----------
    degree : int (1 to 1000), default=10
        length of the longest substring.
    shift : int (0 to 1000), default=0
        maximum distance between the positions of two substrings.

    Returns
    -------
    Kernel

    Examples
    --------
    >>> from mercer import WeightedDegree
    >>> WeightedDegree()
    Kernel('weighted_degree(degree=10, shift=0)')
    """


@of_catalogue("leaf", "subsequence")
def Subsequence(length: int = 3, decay: float = 0.5) -> Kernel:
    """Common subsequences, with longer gaps weighted less.

    ::

        k(x, z) = Σ_u Σ_{i: x[i]=u} Σ_{j: z[j]=u} decay^(span(i)+span(j)), u of length letters

    Compares objects: sequence.

    Parameters
    ----------
    length : int (1 to 1000), default=3
        length of the subsequences.
    decay : float > 0 and ≤ 1, default=0.5
        factor for each position that a subsequence spans.

    Returns
    -------
    Kernel

    Examples
    --------
    >>> from mercer import Subsequence
    >>> Subsequence()
    Kernel('subsequence(length=3, decay=0.5)')
    """


@of_catalogue("leaf", "edit")
def Edit(gamma: float = 0.1) -> Kernel:
    """Edit distance; NOT positive semidefinite in general.

    ::

        k(x, z) = exp(−gamma·(edits that make z of x))

    Compares objects: sequence.

    Parameters
    ----------
    gamma : float > 0, default=0.1
        rate per edit.

    Returns
    -------
    Kernel

    Examples
    --------
    >>> from mercer import Edit
    >>> Edit()
    Kernel('edit(gamma=0.1)')
    """


@of_catalogue("leaf", "wl")
def WL(iterations: int = 5, base: Literal['subtree', 'shortest_path', 'edge'] = "subtree") -> Kernel:
    """Weisfeiler–Lehman: shared node neighbourhoods; the usual choice for graphs.

    ::

        k(x, z) = Σₜ base(xₜ, zₜ), labels refined by those of the neighbours t times

    Compares objects: graph, molecule.

    Parameters
    ----------
    iterations : int (0 to 100), default=5
        number of refinements: the radius of the neighbourhoods.
    base : {'subtree', 'shortest_path', 'edge'}, default='subtree'
        what is compared after each refinement.

    Returns
    -------
    Kernel

    Examples
    --------
    >>> from mercer import WL
    >>> WL()
    Kernel('wl(iterations=5, base=subtree)')
    """


@of_catalogue("leaf", "shortest_path")
def ShortestPath() -> Kernel:
    """Pairs of nodes with the same labels at the same distance.

    ::

        k(x, z) = Σ [labels and distance of u, v = those of s, t] over pairs of nodes

    Compares objects: graph, molecule.

    Returns
    -------
    Kernel

    Examples
    --------
    >>> from mercer import ShortestPath
    >>> ShortestPath()
    Kernel('shortest_path')
    """


@of_catalogue("leaf", "random_walk")
def RandomWalk(decay: float = 0.05, steps: int = 0) -> Kernel:
    """Shared random walks; slow, for small graphs.

    ::

        k(x, z) = Σₗ decayˡ·#(pairs of walks of l steps with the same labels)

    Compares objects: graph, molecule.

    Parameters
    ----------
    decay : float > 0, default=0.05
        weight of a step; with all lengths it must be small enough for the sum to converge.
    steps : int (0 to 1000), default=0
        the longest walk; 0: all lengths.

    Returns
    -------
    Kernel

    Examples
    --------
    >>> from mercer import RandomWalk
    >>> RandomWalk()
    Kernel('random_walk(decay=0.05, steps=0)')
    """


@of_catalogue("leaf", "graphlet")
def Graphlet(size: int = 3, connected: bool = False) -> Kernel:
    """Counts of small shared subgraphs, ignoring labels; use it inside normalize.

    ::

        k(x, z) = Σ_g #(g in x)·#(g in z), g of size nodes

    Compares objects: graph, molecule.

    Parameters
    ----------
    size : int (3 or 4), default=3
        number of nodes of a graphlet.
    connected : bool, default=False
        yes: count connected graphlets only.

    Returns
    -------
    Kernel

    Examples
    --------
    >>> from mercer import Graphlet
    >>> Graphlet()
    Kernel('graphlet(size=3, connected=no)')
    """


@of_catalogue("leaf", "tanimoto")
def Tanimoto(radius: int = 2, bits: int = 0, counts: bool = True) -> Kernel:
    """Tanimoto similarity of Morgan fingerprints; the usual choice for molecules.

    ::

        k(x, z) = Σ min(xₑ, zₑ) / Σ max(xₑ, zₑ), e the environments of atoms

    Compares objects: molecule.

    Parameters
    ----------
    radius : int (0 to 20), default=2
        radius of the Morgan fingerprint, in bonds (2: ECFP4).
    bits : int (0 to 16777216), default=0
        length of the folded fingerprint; 0: not folded.
    counts : bool, default=True
        yes: count fingerprint; no: binary fingerprint.

    Returns
    -------
    Kernel

    Examples
    --------
    >>> from mercer import Tanimoto
    >>> Tanimoto()
    Kernel('tanimoto(radius=2, bits=0, counts=yes)')
    """


@of_catalogue("leaf", "histogram")
def Histogram(levels: int = 16, count: Literal['shares', 'pixels'] = "shares") -> Kernel:
    """Overlap of the colour histograms of two images.

    ::

        k(x, z) = Σ_b min(h_b(x), h_b(z)), h_b: share of pixels of colour b

    Compares objects: image.

    Parameters
    ----------
    levels : int (1 to 256), default=16
        levels per channel, so levels³ bins.
    count : {'shares', 'pixels'}, default='shares'
        shares: fractions of the pixels, which sum to 1; pixels: counts.

    Returns
    -------
    Kernel

    Examples
    --------
    >>> from mercer import Histogram
    >>> Histogram()
    Kernel('histogram(levels=16, count=shares)')
    """


@of_catalogue("leaf", "hog")
def Hog(
    cell: int = 8,
    bins: int = 9,
    block: int = 2,
    direction: Literal['unsigned', 'signed'] = "unsigned",
    clip: float = 0.2,
) -> Kernel:
    """Histograms of oriented gradients: the shapes in images of one size.

    ::

        k(x, z) = Σ_b h_b(x)ᵀ h_b(z), h_b: gradient directions in block b of cells

    Compares objects: image.

    Parameters
    ----------
    cell : int (1 to 256), default=8
        side of a cell in pixels.
    bins : int (2 to 64), default=9
        directions of a histogram.
    block : int (1 to 16), default=2
        side of a block in cells; blocks overlap, one begins at every cell.
    direction : {'unsigned', 'signed'}, default='unsigned'
        unsigned: light on dark is the same as dark on light (0 to 180 degrees); signed: it is not.
    clip : float > 0 and at most 1, default=0.2
        largest value of a normalised block.

    Returns
    -------
    Kernel

    Examples
    --------
    >>> from mercer import Hog
    >>> Hog()
    Kernel('hog(cell=8, bins=9, block=2, direction=unsigned, clip=0.2)')
    """


@of_catalogue("leaf", "jaccard")
def Jaccard() -> Kernel:
    """Size of the intersection over size of the union of two sets or histograms.

    ::

        k(x, z) = Σ min(xₖ, zₖ) / Σ max(xₖ, zₖ), x, z ≥ 0

    Returns
    -------
    Kernel

    Examples
    --------
    >>> from mercer import Jaccard
    >>> Jaccard()
    Kernel('jaccard')
    """


@of_catalogue("leaf", "bow")
def BagOfWords(
    weight: Literal['count', 'binary', 'log', 'tfidf'] = "count",
    ngrams: int = 1,
    letters: Literal['lower', 'as_written'] = "lower",
    similarity: str | os.PathLike[str] | Mapping[Any, Any] = "none",
    missing: Literal['refuse', 'own', 'ignore'] = "refuse",
) -> Kernel:
    """Bag of words: words shared by two texts or sets of symbols.

    ::

        k(x, z) = Σ_w weight(w in x)·weight(w in z), w: words

    Compares objects: text, symbols.

    Parameters
    ----------
    weight : {'count', 'binary', 'log', 'tfidf'}, default='count'
        weight of a word that occurs tf times: tf, 1, 1 + ln tf, or tf·idf.
    ngrams : int (1 to 10), default=1
        longest n-gram: up to this many words in a row count as a word.
    letters : {'lower', 'as_written'}, default='lower'
        texts: lower ignores case, as_written keeps it.
    similarity : str, path or mapping, default='none'
        words that are alike count as partly the same: a text file with a vector for each word (word v1 v2 …),
        or with a similarity for pairs (word, word, number, separated by tabs), or a mapping of words to
        vectors or of pairs of words to numbers, or gensim's KeyedVectors.
    missing : {'refuse', 'own', 'ignore'}, default='refuse'
        words that the file does not have: refuse them, own: alike to themselves only, or ignore them.

    Returns
    -------
    Kernel

    Examples
    --------
    >>> from mercer import BagOfWords
    >>> BagOfWords()
    Kernel('bow(weight=count, ngrams=1, letters=lower)')
    """


@of_catalogue("leaf", "arc_cosine")
def ArcCosine(order: int = 1, layers: int = 1) -> Kernel:
    """An infinitely wide layer of steps (order 0), rectified linear units (1) or their squares (2).

    ::

        k(x, z) = (‖x‖·‖z‖)^order · J(θ)/π, θ the angle of x and z

    Parameters
    ----------
    order : int (0, 1 or 2), default=1
        power of the rectified units: 0 steps, 1 ReLU, 2 squared ReLU.
    layers : int (1 to 20), default=1
        number of layers.

    Returns
    -------
    Kernel

    Examples
    --------
    >>> from mercer import ArcCosine
    >>> ArcCosine()
    Kernel('arc_cosine(order=1, layers=1)')
    """


@of_catalogue("leaf", "ntk")
def Ntk(depth: int = 1, weight_variance: float = 2.0, bias_variance: float = 0.0) -> Kernel:
    """Neural tangent kernel: a wide fully connected ReLU network trained by gradient descent.

    ::

        k(x, z) = Θ_depth: Θ₀ = Σ₀ = w·xᵀz + b, Θₕ₊₁ = w·Θₕ·(π−θₕ)/2π + Σₕ₊₁

    Parameters
    ----------
    depth : int (1 to 20), default=1
        number of hidden layers.
    weight_variance : float > 0, default=2.0
        w; 2 keeps the size of signals (He et al. 2015).
    bias_variance : float ≥ 0, default=0.0
        b.

    Returns
    -------
    Kernel

    Examples
    --------
    >>> from mercer import Ntk
    >>> Ntk()
    Kernel('ntk(depth=1, weight_variance=2, bias_variance=0)')
    """


@of_catalogue("leaf", "spectral_mixture")
def SpectralMixture(
    weights: ArrayLike = (1,),
    means: ArrayLike = (1,),
    variances: ArrayLike = (1,),
) -> Kernel:
    """A mixture of waves of random frequencies, which can continue patterns it has seen.

    ::

        k(x, z) = Σ_q w_q·exp(−2π²·Σₖ v_qk·τₖ²)·cos(2π·μ_qᵀτ), τ = x−z

    Parameters
    ----------
    weights : array (each > 0), default=(1,)
        w, one for each component, e.g. [1, 0.5].
    means : array (each any number), default=(1,)
        μ, frequencies: [0.5, 2], one for each component, or of several columns [[0.5, 1], [2, 0]].
    variances : array (each > 0), default=(1,)
        v, of the frequencies, shaped as the means.

    Returns
    -------
    Kernel

    Examples
    --------
    >>> from mercer import SpectralMixture
    >>> SpectralMixture()
    Kernel('spectral_mixture(weights=[1], means=[1], variances=[1])')
    """


@of_catalogue("leaf", "distance")
def Distance(beta: float = 1.0) -> Kernel:
    """A distance as a similarity, without a width to choose; valid where coefficients sum to 0.

    ::

        k(x, z) = −‖x−z‖^beta

    Parameters
    ----------
    beta : float > 0 and at most 2, default=1.0
        power of the distance.

    Returns
    -------
    Kernel

    Examples
    --------
    >>> from mercer import Distance
    >>> Distance()
    Kernel('distance(beta=1)')
    """


@of_catalogue("leaf", "multiquadric")
def Multiquadric(c: float = 1.0) -> Kernel:
    """A distance that is smooth at 0, for surfaces; valid where coefficients sum to 0.

    ::

        k(x, z) = −√(c² + ‖x−z‖²)

    Parameters
    ----------
    c : float > 0, default=1.0
        radius of the rounding at 0.

    Returns
    -------
    Kernel

    Examples
    --------
    >>> from mercer import Multiquadric
    >>> Multiquadric()
    Kernel('multiquadric(c=1)')
    """


@of_catalogue("leaf", "thin_plate")
def ThinPlate() -> Kernel:
    """Thin plate spline; valid where coefficients are orthogonal to 1 and to every column.

    ::

        k(x, z) = ‖x−z‖²·log‖x−z‖

    Returns
    -------
    Kernel

    Examples
    --------
    >>> from mercer import ThinPlate
    >>> ThinPlate()
    Kernel('thin_plate')
    """


@of_catalogue("rule", "exp")
def exp(k: Kernel | str | float) -> Kernel:
    """The exponential of a kernel.

    ::

        e^k(x,z)

    Parameters
    ----------
    k : Kernel, str or float
        the kernel that the rule is applied to.

    Returns
    -------
    Kernel

    Examples
    --------
    >>> from mercer import exp
    >>> exp("rbf(gamma=1)")
    Kernel('exp(rbf(gamma=1))')
    """


@of_catalogue("rule", "polynomial")
def polynomial(k: Kernel | str | float, coefficients: ArrayLike) -> Kernel:
    """A polynomial of a kernel.

    ::

        c₀ + c₁·k + c₂·k² + …

    Parameters
    ----------
    k : Kernel, str or float
        the kernel that the rule is applied to.
    coefficients : array of shape (n_terms,)
        [c₀, c₁, …], constant term first.

    Returns
    -------
    Kernel

    Examples
    --------
    >>> from mercer import polynomial
    >>> polynomial("linear", coefficients=[1, 2])
    Kernel('polynomial(linear, coefficients=[1, 2])')
    """


@of_catalogue("rule", "normalize")
def normalize(k: Kernel | str | float) -> Kernel:
    """Normalizes every row to length 1 in feature space.

    ::

        k(x,z) / √(k(x,x)·k(z,z))

    Parameters
    ----------
    k : Kernel, str or float
        the kernel that the rule is applied to.

    Returns
    -------
    Kernel

    Examples
    --------
    >>> from mercer import normalize
    >>> normalize("rbf(gamma=1)")
    Kernel('normalize(rbf(gamma=1))')
    """


@of_catalogue("rule", "center")
def center(k: Kernel | str | float) -> Kernel:
    """Centers the training rows in feature space.

    ::

        k(x,z) − mean k(x,·) − mean k(z,·) + mean k(·,·)

    Parameters
    ----------
    k : Kernel, str or float
        the kernel that the rule is applied to.

    Returns
    -------
    Kernel

    Examples
    --------
    >>> from mercer import center
    >>> center("rbf(gamma=1)")
    Kernel('center(rbf(gamma=1))')
    """


@of_catalogue("rule", "weighted")
def weighted(
    k: Kernel | str | float,
    by: str | Callable[..., Any],
    sigma: float = 1.0,
    *,
    name: str | None = None,
) -> Kernel:
    """A kernel weighted by a function of each row.

    ::

        f(x)·k(x,z)·f(z)

    Parameters
    ----------
    k : Kernel, str or float
        the kernel that the rule is applied to.
    by : str or function
        norm, inverse_norm, exp_norm, a column, or a formula over columns, e.g. exp(-x1^2), or a function of
        the rows.
    sigma : float > 0, default=1.0
        width of exp_norm.
    name : str or None, default=None
        what expressions and model files call a function given as by: user:name; None is its own name.

    Returns
    -------
    Kernel

    Examples
    --------
    >>> from mercer import weighted
    >>> weighted("linear", by="norm")
    Kernel('weighted(linear, by=norm)')
    """


@of_catalogue("rule", "mapped")
def mapped(
    k: Kernel | str | float,
    by: str | list[str] | Callable[..., Any],
    degree: int = 3,
    *,
    name: str | None = None,
) -> Kernel:
    """A kernel of mapped rows; of linear it is the map's own kernel φ(x)ᵀφ(z).

    ::

        k(φ(x), φ(z))

    Parameters
    ----------
    k : Kernel, str or float
        the kernel that the rule is applied to.
    by : str, list of formulas or function
        squares, powers, append_norm, unit, formulas over columns, e.g. [x1, x2, x1^2 + x2^2], or a kernel
        whose features it takes, e.g. histogram or "spectrum(k=4)", or a function of the rows.
    degree : int, default=3
        highest power of powers.
    name : str or None, default=None
        what expressions and model files call a function given as by: user:name; None is its own name.

    Returns
    -------
    Kernel

    Examples
    --------
    >>> from mercer import mapped
    >>> mapped("linear", by="squares")
    Kernel('mapped(linear, by=squares)')
    """


@of_catalogue("rule", "scaled")
def scaled(k: Kernel | str | float, by: ArrayLike | Callable[..., Any], *, name: str | None = None) -> Kernel:
    """A weight for each column (automatic relevance determination).

    ::

        k(Dx, Dz), D = diag(by)

    Parameters
    ----------
    k : Kernel, str or float
        the kernel that the rule is applied to.
    by : array of shape (n_features,) or function
        one weight for each column, e.g. [1, 0.5, 2], or a function f of the rows: f(x) k(x, z) f(z).
    name : str or None, default=None
        what expressions and model files call a function given as by: user:name; None is its own name.

    Returns
    -------
    Kernel

    Examples
    --------
    >>> from mercer import scaled
    >>> scaled("rbf(gamma=1)", by=[1, 0.5])
    Kernel('scaled(rbf(gamma=1), by=[1, 0.5])')
    """


@of_catalogue("rule", "mkl")
def mkl(*kernels: Kernel | str | float, norm: float = 1.0) -> Kernel:
    """Multiple kernel learning: the fit finds the weights from the target.

    ::

        w₁·k₁ + w₂·k₂ + …, w ≥ 0 learned

    Parameters
    ----------
    *kernels : Kernel, str or float
        the kernels that the rule is applied to.
    norm : float ≥ 1, default=1.0
        norm of the weights: 1 drops kernels that add little, 2 keeps all.

    Returns
    -------
    Kernel

    Examples
    --------
    >>> from mercer import mkl
    >>> mkl("linear", "rbf(gamma=1)")
    Kernel('mkl(linear, rbf(gamma=1))')
    """


@of_catalogue("rule", "orbit")
def orbit(k: Kernel | str | float, shifts: int = 1, rotations: float = 5.0, width: int = 0) -> Kernel:
    """Makes a kernel of images invariant to small shifts and rotations.

    ::

        mean over changes g, h of k(g·x, h·z)

    Parameters
    ----------
    k : Kernel, str or float
        the kernel that the rule is applied to.
    shifts : int, default=1
        largest shift in each direction, in pixels, 0 to 10.
    rotations : float ≥ 0, default=5.0
        largest rotation to both sides, in degrees, 0 to 90.
    width : int, default=0
        image width in pixels, if the rows are numbers; 0: square images.

    Returns
    -------
    Kernel

    Examples
    --------
    >>> from mercer import orbit
    >>> orbit("hog")
    Kernel('orbit(hog(cell=8, bins=9, block=2, direction=unsigned, clip=0.2), shifts=1, rotations=5)')
    """


@of_catalogue("rule", "patches")
def patches(
    k: Kernel | str | float,
    size: int = 8,
    stride: int = 4,
    normalize: Literal['none', 'cosine', 'size'] = "size",
    width: int = 0,
) -> Kernel:
    """Images compared as sets of patches, by a kernel of patches: pixels, histogram or hog.

    ::

        Σₐ Σ_b k(a,b), a: patches of x, b: patches of z

    Parameters
    ----------
    k : Kernel, str or float
        the kernel that the rule is applied to.
    size : int, default=8
        side of a patch in pixels, 1 to 1024.
    stride : int, default=4
        pixels from one patch to the next, 1 to 1024.
    normalize : {'none', 'cosine', 'size'}, default='size'
        none, cosine (divided by √(k(x,x)·k(z,z))) or size (by the number of pairs: the mean).
    width : int, default=0
        image width in pixels, if the rows are numbers; 0: square images.

    Returns
    -------
    Kernel

    Examples
    --------
    >>> from mercer import patches
    >>> patches("rbf(gamma=1)")
    Kernel('patches(rbf(gamma=1), size=8, stride=4, normalize=size)')
    """


@of_catalogue("rule", "set")
def set_of(k: Kernel | str | float, normalize: Literal['none', 'cosine', 'size'] = "none") -> Kernel:
    """Sets compared by a kernel of their members: vectors, symbols, words of a text, nodes of a graph.

    ::

        Σₐ Σ_b k(a,b), a in A, b in B

    Parameters
    ----------
    k : Kernel, str or float
        the kernel that the rule is applied to.
    normalize : {'none', 'cosine', 'size'}, default='none'
        none, cosine (divided by √(k(A,A)·k(B,B))) or size (by |A|·|B|).

    Returns
    -------
    Kernel

    Examples
    --------
    >>> from mercer import set_of
    >>> set_of("rbf(gamma=1)")
    Kernel('set(rbf(gamma=1), normalize=none)')
    """


@of_catalogue("rule", "general_set")
def general_set(*kernels: Kernel | str | float, counts: Literal['raw', 'share'] = "raw") -> Kernel:
    """Multisets of symbols or words, compared by a kernel of symbols and a kernel of counts.

    ::

        Σ_x Σ_y k₁(x,y)·k₂(A(x),B(y)), A(x): how often x is in A

    Parameters
    ----------
    *kernels : Kernel, str or float
        the kernels that the rule is applied to.
    counts : {'raw', 'share'}, default='raw'
        raw: how often a symbol is in a set; share: divided by the size of the set.

    Returns
    -------
    Kernel

    Examples
    --------
    >>> from mercer import general_set
    >>> general_set("delta", "linear")
    Kernel('general_set(delta, linear)')
    """


@of_catalogue("rule", "mmd")
def mmd(k: Kernel | str | float, gamma: float = 1.0) -> Kernel:
    """Sets compared by the means of their members in the feature space (maximum mean discrepancy).

    ::

        exp(−gamma·MMD²), MMD² = mean k(a,a′) + mean k(b,b′) − 2·mean k(a,b)

    Parameters
    ----------
    k : Kernel, str or float
        the kernel that the rule is applied to.
    gamma : float > 0, default=1.0
        inverse width.

    Returns
    -------
    Kernel

    Examples
    --------
    >>> from mercer import mmd
    >>> mmd("rbf(gamma=1)")
    Kernel('mmd(rbf(gamma=1), gamma=1)')
    """
