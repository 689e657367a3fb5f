
#include <algorithm>
#include <numeric>

#include "base/blas.hpp"
#include "base/parallel.hpp"
#include "operators/row_features.hpp"
#include "operators/product.hpp"
#include "mercer/error.hpp"
#include "mercer/fit.hpp"
#include "mercer/geometry.hpp"

namespace mercer {

namespace {

constexpr std::size_t tile_rows = 256, tile_columns = 1024;

// Points made ready together: of many columns fewer.
std::size_t rows_at_once(const Points& points) {
  return std::clamp<std::size_t>((std::size_t(1) << 23) / std::max<std::size_t>(1, points.cols()), tile_rows,
                                 4096);
}

// out (rows × outputs) += the sums over one block of the expansion's points, [begin, end).
void add_block(const KernelOperator<double>& K, const Expansion& e, Range rows, Range block,
               std::size_t number, double* out) {
  std::vector<double> tile(rows.size() * std::min(tile_columns, block.size())), sums(rows.size() * e.width);
  for (std::size_t begin = block.begin; begin < block.end; begin += tile_columns) {
    const Range columns{begin, std::min(begin + tile_columns, block.end)};
    K.tile(rows, columns, std::span(tile).first(rows.size() * columns.size()));
    std::ranges::fill(sums, 0.0);
    add_panel_products(tile.data(), columns.size(), rows.size(), columns.size(), e.width,
                       e.coefficients.data() + columns.begin * e.width, sums.data(),
                       static_cast<const double*>(nullptr), nullptr);
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::size_t c = 0; c < e.width; ++c)
        out[(rows.begin + i) * e.outputs() + number * e.width + c] += sums[i * e.width + c];
  }
}

Points sparse_rows(const Points& features) { return features.to_sparse().with_precision(Precision::float64); }

// w = Σ αᵢφ(xᵢ) for every output, columns × outputs.
std::vector<double> collapsed(const Expansion& e, const Points& image) {
  const auto& rows = std::get<Sparse<double>>(image.storage());
  const std::size_t outputs = e.outputs();
  std::vector<double> weights(rows.cols * outputs);
  std::size_t i = 0;
  for (std::size_t b = 0; b < e.blocks.size(); ++b)
    for (const std::size_t end = i + e.blocks[b]; i < end; ++i)
      for (std::size_t entry = rows.starts[i]; entry < rows.starts[i + 1]; ++entry)
        for (std::size_t c = 0; c < e.width; ++c)
          weights[std::size_t(rows.indices[entry]) * outputs + b * e.width + c] +=
              rows.values[entry] * e.coefficients[i * e.width + c];
  return weights;
}

// out = φ(x)ᵀw, some rows at a time.
void linear_sums(const Expansion& e, const RowFeatures& map, const Points& at, std::span<double> out,
                 const Progress& progress) {
  const std::vector<double> weights = collapsed(e, sparse_rows(map.table()));
  const std::size_t outputs = e.outputs();
  const std::size_t at_once = rows_at_once(at);
  for (std::size_t first = 0; first < at.rows(); first += at_once) {
    std::vector<std::size_t> chosen(std::min(at_once, at.rows() - first));
    std::iota(chosen.begin(), chosen.end(), first);
    const Points image = sparse_rows(map.rows_of(at.select_rows(chosen)));
    const auto& rows = std::get<Sparse<double>>(image.storage());
    for (std::size_t i = 0; i < chosen.size(); ++i)
      for (std::size_t entry = rows.starts[i]; entry < rows.starts[i + 1]; ++entry)
        for (std::size_t o = 0; o < outputs; ++o)
          out[(first + i) * outputs + o] +=
              rows.values[entry] * weights[std::size_t(rows.indices[entry]) * outputs + o];
    if (progress && !progress("prediction", double(first + chosen.size()) / double(at.rows())))
      throw Error(ErrorCode::cancelled, "stopped");
  }
}

void add_trend(const Expansion& e, const Points& at, std::span<double> out) {
  const std::size_t outputs = e.outputs();
  std::vector<double> x(at.cols());
  for (std::size_t i = 0; i < at.rows(); ++i) {
    at.copy_row(i, x);
    for (std::size_t j = 0; j < x.size(); ++j)
      for (std::size_t o = 0; o < outputs; ++o) out[i * outputs + o] += e.trend[j * outputs + o] * x[j];
  }
}

}  // namespace

void Expansion::sums(const Points& at, std::span<double> out, int threads, const Progress& progress) const {
  std::ranges::fill(out, 0.0);
  if (self == 0 && trend.empty() && points.rows() > 0 && !points.objects().empty())
    if (const auto map = RowFeatures::of(kernel, points, threads))
      return linear_sums(*this, *map, at, out, progress);
  const std::size_t at_once = rows_at_once(at);
  // A kernel's formula takes about as long as so many products, of which so many run at once.
  constexpr std::size_t formula = 16, lanes = 8;
  if (at.objects().empty())
    threads = threads_worth(at.rows() * points.rows() * (formula + at.cols()) / lanes, threads);
  for (std::size_t first = 0; first < at.rows() && points.rows() > 0; first += at_once) {
    const std::size_t count = std::min(at_once, at.rows() - first);
    std::vector<std::size_t> chosen(count);
    for (std::size_t i = 0; i < count; ++i) chosen[i] = first + i;
    const KernelOperator<double> K(kernel, at.select_rows(chosen), points, {.threads = threads});
    const std::size_t groups = (count + tile_rows - 1) / tile_rows;
    parallel_for(groups, threads, progress, "prediction", [&](std::size_t g) {
      const SingleThreadedBlas one_thread;
      const Range rows{g * tile_rows, std::min((g + 1) * tile_rows, count)};
      std::size_t begin = 0;
      for (std::size_t b = 0; b < blocks.size(); begin += blocks[b++])
        add_block(K, *this, rows, {begin, begin + blocks[b]}, b, out.data() + first * outputs());
    });
  }
  if (!trend.empty()) add_trend(*this, at, out);
  if (self == 0) return;
  const std::vector<double> own = self_similarities(kernel, at, points);
  for (std::size_t i = 0; i < own.size(); ++i)
    for (std::size_t o = 0; o < outputs(); ++o) out[i * outputs() + o] += self * own[i];
}

}  // namespace mercer
