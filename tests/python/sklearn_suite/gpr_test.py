"""scikit-learn's tests of Gaussian process regression."""
from substitution import suite

globals().update(suite("sklearn.gaussian_process.tests.test_gpr", {"sklearn.gaussian_process": ["GaussianProcessRegressor"]}))
