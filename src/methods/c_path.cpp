#include "methods/c_path.hpp"

namespace mercer {

CPath::CPath(const Validation& validation) : validation_(validation) {
  for (std::size_t i = 0; i < validation.fold.size(); ++i) {
    if (held_rows_.size() <= validation.fold[i]) held_rows_.resize(validation.fold[i] + 1);
    held_rows_[validation.fold[i]].push_back(i);
  }
}

void CPath::follow(Range folds, const std::function<BoxQp(std::size_t)>& make,
                   const std::function<void(std::size_t, std::size_t, std::span<const double>)>& take) const {
  auto room = rooms_.borrow();
  BoxPath path(*validation_.gram, *room);
  for (std::size_t fold = folds.begin; fold < folds.end; ++fold) {
    if (held_rows_[fold].empty())
      continue;  // folds may be numbered from 1, or a part of the rows have none of one
    path.begin(make(fold), held_rows_[fold]);
    std::vector<double> scores(held_rows_[fold].size());
    for (std::size_t v = 0; v < validation_.values.size(); ++v) {
      if (v == 0 || path.any_at_bound()) {
        path.solve(validation_.values[v], validation_.training.tolerance,
                   validation_.training.options.progress);
        const double rho = path.rho();
        for (std::size_t h = 0; h < scores.size(); ++h) scores[h] = path.f(held_rows_[fold][h]) - rho;
      }
      take(fold, v, scores);
    }
  }
}

}  // namespace mercer
