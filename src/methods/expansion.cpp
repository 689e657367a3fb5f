// Sums at many rows are computed tile by tile. What a sum needs of the points alone is made ready once and
// kept: the weights of a linear kernel, so that a row costs one product, and for a few rows at a time, which
// would take less time than that, the packed points of any other kernel.
#include <algorithm>
#include <mutex>
#include <numeric>

#include "base/blas.hpp"
#include "base/parallel.hpp"
#include "mercer/error.hpp"
#include "mercer/fit.hpp"
#include "mercer/geometry.hpp"
#include "mercer/user_kernel.hpp"
#include "methods/linear_weights.hpp"
#include "operators/product.hpp"
#include "operators/row_features.hpp"

namespace mercer {

namespace {

constexpr std::size_t tile_rows = 256, tile_columns = 1024;
// So few rows that packing the points would take a part of the time that is worth saving, and that no layout
// is chosen for them that others could not have (operators/packed_matrix.cpp).
constexpr std::size_t few_rows = 16;
constexpr std::size_t most_packed = std::size_t(1)
                                    << 26;  // bytes kept of sparse points laid out as dense ones

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

void add_blocks(const KernelOperator<double>& K, const Expansion& e, Range rows, double* out) {
  const SingleThreadedBlas one_thread;
  std::size_t begin = 0;
  for (std::size_t b = 0; b < e.blocks.size(); begin += e.blocks[b++])
    add_block(K, e, rows, {begin, begin + e.blocks[b]}, b, out);
}

void tile_sums(const Expansion& e, const Points& at, std::span<double> out, int threads,
               const Progress& progress) {
  const std::size_t at_once = rows_at_once(at);
  // A kernel's formula takes about as long as so many products, of which so many run at once.
  constexpr std::size_t formula = 16, lanes = 8;
  if (at.objects().empty())
    threads = threads_worth(at.rows() * e.points.rows() * (formula + at.cols()) / lanes, threads);
  for (std::size_t first = 0; first < at.rows() && e.points.rows() > 0; first += at_once) {
    const std::size_t count = std::min(at_once, at.rows() - first);
    std::vector<std::size_t> chosen(count);
    std::iota(chosen.begin(), chosen.end(), first);
    const KernelOperator<double> K(e.kernel, count == at.rows() ? at : at.select_rows(chosen), e.points,
                                   {.threads = threads});
    parallel_for((count + tile_rows - 1) / tile_rows, threads, progress, "prediction", [&](std::size_t g) {
      add_blocks(K, e, {g * tile_rows, std::min((g + 1) * tile_rows, count)},
                 out.data() + first * e.outputs());
    });
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

// Whether the points can be made ready: functions of programs and objects have ways of their own, and numbers
// that are borrowed may change.
bool can_prepare(const Expansion& e) {
  return e.points.rows() > 0 && e.points.objects().empty() && e.points.ids().empty() &&
         !e.points.borrowed() && !e.kernel.uses_precomputed() && user_functions(e.kernel).empty();
}

}  // namespace

// What was made ready, and of what. Immutable, and so shared by threads and by copies of a model.
class PreparedSums {
 public:
  PreparedSums(const Expansion& e, LinearWeights weights)
      : kernel_(e.kernel),
        points_(e.points),
        coefficients_(e.coefficients),
        blocks_(e.blocks),
        weights_(std::move(weights)) {}
  /// For rows that are stored so. Some of the points stand for them: what is made ready, and so the bits of a
  /// sum, must not depend on the rows that came first.
  PreparedSums(const Expansion& e, bool sparse) : kernel_(e.kernel), points_(e.points), sparse_(sparse) {
    std::vector<std::size_t> some(std::min(few_rows, points_.rows()));
    for (std::size_t i = 0; i < some.size(); ++i) some[i] = i * points_.rows() / some.size();
    const Points rows = points_.select_rows(some);
    columns_.emplace(kernel_, sparse ? rows.to_sparse() : rows.to_dense(), points_,
                     OperatorOptions{.memory = most_packed, .threads = 1});
  }

  bool is_of(const Expansion& e, const Points& at) const {
    if (&kernel_.node() != &e.kernel.node() || &points_.storage() != &e.points.storage()) return false;
    return weights_ ? coefficients_ == e.coefficients && blocks_ == e.blocks
                    : sparse_ == at.sparse() && at.rows() <= few_rows;
  }
  const LinearWeights* weights() const noexcept { return weights_ ? &*weights_ : nullptr; }
  KernelOperator<double> entries(const Points& at) const { return columns_->with_rows(at); }

 private:
  Kernel kernel_;
  Points points_;
  bool sparse_ = false;
  std::vector<double> coefficients_;
  std::vector<std::size_t> blocks_;
  std::optional<LinearWeights> weights_;
  std::optional<KernelOperator<double>> columns_;  // where the kernel is not linear
};

struct Preparation::Slot {
  std::mutex mutex;
  std::shared_ptr<const PreparedSums> prepared;

  std::shared_ptr<const PreparedSums> get() {
    const std::scoped_lock lock(mutex);
    return prepared;
  }
  void set(std::shared_ptr<const PreparedSums> made) {
    const std::scoped_lock lock(mutex);
    prepared = std::move(made);
  }
};

Preparation::Preparation() : slot_(std::make_unique<Slot>()) {}
Preparation::Preparation(const Preparation& other) : Preparation() {
  if (other.slot_) slot_->prepared = other.slot_->get();
}
Preparation::Preparation(Preparation&& other) noexcept = default;
Preparation& Preparation::operator=(const Preparation& other) {
  if (this != &other) *this = Preparation(other);
  return *this;
}
Preparation& Preparation::operator=(Preparation&& other) noexcept = default;
Preparation::~Preparation() = default;

/// Null where nothing is made ready for such rows.
std::shared_ptr<const PreparedSums> Preparation::prepared(const Expansion& e, const Points& at) const {
  if (!at.objects().empty() || !at.ids().empty() || at.cols() != e.points.cols() || at.rows() == 0)
    return nullptr;
  std::shared_ptr<const PreparedSums> known = slot_ ? slot_->get() : nullptr;
  if (known && known->is_of(e, at)) return known;
  if (!can_prepare(e)) return nullptr;
  std::shared_ptr<const PreparedSums> made;
  if (auto weights = LinearWeights::of(e))
    made = std::make_shared<const PreparedSums>(e, *std::move(weights));
  else if (at.rows() <= few_rows)
    made = std::make_shared<const PreparedSums>(e, at.sparse());
  if (made && slot_) slot_->set(made);
  return made;
}

void Expansion::sums(const Points& at, std::span<double> out, int threads, const Progress& progress) const {
  std::ranges::fill(out, 0.0);
  if (self == 0 && trend.empty() && points.rows() > 0 && !points.objects().empty())
    if (const auto map = RowFeatures::of(kernel, points, threads))
      return linear_sums(*this, *map, at, out, progress);
  if (const auto prepared = preparation.prepared(*this, at); prepared && prepared->weights())
    prepared->weights()->sums(at, out, threads, progress);
  else if (prepared)
    add_blocks(prepared->entries(at), *this, {0, at.rows()}, out.data());
  else
    tile_sums(*this, at, out, threads, progress);
  if (!trend.empty()) add_trend(*this, at, out);
  if (self == 0) return;
  const std::vector<double> own = self_similarities(kernel, at, points);
  for (std::size_t i = 0; i < own.size(); ++i)
    for (std::size_t o = 0; o < outputs(); ++o) out[i * outputs() + o] += self * own[i];
}

}  // namespace mercer
