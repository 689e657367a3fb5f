// (S K S + cI)⁻¹ by a dense Cholesky factor in float32 or float64.
#pragma once

#include <vector>

#include "mercer/progress.hpp"
#include "mercer/kernel_operator.hpp"
#include "solvers/inverse.hpp"

namespace mercer {

template <class T>
class DenseInverse : public Inverse {
 public:
  /// `K` must outlive it.
  DenseInverse(const KernelOperator<T>& K, int threads, const Progress& progress)
      : K_(K), threads_(threads), progress_(progress) {}

  /// Also false where c = 0 and the pivots say that K is singular to rounding.
  bool prepare(std::span<const double> s, double c) override;
  void apply(std::span<const double> V, std::size_t k, std::span<double> out) const override;
  std::string words() const override;

  static std::size_t bytes(std::size_t n);

 private:
  void fill(std::span<const double> s, double c);
  bool singular() const;

  const KernelOperator<T>& K_;
  int threads_;
  Progress progress_;
  std::vector<double> s_;
  double c_ = -1;  // what L_ was made for; negative: nothing
  Buffer<T> L_;    // n × n, row-major, lower
};

extern template class DenseInverse<float>;
extern template class DenseInverse<double>;

}  // namespace mercer
