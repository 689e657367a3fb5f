// The discrete Fourier transform of a power of two of numbers, in place, in O(n log n).   Cooley & Tukey 1965
//   forward:  Xₖ = Σⱼ xⱼ e^(−2πijk/n)       backward: n·xⱼ = Σₖ Xₖ e^(2πijk/n)
// The product of two transforms is the transform of the circular convolution (x ∗ y)ₖ = Σⱼ xⱼ y₍ₖ₋ⱼ mod n₎.
#pragma once

#include <complex>
#include <span>
#include <vector>

namespace mercer {

class FastFourier {
 public:
  explicit FastFourier(std::size_t size);  ///< a power of two
  std::size_t size() const noexcept { return reversed_.size(); }
  void forward(std::span<std::complex<double>> values) const noexcept;
  /// Not divided by the size.
  void backward(std::span<std::complex<double>> values) const noexcept;

 private:
  void transform(std::span<std::complex<double>> values, bool conjugate) const noexcept;

  std::vector<std::size_t> reversed_;          // the place whose bits are those of j in reverse
  std::vector<std::complex<double>> factors_;  // e^(−2πij/n), j < n/2
};

}  // namespace mercer
