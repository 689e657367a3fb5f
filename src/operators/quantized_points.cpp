#include "operators/quantized_points.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/parallel.hpp"
#include "operators/product.hpp"
#include "operators/simd/evaluate.hpp"
#include "operators/simd/gaussian_tile.hpp"
#include "mercer/kernel_operator.hpp"

namespace mercer {

namespace {

constexpr double largest_multiple = 1 << 20;

// What the multiples of a unit look like over a set of points.
struct Survey {
  bool whole = true;
  double lowest = 0, highest = 0, largest_norm = 0;  // 0 is a multiple of every sparse row
};

// Of the numbers other than 0. In several parts, so that one comparison need not wait for the last.
double smallest_magnitude(const Points& points) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr std::size_t parts = 8;
  double smallest[parts];
  std::ranges::fill(smallest, infinity);
  const auto take = [&](double v, std::size_t part) {
    const double magnitude = v == 0 ? infinity : std::abs(v);
    smallest[part] = magnitude < smallest[part] ? magnitude : smallest[part];
  };
  std::visit(
      [&](const auto& storage) {
        const auto* values = storage.values.data();
        const std::size_t count = storage.values.size(), even = count / parts * parts;
        for (std::size_t e = 0; e < even; e += parts)
          for (std::size_t part = 0; part < parts; ++part) take(double(values[e + part]), part);
        for (std::size_t e = even; e < count; ++e) take(double(values[e]), 0);
      },
      points.storage());
  return *std::ranges::min_element(smallest);
}

// Added and taken away again it rounds to a whole number, without a call.
constexpr double rounder = 0x1.8p52;

// A number counts as a multiple if it is one to its last bits: k/255 is rounded, and so is text.
template <class V>
void survey_row(std::span<const V> row, double unit, Survey& found) {
  double lowest = found.lowest, highest = found.highest, sum = 0;
  bool whole = true;
  for (const V v : row) {
    const double value = double(v), multiple = value / unit + rounder - rounder;
    whole &= (std::abs(value - multiple * unit) <= 1e-15 * std::abs(value)) &
             (std::abs(multiple) <= largest_multiple);
    lowest = std::min(lowest, multiple);
    highest = std::max(highest, multiple);
    sum += multiple * multiple;
  }
  found = {whole, lowest, highest, std::max(found.largest_norm, sum)};
}

void survey(const Points& points, double unit, Survey& found) {
  std::visit(
      [&](const auto& storage) {
        for (std::size_t i = 0; i < storage.rows && found.whole; ++i) {
          if constexpr (requires { storage.indices; })
            survey_row(std::span(storage.values.data() + storage.starts[i],
                                 storage.starts[i + 1] - storage.starts[i]),
                       unit, found);
          else
            survey_row(std::span(storage.row(i), storage.cols), unit, found);
        }
      },
      points.storage());
}

}  // namespace

Wholeness find_wholeness(const Points& a, const Points& b, Precision precision, std::size_t memory) {
  double unit = smallest_magnitude(a);
  if (&a.storage() != &b.storage()) unit = std::min(unit, smallest_magnitude(b));
  // The unit's square is a normal number.
  const double extreme = precision == Precision::float64 ? 1e150 : 1e15;
  if (!(unit <= extreme && unit >= 1 / extreme)) return {};
  const auto surveyed = [&] {
    Survey found;
    survey(a, unit, found);
    if (found.whole && &a.storage() != &b.storage()) survey(b, unit, found);
    return found;
  };
  Survey found = surveyed();
  if (!found.whole && unit > 1) unit = 1, found = surveyed();  // 2 and 3 are multiples of 1 only
  if (!found.whole) return {};
  const double numbers = double(a.rows() + b.rows()) * double(a.cols()), span = found.highest - found.lowest;
  if (found.lowest == 0 && found.highest <= 1 && numbers / 8 <= double(memory))
    return {.unit = unit, .bits = true};
  // Each of the sums in products(), and what they add up to, stays below 2³¹.
  const double largest_sum = double(a.cols()) * span * std::max(span, 128.0);
  if (span <= 255 && largest_sum < 0x1p31 && 2 * numbers <= double(memory))
    if (const ByteWay way = way_of_bytes(span, numbers); way != ByteWay::none)
      return {.unit = unit, .bytes = true, .way = way, .lowest = std::int32_t(found.lowest)};
  // Float32 counts to 2²⁴; no sum of products exceeds the largest sum of squares (Cauchy and Schwarz).
  if (precision == Precision::float64 && found.largest_norm <= 0x1p24 && 4 * numbers <= double(memory))
    return {.unit = unit};
  return {};
}

QuantizedPoints::QuantizedPoints(const Points& points, const Wholeness& how, int threads)
    : how_(how), rows_(points.rows()), cols_(points.cols()) {
  const std::size_t count = rows_ * cols_;
  if (how.bits)
    bits_ = Buffer<std::uint32_t>(rows_ * words()), norms_.assign(rows_, 0);
  else if (how.bytes)
    bytes_ = ByteMatrix(rows_, cols_, how.way), sums_.assign(rows_, 0), norms_.assign(rows_, 0);
  else
    floats_ = Buffer<float>(count);
  constexpr std::size_t rows_per_task = 256;
  parallel_for(
      (rows_ + rows_per_task - 1) / rows_per_task, count < (1 << 16) ? 1 : threads, [&](std::size_t task) {
        std::vector<double> row(cols_);
        for (std::size_t i = task * rows_per_task; i < std::min((task + 1) * rows_per_task, rows_); ++i) {
          points.copy_row(i, row);
          convert(i, row);
        }
      });
  if (!norms_.empty()) largest_norm_ = *std::ranges::max_element(norms_);
}

void QuantizedPoints::convert(std::size_t i, std::span<const double> row) {
  const double scale = 1 / how_.unit;
  const auto multiple = [&](std::size_t k) { return row[k] * scale + rounder - rounder; };
  if (how_.bits) {
    std::uint32_t* const own = bits_.data() + i * words();
    std::fill_n(own, words(), 0);
    for (std::size_t k = 0; k < cols_; ++k) own[k / 32] |= std::uint32_t(row[k] != 0) << k % 32;
    for (std::size_t w = 0; w < words(); ++w) norms_[i] += std::popcount(own[w]);
    return;
  }
  if (!how_.bytes) {
    for (std::size_t k = 0; k < cols_; ++k) floats_[i * cols_ + k] = float(multiple(k));
    return;
  }
  std::int32_t sum = 0, norm = 0;
  std::uint8_t* const own = bytes_.row(i);
  for (std::size_t k = 0; k < cols_; ++k) {
    const auto whole = std::int32_t(multiple(k)), shifted = whole - how_.lowest;
    own[k] = std::uint8_t(shifted);
    sum += shifted;
    norm += whole * whole;
  }
  bytes_.lay_out(i);
  sums_[i] = sum;
  norms_[i] = norm;
}

QuantizedPoints QuantizedPoints::gather(std::span<const std::size_t> chosen) const {
  QuantizedPoints result;
  result.how_ = how_;
  result.largest_norm_ = largest_norm_;
  result.rows_ = chosen.size();
  result.cols_ = cols_;
  const auto pick = [&](const auto& from, std::size_t width) {
    std::decay_t<decltype(from)> picked(from.empty() ? 0 : chosen.size() * width);
    for (std::size_t i = 0; i < chosen.size() && !from.empty(); ++i)
      std::copy_n(from.data() + chosen[i] * width, width, picked.data() + i * width);
    return picked;
  };
  result.bits_ = pick(bits_, words());
  result.floats_ = pick(floats_, cols_);
  if (how_.bytes) result.bytes_ = bytes_.gather(chosen);
  for (const std::size_t i : chosen) {
    if (!sums_.empty()) result.sums_.push_back(sums_[i]);
    if (!norms_.empty()) result.norms_.push_back(norms_[i]);
  }
  return result;
}

double QuantizedPoints::squared_norm(std::size_t i) const {
  double sum = norms_.empty() ? 0 : norms_[i];
  for (std::size_t k = 0; k < cols_ && norms_.empty(); ++k)
    sum += double(floats_[i * cols_ + k]) * double(floats_[i * cols_ + k]);
  return how_.unit * how_.unit * sum;
}

double QuantizedPoints::squared_distance(std::size_t i, const QuantizedPoints& other, std::size_t j) const {
  const auto sum_of_squares = [&](const auto* own, const auto* others, auto sum) {
    for (std::size_t k = 0; k < cols_; ++k) {
      const auto difference = decltype(sum)(own[k]) - decltype(sum)(others[k]);
      sum += difference * difference;
    }
    return double(sum);
  };
  if (how_.bits) {
    std::int32_t count = 0;
    for (std::size_t w = 0; w < words(); ++w)
      count += std::popcount(words_from(i)[w] ^ other.words_from(j)[w]);
    return how_.unit * how_.unit * count;
  }
  const double sum = how_.bytes
                         ? sum_of_squares(bytes_.row(i), other.bytes_.row(j), std::int32_t(0))
                         : sum_of_squares(floats_.data() + i * cols_, other.floats_.data() + j * cols_, 0.0);
  return how_.unit * how_.unit * sum;
}

// Σxz = (Σx² + Σz² − the number of bits in which they differ) / 2.
template <class T>
void QuantizedPoints::bit_products(Range rows, const QuantizedPoints& other, Range columns, T* out,
                                   std::size_t stride) const {
  simd::gaussian_tiles<T>().count({.rows = rows.size(),
                                   .columns = columns.size(),
                                   .words = words(),
                                   .x_bits = words_from(rows.begin),
                                   .z_bits = other.words_from(columns.begin)},
                                  row_pointers(out, rows.size(), stride).data());
  const T half_square = T(how_.unit * how_.unit / 2);
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < columns.size(); ++j)
      out[i * stride + j] =
          half_square * (T(norms_[rows.begin + i] + other.norms_[columns.begin + j]) - out[i * stride + j]);
}

template <class T>
void QuantizedPoints::products(Range rows, const QuantizedPoints& other, Range columns, T* out,
                               std::size_t stride) const {
  const std::size_t m = rows.size(), n = columns.size(), d = cols_;
  const T square = T(how_.unit * how_.unit);
  if (m == 0 || n == 0) return;
  if (how_.bits) return bit_products(rows, other, columns, out, stride);
  if (!how_.bytes) {
    Buffer<float> product(m * n);
    dense_products(m, n, d, floats_.data() + rows.begin * d, other.floats_.data() + columns.begin * d,
                   product.data(), n);
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = 0; j < n; ++j) out[i * stride + j] = square * T(product[i * n + j]);
    return;
  }
  // With own byte a = x − l and the other's b = z − l − 128, both whole:
  //   Σxz = Σab + (128 + l)·Σa + l·Σz,  and  Σz = Σ(z − l) + d·l.
  const ByteSums sums = bytes_.times(rows, other.bytes_, columns);
  std::vector<std::int32_t> column_terms(n);
  for (std::size_t j = 0; j < n; ++j) column_terms[j] = other.column_term(columns.begin + j);
  for (std::size_t i = 0; i < m; ++i) {
    const std::int32_t own = row_term(rows.begin + i);
    const std::int32_t* from = sums.row(i);
    T* to = out + i * stride;
    for (std::size_t j = 0; j < n; ++j) to[j] = square * T(from[j] + own + column_terms[j]);
  }
}

template <class T>
void QuantizedPoints::look_up_distances(Range rows, const QuantizedPoints& other, Range columns,
                                        std::span<const T> table, T* const* out) const {
  if (rows.size() == 0 || columns.size() == 0) return;
  const simd::Functions& simd = simd::functions();
  const std::size_t n = columns.size();
  const ByteSums sums = bytes_.times(rows, other.bytes_, columns);
  std::vector<std::int32_t> column_terms(n);
  for (std::size_t j = 0; j < n; ++j)
    column_terms[j] = other.norms_[columns.begin + j] - 2 * other.column_term(columns.begin + j);
  for (std::size_t i = 0; i < rows.size(); ++i)
    simd::look_up(simd,
                  {.products = sums.row(i),
                   .row_term = norms_[rows.begin + i] - 2 * row_term(rows.begin + i),
                   .column_terms = column_terms.data(),
                   .n = n},
                  table.data(), out[i]);
}

template void QuantizedPoints::products(Range, const QuantizedPoints&, Range, float*, std::size_t) const;
template void QuantizedPoints::products(Range, const QuantizedPoints&, Range, double*, std::size_t) const;
template void QuantizedPoints::look_up_distances(Range, const QuantizedPoints&, Range, std::span<const float>,
                                                 float* const*) const;
template void QuantizedPoints::look_up_distances(Range, const QuantizedPoints&, Range,
                                                 std::span<const double>, double* const*) const;

}  // namespace mercer
