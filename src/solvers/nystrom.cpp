#include "solvers/nystrom.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "base/blas.hpp"
#include "base/random.hpp"
#include "mercer/error.hpp"
#include "operators/compiled_kernel.hpp"
#include "operators/pivoted_cholesky.hpp"
#include "solvers/eigen.hpp"
#include "solvers/held_inverse.hpp"

namespace mercer {

namespace {

class Nystrom final : public DenseMap {
 public:
  Nystrom(Kernel kernel, Points landmarks, std::vector<double> matrix)
      : kernel_(std::move(kernel)), landmarks_(std::move(landmarks)), matrix_(std::move(matrix)) {}
  std::size_t features() const noexcept override { return matrix_.size() / landmarks_.rows(); }

  void apply(const Points& points, int threads, double* out) const override {
    if (points.rows() == 0) return;
    const std::size_t m = landmarks_.rows(), r = features();
    const KernelOperator<double> K(kernel_, points, landmarks_, {.threads = threads});
    const SingleThreadedBlas one_thread;
    for_row_blocks(points.rows(), threads, [&](Range rows) {
      Buffer<double> tile(rows.size() * m);
      K.tile(rows, {0, m}, tile);
      gemm(CblasNoTrans, CblasTrans, rows.size(), r, m, 1, tile.data(), m, matrix_.data(), m, 0,
           out + rows.begin * r, r);
    });
  }

 private:
  Kernel kernel_;
  Points landmarks_;
  std::vector<double> matrix_;  // features × landmarks
};

template <class T>
Landmarks pivoted(const KernelOperator<T>& K, const LandmarkOptions& options) {
  auto found = pivoted_cholesky(K, {.rank = options.count,
                                    .seed = options.seed,
                                    .progress = options.progress,
                                    .threads = options.threads});
  if (found.pivots.empty()) found.pivots.push_back(0);  // K is 0: any row will do
  return {.rows = std::move(found.pivots),
          .trace_left = found.trace > 0 ? std::max(0.0, found.trace_left / found.trace) : 0};
}

// The first `count` of a random order (Fisher & Yates).
Landmarks uniform(std::size_t n, const LandmarkOptions& options) {
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t(0));
  Random random(options.seed);
  const std::size_t count = std::min(n, options.count);
  for (std::size_t i = 0; i < count; ++i) std::swap(order[i], order[i + random.below(n - i)]);
  order.resize(count);
  return {.rows = std::move(order)};
}

// An index with a probability in proportion to its weight; none where all are 0.
std::size_t draw(const std::vector<double>& weights, Random& random) {
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  if (!(total > 0)) return weights.size();
  double left = random.uniform() * total;
  std::size_t last = weights.size();
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] <= 0) continue;
    last = i;
    if ((left -= weights[i]) < 0) break;
  }
  return last;
}

template <class T>
Landmarks spread(const KernelOperator<T>& K, const LandmarkOptions& options) {
  constexpr double rounding = 45 * std::numeric_limits<T>::epsilon();
  const std::size_t n = K.rows();
  std::vector<T> diagonal(n), column(n);
  std::vector<double> nearest(n, std::numeric_limits<double>::infinity());
  K.diagonal(diagonal);
  Random random(options.seed);
  Landmarks chosen;
  for (std::size_t next = random.below(n);;) {
    chosen.rows.push_back(next);
    if (chosen.rows.size() >= std::min(n, options.count)) return chosen;
    if (options.progress &&
        !options.progress("landmarks", double(chosen.rows.size()) / double(options.count)))
      throw Error(ErrorCode::cancelled, "the choice of landmarks was stopped");
    K.columns(std::span(&next, 1), column);
    for (std::size_t i = 0; i < n; ++i) {
      const double both = double(diagonal[i]) + double(diagonal[next]),
                   squared = both - 2 * double(column[i]);
      // Equal rows differ by rounding alone.
      nearest[i] = std::min(nearest[i], squared > rounding * both ? squared : 0.0);
    }
    next = draw(nearest, random);
    if (next == n) return chosen;
  }
}

}  // namespace

void check_for_landmarks(const Kernel& kernel) {
  const CompiledKernel program(kernel);
  for (const auto& statistic : program.statistics)
    if (statistic.check_reference)
      throw Error(ErrorCode::unsupported,
                  fmt::format("{} is read from a matrix of all rows, which landmarks cannot stand for",
                              kernel.text()),
                  {.hint = "use the kernel itself"});
  for (const auto& value : program.values)
    if (value.kind == CompiledKernel::Value::Kind::mean ||
        value.kind == CompiledKernel::Value::Kind::all_mean)
      throw Error(
          ErrorCode::unsupported,
          fmt::format("{} takes its mean over all rows, which landmarks cannot stand for", kernel.text()),
          {.hint = "leave out center and centre the features"});
}

namespace {

// L⁻¹ of K = LLᵀ; none where a pivot is below a millionth of the largest: then eigenvalues tell what is
// rounding.
std::optional<std::vector<double>> inverse_of_factor(const std::vector<double>& K, std::size_t m) {
  std::vector<double> M = K;
  if (!invert_factor(M.data(), m, m)) return {};
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (std::size_t i = 0; i < m; ++i) {
    std::fill_n(M.data() + i * m + i + 1, m - i - 1, 0.0);
    const double pivot = 1 / (M[i * m + i] * M[i * m + i]);
    least = std::min(least, pivot);
    most = std::max(most, pivot);
  }
  return least > 1e-6 * most ? std::optional(std::move(M)) : std::nullopt;
}

}  // namespace

std::vector<double> nystrom_matrix(const Kernel& kernel, const Points& landmarks, int threads) {
  const std::size_t m = landmarks.rows();
  std::vector<double> K(m * m);
  KernelOperator<double>(kernel, landmarks, {.threads = threads}).matrix(K);
  if (auto M = inverse_of_factor(K, m)) return *std::move(M);
  const auto [values, U] = symmetric_eigen(K, m, true);  // ascending
  const double rounding =
      double(m) * std::numeric_limits<double>::epsilon() * std::max(values.back(), -values.front());
  if (values.front() < -1e3 * rounding)
    throw Error(ErrorCode::invalid_argument,
                fmt::format("{} is not positive semidefinite: between the landmarks its smallest eigenvalue "
                            "is {:.3g} and its largest {:.3g}",
                            kernel.text(), values.front(), values.back()),
                {.hint = "only a valid kernel has features"});
  std::vector<double> matrix;
  for (std::size_t e = m; e-- > 0 && values[e] > rounding;)  // the largest first
    for (std::size_t i = 0; i < m; ++i) matrix.push_back(U[i * m + e] / std::sqrt(values[e]));
  if (matrix.empty()) matrix.assign(m, 0);  // k is 0 throughout: one feature that is 0
  return matrix;
}

std::unique_ptr<const DenseMap> nystrom_map(const Kernel& kernel, const Points& landmarks,
                                            std::vector<double> matrix) {
  return std::make_unique<Nystrom>(kernel, landmarks, std::move(matrix));
}

template <class T>
Landmarks choose_landmarks(LandmarkRule rule, const KernelOperator<T>& K, const LandmarkOptions& options) {
  if (K.rows() == 0)
    throw Error(ErrorCode::invalid_data, "landmarks are chosen among rows, and there are none");
  switch (rule) {
    case LandmarkRule::pivoted:
      return pivoted(K, options);
    case LandmarkRule::uniform:
      return uniform(K.rows(), options);
    case LandmarkRule::spread:
      break;
  }
  return spread(K, options);
}

template Landmarks choose_landmarks(LandmarkRule, const KernelOperator<float>&, const LandmarkOptions&);
template Landmarks choose_landmarks(LandmarkRule, const KernelOperator<double>&, const LandmarkOptions&);

}  // namespace mercer
