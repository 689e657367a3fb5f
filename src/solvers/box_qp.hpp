// The one problem behind every support vector method, in signed variables β = y·α:
//
//   min ½βᵀKβ + sᵀβ    subject to   l ≤ β ≤ u   and   Σβ fixed within each group of variables
//
// Variable v stands for point i(v): (Kβ) is taken over points, and two variables may share one (ε-SVR has β⁺
// ≥ 0 and β⁻ ≤ 0 for each). With f = Kβ the gradient is G_v = f_i(v) + s_v. At the solution every group has
// its ρ:
//   G_v ≥ ρ where β_v = l_v,   G_v ≤ ρ where β_v = u_v,   G_v = ρ between,
// and the decision function is f(x) − ρ. The violation
//   max{−G_v : β_v < u_v} − min{−G_v : β_v > l_v},   the largest over the groups,
// is LIBSVM's stopping criterion. For any levels ρ,
//   gap = Σ_v (β_v − l_v)·max(G_v − ρ, 0) + (u_v − β_v)·max(ρ − G_v, 0)
// bounds how far the objective is above the minimum; for the SVM it is the primal minus the dual objective.
//
//   C-SVC        one variable a point, s = −y, [0, C] or [−C, 0], one group, Σβ = 0
//   ε-SVR        two a point, s = ε − z and −ε − z, [0, C] and [−C, 0], one group, Σβ = 0
//   ν-SVC        s = 0, [0, 1] or [−1, 0], a group per class, Σβ = ±νn/2
//   one-class    s = 0, [0, 1], one group, Σβ = νn
//
// A variable may have a kink: its s is smaller below it than above. Then G_v to either side of β_v counts,
// each for the way that leads there (solvers/folded_qp.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace mercer {

struct BoxQp {
  std::vector<std::int32_t> points;  ///< of each variable
  std::vector<double> linear;        ///< s
  std::vector<double> lower, upper;  ///< finite, lower ≤ 0 ≤ upper
  std::vector<std::uint8_t> groups;  ///< 0 or 1 for each variable; empty: all in group 0
  std::vector<double> start;         ///< a feasible β; its sums are the ones kept. Empty: 0
  std::vector<double> kinks, below;  ///< where s changes, from `below` to `linear`. Empty: nowhere
  std::vector<double> guess;         ///< a better β to begin with, feasible or not. Empty: none

  std::size_t size() const noexcept { return points.size(); }
  void add(std::size_t point, double s, double l, double u);
  /// A variable that may go from 0 to `most` where y > 0, to −most where y < 0.
  void add_signed(std::size_t point, double s, int y, double most) {
    y > 0 ? add(point, s, 0, most) : add(point, s, -most, 0);
  }
  bool at_bound(std::size_t v, double beta) const noexcept {
    return beta != 0 && (beta == lower[v] || beta == upper[v]);
  }
  /// s of v towards larger and towards smaller β.
  double rising(std::size_t v, double beta) const noexcept {
    return kinks.empty() || beta >= kinks[v] ? linear[v] : below[v];
  }
  double falling(std::size_t v, double beta) const noexcept {
    return kinks.empty() || beta > kinks[v] ? linear[v] : below[v];
  }
  bool at_kink(std::size_t v, double beta) const noexcept { return !kinks.empty() && beta == kinks[v]; }
  int group(std::size_t v) const noexcept { return groups.empty() ? 0 : groups[v]; }
};

/// The guess, moved as little as its bounds and sums ask for.
std::vector<double> feasible_guess(const BoxQp& problem);

/// How good a β is, from f = Kβ in float64.
struct Certificate {
  double objective = 0;
  double violation = 0;  ///< LIBSVM's criterion
  double gap = 0;        ///< the bound above, with the levels below
  /// ρ of each group: the mean of G over its free variables, else the middle of the feasible ones.
  double rho[2] = {};
};

/// `f`: per point.
Certificate certify(const BoxQp& problem, std::span<const double> beta, std::span<const double> f);

/// f = Kβ, per point; `K`: points × points, row-major.
inline std::vector<double> box_products(const BoxQp& problem, std::span<const double> K, std::size_t points,
                                        std::span<const double> beta) {
  std::vector<double> sums(points, 0), f(points, 0);
  for (std::size_t v = 0; v < beta.size(); ++v) sums[std::size_t(problem.points[v])] += beta[v];
  for (std::size_t i = 0; i < points; ++i) {
    const double* row = K.data() + i * points;
    for (std::size_t j = 0; j < points; ++j) f[i] += row[j] * sums[j];
  }
  return f;
}

/// A problem over the points that its variables stand for, and no others, in their order.
struct CompactQp {
  BoxQp problem;                    ///< its points are numbers in …
  std::vector<std::size_t> points;  ///< … these, of the original's

  explicit CompactQp(const BoxQp& original);
  /// Per point of the original, of which there are n; 0 where no variable stands for it.
  std::vector<double> spread(std::span<const double> f, std::size_t n) const;
};

/// Variables that differ in nothing but their bounds are one: those of equal points with the same linear
/// term, in the same group and on the same side of 0. Real tables are full of equal rows, and K shrinks with
/// the square of their number.
class DeduplicatedQp {
 public:
  /// `point_of`: of each of the original's points the one that stands for it. A guess becomes the start.
  DeduplicatedQp(const BoxQp& original, std::span<const std::int32_t> point_of);

  const BoxQp& problem() const noexcept { return merged_; }
  /// β of the original's variables: the same share of the bounds of each, whatever the order of the rows.
  std::vector<double> split(std::span<const double> beta) const;

 private:
  const BoxQp& original_;
  BoxQp merged_;
  std::vector<std::size_t> merged_of_;  // of each original variable
};

}  // namespace mercer
