#include "solvers/fourier.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/blas.hpp"
#include "base/lapack.hpp"
#include "mercer/error.hpp"

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

double random_variance(const Spectral& spectral, Random& random) {
  if (spectral.variance == Spectral::Variance::one) return 1;
  const double number = gamma_number(random, spectral.shape) / spectral.shape;
  return spectral.variance == Spectral::Variance::gamma ? number : 1 / number;
}

// rows (count ≤ d vectors of d normal numbers) become orthogonal and keep their lengths. Of G = QR with
// normal columns Q is a uniformly random rotation and independent of R, which has the lengths.
void make_orthogonal(std::vector<double>& rows, std::size_t count, std::size_t d) {
  std::vector<double> lengths(count), diagonal(count);
  for (std::size_t i = 0; i < count; ++i)
    lengths[i] = std::sqrt(std::inner_product(&rows[i * d], &rows[i * d] + d, &rows[i * d], 0.0));
  lapack::qr(rows.data(), count, d, diagonal.data());
  for (std::size_t i = 0; i < count; ++i)  // Q is uniform only where R has a positive diagonal
    lengths[i] = std::copysign(lengths[i], diagonal[i]);
  for (std::size_t e = 0; e < rows.size(); ++e) rows[e] *= lengths[e / d];
}

// Adds D·ω of one factor to the frequencies [first, first + count) of all.
void add_factor(const SpectralTerm::Factor& factor, Frequencies& all, std::size_t first, std::size_t count,
                bool orthogonal, Random& random) {
  const Spectral& spectral = factor.spectral;
  const std::size_t d = all.columns;
  if (!factor.by.empty() && factor.by.size() != d)
    throw Error(ErrorCode::invalid_argument,
                fmt::format("by has {} weights but the points have {} columns", factor.by.size(), d),
                {.owner = "scaled", .hint = "one for each is needed"});
  if (!spectral.at.empty() && spectral.at.size() != d)
    throw Error(ErrorCode::invalid_argument,
                fmt::format("the frequencies of the kernel have {} numbers but the points have {} columns",
                            spectral.at.size(), d));
  for (std::size_t j = first; j < first + count && !spectral.at.empty(); ++j) {
    const double sign = random.uniform() < 0.5 ? -1 : 1;
    for (std::size_t k = 0; k < d; ++k)
      all.values[k * all.count + j] += sign * (factor.by.empty() ? 1 : factor.by[k]) * spectral.at[k];
  }
  if (d == 0 || !spectral.at.empty()) return;
  for (std::size_t begin = 0; begin < count; begin += d) {
    const std::size_t size = std::min(d, count - begin);
    std::vector<double> rows(size * d);  // size × d
    for (double& value : rows) value = random.normal();
    if (orthogonal && !spectral.independent) make_orthogonal(rows, size, d);
    for (std::size_t i = 0; i < size; ++i) {
      double deviation = spectral.independent ? 0 : std::sqrt(random_variance(spectral, random));
      for (std::size_t k = 0; k < d; ++k) {
        if (spectral.independent) deviation = std::sqrt(random_variance(spectral, random));
        const double frequency = spectral.scale * deviation * rows[i * d + k];
        all.values[k * all.count + first + begin + i] +=
            factor.by.empty() ? frequency : factor.by[k] * frequency;
      }
    }
  }
}

}  // namespace

std::unique_ptr<const DenseMap> fourier_map(Frequencies frequencies) {
  return std::make_unique<Fourier>(std::move(frequencies));
}

double gamma_number(Random& random, double shape) {
  if (shape < 1) return gamma_number(random, shape + 1) * std::pow(1 - random.uniform(), 1 / shape);
  const double d = shape - 1. / 3, c = 1 / std::sqrt(9 * d);
  for (;;) {
    const double x = random.normal(), u = 1 - random.uniform();
    const double v = std::pow(1 + c * x, 3);
    if (v > 0 && std::log(u) < 0.5 * x * x + d - d * v + d * std::log(v)) return d * v;
  }
}

Frequencies draw_frequencies(const std::vector<SpectralTerm>& terms, std::size_t columns, std::size_t count,
                             std::uint64_t seed, bool orthogonal) {
  double total = 0;
  for (const SpectralTerm& term : terms)
    if (!term.factors.empty()) total += term.weight;
  std::vector<std::size_t> counts;  // of each term
  for (const SpectralTerm& term : terms) {
    const double share = term.factors.empty() || !(total > 0) ? 0 : double(count) * (term.weight / total);
    counts.push_back(std::max<std::size_t>(std::size_t(std::lround(share)), 1));  // a constant needs but one
  }
  Frequencies all{.columns = columns,
                  .count = std::accumulate(counts.begin(), counts.end(), std::size_t(0)),
                  .values = {},
                  .amplitudes = {}};
  all.values.assign(columns * all.count, 0);
  const SingleThreadedBlas one_thread;
  Random seeds(seed);
  for (std::size_t t = 0, first = 0; t < terms.size(); first += counts[t++]) {
    all.amplitudes.insert(all.amplitudes.end(), counts[t], std::sqrt(terms[t].weight / double(counts[t])));
    for (const auto& factor : terms[t].factors) {
      Random random(seeds.bits());
      add_factor(factor, all, first, counts[t], orthogonal, random);
    }
  }
  return all;
}

}  // namespace mercer
