#include "solvers/box_system.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solvers/box_qp.hpp"
#include "solvers/dense_cholesky.hpp"

namespace mercer {

Buffer<double> centred(std::span<const double> K, std::size_t points) {
  std::vector<double> c(points, 0);
  double mean = 0;
  for (std::size_t i = 0; i < points; ++i) {
    for (std::size_t j = 0; j < points; ++j) c[i] += K[i * points + j] / double(points);
    mean += c[i] / double(points);
  }
  Buffer<double> moved(points * points);
  double trace = 0;
  for (std::size_t i = 0; i < points; ++i) {
    for (std::size_t j = 0; j < points; ++j)
      moved[i * points + j] = (K[i * points + j] - c[i]) - (c[j] - mean);
    trace += moved[i * points + i];
  }
  for (double& value : moved) value += trace / double(points * points);
  return moved;
}

double rounding_shift(std::span<const double> K, std::size_t points) {
  double largest = std::numeric_limits<double>::min() / std::numeric_limits<double>::epsilon();
  for (std::size_t i = 0; i < points; ++i) largest = std::max(largest, std::abs(K[i * points + i]));
  return 2 * double(points) * std::numeric_limits<double>::epsilon() * largest;
}

bool BoxSystem::factor(std::span<const std::size_t> variables, std::span<const double> D) {
  variables_.assign(variables.begin(), variables.end());
  D_.assign(D.begin(), D.end());
  if (!prepare()) return false;
  for (int g = 0; g < 2; ++g) {
    std::vector<double> own(variables.size());
    for (std::size_t a = 0; a < own.size(); ++a) own[a] = problem_.group(variables[a]) == g ? 1 : 0;
    const bool any = std::ranges::any_of(own, [](double one) { return one != 0; });
    ones_[g] = any ? divide(own) : std::move(own);
    inner_[g][0] = inner_[g][1] = 0;
    for (std::size_t a = 0; a < variables.size(); ++a) inner_[g][problem_.group(variables[a])] += ones_[g][a];
  }
  return true;
}

std::vector<double> HeldBoxSystem::products(std::span<const double> beta) const {
  return box_products(problem_, K_, points_, beta);
}

bool HeldBoxSystem::prepare() {
  places_.assign(variables_.size(), 0);
  softest_.clear();
  joint_.clear();
  std::vector<std::size_t> points, place_of(points_, points_);
  for (std::size_t a = 0; a < variables_.size(); ++a) {
    const auto point = std::size_t(problem_.points[variables_[a]]);
    if (place_of[point] == points_) {
      place_of[point] = points.size();
      points.push_back(point);
      softest_.push_back(a);
      joint_.push_back(0);
    }
    const std::size_t place = places_[a] = place_of[point];
    joint_[place] += 1 / D_[a];
    if (D_[a] < D_[softest_[place]]) softest_[place] = a;
  }
  for (double& value : joint_) value = 1 / value;
  const std::size_t p = points.size();
  stride_ = row_stride<double>(p);
  if (L_.size() < p * stride_) L_ = Buffer<double>(p * stride_);
  for (std::size_t i = 0; i < p; ++i) {
    for (std::size_t j = 0; j <= i; ++j) L_[i * stride_ + j] = K_[points[i] * points_ + points[j]];
    L_[i * stride_ + i] += joint_[i];
  }
  return cholesky_factor(L_.data(), p, stride_, 1, {});
}

// Of the variables of one point all but the softest follow from q; the softest takes what is left of δ.
// Numbers are taken relative to the softest's, so that nothing is divided by its small D.
std::vector<double> HeldBoxSystem::divide(std::span<const double> r) const {
  const std::size_t p = joint_.size();
  std::vector<double> base(p), pull(p, 0), delta(p), x(r.size());
  for (std::size_t i = 0; i < p; ++i) base[i] = r[softest_[i]];
  for (std::size_t a = 0; a < r.size(); ++a) pull[places_[a]] += (r[a] - base[places_[a]]) / D_[a];
  for (std::size_t i = 0; i < p; ++i) delta[i] = base[i] + joint_[i] * pull[i];
  cholesky_solve(L_.data(), p, stride_, delta.data(), 1);
  std::vector<double> left = delta;
  for (std::size_t a = 0; a < r.size(); ++a) {
    const std::size_t i = places_[a];
    if (softest_[i] == a) continue;
    const double q = joint_[i] * (pull[i] - delta[i]);  // beyond the softest's r
    x[a] = (r[a] - base[i] - q) / D_[a];
    left[i] -= x[a];
  }
  for (std::size_t i = 0; i < p; ++i) x[softest_[i]] = left[i];
  return x;
}

// What all r of a group share is ρ's affair: it is taken out first, since K may hardly tell it from 0.
BoxSystem::Solution BoxSystem::solve(std::span<const double> r, const double (&t)[2]) const {
  double mean[2] = {}, count[2] = {};
  for (std::size_t v = 0; v < r.size(); ++v)
    mean[problem_.group(variables_[v])] += r[v], ++count[problem_.group(variables_[v])];
  for (int g = 0; g < 2; ++g) mean[g] = count[g] > 0 ? mean[g] / count[g] : 0;
  std::vector<double> apart(r.begin(), r.end());
  for (std::size_t v = 0; v < r.size(); ++v) apart[v] -= mean[problem_.group(variables_[v])];
  Solution solution{divide(apart)};
  const double a = inner_[0][0], b = inner_[0][1], c = inner_[1][0], d = inner_[1][1],
               determinant = a * d - b * c;
  // The sums are to be exact: what rounding left of them is solved for again.
  for (int round = 0; round < 3; ++round) {
    double missing[2] = {t[0], t[1]}, rho[2] = {};
    for (std::size_t v = 0; v < r.size(); ++v) missing[problem_.group(variables_[v])] -= solution.x[v];
    if (a > 0 && d > 0 && determinant > 0) {
      rho[0] = (d * missing[0] - b * missing[1]) / determinant;
      rho[1] = (a * missing[1] - c * missing[0]) / determinant;
    } else {
      rho[0] = a > 0 ? missing[0] / a : 0;
      rho[1] = d > 0 ? missing[1] / d : 0;
    }
    for (std::size_t v = 0; v < r.size(); ++v) solution.x[v] += rho[0] * ones_[0][v] + rho[1] * ones_[1][v];
    for (int g = 0; g < 2; ++g) solution.rho[g] += rho[g];
  }
  for (int g = 0; g < 2; ++g) solution.rho[g] -= mean[g];
  return solution;
}

}  // namespace mercer
