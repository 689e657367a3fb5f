"""scikit-learn's tests of support vector machines over sparse matrices."""
from substitution import suite

globals().update(suite("sklearn.svm.tests.test_sparse", {"sklearn.svm": ["SVC", "NuSVC", "LinearSVC", "SVR", "NuSVR", "LinearSVR", "OneClassSVM"]}))
