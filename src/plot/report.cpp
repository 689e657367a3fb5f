// The page: what was predicted and how well, in two sentences and a few numbers, then its sections.
#include "mercer/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "mercer/error.hpp"
#include "mercer/version.hpp"
#include "plot/model_title.hpp"
#include "plot/report_parts.hpp"
#include "plot/row_points.hpp"

namespace mercer {

namespace {

constexpr std::size_t influence_rows = 80;

// --- The verdict

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
  if (target.task != Task::classification) return "always predicting the mean";
  const std::vector<std::size_t> counts = class_counts(target);
  const auto most = std::size_t(std::ranges::max_element(counts) - counts.begin());
  return counts.empty() ? "guessing"
                        : fmt::format("always predicting “{}”, the most frequent class",
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
  return (larger ? score > base : score < base) ? "not significantly better than" : "no better than";
}

std::string quality(const ReportInput& input) {
  const AutomaticFit& fit = input.fit;
  const std::string &m = fit.metric, score = score_text(m, fit.score.value);
  const std::string how =
      m == "accuracy" ? fmt::format("{} of unseen rows are predicted correctly", score)
                      : fmt::format("its {} ({}) on unseen rows is {}", m, metric_named(m).summary, score);
  return fmt::format("Scored {} {}, {} ({}): {} {}, which gives {}.",
                     fit.scored_on.ends_with("validation") ? "by" : "on", fit.scored_on, how,
                     interval(m, fit.score), comparison(fit), baseline_words(input.data.target),
                     score_text(m, fit.baseline.value));
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
  if (!fit.metric.empty() && std::isfinite(fit.score.value) && fit.assessed()) {
    page.lead(quality(input));
    page.tile(score_text(fit.metric, fit.score.value),
              fmt::format("{}; {}", fit.metric, interval(fit.metric, fit.score)));
    page.tile(score_text(fit.metric, fit.baseline.value), fmt::format("{} of the baseline", fit.metric));
  }
  page.tile(fmt::format("{} × {}", input.data.rows(), columns), "rows × columns");
  page.tile(fit.model.method->name(),
            fmt::format("with the kernel {}", shortened(rounded(fit.model.kernel().text()), 60)));
}

// --- The page

namespace {

std::string page_title(const ReportInput& input) {
  const std::string& target = input.data.target.name;
  const std::string of = input.name.empty() ? "the data" : shortened(input.name, 80);
  return target.empty() ? fmt::format("A model of {}", of)
                        : fmt::format("Predicting {} in {}", shortened(target, 60), of);
}

// A kernel of strings or of row numbers has no columns to move; the page does without.
template <class Work>
auto or_nothing(const Work& work) -> decltype(work()) {
  try {
    return work();
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::cancelled) throw;
    return decltype(work())();
  }
}

void add_end(Page& page, const ReportInput& input) {
  if (!input.fit.next.empty()) {
    page.section("next", "What to try next");
    page.list(said(input.fit.next));
  }
  page.section("again", "Reproduce this");
  if (!input.command.empty()) page.code(input.command);
  page.paragraph(
      fmt::format("Made by mercer {}, seed {}: the same command gives the same model and the same page.",
                  version(), input.seed));
}

// Parts of the page report how far each of them is; what counts is how far the page is.
Progress progress_of_page(Progress outer) {
  if (!outer) return {};
  return
      [outer = std::move(outer), done = std::make_shared<double>(0)](std::string_view what, double fraction) {
        if (what == "report") *done = fraction;
        return outer(what, *done);
      };
}

std::string page_for(const ReportInput& input) {
  Page page(page_title(input));
  add_verdict(page, input);
  add_data(page, input);
  add_choice(page, input);
  add_quality(page, input);
  input.progress.check("report", 0.15);
  const auto influences = or_nothing([&] {
    return column_influence(input.fit.model, input.data.points,
                            {.rows = influence_rows, .threads = input.threads, .progress = input.progress});
  });
  add_model_pictures(page, input, influences);
  add_kernel_pictures(page, input);
  add_influences(page, influences);
  add_certificate(page, input);
  add_examples(page, input, influences);
  input.progress.check("report", 0.9);
  or_nothing([&] { add_neighbours(page, input, influences); });
  add_end(page, input);
  return page.html();
}

}  // namespace

std::string report_page(const ReportInput& given) {
  ReportInput input = given;
  input.progress = progress_of_page(given.progress);
  return page_for(input);
}

}  // namespace mercer
