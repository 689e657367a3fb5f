"""scikit-learn's tests of kernel approximations."""
from substitution import suite

globals().update(suite("sklearn.tests.test_kernel_approximation", {"sklearn.kernel_approximation": ["Nystroem", "RBFSampler", "PolynomialCountSketch"]}))
