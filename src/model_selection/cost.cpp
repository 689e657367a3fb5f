#include "model_selection/cost.hpp"

namespace mercer {

// Only ratios matter once something was measured; before, these are seconds of one thread on some CPU for
// rows of about 30 columns.
double CostModel::formula(const CandidateLine& line, std::size_t rows) const {
  const double n = double(rows), candidates = double(line.size());
  switch (line.method->traits().search_cost) {
    case SearchCost::factorisation:
      return rows <= 1600 ? 1.5e-10 * n * n * n : 1.2e-4 * n;
    case SearchCost::path:
      return 2e-9 * n * n + candidates * 6e-9 * n * n;
    case SearchCost::fits:
      break;
  }
  return candidates * double(folds_) * 3e-8 * n * n;
}

void CostModel::add(const CandidateLine& line, std::size_t rows, double seconds) {
  const double expected = formula(line, rows);
  for (Sums* sums : {&of_space_[line.space], &all_}) {
    sums->formula += expected;
    sums->seconds += seconds;
  }
}

double CostModel::seconds(const CandidateLine& line, std::size_t rows) const {
  const auto own = of_space_.find(line.space);
  const Sums& known = own != of_space_.end() ? own->second : all_;
  const double scale = known.formula > 0 ? known.seconds / known.formula : 1;
  return scale * formula(line, rows);
}

}  // namespace mercer
