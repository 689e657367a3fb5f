#include "mercer/kernels/periodic.hpp"

#include <cmath>
#include <numbers>

namespace mercer {

std::vector<double> Periodic::map(std::span<const double> x) const {
  std::vector<double> circles;
  circles.reserve(2 * x.size());
  for (const double coordinate : x) {
    const double turns = coordinate / period;
    const double angle = 2 * std::numbers::pi * (turns - std::round(turns));
    circles.push_back(std::cos(angle));
    circles.push_back(std::sin(angle));
  }
  return circles;
}

}  // namespace mercer
