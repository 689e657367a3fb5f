// Kernel recursive least squares (Engel, Mannor & Meir 2004) with the penalty of ridge regression. The
// dictionary's kernel matrix is LLᵀ, so that φ(x) = L⁻¹k(x) are coordinates of a row in its span; what is
// left, δ = k(x, x) − ‖φ(x)‖², is the squared distance from the span (approximate linear dependence). Where δ
// is above novelty·k(x, x) and the budget allows, the row joins: L gains the row [φ(x)ᵀ √δ], and the
// coordinate √δ is new, which rows before do not have. Over these coordinates it is recursive least squares,
//
//   A = τ²I + Σ w φφᵀ = RRᵀ,   B = Σ w φ yᵀ,   W = A⁻¹B,   f(x) = Wᵀφ(x) = k(x)ᵀα,   α = L⁻ᵀW,
//
// R being turned by Givens rotations with each row (the square-root filter: stable, unlike the paper's update
// of A⁻¹) and gaining a row of zeros and τ with each coordinate. The paper has A without τ²; with it the
// model is ridge's where every row joins, or where the dictionary spans the features of the kernel. A free
// bias is a coordinate 1 without penalty.
#include "mercer/methods/recursive_ridge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "methods/online_rows.hpp"
#include "solvers/growing_triangle.hpp"

namespace mercer {

namespace {

// Below that share of k(x, x) a distance from the span is mostly rounding, which L⁻¹ would make large.
constexpr double rounding = 1e-12;

std::size_t triangle(std::size_t n) { return n * (n + 1) / 2; }

class Recursion {
 public:
  Recursion(const RecursiveRidge& method, const Training& training)
      : method_(method),
        training_(training),
        outputs_(training.target.outputs),
        free_(method.bias == Bias::free ? 1 : 0),
        rows_(training) {
    if (!training.start) {
      if (free_) {
        R_.append({}, 0);
        B_.assign(outputs_, 0.0);
      }
      return;
    }
    const std::span<const double> state = training.start->state;
    const std::size_t m = rows_.kept(), p = m + free_;
    seen_ = state[0];
    L_ = GrowingTriangle::of(state.subspan(1), m);
    R_ = GrowingTriangle::of(state.subspan(1 + triangle(m)), p);
    const auto targets = state.subspan(1 + triangle(m) + triangle(p));
    B_.assign(targets.begin(), targets.end());
  }

  void visit(std::size_t row) {
    rows_.arrive(row);
    seen_ += 1;
    phi_.assign(free_, 1.0);
    phi_.insert(phi_.end(), rows_.similarities().begin(), rows_.similarities().end());
    const std::span<double> coordinates(phi_.data() + free_, phi_.size() - free_);
    L_.solve(coordinates);
    double left = rows_.self();
    for (const double c : coordinates) left -= c * c;
    if (rows_.kept() < std::size_t(method_.budget) &&
        left > std::max(method_.novelty, rounding) * rows_.self()) {
      L_.append(coordinates, std::sqrt(left));
      R_.append(std::vector<double>(phi_.size(), 0.0), std::sqrt(method_.tau2));
      B_.resize(B_.size() + outputs_, 0.0);
      phi_.push_back(std::sqrt(left));
      rows_.keep();
    } else {
      largest_left_ = std::max(largest_left_, left);
    }
    const double weight = weight_of(training_, row), root = std::sqrt(weight);
    for (std::size_t p = 0; p < phi_.size(); ++p)
      for (std::size_t o = 0; o < outputs_; ++o)
        B_[p * outputs_ + o] += weight * phi_[p] * training_.target.values[row * outputs_ + o];
    for (double& c : phi_) c *= root;
    R_.rotate_in(phi_);
  }

  Fitted fitted() const {
    const std::size_t m = rows_.kept(), p = m + free_;
    std::vector<double> alpha(m * outputs_), rho(outputs_, 0.0), w(p);
    double norm = 0;
    for (std::size_t o = 0; o < outputs_; ++o) {
      for (std::size_t i = 0; i < p; ++i) w[i] = B_[i * outputs_ + o];
      R_.solve(w);
      R_.solve_transposed(w);
      if (free_) rho[o] = -w[0];
      const std::span<double> coordinates(w.data() + free_, m);
      for (const double c : coordinates) norm += c * c;
      L_.solve_transposed(coordinates);
      for (std::size_t i = 0; i < m; ++i) alpha[i * outputs_ + o] = coordinates[i];
    }
    Fitted fitted = rows_.expand(std::move(alpha), std::move(rho), Rule::value);
    fitted.state = {seen_};
    L_.append_to(fitted.state);
    R_.append_to(fitted.state);
    fitted.state.insert(fitted.state.end(), B_.begin(), B_.end());
    fitted.report.norm = norm;
    fitted.report.add("dictionary", "dictionary", double(m), "rows");
    fitted.report.add("largest_residual", "largest squared distance from the dictionary's span",
                      largest_left_);
    return fitted;
  }
  double seen() const { return seen_; }

 private:
  const RecursiveRidge& method_;
  const Training& training_;
  std::size_t outputs_, free_;  // free: 1 where there is a bias
  OnlineRows rows_;
  GrowingTriangle L_, R_;
  std::vector<double> B_, phi_;  // B: coordinates × outputs
  double seen_ = 0, largest_left_ = 0;
};

}  // namespace

Fitted RecursiveRidge::fit(const Training& training) const {
  Watch watch(training.options);
  Recursion recursion(*this, training);
  for_each_arrival(training, 1, watch, [&](std::size_t row) { recursion.visit(row); });
  Fitted fitted = recursion.fitted();
  finish(fitted, recursion.seen(), watch);
  return fitted;
}

std::string RecursiveRidge::state_fault(const Fitted& fitted) const {
  const std::size_t m = fitted.expansion.points.rows(), p = m + (bias == Bias::free ? 1 : 0),
                    expected = 1 + triangle(m) + triangle(p) + p * fitted.expansion.width;
  if (fitted.state.size() != expected)
    return fmt::format("holds {} numbers; a dictionary of {} rows has {}", fitted.state.size(), m, expected);
  const std::span<const double> numbers(fitted.state);
  const GrowingTriangle L = GrowingTriangle::of(numbers.subspan(1), m),
                        R = GrowingTriangle::of(numbers.subspan(1 + triangle(m)), p);
  for (const GrowingTriangle* factor : {&L, &R})
    for (std::size_t i = 0; i < factor->size(); ++i)
      if (!(factor->diagonal(i) > 0)) return "holds a triangular factor whose diagonal is not above 0";
  return numbers[0] >= double(m) ? "" : "counts fewer rows than the dictionary has";
}

}  // namespace mercer
