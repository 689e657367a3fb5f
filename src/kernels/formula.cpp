#include "mercer/formula.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/special_functions.hpp"

// g++ does not give functions that are declared as friends alone the visibility of the header's namespace.
namespace MERCER_EXPORT mercer {

std::int32_t Formula::add(Operation operation) {
  const auto found = std::ranges::find(operations_, operation);
  if (found != operations_.end()) return std::int32_t(found - operations_.begin());
  operations_.push_back(operation);
  return std::int32_t(operations_.size()) - 1;
}

Symbol Formula::statistic(std::int32_t number) { return {this, add({.code = Code::statistic, .a = number})}; }
Symbol Formula::row_value(std::int32_t number) { return {this, add({.code = Code::row_value, .a = number})}; }
Symbol Formula::column_value(std::int32_t number) {
  return {this, add({.code = Code::column_value, .a = number})};
}
Symbol Formula::squared_distance(std::int32_t product, std::int32_t norm) {
  const std::int32_t dot = add({.code = Code::statistic, .a = product});
  return {this, add({.code = Code::squared_distance, .a = dot, .b = norm})};
}

Formula::Formula(std::vector<Operation> operations) : operations_(std::move(operations)) {
  prune(std::int32_t(operations_.size()) - 1);
}

void Formula::finish(Symbol result) {
  prune(result.known() ? add({.code = Code::constant, .p = result.constant_}) : result.index_);
}

void Formula::prune(std::int32_t last) {
  std::vector<bool> needed(operations_.size());
  needed[last] = true;
  for (std::int32_t i = last; i >= 0; --i) {
    if (!needed[i] || operations_[i].is_input()) continue;
    needed[operations_[i].a] = true;
    if (operations_[i].has_second_operand()) needed[operations_[i].b] = true;
  }
  std::vector<std::int32_t> renamed(operations_.size(), -1);
  std::vector<Operation> kept;
  for (std::int32_t i = 0; i <= last; ++i) {
    if (!needed[i]) continue;
    Operation operation = operations_[i];
    if (!operation.is_input()) {
      operation.a = renamed[operation.a];
      if (operation.has_second_operand()) operation.b = renamed[operation.b];
    }
    renamed[i] = std::int32_t(kept.size());
    kept.push_back(operation);
  }
  operations_ = std::move(kept);
}

// Multiplying by and adding constants is most of what kernels do, so chains of it fold into one p·a + q.
Symbol Symbol::affine(Symbol a, double p, double q) {
  if (a.known()) return p * a.constant_ + q;
  if (p == 1 && q == 0) return a;
  const Formula::Operation inner = a.formula_->operations_[a.index_];
  if (inner.code == Code::affine)
    return {a.formula_,
            a.formula_->add({.code = Code::affine, .a = inner.a, .p = p * inner.p, .q = p * inner.q + q})};
  return {a.formula_, a.formula_->add({.code = Code::affine, .a = a.index_, .p = p, .q = q})};
}

Symbol Symbol::exp_affine(Symbol a) {
  const Formula::Operation inner = a.formula_->operations_[a.index_];
  Formula::Operation operation{.code = Code::exp_affine, .a = a.index_, .p = 1, .q = 0};
  if (inner.code == Code::affine)
    operation = {.code = Code::exp_affine, .a = inner.a, .p = inner.p, .q = inner.q};
  return {a.formula_, a.formula_->add(operation)};
}

Symbol Symbol::record(Code code, Symbol a, Symbol b) {
  Formula* formula = a.known() ? b.formula_ : a.formula_;
  const auto index = [&](Symbol s) {
    return s.known() ? formula->add({.code = Code::constant, .p = s.constant_}) : s.index_;
  };
  Formula::Operation operation{.code = code, .a = index(a), .b = index(b)};
  const bool commutes =
      code == Code::add || code == Code::multiply || code == Code::minimum || code == Code::maximum;
  if (commutes && operation.a > operation.b) std::swap(operation.a, operation.b);
  return {formula, formula->add(operation)};
}

Symbol Symbol::record(Code code, Symbol a) {
  return {a.formula_, a.formula_->add({.code = code, .a = a.index_})};
}

Symbol Symbol::record_with_number(Code code, Symbol a, double p) {
  return {a.formula_, a.formula_->add({.code = code, .a = a.index_, .p = p})};
}

Symbol operator+(Symbol a, Symbol b) {
  if (b.known()) return Symbol::affine(a, 1, b.constant_);
  if (a.known()) return Symbol::affine(b, 1, a.constant_);
  return Symbol::record(Formula::Code::add, a, b);
}

Symbol operator-(Symbol a, Symbol b) {
  if (b.known()) return Symbol::affine(a, 1, -b.constant_);
  if (a.known()) return Symbol::affine(b, -1, a.constant_);
  return Symbol::record(Formula::Code::subtract, a, b);
}

Symbol operator*(Symbol a, Symbol b) {
  if (b.known()) return Symbol::affine(a, b.constant_, 0);
  if (a.known()) return Symbol::affine(b, a.constant_, 0);
  return Symbol::record(Formula::Code::multiply, a, b);
}

Symbol operator/(Symbol a, Symbol b) {
  if (b.known()) return a.known() ? Symbol(a.constant_ / b.constant_) : Symbol::affine(a, 1 / b.constant_, 0);
  return Symbol::record(Formula::Code::divide, a, b);
}

Symbol operator-(Symbol a) { return Symbol::affine(a, -1, 0); }

Symbol exp(Symbol a) { return a.known() ? Symbol(std::exp(a.constant_)) : Symbol::exp_affine(a); }

Symbol log(Symbol a) {
  return a.known() ? Symbol(std::log(a.constant_)) : Symbol::record(Formula::Code::log, a);
}
Symbol sqrt(Symbol a) {
  return a.known() ? Symbol(std::sqrt(a.constant_)) : Symbol::record(Formula::Code::sqrt, a);
}
Symbol tanh(Symbol a) {
  return a.known() ? Symbol(std::tanh(a.constant_)) : Symbol::record(Formula::Code::tanh, a);
}
Symbol acos(Symbol a) {
  return a.known() ? Symbol(angle_of(a.constant_)) : Symbol::record(Formula::Code::acos, a);
}
Symbol bessel(Symbol a, double order) {
  if (a.known()) return matern_value(order, a.constant_);
  return Symbol::record_with_number(Formula::Code::bessel, a, order);
}
Symbol is_zero(Symbol a) {
  return a.known() ? Symbol(a.constant_ == 0) : Symbol::record(Formula::Code::is_zero, a);
}

Symbol min(Symbol a, Symbol b) {
  if (a.known() && b.known()) return std::min(a.constant_, b.constant_);
  return Symbol::record(Formula::Code::minimum, a, b);
}

Symbol max(Symbol a, Symbol b) {
  if (a.known() && b.known()) return std::max(a.constant_, b.constant_);
  return Symbol::record(Formula::Code::maximum, a, b);
}

Symbol inverse_root(Symbol a) { return (1 - is_zero(a)) / sqrt(a + is_zero(a)); }

Symbol abs(Symbol a) { return max(a, -a); }

Symbol pow(Symbol a, int exponent) {
  if (a.known()) return std::pow(a.constant_, exponent);
  if (exponent < 0) return 1 / pow(a, -exponent);
  if (exponent == 0) return 1;
  if (exponent == 1) return a;
  const Symbol half = pow(a, exponent / 2);
  return exponent % 2 ? half * half * a : half * half;
}

Symbol pow(Symbol a, double exponent) {
  if (exponent == std::round(exponent) && std::abs(exponent) <= 1e9) return pow(a, int(exponent));
  return exp(exponent * log(a));
}

}  // namespace mercer
