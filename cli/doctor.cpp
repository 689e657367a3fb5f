// mercer doctor: what this installation runs on, to be pasted into a bug report.
#include "mercer/doctor.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/commands.hpp"

namespace mercer::cli {

void add_doctor(CLI::App& app, Session& session) {
  auto* command = app.add_subcommand(
      "doctor", "show versions, CPU, BLAS, threads, memory and optional components, for bug reports");
  command->callback([&session] {
    const std::vector<Finding> found = doctor();
    std::size_t width = 0;
    for (const Finding& finding : found) width = std::max(width, finding.label.size());
    Json answer;
    for (const Finding& finding : found) {
      session.say(fmt::format("{:<{}}  {}", finding.label, width, finding.value));
      answer[finding.id] = finding.value;
    }
    session.answer(answer);
  });
}

}  // namespace mercer::cli
