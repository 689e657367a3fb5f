#include "operators/symmetric_product.hpp"

#include <algorithm>
#include <cmath>

#include "base/blas.hpp"
#include "base/parallel.hpp"
#include "operators/product.hpp"

namespace mercer {

namespace {

std::size_t step_for(std::size_t n) { return std::clamp<std::size_t>((n / 8 + 63) / 64 * 64, 64, 1024); }
std::size_t count_for(std::size_t n) { return (n + step_for(n) - 1) / step_for(n); }

// Tile t = row(row + 1)/2 + column.
std::size_t row_of(std::size_t t) {
  auto row = std::size_t((std::sqrt(8 * double(t) + 1) - 1) / 2);
  while (row * (row + 1) / 2 > t) --row;
  while ((row + 1) * (row + 2) / 2 <= t) ++row;
  return row;
}

constexpr std::size_t recomputed_rows = 128;  // of a tile that is not held, at a time: it stays in the cache

// Rows of tiles are added up in groups, each with its own output: more for more threads, fewer for memory.
std::size_t groups_for(std::size_t blocks, std::size_t outputs) {
  constexpr std::size_t most_numbers = std::size_t(1) << 22;
  return std::min(blocks, std::clamp<std::size_t>(most_numbers / std::max<std::size_t>(outputs, 1), 4, 32));
}

}  // namespace

template <class T>
SymmetricProduct<T>::SymmetricProduct(const KernelOperator<T>& K, std::size_t memory, int threads,
                                      const Progress& progress)
    : K_(K),
      progress_(progress),
      threads_(threads),
      n_(K.rows()),
      step_(step_for(n_)),
      blocks_(count_for(n_)) {
  std::size_t place = 0;
  for (std::size_t t = 0; t < blocks_ * (blocks_ + 1) / 2; ++t) {
    first_.push_back(place);
    place += tile(t).entries();
    if (place * sizeof(T) <= memory) held_tiles_ = t + 1;
  }
  hold_tiles();
}

template <class T>
std::size_t SymmetricProduct<T>::whole_bytes(std::size_t n) {
  if (n == 0) return 0;
  const std::size_t step = step_for(n), blocks = count_for(n), last = n - (blocks - 1) * step;
  return sizeof(T) * (n * n + (blocks - 1) * step * step + last * last) / 2;
}

template <class T>
auto SymmetricProduct<T>::tile(std::size_t number) const -> Tile {
  const std::size_t row = row_of(number), column = number - row * (row + 1) / 2;
  const auto range = [&](std::size_t block) {
    return Range{block * step_, std::min(n_, (block + 1) * step_)};
  };
  return {range(row), range(column)};
}

template <class T>
void SymmetricProduct<T>::hold_tiles() {
  if (held_tiles_ == 0) return;
  held_ = Buffer<T>(first_[held_tiles_ - 1] + tile(held_tiles_ - 1).entries());
  parallel_for(held_tiles_, threads_worth(held_.size(), threads_), [&](std::size_t t) {
    const Tile own = tile(t);
    K_.tile(own.rows, own.columns, {held_.data() + first_[t], own.entries()});
    progress_.check("Gram matrix", double(t) / double(held_tiles_));
  });
  evaluations_ += held_.size();
}

template <class T>
void SymmetricProduct<T>::add_tile(std::size_t number, const double* V, std::size_t k, double* out,
                                   Buffer<T>& scratch) const {
  const Tile own = tile(number);
  const std::size_t columns = own.columns.size();
  const bool held = number < held_tiles_;
  if (!held && scratch.empty()) scratch = Buffer<T>(recomputed_rows * step_);
  const std::size_t part = held ? own.rows.size() : recomputed_rows;
  for (std::size_t begin = own.rows.begin; begin < own.rows.end; begin += part) {
    const Range rows{begin, std::min(begin + part, own.rows.end)};
    if (!held) K_.tile(rows, own.columns, {scratch.data(), rows.size() * columns});
    const T* values = held ? held_.data() + first_[number] : scratch.data();
    const bool twice = !own.diagonal();
    add_panel_products(values, columns, rows.size(), columns, k, V + own.columns.begin * k,
                       out + rows.begin * k, twice ? V + rows.begin * k : nullptr,
                       twice ? out + own.columns.begin * k : nullptr);
  }
}

template <class T>
void SymmetricProduct<T>::add_row(std::size_t block_row, const double* V, std::size_t k, double* out) const {
  Buffer<T> scratch;
  for (std::size_t column = 0; column <= block_row; ++column) {
    add_tile(block_row * (block_row + 1) / 2 + column, V, k, out, scratch);
    progress_.check("Gram product", 0);
  }
}

template <class T>
void SymmetricProduct<T>::multiply(std::span<const double> V, std::size_t k, std::span<double> out) const {
  if (n_ == 0 || k == 0) return;
  const SingleThreadedBlas one_thread;
  const std::size_t outputs = n_ * k, groups = groups_for(blocks_, outputs);
  Buffer<double> sums(groups * outputs);
  parallel_for(groups, threads_worth(n_ * outputs, threads_), [&](std::size_t g) {
    double* own = sums.data() + g * outputs;
    std::fill_n(own, outputs, 0.0);
    // The longest row first, and back and forth, so that the groups are about as large as each other.
    for (std::size_t place = 0; place < blocks_; ++place) {
      const std::size_t turn = place % (2 * groups), to = turn < groups ? turn : 2 * groups - 1 - turn;
      if (to == g) add_row(blocks_ - 1 - place, V.data(), k, own);
    }
  });
  constexpr std::size_t chunk = 4096;
  parallel_for((outputs + chunk - 1) / chunk, threads_worth(outputs * groups, threads_), [&](std::size_t c) {
    const std::size_t begin = c * chunk, end = std::min(outputs, begin + chunk);
    std::copy(sums.data() + begin, sums.data() + end, out.data() + begin);
    for (std::size_t g = 1; g < groups; ++g)
      for (std::size_t e = begin; e < end; ++e) out[e] += sums[g * outputs + e];
  });
  const std::size_t all = first_.back() + tile(first_.size() - 1).entries();
  evaluations_ += all - held_.size();
}

template class SymmetricProduct<float>;
template class SymmetricProduct<double>;

}  // namespace mercer
