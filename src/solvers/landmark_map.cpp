#include "solvers/landmark_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/blas.hpp"
#include "base/sample.hpp"
#include "mercer/error.hpp"
#include "mercer/kernel_operator.hpp"
#include "operators/landmark_features.hpp"
#include "operators/pivoted_cholesky.hpp"
#include "solvers/dense_cholesky.hpp"

namespace mercer {

namespace {

constexpr double dependent = 1e-8;  // what is left of k(z, z) of a landmark that the others span nearly

class FactoredNystrom final : public DenseMap {
 public:
  explicit FactoredNystrom(LandmarkForm form) : form_(std::move(form)) {}
  std::size_t features() const noexcept override { return form_.count(); }
  const LandmarkForm* landmark_form() const noexcept override { return &form_; }
  void apply(const Points& points, int threads, double* out) const override {
    if (points.rows() == 0) return;
    const std::size_t m = form_.count();
    const KernelOperator<double> K(form_.kernel, points, form_.landmarks, {.threads = threads});
    const SingleThreadedBlas one_thread;
    for_row_blocks(points.rows(), threads, [&](Range rows) {
      double* to = out + rows.begin * m;
      K.tile(rows, {0, m}, {to, rows.size() * m});
      trsm<double>(CblasRight, CblasLower, CblasTrans, CblasNonUnit, rows.size(), m, 1, form_.L.data(), m, to,
                   m);
    });
  }

 private:
  LandmarkForm form_;
};

// L of K_ZZ = LLᵀ; empty where a landmark is all but spanned by those before it.
Buffer<double> factor_of(const Kernel& kernel, const Points& Z, const FeatureMapOptions& options) {
  const std::size_t m = Z.rows();
  Buffer<double> L(m * m);
  KernelOperator<double>(kernel, Z, {.threads = options.threads}).matrix(L);
  std::vector<double> least(m);
  for (std::size_t i = 0; i < m; ++i) least[i] = 0.1 * dependent * L[i * m + i];
  if (m == 1 && L[0] == 0) L[0] = 1;  // k is 0 throughout: so is the feature
  if (!cholesky_factor(L.data(), m, m, options.threads, options.progress)) return {};
  for (std::size_t i = 0; i < m; ++i) {
    if (!(L[i * m + i] * L[i * m + i] > least[i])) return {};
    std::fill_n(L.data() + i * m + i + 1, m - i - 1, 0.0);
  }
  return L;
}

// Those that are left, in another order, where some depend on the others.
Points independent(const Kernel& kernel, const Points& Z, double stop, const FeatureMapOptions& options) {
  const KernelOperator<double> K(kernel, Z, {.threads = options.threads});
  auto found = pivoted_cholesky(K, {.rank = Z.rows(),
                                    .stop = stop,
                                    .greedy = true,
                                    .progress = options.progress,
                                    .threads = options.threads});
  if (found.pivots.empty()) found.pivots.push_back(0);
  return Z.select_rows(found.pivots);
}

// None where float32 cannot hold K.
template <class T>
std::optional<Landmarks> chosen_by(LandmarkRule rule, const Kernel& kernel, const Points& sample,
                                   const LandmarkOptions& options) {
  const KernelOperator<T> K(kernel, sample,
                            {.threads = options.threads, .note_overflow = sizeof(T) == sizeof(float)});
  Landmarks chosen = choose_landmarks(rule, K, options);
  return K.finite() ? std::optional(std::move(chosen)) : std::nullopt;
}

// Float32 tells no more than a million of k(x, x) from rounding: the rest of the landmarks are drawn
// uniformly.
void add_others(std::vector<std::size_t>& rows, std::size_t n, std::size_t count, std::uint64_t seed) {
  std::vector<bool> taken(n, false);
  for (const std::size_t row : rows) taken[row] = true;
  std::vector<std::size_t> others;
  for (std::size_t i = 0; i < n; ++i)
    if (!taken[i]) others.push_back(i);
  if (rows.size() >= count) return;
  for (const std::size_t i : sampled_rows(others.size(), count - rows.size(), seed))
    rows.push_back(others[i]);
}

double left_of_sample(const RowMap& map, const Kernel& kernel, const Points& sample, int threads) {
  const std::size_t m = map.features();
  std::vector<double> self(sample.rows());
  KernelOperator<double>(kernel, sample, {.threads = threads}).diagonal(self);
  const Points features = map.rows_of(sample, threads);
  double left = 0, total = 0;
  std::vector<double> row(m);
  for (std::size_t i = 0; i < sample.rows(); ++i) {
    features.copy_row(i, row);
    double squared = 0;
    for (const double value : row) squared += value * value;
    left += std::max(0.0, self[i] - squared);
    total += self[i];
  }
  return total > 0 ? left / total : 0;
}

// Rows that the landmarks are chosen among.
std::size_t rows_within(const MapName& name, std::size_t rows, std::size_t memory) {
  const std::size_t m = std::min(name.count, rows),
                    among = std::min(rows, std::max<std::size_t>(4 * m, 40'000));
  if (name.rule != LandmarkRule::pivoted) return among;
  return std::clamp(memory / (sizeof(float) * m), std::min(rows, 2 * m), among);
}

}  // namespace

std::size_t landmark_bytes(const MapName& name, std::size_t rows) {
  const std::size_t m = std::min(name.count, rows), among = std::min(rows, 2 * m);
  const std::size_t factor = sizeof(double) * m * m;
  return name.rule == LandmarkRule::pivoted ? std::max(factor, sizeof(float) * m * among) : factor;
}

std::size_t landmark_bytes(const MapName& name, std::size_t rows, std::size_t memory) {
  if (name.rule != LandmarkRule::pivoted) return landmark_bytes(name, rows);
  const std::size_t columns = std::min(name.count, rows) * rows_within(name, rows, memory);
  return std::max(landmark_bytes(name, rows),
                  columns * (sizeof(double) * columns <= memory ? sizeof(double) : sizeof(float)));
}

LandmarkMap make_landmark_map(const MapName& name, const Kernel& kernel, const Points& points,
                              const FeatureMapOptions& options) {
  check_for_landmarks(kernel);
  const std::size_t n = points.rows(), m = std::min(name.count, n);
  if (n == 0)
    throw Error(ErrorCode::invalid_data,
                fmt::format("{} chooses landmarks among the rows, and there are none", name.text()));
  const std::size_t least = landmark_bytes(name, n);
  if (least > options.memory)
    throw Error(ErrorCode::out_of_memory,
                fmt::format("the landmarks of {} take {:.3g} GB but {:.3g} GB are allowed", name.text(),
                            double(least) / 1e9, double(options.memory) / 1e9),
                {.hint = name.rule == LandmarkRule::pivoted
                             ? "take fewer, raise the memory, or choose them by uniform or kmeans++, which "
                               "take less"
                             : "take fewer or raise the memory"});
  const std::size_t among = rows_within(name, n, options.memory);
  const Points sample = points.select_rows(sampled_rows(n, among, options.seed));
  const LandmarkOptions how{m, options.seed, options.threads, options.progress};
  Landmarks chosen;
  if (name.rule != LandmarkRule::pivoted || sizeof(double) * m * among <= options.memory) {
    chosen = chosen_by<double>(name.rule, kernel, sample, how).value();
  } else {
    auto rough = chosen_by<float>(name.rule, kernel, sample, how);
    chosen = rough ? std::move(*rough)
                   : choose_landmarks(LandmarkRule::uniform, KernelOperator<double>(kernel, sample), how);
    add_others(chosen.rows, sample.rows(), m, options.seed);
  }
  Points Z = sample.select_rows(chosen.rows);
  Buffer<double> L = factor_of(kernel, Z, options);
  for (double stop = dependent; L.empty(); stop *= 10) {
    if (stop > 1)
      throw Error(ErrorCode::invalid_argument,
                  fmt::format("{} is not positive semidefinite between the landmarks", kernel.text()),
                  {.hint = "only a valid kernel has features"});
    Z = independent(kernel, Z, stop, options);
    L = factor_of(kernel, Z, options);
  }
  LandmarkMap made{std::make_shared<FactoredNystrom>(LandmarkForm{kernel, Z, std::move(L)}),
                   chosen.trace_left};
  if (made.trace_left < 0)
    made.trace_left =
        left_of_sample(*made.map, kernel, sample.select_rows(sampled_rows(sample.rows(), 1000, options.seed)),
                       options.threads);
  return made;
}

}  // namespace mercer
