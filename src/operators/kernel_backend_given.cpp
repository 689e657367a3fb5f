// Entries of a kernel matrix that was given: rows of values, read where they are.
#include "operators/kernel_backend.hpp"

#include "mercer/kernels/precomputed.hpp"

namespace mercer {

namespace {

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
Backend<T> given_entries(const Points& rows, const Points* columns, const OperatorOptions& options,
                         const OverflowFlag& noted) {
  return std::make_shared<Given<T>>(rows, columns, options, noted);
}
template Backend<float> given_entries(const Points&, const Points*, const OperatorOptions&,
                                      const OverflowFlag&);
template Backend<double> given_entries(const Points&, const Points*, const OperatorOptions&,
                                       const OverflowFlag&);

}  // namespace mercer
