#include "model_selection/rungs.hpp"

#include <algorithm>

namespace mercer {

namespace {

constexpr std::size_t rung_factor = 4, fewest_kept = 4;

}  // namespace

std::vector<std::size_t> rungs(std::size_t rows, const TuneOptions& options) {
  std::vector<std::size_t> sizes;
  const std::size_t most = options.rows_at_most > 0 ? std::min(options.rows_at_most, rows) : rows;
  if (options.rows_at_first > 0)
    for (std::size_t size = options.rows_at_first; size < most; size *= rung_factor) sizes.push_back(size);
  sizes.push_back(most);
  return sizes;
}

std::size_t kept_of(std::size_t candidates) {
  return std::min(candidates, std::max(fewest_kept, (candidates + rung_factor - 1) / rung_factor));
}

double seconds_of_later_rungs(const CostModel& cost, const std::vector<CandidateLine>& lines,
                              const std::vector<std::size_t>& sizes, std::size_t rung) {
  std::size_t all = 0;
  for (const CandidateLine& line : lines) all += line.size();
  double sum = 0;
  for (std::size_t kept = kept_of(all), r = rung + 1; r < sizes.size(); ++r, kept = kept_of(kept)) {
    double seconds = 0;
    for (const CandidateLine& line : lines) seconds += cost.seconds(line, sizes[r]);
    sum += seconds * double(kept) / double(all);
  }
  return sum;
}

}  // namespace mercer
