// Every method. A new one is a header in mercer/methods/, a source here and a word in this list.
#include "mercer/methods.hpp"

namespace mercer {

const std::vector<AnyMethod>& methods() {
  static const std::vector<AnyMethod> all{Svm{},        NuSvm{},
                                          Svr{},        NuSvr{},
                                          LinearSvm{},  LinearSvr{},
                                          Ridge{},      Ols{},
                                          Gp{},         GpClassifier{},
                                          SparseGp{},   MultiGp{},
                                          Logistic{},   Poisson{},
                                          Huber{},      Quantile{},
                                          Rerm{},       Fisher{},
                                          Perceptron{}, OnlinePerceptron{},
                                          Norma{},      RecursiveRidge{},
                                          Knn{},        NadarayaWatson{},
                                          Lwlr{},       Pca{},
                                          Kmeans{},     SpectralClustering{},
                                          OneClass{},   MeanDistance{},
                                          Mmd{}};
  return all;
}

}  // namespace mercer
