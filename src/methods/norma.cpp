// NORMA (Kivinen, Smola & Williamson 2004, eqs. 14–20): at row t, with g = L′(y, f(x) + b),
//
//   f ← (1 − ηλ)·f − η·g·k(x, ·),    b ← b − η·g,    η = rate/√t or rate.
//
// Terms beyond the budget are dropped, the oldest first: its coefficient has shrunk by Π(1 − ηλ) since (the
// paper's truncation). A row whose g is 0 adds no term. Classes are learned one against the rest, two of them
// by one function with y = 1 for the first; outputs side by side. g is multiplied by the weight of the row.
#include "mercer/methods/norma.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "mercer/error.hpp"
#include "mercer/loss.hpp"
#include "methods/online_rows.hpp"

namespace mercer {

namespace {

AnyLoss loss_for(const Norma& method, const Target& target) {
  const bool classes = target.task == Task::classification;
  const std::string_view name = method.loss == Norma::Loss::automatic
                                    ? (classes ? "hinge" : "squared")
                                    : words_of(method.loss)[std::size_t(method.loss)];
  AnyLoss loss = loss_named(name);
  if (!classes && loss->task() == Task::classification)
    throw Error(ErrorCode::wrong_target,
                fmt::format("{} is a loss of classes, but the target is numeric", name),
                {.owner = "norma", .hint = "take squared, absolute, epsilon_insensitive, huber or pinball"});
  if (!method.shape) return loss;
  const auto parameters = loss->parameters();
  if (parameters.empty())
    throw Error(ErrorCode::unsupported, fmt::format("{} has no number of its own", name),
                {.owner = "norma", .hint = "leave shape out"});
  loss->set(parameters.front().name, *method.shape);
  return loss;
}

class Descent {
 public:
  Descent(const Norma& method, const Training& training)
      : method_(method),
        training_(training),
        classes_(training.target.task == Task::classification),
        width_(classes_ ? class_functions(training.target) : training.target.outputs),
        loss_(loss_for(method, training.target)),
        rows_(training),
        bias_(width_, 0.0),
        f_(width_),
        slope_(width_) {
    if (!training.start) return;
    steps_ = training.start->state[0];
    coefficients_ = training.start->expansion.coefficients;
    for (std::size_t c = 0; c < width_; ++c) bias_[c] = -training.start->rho[c];
  }

  void visit(std::size_t row) {
    rows_.arrive(row);
    steps_ += 1;
    const double rate =
        method_.schedule == Norma::Schedule::root ? method_.rate / std::sqrt(steps_) : method_.rate;
    sum_at(coefficients_, rows_.similarities(), f_);
    bool adds = false;
    for (std::size_t c = 0; c < width_; ++c) {
      const double y = target(row, c), f = f_[c] + bias_[c];
      if (!(std::abs(f) <= largest))
        throw Error(
            ErrorCode::not_finite,
            fmt::format("the steps of norma diverge: f(x) of row {} is {:g}", row + 1, f),
            {.row = row + 1, .hint = "take a smaller rate, scale the columns, or take a bounded kernel"});
      total_ += loss_->value(y, {&f, 1});
      loss_->derivative(y, {&f, 1}, {&slope_[c], 1});
      slope_[c] *= weight_of(training_, row);
      adds = adds || slope_[c] != 0;
    }
    const double decay = 1 - rate * method_.lambda;
    for (double& coefficient : coefficients_) coefficient *= decay;
    if (!adds) return;
    rows_.keep();
    for (std::size_t c = 0; c < width_; ++c) {
      coefficients_.push_back(-rate * slope_[c]);
      if (method_.bias == Bias::free) bias_[c] -= rate * slope_[c];
    }
    while (rows_.kept() > std::size_t(method_.budget)) {
      rows_.forget_oldest();
      coefficients_.erase(coefficients_.begin(), coefficients_.begin() + std::ptrdiff_t(width_));
    }
  }

  Fitted fitted(double steps_before) {
    std::vector<double> rho;
    for (const double b : bias_) rho.push_back(b == 0 ? 0.0 : -b);
    Fitted fitted =
        rows_.expand(std::move(coefficients_), std::move(rho), classes_ ? Rule::one_vs_rest : Rule::value);
    fitted.state = {steps_};
    if (steps_ > steps_before)
      fitted.report.add("online_loss", "mean loss on arrival",
                        total_ / ((steps_ - steps_before) * double(width_)));
    return fitted;
  }
  double steps() const { return steps_; }

 private:
  static constexpr double largest = 1e100;

  double target(std::size_t row, std::size_t c) const {
    if (!classes_) return training_.target.values[row * width_ + c];
    return training_.target.codes[row] == std::int32_t(c) ? 1 : -1;
  }

  const Norma& method_;
  const Training& training_;
  bool classes_;
  std::size_t width_;
  AnyLoss loss_;
  OnlineRows rows_;
  std::vector<double> bias_, f_, slope_, coefficients_;  // coefficients: kept × width
  double steps_ = 0, total_ = 0;
};

}  // namespace

Fitted Norma::fit(const Training& training) const {
  if (rate * lambda >= 1)
    throw Error::of_parameter("norma", "rate", "rate·lambda must be below 1: a step would turn f around",
                              fmt::format("{:g}", rate));
  Watch watch(training.options);
  Descent descent(*this, training);
  const double before = descent.steps();
  for_each_arrival(training, epochs, watch, [&](std::size_t row) { descent.visit(row); });
  Fitted fitted = descent.fitted(before);
  finish(fitted, descent.steps(), watch);
  return fitted;
}

std::string Norma::state_fault(const Fitted& fitted) const {
  if (fitted.state.size() != 1)
    return fmt::format("holds {} numbers; it is the number of rows seen", fitted.state.size());
  return fitted.state[0] >= 0 ? "" : "counts rows below 0";
}

}  // namespace mercer
