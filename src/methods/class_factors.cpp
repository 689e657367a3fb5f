#include "methods/class_factors.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "mercer/error.hpp"

namespace mercer {

std::vector<double> class_factors(const Target& target, const FitOptions& options) {
  if (options.class_weights.empty() && !options.balanced)
    return std::vector<double>(target.labels.size(), 1.0);
  if (target.task != Task::classification)
    throw Error(ErrorCode::unsupported, "class weights need classes, and the data have none");
  const auto& labels = target.labels;
  std::vector<double> factors(labels.size(), 1);
  if (options.balanced) {
    std::vector<double> counts(labels.size(), 0);
    for (const std::int32_t code : target.codes) counts[std::size_t(code)] += 1;
    for (std::size_t c = 0; c < labels.size(); ++c)
      factors[c] = double(target.codes.size()) / (double(labels.size()) * counts[c]);
  }
  constexpr std::size_t most_listed = 8;
  const auto first_labels = std::span(labels).first(std::min(labels.size(), most_listed));
  for (const auto& [label, factor] : options.class_weights) {
    const auto found = std::ranges::find(labels, label);
    if (found == labels.end())
      throw Error(ErrorCode::invalid_argument,
                  fmt::format("a class weight is given for '{}', which is not a class", label),
                  {.hint = fmt::format("they are {}{}", fmt::join(first_labels, ", "),
                                       labels.size() > most_listed ? ", …" : "")});
    if (!(factor > 0) || std::isinf(factor))
      throw Error(ErrorCode::invalid_parameter,
                  fmt::format("the weight of class '{}' is {:g}", label, factor), {.hint = "it must be > 0"});
    factors[std::size_t(found - labels.begin())] = factor;
  }
  return factors;
}

}  // namespace mercer
