// Pre-images. The point with the coordinates z is Pφ = mean + Σ_c z_c Σᵢ A_ic (φ(xᵢ) − mean) = Σᵢ γᵢ φ(xᵢ),
// because Σᵢ A_ic = 0, with
//   γᵢ = Σ_c z_c A_ic + (the share of row i in the mean, where centred).
// Linear kernel: x = Σᵢ γᵢ xᵢ. Radial kernel, k(x, z) = κ(‖x − z‖²): k(x, x) is constant, so ‖φ(x) − Pφ‖² is
// least where f(x) = Σᵢ γᵢ κ(‖x − xᵢ‖²) is largest. There ∇f = 0, that is (Mika, Schölkopf, Smola, Müller,
// Scholz & Rätsch 1999)
//   x = Σᵢ gᵢ xᵢ / Σᵢ gᵢ,   gᵢ = −γᵢ κ'(‖x − xᵢ‖²).
// The step from x to the right side is ∇f / (2 Σᵢ gᵢ): uphill where Σᵢ gᵢ > 0. It is halved until f rises,
// and turned round where Σᵢ gᵢ < 0, so that the iteration cannot run away as the plain one can. It begins at
// the row nearest to Pφ in feature space, or at the mean of the nearest few weighted by their kernel sums
// (Kwok & Tsang 2004), whichever is better.
#include "mercer/preimage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "base/parallel.hpp"
#include "kernels/linear_form.hpp"
#include "mercer/error.hpp"
#include "mercer/kernel_operator.hpp"
#include "model/sensitivity.hpp"

namespace mercer {

namespace {

// γ of one point, by row of the expansion.
std::vector<double> row_coefficients(const Model& pca, std::span<const double> z) {
  const Expansion& e = pca.fitted.expansion;
  std::vector<double> gamma = pca.fitted.centre;  // the shares in the mean
  gamma.resize(e.points.rows(), 0);
  for (std::size_t i = 0; i < gamma.size(); ++i)
    gamma[i] += std::inner_product(z.begin(), z.end(), e.coefficients.data() + i * e.width, 0.0);
  return gamma;
}

std::vector<double> linear_preimage(const Model& pca, std::span<const double> z) {
  const Expansion& e = pca.fitted.expansion;
  std::vector<double> x = pca.fitted.centre;  // the mean row
  x.resize(e.points.cols(), 0);
  for (std::size_t i = 0; i < e.points.rows(); ++i) {
    const double factor = std::inner_product(z.begin(), z.end(), e.coefficients.data() + i * e.width, 0.0);
    const std::vector<double> row = e.points.row(i);
    for (std::size_t j = 0; j < x.size(); ++j) x[j] += factor * row[j];
  }
  return x;
}

class RadialPreimages {
 public:
  RadialPreimages(const Model& pca, const PreimageOptions& options)
      : pca_(pca),
        options_(options),
        points_(pca.fitted.expansion.points.to_dense().with_precision(Precision::float64)),
        rows_(std::get<Dense<double>>(points_.storage())),
        origin_(std::vector<std::vector<double>>{{0.0}}) {
    prepare_heights();
    std::vector<double> mean(rows_.cols, 0);
    for (std::size_t i = 0; i < rows_.rows; ++i)
      for (std::size_t j = 0; j < rows_.cols; ++j) mean[j] += rows_.row(i)[j] / double(rows_.rows);
    for (std::size_t i = 0; i < rows_.rows; ++i) spread_ += squared_distance(mean, i) / double(rows_.rows);
    if (spread_ == 0) spread_ = 1;
  }

  std::vector<double> operator()(std::span<const double> z) const {
    const std::vector<double> gamma = row_coefficients(pca_, z);
    std::vector<double> x = start(gamma, z);
    double f = height(gamma, x);
    for (std::size_t iteration = 0; iteration < options_.iterations; ++iteration) {
      std::vector<double> step = fixed_point_step(gamma, x);
      double length = std::sqrt(std::inner_product(step.begin(), step.end(), step.begin(), 0.0));
      const double enough = options_.tolerance * std::sqrt(spread_);
      bool rose = false;
      for (; !rose && length > enough; length /= 2) {
        std::vector<double> next = x;
        for (std::size_t j = 0; j < x.size(); ++j) next[j] += step[j], step[j] /= 2;
        const double there = height(gamma, next);
        if ((rose = there > f)) x = std::move(next), f = there;
      }
      if (!rose) break;
    }
    return x;
  }

 private:
  double squared_distance(const std::vector<double>& x, std::size_t i) const {
    double sum = 0;
    for (std::size_t j = 0; j < x.size(); ++j) sum += (x[j] - rows_.row(i)[j]) * (x[j] - rows_.row(i)[j]);
    return sum;
  }

  // K·A and K·(shares in the mean), n × (components + 1): the height at each row is linear in the
  // coordinates.
  void prepare_heights() {
    const Expansion& e = pca_.fitted.expansion;
    Expansion all{.kernel = e.kernel, .points = points_, .blocks = {rows_.rows}, .width = e.width + 1};
    for (std::size_t i = 0; i < rows_.rows; ++i) {
      all.coefficients.insert(all.coefficients.end(), e.coefficients.begin() + std::ptrdiff_t(i * e.width),
                              e.coefficients.begin() + std::ptrdiff_t((i + 1) * e.width));
      all.coefficients.push_back(pca_.fitted.centre.empty() ? 0 : pca_.fitted.centre[i]);
    }
    heights_.resize(rows_.rows * all.width);
    all.sums(points_, heights_, options_.threads);
  }

  // κ at each of the squared distances: the kernel of 0 and a number, because a radial kernel knows the
  // distance alone.
  std::vector<double> profile(const std::vector<double>& squares) const {
    Dense<double> axis{squares.size(), 1, Buffer<double>(squares.size())};
    for (std::size_t i = 0; i < squares.size(); ++i) axis.values[i] = std::sqrt(squares[i]);
    std::vector<double> values(squares.size());
    const KernelOperator<double> K(pca_.kernel(), origin_, Points(std::move(axis)), {.threads = 1});
    K.tile({0, 1}, {0, squares.size()}, values);
    return values;
  }

  double height(const std::vector<double>& gamma, const std::vector<double>& x) const {
    std::vector<double> squares(rows_.rows);
    for (std::size_t i = 0; i < squares.size(); ++i) squares[i] = squared_distance(x, i);
    const std::vector<double> kappa = profile(squares);
    return std::inner_product(kappa.begin(), kappa.end(), gamma.begin(), 0.0);
  }

  // κ' is a difference quotient: any radial kernel has it, and the height decides whether a step is taken.
  std::vector<double> fixed_point_step(const std::vector<double>& gamma, const std::vector<double>& x) const {
    const std::size_t n = rows_.rows;
    std::vector<double> ends(2 * n);
    for (std::size_t i = 0; i < n; ++i) {
      const double square = squared_distance(x, i), h = 1e-5 * (square + 1e-3 * spread_);
      ends[i] = std::max(0.0, square - h), ends[n + i] = square + h;
    }
    const std::vector<double> kappa = profile(ends);
    std::vector<double> step(x.size(), 0);
    double sum = 0, size = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double g = gamma[i] * (kappa[i] - kappa[n + i]) / (ends[n + i] - ends[i]);
      sum += g, size += std::abs(g);
      for (std::size_t j = 0; j < x.size(); ++j) step[j] += g * (rows_.row(i)[j] - x[j]);
    }
    const double divisor = std::max(std::abs(sum), 1e-3 * size);
    for (double& value : step) value = divisor > 0 ? value / divisor : 0;
    return step;
  }

  std::vector<double> start(const std::vector<double>& gamma, std::span<const double> z) const {
    const std::size_t n = rows_.rows, few = std::min<std::size_t>(n, 10);
    std::vector<double> sums(n);
    for (std::size_t i = 0; i < n; ++i) {
      const double* row = heights_.data() + i * (z.size() + 1);
      sums[i] = std::inner_product(z.begin(), z.end(), row, row[z.size()]);
    }
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), 0);
    std::ranges::partial_sort(order, order.begin() + std::ptrdiff_t(few), [&](std::size_t a, std::size_t b) {
      return sums[a] > sums[b] || (sums[a] == sums[b] && a < b);
    });
    const std::vector<double> nearest = points_.row(order[0]);
    std::vector<double> mean(rows_.cols, 0);
    double total = 0;
    for (std::size_t r = 0; r < few; ++r) {
      const double weight = std::max(0.0, sums[order[r]]);
      total += weight;
      for (std::size_t j = 0; j < mean.size(); ++j) mean[j] += weight * rows_.row(order[r])[j];
    }
    if (total == 0) return nearest;
    for (double& value : mean) value /= total;
    return height(gamma, mean) > sums[order[0]] ? mean : nearest;
  }

  const Model& pca_;
  const PreimageOptions& options_;
  Points points_;
  const Dense<double>& rows_;
  Points origin_;
  std::vector<double> heights_;
  double spread_ = 0;  // mean ‖x − mean‖²
};

}  // namespace

Points preimages(const Model& pca, std::span<const double> coordinates, const PreimageOptions& options) {
  const bool linear = is_dot_product(pca.kernel());
  if (pca.fitted.rule != Rule::projection)
    throw Error(ErrorCode::invalid_argument,
                fmt::format("pre-images are those of a model of pca, not of {}", pca.method->name()));
  if (!linear && !pca.kernel().properties().radial)
    throw Error(ErrorCode::invalid_parameter,
                fmt::format("{} has no pre-images here: the kernel must be linear, or a function of the "
                            "distance alone, as rbf is",
                            pca.kernel().text()));
  const std::size_t width = pca.fitted.expansion.width, cols = pca.columns;
  if (coordinates.size() % width != 0)
    throw Error(ErrorCode::invalid_argument,
                fmt::format("there are {} coordinates, which is not a multiple of the {} components",
                            coordinates.size(), width));
  if (const std::size_t means = pca.fitted.centre.size(),
      most = linear ? cols : pca.fitted.expansion.points.rows();
      means != 0 && means != most)
    throw Error(ErrorCode::invalid_data, fmt::format("the model's mean has {} numbers", means),
                {.hint = fmt::format("they must be {}", most)});
  const std::size_t n = coordinates.size() / width;
  Dense<double> found{n, cols, Buffer<double>(n * cols)};
  std::optional<RadialPreimages> radial;
  if (!linear) radial.emplace(pca, options);
  parallel_for(n, options.threads, options.progress, "pre-images", [&](std::size_t i) {
    const auto z = coordinates.subspan(i * width, width);
    const std::vector<double> x = linear ? linear_preimage(pca, z) : (*radial)(z);
    std::ranges::copy(unscaled(pca.scaling, x), found.values.data() + i * cols);
  });
  return Points(std::move(found), pca.fitted.expansion.points.names());
}

}  // namespace mercer
