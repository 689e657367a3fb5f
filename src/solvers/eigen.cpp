#include "solvers/eigen.hpp"

#include <lapacke.h>

#include "base/blas.hpp"
#include "mercer/error.hpp"

namespace mercer {

Eigen symmetric_eigen(std::span<const double> K, std::size_t n, bool vectors) {
  Eigen eigen{std::vector<double>(n), {K.begin(), K.end()}};
  if (n == 0) return eigen;
  const SingleThreadedBlas one_thread;
  const auto size = lapack_int(n);
  if (LAPACKE_dsyevd(LAPACK_ROW_MAJOR, vectors ? 'V' : 'N', 'L', size, eigen.vectors.data(), size, eigen.values.data()) != 0)
    throw Error(ErrorKind::data, "the eigenvalues of the Gram matrix could not be computed; has it non-finite entries?");
  if (!vectors) eigen.vectors.clear();
  return eigen;
}

}  // namespace mercer
