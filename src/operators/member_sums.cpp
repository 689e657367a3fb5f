#include "operators/member_sums.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "mercer/error.hpp"
#include "mercer/kernel_operator.hpp"

namespace mercer {

namespace {

constexpr std::size_t members_at_once = 1024;  // a million values of k are held at a time
constexpr double most_values = 1e11;

Members of_rows(const MemberMap& map, const Points& points, Range rows) {
  std::vector<std::size_t> chosen(rows.size());
  std::iota(chosen.begin(), chosen.end(), rows.begin);
  return map.apply(points.select_rows(chosen));
}

/// The end of a run of objects from `first` on that are taken together: one at least, with no more members
/// than are taken at once.
std::size_t run_end(const Members& all, std::size_t first) {
  const std::size_t last = all.starts.size() - 1;
  std::size_t end = first + 1;
  while (end < last && all.starts[end + 1] - all.starts[first] <= members_at_once) ++end;
  return end;
}

/// out[i, j] += Σ K[a, b] over a, b in pieces of the two runs of members.
void add_run(const KernelOperator<double>& K, const Members& x, Range rows, const Members& z, Range columns,
             std::size_t width, double* out) {
  std::vector<double> tile;
  const Range a{x.starts[rows.begin], x.starts[rows.end]}, b{z.starts[columns.begin], z.starts[columns.end]};
  for (std::size_t a0 = a.begin; a0 < a.end; a0 += members_at_once)
    for (std::size_t b0 = b.begin; b0 < b.end; b0 += members_at_once) {
      const Range left{a0, std::min(a.end, a0 + members_at_once)},
          right{b0, std::min(b.end, b0 + members_at_once)};
      tile.resize(left.size() * right.size());
      K.tile(left, right, tile);
      std::size_t i = rows.begin;
      for (std::size_t p = left.begin; p < left.end; ++p) {
        while (x.starts[i + 1] <= p) ++i;
        const double* values = tile.data() + (p - left.begin) * right.size();
        std::size_t q = right.begin, j = columns.begin;
        while (q < right.end) {
          while (z.starts[j + 1] <= q) ++j;
          const std::size_t end = std::min(z.starts[j + 1], right.end);
          double sum = 0;
          for (; q < end; ++q) sum += values[q - right.begin];
          out[i * width + j] += sum;
        }
      }
    }
}

}  // namespace

TileFunction member_sums(const MemberMap& members, const Kernel& k) {
  return [members, k](const Points& x, Range rows, const Points& z, Range columns, double* out) {
    const Members a = of_rows(members, x, rows), b = of_rows(members, z, columns);
    std::fill_n(out, rows.size() * columns.size(), 0.0);
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::size_t j = 0; j < columns.size(); ++j) {
        const double m = double(a.starts[i + 1] - a.starts[i]), n = double(b.starts[j + 1] - b.starts[j]);
        if (m * n > most_values)
          throw Error(
              ErrorCode::too_large,
              fmt::format("comparing a set of {:.0f} members with one of {:.0f} takes {:.1e} values of {}", m,
                          n, m * n, k.text()),
              {.hint = fmt::format("at most {:.0e} are computed, so draw fewer members", most_values)});
      }
    if (a.points.rows() == 0 || b.points.rows() == 0) return;
    const KernelOperator<double> K(k, a.points, b.points, {.threads = 1});
    for (std::size_t i = 0, i_end = 0; i < rows.size(); i = i_end) {
      i_end = run_end(a, i);
      for (std::size_t j = 0, j_end = 0; j < columns.size(); j = j_end) {
        j_end = run_end(b, j);
        add_run(K, a, {i, i_end}, b, {j, j_end}, columns.size(), out);
      }
    }
  };
}

}  // namespace mercer
