#include "solvers/eigen.hpp"

#include <utility>

#include "base/blas.hpp"
#include "base/lapack.hpp"
#include "mercer/error.hpp"

namespace mercer {

Eigen symmetric_eigen(std::span<const double> K, std::size_t n, bool vectors) {
  Eigen eigen{std::vector<double>(n), {K.begin(), K.end()}};
  if (n == 0) return eigen;
  const SingleThreadedBlas one_thread;
  if (!lapack::syevd(vectors, eigen.vectors.data(), n, eigen.values.data()))
    throw Error(ErrorCode::invalid_data, "the eigenvalues of the Gram matrix could not be computed",
                {.hint = "has it non-finite entries?"});
  if (!vectors) eigen.vectors.clear();
  for (std::size_t i = 0; i < n && vectors; ++i)  // one a column
    for (std::size_t j = 0; j < i; ++j) std::swap(eigen.vectors[i * n + j], eigen.vectors[j * n + i]);
  return eigen;
}

}  // namespace mercer
