// A lower triangular matrix L that grows by a row at a time: the Cholesky factor of a matrix that gains
// points, or rows. Columns are stored whole, from the diagonal down, so that every loop runs along one.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace mercer {

class GrowingTriangle {
 public:
  std::size_t size() const noexcept { return columns_.size(); }
  double diagonal(std::size_t i) const { return columns_[i].front(); }

  /// A row below: `row` has size() entries left of the diagonal.
  void append(std::span<const double> row, double diagonal);
  /// x ← L⁻¹x
  void solve(std::span<double> x) const;
  /// x ← L⁻ᵀx
  void solve_transposed(std::span<double> x) const;
  /// L ← the factor of LLᵀ + xxᵀ, by Givens rotations (Golub & Van Loan 2013, section 6.5.4): backward
  /// stable, and a diagonal entry may be 0. x is used up.
  void rotate_in(std::span<double> x);

  /// Column by column, n(n + 1)/2 numbers; and back.
  void append_to(std::vector<double>& numbers) const;
  static GrowingTriangle of(std::span<const double> numbers, std::size_t n);

 private:
  std::vector<std::vector<double>> columns_;  // column j: rows j … n − 1
};

}  // namespace mercer
