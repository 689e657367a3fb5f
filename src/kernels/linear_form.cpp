#include "kernels/linear_form.hpp"

#include <cmath>
#include <numeric>

#include "kernels/maps.hpp"
#include "kernels/node.hpp"

namespace mercer {

std::optional<LinearForm> LinearForm::of(const Kernel& kernel) {
  LinearForm form;
  for (Kernel k = kernel;;) {
    const Node& node = k.node();
    if (const auto power = node.dot_power()) {
      form.factor_ *= power->weight * power->scale;
      const bool linear =
          power->degree == 1 && power->offset == 0 && form.factor_ > 0 && std::isfinite(form.factor_);
      return linear ? std::optional(form) : std::nullopt;
    }
    const std::vector<Kernel> parts = k.parts();
    if (parts.size() != 1) return std::nullopt;
    if (!node.columns().empty()) {
      if (form.place_) return std::nullopt;
      form.place_ = k;
    } else if (node.dependence() == Dependence::linear && node.numbers().size() == 1) {  // c·k
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

// The numbers of the columns that it sees.
std::vector<double> LinearForm::seen(const Points& like) const {
  Dense<double> numbered{1, like.cols(), Buffer<double>(like.cols())};
  std::iota(numbered.values.begin(), numbered.values.end(), 0.0);
  const Points numbers(std::move(numbered), like.names());
  return (place_ ? place_->node().points_inside(numbers) : numbers).row(0);
}

std::size_t LinearForm::columns(const Points& points) const {
  return place_ ? seen(points).size() : points.cols();
}

Points LinearForm::points_of(const Dense<double>& weights, const Points& like) const {
  const std::vector<double> columns = seen(like);
  Dense<double> points{weights.rows, like.cols(), Buffer<double>(weights.rows * like.cols(), 0.0)};
  const double root = std::sqrt(factor_);
  for (std::size_t i = 0; i < weights.rows; ++i)
    for (std::size_t j = 0; j < weights.cols; ++j)
      points.values[i * points.cols + std::size_t(columns[j])] += weights.row(i)[j] / root;
  return Points(std::move(points), like.names());
}

bool is_dot_product(const Kernel& kernel) {
  const auto form = LinearForm::of(kernel);
  return form && form->plain();
}

}  // namespace mercer
