#include "solvers/tensor_sketch.hpp"

#include <cassert>
#include <cmath>
#include <numbers>
#include <utility>

#include "base/random.hpp"

namespace mercer {

namespace {

using Complex = std::complex<double>;

template <class T, class Use>
void each_entry(const Dense<T>& points, std::size_t row, const Use& use) {
  for (std::size_t k = 0; k < points.cols; ++k) use(k, double(points.row(row)[k]));
}
template <class T, class Use>
void each_entry(const Sparse<T>& points, std::size_t row, const Use& use) {
  for (std::size_t e = points.starts[row]; e < points.starts[row + 1]; ++e)
    use(std::size_t(points.indices[e]), double(points.values[e]));
}

class TensorSketch final : public DenseMap {
 public:
  TensorSketch(const DotPower& power, std::size_t columns, std::size_t features, std::uint64_t seed)
      : power_(power),
        columns_(columns),
        transform_(features),
        sketches_(draw_sketches(power, columns, features, seed)) {}

  std::size_t features() const noexcept override { return transform_.size(); }

  void apply(const Points& points, int threads, double* out) const override {
    for_row_blocks(points.rows(), threads, [&](Range rows) {
      std::vector<Complex> sketch(features()), product(features());
      for (std::size_t i = rows.begin; i < rows.end; ++i) {
        convolve(points, i, sketch, product);
        for (std::size_t f = 0; f < features(); ++f) out[i * features() + f] = product[f].real();
      }
    });
  }

 private:
  /// product = √w · the convolution of all sketches of row i.
  void convolve(const Points& points, std::size_t i, std::vector<Complex>& sketch,
                std::vector<Complex>& product) const {
    const double weight = std::sqrt(power_.weight);
    count(points, i, sketches_.front(), product);
    if (sketches_.size() > 1) transform_.forward(product);
    for (std::size_t factor = 1; factor < sketches_.size(); ++factor) {
      count(points, i, sketches_[factor], sketch);
      transform_.forward(sketch);
      for (std::size_t f = 0; f < product.size(); ++f) product[f] *= sketch[f];
    }
    if (sketches_.size() > 1) transform_.backward(product);
    for (Complex& value : product) value *= sketches_.size() > 1 ? weight / double(features()) : weight;
  }

  void count(const Points& points, std::size_t i, const CountSketch& sketch,
             std::vector<Complex>& out) const {
    std::fill(out.begin(), out.end(), Complex(0));
    const double root = std::sqrt(power_.scale);
    std::visit(
        [&](const auto& held) {
          each_entry(held, i, [&](std::size_t k, double value) {
            out[sketch.places[k]] += sketch.signs[k] * root * value;
          });
        },
        points.storage());
    out[sketch.places[columns_]] += sketch.signs[columns_] * std::sqrt(power_.offset);
  }

  DotPower power_;
  std::size_t columns_;
  FastFourier transform_;
  std::vector<CountSketch> sketches_;
};

// Complex multiplication in <complex> looks for infinities; here there are none.
Complex times(Complex a, Complex b) noexcept {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

}  // namespace

std::vector<CountSketch> draw_sketches(const DotPower& power, std::size_t columns, std::size_t features,
                                       std::uint64_t seed) {
  Random random(seed);
  std::vector<CountSketch> sketches(std::size_t(power.degree));
  for (CountSketch& sketch : sketches)
    for (std::size_t k = 0; k <= columns; ++k) {
      sketch.places.push_back(std::uint32_t(random.below(features)));
      sketch.signs.push_back(random.bits() >> 63 ? 1 : -1);
    }
  return sketches;
}

std::unique_ptr<const DenseMap> tensor_sketch(const DotPower& power, std::size_t columns,
                                              std::size_t features, std::uint64_t seed) {
  return std::make_unique<TensorSketch>(power, columns, features, seed);
}

FastFourier::FastFourier(std::size_t size) : reversed_(size), factors_(size / 2) {
  assert(size > 0 && (size & (size - 1)) == 0);
  for (std::size_t j = 1; j < size; ++j) reversed_[j] = reversed_[j / 2] / 2 + (j % 2 ? size / 2 : 0);
  for (std::size_t j = 0; j < size / 2; ++j)
    factors_[j] = std::polar(1.0, -2 * std::numbers::pi * double(j) / double(size));
}

void FastFourier::forward(std::span<Complex> values) const noexcept { transform(values, false); }
void FastFourier::backward(std::span<Complex> values) const noexcept { transform(values, true); }

// Decimation in time: pairs of transforms of length 1, 2, 4, … of bit-reversed values are joined.
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
