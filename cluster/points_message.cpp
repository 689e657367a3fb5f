#include "cluster/points_message.hpp"

#include <cstdint>
#include <cstring>
#include <numeric>
#include <variant>

#include "base/byte_message.hpp"

namespace mercer::cluster {

namespace {

struct Head {
  std::uint64_t kind = 0;  // the alternative of Points::Storage
  std::uint64_t rows = 0, cols = 0, stored = 0;
};

template <class T>
void append(std::vector<std::byte>& bytes, const T* values, std::size_t count) {
  const auto* first = reinterpret_cast<const std::byte*>(values);
  bytes.insert(bytes.end(), first, first + count * sizeof(T));
}

template <class T>
Buffer<T> take(std::span<const std::byte>& rest, std::size_t count) {
  Buffer<T> values(count);
  if (count > 0) std::memcpy(values.data(), rest.data(), count * sizeof(T));
  rest = rest.subspan(count * sizeof(T));
  return values;
}

template <class S>
Points unpacked(const Head& head, std::span<const std::byte> rest, const std::vector<std::string>& names) {
  using T = std::remove_cvref_t<decltype(std::declval<S>().values[0])>;
  if constexpr (is_sparse<S>) {
    auto starts = take<std::size_t>(rest, head.rows + 1);
    auto indices = take<std::int32_t>(rest, head.stored);
    return Points(S{head.rows, head.cols, std::move(starts), std::move(indices), take<T>(rest, head.stored)},
                  names);
  } else {
    return Points(S{head.rows, head.cols, take<T>(rest, head.stored)}, names);
  }
}

template <class S>
Points joined_as(std::span<const Points> parts) {
  using T = std::remove_cvref_t<decltype(std::declval<S>().values[0])>;
  std::size_t rows = 0, stored = 0;
  for (const Points& part : parts) rows += part.rows(), stored += part.stored();
  S all;
  all.rows = rows;
  all.cols = parts[0].cols();
  all.values = Buffer<T>(stored);
  if constexpr (is_sparse<S>) {
    all.starts = Buffer<std::size_t>(rows + 1);
    all.indices = Buffer<std::int32_t>(stored);
    all.starts[0] = 0;
  }
  std::size_t row = 0, place = 0;
  for (const Points& part : parts) {
    const S& own = std::get<S>(part.storage());
    std::copy_n(own.values.data(), part.stored(), all.values.data() + place);
    if constexpr (is_sparse<S>) {
      std::copy_n(own.indices.data(), part.stored(), all.indices.data() + place);
      for (std::size_t i = 0; i < own.rows; ++i) all.starts[row + i + 1] = place + own.starts[i + 1];
    }
    row += own.rows;
    place += part.stored();
  }
  return Points(std::move(all), parts[0].names());
}

}  // namespace

std::vector<std::byte> bytes_of(const Points& points) {
  std::vector<std::byte> bytes;
  std::visit(
      [&]<class S>(const S& s) {
        const Head head{points.storage().index(), s.rows, s.cols, points.stored()};
        append(bytes, &head, 1);
        if constexpr (is_sparse<S>) {
          append(bytes, s.starts.data(), s.rows + 1);
          append(bytes, s.indices.data(), head.stored);
        }
        append(bytes, s.values.data(), head.stored);
      },
      points.storage());
  return bytes;
}

Points points_of(std::span<const std::byte> bytes, const std::vector<std::string>& names) {
  Head head;
  std::memcpy(&head, bytes.data(), sizeof head);
  bytes = bytes.subspan(sizeof head);
  switch (head.kind) {
    case 0:
      return unpacked<Dense<float>>(head, bytes, names);
    case 1:
      return unpacked<Dense<double>>(head, bytes, names);
    case 2:
      return unpacked<Sparse<float>>(head, bytes, names);
    default:
      return unpacked<Sparse<double>>(head, bytes, names);
  }
}

Points joined(std::span<const Points> parts) {
  return std::visit([&]<class S>(const S&) { return joined_as<S>(parts); }, parts[0].storage());
}

Points handed_out(const Communicator& ranks, const Points* all) {
  std::string names;
  if (all) append_texts(names, all->names());
  ranks.broadcast(names);
  std::string_view rest = names;
  return points_of(ranks.hand_out([&](int r) {
    const Range rows = Share{all->rows(), ranks.size()}.of(r);
    return bytes_of(rows_of(*all, rows.begin, rows.end));
  }),
                   take_texts(rest));
}

Points rows_of(const Points& points, std::size_t begin, std::size_t end) {
  std::vector<std::size_t> rows(end - begin);
  std::iota(rows.begin(), rows.end(), begin);
  return points.select_rows(rows);
}

}  // namespace mercer::cluster
