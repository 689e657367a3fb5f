#include "base/blas.hpp"

#include <cblas.h>

namespace mercer {

SingleThreadedBlas::SingleThreadedBlas() : previous_(openblas_get_num_threads()) {
  if (previous_ != 1) openblas_set_num_threads(1);
}

SingleThreadedBlas::~SingleThreadedBlas() {
  if (previous_ != 1) openblas_set_num_threads(previous_);
}

}  // namespace mercer
