// Entries computed tile by tile from a compiled kernel and packed points.
#include <cmath>
#include <optional>

#include "base/parallel.hpp"
#include "operators/kernel_backend.hpp"
#include "operators/tile.hpp"

namespace mercer {

namespace {

constexpr std::size_t worth_threads = std::size_t(1) << 18;   // entries of K by our own loops
constexpr std::size_t wide = 1024;                            // columns of points whose tiles take long
constexpr std::size_t cheap_columns = 160, cheap_words = 16;  // of points, and of those of zeros and ones

/// `rows` and `reference`: as the program's views see them.
std::vector<Layout> layouts_for(const CompiledKernel& program, const std::vector<Points>& rows,
                                const std::vector<Points>& reference, Precision precision,
                                const OperatorOptions& options) {
  using Kind = CompiledKernel::Statistic::Kind;
  std::vector<Layout> layouts;
  for (std::size_t v = 0; v < program.views.size(); ++v) {
    bool used = false, distances = false, products_only = true, minima = false;
    for (const auto& s : program.statistics) {
      if (std::size_t(s.view) != v) continue;
      used = true;
      distances = distances || s.kind == Kind::centred_dot;
      products_only = products_only && s.kind <= Kind::centred_dot;
      minima = minima || s.minimum;
    }
    layouts.push_back(!used ? Layout{}
                      : options.pairs_alone
                          ? layout_of_pairs(rows[v], reference[v], distances)
                          : choose_layout(rows[v], reference[v], distances, products_only, precision,
                                          options.memory, minima, options.largest_copy));
  }
  return layouts;
}

template <class T>
class Computed final : public KernelBackend<T> {
 public:
  Computed(const Kernel& kernel, const Points& rows, const Points* columns, const OperatorOptions& options,
           const OverflowFlag& noted)
      : KernelBackend<T>(options.threads),
        program_(std::make_shared<const CompiledKernel>(kernel)),
        text_(kernel.text()),
        noted_(noted) {
    constexpr Precision precision = sizeof(T) == 4 ? Precision::float32 : Precision::float64;
    std::vector<Points> theirs = program_->views_of(columns ? *columns : rows, nullptr, options.threads);
    std::vector<Points> ours = columns ? program_->views_of(rows, &theirs, options.threads) : theirs;
    layouts_ = layouts_for(*program_, ours, theirs, precision, options);
    const std::span<const std::size_t> ids = options.row_ids;
    right_ = std::make_shared<const PackedPoints<T>>(*program_, layouts_, std::move(theirs), nullptr,
                                                     options.threads,
                                                     columns ? std::span<const std::size_t>() : ids, noted);
    if (columns)
      left_.emplace(*program_, layouts_, std::move(ours), right_.get(), options.threads, ids, noted);
    make_engine();
  }
  /// Some of the points of a symmetric one.
  Computed(const Computed& all, std::span<const std::size_t> indices)
      : KernelBackend<T>(all.threads()),
        program_(all.program_),
        text_(all.text_),
        noted_(all.noted_),
        layouts_(all.layouts_),
        right_(std::make_shared<const PackedPoints<T>>(all.right_->gather(indices))) {
    make_engine();
  }
  /// Other rows.
  Computed(const Computed& before, const Points& rows)
      : KernelBackend<T>(before.threads()),
        program_(before.program_),
        text_(before.text_),
        noted_(before.noted_),
        layouts_(before.layouts_),
        right_(before.right_),
        engine_(before.engine_) {
    left_.emplace(*program_, layouts_, program_->views_of(rows, &right_->views, before.threads()),
                  right_.get(), before.threads(), std::span<const std::size_t>(), noted_);
  }

  std::size_t rows() const noexcept override { return row_side().rows; }
  std::size_t cols() const noexcept override { return right_->rows; }
  bool symmetric() const noexcept override { return !left_; }
  std::size_t row_id(std::size_t i) const noexcept override { return row_side().row_id(i); }

  void diagonal(std::span<T> out) const override {
    const std::vector<double> values = evaluate_points(program_->diagonal, right_->values, rows());
    for (std::size_t i = 0; i < values.size(); ++i) {
      out[i] = T(values[i]);
      if (!std::isfinite(out[i])) refuse_entry<T>(text_, {row_id(i), row_id(i), true}, values[i], noted_);
    }
  }
  void tile(Range rows, Range columns, T* out, std::size_t stride) const override {
    engine_->compute(row_side(), rows, *right_, columns, out, stride);
  }
  // k(z, x) = k(x, z): the chosen points become the rows of tiles, so that a column is contiguous.
  void columns(std::span<const std::size_t> indices, T* out) const override {
    const PackedPoints<T> chosen = right_->gather(indices);
    const std::size_t n = rows();
    const Blocks down{indices.size(), 512}, across{n, 2048};
    parallel_for(down.count() * across.count(), this->threads(), [&](std::size_t task) {
      const Range r = down[task / across.count()], c = across[task % across.count()];
      engine_->compute(chosen, r, row_side(), c, out + r.begin * n + c.begin, n);
    });
  }
  void block(std::span<const std::size_t> indices, Range columns, std::span<T* const> rows) const override {
    engine_->compute(row_side().gather(indices), *right_, columns, rows);
  }
  void add_products(std::span<const std::size_t> indices, std::span<const double> t, Range columns,
                    double* sums) const override {
    if (!engine_->adds(*right_)) return KernelBackend<T>::add_products(indices, t, columns, sums);
    engine_->add(row_side().gather(indices), t, *right_, columns, sums);
  }
  void add_mutual_products(Range rows, Range columns, std::span<const double> t,
                           double* sums) const override {
    if (!engine_->adds(*right_)) return KernelBackend<T>::add_mutual_products(rows, columns, t, sums);
    engine_->add_mutual(*right_, rows, columns, t, sums);
  }
  bool add_sums(Range rows, std::span<const T> V, std::size_t width, Range columns,
                double* sums) const override {
    const bool can = engine_->adds(*right_);
    if (can) engine_->add(row_side(), rows, V, width, *right_, columns, sums);
    return can;
  }
  void square(std::span<const std::size_t> indices, T* out) const override {
    const PackedPoints<T> chosen = right_->gather(indices);
    const std::size_t n = indices.size();
    if (engine_->adds(*right_)) {  // an entry costs less than to copy it from the other half
      const Blocks blocks{n, 256};
      parallel_for(blocks.count(), n * n < worth_threads ? 1 : this->threads(), [&](std::size_t b) {
        engine_->compute(chosen, blocks[b], chosen, {0, n}, out + blocks[b].begin * n, n);
      });
      return;
    }
    fill_symmetric<T>({n, 256}, this->threads(), {}, out, [&](Range r, Range c) {
      engine_->compute(chosen, r, chosen, c, out + r.begin * n + c.begin, n);
    });
  }
  Backend<T> select(std::span<const std::size_t> indices) const override {
    return std::make_shared<Computed>(*this, indices);
  }
  Backend<T> with_rows(const Points& rows) const override {
    // Distances between whole numbers may be looked up (TileEngine::tabulate()), as far as the rows allowed.
    if (std::ranges::any_of(layouts_, [](const Layout& layout) { return layout.whole.unit > 0; }))
      return nullptr;
    check_shapes(rows, right_->views.front());
    return std::make_shared<Computed>(*this, rows);
  }
  bool cheap() const noexcept override {
    const auto costs = [](const PackedMatrix<T>& z) {
      return z.rows > 0 && (z.whole && z.whole->bits() ? z.whole->words() > cheap_words
                                                       : z.sparse || z.in_place || z.cols > cheap_columns);
    };
    return std::ranges::none_of(right_->plain, costs) && std::ranges::none_of(right_->centred, costs) &&
           std::ranges::none_of(program_->statistics, [](const auto& statistic) {
             return statistic.kind == CompiledKernel::Statistic::Kind::tile;
           });
  }
  std::size_t largest_tile() const noexcept override {
    const auto is_wide = [](const PackedMatrix<T>& points) { return points.cols > wide; };
    return std::ranges::any_of(right_->plain, is_wide) || std::ranges::any_of(right_->centred, is_wide)
               ? 1024
               : 2048;
  }

 private:
  const PackedPoints<T>& row_side() const { return left_ ? *left_ : *right_; }
  void make_engine() {
    auto engine = std::make_shared<TileEngine<T>>(*program_, text_, noted_);
    engine->tabulate(row_side(), *right_);
    engine->lay_out(*right_);
    engine_ = std::move(engine);
  }

  std::shared_ptr<const CompiledKernel> program_;
  std::string text_;
  OverflowFlag noted_;
  std::vector<Layout> layouts_;          // of the views
  std::optional<PackedPoints<T>> left_;  // none where K is symmetric
  std::shared_ptr<const PackedPoints<T>> right_;
  std::shared_ptr<const TileEngine<T>> engine_;
};

}  // namespace

template <class T>
Backend<T> computed_entries(const Kernel& kernel, const Points& rows, const Points* columns,
                            const OperatorOptions& options, const OverflowFlag& noted) {
  return std::make_shared<Computed<T>>(kernel, rows, columns, options, noted);
}
template Backend<float> computed_entries(const Kernel&, const Points&, const Points*, const OperatorOptions&,
                                         const OverflowFlag&);
template Backend<double> computed_entries(const Kernel&, const Points&, const Points*, const OperatorOptions&,
                                          const OverflowFlag&);

}  // namespace mercer
