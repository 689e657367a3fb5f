#include "mercer/kernel_operator.hpp"

#include <fmt/format.h>

#include "base/blas.hpp"
#include "mercer/error.hpp"
#include "operators/kernel_backend.hpp"

namespace mercer {

void check_shapes(const Points& rows, const Points& columns) {
  if (rows.cols() != columns.cols() && columns.vocabulary().keys.empty())  // features of objects may be new
    throw Error(ErrorCode::invalid_data,
                fmt::format("the points have {} columns but the reference points have {}", rows.cols(),
                            columns.cols()),
                {.hint = "they must have the same"});
}

namespace {

using Storage = OperatorOptions::Storage;

template <class T>
Backend<T> entries_of(const Kernel& kernel, const Points& rows, const Points* columns,
                      const OperatorOptions& options, const OverflowFlag& noted) {
  if (kernel.precomputed()) return given_entries<T>(rows, columns, options, noted);
  if constexpr (sizeof(T) == 4)
    if (options.float64_inside)
      return rounded_entries(computed_entries<double>(kernel, rows, columns, options, nullptr), kernel.text(),
                             noted);
  return computed_entries<T>(kernel, rows, columns, options, noted);
}

/// Held where that was asked for, or where it was left open and K fits.
template <class T>
Storage storage_for(const KernelBackend<T>& entries, const OperatorOptions& options) {
  const double bytes = double(entries.rows()) * double(entries.cols()) * sizeof(T);
  const bool fits = bytes <= double(options.memory);
  if (options.storage == Storage::held && !fits)
    throw Error(ErrorCode::out_of_memory,
                fmt::format("the Gram matrix takes {:.1f} MB but {:.1f} MB are allowed", bytes / 1e6,
                            double(options.memory) / 1e6),
                {.hint = "raise the memory or do not hold it"});
  if (options.storage != Storage::automatic) return options.storage;
  return fits ? Storage::held : Storage::cached;
}

}  // namespace

template <class T>
struct KernelOperator<T>::State {
  Kernel kernel;
  OperatorOptions options;
  OverflowFlag noted;
  Backend<T> backend = {};
  Storage storage = Storage::recomputed;

  static std::unique_ptr<const State> compile(const Kernel& kernel, const Points& rows, const Points* columns,
                                              const OperatorOptions& options) {
    const Points& reference = columns ? *columns : rows;
    auto state = std::make_unique<State>(
        State{kernel.resolve(reference), options,
              options.note_overflow ? std::make_shared<std::atomic<bool>>(false) : nullptr});
    check_shapes(rows, reference);
    const SingleThreadedBlas one_thread;
    Backend<T>& backend = state->backend;
    backend = entries_of<T>(state->kernel, rows, columns, options, state->noted);
    state->storage = storage_for(*backend, options);
    const bool usable = !state->noted || !*state->noted;
    if (state->storage == Storage::held && usable && !backend->held())
      backend = held_entries(std::move(backend), options.progress);
    if (state->storage == Storage::cached) backend = cached_entries(std::move(backend), options.memory);
    return state;
  }
};

template <class T>
KernelOperator<T>::KernelOperator(const Kernel& kernel, const Points& points, const OperatorOptions& options)
    : state_(State::compile(kernel, points, nullptr, options)) {}
template <class T>
KernelOperator<T>::KernelOperator(const Kernel& kernel, const Points& rows, const Points& columns,
                                  const OperatorOptions& options)
    : state_(State::compile(kernel, rows, &columns, options)) {}
template <class T>
KernelOperator<T>::KernelOperator(std::unique_ptr<const State> state) noexcept : state_(std::move(state)) {}
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
  return KernelOperator(std::make_unique<State>(
      State{state_->kernel, state_->options, state_->noted, state_->backend->select(indices)}));
}

template <class T>
KernelOperator<T> KernelOperator<T>::with_rows(const Points& rows) const {
  const SingleThreadedBlas one_thread;
  auto backend = symmetric() ? nullptr : state_->backend->with_rows(rows);
  if (!backend)
    throw Error(ErrorCode::invalid_argument,
                "other rows are taken by a Gram matrix between two sets that keeps no entries");
  return KernelOperator(
      std::make_unique<State>(State{state_->kernel, state_->options, state_->noted, std::move(backend)}));
}

template <class T>
std::size_t KernelOperator<T>::rows() const noexcept {
  return state_->backend->rows();
}
template <class T>
std::size_t KernelOperator<T>::cols() const noexcept {
  return state_->backend->cols();
}
template <class T>
bool KernelOperator<T>::symmetric() const noexcept {
  return state_->backend->symmetric();
}
template <class T>
std::size_t KernelOperator<T>::row_id(std::size_t i) const noexcept {
  return state_->backend->row_id(i);
}
template <class T>
const Kernel& KernelOperator<T>::kernel() const noexcept {
  return state_->kernel;
}
template <class T>
OperatorOptions::Storage KernelOperator<T>::storage() const noexcept {
  return state_->storage;
}
template <class T>
bool KernelOperator<T>::finite() const noexcept {
  return !state_->noted || !*state_->noted;
}
template <class T>
bool KernelOperator<T>::cheap() const noexcept {
  return state_->backend->cheap();
}
template <class T>
const T* KernelOperator<T>::held() const noexcept {
  return state_->backend->held();
}

template <class T>
void KernelOperator<T>::diagonal(std::span<T> out) const {
  if (!symmetric())
    throw Error(ErrorCode::unsupported, "a Gram matrix between two sets has no diagonal k(x, x)");
  state_->backend->diagonal(out);
}
template <class T>
void KernelOperator<T>::tile(Range rows, Range columns, std::span<T> out) const {
  const SingleThreadedBlas one_thread;
  state_->backend->tile(rows, columns, out.data(), columns.size());
}
template <class T>
void KernelOperator<T>::columns(std::span<const std::size_t> indices, std::span<T> out) const {
  const SingleThreadedBlas one_thread;
  state_->backend->columns(indices, out.data());
}
template <class T>
void KernelOperator<T>::block(std::span<const std::size_t> indices, Range columns,
                              std::span<T* const> rows) const {
  const SingleThreadedBlas one_thread;
  state_->backend->block(indices, columns, rows);
}
template <class T>
void KernelOperator<T>::add_products(std::span<const std::size_t> indices, std::span<const double> t,
                                     Range columns, std::span<double> sums) const {
  const SingleThreadedBlas one_thread;
  state_->backend->add_products(indices, t, columns, sums.data());
}
template <class T>
void KernelOperator<T>::add_mutual_products(Range rows, Range columns, std::span<const double> t,
                                            std::span<double> sums) const {
  const SingleThreadedBlas one_thread;
  state_->backend->add_mutual_products(rows, columns, t, sums.data());
}
template <class T>
bool KernelOperator<T>::add_sums(Range rows, std::span<const T> V, std::size_t width, Range columns,
                                 std::span<double> sums) const {
  return state_->backend->add_sums(rows, V, width, columns, sums.data());
}
template <class T>
void KernelOperator<T>::square(std::span<const std::size_t> indices, std::span<T> out) const {
  const SingleThreadedBlas one_thread;
  state_->backend->square(indices, out.data());
}
template <class T>
void KernelOperator<T>::multiply(std::span<const T> V, std::size_t k, std::span<T> out) const {
  const SingleThreadedBlas one_thread;
  state_->backend->multiply(V, k, out, state_->options.progress);
}
template <class T>
void KernelOperator<T>::matrix(std::span<T> out) const {
  const SingleThreadedBlas one_thread;
  state_->backend->matrix(out.data(), state_->options.progress);
}

template class KernelOperator<float>;
template class KernelOperator<double>;

}  // namespace mercer
