// mercer-mpi fit DATA -o MODEL: the options of `mercer fit`, and those of a job on many machines.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <memory>

#include "cli/fit_options.hpp"
#include "cli/fit_summary.hpp"
#include "cluster/commands.hpp"
#include "cluster/petsc.hpp"
#include "cluster/shared_fit.hpp"
#include "cluster/spread_fit.hpp"
#include "cluster/spread_read.hpp"

namespace mercer::cluster {

namespace {

using namespace mercer::cli;

struct ClusterFit {
  FitCommand fit;
  std::string checkpoint, petsc;
  double every = 60;
};

// What is not spread over ranks.
void refuse_others(const ClusterFit& options) {
  const FitCommand& fit = options.fit;
  const auto refuse = [](const std::string& what) {
    throw Error(ErrorCode::unsupported, what + " is for one rank",
                {.hint = "run mercer, or one rank; on several, give --method and its parameters"});
  };
  if (!fit.resume.empty()) refuse("--resume");
  if (fit.stream) refuse("--stream");
  if (!options.checkpoint.empty() && !fit.approx.empty() && fit.approx != "none")
    throw Error(ErrorCode::unsupported, "a fit over a kernel approximation keeps no checkpoint",
                {.hint = "leave --checkpoint out: its matrix is summed in one pass over the rows"});
}

// What a fit that all ranks do on the whole table has no use for.
void refuse_for_shared(const ClusterFit& options) {
  if (has_file_for_each_rank(options.fit.data.path))
    throw Error(ErrorCode::unsupported, "a file for each rank is not taken here: all ranks need all rows",
                {.file = options.fit.data.path, .hint = "put the rows into one file"});
  if (!options.petsc.empty())
    throw Error(ErrorCode::unsupported, "--petsc has no effect here: there is no linear system for PETSc",
                {.hint = "leave it out"});
}

void warn_of_unused(const Session& session, const std::string& given) {
  if (given.empty() || session.quiet) return;
  for (const std::string& name : Petsc::unused_options())
    Session::complain(fmt::format("mercer-mpi: warning: the PETSc option -{} had no effect", name));
}

void run(const ClusterFit& options, Session& session, const Communicator& ranks) {
  const bool alone = ranks.size() == 1 && options.checkpoint.empty() && options.petsc.empty();
  if (alone) {
    FitCommand fit = options.fit;
    fit.data.path = path_of_rank(fit.data.path, 0);
    return run_fit(fit, session);
  }
  session.ranks = ranks.size();
  if (is_shared(options.fit)) {
    in_step(ranks, [&] { refuse_for_shared(options); });
    return fit_shared(options.fit, session, ranks, options.checkpoint, options.every);
  }
  in_step(ranks, [&] { Petsc::start(options.petsc); });
  std::optional<FitRows> reading;
  std::optional<SpreadTask> task;
  in_step(ranks, [&] { refuse_others(options); });
  ReadingRanks readers(ranks, session.threads);
  session.reader = [&](const std::string& path, const ReadOptions& how) { return readers.read(path, how); };
  readers.run([&] {
    reading = read_rows(options.fit, nullptr, session);
    task.emplace(SpreadTask{options.fit.chosen_method(reading->data, nullptr),
                            options.fit.chosen_kernel(reading->data, nullptr), reading->data});
  });
  session.reader = {};
  const auto start = std::chrono::steady_clock::now();
  const SpreadOptions how{.fit = options.fit.fit_options(session),
                          .scaling = options.fit.chosen_scaling(nullptr),
                          .checkpoint = options.checkpoint,
                          .every = options.every,
                          .stopped = [] { return Session::stopped(); }};
  const std::optional<Model> model = fit_spread(ranks, task ? &*task : nullptr, how);
  in_step(ranks, [&] {
    if (!model) return;
    if (!options.fit.out.empty()) model->save(options.fit.out);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    std::vector<Note> notes;
    if (const std::string note = model->scaling.note(); !note.empty()) notes.push_back(note);
    warn_of_unused(session, options.petsc);
    Json json = summarize(options.fit, session, *reading, *model, seconds, notes);
    session.answer(json);
    set_exit_code(session, model->fitted.report);
    if (model->fitted.report.converged) std::remove(options.checkpoint.c_str());
  });
  session.exit_code = int(ranks.most(session.exit_code));
}

}  // namespace

std::function<void(const Communicator&)>& pending_work() {
  static std::function<void(const Communicator&)> work;
  return work;
}

void add_cluster_fit(CLI::App& app, Session& session) {
  auto* command = app.add_subcommand("fit", "fit a model to data whose rows are spread over all ranks");
  auto options = std::make_shared<ClusterFit>();
  options->fit.add(*command);
  add_value(*command, "--checkpoint", options->checkpoint, "FILE",
            "where an iterative fit keeps its state; a fit whose state is there goes on from it")
      ->group("Many machines");
  add_value(*command, "--every", options->every, "SECONDS", "time between two checkpoints")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber)
      ->group("Many machines");
  add_value(*command, "--petsc", options->petsc, "OPTIONS", "options of PETSc, e.g. \"-ksp_monitor\"")
      ->group("Many machines");
  command->footer(
      fmt::format("Methods on several ranks: {}, {}; others by rank 0; searches and assessments of all. One "
                  "rank alone fits as mercer does.\n"
                  "Exit code 1 if the fit did not converge, 4 if the time ran out, 130 after Ctrl-C.",
                  spread_methods(), shared_methods()));
  command->callback([&session, options] {
    pending_work() = [&session, options](const Communicator& ranks) { run(*options, session, ranks); };
  });
}

}  // namespace mercer::cluster
