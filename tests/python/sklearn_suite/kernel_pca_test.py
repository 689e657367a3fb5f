"""scikit-learn's tests of kernel principal component analysis."""
from substitution import suite

globals().update(suite("sklearn.decomposition.tests.test_kernel_pca", {"sklearn.decomposition": ["KernelPCA"]}))
