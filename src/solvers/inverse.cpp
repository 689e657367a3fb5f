#include "solvers/inverse.hpp"

#include <algorithm>
#include <vector>

namespace mercer {

namespace {

// x = diag(s) x for each row.
void scale(const RowFactors& factors, std::span<double> V, std::size_t m) {
  for (std::size_t e = 0; e < V.size(); ++e) V[e] *= factors.s[e / m];
}

// x = (I − uuᵀ) x for each row.
void project(const RowFactors& factors, std::span<double> V, std::size_t m) {
  const std::size_t outputs = factors.outputs;
  std::vector<double> part(m);
  for (std::size_t row = 0; row * outputs * m < V.size(); ++row) {
    double* x = V.data() + row * outputs * m;
    const double* u = factors.u.data() + row * outputs;
    std::ranges::fill(part, 0.0);
    for (std::size_t o = 0; o < outputs; ++o)
      for (std::size_t j = 0; j < m; ++j) part[j] += u[o] * x[o * m + j];
    for (std::size_t o = 0; o < outputs; ++o)
      for (std::size_t j = 0; j < m; ++j) x[o * m + j] -= u[o] * part[j];
  }
}

}  // namespace

void RowFactors::apply(std::span<double> V, std::size_t m) const {
  project(*this, V, m);
  scale(*this, V, m);
}

void RowFactors::apply_transposed(std::span<double> V, std::size_t m) const {
  scale(*this, V, m);
  project(*this, V, m);
}

}  // namespace mercer
