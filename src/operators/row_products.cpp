#include "operators/row_products.hpp"

#include <algorithm>
#include <variant>

namespace mercer {

template <class Use>
void RowProducts::each(Use use) const {
  std::visit(
      [&](const auto& x) {
        for (std::size_t i = 0; i < x.rows; ++i) {
          if constexpr (requires { x.starts; })
            for (std::size_t e = x.starts[i]; e < x.starts[i + 1]; ++e)
              use(i, std::size_t(x.indices[e]), double(x.values[e]));
          else
            for (std::size_t j = 0; j < x.cols; ++j) use(i, j, double(x.row(i)[j]));
          if (constant_ != 0) use(i, x.cols, constant_);
        }
      },
      points_.storage());
}

void RowProducts::multiply(std::span<const double> W, std::size_t k, std::span<double> out) const {
  std::ranges::fill(out, 0.0);
  each([&](std::size_t i, std::size_t j, double x) {
    for (std::size_t c = 0; c < k; ++c) out[i * k + c] += x * W[j * k + c];
  });
}

void RowProducts::multiply_transposed(std::span<const double> V, std::size_t k, std::span<double> out) const {
  std::ranges::fill(out, 0.0);
  each([&](std::size_t i, std::size_t j, double x) {
    for (std::size_t c = 0; c < k; ++c) out[j * k + c] += x * V[i * k + c];
  });
}

Buffer<double> RowProducts::normal_matrix(std::span<const double> s, bool /* rough */) const {
  const std::size_t p = features();
  Buffer<double> normal(p * p, 0.0);
  std::vector<std::pair<std::size_t, double>> row;  // the numbers of one row
  std::size_t at = 0;
  const auto add_row = [&] {
    const double square = s.empty() ? 1 : s[at] * s[at];
    if (square != 0)
      for (std::size_t a = 0; a < row.size(); ++a)
        for (std::size_t b = 0; b <= a; ++b)
          normal[row[a].first * p + row[b].first] += square * row[a].second * row[b].second;
    row.clear();
  };
  each([&](std::size_t i, std::size_t j, double x) {
    if (i != at) add_row(), at = i;
    row.emplace_back(j, x);
  });
  if (!row.empty()) add_row();
  return normal;
}

std::vector<double> RowProducts::squared_norms() const {
  std::vector<double> norms(rows(), 0.0);
  each([&](std::size_t i, std::size_t, double x) { norms[i] += x * x; });
  return norms;
}

}  // namespace mercer
