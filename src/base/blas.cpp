#include "base/blas.hpp"

#include <cblas.h>
#include <omp.h>

namespace mercer {
namespace {

// OpenBLAS's OpenMP build asks OpenMP how many threads the calling thread may start, so the limit is the caller's
// own. The pthread build, which Debian's alternatives may put in its place, has one limit for the whole program.
bool counts_openmp_threads() { return openblas_get_parallel() == OPENBLAS_OPENMP; }

int blas_threads() { return counts_openmp_threads() ? omp_get_max_threads() : openblas_get_num_threads(); }

void set_blas_threads(int threads) {
  if (threads == blas_threads()) return;
  counts_openmp_threads() ? omp_set_num_threads(threads) : openblas_set_num_threads(threads);
}

}  // namespace

SingleThreadedBlas::SingleThreadedBlas() : previous_(blas_threads()) { set_blas_threads(1); }

SingleThreadedBlas::~SingleThreadedBlas() { set_blas_threads(previous_); }

}  // namespace mercer
