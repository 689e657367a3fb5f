#include "operators/kernel_backend.hpp"

#include <cmath>

#include "base/blas.hpp"
#include "base/parallel.hpp"
#include "operators/simd/tile_product.hpp"
#include "mercer/kernels/precomputed.hpp"

namespace mercer {

namespace {

// K·V for one tile: C (m × k) += A (m × n) · B (n × k).
template <class T>
void add_product(std::size_t m, std::size_t n, std::size_t k, const T* a, std::size_t stride, const T* b,
                 T* c) {
  if (k == 1)
    gemv(CblasNoTrans, m, n, 1, a, stride, b, 1, 1, c, 1);
  else
    gemm(CblasNoTrans, CblasNoTrans, m, k, n, 1, a, stride, b, k, 1, c, k);
}

/// What keeps entries of another backend: all that it does not keep is asked there.
template <class T>
class Keeper : public KernelBackend<T> {
 public:
  explicit Keeper(Backend<T> entries) : KernelBackend<T>(entries->threads()), entries_(std::move(entries)) {}
  std::size_t rows() const noexcept override { return entries_->rows(); }
  std::size_t cols() const noexcept override { return entries_->cols(); }
  bool symmetric() const noexcept override { return entries_->symmetric(); }
  std::size_t row_id(std::size_t i) const noexcept override { return entries_->row_id(i); }
  void diagonal(std::span<T> out) const override { entries_->diagonal(out); }
  void tile(Range rows, Range columns, T* out, std::size_t stride) const override {
    entries_->tile(rows, columns, out, stride);
  }
  void block(std::span<const std::size_t> indices, Range columns, std::span<T* const> rows) const override {
    entries_->block(indices, columns, rows);
  }
  void square(std::span<const std::size_t> indices, T* out) const override { entries_->square(indices, out); }
  Backend<T> select(std::span<const std::size_t> indices) const override { return entries_->select(indices); }
  std::size_t largest_tile() const noexcept override { return entries_->largest_tile(); }

 protected:
  Backend<T> entries_;
};

template <class T>
class Held final : public Keeper<T> {
 public:
  Held(Backend<T> entries, const Progress& progress) : Keeper<T>(std::move(entries)) {
    K_ = Buffer<T>(this->rows() * this->cols());
    this->entries_->matrix(K_.data(), progress);
  }
  const T* held() const noexcept override { return K_.data(); }
  void tile(Range rows, Range columns, T* out, std::size_t stride) const override {
    for (std::size_t i = rows.begin; i < rows.end; ++i)
      std::copy_n(row(i) + columns.begin, columns.size(), out + (i - rows.begin) * stride);
  }
  void columns(std::span<const std::size_t> indices, T* out) const override {
    for (const std::size_t j : indices)
      for (std::size_t i = 0; i < this->rows(); ++i) *out++ = row(i)[j];
  }
  void block(std::span<const std::size_t> indices, Range columns, std::span<T* const> rows) const override {
    for (std::size_t i = 0; i < indices.size(); ++i)
      std::copy_n(row(indices[i]) + columns.begin, columns.size(), rows[i]);
  }
  void square(std::span<const std::size_t> indices, T* out) const override {
    for (const std::size_t i : indices)
      for (const std::size_t j : indices) *out++ = row(i)[j];
  }

 private:
  const T* row(std::size_t i) const noexcept { return K_.data() + i * this->cols(); }
  Buffer<T> K_;
};

template <class T>
class Cached final : public Keeper<T> {
 public:
  Cached(Backend<T> entries, std::size_t memory)
      : Keeper<T>(std::move(entries)), cache_(this->rows(), memory) {}
  void columns(std::span<const std::size_t> indices, T* out) const override {
    cache_.fetch(indices, {out, indices.size() * this->rows()},
                 [&](std::span<const std::size_t> missing, T* to) { this->entries_->columns(missing, to); });
  }

 private:
  mutable ColumnCache<T> cache_;
};

class Rounded final : public KernelBackend<float> {
 public:
  Rounded(Backend<double> exact, std::string kernel, OverflowFlag noted)
      : KernelBackend(exact->threads()),
        exact_(std::move(exact)),
        kernel_(std::move(kernel)),
        noted_(std::move(noted)) {}
  std::size_t rows() const noexcept override { return exact_->rows(); }
  std::size_t cols() const noexcept override { return exact_->cols(); }
  bool symmetric() const noexcept override { return exact_->symmetric(); }
  std::size_t row_id(std::size_t i) const noexcept override { return exact_->row_id(i); }
  std::size_t largest_tile() const noexcept override { return exact_->largest_tile(); }

  void diagonal(std::span<float> out) const override {
    std::vector<double> exact(rows());
    exact_->diagonal(exact);
    for (std::size_t i = 0; i < exact.size(); ++i) out[i] = rounded(exact[i], i, i);
  }
  void tile(Range rows, Range columns, float* out, std::size_t stride) const override {
    Buffer<double> exact(rows.size() * columns.size());
    exact_->tile(rows, columns, exact.data(), columns.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::size_t j = 0; j < columns.size(); ++j)
        out[i * stride + j] = rounded(exact[i * columns.size() + j], rows.begin + i, columns.begin + j);
  }
  void columns(std::span<const std::size_t> indices, float* out) const override {
    Buffer<double> exact(indices.size() * rows());
    exact_->columns(indices, exact.data());
    for (std::size_t e = 0; e < exact.size(); ++e)
      out[e] = rounded(exact[e], e % rows(), indices[e / rows()]);
  }
  void block(std::span<const std::size_t> indices, Range columns,
             std::span<float* const> rows) const override {
    const std::size_t width = columns.size();
    Buffer<double> exact(indices.size() * width);
    exact_->block(indices, columns, row_pointers(exact.data(), indices.size(), width));
    for (std::size_t e = 0; e < exact.size(); ++e)
      rows[e / width][e % width] = rounded(exact[e], indices[e / width], columns.begin + e % width);
  }
  void square(std::span<const std::size_t> indices, float* out) const override {
    const std::size_t n = indices.size();
    Buffer<double> exact(n * n);
    exact_->square(indices, exact.data());
    for (std::size_t e = 0; e < exact.size(); ++e) out[e] = rounded(exact[e], indices[e / n], indices[e % n]);
  }
  Backend<float> select(std::span<const std::size_t> indices) const override {
    return std::make_shared<Rounded>(exact_->select(indices), kernel_, noted_);
  }

 private:
  float rounded(double value, std::size_t row, std::size_t column) const {
    const auto entry = float(value);
    if (!std::isfinite(entry))
      refuse_entry<float>(kernel_, {row_id(row), symmetric() ? row_id(column) : column, symmetric()}, value,
                          noted_);
    return entry;
  }

  Backend<double> exact_;
  std::string kernel_;
  OverflowFlag noted_;
};

template <class T>
class Given final : public KernelBackend<T> {
 public:
  Given(const Points& rows, const Points* columns, const OperatorOptions& options, const OverflowFlag& noted)
      : KernelBackend<T>(options.threads), values_(rows), symmetric_(!columns) {
    const Points& reference = columns ? *columns : rows;
    Precomputed::check_reference(reference);
    ids_.assign(reference.ids().begin(), reference.ids().end());
    numbers_ = options.row_ids;
    for (std::size_t i = 0; i < rows.rows(); ++i) at_.push_back(i);
    check_domain(values_, "", sizeof(T) == 4 ? Precision::float32 : Precision::float64, numbers_, noted);
    const auto* dense = std::get_if<Dense<T>>(&values_.storage());
    if (dense && dense->cols == ids_.size() && std::ranges::equal(ids_, at_)) held_ = dense->values.data();
  }
  Given(const Given& all, std::span<const std::size_t> indices)
      : KernelBackend<T>(all.threads()), values_(all.values_), symmetric_(true) {
    for (const std::size_t i : indices) {
      at_.push_back(all.at_[i]);
      ids_.push_back(all.ids_[i]);
      numbers_.push_back(all.row_id(i));
    }
  }

  std::size_t rows() const noexcept override { return at_.size(); }
  std::size_t cols() const noexcept override { return ids_.size(); }
  bool symmetric() const noexcept override { return symmetric_; }
  std::size_t row_id(std::size_t i) const noexcept override { return numbers_.empty() ? i : numbers_[i]; }
  const T* held() const noexcept override { return held_; }

  void diagonal(std::span<T> out) const override {
    for (std::size_t i = 0; i < rows(); ++i) read(i, {&ids_[i], 1}, &out[i]);
  }
  void tile(Range rows, Range columns, T* out, std::size_t stride) const override {
    for (std::size_t i = rows.begin; i < rows.end; ++i)
      read(i, std::span(ids_).subspan(columns.begin, columns.size()), out + (i - rows.begin) * stride);
  }
  void columns(std::span<const std::size_t> indices, T* out) const override {
    for (const std::size_t j : indices)
      for (std::size_t i = 0; i < rows(); ++i) read(i, {&ids_[j], 1}, out++);
  }
  void block(std::span<const std::size_t> indices, Range columns, std::span<T* const> rows) const override {
    for (std::size_t r = 0; r < indices.size(); ++r)
      read(indices[r], std::span(ids_).subspan(columns.begin, columns.size()), rows[r]);
  }
  void square(std::span<const std::size_t> indices, T* out) const override {
    std::vector<std::size_t> ids;
    for (const std::size_t j : indices) ids.push_back(ids_[j]);
    for (std::size_t r = 0; r < indices.size(); ++r) read(indices[r], ids, out + r * ids.size());
  }
  Backend<T> select(std::span<const std::size_t> indices) const override {
    return std::make_shared<Given>(*this, indices);
  }

 private:
  /// The values of row i in some columns.
  void read(std::size_t i, std::span<const std::size_t> ids, T* out) const {
    std::visit(
        [&](const auto& values) {
          for (const std::size_t id : ids) *out++ = T(values.at(at_[i], id));
        },
        values_.storage());
  }

  Points values_;
  bool symmetric_;
  std::vector<std::size_t> at_, ids_;      // where a row stands among the values, and a column within a row
  std::vector<std::size_t> numbers_ = {};  // of rows in messages; none: their order
  const T* held_ = nullptr;
};

}  // namespace

template <class T>
void fill_symmetric(Blocks blocks, int threads, const Progress& progress, T* out,
                    const std::function<void(Range, Range)>& compute) {
  const std::size_t count = blocks.count(), size = blocks.total;
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

// By parts that stay in the second-level cache.
template <class T>
void KernelBackend<T>::add_products(std::span<const std::size_t> indices, std::span<const double> t,
                                    Range columns, double* sums) const {
  const Blocks down{indices.size(), 128}, across{columns.size(), 512};
  Buffer<T> part(std::min(down.total, down.step) * std::min(across.total, across.step));
  for (std::size_t b = 0; b < across.count(); ++b) {
    const Range c = across[b];
    for (std::size_t a = 0; a < down.count(); ++a) {
      const Range r = down[a];
      block(indices.subspan(r.begin, r.size()), {columns.begin + c.begin, columns.begin + c.end},
            row_pointers(part.data(), r.size(), c.size()));
      simd::tile_products<T>().transposed(part.data(), c.size(), r.size(), c.size(), t.data() + r.begin,
                                          sums + c.begin);
    }
  }
}

template <class T>
void KernelBackend<T>::add_mutual_products(Range rows, Range columns, std::span<const double> t,
                                           double* sums) const {
  const Blocks down{rows.size(), 128}, across{columns.size(), 512};
  Buffer<T> part(std::min(down.total, down.step) * std::min(across.total, across.step));
  for (std::size_t b = 0; b < across.count(); ++b) {
    const Range c{columns.begin + across[b].begin, columns.begin + across[b].end};
    for (std::size_t a = 0; a < down.count(); ++a) {
      const Range r{rows.begin + down[a].begin, rows.begin + down[a].end};
      tile(r, c, part.data(), c.size());
      simd::tile_products<T>().both(part.data(), c.size(), r.size(), c.size(), t.data() + c.begin,
                                    sums + r.begin, t.data() + r.begin, sums + c.begin);
    }
  }
}

template <class T>
void KernelBackend<T>::multiply(std::span<const T> V, std::size_t k, std::span<T> out,
                                const Progress& progress) const {
  const std::size_t m = cols();
  const Blocks row_blocks{rows(), 256}, column_blocks{m, 1024};
  // OpenBLAS sums rows of a few numbers differently where they follow each other without a gap, so that what
  // is held and what is recomputed would differ in the last bit: narrow rows are always read with a gap.
  const T* whole = m > 16 ? held() : nullptr;
  parallel_for(row_blocks.count(), threads_, progress, "Gram product", [&](std::size_t task) {
    const Range r = row_blocks[task];
    std::fill_n(out.data() + r.begin * k, r.size() * k, T(0));
    Buffer<T> room(whole ? 0 : r.size() * column_blocks.step);
    for (std::size_t b = 0; b < column_blocks.count(); ++b) {
      const Range c = column_blocks[b];
      const T* values = whole ? whole + r.begin * m + c.begin : room.data();
      const std::size_t stride = whole ? m : column_blocks.step;
      if (!whole) tile(r, c, room.data(), stride);
      add_product(r.size(), c.size(), k, values, stride, V.data() + c.begin * k, out.data() + r.begin * k);
    }
  });
}

// Tiles are large so that the matrix products inside run at full speed, but the matrix is always cut finely
// enough for several threads; the cut depends on the sizes alone.
template <class T>
void KernelBackend<T>::matrix(T* out, const Progress& progress) const {
  const std::size_t m = cols();
  if (const T* whole = held()) {
    std::copy_n(whole, rows() * m, out);
    return;
  }
  const auto step_for = [](std::size_t size, std::size_t largest) {
    return std::clamp<std::size_t>((size / 4 + 127) / 128 * 128, 128, largest);
  };
  if (symmetric())
    return fill_symmetric<T>({m, step_for(m, largest_tile() / 2)}, threads_, progress, out,
                             [&](Range r, Range c) { tile(r, c, out + r.begin * m + c.begin, m); });
  const Blocks down{rows(), step_for(rows(), largest_tile() / 2)}, across{m, step_for(m, largest_tile())};
  parallel_for(down.count() * across.count(), threads_, progress, "Gram matrix", [&](std::size_t task) {
    const Range r = down[task / across.count()], c = across[task % across.count()];
    tile(r, c, out + r.begin * m + c.begin, m);
  });
}

Backend<float> rounded_entries(Backend<double> exact, std::string kernel, const OverflowFlag& noted) {
  return std::make_shared<Rounded>(std::move(exact), std::move(kernel), noted);
}
template <class T>
Backend<T> held_entries(Backend<T> entries, const Progress& progress) {
  return std::make_shared<Held<T>>(std::move(entries), progress);
}
template <class T>
Backend<T> cached_entries(Backend<T> entries, std::size_t memory) {
  return std::make_shared<Cached<T>>(std::move(entries), memory);
}

template class KernelBackend<float>;
template class KernelBackend<double>;
template void fill_symmetric(Blocks, int, const Progress&, float*, const std::function<void(Range, Range)>&);
template void fill_symmetric(Blocks, int, const Progress&, double*, const std::function<void(Range, Range)>&);
template Backend<float> held_entries(Backend<float>, const Progress&);
template Backend<double> held_entries(Backend<double>, const Progress&);
template Backend<float> cached_entries(Backend<float>, std::size_t);
template Backend<double> cached_entries(Backend<double>, std::size_t);

// Entries of a kernel matrix that was given: rows of values, read where they are.

template <class T>
Backend<T> given_entries(const Points& rows, const Points* columns, const OperatorOptions& options,
                         const OverflowFlag& noted) {
  return std::make_shared<Given<T>>(rows, columns, options, noted);
}
template Backend<float> given_entries(const Points&, const Points*, const OperatorOptions&,
                                      const OverflowFlag&);
template Backend<double> given_entries(const Points&, const Points*, const OperatorOptions&,
                                       const OverflowFlag&);

}  // namespace mercer
