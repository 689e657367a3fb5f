#include "data/equal_rows.hpp"

#include <algorithm>
#include <bit>

#include "base/parallel.hpp"

namespace mercer {

namespace {

template <class T>
void for_each_entry(const Dense<T>& points, std::size_t i, auto&& visit) {
  for (std::size_t c = 0; c < points.cols; ++c)
    if (points.row(i)[c] != 0) visit(c, double(points.row(i)[c]));
}
template <class T>
void for_each_entry(const Sparse<T>& points, std::size_t i, auto&& visit) {
  for (std::size_t e = points.starts[i]; e < points.starts[i + 1]; ++e)
    if (points.values[e] != 0) visit(std::size_t(points.indices[e]), double(points.values[e]));
}

using Entries = std::vector<std::pair<std::size_t, double>>;

Entries entries(const Points& points, std::size_t i) {
  Entries list;
  std::visit(
      [&](const auto& held) {
        for_each_entry(held, i, [&](std::size_t column, double value) { list.emplace_back(column, value); });
      },
      points.storage());
  return list;
}

std::vector<std::uint64_t> hashes(const Points& points, int threads) {
  std::vector<std::uint64_t> result(points.rows());
  std::visit(
      [&](const auto& held) {
        parallel_blocks(result.size(), 256, threads, [&](std::size_t first, std::size_t last) {
          for (std::size_t i = first; i < last; ++i) {
            std::uint64_t hash = 0;
            for_each_entry(held, i, [&](std::size_t column, double value) {
              hash =
                  (std::rotl(hash, 23) ^ std::bit_cast<std::uint64_t>(value) ^ column) * 0x9e3779b97f4a7c15u;
            });
            if (!points.ids().empty()) hash = std::rotl(hash, 23) ^ points.ids()[i];
            for (const Objects& column : points.objects())
              hash = (std::rotl(hash, 23) ^ column.hash(i)) * 0x9e3779b97f4a7c15u;
            result[i] = hash;
          }
        });
      },
      points.storage());
  return result;
}

bool same_identity(const Points& a, std::size_t i, const Points& b, std::size_t j) {
  if (a.ids().size() > i && b.ids().size() > j && a.ids()[i] != b.ids()[j]) return false;
  for (std::size_t c = 0; c < a.objects().size(); ++c)
    if (!a.objects()[c].equal(i, b.objects()[c], j)) return false;
  return true;
}

}  // namespace

std::vector<std::size_t> find_rows(const Points& rows, const Points& among, int threads) {
  const bool same = &rows.storage() == &among.storage();
  const std::vector<std::uint64_t> theirs = hashes(among, threads),
                                   ours = same ? theirs : hashes(rows, threads);
  std::vector<std::pair<std::uint64_t, std::size_t>> sorted;
  for (std::size_t i = 0; i < theirs.size(); ++i) sorted.emplace_back(theirs[i], i);
  std::ranges::sort(sorted);
  std::vector<std::size_t> found(ours.size(), no_row);
  for (std::size_t i = 0; i < ours.size(); ++i)
    for (auto at = std::ranges::lower_bound(sorted, std::pair(ours[i], std::size_t(0)));
         at != sorted.end() && at->first == ours[i]; ++at)
      if ((same && at->second == i) ||
          (entries(among, at->second) == entries(rows, i) && same_identity(rows, i, among, at->second))) {
        found[i] = at->second;
        break;
      }
  return found;
}

}  // namespace mercer
