#include "mercer/kernel_search.hpp"

#include <algorithm>

namespace mercer {

namespace {

constexpr std::size_t fewest_usual_rows = 40, most_usual_columns = 500;

/// Whether all rows from the second on are like the first.
bool like_the_first(std::size_t rows, auto&& alike) {
  for (std::size_t i = 1; i < rows; ++i)
    if (!alike(i)) return false;
  return true;
}

}  // namespace

bool small_table(const Points& table) { return table.rows() < fewest_usual_rows; }
bool wide_table(const Points& table) { return !small_table(table) && table.cols() > most_usual_columns; }
bool usual_table(const Points& table) { return !small_table(table) && !wide_table(table); }

bool equally_long(const Points& points) {
  const Texts& texts = points.objects().front().texts();
  return like_the_first(texts.rows(), [&](std::size_t i) { return texts[i].size() == texts[0].size(); });
}

bool equally_large(const Points& points) {
  const Images& images = points.objects().front().images();
  return like_the_first(images.rows(), [&](std::size_t i) {
    return images.heights[i] == images.heights[0] && images.widths[i] == images.widths[0];
  });
}

double inverse_columns(const Points& table) { return 1 / double(std::max<std::size_t>(1, table.cols())); }

}  // namespace mercer
