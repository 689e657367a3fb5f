#include "operators/tile.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "operators/product.hpp"
#include "operators/simd/shallow_product.hpp"
#include "kernels/node.hpp"

namespace mercer {

namespace {

constexpr std::size_t tile_part_columns = 512;
constexpr std::size_t panel_columns = 2048;
constexpr std::size_t longest_table = 4096;  // what stays in the first-level cache

template <class B>
void make_room(B& buffer, std::size_t size) {
  if (buffer.size() < size) buffer = B(size);
}

// Empty where the factor is 1.
template <class N>
std::vector<N> times(std::span<const N> numbers, N factor) {
  std::vector<N> scaled;
  if (factor == 1) return scaled;
  for (const N number : numbers) scaled.push_back(factor * number);
  return scaled;
}

}  // namespace

template <class T>
TileEngine<T>::TileEngine(const CompiledKernel& program, std::string kernel_text, OverflowFlag noted)
    : program_(program),
      bytecode_(program.formula),
      simd_(simd::functions()),
      kernel_text_(std::move(kernel_text)),
      noted_(std::move(noted)) {
  for (const auto& statistic : program.statistics) {
    const bool sums = statistic.kind == CompiledKernel::Statistic::Kind::coordinate_sum;
    const Formula none({{.code = Formula::Code::constant}});
    coordinate_bytecode_.emplace_back(sums ? statistic.coordinate : none);
    pair_bytecode_.emplace_back(sums ? statistic.coordinate_pairs : none);
  }
  using Code = Formula::Code;
  const auto& steps = bytecode_.steps;
  const bool scaled = steps.size() == 3 && steps[2].code == Code::affine && steps[2].p > 0 &&
                      std::isfinite(steps[2].p * std::exp(T(simd::gaussian_shift))) && steps[2].q == 0;
  if (program_.statistics.size() == 1 && (scaled || steps.size() == 2) &&
      steps[0].code == Code::squared_distance && steps[1].code == Code::exp_affine && steps[1].p <= 0 &&
      std::abs(steps[1].q) <= simd::gaussian_shift)
    gaussian_ = {std::size_t(program_.statistics[0].view), std::size_t(steps[0].norm), steps[1].p, steps[1].q,
                 scaled ? steps[2].p : T(1)};
}

template <class T>
void TileEngine<T>::compute(const PackedPoints<T>& a, Range rows, const PackedPoints<T>& b, Range columns,
                            T* out, std::size_t stride) const {
  if (rows.size() == 0 || columns.size() == 0) return;
  auto loan = idle_.borrow();
  Scratch& scratch = *loan;
  scratch.rows.resize(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) scratch.rows[i] = out + i * stride;
  compute({a, b, rows, columns, scratch.rows.data()}, out, stride, scratch);
}

// In parts whose statistics stay in the second-level cache until the formula has used them.
template <class T>
void TileEngine<T>::compute(const PackedPoints<T>& a, const PackedPoints<T>& b, Range columns,
                            std::span<T* const> rows) const {
  auto loan = idle_.borrow();
  Scratch& scratch = *loan;
  for (Range part = columns; part.begin < columns.end && !rows.empty(); part.begin = part.end) {
    part.end = std::min(part.begin + tile_part_columns, columns.end);
    scratch.rows.assign(rows.begin(), rows.end());
    for (T*& row : scratch.rows) row += part.begin - columns.begin;
    compute({a, b, {0, rows.size()}, part, scratch.rows.data()}, nullptr, 0, scratch);
  }
}

template <class T>
void TileEngine<T>::tabulate(const PackedPoints<T>& a, const PackedPoints<T>& b) {
  using Code = Formula::Code;
  const auto& operations = program_.formula.operations();
  const auto looks_elsewhere = [](const auto& o) {
    return o.code == Code::row_value || o.code == Code::column_value;
  };
  if (program_.statistics.size() != 1 ||
      program_.statistics[0].kind != CompiledKernel::Statistic::Kind::centred_dot ||
      std::ranges::any_of(operations, looks_elsewhere))
    return;
  const auto v = std::size_t(program_.statistics[0].view);
  const auto &left = a.centred[v].whole, &right = b.centred[v].whole;
  if (!left || !left->bytes()) return;
  const double farthest = std::sqrt(double(left->largest_norm())) + std::sqrt(double(right->largest_norm()));
  const auto size = std::size_t(farthest * farthest) + 2;
  if (size > longest_table) return;
  // The distance of a point at the origin from one whose squared norm is the distance asked for.
  std::vector<T> distances(size), zeros(size), values(size), row_values(a.rounded.size());
  for (std::size_t k = 0; k < size; ++k) distances[k] = T(double(k) * left->unit() * left->unit());
  const std::vector<const T*> norms(a.rounded.size(), distances.data());
  const T* const products[] = {zeros.data()};
  Buffer<T> registers(simd::block * std::size_t(bytecode_.registers + 3));
  simd::evaluate(simd_, bytecode_,
                 {.statistics = products,
                  .row_values = row_values.data(),
                  .column_values = norms.data(),
                  .out = values.data(),
                  .n = size},
                 registers.data());
  if (simd::finite(simd_, values.data(), size)) table_ = std::move(values);
}

// The first statistic goes to `first`, with rows `stride` apart, where it is given.
template <class T>
void TileEngine<T>::compute(const Tile& t, T* first, std::size_t stride, Scratch& scratch) const {
  const auto& all = program_.statistics;
  if (adds(t.b)) {
    simd::gaussian_tiles<T>().fill(gaussian_tile(t.a, t.rows, t.b, t.columns), t.out);
    for (std::size_t i = 0; i < t.rows.size() && gaussian_->factor != 1; ++i)
      for (std::size_t j = 0; j < t.columns.size(); ++j) t.out[i][j] *= gaussian_->factor;
    return;
  }
  if (!table_.empty()) {
    const auto v = std::size_t(all[0].view);
    return t.a.centred[v].whole->look_up_distances(t.rows, *t.b.centred[v].whole, t.columns,
                                                   std::span<const T>(table_), t.out);
  }
  scratch.statistics.resize(all.size());
  std::vector<const T*> at(all.size());
  std::vector<std::size_t> strides(all.size());
  for (std::size_t s = 0; s < all.size(); ++s) {
    // A dot product and a squared distance over the same numbers need one matrix product.
    const auto v = std::size_t(all[s].view);
    const auto is_product = [](const auto& x) {
      return x.kind <= CompiledKernel::Statistic::Kind::centred_dot;
    };
    const bool shared = same_numbers(t.a.centred[v], t.a.plain[v]) && !t.a.plain[v].direct;
    std::size_t same = s;
    for (std::size_t other = 0; other < s && is_product(all[s]) && shared; ++other)
      if (all[other].view == all[s].view && is_product(all[other])) same = other;
    if (same != s) {
      at[s] = at[same];
      strides[s] = strides[same];
      continue;
    }
    T* target = first;
    strides[s] = stride;
    if (s > 0 || !first) {
      strides[s] = t.columns.size();
      make_room(scratch.statistics[s], t.rows.size() * t.columns.size());
      target = scratch.statistics[s].data();
    }
    fill_statistic(all[s], s, t, target, strides[s], scratch);
    at[s] = target;
  }
  run_formula(t, at, strides, scratch);
}

template <class T>
bool TileEngine<T>::adds(const PackedPoints<T>& b) const {
  if (!gaussian_) return false;
  const PackedMatrix<T>& z = b.centred[gaussian_->view];
  return z.whole ? z.whole->bits() : z.dense && z.cols <= simd::gaussian_columns;
}

template <class T>
void TileEngine<T>::lay_out(const PackedPoints<T>& b) {
  if (!adds(b) || b.centred[gaussian_->view].whole) return;
  const PackedMatrix<T>& z = b.centred[gaussian_->view];
  const auto& tiles = simd::gaussian_tiles<T>();
  const std::size_t width = tiles.panel_columns(), count = (z.rows + width - 1) / width * width;
  panels_ = Buffer<T>(count * z.cols);
  tiles.turn(z.dense, z.rows, z.cols, panels_.data());
  laid_out_ = z.dense;
}

template <class T>
void TileEngine<T>::add(const PackedPoints<T>& a, std::span<const double> t, const PackedPoints<T>& b,
                        Range columns, double* sums) const {
  const std::vector<double> scaled = times(t, double(gaussian_->factor));
  simd::gaussian_tiles<T>().add(gaussian_tile(a, {0, a.rows}, b, columns),
                                scaled.empty() ? t.data() : scaled.data(), sums);
}

template <class T>
void TileEngine<T>::add(const PackedPoints<T>& a, Range rows, std::span<const T> V, std::size_t width,
                        const PackedPoints<T>& b, Range columns, double* sums) const {
  const std::vector<T> scaled = times(V, gaussian_->factor);
  simd::gaussian_tiles<T>().add_several(gaussian_tile(a, rows, b, columns),
                                        scaled.empty() ? V.data() : scaled.data(), width, sums,
                                        columns.size());
}

template <class T>
void TileEngine<T>::add_mutual(const PackedPoints<T>& a, Range rows, Range columns, std::span<const double> t,
                               double* sums) const {
  const auto factors = [&](Range of) {
    return times(t.subspan(of.begin, of.size()), double(gaussian_->factor));
  };
  const std::vector<double> of_rows = factors(rows), of_columns = factors(columns);
  const auto start = [&](const std::vector<double>& scaled, Range of) {
    return scaled.empty() ? t.data() + of.begin : scaled.data();
  };
  simd::gaussian_tiles<T>().add_both(gaussian_tile(a, rows, a, columns), start(of_rows, rows),
                                     sums + columns.begin, start(of_columns, columns), sums + rows.begin);
}

template <class T>
simd::GaussianTile<T> TileEngine<T>::gaussian_tile(const PackedPoints<T>& a, Range rows,
                                                   const PackedPoints<T>& b, Range columns) const {
  const PackedMatrix<T>&x = a.centred[gaussian_->view], &z = b.centred[gaussian_->view];
  if (x.whole)
    return {.rows = rows.size(),
            .columns = columns.size(),
            .p = T(double(gaussian_->p) * x.whole->unit() * x.whole->unit()),
            .q = gaussian_->q,
            .words = x.whole->words(),
            .x_bits = x.whole->words_from(rows.begin),
            .z_bits = z.whole->words_from(columns.begin)};
  const bool laid_out =
      laid_out_ == z.dense && columns.begin % simd::gaussian_tiles<T>().panel_columns() == 0;
  return {.rows = rows.size(),
          .columns = columns.size(),
          .d = x.cols,
          .x = x.dense + rows.begin * x.cols,
          .z = z.dense + columns.begin * z.cols,
          .row_norms = a.rounded[gaussian_->norm].data() + rows.begin,
          .column_norms = b.rounded[gaussian_->norm].data() + columns.begin,
          .panels = laid_out ? panels_.data() + columns.begin * z.cols : nullptr,
          .direct = x.direct,
          .p = gaussian_->p,
          .q = gaussian_->q};
}

template <class T>
void TileEngine<T>::fill_statistic(const CompiledKernel::Statistic& statistic, std::size_t number,
                                   const Tile& t, T* out, std::size_t stride, Scratch& scratch) const {
  using Kind = CompiledKernel::Statistic::Kind;
  const auto v = std::size_t(statistic.view);
  if (statistic.kind == Kind::tile) {
    const std::size_t rows = t.rows.size(), columns = t.columns.size();
    make_room(scratch.tile, rows * columns);
    const bool turned = t.turned();
    if (turned)
      statistic.tile(t.b.views[v], t.columns, t.a.views[v], t.rows, scratch.tile.data());
    else
      statistic.tile(t.a.views[v], t.rows, t.b.views[v], t.columns, scratch.tile.data());
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < columns; ++j)
        out[i * stride + j] = T(scratch.tile[turned ? j * rows + i : i * columns + j]);
    return;
  }
  const bool centred = statistic.kind == Kind::centred_dot;
  const PackedMatrix<T>& a = centred ? t.a.centred[v] : t.a.plain[v];
  const PackedMatrix<T>& b = centred ? t.b.centred[v] : t.b.plain[v];
  if (statistic.kind == Kind::coordinate_sum) {
    if (a.sparse && statistic.minimum)
      sparse_meetings(a, b, t, out, stride, scratch, [](T x, T z) { return std::min(x, z); });
    else if (a.sparse)
      sparse_sums(a, b, pair_bytecode_[number], t, out, stride, scratch);
    else
      dense_sums(a, b, coordinate_bytecode_[number], t, out, stride, scratch);
  } else if (centred && a.direct) {
    by_coordinate(a, b, t, out, stride, scratch, [&](const auto& row) { simd::distances(simd_, row); });
  } else if (a.whole) {
    a.whole->products(t.rows, *b.whole, t.columns, out, stride);
  } else if (a.sparse) {
    sparse_meetings(a, b, t, out, stride, scratch, [](T x, T z) { return x * z; });
  } else if (a.in_place) {
    panel_products(a, b, t, out, stride, scratch);
  } else if (a.own_loops) {
    simd::shallow_product<T>()(t.rows.size(), t.columns.size(), a.cols, a.dense + t.rows.begin * a.cols,
                               b.dense + t.columns.begin * b.cols, out, stride);
  } else {
    dense_products(t.rows.size(), t.columns.size(), a.cols, a.dense + t.rows.begin * a.cols,
                   b.dense + t.columns.begin * b.cols, out, stride);
  }
}

// Some columns of both sides at a time; which ones, and so an entry's bits, does not depend on the tile.
template <class T>
void TileEngine<T>::panel_products(const PackedMatrix<T>& a, const PackedMatrix<T>& b, const Tile& t, T* out,
                                   std::size_t stride, Scratch& scratch) const {
  const std::size_t m = t.rows.size(), n = t.columns.size();
  make_room(scratch.left_panel, m * panel_columns);
  make_room(scratch.right_panel, n * panel_columns);
  make_room(scratch.product, m * n);
  for (std::size_t begin = 0; begin < a.cols; begin += panel_columns) {
    const Range panel{begin, std::min(begin + panel_columns, a.cols)};
    a.read(t.rows, panel, scratch.left_panel.data());
    b.read(t.columns, panel, scratch.right_panel.data());
    dense_products(m, n, panel.size(), scratch.left_panel.data(), scratch.right_panel.data(),
                   scratch.product.data(), n);
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = 0; j < n; ++j)
        out[i * stride + j] =
            begin == 0 ? scratch.product[i * n + j] : out[i * stride + j] + scratch.product[i * n + j];
  }
}

// Σ meet(xₖ, zₖ) over the coordinates that both have: Gustavson's product, with the columns' points stored by
// coordinate, so that each non-zero of a row meets only the points that have that coordinate.
template <class T>
template <class Meet>
void TileEngine<T>::sparse_meetings(const PackedMatrix<T>& a, const PackedMatrix<T>& b, const Tile& t, T* out,
                                    std::size_t stride, Scratch& scratch, const Meet& meet) const {
  const Sparse<T>&x = *a.sparse, &z = *b.sparse;
  const std::size_t first = z.starts[t.columns.begin], last = z.starts[t.columns.end];
  scratch.starts.assign(b.cols + 2, 0);
  scratch.points.resize(last - first);
  scratch.numbers.resize(last - first);
  for (std::size_t e = first; e < last; ++e) ++scratch.starts[std::size_t(z.indices[e]) + 2];
  std::partial_sum(scratch.starts.begin(), scratch.starts.end(), scratch.starts.begin());
  for (std::size_t j = t.columns.begin; j < t.columns.end; ++j) {
    for (std::size_t e = z.starts[j]; e < z.starts[j + 1]; ++e) {
      const std::size_t place = scratch.starts[std::size_t(z.indices[e]) + 1]++;
      scratch.points[place] = std::int32_t(j - t.columns.begin);
      scratch.numbers[place] = z.values[e];
    }
  }
  for (std::size_t i = t.rows.begin; i < t.rows.end; ++i) {
    T* row = out + (i - t.rows.begin) * stride;
    std::fill_n(row, t.columns.size(), T(0));
    for (std::size_t e = x.starts[i]; e < x.starts[i + 1]; ++e) {
      const auto k = std::size_t(x.indices[e]);
      const T value = x.values[e];
      for (std::size_t p = scratch.starts[k]; p < scratch.starts[k + 1]; ++p)
        row[scratch.points[p]] += meet(value, scratch.numbers[p]);
    }
  }
}

// Calls sum_row(row) for each row and block of columns, whose points are laid out by coordinate.
template <class T>
template <class SumRow>
void TileEngine<T>::by_coordinate(const PackedMatrix<T>& a, const PackedMatrix<T>& b, const Tile& t, T* out,
                                  std::size_t stride, Scratch& scratch, const SumRow& sum_row) const {
  const std::size_t d = a.cols;
  make_room(scratch.transposed, d * simd::block);
  for (std::size_t first = t.columns.begin; first < t.columns.end; first += simd::block) {
    const std::size_t n = std::min(simd::block, t.columns.end - first);
    for (std::size_t k = 0; k < d; ++k)
      for (std::size_t j = 0; j < simd::block; ++j)
        scratch.transposed[k * simd::block + j] = j < n ? b.dense[(first + j) * d + k] : T(0);
    for (std::size_t i = t.rows.begin; i < t.rows.end; ++i)
      sum_row(simd::CoordinateRow<T>{.x = a.dense + i * d,
                                     .d = d,
                                     .z = scratch.transposed.data(),
                                     .stride = simd::block,
                                     .out = out + (i - t.rows.begin) * stride + (first - t.columns.begin),
                                     .n = n});
  }
}

template <class T>
void TileEngine<T>::dense_sums(const PackedMatrix<T>& a, const PackedMatrix<T>& b,
                               const simd::Bytecode<T>& bytecode, const Tile& t, T* out, std::size_t stride,
                               Scratch& scratch) const {
  make_room(scratch.registers, simd::block * std::size_t(bytecode.registers + 3));
  by_coordinate(a, b, t, out, stride, scratch,
                [&](const auto& row) { simd::sum(simd_, bytecode, row, scratch.registers.data()); });
}

// Pairs of sparse points: the coordinates that either has are laid side by side; all others are (0, 0).
template <class T>
void TileEngine<T>::sparse_sums(const PackedMatrix<T>& a, const PackedMatrix<T>& b,
                                const simd::Bytecode<T>& bytecode, const Tile& t, T* out, std::size_t stride,
                                Scratch& scratch) const {
  const Sparse<T>&x = *a.sparse, &z = *b.sparse;
  make_room(scratch.registers, simd::block * std::size_t(bytecode.registers + 3));
  const auto sum_of_terms = [&] {
    scratch.terms.resize(scratch.left.size());
    const T* sides[] = {scratch.left.data(), scratch.right.data()};
    simd::evaluate(simd_, bytecode,
                   {.column_values = sides, .out = scratch.terms.data(), .n = scratch.terms.size()},
                   scratch.registers.data());
    return std::accumulate(scratch.terms.begin(), scratch.terms.end(), 0.0);
  };
  scratch.left.assign(1, T(0));
  scratch.right.assign(1, T(0));
  const double zero_term = sum_of_terms();
  for (std::size_t i = t.rows.begin; i < t.rows.end; ++i) {
    for (std::size_t j = t.columns.begin; j < t.columns.end; ++j) {
      scratch.left.clear();
      scratch.right.clear();
      std::size_t p = x.starts[i], q = z.starts[j];
      while (p < x.starts[i + 1] || q < z.starts[j + 1]) {
        const std::int32_t left = p < x.starts[i + 1] ? x.indices[p] : INT32_MAX;
        const std::int32_t right = q < z.starts[j + 1] ? z.indices[q] : INT32_MAX;
        scratch.left.push_back(left <= right ? x.values[p++] : T(0));
        scratch.right.push_back(right <= left ? z.values[q++] : T(0));
      }
      const double others = double(a.cols) - double(scratch.left.size());
      out[(i - t.rows.begin) * stride + (j - t.columns.begin)] = T(sum_of_terms() + others * zero_term);
    }
  }
}

template <class T>
void TileEngine<T>::run_formula(const Tile& t, const std::vector<const T*>& statistics,
                                const std::vector<std::size_t>& strides, Scratch& scratch) const {
  struct Context {
    const TileEngine& engine;
    const Tile& tile;
    std::size_t row;
  } context{*this, t, 0};
  const auto exact = [](const void* c, std::int32_t statistic, std::size_t j) -> T {
    const auto& [engine, tile, row] = *static_cast<const Context*>(c);
    const auto v = std::size_t(engine.program_.statistics[std::size_t(statistic)].view);
    return T(squared_distance(tile.a.centred[v], row, tile.b.centred[v], tile.columns.begin + j));
  };
  const bool loses_nothing = std::ranges::all_of(program_.statistics, [&](const auto& s) {
    const auto& whole = t.a.centred[std::size_t(s.view)].whole;
    return s.kind != CompiledKernel::Statistic::Kind::centred_dot ||
           (whole && whole->template sums_are_exact<T>() &&
            t.b.centred[std::size_t(s.view)].whole->template sums_are_exact<T>());
  });
  std::vector<std::uint8_t> direct;
  for (const auto& s : program_.statistics)
    direct.push_back(s.kind == CompiledKernel::Statistic::Kind::centred_dot &&
                     t.a.centred[std::size_t(s.view)].direct);
  make_room(scratch.registers, simd::block * std::size_t(bytecode_.registers + 3));
  std::vector<const T*> row_statistics(statistics.size()), column_values;
  for (const auto& value : t.b.rounded) column_values.push_back(value.data() + t.columns.begin);
  std::vector<T> row_values(t.a.rounded.size());
  for (std::size_t i = 0; i < t.rows.size(); ++i) {
    context.row = t.rows.begin + i;
    for (std::size_t s = 0; s < statistics.size(); ++s) row_statistics[s] = statistics[s] + i * strides[s];
    for (std::size_t v = 0; v < row_values.size(); ++v) row_values[v] = t.a.rounded[v][context.row];
    T* out = t.out[i];
    simd::evaluate(simd_, bytecode_,
                   {.statistics = row_statistics.data(),
                    .row_values = row_values.data(),
                    .column_values = column_values.data(),
                    .out = out,
                    .n = t.columns.size(),
                    .exact_distance = loses_nothing ? nullptr : +exact,
                    .context = &context,
                    .direct = direct.data()},
                   scratch.registers.data());
    if (!simd::finite(simd_, out, t.columns.size())) {
      const auto wrong = std::find_if(out, out + t.columns.size(), [](T v) { return !std::isfinite(v); });
      refuse_overflow(t, context.row, t.columns.begin + std::size_t(wrong - out), *wrong);
    }
  }
}

template <class T>
void TileEngine<T>::refuse_overflow(const Tile& t, std::size_t row, std::size_t column, T value) const {
  std::size_t first = t.a.row_id(row), second = t.b.row_id(column);
  if (t.turned()) std::swap(first, second);
  refuse_entry<T>(kernel_text_, {first, second, t.a.is_reference && t.b.is_reference}, double(value), noted_);
}

template class TileEngine<float>;
template class TileEngine<double>;

}  // namespace mercer
