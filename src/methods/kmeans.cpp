// Kernel k-means. With shares s_ic = wᵢ/W_c of the rows of cluster C (W_c = Σ_{i∈C} wᵢ) its mean is Σᵢ s_ic
// φ(xᵢ), and
//   ‖φ(x) − mean_c‖² = k(x, x) − 2 Σᵢ s_ic k(xᵢ, x) + q_c,   q_c = Σᵢⱼ s_ic s_jc k(xᵢ, xⱼ),
//   Σᵢ wᵢ ‖φ(xᵢ) − mean of its cluster‖² = Σᵢ wᵢ k(xᵢ, xᵢ) − Σ_c W_c q_c.
// A step of Lloyd (1982) for all starts at once is one product of K with the shares. k(x, x) is the same for
// all clusters, so the scores are 2 Σᵢ s_ic k(xᵢ, x) − q_c. Kernel values are float64: the distances are
// differences of nearly equal numbers.
#include "mercer/methods/kmeans.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "methods/clusters.hpp"
#include "methods/rows.hpp"
#include "methods/watch.hpp"
#include "mercer/error.hpp"
#include "mercer/kernel_operator.hpp"

namespace mercer {

namespace {

constexpr std::size_t most_kmeans_rounds = 300;

// One start on its way.
struct Run {
  Assignment assignment;      // that the rest belongs to
  std::vector<double> norms;  // q_c
  double objective = std::numeric_limits<double>::infinity(),
         change = std::numeric_limits<double>::infinity();
  bool done = false;
  Assignment next;  // where the step goes
};

class KernelMeans {
 public:
  KernelMeans(const Training& training, const Rows& rows, std::size_t clusters, Watch& watch)
      : rows_(rows),
        clusters_(clusters),
        n_(rows.size()),
        held_(double(n_) * double(n_) * sizeof(double) <= double(training.options.memory)),
        K_(training.kernel, rows.points,
           {.storage = held_ ? OperatorOptions::Storage::held : OperatorOptions::Storage::recomputed,
            .memory = training.options.memory,
            .threads = training.options.threads,
            .progress = held_ ? watch.progress(0, 0.3) : Progress([&watch](std::string_view what, double) {
              return watch.go_on(what, 0), true;
            })}),
        diagonal_(n_) {
    K_.diagonal(diagonal_);
  }

  bool held() const noexcept { return held_; }
  std::vector<Run> starts(std::size_t count, std::uint64_t seed) const;
  void step(std::vector<Run>& runs, double tolerance) const;

 private:
  void settle(Run& run, std::span<const double> products, std::size_t stride, double tolerance) const;

  const Rows& rows_;
  std::size_t clusters_, n_;
  bool held_;
  KernelOperator<double> K_;
  std::vector<double> diagonal_;
};

// k-means++: each further centre is a row drawn in proportion to its squared distance from the nearest centre
// so far.
std::vector<Run> KernelMeans::starts(std::size_t count, std::uint64_t seed) const {
  std::vector<Run> runs(count);
  std::vector<Random> random;
  for (std::size_t r = 0; r < count; ++r) random.emplace_back(seed + 0x632be59bd9b4e019u * r);
  std::vector<std::vector<double>> nearest(count,
                                           std::vector<double>(n_, std::numeric_limits<double>::infinity()));
  std::vector<std::size_t> chosen(count);
  std::vector<double> columns(count * n_), masses(n_);
  for (std::size_t c = 0; c < clusters_; ++c) {
    for (std::size_t r = 0; r < count; ++r) {
      for (std::size_t i = 0; i < n_; ++i) masses[i] = rows_.weights[i] * (c == 0 ? 1 : nearest[r][i]);
      if (std::ranges::all_of(masses, [](double mass) { return mass <= 0; }))
        throw Error(ErrorCode::rank_deficient,
                    fmt::format("{} clusters, but in feature space the rows are only {} different point{}",
                                clusters_, c, c == 1 ? "" : "s"),
                    {.owner = "kmeans"});
      chosen[r] = draw(masses, random[r]);
    }
    K_.columns(chosen, columns);
    for (std::size_t r = 0; r < count; ++r) {
      runs[r].next.resize(n_);
      for (std::size_t i = 0; i < n_; ++i) {
        const double own = diagonal_[i] + diagonal_[chosen[r]];
        double distance = own - 2 * columns[r * n_ + i];
        if (distance <= 1e-14 * std::abs(own)) distance = 0;  // rounding
        if (distance < nearest[r][i]) nearest[r][i] = distance, runs[r].next[i] = std::int32_t(c);
      }
    }
  }
  return runs;
}

// The objective of where the step went, and where the next one goes.
void KernelMeans::settle(Run& run, std::span<const double> products, std::size_t stride,
                         double tolerance) const {
  const auto weights = cluster_weights(run.next, clusters_, rows_.weights);
  std::vector<double> norms(clusters_, 0);
  double objective = 0;
  for (std::size_t i = 0; i < n_; ++i) {
    const auto c = std::size_t(run.next[i]);
    norms[c] += rows_.weights[i] / weights[c] * products[i * stride + c];
    objective += rows_.weights[i] * diagonal_[i];
  }
  for (std::size_t c = 0; c < clusters_; ++c) objective -= weights[c] * norms[c];
  run.change = std::isinf(run.objective)
                   ? run.change
                   : (run.objective - objective) /
                         std::max(std::abs(run.objective), std::numeric_limits<double>::min());
  run.objective = objective;
  run.norms = std::move(norms);
  run.assignment = run.next;
  std::vector<double> distances(n_);
  for (std::size_t i = 0; i < n_; ++i) {
    double best = std::numeric_limits<double>::infinity();
    const auto distance = [&](std::size_t c) { return run.norms[c] - 2 * products[i * stride + c]; };
    for (std::size_t c = 0; c < clusters_; ++c)
      if (distance(c) < best) best = distance(c), run.next[i] = std::int32_t(c);
    const auto own = std::size_t(run.assignment[i]);
    if (distance(own) <= best + 1e-14 * std::abs(diagonal_[i]))
      run.next[i] = std::int32_t(own);  // no step without a gain
    distances[i] = diagonal_[i] + best;
  }
  fill_empty_clusters(run.next, clusters_, distances);
  if (run.next == run.assignment) run.change = 0;
  run.done = run.change <= tolerance;
}

void KernelMeans::step(std::vector<Run>& runs, double tolerance) const {
  std::vector<Run*> active;
  for (Run& run : runs)
    if (!run.done) active.push_back(&run);
  const std::size_t width = active.size() * clusters_;
  std::vector<double> shares(n_ * width, 0), products(n_ * width);
  for (std::size_t r = 0; r < active.size(); ++r) {
    const auto weights = cluster_weights(active[r]->next, clusters_, rows_.weights);
    for (std::size_t i = 0; i < n_; ++i) {
      const auto c = std::size_t(active[r]->next[i]);
      shares[i * width + r * clusters_ + c] = rows_.weights[i] / weights[c];
    }
  }
  K_.multiply(shares, width, products);
  for (std::size_t r = 0; r < active.size(); ++r)
    settle(*active[r], std::span(products).subspan(r * clusters_), width, tolerance);
}

}  // namespace

Fitted Kmeans::fit(const Training& training) const {
  Watch watch(training.options);
  const Rows rows(training);
  const std::size_t k = std::size_t(clusters), n = rows.size();
  check_cluster_count(name, k, n);
  const KernelMeans means(training, rows, k, watch);
  std::vector<Run> runs = means.starts(std::size_t(restarts), training.options.seed);
  std::size_t rounds = 0;
  const auto all_done = [&] { return std::ranges::all_of(runs, &Run::done); };
  do {
    means.step(runs, training.tolerance);
    ++rounds;
  } while (watch.go_on("k-means", 0.3 + 0.7 * (1 - std::pow(0.9, double(rounds)))) && !all_done() &&
           rounds < most_kmeans_rounds);
  Run& best = *std::ranges::min_element(runs, {}, &Run::objective);
  const std::vector<std::size_t> before = number_by_first_row(best.assignment, k);
  const auto weights = cluster_weights(best.assignment, k, rows.weights);
  std::vector<double> coefficients(n * k, 0), rho;
  for (std::size_t i = 0; i < n; ++i) {
    const auto c = std::size_t(best.assignment[i]);
    coefficients[i * k + c] = 2 * rows.weights[i] / weights[c];
  }
  for (const std::size_t c : before) rho.push_back(best.norms[c]);
  Fitted fitted = expand(training, rows, std::move(coefficients), std::move(rho), Rule::one_vs_rest);
  FitReport& report = fitted.report;
  report.converged = all_done();
  report.cut_short = watch.cut_short();
  report.objective = std::max(0.0, best.objective);
  report.certificate = CertificateKind::objective_change;
  report.violation = std::isinf(best.change) ? 1 : best.change;
  report.tolerance = training.tolerance;
  report.iterations = rounds;
  report.solver =
      fmt::format("Lloyd's steps from {} starts, K {}", runs.size(), means.held() ? "held" : "recomputed");
  name_clusters(fitted, best.assignment, k);
  report.seconds = watch.seconds();
  return fitted;
}

}  // namespace mercer
