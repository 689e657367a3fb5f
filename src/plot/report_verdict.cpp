// What was predicted and how well, in two sentences and a few numbers.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "plot/model_title.hpp"
#include "plot/report_parts.hpp"
#include "plot/svg.hpp"

namespace mercer {

namespace {

std::string counted(std::size_t n, const char* one, const char* many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

std::size_t table_columns(const Model& model) {
  return model.schema.columns.empty() ? model.columns : model.schema.columns.size();
}

std::string subject(const Target& target) {
  const std::string name = target.name.empty() ? "the target" : fmt::format("“{}”", target.name);
  if (target.task == Task::classification)
    return fmt::format("{}, one of {}", name, counted(target.labels.size(), "class", "classes"));
  return target.outputs > 1 ? fmt::format("{} ({} numbers)", name, target.outputs)
                            : fmt::format("{}, a number", name);
}

std::string baseline_words(const Target& target) {
  if (target.task != Task::classification) return "always answering the mean";
  std::vector<std::size_t> counts(target.labels.size(), 0);
  for (const std::int32_t code : target.codes) ++counts[std::size_t(code)];
  const auto most = std::size_t(std::ranges::max_element(counts) - counts.begin());
  return counts.empty() ? "guessing"
                        : fmt::format("always answering “{}”, the most frequent class",
                                      shortened(target.labels[most], 40));
}

std::string interval(const std::string& metric, const Estimate& e) {
  return fmt::format("95 % interval {} to {}", score_text(metric, e.low), score_text(metric, e.high));
}

// Whether the interval of the score leaves the baseline out.
std::string comparison(const AutomaticFit& fit) {
  const bool larger = metric_named(fit.metric).larger_is_better;
  const double score = fit.score.value, base = fit.baseline.value;
  const bool surely = larger ? fit.score.low > base : fit.score.high < base;
  if (surely) return "clearly better than";
  return (larger ? score > base : score < base) ? "not surely better than" : "no better than";
}

std::string quality(const ReportInput& input) {
  const AutomaticFit& fit = input.fit;
  const std::string &m = fit.metric, score = score_text(m, fit.score.value);
  const std::string how =
      m == "accuracy"
          ? fmt::format("{} of rows that the model had not seen are right", score)
          : fmt::format("its {} ({}) on rows that it had not seen is {}", m, metric_named(m).summary, score);
  return fmt::format("Scored {} {}, {} ({}): {} {}, which gives {}.",
                     fit.scored_on.ends_with("validation") ? "by" : "on", fit.scored_on, how,
                     interval(m, fit.score), comparison(fit), baseline_words(input.data.target),
                     score_text(m, fit.baseline.value));
}

bool scored(const AutomaticFit& fit) {
  return !fit.metric.empty() && std::isfinite(fit.score.value) && !fit.scored_on.empty();
}

}  // namespace

std::string score_text(const std::string& metric, double score) {
  if (!std::isfinite(score)) return "–";
  if (metric == "accuracy" || metric == "balanced_accuracy") return fmt::format("{:.1f} %", 100 * score);
  return label_text(std::abs(score) < 1e-9 ? 0 : score, 4);  // sums that should cancel leave some 1e-16
}

void add_verdict(Page& page, const ReportInput& input) {
  const AutomaticFit& fit = input.fit;
  const Target& target = input.data.target;
  const std::size_t columns = table_columns(fit.model);
  if (target.task == Task::none)
    page.lead(fmt::format("The model was learned from {} and {}, without a target.",
                          counted(input.data.rows(), "row", "rows"), counted(columns, "column", "columns")));
  else
    page.lead(fmt::format("The model predicts {}, from {}; it learned from {}.", subject(target),
                          counted(columns, "column", "columns"), counted(input.data.rows(), "row", "rows")));
  if (scored(fit)) {
    page.lead(quality(input));
    page.tile(score_text(fit.metric, fit.score.value),
              fmt::format("{}; {}", fit.metric, interval(fit.metric, fit.score)));
    page.tile(score_text(fit.metric, fit.baseline.value), fmt::format("{} of the baseline", fit.metric));
  }
  page.tile(fmt::format("{} × {}", input.data.rows(), columns), "rows × columns");
  page.tile(fit.model.method->name(),
            fmt::format("with the kernel {}", shortened(rounded(fit.model.kernel().text()), 60)));
}

}  // namespace mercer
