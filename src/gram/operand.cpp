#include "gram/operand.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mercer {

namespace {

// How many points have a number stored in each column.
std::vector<double> column_fill(const Points& points) {
  std::vector<double> fill(points.cols(), points.sparse() ? 0.0 : 1.0);
  std::visit([&](const auto& storage) {
    if constexpr (requires { storage.indices; })
      for (const std::int32_t index : storage.indices) fill[index] += 1.0 / double(points.rows());
  }, points.storage());
  return fill;
}

bool dense_is_cheaper(const Points& a, const Points& b, Precision precision, std::size_t memory) {
  if (!a.sparse() && !b.sparse()) return true;
  const std::size_t width = precision == Precision::float32 ? 4 : 8;
  const double bytes = double(a.rows() + b.rows()) * double(a.cols()) * double(width);
  if (bytes > double(memory)) return false;
  // Measured on one core: a multiplication in a matrix product and one through an index.
  const double dense_ns = precision == Precision::float32 ? 0.025 : 0.05, sparse_ns = 0.7;
  const std::vector<double> p = column_fill(a), q = column_fill(b);
  double updates = 0;
  for (std::size_t k = 0; k < p.size(); ++k) updates += p[k] * q[k];
  return double(a.cols()) * dense_ns <= updates * sparse_ns;
}

std::vector<double> column_means(const Points& points) {
  std::vector<double> mean(points.cols());
  std::visit([&](const auto& storage) {
    if constexpr (requires { storage.indices; }) {
      for (std::size_t e = 0; e < storage.values.size(); ++e) mean[storage.indices[e]] += double(storage.values[e]);
    } else {
      for (std::size_t i = 0; i < storage.rows; ++i)
        for (std::size_t k = 0; k < storage.cols; ++k) mean[k] += double(storage.row(i)[k]);
    }
  }, points.storage());
  for (double& m : mean) m /= double(points.rows());
  return mean;
}

double smallest_magnitude(const Points& points) {
  double smallest = std::numeric_limits<double>::infinity();
  std::visit([&](const auto& storage) {
    for (const auto v : storage.values)
      if (v != 0) smallest = std::min(smallest, std::abs(double(v)));
  }, points.storage());
  return smallest;
}

// Whether every number is a whole multiple of the unit, to its last bit or two (k/255 is not exact either), and every
// sum of squares of the multiples is at most 2²⁴: float32 counts that far, and by Cauchy and Schwarz no sum of products
// of two points goes further.
bool is_whole(const Points& points, double unit) {
  bool whole = true;
  const auto square = [&](double value) {
    const double multiple = std::nearbyint(value / unit);
    whole = whole && std::abs(value - multiple * unit) <= 4e-16 * std::abs(value) && std::abs(multiple) <= 4096;
    return multiple * multiple;
  };
  std::visit([&](const auto& storage) {
    for (std::size_t i = 0; i < storage.rows && whole; ++i) {
      double sum = 0;
      if constexpr (requires { storage.indices; }) {
        for (std::size_t e = storage.starts[i]; e < storage.starts[i + 1]; ++e) sum += square(double(storage.values[e]));
      } else {
        for (std::size_t k = 0; k < storage.cols; ++k) sum += square(double(storage.row(i)[k]));
      }
      whole = whole && sum <= 0x1p24;
    }
  }, points.storage());
  return whole;
}

// 0 where there is none.
double common_unit(const Points& a, const Points& b) {
  const double unit = std::min(smallest_magnitude(a), smallest_magnitude(b));
  return std::isfinite(unit) && unit > 1e-150 && is_whole(a, unit) && is_whole(b, unit) ? unit : 0;
}

}  // namespace

Layout choose_layout(const Points& rows, const Points& reference, bool wants_centre, bool products_only,
                     Precision precision, std::size_t memory) {
  Layout layout;
  if (precision == Precision::float64 && products_only) layout.unit = common_unit(rows, reference);
  layout.dense = dense_is_cheaper(rows, reference, layout.unit > 0 ? Precision::float32 : precision, memory);
  if (!layout.dense) layout.unit = 0;
  if (!layout.dense || layout.unit > 0 || !wants_centre || reference.rows() == 0) return layout;
  std::vector<double> mean = column_means(reference);
  double mean_norm = 0, total = 0;
  for (const double m : mean) mean_norm += m * m;
  std::visit([&](const auto& storage) { for (const auto v : storage.values) total += double(v) * double(v); },
             reference.storage());
  const double spread = total / double(reference.rows()) - mean_norm;  // mean of ‖x − mean‖²
  if (mean_norm > 4 * spread) layout.centre = std::move(mean);         // up to there two bits are lost at most
  return layout;
}

template <class T>
Operand<T>::Operand(const Points& points, bool as_dense, std::span<const double> centre, double common_unit)
    : rows(points.rows()), cols(points.cols()), unit(common_unit) {
  if (unit > 0) {
    made_whole_ = std::make_shared<Dense<float>>(Dense<float>{rows, cols, Buffer<float>(rows * cols)});
    std::vector<double> row(cols);
    for (std::size_t i = 0; i < rows; ++i) {
      points.copy_row(i, row);
      for (std::size_t k = 0; k < cols; ++k) made_whole_->values[i * cols + k] = float(std::nearbyint(row[k] / unit));
    }
    whole = made_whole_->values.data();
    return;
  }
  if (!as_dense) {
    kept_ = points.to_sparse().with_precision(sizeof(T) == 4 ? Precision::float32 : Precision::float64);
    sparse = &std::get<Sparse<T>>(kept_.storage());
    return;
  }
  if (const auto* same = std::get_if<Dense<T>>(&points.storage()); same && centre.empty()) {
    kept_ = points;
    dense = same->values.data();
    return;
  }
  made_dense_ = std::make_shared<Dense<T>>(Dense<T>{rows, cols, Buffer<T>(rows * cols)});
  std::vector<double> row(cols);
  for (std::size_t i = 0; i < rows; ++i) {
    points.copy_row(i, row);
    for (std::size_t k = 0; k < cols; ++k)
      made_dense_->values[i * cols + k] = T(centre.empty() ? row[k] : row[k] - centre[k]);
  }
  dense = made_dense_->values.data();
}

template <class T>
Operand<T> Operand<T>::gather(std::span<const std::size_t> chosen) const {
  Operand result;
  result.rows = chosen.size();
  result.cols = cols;
  result.unit = unit;
  const auto picked_rows = [&]<class U>(const U* from) {
    auto picked = std::make_shared<Dense<U>>(Dense<U>{chosen.size(), cols, Buffer<U>(chosen.size() * cols)});
    for (std::size_t i = 0; i < chosen.size(); ++i) std::copy_n(from + chosen[i] * cols, cols, picked->values.data() + i * cols);
    return picked;
  };
  if (whole) {
    result.made_whole_ = picked_rows(whole);
    result.whole = result.made_whole_->values.data();
  } else if (!sparse) {
    result.made_dense_ = picked_rows(dense);
    result.dense = result.made_dense_->values.data();
  } else {
    std::size_t stored = 0;
    for (const std::size_t i : chosen) stored += sparse->starts[i + 1] - sparse->starts[i];
    auto picked = std::make_shared<Sparse<T>>(Sparse<T>{chosen.size(), cols, Buffer<std::size_t>(chosen.size() + 1),
                                                        Buffer<std::int32_t>(stored), Buffer<T>(stored)});
    picked->starts[0] = 0;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      const std::size_t begin = sparse->starts[chosen[i]], count = sparse->starts[chosen[i] + 1] - begin;
      std::copy_n(sparse->indices.data() + begin, count, picked->indices.data() + picked->starts[i]);
      std::copy_n(sparse->values.data() + begin, count, picked->values.data() + picked->starts[i]);
      picked->starts[i + 1] = picked->starts[i] + count;
    }
    result.made_sparse_ = std::move(picked);
    result.sparse = result.made_sparse_.get();
  }
  return result;
}

namespace {

template <class T>
double sum_of_squares(std::span<const T> row) {
  double sum = 0;
  for (const T value : row) sum += double(value) * double(value);
  return sum;
}

template <class T>
double dense_distance(const T* x, const T* z, std::size_t d) {
  double sum = 0;
  for (std::size_t k = 0; k < d; ++k) sum += (double(x[k]) - double(z[k])) * (double(x[k]) - double(z[k]));
  return sum;
}

template <class T>
double sparse_distance(const Sparse<T>& x, std::size_t i, const Sparse<T>& z, std::size_t j) {
  double sum = 0;
  std::size_t p = x.starts[i], q = z.starts[j];
  while (p < x.starts[i + 1] || q < z.starts[j + 1]) {
    const std::int32_t left = p < x.starts[i + 1] ? x.indices[p] : INT32_MAX;
    const std::int32_t right = q < z.starts[j + 1] ? z.indices[q] : INT32_MAX;
    const double difference = (left <= right ? double(x.values[p]) : 0) - (right <= left ? double(z.values[q]) : 0);
    sum += difference * difference;
    p += left <= right;
    q += right <= left;
  }
  return sum;
}

}  // namespace

template <class T>
double squared_norm(const Operand<T>& points, std::size_t i) {
  const std::size_t d = points.cols;
  if (points.whole) return points.unit * points.unit * sum_of_squares(std::span(points.whole + i * d, d));
  if (!points.sparse) return sum_of_squares(std::span(points.dense + i * d, d));
  const Sparse<T>& s = *points.sparse;
  return sum_of_squares(std::span<const T>(s.values.data() + s.starts[i], s.starts[i + 1] - s.starts[i]));
}

template <class T>
double squared_distance(const Operand<T>& a, std::size_t i, const Operand<T>& b, std::size_t j) {
  const std::size_t d = a.cols;
  if (a.whole) return a.unit * a.unit * dense_distance(a.whole + i * d, b.whole + j * d, d);
  if (!a.sparse) return dense_distance(a.dense + i * d, b.dense + j * d, d);
  return sparse_distance(*a.sparse, i, *b.sparse, j);
}

template struct Operand<float>;
template struct Operand<double>;
template double squared_norm(const Operand<float>&, std::size_t);
template double squared_norm(const Operand<double>&, std::size_t);
template double squared_distance(const Operand<float>&, std::size_t, const Operand<float>&, std::size_t);
template double squared_distance(const Operand<double>&, std::size_t, const Operand<double>&, std::size_t);

}  // namespace mercer
