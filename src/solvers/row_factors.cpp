#include "solvers/row_factors.hpp"

#include <algorithm>
#include <vector>

namespace mercer {

void RowFactors::apply(std::span<double> V, std::size_t m) const {
  std::vector<double> part(m);
  for (std::size_t row = 0; row * outputs * m < V.size(); ++row) {
    double* x = V.data() + row * outputs * m;
    const double *own_s = s.data() + row * outputs, *own_u = u.data() + row * outputs;
    std::ranges::fill(part, 0.0);
    for (std::size_t o = 0; o < outputs; ++o)
      for (std::size_t j = 0; j < m; ++j) part[j] += own_u[o] * x[o * m + j];
    for (std::size_t o = 0; o < outputs; ++o)
      for (std::size_t j = 0; j < m; ++j) x[o * m + j] = own_s[o] * (x[o * m + j] - own_u[o] * part[j]);
  }
}

void RowFactors::apply_transposed(std::span<double> V, std::size_t m) const {
  std::vector<double> part(m);
  for (std::size_t row = 0; row * outputs * m < V.size(); ++row) {
    double* x = V.data() + row * outputs * m;
    const double *own_s = s.data() + row * outputs, *own_u = u.data() + row * outputs;
    std::ranges::fill(part, 0.0);
    for (std::size_t o = 0; o < outputs; ++o)
      for (std::size_t j = 0; j < m; ++j) part[j] += own_u[o] * (x[o * m + j] *= own_s[o]);
    for (std::size_t o = 0; o < outputs; ++o)
      for (std::size_t j = 0; j < m; ++j) x[o * m + j] -= own_u[o] * part[j];
  }
}

}  // namespace mercer
