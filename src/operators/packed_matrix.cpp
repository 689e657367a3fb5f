#include "operators/packed_matrix.hpp"

#include <algorithm>
#include <numeric>

namespace mercer {

namespace {

constexpr std::size_t direct_columns = 8;
// Rows of a side: for fewer products the conversion costs more than it saves.
constexpr std::size_t fewest_as_bytes = 24;
// Columns: up to there distances by our own loops (operators/simd/gaussian_tile.hpp) cost no more than
// theirs.
constexpr std::size_t most_as_numbers = 64;

// How many points have a number stored in each column.
std::vector<double> column_fill(const Points& points) {
  std::vector<double> fill(points.cols(), points.sparse() ? 0.0 : 1.0);
  std::visit(
      [&](const auto& storage) {
        if constexpr (requires { storage.indices; })
          for (const std::int32_t index : storage.indices) fill[index] += 1.0 / double(points.rows());
      },
      points.storage());
  return fill;
}

bool dense_is_cheaper(const Points& a, const Points& b, Precision precision, std::size_t memory, bool minima,
                      bool bits) {
  if (!a.sparse() && !b.sparse()) return true;
  const double width = bits ? 0.125 : precision == Precision::float32 ? 4 : 8;
  const std::size_t columns = std::max(a.cols(), b.cols());
  const double bytes = double(a.rows() + b.rows()) * double(columns) * width;
  if (bytes > double(memory)) return false;
  // Measured on one core: a multiplication in a matrix product, or a bit, and one through an index.
  const double dense_ns = bits ? 0.002 : (precision == Precision::float32 ? 0.025 : 0.05) * (minima ? 8 : 1),
               sparse_ns = 0.7;
  const std::vector<double> p = column_fill(a), q = column_fill(b);
  double updates = 0;
  for (std::size_t k = 0; k < std::min(p.size(), q.size()); ++k) updates += p[k] * q[k];
  return double(columns) * dense_ns <= updates * sparse_ns;
}

std::vector<double> column_means(const Points& points) {
  std::vector<double> mean(points.cols());
  std::visit(
      [&](const auto& storage) {
        if constexpr (requires { storage.indices; }) {
          for (std::size_t e = 0; e < storage.values.size(); ++e)
            mean[storage.indices[e]] += double(storage.values[e]);
        } else {
          for (std::size_t i = 0; i < storage.rows; ++i)
            for (std::size_t k = 0; k < storage.cols; ++k) mean[k] += double(storage.row(i)[k]);
        }
      },
      points.storage());
  for (double& m : mean) m /= double(points.rows());
  return mean;
}

// In several sums, so that one addition need not wait for the last.
double sum_of_squares(const Points& points) {
  constexpr std::size_t parts = 8;
  double sums[parts] = {};
  std::visit(
      [&](const auto& storage) {
        const auto* values = storage.values.data();
        const std::size_t count = storage.values.size(), even = count / parts * parts;
        for (std::size_t e = 0; e < even; e += parts)
          for (std::size_t part = 0; part < parts; ++part)
            sums[part] += double(values[e + part]) * double(values[e + part]);
        for (std::size_t e = even; e < count; ++e) sums[0] += double(values[e]) * double(values[e]);
      },
      points.storage());
  return std::accumulate(sums, sums + parts, 0.0);
}

// Row i of a dense operand, where it is or in `copy`.
template <class T>
std::span<const T> dense_row(const PackedMatrix<T>& points, std::size_t i, std::vector<T>& copy) {
  if (!points.in_place) return {points.dense + i * points.cols, points.cols};
  copy.resize(points.cols);
  points.read({i, i + 1}, {0, points.cols}, copy.data());
  return copy;
}

}  // namespace

Layout choose_layout(const Points& rows, const Points& reference, bool wants_distances, bool products_only,
                     Precision precision, std::size_t memory, bool minima, std::size_t largest_copy) {
  Layout layout;
  layout.columns = std::max(rows.cols(), reference.cols());
  if (products_only && rows.cols() == reference.cols() &&
      std::min(rows.rows(), reference.rows()) >= fewest_as_bytes)
    layout.whole = find_wholeness(rows, reference, precision, memory);
  if (wants_distances && layout.columns <= most_as_numbers && !layout.whole.bits) layout.whole = {};
  // Bytes run at a quarter of float32's cost; the copies are then small, too.
  layout.dense = dense_is_cheaper(rows, reference, layout.whole.unit > 0 ? Precision::float32 : precision,
                                  memory, minima, layout.whole.bits);
  layout.direct = layout.dense && wants_distances && layout.columns <= direct_columns && !layout.whole.bits;
  if (!layout.dense || layout.direct) layout.whole = {};
  const auto dense_bytes = [](const Points& points) { return points.sparse() ? 0 : points.bytes(); };
  layout.in_place = layout.dense && !layout.direct && layout.whole.unit == 0 && products_only &&
                    !rows.sparse() && !reference.sparse() &&
                    std::max(dense_bytes(rows), dense_bytes(reference)) > largest_copy;
  if (!layout.dense || layout.whole.unit > 0 || !wants_distances || reference.rows() == 0) return layout;
  std::vector<double> mean = column_means(reference);
  double mean_norm = 0;
  for (const double m : mean) mean_norm += m * m;
  const double total = sum_of_squares(reference);
  // Numbers far from the origin also lose digits when they are rounded to float32.
  const double spread = total / double(reference.rows()) - mean_norm;  // mean of ‖x − mean‖²
  mean.resize(layout.columns);
  // What cancels has to be summed anew, and that costs: about the mean there is less of it.
  if (4 * mean_norm > spread) layout.centre = std::move(mean);
  return layout;
}

Layout layout_of_pairs(const Points& rows, const Points& reference, bool wants_distances) {
  Layout layout;
  layout.dense = !rows.sparse() && !reference.sparse();
  layout.columns = std::max(rows.cols(), reference.cols());
  layout.own_loops = true;
  layout.direct = layout.dense && wants_distances && layout.columns <= direct_columns;
  return layout;
}

template <class T>
PackedMatrix<T>::PackedMatrix(const Points& points, const Layout& layout, bool moved, int threads)
    : rows(points.rows()), cols(layout.columns), own_loops(layout.own_loops) {
  if (layout.whole.unit > 0) {
    whole = std::make_shared<QuantizedPoints>(points, layout.whole, threads);
    return;
  }
  if (!layout.dense) {
    kept_ = points.to_sparse().with_precision(sizeof(T) == 4 ? Precision::float32 : Precision::float64);
    sparse = &std::get<Sparse<T>>(kept_.storage());
    return;
  }
  if (layout.in_place) {
    in_place = true;
    kept_ = points;
    if (moved) centre_ = std::make_shared<const std::vector<double>>(layout.centre);
    return;
  }
  if (const auto* same = std::get_if<Dense<T>>(&points.storage()); same && !moved && same->cols == cols) {
    kept_ = points;
    dense = same->values.data();
    return;
  }
  made_dense_ = std::make_shared<Dense<T>>(Dense<T>{rows, cols, Buffer<T>(rows * cols)});
  std::vector<double> row(cols);
  for (std::size_t i = 0; i < rows; ++i) {
    points.copy_row(i, std::span(row).first(points.cols()));
    for (std::size_t k = 0; k < cols; ++k)
      made_dense_->values[i * cols + k] = T(moved ? row[k] - layout.centre[k] : row[k]);
  }
  dense = made_dense_->values.data();
}

template <class T>
PackedMatrix<T> PackedMatrix<T>::gather(std::span<const std::size_t> chosen) const {
  PackedMatrix result;
  result.rows = chosen.size();
  result.cols = cols;
  result.direct = direct;
  result.own_loops = own_loops;
  if (in_place) {
    result.in_place = true;
    result.kept_ = kept_;
    result.centre_ = centre_;
    std::vector<std::size_t> order(chosen.begin(), chosen.end());
    if (order_)
      for (std::size_t& row : order) row = (*order_)[row];
    result.order_ = std::make_shared<const std::vector<std::size_t>>(std::move(order));
  } else if (whole) {
    result.whole = std::make_shared<QuantizedPoints>(whole->gather(chosen));
  } else if (!sparse) {
    result.made_dense_ =
        std::make_shared<Dense<T>>(Dense<T>{chosen.size(), cols, Buffer<T>(chosen.size() * cols)});
    for (std::size_t i = 0; i < chosen.size(); ++i)
      std::copy_n(dense + chosen[i] * cols, cols, result.made_dense_->values.data() + i * cols);
    result.dense = result.made_dense_->values.data();
  } else {
    std::size_t stored = 0;
    for (const std::size_t i : chosen) stored += sparse->starts[i + 1] - sparse->starts[i];
    auto picked =
        std::make_shared<Sparse<T>>(Sparse<T>{chosen.size(), cols, Buffer<std::size_t>(chosen.size() + 1),
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

template <class T>
void PackedMatrix<T>::read(Range some_rows, Range columns, T* out) const {
  std::visit(
      [&](const auto& storage) {
        if constexpr (requires { storage.row(0); }) {
          // Columns beyond its own are 0.
          const std::size_t own = std::clamp(storage.cols, columns.begin, columns.end) - columns.begin;
          const double* centre = centre_ ? centre_->data() + columns.begin : nullptr;
          for (std::size_t i = some_rows.begin; i < some_rows.end; ++i, out += columns.size()) {
            const auto* row = storage.row(order_ ? (*order_)[i] : i) + columns.begin;
            if (!centre) {
              std::fill(std::copy_n(row, own, out), out + columns.size(), T(0));
              continue;
            }
            for (std::size_t k = 0; k < own; ++k) out[k] = T(double(row[k]) - centre[k]);
            for (std::size_t k = own; k < columns.size(); ++k) out[k] = T(-centre[k]);
          }
        }
      },
      kept_.storage());
}

template <class T>
double squared_norm(const PackedMatrix<T>& points, std::size_t i) {
  if (points.whole) return points.whole->squared_norm(i);
  std::span<const T> row;
  std::vector<T> copy;
  if (!points.sparse)
    row = dense_row(points, i, copy);
  else
    row = {points.sparse->values.data() + points.sparse->starts[i],
           points.sparse->starts[i + 1] - points.sparse->starts[i]};
  double sum = 0;
  for (const T value : row) sum += double(value) * double(value);
  return sum;
}

template <class T>
double squared_distance(const PackedMatrix<T>& a, std::size_t i, const PackedMatrix<T>& b, std::size_t j) {
  if (a.whole) return a.whole->squared_distance(i, *b.whole, j);
  double sum = 0;
  if (!a.sparse) {
    std::vector<T> left, right;
    const std::span<const T> x = dense_row(a, i, left), z = dense_row(b, j, right);
    for (std::size_t k = 0; k < a.cols; ++k)
      sum += (double(x[k]) - double(z[k])) * (double(x[k]) - double(z[k]));
    return sum;
  }
  const Sparse<T>&x = *a.sparse, &z = *b.sparse;
  std::size_t p = x.starts[i], q = z.starts[j];
  while (p < x.starts[i + 1] || q < z.starts[j + 1]) {
    const std::int32_t left = p < x.starts[i + 1] ? x.indices[p] : INT32_MAX;
    const std::int32_t right = q < z.starts[j + 1] ? z.indices[q] : INT32_MAX;
    const double difference =
        (left <= right ? double(x.values[p]) : 0) - (right <= left ? double(z.values[q]) : 0);
    sum += difference * difference;
    p += left <= right;
    q += right <= left;
  }
  return sum;
}

template struct PackedMatrix<float>;
template struct PackedMatrix<double>;
template double squared_norm(const PackedMatrix<float>&, std::size_t);
template double squared_norm(const PackedMatrix<double>&, std::size_t);
template double squared_distance(const PackedMatrix<float>&, std::size_t, const PackedMatrix<float>&,
                                 std::size_t);
template double squared_distance(const PackedMatrix<double>&, std::size_t, const PackedMatrix<double>&,
                                 std::size_t);

}  // namespace mercer
