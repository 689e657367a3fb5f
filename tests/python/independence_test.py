"""hsic_test and hsic_ranking beside numpy."""
import numpy as np
import pytest

from mercer import Kernel, hsic_ranking, hsic_test

RANDOM = np.random.default_rng(1)
X = RANDOM.standard_normal((80, 3))
y = np.sin(2 * X[:, 1]) + 0.5 * RANDOM.standard_normal(80)


def matrices(gamma=0.4, delta=1.3):
    K = np.exp(-gamma * ((X[:, None] - X[None]) ** 2).sum(-1))
    return K, np.exp(-delta * (y[:, None] - y[None]) ** 2)


def test_statistics_by_numpy():
    K, L = matrices()
    n, H = 80, np.eye(80) - 1 / 80
    found = hsic_test(X, y, kernel="rbf(gamma=0.4)", target_kernel=Kernel("rbf(gamma=1.3)"), permutations=0)
    assert found.statistic == pytest.approx(np.trace(K @ H @ L @ H) / n**2, rel=1e-10)
    assert found.alignment == pytest.approx(np.trace(K @ H @ L @ H) / np.sqrt(np.trace(K @ H @ K @ H) * np.trace(L @ H @ L @ H)), rel=1e-10)
    np.fill_diagonal(K, 0), np.fill_diagonal(L, 0)
    unbiased = (np.trace(K @ L) + K.sum() * L.sum() / (n - 1) / (n - 2) - 2 / (n - 2) * (K @ L).sum()) / n / (n - 3)
    assert found.unbiased == pytest.approx(unbiased, rel=1e-10)
    assert found.pvalue is None


def test_p_values():
    assert hsic_test(X, y, permutations=500).pvalue < 0.05
    assert hsic_test(X, RANDOM.standard_normal(80)).pvalue > 0.001
    assert hsic_test(X, y > 0, permutations=500).pvalue < 0.05  # classes
    assert hsic_test(X, np.where(y > 0, "up", "down"), permutations=99, random_state=3) == hsic_test(X, np.where(y > 0, "up", "down"), permutations=99, random_state=3)


def test_ranking():
    ranking = hsic_ranking(X, y, permutations=99)
    assert ranking[0].column == 1 and ranking[0].pvalue == 0.01
    assert [one.hsic for one in ranking] == sorted((one.hsic for one in ranking), reverse=True)
    alone = hsic_test(X[:, [1]], y, permutations=0)
    assert ranking[0].hsic == pytest.approx(alone.statistic) and ranking[0].alignment == pytest.approx(alone.alignment)
    pandas = pytest.importorskip("pandas")
    assert hsic_ranking(pandas.DataFrame(X, columns=["a", "b", "c"]), y)[0].column == "b"


def test_refusals():
    with pytest.raises(ValueError, match="there are 80 rows but 79 targets"):
        hsic_test(X, y[:79])
    with pytest.raises(ValueError, match="permutations must be a whole number, at least 0"):
        hsic_test(X, y, permutations=-1)
    with pytest.raises(ValueError, match="y contains NaN"):
        hsic_test(X, np.full(80, np.nan))
    with pytest.raises(MemoryError, match="test a sample of the rows"):
        hsic_test(X, y, cache_size=0.01)
