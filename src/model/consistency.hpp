// Whether the parts of a model fit each other. A fit makes models that do; one from a file is believed only
// after these checks.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "mercer/model.hpp"

namespace mercer {

/// Called with the field that is wrong and what is wrong with it; throws.
using RefuseField = std::function<void(std::string_view field, const std::string& what)>;

/// Whether the outputs are classes.
constexpr bool has_classes(Rule rule) noexcept {
  using enum Rule;
  return rule == one_vs_one || rule == one_vs_rest || rule == softmax || rule == shares;
}

/// Numbers beyond this overflow when they are squared, as errors, norms and variances square them.
inline constexpr double largest_number = 1e150;

/// The numbers that predictions are sums of are finite and at most largest_number.
void check_numbers(const Model& model, const RefuseField& refuse);

/// Shapes, counts and words against each other and against the method; at the end the model is evaluated at a
/// few of its own points, where it must give numbers.
void check_consistency(const Model& model, const RefuseField& refuse);

}  // namespace mercer
