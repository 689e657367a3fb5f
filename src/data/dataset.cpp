#include "mercer/dataset.hpp"

namespace mercer {

Dataset Dataset::select_rows(std::span<const std::size_t> chosen) const {
  const auto pick = [&](const auto& from) {
    std::decay_t<decltype(from)> picked;
    if (!from.empty())
      for (const std::size_t row : chosen) picked.push_back(from[row]);
    return picked;
  };
  Dataset some;
  some.points = points.select_rows(chosen);
  some.target = {target.kind, target.name, target.labels, pick(target.codes), pick(target.values)};
  some.weights = pick(weights);
  some.queries = pick(queries);
  some.schema = schema;
  return some;
}

}  // namespace mercer
