"""scikit-learn's tests of kernel ridge regression."""
from substitution import suite

globals().update(suite("sklearn.tests.test_kernel_ridge", {"sklearn.kernel_ridge": ["KernelRidge"]}))
