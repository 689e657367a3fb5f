#include "methods/whole_number.hpp"

#include <fmt/format.h>

#include <cmath>

#include "mercer/error.hpp"

namespace mercer {

std::size_t whole_number(std::string_view method, std::string_view parameter, double value) {
  if (!(value >= 1) || value > 1e9 || value != std::floor(value))
    throw Error::of_parameter(method, parameter, "must be a whole number ≥ 1", fmt::format("{:g}", value));
  return std::size_t(value);
}

}  // namespace mercer
