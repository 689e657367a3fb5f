// Every method. A new one is a header in mercer/methods/, a source here and a word in this list.
#include "mercer/methods.hpp"

namespace mercer {

const std::vector<AnyMethod>& methods() {
  static const std::vector<AnyMethod> all{Svm{}, NuSvm{}, Svr{}, NuSvr{}, OneClass{}, Ridge{}, Ols{}, Logistic{}, Huber{}, Quantile{}, Poisson{}, Rerm{}, Gp{}};
  return all;
}

}  // namespace mercer
