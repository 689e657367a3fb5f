// The weights are computed tile by tile and summed at once, so that they never leave the cache; those of a
// Gaussian kernel over few columns never leave the registers.
//
// In float32 they take less than half the time. That is safe because they are ≥ 0: in a sum of weights
// nothing cancels, and its relative error is that of the weights, if these are good. They are for a radial
// kernel over points whose distances float32 can tell, which is looked at: of each few thousand rows some are
// computed both ways, and all are computed in float64 where the two differ. A row whose sum of weights is
// small, far from all points, is computed again in float64: there float32 loses digits in the exponent, or
// everything where the weights are below 1e-38.
#include "methods/weighted_sums.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "base/blas.hpp"
#include "base/random.hpp"
#include "methods/kept_rows.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

constexpr std::size_t sum_tile_rows = 64, sum_tile_columns = 512;
constexpr std::size_t points_in_cache = 1024;  // of few columns
constexpr std::size_t sum_rows_at_once = 8192, rows_compared = 16;
constexpr double many_weights = 1e7;  // fewer take no time in float64
// Of the largest weight that the kernel can give: a smaller sum is computed again.
constexpr double least_share = 1e-3;

// Some sign bit is set.
template <class T>
bool some_negative(std::span<const T> weights) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  constexpr std::size_t lanes = 128 / sizeof(T);
  Bits bits[lanes] = {}, all = 0;
  std::size_t i = 0;
  for (; i + lanes <= weights.size(); i += lanes)
    for (std::size_t lane = 0; lane < lanes; ++lane) bits[lane] |= std::bit_cast<Bits>(weights[i + lane]);
  for (; i < weights.size(); ++i) all |= std::bit_cast<Bits>(weights[i]);
  for (const Bits lane : bits) all |= lane;
  return all >> (8 * sizeof(T) - 1);
}

}  // namespace

template <class T>
void check_weights(const Kernel& kernel, std::span<const T> tile, std::size_t stride, std::size_t first_row,
                   std::size_t first_column) {
  if (!some_negative(tile)) return;
  for (std::size_t e = 0; e < tile.size(); ++e)
    if (tile[e] < 0)
      throw Error(ErrorCode::invalid_data,
                  fmt::format("a weight must be ≥ 0, but {} is {:g} between row {} and training row {}",
                              kernel.text(), double(tile[e]), first_row + e / stride + 1,
                              first_column + e % stride + 1),
                  {.hint = "take a kernel that is nowhere negative, such as rbf"});
}

template void check_weights(const Kernel&, std::span<const float>, std::size_t, std::size_t, std::size_t);
template void check_weights(const Kernel&, std::span<const double>, std::size_t, std::size_t, std::size_t);

namespace {

void sum_in_float64(const WeightedSums& sums, const Points& at, std::optional<std::size_t> left_out,
                    std::span<double> out, int threads, const Progress& progress) {
  const std::size_t n = sums.points.rows(), width = sums.width;
  for_row_blocks<double>(sums.kernel, at, sums.points, sum_tile_rows, threads, progress,
                         [&](const KernelOperator<double>& K, Range block, std::size_t first) {
                           const SingleThreadedBlas one_thread;
                           std::vector<double> tile(block.size() * std::min(sum_tile_columns, n));
                           double* to = out.data() + (first + block.begin) * width;
                           std::fill_n(to, block.size() * width, 0.0);
                           for (std::size_t begin = 0; begin < n; begin += sum_tile_columns) {
                             const Range columns{begin, std::min(begin + sum_tile_columns, n)};
                             const auto weights = std::span(tile).first(block.size() * columns.size());
                             K.tile(block, columns, weights);
                             check_weights<double>(sums.kernel, weights, columns.size(),
                                                   left_out.value_or(0) + first + block.begin, begin);
                             for (std::size_t i = 0; left_out && i < block.size(); ++i)
                               if (const std::size_t own = *left_out + first + block.begin + i;
                                   own >= columns.begin && own < columns.end)
                                 weights[i * columns.size() + own - columns.begin] = 0;
                             gemm(CblasNoTrans, CblasNoTrans, block.size(), width, columns.size(), 1,
                                  weights.data(), columns.size(), sums.V.data() + begin * width, width, 1, to,
                                  width);
                           }
                         });
}

// The points are the rows of these tiles, so that the sums of many rows of `at` grow side by side.
class Float32Sums {
 public:
  Float32Sums(const WeightedSums& sums, const Points& at, int threads)
      : sums_(sums), at_(at), threads_(threads), K_(sums.kernel, sums.points, at, {.threads = threads}) {
    const std::size_t n = sums.points.rows();
    columns_.resize(n * sums.width);
    scales_.assign(sums.width, 0.0);
    for (std::size_t e = 0; e < sums.V.size(); ++e)
      scales_[e % sums.width] = std::max(scales_[e % sums.width], std::abs(sums.V[e]));
    for (double& scale : scales_) scale = scale > 0 ? scale : 1;
    for (std::size_t e = 0; e < sums.V.size(); ++e) columns_[e] = float(sums.V[e] / scales_[e % sums.width]);
  }

  bool agree_with_float64() const {
    const std::size_t n = sums_.points.rows();
    Random random(1);
    std::vector<std::size_t> some(rows_compared);
    for (std::size_t& row : some) row = random.below(at_.rows());
    const KernelOperator<double> exact(sums_.kernel, at_.select_rows(some), sums_.points,
                                       {.threads = threads_});
    std::vector<double> right(n);
    std::vector<float> found(n);
    for (std::size_t s = 0; s < some.size(); ++s) {
      exact.tile({s, s + 1}, {0, n}, right);
      K_.columns(std::span(some).subspan(s, 1), found);
      double total = 0, difference = 0;
      for (std::size_t i = 0; i < n; ++i) {
        total += right[i];
        difference += std::abs(right[i] - double(found[i]));
      }
      if (total >= least_share * sums_.kernel.properties().bound && !(difference <= 2e-6 * total))
        return false;
    }
    return true;
  }

  // out (at.rows() × width)
  void operator()(std::span<double> out, std::size_t first, const Progress& progress) const {
    const std::size_t width = sums_.width;
    parallel_for(
        (at_.rows() + sum_tile_columns - 1) / sum_tile_columns, threads_, progress, "prediction",
        [&](std::size_t block) {
          const Range rows{block * sum_tile_columns, std::min((block + 1) * sum_tile_columns, at_.rows())};
          std::vector<double> totals(rows.size() * width, 0.0);  // width × rows
          if (!add_unstored(rows, totals)) add_stored(rows, first, totals);
          for (std::size_t i = 0; i < rows.size(); ++i)
            for (std::size_t c = 0; c < width; ++c)
              out[(rows.begin + i) * width + c] = scales_[c] * totals[c * rows.size() + i];
        });
  }

 private:
  bool add_unstored(Range rows, std::span<double> totals) const {
    const std::size_t n = sums_.points.rows(), width = sums_.width;
    for (std::size_t begin = 0; begin < n; begin += points_in_cache) {
      const Range points{begin, std::min(begin + points_in_cache, n)};
      const auto V = std::span(columns_).subspan(begin * width, points.size() * width);
      if (!K_.add_sums(points, V, width, rows, totals)) return false;
    }
    return true;
  }
  void add_stored(Range rows, std::size_t first, std::span<double> totals) const {
    const std::size_t n = sums_.points.rows(), width = sums_.width;
    const SingleThreadedBlas one_thread;
    Buffer<float> tile(sum_tile_rows * rows.size());
    std::vector<float> part(rows.size());  // of a tile: float32 is enough for so few weights
    for (std::size_t begin = 0; begin < n; begin += sum_tile_rows) {
      const Range points{begin, std::min(begin + sum_tile_rows, n)};
      const std::span weights(tile.data(), points.size() * rows.size());
      K_.tile(points, rows, weights);
      if (some_negative<float>(weights)) check_columns(weights, points, rows, first);
      for (std::size_t c = 0; c < width; ++c) {
        gemv(CblasTrans, points.size(), rows.size(), 1, weights.data(), rows.size(),
             columns_.data() + begin * width + c, width, 0, part.data(), 1);
        for (std::size_t i = 0; i < rows.size(); ++i) totals[c * rows.size() + i] += double(part[i]);
      }
    }
  }
  void check_columns(std::span<const float> weights, Range points, Range rows, std::size_t first) const {
    for (std::size_t j = 0; j < points.size(); ++j)
      for (std::size_t i = 0; i < rows.size(); ++i)
        check_weights<float>(sums_.kernel, weights.subspan(j * rows.size() + i, 1), 1, first + rows.begin + i,
                             points.begin + j);
  }

  const WeightedSums& sums_;
  const Points& at_;
  int threads_;
  KernelOperator<float> K_;
  std::vector<float> columns_;  // V, each column divided by its largest number …
  std::vector<double> scales_;  // … which is here
};

Points some_rows(const Points& points, std::size_t first, std::size_t count) {
  std::vector<std::size_t> chosen(count);
  std::iota(chosen.begin(), chosen.end(), first);
  return points.select_rows(chosen);
}

}  // namespace

void WeightedSums::operator()(const Points& at, std::optional<std::size_t> own, std::span<double> out,
                              int threads, const Progress& progress) const {
  const Properties properties = kernel.properties();
  const bool in_float32 = !own && properties.radial && std::isfinite(properties.bound) &&
                          double(at.rows()) * double(points.rows()) >= many_weights;
  if (!in_float32) return sum_in_float64(*this, at, own, out, threads, progress);
  double largest = 0;
  for (std::size_t i = 0; i < points.rows(); ++i) largest = std::max(largest, V[i * width + width - 1]);
  for (std::size_t first = 0; first < at.rows(); first += sum_rows_at_once) {
    const Points some = some_rows(at, first, std::min(sum_rows_at_once, at.rows() - first));
    const auto part = out.subspan(first * width, some.rows() * width);
    const double n = double(at.rows());
    const Progress reported = progress.part(double(first) / n, double(first + some.rows()) / n);
    const Float32Sums sums(*this, some, threads);
    std::vector<std::size_t> again;
    if (sums.agree_with_float64()) {
      sums(part, first, reported);
      for (std::size_t i = 0; i < some.rows(); ++i)
        if (!(part[i * width + width - 1] >= least_share * properties.bound * largest)) again.push_back(i);
    } else {
      again.resize(some.rows());
      std::iota(again.begin(), again.end(), std::size_t(0));
    }
    if (again.empty()) continue;
    std::vector<double> exact(again.size() * width);
    sum_in_float64(*this, some.select_rows(again), {}, exact, threads, reported);
    for (std::size_t i = 0; i < again.size(); ++i)
      std::copy_n(exact.data() + i * width, width, part.data() + again[i] * width);
  }
}

}  // namespace mercer
