// What was chosen among what was tried, and the certificate of the fit.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "mercer/pictures.hpp"
#include "plot/model_title.hpp"
#include "plot/report_parts.hpp"
#include "plot/svg.hpp"

namespace mercer {

namespace {

std::string scaling_words(Scaling::Kind kind) {
  if (kind == Scaling::Kind::standard) return "each column to mean 0 and standard deviation 1";
  return kind == Scaling::Kind::minmax ? "each column onto [0, 1]"
                                       : "none: the columns are taken as they are";
}

// Scores of other parts of the rows do not compare: what was judged on more rows comes first.
bool better(const Search& search, const Trial& a, const Trial& b) {
  const bool larger = metric_named(search.metric).larger_is_better;
  const auto worth = [&](const Trial& t) {
    return std::isfinite(t.score) ? (larger ? t.score : -t.score) : -INFINITY;
  };
  return std::pair(a.rows, worth(a)) > std::pair(b.rows, worth(b));
}

// The best candidate of each space, the chosen one first.
std::vector<const Trial*> best_of_each(const Search& search) {
  std::map<std::size_t, const Trial*> best;
  for (const Trial& trial : search.trials) {
    const Trial*& place = best[trial.space];
    if (!place || better(search, trial, *place)) place = &trial;
  }
  const Trial* chosen = &search.trials[search.best];
  best[chosen->space] = chosen;
  std::vector<const Trial*> list;
  for (const auto& [space, trial] : best) list.push_back(trial);
  std::ranges::stable_sort(list, [&](const Trial* a, const Trial* b) {
    return a != b && (a == chosen || (b != chosen && better(search, *a, *b)));
  });
  return list;
}

void add_trials(Page& page, const Search& search) {
  if (search.trials.size() < 2) return;
  const std::vector<const Trial*> list = best_of_each(search);
  page.paragraph(
      fmt::format("{} candidates were evaluated in {:.2g} s, each on held-out rows; the best of each kind:",
                  search.evaluated(), search.seconds));
  using enum PageTable::Kind;
  PageTable table{.columns = {{"method", text},
                              {search.metric, number},
                              {"std. error", number},
                              {"kernel", code},
                              {"rows", number}}};
  for (const Trial* trial : list)
    table.add(method_title(*trial->method), score_text(search.metric, trial->score),
              score_text(search.metric, trial->error), shortened(rounded(trial->kernel.text()), 120),
              std::to_string(trial->rows));
  page.table(table);
  if (std::ranges::any_of(list, [&](const Trial* t) { return t->rows != list[0]->rows; }))
    page.paragraph("Candidates with fewer rows were dropped early: they were behind on a part of the rows.");
}

// The candidates of the grid alone: the few that a search tries between them, around its best, would leave
// the map of scores full of holes. The best is then that of the grid.
Search on_the_grid(const Search& search) {
  const std::size_t space = search.trials[search.best].space;
  const std::vector<GridAxis>& axes = search.spaces[space].axes;
  Search kept = search;
  kept.trials.clear();
  for (const Trial& trial : search.trials) {
    bool on = trial.space == space;
    for (std::size_t a = 0; on && a < std::min(axes.size(), trial.values.size()); ++a)
      on = std::ranges::find(axes[a].values, trial.values[a]) != axes[a].values.end();
    if (on) kept.trials.push_back(trial);
  }
  if (kept.trials.empty()) return search;
  kept.best = 0;
  for (std::size_t t = 1; t < kept.trials.size(); ++t)
    if (better(kept, kept.trials[t], kept.trials[kept.best])) kept.best = t;
  return kept;
}

void add_search_picture(Page& page, const Search& search) {
  const Search drawn = on_the_grid(search);
  std::string caption =
      "The validation score around the best candidate. A best candidate in the middle of a broad good region "
      "is a safe choice; one at the edge calls for a wider search.";
  if (drawn.trials[drawn.best].values != search.trials[search.best].values)
    caption +=
        " The selected candidate lies near the marked one, between those drawn: the search was refined "
        "around it.";
  add_picture(page, "the search", caption, [&] { return search_picture(drawn, "The search"); });
}

bool has_axes(const Search& search) {
  if (search.best >= search.trials.size()) return false;
  const Trial& best = search.trials[search.best];
  return std::ranges::any_of(
      search.trials, [&](const Trial& t) { return t.space == best.space && t.values != best.values; });
}

std::string state_words(const FitReport& r) {
  if (r.converged) return "reached: the solution is optimal up to the tolerance";
  return r.cut_short ? "not reached: the fit was cut short" : "not reached";
}

}  // namespace

void add_choice(Page& page, const ReportInput& input) {
  const Model& model = input.fit.model;
  page.section("choice", "The choice");
  using enum PageTable::Kind;
  PageTable table{.columns = {{"", text}, {"selected", text}}};
  table.add("method", fmt::format("{}: {}", model.method->name(), model.method->summary()));
  std::string parameters;
  for (const auto& [name, value] : changed_parameters(*model.method)) {
    const double* number = std::get_if<double>(&value);
    parameters += fmt::format("{}{} = {}", parameters.empty() ? "" : ", ", name,
                              number ? label_text(*number) : std::get<Word>(value).text);
  }
  table.add("hyperparameters", parameters.empty() ? "the defaults" : parameters);
  table.add("kernel", rounded(model.kernel().text()));
  if (model.map)
    table.add(model.map->exact() ? "feature map" : "kernel approximation",
              fmt::format("{} ({} features)", model.map->text(), model.map->features()));
  table.add("scaling", scaling_words(model.scaling.kind()));
  page.table(table);
  page.list(said(input.fit.notes));
  add_trials(page, input.fit.search);
  if (has_axes(input.fit.search)) add_search_picture(page, input.fit.search);
}

void add_certificate(Page& page, const ReportInput& input) {
  const FitReport& r = input.fit.model.fitted.report;
  const bool svm = r.certificate == CertificateKind::kkt_violation;
  page.section("certificate", "The certificate");
  page.paragraph(
      "How near the fit is to the exact solution of its problem, computed in double precision after the "
      "fit.");
  using enum PageTable::Kind;
  PageTable table{.columns = {{"what", text}, {"value", text}}};
  table.add("optimum", state_words(r));
  if (r.certificate != CertificateKind::none)
    table.add(std::string(label_of(r.certificate)),
              fmt::format("{} (tolerance {})", label_text(r.violation, 3), label_text(r.tolerance, 3)));
  if (svm) table.add("duality gap", label_text(r.gap, 3));
  if (svm || r.objective != 0) table.add("objective", label_text(r.objective, 8));
  if (svm)
    table.add("support vectors", fmt::format("{} of {} rows, {} of them at the bound", r.support_vectors,
                                             input.fit.model.rows, r.bounded_support_vectors));
  if (r.iterations > 0) table.add("iterations", std::to_string(r.iterations));
  if (!r.solver.empty()) table.add("solver", r.solver);
  table.add("time of the fit", fmt::format("{:.3g} s", r.seconds));
  if (r.norm) table.add("‖f‖²", label_text(*r.norm, 6));
  if (r.loss) table.add("training loss", label_text(*r.loss, 6));
  if (r.degrees_of_freedom) table.add("degrees of freedom", label_text(*r.degrees_of_freedom, 5));
  for (const Diagnostic& d : r.diagnostics)
    for (std::size_t v = 0; v < d.values.size(); ++v)
      table.add(value_label(d, v), label_text(d.values[v], 6));
  for (const Note& warning : r.warnings) table.add("warning", warning.said());
  page.table(table);
}

}  // namespace mercer
