#include "solvers/growing_triangle.hpp"

#include <cmath>

namespace mercer {

void GrowingTriangle::append(std::span<const double> row, double diagonal) {
  for (std::size_t j = 0; j < size(); ++j) columns_[j].push_back(row[j]);
  columns_.push_back({diagonal});
}

void GrowingTriangle::solve(std::span<double> x) const {
  for (std::size_t j = 0; j < size(); ++j) {
    const double* column = columns_[j].data();
    const double xj = x[j] /= column[0];
    double* below = x.data() + j;
    for (std::size_t i = 1; i < columns_[j].size(); ++i) below[i] -= column[i] * xj;
  }
}

void GrowingTriangle::solve_transposed(std::span<double> x) const {
  for (std::size_t j = size(); j-- > 0;) {
    const double* column = columns_[j].data();
    double sum = x[j];
    for (std::size_t i = 1; i < columns_[j].size(); ++i) sum -= column[i] * x[j + i];
    x[j] = sum / column[0];
  }
}

void GrowingTriangle::rotate_in(std::span<double> x) {
  for (std::size_t j = 0; j < size(); ++j) {
    double* column = columns_[j].data();
    const double r = std::hypot(column[0], x[j]);
    if (r == 0) continue;
    const double c = column[0] / r, s = x[j] / r;
    column[0] = r;
    double* below = x.data() + j;
    for (std::size_t i = 1; i < columns_[j].size(); ++i) {
      const double old = column[i];
      column[i] = c * old + s * below[i];
      below[i] = c * below[i] - s * old;
    }
  }
}

void GrowingTriangle::append_to(std::vector<double>& numbers) const {
  for (const auto& column : columns_) numbers.insert(numbers.end(), column.begin(), column.end());
}

GrowingTriangle GrowingTriangle::of(std::span<const double> numbers, std::size_t n) {
  GrowingTriangle triangle;
  for (std::size_t j = 0; j < n; numbers = numbers.subspan(n - j), ++j)
    triangle.columns_.emplace_back(numbers.begin(), numbers.begin() + std::ptrdiff_t(n - j));
  return triangle;
}

}  // namespace mercer
