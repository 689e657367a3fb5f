#include "cli/row_storage.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "cli/fit_budget.hpp"
#include "mercer/plan.hpp"
#include "mercer/read_rows.hpp"

namespace mercer::cli {

namespace {

// The same for any memory: so what is named as enough is. Passes take no longer with more.
constexpr std::size_t resident_rows = std::size_t(64) << 20;

// Beside the model; of a fit without one where large temporary files go, which /tmp is not: it may be memory.
std::string folder_of_rows(const std::string& out) {
  if (!out.empty() && out != "-") {
    const std::string folder = std::filesystem::path(out).parent_path().string();
    return folder.empty() ? "." : folder;
  }
  const char* given = std::getenv("TMPDIR");
  return given && *given ? given : ::access("/var/tmp", W_OK) == 0 ? "/var/tmp" : "/tmp";
}

// Why such a fit needs all rows in memory; empty where it does not.
std::string needs_memory(const FitCommand& options) {
  if (options.searches() && !options.names_method())
    return "a search may select a method that needs its rows at hand";
  if (!options.grids.empty()) return "--grid compares fits of all rows";
  if (options.cv || !options.folds.empty()) return "cross-validation fits several models of nearly all rows";
  if (!options.report.empty()) return "--report draws the rows";
  if (!options.resume.empty()) return "a fit that goes on from a model needs its rows at hand";
  if (!options.repair.empty()) return "--repair needs the kernel matrix";
  if (!options.data.read.bag.empty()) return "--bag makes sets of the rows";
  if (options.names_method() && !fits_by_passes(*method_named(options.method)))
    return fmt::format("{} needs its rows at hand", options.method);
  if (!options.approx.empty() && !options.approx.starts_with("nystrom"))
    return fmt::format("--approx {} needs its rows at hand", options.approx);
  return {};
}

}  // namespace

std::optional<RowStorage> rows_on_disk(const FitCommand& options, const Session& session) {
  if (session.reader) return {};  // rows that are read otherwise are held
  const std::string against = needs_memory(options);
  const std::size_t memory = session.memory_bytes();
  if (options.stream && !against.empty())
    throw Error(
        ErrorCode::unsupported, "--stream: " + against,
        {.hint = "name a method that passes over the rows (ridge, logistic, svm, svr, poisson, huber or "
                 "rerm) with --approx nystrom:2000, or leave --stream out"});
  // In memory they are held as they were read and as they are scaled.
  const std::size_t left = memory - std::min(memory, program_bytes);
  if (!options.stream &&
      (!against.empty() || 2 * estimated_bytes(options.data.path, options.data.read) <= left / 2))
    return {};
  return RowStorage{folder_of_rows(options.out), resident_rows, options.stream};
}

std::string storage_note(const RowStorage& storage, const Dataset& data) {
  return fmt::format("the rows ({:.3g} GB) are kept in a temporary file in {}{}",
                     double(data.points.bytes()) / 1e9, storage.folder,
                     storage.asked ? "" : ": as read and scaled they are more than half of --memory");
}

}  // namespace mercer::cli
