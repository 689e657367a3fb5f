// What linear solvers ask of rows of X in any storage, in float64 without copies: xᵀw, w += scale·x, ‖x‖².
#pragma once

#include <cstddef>
#include <cstdint>

#include "mercer/points.hpp"

namespace mercer {

/// Σ over k in [0, count) of term(k) in four sums, so that additions need not wait for one another.
template <class Term>
double sum_of(std::size_t count, Term term) noexcept {
  double sums[4] = {};
  std::size_t k = 0;
  for (; k + 4 <= count; k += 4)
    for (std::size_t j = 0; j < 4; ++j) sums[j] += term(k + j);
  for (; k < count; ++k) sums[0] += term(k);
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

template <class T>
double dot(const Dense<T>& x, std::size_t i, const double* w) noexcept {
  const T* row = x.row(i);
  return sum_of(x.cols, [&](std::size_t k) { return double(row[k]) * w[k]; });
}

template <class T>
double dot(const Sparse<T>& x, std::size_t i, const double* w) noexcept {
  const std::size_t begin = x.starts[i];
  const T* values = x.values.data() + begin;
  const std::int32_t* columns = x.indices.data() + begin;
  return sum_of(x.starts[i + 1] - begin, [&](std::size_t k) { return double(values[k]) * w[columns[k]]; });
}

template <class T>
double squared_norm(const Dense<T>& x, std::size_t i) noexcept {
  const T* row = x.row(i);
  return sum_of(x.cols, [&](std::size_t k) { return double(row[k]) * double(row[k]); });
}

template <class T>
double squared_norm(const Sparse<T>& x, std::size_t i) noexcept {
  const T* values = x.values.data() + x.starts[i];
  return sum_of(x.starts[i + 1] - x.starts[i],
                [&](std::size_t k) { return double(values[k]) * double(values[k]); });
}

/// Asks the memory for the beginning of row i, which will be read soon; it follows the rest by itself.
template <class T>
void prefetch(const Dense<T>& x, std::size_t i) noexcept {
  __builtin_prefetch(x.row(i));
}

template <class T>
void prefetch(const Sparse<T>& x, std::size_t i) noexcept {
  __builtin_prefetch(x.values.data() + x.starts[i]);
  __builtin_prefetch(x.indices.data() + x.starts[i]);
}

/// w += scale·x_i
template <class T>
void add(const Dense<T>& x, std::size_t i, double scale, double* w) noexcept {
  const T* row = x.row(i);
  for (std::size_t k = 0; k < x.cols; ++k) w[k] += scale * double(row[k]);
}

template <class T>
void add(const Sparse<T>& x, std::size_t i, double scale, double* w) noexcept {
  for (std::size_t k = x.starts[i]; k < x.starts[i + 1]; ++k) w[x.indices[k]] += scale * double(x.values[k]);
}

}  // namespace mercer
