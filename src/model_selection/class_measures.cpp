// Metrics of the predicted classes alone.
#include "model_selection/measures.hpp"

namespace mercer {

namespace {

// Rows of each class, rows predicted as it, and rows that are both.
struct ClassCounts {
  std::vector<double> rows, predicted, hits;
};

ClassCounts count_classes(Counts counts, std::span<const std::int32_t> truth,
                          std::span<const std::int32_t> predicted, std::size_t classes) {
  ClassCounts c{std::vector<double>(classes), std::vector<double>(classes), std::vector<double>(classes)};
  for (std::size_t i = 0; i < counts.size(); ++i) {
    c.rows[std::size_t(truth[i])] += counts[i];
    c.predicted[std::size_t(predicted[i])] += counts[i];
    if (truth[i] == predicted[i]) c.hits[std::size_t(truth[i])] += counts[i];
  }
  return c;
}

// The mean of factor·hits / of(class) over the classes for which the latter is above 0.
template <class Of>
Measure mean_over_classes(const Scored& scored, double factor, Of of) {
  return [truth = scored.truth.codes, predicted = scored.predictions.codes, k = scored.classes(), factor,
          of](Counts counts) {
    const ClassCounts c = count_classes(counts, truth, predicted, k);
    double sum = 0, defined = 0;
    for (std::size_t label = 0; label < k; ++label)
      if (const double whole = of(c, label); whole > 0) sum += factor * c.hits[label] / whole, defined += 1;
    return sum / defined;
  };
}

}  // namespace

Measure accuracy_measure(const Scored& scored) {
  return mean_of(scored.rows(),
                 [&](std::size_t i) { return scored.code(i) == scored.predicted(i) ? 1.0 : 0.0; });
}

Measure balanced_accuracy_measure(const Scored& scored) {
  return mean_over_classes(scored, 1, [](const ClassCounts& c, std::size_t label) { return c.rows[label]; });
}

Measure f1_macro_measure(const Scored& scored) {
  return mean_over_classes(
      scored, 2, [](const ClassCounts& c, std::size_t label) { return c.rows[label] + c.predicted[label]; });
}

}  // namespace mercer
