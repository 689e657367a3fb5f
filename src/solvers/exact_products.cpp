#include "solvers/exact_products.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "solvers/simd/smo_steps.hpp"

namespace mercer {

void add_exact_products(const KernelOperator<double>& K, std::span<const std::size_t> points,
                        std::span<const double> t, std::span<const Range> ranges, std::span<double> f,
                        int threads, const Progress& progress) {
  constexpr std::size_t most_rows = 128, most_columns = 512;  // a tile stays in the second-level cache
  const simd::Steps<double>& steps = simd::steps<double>();
  std::vector<Range> parts;
  for (const Range& range : ranges)
    for (std::size_t begin = range.begin; begin < range.end; begin += most_columns)
      parts.push_back({begin, std::min(begin + most_columns, range.end)});
  const Progress told = [&](std::string_view what, double) { return progress(what, 0.95), true; };
  parallel_for(parts.size(), threads, told, "certificate", [&](std::size_t p) {
    const Range part = parts[p];
    Buffer<double> tile(std::min(most_rows, points.size()) * part.size());
    const std::vector<double*> rows =
        row_pointers(tile.data(), std::min(most_rows, points.size()), part.size());
    const std::vector<const double*> filled(rows.begin(), rows.end());
    for (std::size_t begin = 0; begin < points.size(); begin += most_rows) {
      const std::size_t count = std::min(most_rows, points.size() - begin);
      K.block(points.subspan(begin, count), part, std::span(rows).first(count));
      steps.accumulate(f.data() + part.begin, filled.data(), t.data() + begin, count, part.size());
    }
  });
}

}  // namespace mercer
