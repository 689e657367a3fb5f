"""scikit-learn's tests of support vector machines."""
from substitution import suite

globals().update(suite("sklearn.svm.tests.test_svm", {"sklearn.svm": ["SVC", "NuSVC", "LinearSVC", "SVR", "NuSVR", "LinearSVR", "OneClassSVM"]}))
