#include "solvers/fast_fourier.hpp"

#include <cassert>
#include <numbers>
#include <utility>

namespace mercer {

namespace {

using Complex = std::complex<double>;

// Complex multiplication in <complex> looks for infinities; here there are none.
Complex times(Complex a, Complex b) noexcept {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

}  // namespace

FastFourier::FastFourier(std::size_t size) : reversed_(size), factors_(size / 2) {
  assert(size > 0 && (size & (size - 1)) == 0);
  for (std::size_t j = 1; j < size; ++j) reversed_[j] = reversed_[j / 2] / 2 + (j % 2 ? size / 2 : 0);
  for (std::size_t j = 0; j < size / 2; ++j)
    factors_[j] = std::polar(1.0, -2 * std::numbers::pi * double(j) / double(size));
}

void FastFourier::forward(std::span<Complex> values) const noexcept { transform(values, false); }
void FastFourier::backward(std::span<Complex> values) const noexcept { transform(values, true); }

// Decimation in time: transforms of length 1, 2, 4, … of the values at bit-reversed places are joined two by
// two.
void FastFourier::transform(std::span<Complex> values, bool conjugate) const noexcept {
  const std::size_t n = size();
  for (std::size_t j = 0; j < n; ++j)
    if (j < reversed_[j]) std::swap(values[j], values[reversed_[j]]);
  for (std::size_t half = 1; half < n; half *= 2)
    for (std::size_t begin = 0; begin < n; begin += 2 * half)
      for (std::size_t j = 0; j < half; ++j) {
        const Complex factor = factors_[j * (n / (2 * half))];
        const Complex odd = times(conjugate ? std::conj(factor) : factor, values[begin + half + j]);
        values[begin + half + j] = values[begin + j] - odd;
        values[begin + j] += odd;
      }
}

}  // namespace mercer
