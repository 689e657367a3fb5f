#include "cluster/shared_fit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <optional>

#include "cluster/shared_ranks.hpp"
#include "cluster/spread_read.hpp"

namespace mercer::cluster {

namespace {

using namespace mercer::cli;

constexpr std::string_view support_vector_methods[] = {"svm",    "nu_svm",    "svr",
                                                       "nu_svr", "one_class", "quantile"};

bool chooses(const FitCommand& options) { return options.searches() || options.judges(); }

// The files that each rank reads.
void check_files(const FitCommand& options, const Communicator& ranks) {
  for (const std::string& path : {options.data.path, options.test, options.folds, options.resume}) {
    if (path.empty()) continue;
    in_step(ranks, [&] {
      if (path == "-")
        throw Error(ErrorCode::unsupported, "standard input is there for one rank alone",
                    {.hint = "write the rows to a file that all ranks can read"});
    });
    check_same_file(ranks, path);
  }
}

void fit_machine(const FitCommand& options, Session& session) {
  std::optional<Model> earlier;
  if (!options.resume.empty()) earlier = Model::load(options.resume);
  const Model* const start = earlier ? &*earlier : nullptr;
  const FitRows reading = read_rows(options, start, session);
  const AnyMethod method = options.chosen_method(reading.data, start);
  if (std::ranges::find(support_vector_methods, method->name()) == std::end(support_vector_methods))
    throw Error(ErrorCode::unsupported, fmt::format("--resume of {} is for one rank", method->name()),
                {.hint = "run mercer, or one rank"});
  FitOptions how = options.fit_options(session);
  how.resume = start;
  const auto began = std::chrono::steady_clock::now();
  const Model model = fit(method, options.chosen_kernel(reading.data, start), reading.data, how,
                          options.chosen_scaling(start));
  if (!options.out.empty() && !Session::silent()) model.save(options.out);
  std::vector<Note> notes;
  if (const std::string note = model.scaling.note(); !note.empty()) notes.push_back(note);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - began;
  session.answer(summarize(options, session, reading, model, seconds.count(), notes));
  set_exit_code(session, model.fitted.report);
}

}  // namespace

std::string shared_methods() { return fmt::format("{}", fmt::join(support_vector_methods, ", ")); }

bool is_shared(const FitCommand& options) {
  const auto& all = support_vector_methods;
  return chooses(options) || options.explain_plan || options.method.empty() ||
         std::ranges::find(all, options.method) != std::end(all);
}

void fit_shared(const FitCommand& options, Session& session, const Communicator& ranks) {
  check_files(options, ranks);
  // Whatever depends on the memory must be the same on all.
  session.memory = std::uint64_t(ranks.least(double(session.memory_bytes())));
  if (options.dry_run || options.explain_plan) {
    in_step(ranks, [&] {
      if (ranks.first()) run_fit(options, session);
    });
  } else {
    const SharedRanks all(ranks);
    work_together(ranks, [&] {
      const SharedWork shared(&all);
      chooses(options) ? run_fit(options, session) : fit_machine(options, session);
    });
  }
  ranks.broadcast(session.exit_code);  // the first has the model
}

}  // namespace mercer::cluster
