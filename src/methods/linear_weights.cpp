#include "methods/linear_weights.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/blas.hpp"
#include "base/parallel.hpp"
#include "kernels/linear_form.hpp"
#include "operators/packed_points.hpp"

namespace mercer {

namespace {

constexpr std::size_t block_rows = 256;
// Products of fewer numbers take our own loops less time than OpenBLAS takes to begin, or to be loaded.
constexpr std::size_t few_products = 1 << 12;

// Calls use(column, value) for the numbers of row i.
template <class Rows, class Use>
void for_each_number(const Rows& rows, std::size_t i, Use use) {
  if constexpr (is_sparse<Rows>) {
    for (std::size_t k = rows.starts[i]; k < rows.starts[i + 1]; ++k)
      use(std::size_t(rows.indices[k]), double(rows.values[k]));
  } else {
    for (std::size_t j = 0; j < rows.cols; ++j) use(j, double(rows.row(i)[j]));
  }
}

// out[o] += Σ xⱼ W[j, first + o] for `count` outputs, in sums that need not wait for one another.
template <std::size_t count, class Rows>
void add_products(const LinearWeights& weights, const Rows& rows, std::size_t i, std::size_t first,
                  double* out) {
  const std::size_t k = weights.outputs;
  const double* W = weights.W.data() + first;
  double even[count] = {}, odd[count] = {};
  const auto add = [&](double* sums, std::size_t j, double x) {
    for (std::size_t o = 0; o < count; ++o) sums[o] += x * W[j * k + o];
  };
  if constexpr (is_sparse<Rows>) {
    std::size_t e = rows.starts[i];
    const std::size_t end = rows.starts[i + 1];
    const auto column = [&](std::size_t entry) { return std::size_t(rows.indices[entry]); };
    for (; e + 2 <= end; e += 2) {
      add(even, column(e), double(rows.values[e]));
      add(odd, column(e + 1), double(rows.values[e + 1]));
    }
    if (e < end) add(even, column(e), double(rows.values[e]));
  } else {
    const auto* row = rows.row(i);
    std::size_t j = 0;
    for (; j + 2 <= rows.cols; j += 2) add(even, j, double(row[j])), add(odd, j + 1, double(row[j + 1]));
    if (j < rows.cols) add(even, j, double(row[j]));
  }
  for (std::size_t o = 0; o < count; ++o) out[first + o] += even[o] + odd[o];
}

// out = b + XW of these rows.
template <class Rows>
void add_rows(const LinearWeights& weights, const Rows& rows, Range range, double* out) {
  const std::size_t k = weights.outputs;
  for (std::size_t i = range.begin; i < range.end; ++i, out += k) {
    std::copy_n(weights.constants.data(), k, out);
    std::size_t o = 0;
    for (; o + 4 <= k; o += 4) add_products<4>(weights, rows, i, o, out);
    for (; o + 2 <= k; o += 2) add_products<2>(weights, rows, i, o, out);
    if (o < k) add_products<1>(weights, rows, i, o, out);
  }
}

void multiply_rows(const LinearWeights& weights, const Dense<double>& rows, Range range, double* out) {
  const SingleThreadedBlas one_thread;
  const std::size_t k = weights.outputs, d = weights.columns;
  for (std::size_t i = 0; i < range.size(); ++i) std::ranges::copy(weights.constants, out + i * k);
  if (k == 1)
    gemv(CblasNoTrans, range.size(), d, 1, rows.row(range.begin), d, weights.W.data(), 1, 1, out, 1);
  else
    gemm(CblasNoTrans, CblasNoTrans, range.size(), k, d, 1, rows.row(range.begin), d, weights.W.data(), k, 1,
         out, k);
}

}  // namespace

std::optional<LinearWeights> LinearWeights::of(const Expansion& e) {
  const Points& points = e.points;
  const std::size_t outputs = e.outputs(), room = 4 * (points.stored() + e.coefficients.size()) + (1 << 16);
  if (points.rows() == 0 || outputs == 0 || points.cols() > room / outputs) return std::nullopt;
  const auto form = LinearSum::of(e.kernel.resolved() ? e.kernel : e.kernel.resolve(points), points);
  if (!form) return std::nullopt;
  LinearWeights weights{points.cols(), outputs, std::vector<double>(points.cols() * outputs, 0.0),
                        std::vector<double>(outputs, 0.0)};
  std::visit(
      [&](const auto& rows) {
        std::size_t i = 0;
        for (std::size_t b = 0; b < e.blocks.size(); ++b)
          for (const std::size_t end = i + e.blocks[b]; i < end; ++i) {
            const double* alpha = e.coefficients.data() + i * e.width;
            for (std::size_t c = 0; c < e.width; ++c)
              weights.constants[b * e.width + c] += form->constant * alpha[c];
            for_each_number(rows, i, [&](std::size_t j, double x) {
              double* w = weights.W.data() + j * outputs + b * e.width;
              for (std::size_t c = 0; c < e.width; ++c) w[c] += alpha[c] * x;
            });
          }
      },
      points.storage());
  for (std::size_t j = 0; j < weights.columns; ++j)
    for (std::size_t o = 0; o < outputs; ++o) weights.W[j * outputs + o] *= form->factors[j];
  return weights;
}

void LinearWeights::sums(const Points& at, std::span<double> out, int threads,
                         const Progress& progress) const {
  const std::size_t n = at.rows(), work = at.stored() * outputs;
  parallel_for((n + block_rows - 1) / block_rows, threads_worth(work / 2, threads), progress, "prediction",
               [&](std::size_t b) {
                 const Range range{b * block_rows, std::min(n, (b + 1) * block_rows)};
                 double* to = out.data() + range.begin * outputs;
                 const auto* dense = std::get_if<Dense<double>>(&at.storage());
                 if (dense && range.size() * columns * outputs >= few_products)
                   return multiply_rows(*this, *dense, range, to);
                 std::visit([&](const auto& rows) { add_rows(*this, rows, range, to); }, at.storage());
               });
  if (std::ranges::any_of(out, [](double sum) { return !std::isfinite(sum); }))
    check_domain(at, "", Precision::float64);
}

void keep_weights(Fitted& fitted, bool keep_rows) {
  Expansion& e = fitted.expansion;
  if (e.self != 0 || !e.trend.empty()) return;
  const std::size_t d = e.points.cols(), blocks = e.blocks.size(), width = e.width;
  const bool pairs = fitted.rule == Rule::one_vs_one;
  const std::size_t functions = pairs ? blocks * width / 2 : blocks * width;
  if (functions * d > e.points.stored() || functions >= e.points.rows()) return;
  const auto form = LinearSum::of(e.kernel, e.points);
  const auto sums = form ? LinearWeights::of(e) : std::nullopt;
  if (!sums) return;
  std::vector<double> points, coefficients;
  std::vector<std::size_t> counts(blocks, 0);
  for (std::size_t b = 0; b < blocks; ++b) {
    std::vector<double> left(width, 0.0);  // of b, in units of c₀
    for (std::size_t c = pairs ? b : 0; c < width; ++c, ++counts[b]) {
      // The pair of the classes b and c + 1 has its other half in the block of the second.
      const auto of_function = [&](const double* numbers) {
        return numbers[b * width + c] + (pairs ? numbers[(c + 1) * width + b] : 0);
      };
      for (std::size_t j = 0; j < d; ++j)
        points.push_back(
            form->factors[j] > 0 ? of_function(sums->W.data() + j * sums->outputs) / form->factors[j] : 0);
      coefficients.resize(coefficients.size() + width, 0.0);
      coefficients[coefficients.size() - width + c] = 1;
      if (form->constant > 0) left[c] = of_function(sums->constants.data()) / form->constant - 1;
    }
    if (form->constant == 0 || counts[b] == 0) continue;
    points.resize(points.size() + d, 0.0);
    coefficients.insert(coefficients.end(), left.begin(), left.end());
    ++counts[b];
  }
  Dense<double> rows{coefficients.size() / width, d, Buffer<double>(points.size())};
  std::ranges::copy(points, rows.values.begin());
  Points kept = std::exchange(e.points, Points(std::move(rows), e.points.names()));
  fitted.support.coefficients = std::exchange(e.coefficients, std::move(coefficients));
  std::vector<std::size_t> sizes = std::exchange(e.blocks, std::move(counts));
  if (!keep_rows) return;
  fitted.support.points = std::move(kept);
  fitted.support.blocks = std::move(sizes);
}

Expansion over_support(const Fitted& fitted) {
  Expansion e = fitted.expansion;
  if (fitted.support.points.rows() == 0) return e;
  e.points = fitted.support.points;
  e.blocks = fitted.support.blocks;
  e.coefficients = fitted.support.coefficients;
  return e;
}

}  // namespace mercer
