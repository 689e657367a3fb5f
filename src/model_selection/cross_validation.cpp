#include "mercer/cross_validation.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model_selection/present_classes.hpp"

namespace mercer {

namespace {

// The fits of all folds are one piece of work.
Progress progress_of_fold(const Progress& outer, std::size_t fold, std::size_t count) {
  return [&outer, fold, count, what = fmt::format("fold {} of {}", fold + 1, count)](std::string_view,
                                                                                     double fraction) {
    return outer(what, (double(fold) + fraction) / double(count));
  };
}

Progress progress_at(const Progress& outer, double fraction) {
  if (!outer) return {};
  return [&outer, fraction](std::string_view what, double) { return outer(what, fraction); };
}

struct Fold {
  std::vector<std::size_t> rows;
  Predictions predictions;
};

// As many scores a row as the folds whose models know all classes have; 0 where a fold has none.
Predictions joined(const std::vector<Fold>& folds, std::size_t n) {
  Predictions all;
  for (const Fold& fold : folds) {
    const Predictions& p = fold.predictions;
    if (!p.scores.empty()) all.width = p.width, all.outputs = p.outputs, all.pairs = p.pairs;
    all.codes.resize(std::max(all.codes.size(), p.codes.empty() ? 0 : n));
    all.values.resize(std::max(all.values.size(), p.values.size() / fold.rows.size() * n));
    all.probabilities.resize(
        std::max(all.probabilities.size(), p.probabilities.size() / fold.rows.size() * n));
    all.scores.resize(std::max(all.scores.size(), p.scores.size() / fold.rows.size() * n));
  }
  for (const Fold& fold : folds) {
    const auto put = [&]<class T>(const std::vector<T>& from, std::vector<T>& to) {
      const std::size_t width = from.size() / fold.rows.size();
      for (std::size_t u = 0; u < fold.rows.size(); ++u)
        std::copy_n(from.data() + u * width, width, to.data() + fold.rows[u] * width);
    };
    put(fold.predictions.codes, all.codes);
    put(fold.predictions.values, all.values);
    put(fold.predictions.probabilities, all.probabilities);
    put(fold.predictions.scores, all.scores);
  }
  return all;
}

}  // namespace

Predictions cross_validate(const AnyMethod& method, const Kernel& kernel, const Dataset& data,
                           const std::vector<std::size_t>& fold, const FitOptions& options,
                           Scaling::Kind scaling, const std::function<void(const Model&)>& fitted) {
  const std::size_t count = fold.empty() ? 0 : *std::ranges::max_element(fold) + 1;
  std::vector<Fold> folds;
  for (std::size_t f = 0; f < count; ++f) {
    std::vector<std::size_t> seen, unseen;
    for (std::size_t i = 0; i < data.rows(); ++i) (fold[i] == f ? unseen : seen).push_back(i);
    if (unseen.empty()) continue;
    FitOptions own = options;
    if (options.progress) own.progress = progress_of_fold(options.progress, f, count);
    const PresentModel model(method, kernel, data.select_rows(seen), own, scaling);
    if (fitted && model.model()) fitted(*model.model());
    Predictions p =
        model.predict(data.points.select_rows(unseen), options.threads, progress_at(own.progress, 1));
    folds.push_back({std::move(unseen), std::move(p)});
  }
  return joined(folds, data.rows());
}

}  // namespace mercer
