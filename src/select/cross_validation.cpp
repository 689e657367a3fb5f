#include "mercer/cross_validation.hpp"

#include <algorithm>

namespace mercer {

Predictions cross_validate(const AnyMethod& method, const Kernel& kernel, const Dataset& data, const std::vector<std::size_t>& fold,
                           const FitOptions& options, Scaling::Kind scaling, const std::function<void(const Model&)>& fitted) {
  Predictions all;
  const std::size_t folds = fold.empty() ? 0 : *std::ranges::max_element(fold) + 1;
  for (std::size_t f = 0; f < folds; ++f) {
    std::vector<std::size_t> seen, unseen;
    for (std::size_t i = 0; i < data.rows(); ++i) (fold[i] == f ? unseen : seen).push_back(i);
    const Model model = fit(method, kernel, data.select_rows(seen), options, scaling);
    if (fitted) fitted(model);
    const Predictions p = model.predict(data.points.select_rows(unseen), options.threads);
    const bool classes = !model.labels.empty();
    all.width = p.width;
    all.outputs = p.outputs;
    all.pairs = p.pairs;
    all.scores.resize(data.rows() * p.width);
    all.codes.resize(classes ? data.rows() : 0);
    all.values.resize(classes ? 0 : data.rows() * p.outputs);
    const std::size_t probabilities = unseen.empty() ? 0 : p.probabilities.size() / unseen.size();  // of a row
    all.probabilities.resize(std::max(all.probabilities.size(), data.rows() * probabilities));
    for (std::size_t u = 0; u < unseen.size(); ++u) {
      if (classes) all.codes[unseen[u]] = p.codes[u];
      else std::copy_n(p.values.data() + u * p.outputs, p.outputs, all.values.data() + unseen[u] * p.outputs);
      std::copy_n(p.probabilities.data() + u * probabilities, probabilities, all.probabilities.data() + unseen[u] * probabilities);
      std::copy_n(p.scores.data() + u * p.width, p.width, all.scores.data() + unseen[u] * p.width);
    }
  }
  return all;
}

}  // namespace mercer
