#include "solvers/tensor_sketch.hpp"

#include <cmath>

#include "base/random.hpp"
#include "solvers/fast_fourier.hpp"

namespace mercer {

namespace {

using Complex = std::complex<double>;

struct CountSketch {
  std::vector<std::uint32_t> places;  // one for each coordinate of u
  std::vector<double> signs;
};

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
      : power_(power), columns_(columns), transform_(features) {
    Random random(seed);
    for (int factor = 0; factor < power.degree; ++factor) {
      CountSketch sketch;
      for (std::size_t k = 0; k <= columns; ++k) {  // the last is √r
        sketch.places.push_back(std::uint32_t(random.below(features)));
        sketch.signs.push_back(random.bits() >> 63 ? 1 : -1);
      }
      sketches_.push_back(std::move(sketch));
    }
  }

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

}  // namespace

std::unique_ptr<const DenseMap> tensor_sketch(const DotPower& power, std::size_t columns,
                                              std::size_t features, std::uint64_t seed) {
  return std::make_unique<TensorSketch>(power, columns, features, seed);
}

}  // namespace mercer
