#include "cli/program.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iostream>
#include <new>
#include <optional>
#include <sstream>
#include <string_view>
#include <system_error>
#include <vector>

#include "cli/command_tree.hpp"
#include "cli/data_options.hpp"
#include "cli/terminal.hpp"
#include "mercer/doctor.hpp"
#include "mercer/one_thread.hpp"
#include "mercer/version.hpp"

namespace mercer::cli {

namespace {

constexpr int exit_codes[] = {wrong_usage, bad_data, out_of_budget, interrupted};  // of ErrorKind

void add_global_options(CLI::App& app, Session& session) {
  app.add_flag("--json", session.json, "write results as JSON");
  app.add_flag("--quiet", session.quiet, "write nothing but result files and errors");
  add_value(app, "--threads", session.threads, "N", "number of threads; 0 for all cores")
      ->capture_default_str()
      ->check(CLI::Range(0, 4096));
  add_value(
      app, "--memory", session.memory, "SIZE",
      "memory limit, e.g. 4GB: of fit for data, model and program; default half of the machine's memory")
      ->transform(CLI::AsSizeValue(false));
  add_value(app, "--seed", session.seed, "N", "random seed")->capture_default_str();
  app.add_option("--color", session.color, "when to use color; auto: on a terminal, unless NO_COLOR is set")
      ->capture_default_str()
      ->check(CLI::IsMember({"auto", "always", "never"}));
}

// Repeated below the help of every command.
constexpr const char* global_options =
    "--quiet --threads N --memory SIZE --seed N --color WHEN ('mercer --help' explains)";

// The command that is named, where the options of the others need not be known: those of all take a
// millisecond. "" for none of them.
std::optional<std::string_view> only_command(std::span<const CommandGroup> groups,
                                             const std::vector<std::string>& words) {
  if (words == std::vector<std::string>{"--version"}) return "";
  for (const std::string& word : words)
    for (const auto& [group, commands] : groups)
      for (const auto& [name, add] : commands)
        if (word == name) return name == "completion" || name == "man" ? std::nullopt : std::optional(name);
  return std::nullopt;
}

// A command of `mercer` that this program does not have, or empty.
std::string_view command_elsewhere(const Program& program, const std::vector<std::string>& words) {
  if (!program.elsewhere) return {};
  for (const std::string& word : words)
    for (const auto& [group, commands] : command_groups)
      for (const auto& [name, add] : commands)
        if (word == name) return name;
  return {};
}

}  // namespace

int run_program(const Program& program, Session& session, int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  session.command_line = fmt::format("{} {}", program.name, fmt::join(values_of(words, shell_word), " "));
  use_color_of(words);
  CLI::App app{program.summary, program.name};
  app.formatter(help_formatter());
  app.set_help_flag("-h,--help", "print this help and exit");
  app.set_version_flag("--version", program.name + " " + version(), "print the version and exit");
  app.require_subcommand(1);
  app.fallthrough();
  add_global_options(app, session);
  std::optional<OneThread> alone;  // also in what has no number of threads of its own
  app.parse_complete_callback([&] {
    if (session.threads == 1) alone.emplace();
  });
  const std::optional<std::string_view> only = only_command(program.groups, words);
  for (const auto& [group, commands] : program.groups)
    for (const auto& [name, add] : commands) {
      if (only && name != *only) continue;
      add(app, session);
      app.get_subcommands({}).back()->group(group);
    }
  for (CLI::App* command : app.get_subcommands({})) {
    const std::string own = command->get_footer();
    // A prefix command takes what follows.
    const std::string where =
        command->get_prefix_command() ? "Global options, before the command: " : "Global options: --json ";
    command->footer(own + (own.empty() ? "" : "\n\n") + where + global_options);
  }
  app.footer(fmt::format("'{} COMMAND --help' explains a command.\nExit codes: {}.", program.name,
                         fmt::join(values_of(exit_meanings,
                                             [](const auto& exit) {
                                               return fmt::format("{} {}", int(exit.first), exit.second);
                                             }),
                                   "; ")));
  if (words.empty()) {
    Session::complain(short_usage(app));
    return wrong_usage;
  }
  if (!only)
    if (const std::string_view other = command_elsewhere(program, words); !other.empty()) {
      Session::complain(program.elsewhere(other));
      return wrong_usage;
    }
  try {
    app.parse(argc, argv);
    if (const std::string warning = performance_warning(); !warning.empty() && !session.quiet)
      Session::complain(program.name + ": warning: " + warning);
    return session.exit_code;
  } catch (const CLI::Success& success) {
    const std::string complaint = unknown_command_complaint(app);
    std::ostringstream unsaid;
    if (complaint.empty()) return Session::silent() ? app.exit(success, unsaid, unsaid) : app.exit(success);
    Session::complain(complaint);
    return wrong_usage;
  } catch (const CLI::ParseError& error) {
    Session::complain(complaint_of(app, error));
    return wrong_usage;
  }
}

Failure current_failure(const std::string& program) {
  const auto said = [&](const std::string& what) { return fmt::format("{}: {}", program, what); };
  try {
    throw;
  } catch (const Error& error) {
    if (error.code() == ErrorCode::closed_output) return {closed_pipe};
    return {
        exit_codes[int(error.kind())],
        said(error.kind() == ErrorKind::cancelled ? "interrupted before the end" : error.said(flag_words))};
  } catch (const std::bad_alloc&) {
    return {out_of_budget, said("out of memory")};
  } catch (const std::system_error& error) {  // fmt::print
    if (error.code() == std::errc::broken_pipe) return {closed_pipe};
    return {bad_data, said(fmt::format("standard output: {}", error.what()))};
  } catch (const std::exception& error) {
    return {bar_not_met,
            said(fmt::format("{}; this is a bug, please report it with the output of mercer doctor",
                             error.what()))};
  }
}

}  // namespace mercer::cli
