#include "kernels/linear_form.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/maps.hpp"
#include "kernels/node.hpp"

namespace mercer {

namespace {

// c·k.
bool is_multiple(const Node& node) {
  return node.dependence() == Dependence::linear && node.numbers_lead() && node.numbers().size() == 1;
}

}  // namespace

std::optional<LinearForm> LinearForm::of(const Kernel& kernel) {
  auto form = with_offset(kernel);
  return form && form->offset_ == 0 ? form : std::nullopt;
}

std::optional<LinearForm> LinearForm::with_offset(const Kernel& kernel) {
  LinearForm form;
  for (Kernel k = kernel;;) {
    const Node& node = k.node();
    if (const auto power = node.dot_power()) {
      form.offset_ = form.factor_ * power->weight * power->offset;
      form.factor_ *= power->weight * power->scale;
      const bool linear = power->degree == 1 && form.factor_ > 0 && std::isfinite(form.factor_);
      return linear ? std::optional(form) : std::nullopt;
    }
    const std::vector<Kernel> parts = k.parts();
    if (parts.size() != 1) return std::nullopt;
    if (!node.columns().empty()) {
      if (form.place_) return std::nullopt;
      form.place_ = k;
    } else if (is_multiple(node)) {
      form.factor_ *= node.numbers()[0].value;
    } else {
      return std::nullopt;
    }
    k = parts.front();
  }
}

Points LinearForm::features(const Points& points) const {
  const Points chosen = place_ ? place_->node().points_inside(points) : points;
  if (factor_ == 1) return chosen;
  return with_scaled_columns(chosen, std::vector<double>(chosen.cols(), std::sqrt(factor_)));
}

std::vector<std::size_t> LinearForm::seen(const Points& like) const {
  std::vector<std::size_t> columns(like.cols());
  std::iota(columns.begin(), columns.end(), std::size_t(0));
  if (!place_) return columns;
  Dense<double> numbered{1, like.cols(), Buffer<double>(like.cols())};
  std::ranges::copy(columns, numbered.values.begin());
  const std::vector<double> chosen =
      place_->node().points_inside(Points(std::move(numbered), like.names())).row(0);
  return {chosen.begin(), chosen.end()};
}

std::size_t LinearForm::columns(const Points& points) const {
  return place_ ? seen(points).size() : points.cols();
}

Points LinearForm::points_of(const Dense<double>& weights, const Points& like) const {
  const std::vector<std::size_t> columns = seen(like);
  Dense<double> points{weights.rows, like.cols(), Buffer<double>(weights.rows * like.cols(), 0.0)};
  const double root = std::sqrt(factor_);
  for (std::size_t i = 0; i < weights.rows; ++i)
    for (std::size_t j = 0; j < weights.cols; ++j)
      points.values[i * points.cols + columns[j]] += weights.row(i)[j] / root;
  return Points(std::move(points), like.names());
}

namespace {

// c, of a kernel that is the same for all pairs; none of others.
std::optional<double> constant_of(const Kernel& kernel) {
  const Node& node = kernel.node();
  if (const Leaf* leaf = node.leaf()) {
    if (leaf->traits().statistic != Statistic::none || leaf->traits().composed) return std::nullopt;
    const auto series = leaf->series(1);
    return series && series->coefficients.size() == 1 ? std::optional(series->coefficients[0]) : std::nullopt;
  }
  const std::vector<Kernel> parts = kernel.parts();
  if (parts.size() != 1) return std::nullopt;
  if (!is_multiple(node) && node.columns().empty()) return std::nullopt;
  const auto inner = constant_of(parts.front());
  return inner && is_multiple(node) ? std::optional(*inner * node.numbers()[0].value) : inner;
}

}  // namespace

std::optional<LinearSum> LinearSum::of(const Kernel& kernel, const Points& like) {
  if (!like.objects().empty() || !like.ids().empty()) return std::nullopt;
  LinearSum sum{std::vector<double>(like.cols(), 0.0)};
  for (const Kernel& term : terms_of(kernel)) {
    if (const auto form = LinearForm::with_offset(term); form && form->offset() >= 0) {
      for (const std::size_t column : form->seen(like)) sum.factors[column] += form->factor();
      sum.constant += form->offset();
    } else if (const auto constant = constant_of(term); constant && *constant >= 0) {
      sum.constant += *constant;
    } else {
      return std::nullopt;
    }
  }
  return sum;
}

bool is_dot_product(const Kernel& kernel) {
  const auto form = LinearForm::of(kernel);
  return form && form->plain();
}

}  // namespace mercer
