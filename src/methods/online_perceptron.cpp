// The self-tuned Forgetron (Dekel, Shalev-Shwartz & Singer 2008). At the M-th mistake f′ = f + y·k(x, ·);
// where f′ has one term more than the budget B, it is shrunk by φ and loses its oldest term σ·y_r·k(x_r, ·):
//
//   f ← φ·(f′ − σ y_r k(x_r, ·)),   φ the largest in (0, 1] with   Q + Ψ(φ) ≤ 15/32·M,   Q ← Q + Ψ(φ),
//   Ψ(φ) = (φσ)² + 2φσ − 2(φσ)·φ·y_r f′(x_r):  the harm of the removal,
//
// kernel values being divided by the largest k(x, x) seen. Then, of rows with k(x, x) ≤ 1 and B ≥ 83, for
// every g with ‖g‖ ≤ ¼·√((B + 1)/log(B + 1)):   M ≤ 2‖g‖² + 4·Σ max(0, 1 − y g(x)).
//
// Of several classes (Crammer & Singer 2003) the own class gains k(x, ·) and the best of the others loses it:
// the same perceptron over pairs of a row and a class, where a term is φ(x, own) − φ(x, other) and has twice
// the square k(x, x). A row of weight w takes a step of w.
#include "mercer/methods/online_perceptron.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "methods/online_rows.hpp"

namespace mercer {

namespace {

constexpr double share = 15.0 / 32;  // of the mistakes, that removals may harm

struct State {
  double rows = 0, mistakes = 0, harm = 0, largest = 0;  // M, Q, and the largest k(x, x)

  static State of(const Fitted* start) {
    if (!start) return {};
    return {start->state[0], start->state[1], start->state[2], start->state[3]};
  }
  std::vector<double> numbers() const { return {rows, mistakes, harm, largest}; }
};

class Forgetron {
 public:
  Forgetron(const Training& training, std::size_t budget)
      : training_(training),
        budget_(budget),
        width_(class_functions(training.target)),
        rows_(training),
        state_(State::of(training.start)),
        f_(width_) {
    if (training.start) coefficients_ = training.start->expansion.coefficients;
  }

  void visit(std::size_t row) {
    rows_.arrive(row);
    state_.rows += 1;
    state_.largest = std::max(state_.largest, rows_.self());
    sum_at(coefficients_, rows_.similarities(), f_);
    const auto own = std::size_t(training_.target.codes[row]);
    const double step = weight_of(training_, row);
    coefficients_.resize(coefficients_.size() + width_, 0.0);
    double* added = coefficients_.data() + coefficients_.size() - width_;
    if (width_ == 1) {
      const double y = own == 0 ? 1 : -1;
      if (y * f_[0] <= 0) *added = y * step;
    } else {
      std::size_t rival = own == 0 ? 1 : 0;
      for (std::size_t c = 0; c < width_; ++c)
        if (c != own && f_[c] > f_[rival]) rival = c;
      if (f_[rival] >= f_[own]) added[own] = step, added[rival] = -step;
    }
    if (std::all_of(added, added + width_, [](double c) { return c == 0; })) {
      coefficients_.resize(coefficients_.size() - width_);
      return;
    }
    state_.mistakes += 1;
    ++mistakes_;
    rows_.keep();
    while (rows_.kept() > budget_) remove_oldest();
  }

  Fitted fitted() {
    Fitted fitted =
        rows_.expand(std::move(coefficients_), std::vector<double>(width_, 0.0), Rule::one_vs_rest);
    fitted.state = state_.numbers();
    fitted.report.add("mistakes", "mistakes on arrival", double(mistakes_), "rows");
    return fitted;
  }
  double rows_seen() const { return state_.rows; }

 private:
  void remove_oldest() {
    sum_at(coefficients_, rows_.similarities_of_oldest(), f_);
    double sigma = 0, margin = 0;  // σ and y_r f′(x_r)
    for (std::size_t c = 0; c < width_; ++c) {
      if (coefficients_[c] == 0) continue;
      sigma = std::abs(coefficients_[c]);
      margin += coefficients_[c] > 0 ? f_[c] : -f_[c];
    }
    const double square = state_.largest * (width_ == 1 ? 1 : 2);
    if (square > 0) margin /= square;
    // aφ² + bφ + c ≤ 0 with c < 0: from φ = 0 up to the first root.
    const double a = sigma * sigma - 2 * sigma * margin, b = 2 * sigma,
                 c = state_.harm - share * state_.mistakes;
    const double phi = a + b + c <= 0 ? 1 : -2 * c / (b + std::sqrt(std::max(0.0, b * b - 4 * a * c)));
    state_.harm += a * phi * phi + b * phi;
    coefficients_.erase(coefficients_.begin(), coefficients_.begin() + std::ptrdiff_t(width_));
    for (double& coefficient : coefficients_) coefficient *= phi;
    rows_.forget_oldest();
  }

  const Training& training_;
  std::size_t budget_, width_;
  OnlineRows rows_;
  State state_;
  std::vector<double> coefficients_, f_;  // kept × width
  std::size_t mistakes_ = 0;
};

}  // namespace

Fitted OnlinePerceptron::fit(const Training& training) const {
  Watch watch(training.options);
  Forgetron learner(training, std::size_t(budget));
  for_each_arrival(training, epochs, watch, [&](std::size_t row) { learner.visit(row); });
  Fitted fitted = learner.fitted();
  finish(fitted, learner.rows_seen(), watch);
  return fitted;
}

std::string OnlinePerceptron::state_fault(const Fitted& fitted) const {
  if (fitted.state.size() != 4)
    return fmt::format("holds {} numbers; rows, mistakes, harm and the largest k(x, x) are four",
                       fitted.state.size());
  const State state = State::of(&fitted);
  if (!(state.mistakes >= 0 && state.rows >= state.mistakes && state.largest >= 0))
    return "counts fewer rows than mistakes, or has a number below 0";
  if (!(state.harm <= share * state.mistakes * (1 + 1e-9)))
    return "has more harm by removals than its mistakes allow";
  const std::size_t width = fitted.expansion.width;
  for (std::size_t p = 0; p < fitted.expansion.points.rows(); ++p) {
    const double* row = fitted.expansion.coefficients.data() + p * width;
    if (std::all_of(row, row + width, [](double c) { return c == 0; }))
      return fmt::format("belongs to points with coefficients, but point {} has none", p + 1);
  }
  return "";
}

}  // namespace mercer
