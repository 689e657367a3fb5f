// The vector loops of sequential minimal optimisation over rows of K (solvers/working_set.hpp explains the
// method). Arrays hold a multiple of `step_padding` entries. G and what goes with it have the precision of K:
// half the bytes take half the time, and float32 suffices for the steps of one round, after which G is
// computed anew. f is kept in float64.
#pragma once

#include <cstddef>
#include <limits>
#include <string>

namespace mercer::simd {

inline constexpr std::size_t step_padding = 32;

/// What a variable that cannot move that way has for −G.
inline constexpr double cannot_rise = -std::numeric_limits<double>::infinity();
inline constexpr double cannot_fall = std::numeric_limits<double>::infinity();

/// Over a set of variables: the largest −G of those that can rise, the first that has it, and the smallest −G
/// of those that can fall.
struct Extremes {
  double top;
  std::size_t at;
  double bottom;
};

/// `rise` and `fall` are −G towards larger and towards smaller β.
template <class T>
struct Steps {
  /// G += t·(a − b), and the extremes afterwards.
  Extremes (*move)(T* rise, T* fall, const T* a, const T* b, double t, std::size_t n);
  /// The partner j that can fall with the largest decrease (top − fall_j)² / (diagonal_i + diagonal_j −
  /// 2a_j), where a is row i of K and top = rise_i: the second-order choice of Fan, Chen & Lin 2005. n where
  /// none is below top.
  std::size_t (*partner)(const T* fall, const T* a, double diagonal_i, const T* diagonal, double top,
                         std::size_t n);
  /// f += Σ_r t_r · rows[r], `count` rows of n numbers, n arbitrary.
  void (*accumulate)(double* f, const T* const* rows, const double* t, std::size_t count, std::size_t n);
};

template <class T>
const Steps<T>& steps(const std::string& instruction_set);
template <class T>
const Steps<T>& steps();

/// A curvature that is not positive (two equal points, or a kernel that is not PSD) counts as this.
inline constexpr double least_curvature = 1e-12;

}  // namespace mercer::simd
