#include "mercer/cross_validation.hpp"

#include <algorithm>

namespace mercer {

namespace {

// The classes that some row has; a method cannot learn of others.
std::vector<std::int32_t> classes_of(const Target& target) {
  std::vector<std::int32_t> present = target.codes;
  std::ranges::sort(present);
  present.erase(std::ranges::unique(present).begin(), present.end());
  return present;
}

Dataset with_classes(Dataset data, const std::vector<std::int32_t>& present) {
  std::vector<std::string> labels;
  for (const std::int32_t code : present) labels.push_back(data.target.labels[std::size_t(code)]);
  for (std::int32_t& code : data.target.codes) code = std::int32_t(std::ranges::lower_bound(present, code) - present.begin());
  data.target.labels = std::move(labels);
  return data;
}

// What a model that knows some of the classes says of all of them; it has no scores between them.
Predictions among_all(const Predictions& few, const std::vector<std::int32_t>& present, std::size_t classes) {
  Predictions all;
  for (const std::int32_t code : few.codes) all.codes.push_back(present[std::size_t(code)]);
  if (few.probabilities.empty()) return all;
  all.probabilities.assign(few.codes.size() * classes, 0.0);
  for (std::size_t i = 0; i < few.codes.size(); ++i)
    for (std::size_t c = 0; c < present.size(); ++c) all.probabilities[i * classes + std::size_t(present[c])] = few.probabilities[i * present.size() + c];
  return all;
}

Predictions only(std::int32_t code, std::size_t rows, std::size_t classes, bool probabilities) {
  Predictions all;
  all.codes.assign(rows, 0);
  if (probabilities) all.probabilities.assign(rows, 1.0);
  return among_all(all, {code}, classes);
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
    all.probabilities.resize(std::max(all.probabilities.size(), p.probabilities.size() / fold.rows.size() * n));
    all.scores.resize(std::max(all.scores.size(), p.scores.size() / fold.rows.size() * n));
  }
  for (const Fold& fold : folds) {
    const auto put = [&]<class T>(const std::vector<T>& from, std::vector<T>& to) {
      const std::size_t width = from.size() / fold.rows.size();
      for (std::size_t u = 0; u < fold.rows.size(); ++u) std::copy_n(from.data() + u * width, width, to.data() + fold.rows[u] * width);
    };
    put(fold.predictions.codes, all.codes);
    put(fold.predictions.values, all.values);
    put(fold.predictions.probabilities, all.probabilities);
    put(fold.predictions.scores, all.scores);
  }
  return all;
}

}  // namespace

Predictions cross_validate(const AnyMethod& method, const Kernel& kernel, const Dataset& data, const std::vector<std::size_t>& fold,
                           const FitOptions& options, Scaling::Kind scaling, const std::function<void(const Model&)>& fitted) {
  const std::size_t count = fold.empty() ? 0 : *std::ranges::max_element(fold) + 1, labels = data.target.labels.size();
  const bool classifies = data.target.kind == Target::Kind::classes && (method->task() == Task::classes || method->task() == Task::any);
  std::vector<Fold> folds;
  for (std::size_t f = 0; f < count; ++f) {
    std::vector<std::size_t> seen, unseen;
    for (std::size_t i = 0; i < data.rows(); ++i) (fold[i] == f ? unseen : seen).push_back(i);
    if (unseen.empty()) continue;
    const Dataset rows = data.select_rows(seen);
    const std::vector<std::int32_t> present = classes_of(rows.target);
    const bool partly = classifies && present.size() < labels && !present.empty();
    if (partly && present.size() == 1) {
      folds.push_back({unseen, only(present[0], unseen.size(), labels, options.probabilities)});
      continue;
    }
    const Model model = fit(method, kernel, partly ? with_classes(rows, present) : rows, options, scaling);
    if (fitted) fitted(model);
    Predictions p = model.predict(data.points.select_rows(unseen), options.threads);
    folds.push_back({std::move(unseen), partly ? among_all(p, present, labels) : std::move(p)});
  }
  return joined(folds, data.rows());
}

}  // namespace mercer
