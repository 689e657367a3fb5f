// Features of k(x, z) = w·(r + a·xᵀz)^p by tensor sketches.                                  Pham & Pagh 2013
// A count sketch C of u = (√a·x, √r) adds each coordinate, with a random sign, to a random one of D places;
// E C(u)ᵀC(v) = uᵀv. The p-fold tensor product u⊗…⊗u, whose inner products are (uᵀv)^p, has a count sketch
// too: the circular convolution of p independent count sketches of u, in O(p(nnz + D log D)) by the fast
// Fourier transform. The tensor is never formed.
#pragma once

#include <complex>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "mercer/leaf.hpp"
#include "operators/row_map.hpp"

namespace mercer {

/// Where each coordinate of u goes, the last of them √r, and with which sign.
struct CountSketch {
  std::vector<std::uint32_t> places;
  std::vector<double> signs;
};
/// One for each factor of the power. `features`: a power of two.
std::vector<CountSketch> draw_sketches(const DotPower& power, std::size_t columns, std::size_t features,
                                       std::uint64_t seed);

/// `features`: a power of two.
std::unique_ptr<const DenseMap> tensor_sketch(const DotPower& power, std::size_t columns,
                                              std::size_t features, std::uint64_t seed);

/// The discrete Fourier transform of a power of two of numbers, in place, in O(n log n).   Cooley & Tukey
/// 1965
///   forward:  Xₖ = Σⱼ xⱼ e^(−2πijk/n)       backward: n·xⱼ = Σₖ Xₖ e^(2πijk/n)
/// The product of two transforms is the transform of the circular convolution (x ∗ y)ₖ = Σⱼ xⱼ y₍ₖ₋ⱼ mod n₎.
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
