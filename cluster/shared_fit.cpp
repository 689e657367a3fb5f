#include "cluster/shared_fit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <optional>

#include "cluster/checkpoint.hpp"
#include "cluster/points_message.hpp"
#include "cluster/shared_ranks.hpp"
#include "cluster/spread_read.hpp"

namespace mercer::cluster {

namespace {

using namespace mercer::cli;

// Support vector machines; and kernel regression, which keeps all rows and predicts each from the others.
constexpr std::string_view methods_of_all[] = {"svm",      "nu_svm",         "svr", "nu_svr", "one_class",
                                               "quantile", "nadaraya_watson"};

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

// Of what a fit depends on.
std::uint64_t fingerprint_of(const Method& method, const Kernel& kernel, const Dataset& data,
                             const FitCommand& options) {
  Fingerprint print;
  print.add(method.name()).add(kernel.text()).add(options.data.scale);
  for (const auto& parameter : method.parameters()) {
    const Argument value = method.get(parameter.name);
    const double* const number = std::get_if<double>(&value);
    const Word* const word = std::get_if<Word>(&value);
    print.add(parameter.name).add(word ? word->text : "");
    if (number) print.add(std::span(number, 1));
  }
  for (const std::string& weight : options.class_weights) print.add(weight);
  print.add(bytes_of(data.points)).add(std::span<const double>(data.weights));
  print.add(std::as_bytes(std::span(data.target.codes))).add(std::span<const double>(data.target.values));
  return print.value();
}

struct Kept {
  const Communicator& ranks;
  SharedRanks& shared;
  const std::string& checkpoint;
  double every;
};

void fit_machine(const FitCommand& options, Session& session, const Kept& kept) {
  std::optional<Model> earlier;
  if (!options.resume.empty()) earlier = Model::load(options.resume);
  const Model* const start = earlier ? &*earlier : nullptr;
  const FitRows reading = read_rows(options, start, session);
  const AnyMethod method = options.chosen_method(reading.data, start);
  if (std::ranges::find(methods_of_all, method->name()) == std::end(methods_of_all))
    throw Error(ErrorCode::unsupported, fmt::format("--resume of {} is for one rank", method->name()),
                {.hint = "run mercer, or one rank"});
  const Kernel kernel = options.chosen_kernel(reading.data, start);
  FitOptions how = options.fit_options(session);
  how.resume = start;
  std::optional<SolutionFile> file;
  if (!kept.checkpoint.empty()) {
    file.emplace(kept.ranks, kept.checkpoint, kept.every,
                 fingerprint_of(*method, kernel, reading.data, options));
    kept.shared.keep_in(&*file);
  }
  const auto began = std::chrono::steady_clock::now();
  Model model = fit(method, kernel, reading.data, how, options.chosen_scaling(start));
  if (file && file->resumed()) {
    std::string& solver = model.fitted.report.solver;
    solver += fmt::format("{}from the checkpoint of an earlier run", solver.empty() ? "" : "; ");
  }
  if (!options.out.empty() && !Session::silent()) model.save(options.out);
  std::vector<Note> notes;
  if (const std::string note = model.scaling.note(); !note.empty()) notes.push_back(note);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - began;
  session.answer(summarize(options, session, reading, model, seconds.count(), notes));
  set_exit_code(session, model.fitted.report);
  if (file && model.fitted.report.converged && !Session::silent()) std::remove(kept.checkpoint.c_str());
}

}  // namespace

std::string shared_methods() { return fmt::format("{}", fmt::join(methods_of_all, ", ")); }

bool is_shared(const FitCommand& options) {
  const auto& all = methods_of_all;
  return chooses(options) || options.explain_plan || options.method.empty() ||
         std::ranges::find(all, options.method) != std::end(all);
}

void fit_shared(const FitCommand& options, Session& session, const Communicator& ranks,
                const std::string& checkpoint, double every) {
  in_step(ranks, [&] {
    if (checkpoint.empty()) return;
    if (chooses(options) || options.probabilities)
      throw Error(ErrorCode::unsupported, "searches, assessments and calibrations keep no checkpoint",
                  {.hint = "leave --checkpoint out, or fit with what was found"});
  });
  check_files(options, ranks);
  // Whatever depends on the memory must be the same on all.
  session.memory = std::uint64_t(ranks.least(double(session.memory_bytes())));
  if (options.dry_run || options.explain_plan) {
    in_step(ranks, [&] {
      if (ranks.first()) run_fit(options, session);
    });
  } else {
    SharedRanks all(ranks);
    work_together(ranks, [&] {
      const SharedWork shared(&all);
      if (chooses(options))
        run_fit(options, session);
      else
        fit_machine(options, session, {ranks, all, checkpoint, every});
    });
  }
  ranks.broadcast(session.exit_code);  // the first has the model
}

}  // namespace mercer::cluster
