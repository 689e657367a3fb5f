// Two samples P and Q, with the weights w of the rows as counts. With e = w where a row is of P and 0
// elsewhere:
//   biased    MMD² = ‖mean_P φ − mean_Q φ‖² = pᵀKp/W_P² − 2pᵀKq/(W_P·W_Q) + qᵀKq/W_Q²,   p = e, q = w − e
//   unbiased  without the pairs of a row with itself: (pᵀKp − Σ p·k(x, x)) / (W_P(W_P − 1)) and the same
//             of Q
// With r = Kw and T = wᵀKw, pᵀKq = pᵀr − pᵀKp and qᵀKq = T − 2pᵀr + pᵀKp: a relabelling needs pᵀKp alone, and
// hundreds of them are one matrix product K·[p p′ p″ …].
//
// All of these have coefficients that sum to 0, so that a kernel that is conditionally positive semidefinite
// of order 1 will do: −‖x − z‖ gives the energy distance 2E‖X − Y‖ − E‖X − X′‖ − E‖Y − Y′‖ (Sejdinovic et al.
// 2013).
//
// If both samples come from one distribution, the labels may be shuffled: the p-value is the share of
// relabellings (the given one is one of them) whose biased MMD² is at least the one found.
#include "mercer/methods/mmd.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/random.hpp"
#include "methods/rows.hpp"
#include "methods/watch.hpp"
#include "mercer/error.hpp"
#include "mercer/kernel_operator.hpp"

namespace mercer {

namespace {

constexpr std::size_t relabellings_at_once = 256;

class Discrepancy {
 public:
  Discrepancy(const KernelOperator<double>& K, std::span<const double> weights)
      : K_(K), w_(weights), r_(weights.size()) {
    K.multiply(w_, 1, r_);
    for (std::size_t i = 0; i < w_.size(); ++i) {
      T_ += w_[i] * r_[i];
      W_ += w_[i];
    }
  }

  struct Sums {
    double W = 0, pr = 0, pKp = 0;  // of P
  };

  /// Of `count` labellings: member[i · count + b] is 1 where row i is of P.
  std::vector<Sums> sums(std::span<const double> member, std::size_t count) const {
    const std::size_t n = w_.size();
    std::vector<double> p(member.begin(), member.end()), Kp(n * count);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t b = 0; b < count; ++b) p[i * count + b] *= w_[i];
    K_.multiply(p, count, Kp);
    std::vector<Sums> all(count);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t b = 0; b < count; ++b) {
        all[b].W += p[i * count + b];
        all[b].pr += p[i * count + b] * r_[i];
        all[b].pKp += p[i * count + b] * Kp[i * count + b];
      }
    return all;
  }

  /// Of |k| over a row of K: of conditional kernels k(x, x) may be 0.
  double largest_mean() const {
    double largest = 0;
    for (const double r : r_) largest = std::max(largest, std::abs(r) / W_);
    return largest;
  }

  double biased(const Sums& s) const {
    const double W = W_ - s.W;
    return s.pKp / (s.W * s.W) - 2 * (s.pr - s.pKp) / (s.W * W) + (T_ - 2 * s.pr + s.pKp) / (W * W);
  }

  /// Not defined where a sample has a total weight of 1 or less.
  std::optional<double> unbiased(const Sums& s, std::span<const double> member,
                                 std::span<const double> diagonal) const {
    const double W = W_ - s.W;
    if (!(s.W > 1 && W > 1)) return {};
    double own_p = 0, own_q = 0;
    for (std::size_t i = 0; i < w_.size(); ++i) (member[i] == 1 ? own_p : own_q) += w_[i] * diagonal[i];
    return (s.pKp - own_p) / (s.W * (s.W - 1)) - 2 * (s.pr - s.pKp) / (s.W * W) +
           (T_ - 2 * s.pr + s.pKp - own_q) / (W * (W - 1));
  }

 private:
  const KernelOperator<double>& K_;
  std::span<const double> w_;
  std::vector<double> r_;
  double T_ = 0, W_ = 0;
};

// How many of the relabellings done are at least as far apart as `found`.
struct Permutations {
  std::size_t done = 0, at_least = 0;
};

Permutations permute(const Discrepancy& discrepancy, std::vector<double> member, std::size_t wanted,
                     double found, std::uint64_t seed, Watch& watch) {
  Random random(seed);
  Permutations permutations;
  const std::size_t n = member.size();
  while (permutations.done < wanted &&
         watch.go_on("permutations", 0.2 + 0.8 * double(permutations.done) / double(wanted))) {
    const std::size_t count = std::min(relabellings_at_once, wanted - permutations.done);
    std::vector<double> shuffled(n * count);
    for (std::size_t b = 0; b < count; ++b) {
      for (std::size_t i = n; i-- > 1;) std::swap(member[i], member[random.below(i + 1)]);
      for (std::size_t i = 0; i < n; ++i) shuffled[i * count + b] = member[i];
    }
    try {
      for (const auto& sums : discrepancy.sums(shuffled, count))
        permutations.at_least += discrepancy.biased(sums) >= found;
      permutations.done += count;
    } catch (const Error& error) {
      // The time is over in the middle of a product: there is a model all the same.
      if (error.kind() != ErrorKind::budget || !watch.cut_short()) throw;
    }
  }
  return permutations;
}

}  // namespace

Fitted Mmd::fit(const Training& training) const {
  if (training.target.labels.size() != 2)
    throw Error(
        ErrorCode::invalid_data,
        fmt::format("mmd compares two samples, but the target has {} classes", training.target.labels.size()),
        {.hint = "it must have two"});
  Watch watch(training.options);
  const Rows rows(training);
  const std::size_t n = rows.size();
  const std::vector<std::int32_t> codes = rows.codes(training.target);
  std::vector<double> member(n), diagonal(n), coefficients(n);
  double W[2] = {0, 0};
  for (std::size_t i = 0; i < n; ++i) {
    member[i] = codes[i] == 0;
    W[codes[i]] += rows.weights[i];
  }
  for (const int c : {0, 1})
    if (W[c] == 0)
      throw Error(ErrorCode::invalid_data, fmt::format("class '{}' has no row with weight above 0",
                                                       training.target.labels[std::size_t(c)]));
  const KernelOperator<double> K(training.kernel, rows.points,
                                 {.storage = OperatorOptions::Storage::automatic,
                                  .memory = training.options.memory,
                                  .threads = training.options.threads,
                                  .progress = watch.progress(0, 0.2)});
  K.diagonal(diagonal);
  const Discrepancy discrepancy(K, rows.weights);
  const Discrepancy::Sums given = discrepancy.sums(member, 1).front();
  const double biased = std::max(0.0, discrepancy.biased(given));
  for (std::size_t i = 0; i < n; ++i)
    coefficients[i] = (codes[i] == 0 ? 1 : -1) * rows.weights[i] / W[codes[i]];
  Fitted fitted = expand(training, rows, std::move(coefficients), {0}, Rule::one_vs_rest);
  FitReport& report = fitted.report;
  if (const auto unbiased = discrepancy.unbiased(given, member, diagonal))
    report.add("mmd2_unbiased", "MMD² (unbiased)", *unbiased);
  report.add("mmd2_biased", "MMD² (biased)", biased);
  // A relabelling that gives the same samples gives the same number up to rounding.
  const double rounding = 1e-12 * std::max(*std::ranges::max_element(diagonal), discrepancy.largest_mean());
  const Permutations shuffled = permute(discrepancy, member, std::size_t(permutations), biased - rounding,
                                        training.options.seed, watch);
  if (shuffled.done > 0)
    report.add("p_value", "p-value", double(1 + shuffled.at_least) / double(1 + shuffled.done));
  report.iterations = shuffled.done;
  report.certificate = CertificateKind::none;
  report.norm = biased;
  report.cut_short = watch.cut_short();
  report.converged = !report.cut_short;
  report.seconds = watch.seconds();
  return fitted;
}

}  // namespace mercer
