// What a method says about rows that were left out, for a path of one parameter in one go.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "mercer/fit.hpp"
#include "mercer/gram.hpp"

namespace mercer {

/// What a method says about rows that were left out, for each of several values of one parameter.
struct HeldOut {
  Rule rule = Rule::value;
  std::size_t width = 1;                          ///< scores per row
  std::vector<std::vector<double>> scores = {};   ///< of each value: rows × width, as Predictions::scores
};

/// Rows laid out by class and fold; `gram`: K of all of them, held, or none.
struct Validation {
  const Training& training;            ///< all rows
  std::span<const std::size_t> fold;   ///< of each row
  std::string_view parameter;          ///< "C", "lambda"
  std::span<const double> values;      ///< ascending
  const Gram<float>* gram = nullptr;
};

}  // namespace mercer
