#include "data/density.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>

#include "mercer/error.hpp"

namespace mercer {

namespace {

bool over_half(std::size_t rows, std::size_t cols, std::size_t stored) noexcept {
  return double(stored) > double(rows) * double(cols) / 2;
}

/// Gives the pages wholly inside [first, last) back to the system. What they hold is lost.
template <class T>
void give_back(T* first, T* last) noexcept {
  constexpr std::uintptr_t page = std::uintptr_t(2) << 20;  // large buffers ask for huge pages
  const auto begin = (reinterpret_cast<std::uintptr_t>(first) + page - 1) / page * page;
  const auto end = reinterpret_cast<std::uintptr_t>(last) / page * page;
  if (begin < end) ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
}

template <class T>
Dense<T> spread(Sparse<T> from) {
  Dense<T> to{from.rows, from.cols, Buffer<T>(checked_product(from.rows, from.cols))};
  const std::size_t block = std::max<std::size_t>(1, (std::size_t(1) << 22) / from.cols);
  std::size_t given_back = 0;  // entries
  for (std::size_t first = 0; first < from.rows; first += block) {
    const std::size_t last = std::min(from.rows, first + block), entries = from.starts[last];
    std::fill(to.values.data() + first * from.cols, to.values.data() + last * from.cols, T(0));
    for (std::size_t i = first; i < last; ++i)
      for (std::size_t k = from.starts[i]; k < from.starts[i + 1]; ++k)
        to.values[i * from.cols + std::size_t(from.indices[k])] = from.values[k];
    give_back(from.indices.data() + given_back, from.indices.data() + entries);
    give_back(from.values.data() + given_back, from.values.data() + entries);
    given_back = entries;
  }
  return to;
}

}  // namespace

std::size_t checked_product(std::size_t rows, std::size_t cols) {
  if (cols != 0 && rows > SIZE_MAX / 16 / cols)
    throw Error(ErrorCode::invalid_data,
                fmt::format("points: {} rows of {} columns are more than memory can hold", rows, cols));
  return rows * cols;
}

bool mostly_non_zero(const Points& points) noexcept {
  return points.sparse() && over_half(points.rows(), points.cols(), points.stored());
}

bool may_be_dense(const Points& points) noexcept {
  if (!points.sparse() || mostly_non_zero(points) || points.rows() == 0) return true;
  return points.cols() <= most_numbers_filled_in / points.rows();
}

Points::Storage dense_where_mostly_non_zero(Points::Storage storage) {
  return std::visit(
      [](auto& held) -> Points::Storage {
        if constexpr (requires { held.starts; })
          if (over_half(held.rows, held.cols, held.values.size())) return spread(std::move(held));
        return std::move(held);
      },
      storage);
}

}  // namespace mercer
