#include "mercer/kernel_operator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "base/blas.hpp"
#include "base/parallel.hpp"
#include "operators/column_cache.hpp"
#include "operators/tile.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

using Storage = OperatorOptions::Storage;

void check_shapes(const Points& rows, const Points& columns) {
  if (rows.cols() != columns.cols() && columns.vocabulary().keys.empty())  // features of objects may be new
    throw Error(ErrorCode::invalid_data,
                fmt::format("the points have {} columns but the reference points have {}", rows.cols(),
                            columns.cols()),
                {.hint = "they must have the same"});
}

/// `rows` and `reference`: as the program's views see them.
std::vector<Layout> layouts_for(const CompiledKernel& program, const std::vector<Points>& rows,
                                const std::vector<Points>& reference, Precision precision,
                                const OperatorOptions& options) {
  std::vector<Layout> layouts;
  for (std::size_t v = 0; v < program.views.size(); ++v) {
    const bool distances = std::ranges::any_of(program.statistics, [&](const auto& s) {
      return std::size_t(s.view) == v && s.kind == CompiledKernel::Statistic::Kind::centred_dot;
    });
    const bool used =
        std::ranges::any_of(program.statistics, [&](const auto& s) { return std::size_t(s.view) == v; });
    const bool products_only = std::ranges::all_of(program.statistics, [&](const auto& s) {
      return std::size_t(s.view) != v || s.kind <= CompiledKernel::Statistic::Kind::centred_dot;
    });
    const bool minima = std::ranges::any_of(
        program.statistics, [&](const auto& s) { return std::size_t(s.view) == v && s.minimum; });
    if (!used)
      layouts.push_back({});
    else
      layouts.push_back(choose_layout(rows[v], reference[v], distances, products_only, precision,
                                      options.memory, minima, options.largest_copy));
  }
  return layouts;
}

// K·V for one tile: C (m × k) += A (m × n) · B (n × k).
void add_product(std::size_t m, std::size_t n, std::size_t k, const float* a, std::size_t stride,
                 const float* b, float* c) {
  if (k == 1)
    blas().sgemv(CblasRowMajor, CblasNoTrans, blasint(m), blasint(n), 1, a, blasint(stride), b, 1, 1, c, 1);
  else
    blas().sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, blasint(m), blasint(k), blasint(n), 1, a,
                 blasint(stride), b, blasint(k), 1, c, blasint(k));
}
void add_product(std::size_t m, std::size_t n, std::size_t k, const double* a, std::size_t stride,
                 const double* b, double* c) {
  if (k == 1)
    blas().dgemv(CblasRowMajor, CblasNoTrans, blasint(m), blasint(n), 1, a, blasint(stride), b, 1, 1, c, 1);
  else
    blas().dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, blasint(m), blasint(k), blasint(n), 1, a,
                 blasint(stride), b, blasint(k), 1, c, blasint(k));
}

struct Blocks {
  std::size_t total, step;
  std::size_t count() const { return (total + step - 1) / step; }
  Range operator[](std::size_t i) const { return {i * step, std::min(total, (i + 1) * step)}; }
};

// The whole of a symmetric matrix (size × size): blocks of the lower half are computed and mirrored.
template <class T, class Compute>
void lower_half(std::size_t size, std::size_t step, int threads, const Progress& progress, T* out,
                const Compute& compute) {
  const Blocks blocks{size, step};
  const std::size_t count = blocks.count();
  parallel_for(count * (count + 1) / 2, threads, progress, "Gram matrix", [&](std::size_t task) {
    auto row = std::size_t((std::sqrt(8 * double(task) + 1) - 1) / 2);  // task = row(row + 1)/2 + column
    while (row * (row + 1) / 2 > task) --row;
    while ((row + 1) * (row + 2) / 2 <= task) ++row;
    const Range r = blocks[row], c = blocks[task - row * (row + 1) / 2];
    compute(r, c);
    constexpr std::size_t patch = 32;  // mirrored in patches that fit the first-level cache
    for (std::size_t i0 = r.begin; i0 < r.end; i0 += patch)
      for (std::size_t j0 = c.begin; j0 < c.end; j0 += patch)
        for (std::size_t j = j0; j < std::min(j0 + patch, c.end); ++j)
          for (std::size_t i = std::max(i0, j + 1); i < std::min(i0 + patch, r.end); ++i)
            out[j * size + i] = out[i * size + j];
  });
}

}  // namespace

template <class T>
class KernelOperator<T>::Implementation {
 public:
  static constexpr Precision own_precision = sizeof(T) == 4 ? Precision::float32 : Precision::float64;

  Implementation(const Kernel& unresolved, const Points& rows, const Points* columns,
                 const OperatorOptions& given)
      : kernel(unresolved.resolve(columns ? *columns : rows)), options(given), program(kernel) {
    const Points& reference = columns ? *columns : rows;
    check_shapes(rows, reference);
    if constexpr (sizeof(T) == 4) {
      if (options.float64_inside) {
        OperatorOptions inner = options;
        inner.storage = Storage::recomputed;
        inner.float64_inside = false;
        wide = columns ? std::make_unique<KernelOperator<double>>(kernel, rows, *columns, inner)
                       : std::make_unique<KernelOperator<double>>(kernel, rows, inner);
      }
    }
    const SingleThreadedBlas one_thread;
    std::vector<Points> theirs = program.views_of(reference, nullptr, options.threads);
    std::vector<Points> ours = columns ? program.views_of(rows, &theirs, options.threads) : theirs;
    const auto layouts = layouts_for(program, ours, theirs, own_precision, options);
    right.emplace(program, layouts, std::move(theirs), nullptr, options.threads);
    if (columns) left.emplace(program, layouts, std::move(ours), &*right, options.threads);
    engine.emplace(program, kernel.text());
    engine->tabulate(row_side(), *right);
    choose_storage();
  }

  /// Some of the points of a symmetric one.
  Implementation(const Implementation& all, std::span<const std::size_t> indices)
      : kernel(all.kernel), options(all.options), program(all.program), storage(Storage::recomputed) {
    if (all.wide) wide = std::make_unique<KernelOperator<double>>(all.wide->select(indices));
    right.emplace(all.right->gather(indices));
    engine.emplace(program, kernel.text());
    engine->tabulate(*right, *right);
  }

  const PackedPoints<T>& row_side() const { return left ? *left : *right; }
  std::size_t n() const { return row_side().rows; }
  std::size_t m() const { return right->rows; }

  /// One tile, always computed.
  void compute(const PackedPoints<T>& a, Range rows, Range columns, T* out, std::size_t stride) const {
    engine->compute(a, rows, *right, columns, out, stride);
  }

  /// A tile of K by whatever way gives it.
  void fill(Range rows, Range columns, T* out, std::size_t stride) const {
    if (!whole.empty()) {
      for (std::size_t i = rows.begin; i < rows.end; ++i)
        std::copy_n(whole.data() + i * m() + columns.begin, columns.size(), out + (i - rows.begin) * stride);
    } else if (wide) {
      std::vector<double> exact(rows.size() * columns.size());
      wide->tile(rows, columns, exact);
      for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t j = 0; j < columns.size(); ++j)
          out[i * stride + j] = rounded(exact[i * columns.size() + j], rows.begin + i, columns.begin + j);
    } else {
      compute(row_side(), rows, columns, out, stride);
    }
  }

  /// An entry that was computed in float64.
  T rounded(double value, std::size_t row, std::size_t column) const {
    const T entry = T(value);
    if (!std::isfinite(entry)) refuse_entry(kernel.text(), row, column, !left, value, own_precision);
    return entry;
  }

  void fill_matrix(T* out) const;
  void compute_columns(std::span<const std::size_t> indices, T* out) const;
  void fill_block(std::span<const std::size_t> indices, Range columns, std::span<T* const> rows) const;
  void choose_storage();

  Kernel kernel;
  OperatorOptions options;
  CompiledKernel program;
  std::optional<PackedPoints<T>> left, right;  // left: none where K is symmetric
  std::optional<TileEngine<T>> engine;
  std::unique_ptr<KernelOperator<double>> wide;  // where float64 inside was asked for
  Storage storage = Storage::recomputed;
  Buffer<T> whole;  // K, where it is held
  mutable ColumnCache<T> cache;
};

template <class T>
void KernelOperator<T>::Implementation::choose_storage() {
  const double bytes = double(n()) * double(m()) * sizeof(T);
  storage = options.storage;
  if (storage == Storage::automatic)
    storage = bytes <= double(options.memory) ? Storage::held : Storage::cached;
  if (storage == Storage::held) {
    if (bytes > double(options.memory))
      throw Error(ErrorCode::out_of_memory,
                  fmt::format("the Gram matrix takes {:.1f} MB but {:.1f} MB are allowed", bytes / 1e6,
                              double(options.memory) / 1e6),
                  {.hint = "raise the memory or do not hold it"});
    Buffer<T> made(n() * m());
    fill_matrix(made.data());
    whole = std::move(made);
  }
  if (storage == Storage::cached) cache = ColumnCache<T>(n(), options.memory);
}

// Tiles are large so that the matrix products inside run at full speed, but the matrix is always cut finely
// enough for several threads; the cut depends on the sizes alone.
template <class T>
void KernelOperator<T>::Implementation::fill_matrix(T* out) const {
  const auto is_wide = [](const PackedMatrix<T>& points) { return points.cols > 1024; };
  // Whoever asks to stop waits for a tile to end.
  const std::size_t divisor =
      std::ranges::any_of(right->plain, is_wide) || std::ranges::any_of(right->centred, is_wide) ? 2 : 1;
  const auto step_for = [&](std::size_t size, std::size_t largest) {
    return std::clamp<std::size_t>((size / 4 + 127) / 128 * 128, 128, largest / divisor);
  };
  const SingleThreadedBlas one_thread;
  if (left) {
    const Blocks rows{n(), step_for(n(), 1024)}, columns{m(), step_for(m(), 2048)};
    parallel_for(rows.count() * columns.count(), options.threads, options.progress, "Gram matrix",
                 [&](std::size_t task) {
                   const Range r = rows[task / columns.count()], c = columns[task % columns.count()];
                   fill(r, c, out + r.begin * m() + c.begin, m());
                 });
    return;
  }
  const std::size_t size = n();
  lower_half(size, step_for(size, 1024), options.threads, options.progress, out,
             [&](Range r, Range c) { fill(r, c, out + r.begin * size + c.begin, size); });
}

template <class T>
void KernelOperator<T>::Implementation::compute_columns(std::span<const std::size_t> indices, T* out) const {
  if (wide) {
    std::vector<double> exact(indices.size() * n());
    wide->columns(indices, exact);
    for (std::size_t e = 0; e < exact.size(); ++e) out[e] = rounded(exact[e], e % n(), indices[e / n()]);
    return;
  }
  // k(z, x) = k(x, z): the chosen points become the rows of tiles, so that a column is contiguous.
  const PackedPoints<T> chosen = right->gather(indices);
  const Blocks rows{indices.size(), 512}, columns{n(), 2048};
  parallel_for(rows.count() * columns.count(), options.threads, [&](std::size_t task) {
    const Range r = rows[task / columns.count()], c = columns[task % columns.count()];
    engine->compute(chosen, r, row_side(), c, out + r.begin * n() + c.begin, n());
  });
}

template <class T>
void KernelOperator<T>::Implementation::fill_block(std::span<const std::size_t> indices, Range columns,
                                                   std::span<T* const> rows) const {
  const std::size_t width = columns.size();
  if (!whole.empty()) {
    for (std::size_t j = 0; j < indices.size(); ++j)
      std::copy_n(whole.data() + indices[j] * m() + columns.begin, width, rows[j]);
  } else if (wide) {
    Buffer<double> exact(indices.size() * width);
    wide->block(indices, columns, row_pointers(exact.data(), indices.size(), width));
    for (std::size_t j = 0; j < indices.size(); ++j)
      for (std::size_t c = 0; c < width; ++c)
        rows[j][c] = rounded(exact[j * width + c], indices[j], columns.begin + c);
  } else {
    engine->compute(row_side().gather(indices), *right, columns, rows);
  }
}

template <class T>
KernelOperator<T>::KernelOperator(const Kernel& kernel, const Points& points, const OperatorOptions& options)
    : implementation_(std::make_unique<Implementation>(kernel, points, nullptr, options)) {}
template <class T>
KernelOperator<T>::KernelOperator(const Kernel& kernel, const Points& rows, const Points& columns,
                                  const OperatorOptions& options)
    : implementation_(std::make_unique<Implementation>(kernel, rows, &columns, options)) {}
template <class T>
KernelOperator<T>::KernelOperator(std::unique_ptr<Implementation> implementation) noexcept
    : implementation_(std::move(implementation)) {}
template <class T>
KernelOperator<T>::KernelOperator(KernelOperator&&) noexcept = default;
template <class T>
KernelOperator<T>& KernelOperator<T>::operator=(KernelOperator&&) noexcept = default;
template <class T>
KernelOperator<T>::~KernelOperator() = default;

template <class T>
KernelOperator<T> KernelOperator<T>::select(std::span<const std::size_t> indices) const {
  if (!symmetric())
    throw Error(ErrorCode::invalid_argument, "points are selected of a symmetric Gram matrix only");
  return KernelOperator(std::make_unique<Implementation>(*implementation_, indices));
}

template <class T>
std::size_t KernelOperator<T>::rows() const noexcept {
  return implementation_->n();
}
template <class T>
std::size_t KernelOperator<T>::cols() const noexcept {
  return implementation_->m();
}
template <class T>
bool KernelOperator<T>::symmetric() const noexcept {
  return !implementation_->left;
}
template <class T>
const Kernel& KernelOperator<T>::kernel() const noexcept {
  return implementation_->kernel;
}
template <class T>
OperatorOptions::Storage KernelOperator<T>::storage() const noexcept {
  return implementation_->storage;
}
template <class T>
const T* KernelOperator<T>::held() const noexcept {
  return implementation_->whole.empty() ? nullptr : implementation_->whole.data();
}

template <class T>
void KernelOperator<T>::diagonal(std::span<T> out) const {
  if (!symmetric())
    throw Error(ErrorCode::unsupported, "a Gram matrix between two sets has no diagonal k(x, x)");
  const auto& self = *implementation_;
  std::vector<double> values(rows());
  if (self.wide)
    self.wide->diagonal(values);
  else
    values = evaluate_points(self.program.diagonal, self.right->values, rows());
  for (std::size_t i = 0; i < values.size(); ++i) out[i] = self.rounded(values[i], i, i);
}

template <class T>
void KernelOperator<T>::tile(Range rows, Range columns, std::span<T> out) const {
  const SingleThreadedBlas one_thread;
  implementation_->fill(rows, columns, out.data(), columns.size());
}

template <class T>
void KernelOperator<T>::columns(std::span<const std::size_t> indices, std::span<T> out) const {
  const SingleThreadedBlas one_thread;
  const auto& self = *implementation_;
  const std::size_t n = self.n();
  if (!self.whole.empty()) {
    for (std::size_t j = 0; j < indices.size(); ++j)
      for (std::size_t i = 0; i < n; ++i) out[j * n + i] = self.whole[i * self.m() + indices[j]];
    return;
  }
  if (self.storage == Storage::cached)
    self.cache.fetch(indices, out,
                     [&](std::span<const std::size_t> missing, T* to) { self.compute_columns(missing, to); });
  else
    self.compute_columns(indices, out.data());
}

template <class T>
void KernelOperator<T>::block(std::span<const std::size_t> indices, Range columns,
                              std::span<T* const> rows) const {
  const SingleThreadedBlas one_thread;
  implementation_->fill_block(indices, columns, rows);
}

template <class T>
void KernelOperator<T>::square(std::span<const std::size_t> indices, std::span<T> out) const {
  const SingleThreadedBlas one_thread;
  const auto& self = *implementation_;
  const std::size_t n = indices.size();
  if (!self.whole.empty()) {
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b < n; ++b) out[a * n + b] = self.whole[indices[a] * self.m() + indices[b]];
    return;
  }
  if (self.wide) {
    std::vector<double> exact(n * n);
    self.wide->square(indices, exact);
    for (std::size_t e = 0; e < exact.size(); ++e)
      out[e] = self.rounded(exact[e], indices[e / n], indices[e % n]);
    return;
  }
  const PackedPoints<T> chosen = self.right->gather(indices);
  lower_half(n, 256, self.options.threads, {}, out.data(), [&](Range r, Range c) {
    self.engine->compute(chosen, r, chosen, c, out.data() + r.begin * n + c.begin, n);
  });
}

template <class T>
void KernelOperator<T>::multiply(std::span<const T> V, std::size_t k, std::span<T> out) const {
  const SingleThreadedBlas one_thread;
  const auto& self = *implementation_;
  const Blocks row_blocks{self.n(), 256}, column_blocks{self.m(), 1024};
  // OpenBLAS sums rows of a few numbers differently where they follow each other without a gap, so that what
  // is held and what is recomputed would differ in the last bit: narrow rows are always read with a gap.
  const bool direct = !self.whole.empty() && self.m() > 16;
  parallel_for(row_blocks.count(), self.options.threads, self.options.progress, "Gram product",
               [&](std::size_t task) {
                 const Range r = row_blocks[task];
                 std::fill_n(out.data() + r.begin * k, r.size() * k, T(0));
                 Buffer<T> tile(direct ? 0 : r.size() * column_blocks.step);
                 for (std::size_t block = 0; block < column_blocks.count(); ++block) {
                   const Range c = column_blocks[block];
                   const T* values = direct ? self.whole.data() + r.begin * self.m() + c.begin : tile.data();
                   const std::size_t stride = direct ? self.m() : column_blocks.step;
                   if (!direct) self.fill(r, c, tile.data(), stride);
                   add_product(r.size(), c.size(), k, values, stride, V.data() + c.begin * k,
                               out.data() + r.begin * k);
                 }
               });
}

template <class T>
void KernelOperator<T>::matrix(std::span<T> out) const {
  const auto& self = *implementation_;
  if (self.whole.empty())
    self.fill_matrix(out.data());
  else
    std::copy_n(self.whole.data(), self.whole.size(), out.data());
}

template class KernelOperator<float>;
template class KernelOperator<double>;

}  // namespace mercer
