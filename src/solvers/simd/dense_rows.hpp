// xᵀw and w += s·x for a dense row x and a w in float64: the vector loops behind coordinate descent
// (solvers/linear_coordinate.hpp). Sums are in float64 whatever x is, so that numbers that are the same in
// float32 give the same bits.
#pragma once

#include <cstddef>
#include <string>

namespace mercer::simd {

template <class T>
struct DenseRows {
  double (*dot)(const T* x, const double* w, std::size_t count);
  void (*add)(const T* x, double scale, double* w, std::size_t count);
};

template <class T>
const DenseRows<T>& dense_rows(const std::string& instruction_set);
template <class T>
const DenseRows<T>& dense_rows();

}  // namespace mercer::simd
