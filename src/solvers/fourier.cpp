#include "solvers/fourier.hpp"

#include <cmath>

#include "base/blas.hpp"

namespace mercer {

namespace {

// out (rows.size() × D) = X[rows] · W with W = values (d × D).
template <class T>
void multiply(const Dense<T>& points, Range rows, const Frequencies& W, double* out) {
  std::vector<double> block(points.row(rows.begin), points.row(rows.end));
  if (points.cols == 0)
    std::fill_n(out, rows.size() * W.count, 0.0);
  else
    gemm(CblasNoTrans, CblasNoTrans, rows.size(), W.count, points.cols, 1, block.data(), points.cols,
         W.values.data(), W.count, 0, out, W.count);
}

template <class T>
void multiply(const Sparse<T>& points, Range rows, const Frequencies& W, double* out) {
  for (std::size_t i = rows.begin; i < rows.end; ++i, out += W.count) {
    std::fill_n(out, W.count, 0.0);
    for (std::size_t e = points.starts[i]; e < points.starts[i + 1]; ++e) {
      const double value = double(points.values[e]);
      const double* row = W.values.data() + std::size_t(points.indices[e]) * W.count;
      for (std::size_t j = 0; j < W.count; ++j) out[j] += value * row[j];
    }
  }
}

class Fourier final : public DenseMap {
 public:
  explicit Fourier(Frequencies frequencies) : frequencies_(std::move(frequencies)) {}
  std::size_t features() const noexcept override { return 2 * frequencies_.count; }

  void apply(const Points& points, int threads, double* out) const override {
    const SingleThreadedBlas one_thread;
    const std::size_t D = frequencies_.count;
    for_row_blocks(points.rows(), threads, [&](Range rows) {
      std::vector<double> angles(rows.size() * D);
      std::visit([&](const auto& held) { multiply(held, rows, frequencies_, angles.data()); },
                 points.storage());
      for (std::size_t i = 0; i < rows.size(); ++i) {
        double* row = out + (rows.begin + i) * 2 * D;
        for (std::size_t j = 0; j < D; ++j) {
          row[j] = frequencies_.amplitudes[j] * std::cos(angles[i * D + j]);
          row[D + j] = frequencies_.amplitudes[j] * std::sin(angles[i * D + j]);
        }
      }
    });
  }

 private:
  Frequencies frequencies_;
};

}  // namespace

std::unique_ptr<const DenseMap> fourier_map(Frequencies frequencies) {
  return std::make_unique<Fourier>(std::move(frequencies));
}

}  // namespace mercer
