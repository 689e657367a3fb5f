// mercer_fit(): as told, or selected by cross-validation where something is left open.
#include <fmt/format.h>

#include "capi/calls.hpp"
#include "capi/fit_options.hpp"
#include "capi/handles.hpp"
#include "mercer/budget.hpp"
#include "mercer/json.hpp"
#include "mercer/kernels/precomputed.hpp"

namespace mercer::capi {

namespace {

HeldModel fit_as_told(const FitWords& words, const Dataset& data, const Progress& progress) {
  const AnyMethod method = words.chosen_method(data);
  const Kernel kernel = words.chosen_kernel(data);
  const Scaling::Kind scaling = words.chosen_scaling();
  FitOptions how = words.fit;
  const BudgetPlan plan = plan_budget(method, kernel, data, how, scaling, 0);
  if (!plan.approx.empty()) how.approx = plan.approx;
  how.progress = progress;
  HeldModel made{.model = fit(method, kernel, data, how, scaling)};
  if (plan.chosen) made.notes.push_back(fmt::format("{}; {}", plan.text(), plan.why));
  if (std::string note = made.model.scaling.note(); !note.empty()) made.notes.push_back(std::move(note));
  return made;
}

HeldModel fit_by_choice(const FitWords& words, const Dataset& data, const Progress& progress) {
  AutomaticFit made = fit_automatically(data, words.automatic(data, progress));
  return {std::move(made.model), json_of(made), said(made.notes)};
}

HeldModel fitted(const Dataset& given, const FitWords& words, const Progress& progress) {
  Dataset data = given;
  if (words.names_kernel() && Kernel::parse(words.kernel).uses_precomputed() &&
      data.points.objects().empty()) {
    data.points = kernel_rows(data.points);
    data.schema.columns.clear();  // they are rows, not features with names
  }
  std::vector<Note> notes;
  const bool without_target = !words.method.empty() && !supervised(method_named(words.method)->traits().task);
  if (!without_target && data.target.task != Task::none) notes = check_target(data);
  if (words.method.empty() && data.target.task == Task::none && words.judges())
    throw Error(ErrorCode::missing_target, "the data have no target to score predictions by",
                {.hints = {{Remedy::name_target}}});
  const bool chooses = words.searches(data) || words.judges();
  if (without_target && chooses)
    throw Error(
        ErrorCode::unsupported,
        fmt::format("{} is unsupervised, so there is no score to select or evaluate by", words.method),
        {.hint = "drop tune, grid, cv, holdout and metric"});
  HeldModel made = chooses ? fit_by_choice(words, data, progress) : fit_as_told(words, data, progress);
  const std::vector<std::string> about_data = said(notes);
  made.notes.insert(made.notes.begin(), about_data.begin(), about_data.end());
  return made;
}

}  // namespace

}  // namespace mercer::capi

using namespace mercer;
using namespace mercer::capi;

int mercer_fit(const mercer_data* data, const char* options, mercer_progress progress, void* user,
               mercer_model** model) {
  return guarded([&] {
    required(model, "model") = nullptr;
    Options given(options);
    const FitWords words(given);
    const SharedData rows = held(data);
    const Progress told = progress ? Progress([progress, user](std::string_view what, double fraction) {
      return progress(std::string(what).c_str(), fraction, user) != 0;
    })
                                   : Progress();
    *model = hold(std::make_shared<const HeldModel>(fitted(*rows, words, told)));
  });
}
