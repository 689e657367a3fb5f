// The edit distance by columns of 64 rows at a time: a column of the table of distances is held as the bits
// in which it rises and falls (Myers 1999; the unit cost between whole words as in Hyyrö 2003).
#include "mercer/kernels/edit.hpp"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "mercer/error.hpp"

namespace mercer {

namespace {

constexpr double most_cells = 1e11;  // of the table; 64 are one step

/// 64 rows of a column: the rows where the distance is one more than in the row above, and one less.
struct Block {
  std::uint64_t up = ~std::uint64_t(0), down = 0;

  /// Moves to the next column. `equal`: the rows whose letter is the column's. `above`: by how much the row
  /// above the block changed. Returns by how much row `last` changed.
  int advance(std::uint64_t equal, int above, int last) noexcept {
    const std::uint64_t vertical = equal | down;
    equal |= std::uint64_t(above < 0);
    const std::uint64_t horizontal = (((equal & up) + up) ^ up) | equal;
    std::uint64_t rises = down | ~(horizontal | up), falls = up & horizontal;
    const int below = int((rises >> last) & 1) - int((falls >> last) & 1);
    rises = (rises << 1) | std::uint64_t(above > 0);
    falls = (falls << 1) | std::uint64_t(above < 0);
    up = falls | ~(vertical | rises);
    down = rises & vertical;
    return below;
  }
};

/// Where each letter stands in x: for each block of 64 letters, a word of bits for each byte.
std::vector<std::array<std::uint64_t, 256>> places(std::string_view x) {
  std::vector<std::array<std::uint64_t, 256>> bits((x.size() + 63) / 64);
  for (auto& block : bits) block.fill(0);
  for (std::size_t i = 0; i < x.size(); ++i)
    bits[i / 64][static_cast<unsigned char>(x[i])] |= std::uint64_t(1) << (i % 64);
  return bits;
}

std::size_t distance(const std::vector<std::array<std::uint64_t, 256>>& x, std::size_t x_size,
                     std::string_view z) {
  if (x_size == 0) return z.size();
  std::vector<Block> column(x.size());
  const int last = int((x_size - 1) % 64);
  std::size_t edits = x_size;
  for (const char letter : z) {
    int change = 1;  // along the top row, of the empty part of x
    for (std::size_t b = 0; b < x.size(); ++b)
      change =
          column[b].advance(x[b][static_cast<unsigned char>(letter)], change, b + 1 == x.size() ? last : 63);
    edits += std::size_t(std::ptrdiff_t(change));
  }
  return edits;
}

}  // namespace

void Edit::pairs(const Objects& x, Range rows, const Objects& z, Range columns, double* out) const {
  for (std::size_t i = rows.begin; i < rows.end; ++i) {
    const std::string_view a = x.texts()[i];
    for (std::size_t j = columns.begin; j < columns.end; ++j) {
      const double cells = double(a.size()) * double(z.texts()[j].size());
      if (cells > most_cells)
        throw Error(
            ErrorCode::too_large,
            fmt::format("edit of sequences of {} and {} letters takes a table of {:.0e} cells", a.size(),
                        z.texts()[j].size(), cells),
            {.hint = fmt::format("at most {:.0e} are computed, so cut them or use spectrum, mismatch or gkm",
                                 most_cells)});
    }
    const auto bits = places(a);
    for (std::size_t j = columns.begin; j < columns.end; ++j)
      *out++ = double(distance(bits, a.size(), z.texts()[j]));
  }
}

}  // namespace mercer
