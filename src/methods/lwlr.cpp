// At a row x, with weights wᵢ = k(xᵢ, x) ≥ 0:
//   min over β₀, β of  Σ wᵢ(yᵢ − β₀ − βᵀ(xᵢ − x))² + c‖β‖²,  the answer is β₀.
// β₀ is not priced, so that β₀ = ȳ + βᵀ(x − m) with the weighted means m of the rows and ȳ of the targets,
// and
//   (S + cI)β = Σ wᵢ(xᵢ − m)(yᵢ − ȳ),   S = Σ wᵢ(xᵢ − m)(xᵢ − m)ᵀ,   c = ridge·tr S.
// Everything is centred at m, near x: no digit is lost where the rows lie far from the origin. Where S is
// singular and nothing is priced, β is the shortest solution; where all weights are 0, the answer is the mean
// of the targets. Over features φ(x) stands for x throughout, but for the weights.
#include "mercer/methods/lwlr.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>
#include <optional>

#include "base/blas.hpp"
#include "base/lapack.hpp"
#include "methods/kept_rows.hpp"
#include "methods/weighted_sums.hpp"
#include "kernels/linear_form.hpp"
#include "mercer/error.hpp"
#include "mercer/features.hpp"
#include "solvers/dense_cholesky.hpp"
#include "solvers/eigen.hpp"

namespace mercer {

namespace {

constexpr std::size_t most_lwlr_left_out = 3'000;  // a fit then takes seconds at most
constexpr std::size_t most_columns = 1000;
constexpr std::size_t weights_at_once = 1 << 21;
constexpr double smallest_ridge = 1e-12;  // below, rounding decides whether S + cI is positive definite

class LocalFit {
 public:
  /// `points`: φ of the rows, rows × features.
  LocalFit(const KeptRows& rows, const double* points, std::size_t features, double ridge)
      : rows_(rows),
        points_(points),
        d_(features),
        p_(rows.width),
        ridge_(ridge),
        mean_(d_ + p_),
        panel_(panel_rows * (d_ + p_)),
        moments_((d_ + p_) * (d_ + p_)) {}

  /// out = the answer at x, `weights` being those of all rows.
  void operator()(const double* x, const double* weights, double* out) {
    std::ranges::copy(rows_.mean, out);
    if (!find_means(weights)) return;
    add_moments();
    std::copy_n(mean_.data() + d_, p_, out);
    double trace = 0;
    for (std::size_t j = 0; j < d_; ++j) trace += moments_[j * (d_ + p_) + j];
    if (!(trace > 0)) return;  // all rows with a weight are the same
    const std::vector<double> slopes = solve(trace);
    for (std::size_t c = 0; c < p_; ++c)
      for (std::size_t j = 0; j < d_; ++j) out[c] += slopes[j * p_ + c] * (x[j] - mean_[j]);
  }

 private:
  static constexpr std::size_t panel_rows = 128;

  // False where all weights are 0. The rows that count from here on: the others are too light to be seen.
  bool find_means(const double* weights) {
    double largest = 0, total = 0;
    for (std::size_t i = 0; i < rows_.size(); ++i) largest = std::max(largest, rows_.weight(i) * weights[i]);
    if (!(largest > 0)) return false;
    seen_.clear();
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (const double weight = rows_.weight(i) * weights[i] / largest; weight > 1e-40) {
        seen_.emplace_back(i, weight);
        total += weight;
      }
    std::ranges::fill(mean_, 0.0);
    for (const auto& [i, weight] : seen_) {
      for (std::size_t j = 0; j < d_; ++j) mean_[j] += weight / total * points_[i * d_ + j];
      for (std::size_t c = 0; c < p_; ++c) mean_[d_ + c] += weight / total * rows_.targets[i * p_ + c];
    }
    return true;
  }

  // The upper half of Σ w z zᵀ with z = (x − m, y − ȳ).
  void add_moments() {
    const std::size_t width = d_ + p_;
    std::ranges::fill(moments_, 0.0);
    for (std::size_t begin = 0; begin < seen_.size(); begin += panel_rows) {
      const std::size_t count = std::min(panel_rows, seen_.size() - begin);
      for (std::size_t r = 0; r < count; ++r) {
        const auto& [i, weight] = seen_[begin + r];
        const double root = std::sqrt(weight);
        for (std::size_t j = 0; j < d_; ++j) panel_[r * width + j] = root * (points_[i * d_ + j] - mean_[j]);
        for (std::size_t c = 0; c < p_; ++c)
          panel_[r * width + d_ + c] = root * (rows_.targets[i * p_ + c] - mean_[d_ + c]);
      }
      syrk(CblasUpper, CblasTrans, width, count, 1, panel_.data(), width, 1, moments_.data(), width);
    }
  }

  // β, d × p
  std::vector<double> solve(double trace) const {
    const std::size_t width = d_ + p_;
    std::vector<double> S(d_ * d_), right(d_ * p_);
    for (std::size_t j = 0; j < d_; ++j) {
      for (std::size_t k = j; k < d_; ++k) S[j * d_ + k] = S[k * d_ + j] = moments_[j * width + k];
      std::copy_n(moments_.data() + j * width + d_, p_, right.data() + j * p_);
      S[j * d_ + j] += ridge_ * trace;
    }
    if (ridge_ >= smallest_ridge) {
      std::vector<double> factor = S, slopes = right;
      if (lapack::potrf(factor.data(), d_, d_)) {
        cholesky_solve(factor.data(), d_, d_, slopes.data(), p_);
        return slopes;
      }
    }
    return shortest(S, right, trace);
  }

  // Along the eigenvectors whose eigenvalues are more than rounding.
  std::vector<double> shortest(const std::vector<double>& S, const std::vector<double>& right,
                               double trace) const {
    const Eigen eigen = symmetric_eigen(S, d_, true);
    std::vector<double> slopes(d_ * p_, 0);
    for (std::size_t e = 0; e < d_; ++e) {
      if (eigen.values[e] <= smallest_ridge * trace) continue;
      for (std::size_t c = 0; c < p_; ++c) {
        double along = 0;
        for (std::size_t j = 0; j < d_; ++j) along += eigen.vectors[j * d_ + e] * right[j * p_ + c];
        for (std::size_t j = 0; j < d_; ++j)
          slopes[j * p_ + c] += along / eigen.values[e] * eigen.vectors[j * d_ + e];
      }
    }
    return slopes;
  }

  const KeptRows& rows_;
  const double* points_;
  std::size_t d_, p_;
  double ridge_;
  std::vector<std::pair<std::size_t, double>> seen_;
  std::vector<double> mean_, panel_, moments_;
};

// φ as the local fit takes it: dense, float64.
class LocalFeatures {
 public:
  LocalFeatures(const Lwlr& lwlr, const Points& points, const Kernel& kernel) {
    if (kernel.uses_precomputed())
      throw Error(ErrorCode::invalid_argument,
                  "lwlr fits the columns of the rows, which a precomputed kernel has not",
                  {.hint = "take nadaraya_watson"});
    const Kernel given = Kernel::parse(lwlr.features);
    if (!is_dot_product(given)) kernel_ = given.resolve(points);
    const double count = kernel_ ? counted(*kernel_, points) : double(points.cols());
    if (count > double(most_columns))
      throw Error(ErrorCode::invalid_data,
                  fmt::format("lwlr solves a system of all {0} at each row: the {1} {2:.6g}, at most {3} are "
                              "taken",
                              kernel_ ? "features" : "columns", kernel_ ? "rows have" : "data have", count,
                              most_columns),
                  {.hint = "take nadaraya_watson, or fewer columns"});
  }
  Points of(const Points& points) const {
    const Points plain = kernel_ ? explicit_features(*kernel_, points, {.names = false}) : points;
    return plain.to_dense().with_precision(Precision::float64);
  }

 private:
  static double counted(const Kernel& kernel, const Points& points) {
    const FeatureCount count = count_features(kernel, points.cols(), {}, points.names());
    if (count.truncated)
      throw Error(
          ErrorCode::invalid_argument, fmt::format("{} has infinitely many features", kernel.text()),
          {.owner = "lwlr", .hint = "take poly, or functions of the columns by mapped(linear, by=[…])"});
    return std::pow(10, count.log10);
  }

  std::optional<Kernel> kernel_;  // none: the columns
};

const double* numbers_of(const Points& plain) {
  return std::get<Dense<double>>(plain.storage()).values.data();
}

void predict(const Lwlr& lwlr, const KeptRows& rows, const Points& at, bool leave_own_out,
             std::span<double> out, int threads, const Progress& progress) {
  const LocalFeatures features(lwlr, rows.points, rows.kernel);
  const Points plain = features.of(rows.points);
  const std::size_t n = rows.size(), d = plain.cols(),
                    tile_rows = std::clamp<std::size_t>(weights_at_once / n, 1, 64);
  for_row_blocks<double>(rows.kernel, at, rows.points, tile_rows, threads, progress,
                         [&](const KernelOperator<double>& K, Range block, std::size_t first) {
                           const SingleThreadedBlas one_thread;
                           std::vector<double> weights(block.size() * n);
                           K.tile(block, {0, n}, weights);
                           std::vector<std::size_t> chosen(block.size());
                           std::iota(chosen.begin(), chosen.end(), first + block.begin);
                           const Points image = features.of(at.select_rows(chosen));
                           LocalFit local(rows, numbers_of(plain), d, lwlr.ridge);
                           for (std::size_t i = 0; i < block.size(); ++i) {
                             const std::size_t row = first + block.begin + i;
                             double* own = weights.data() + i * n;
                             check_weights<double>(rows.kernel, {own, n}, n, row, 0);
                             if (leave_own_out) own[row] = 0;
                             local(numbers_of(image) + i * d, own, out.data() + row * rows.width);
                           }
                         });
}

}  // namespace

void Lwlr::check_features(const std::string& text) {
  try {
    (void)Kernel::parse(text);
  } catch (const Error& error) {
    throw Error::of_parameter(name, "features", fmt::format("must be a kernel: {}", error.what()), text);
  }
}

Fitted Lwlr::fit(const Training& training) const {
  (void)LocalFeatures(*this, training.points, training.kernel);  // refuses what it cannot take
  Watch watch(training.options);
  Fitted fitted = keep_rows(training, Rows(training));
  const KeptRows rows(fitted, name);
  report_leave_one_out(watch, fitted, rows, most_lwlr_left_out,
                       [&](std::span<double> out, const Progress& progress) {
                         predict(*this, rows, rows.points, true, out, training.options.threads, progress);
                       });
  return fitted;
}

void Lwlr::evaluate(const Fitted& fitted, const Points& at, std::span<double> out, int threads,
                    const Progress& progress) const {
  predict(*this, KeptRows(fitted, name), at, false, out, threads, progress);
}

}  // namespace mercer
