// Verifies that A is symmetric positive semidefinite and factors it, A = VΛVᵀ = FᵀF with F = √Λ Vᵀ.
#include "mercer/kernels/quadratic_form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/blas.hpp"
#include "base/lapack.hpp"
#include "kernels/node.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

[[noreturn]] void refuse(const std::string& what) { throw Error(ErrorCode::invalid_kernel, what); }

std::vector<double> checked_entries(const std::vector<std::vector<double>>& rows) {
  const std::size_t d = rows.size();
  std::vector<double> entries;
  for (std::size_t i = 0; i < d; ++i)
    if (rows[i].size() != d)
      refuse(fmt::format("A must be square: row {} has {} numbers, there are {} rows", i + 1, rows[i].size(),
                         d));
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j < d; ++j) {
      if (!std::isfinite(rows[i][j])) refuse(fmt::format("A has a non-finite entry in row {}", i + 1));
      if (rows[i][j] != rows[j][i])
        refuse(fmt::format("A must be symmetric: A[{},{}] = {} but A[{},{}] = {}", i + 1, j + 1,
                           to_text(rows[i][j]), j + 1, i + 1, to_text(rows[j][i])));
      entries.push_back(rows[i][j]);
    }
  }
  return entries;
}

}  // namespace

void QuadraticForm::prepare() {
  factor.clear();
  if (A.rows.empty()) {
    if (A.file.empty()) refuse("A is needed, e.g. A=[[2, 1], [1, 2]], A=[1, 2, 3] or A=\"A.npy\"");
    return;
  }
  std::vector<double> vectors = checked_entries(A.rows);
  const std::size_t d = A.rows.size();
  std::vector<double> eigenvalues(A.rows.size());
  const SingleThreadedBlas one_thread;
  if (!lapack::syevd(true, vectors.data(), d, eigenvalues.data()))
    refuse("the eigenvalues of A could not be computed");
  const double largest = std::max(std::abs(eigenvalues.front()), std::abs(eigenvalues.back()));
  const double rounding = double(d) * 1e-15 * largest;
  if (eigenvalues.front() < -rounding)
    refuse(fmt::format("A must be positive semidefinite, but its smallest eigenvalue is {:.6g}",
                       eigenvalues.front()));
  for (std::size_t r = 0; r < eigenvalues.size(); ++r) {
    if (eigenvalues[r] <= rounding) continue;
    std::vector<double> row(A.rows.size());
    for (std::size_t i = 0; i < row.size(); ++i)
      row[i] = std::sqrt(eigenvalues[r]) * vectors[r * row.size() + i];
    factor.push_back(std::move(row));
  }
}

std::vector<double> QuadraticForm::map(std::span<const double> x) const {
  if (x.size() != A.rows.size())
    refuse(fmt::format("quadratic_form: A is {0} × {0} but the points have {1} columns", A.rows.size(),
                       x.size()));
  std::vector<double> image;
  for (const auto& row : factor) {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += row[i] * x[i];
    image.push_back(sum);
  }
  return image;
}

}  // namespace mercer
