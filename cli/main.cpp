// mercer: reads the arguments, runs one subcommand, turns errors into messages and exit codes.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <csignal>
#include <new>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

#include "cli/commands.hpp"
#include "cli/data_options.hpp"
#include "cli/command_tree.hpp"
#include "cli/terminal.hpp"
#include "mercer/doctor.hpp"
#include "mercer/one_thread.hpp"
#include "mercer/version.hpp"

namespace {

using namespace mercer;
using namespace mercer::cli;

constexpr int exit_codes[] = {wrong_usage, bad_data, out_of_budget, interrupted};  // of ErrorKind

void add_global_options(CLI::App& app, Session& session) {
  app.add_flag("--json", session.json, "write results as JSON");
  app.add_flag("--quiet", session.quiet, "write nothing but result files and errors");
  add_value(app, "--threads", session.threads, "N", "number of threads; 0 for all cores")
      ->capture_default_str()
      ->check(CLI::Range(0, 4096));
  add_value(app, "--memory", session.memory, "SIZE",
            "memory limit for large matrices, e.g. 4GB; default half of the machine's memory")
      ->transform(CLI::AsSizeValue(false));
  add_value(app, "--seed", session.seed, "N", "random seed")->capture_default_str();
  app.add_option("--color", session.color, "when to use color; auto: on a terminal, unless NO_COLOR is set")
      ->capture_default_str()
      ->check(CLI::IsMember({"auto", "always", "never"}));
}

// Repeated below the help of every command.
constexpr const char* global_options =
    "--quiet --threads N --memory SIZE --seed N --color WHEN ('mercer --help' explains)";

// A link named svm-train, svm-predict or svm-scale runs that command, so that scripts made for LIBSVM find
// it; and "help fit" is "fit --help".
std::vector<char*> arguments(int argc, char** argv) {
  std::vector<char*> all(argv, argv + argc);
  const std::string_view path = argc > 0 ? argv[0] : "", name = path.substr(path.rfind('/') + 1);
  if (name == "svm-train" || name == "svm-predict" || name == "svm-scale")
    all.insert(all.begin() + 1, argv[0] + (path.size() - name.size()));
  else if (argc > 1 && std::string_view(argv[1]) == "help") {
    static char help[] = "--help";
    all.erase(all.begin() + 1);
    all.push_back(help);
  }
  return all;
}

// The command that is named, where the options of the others need not be known: those of all take a
// millisecond. "" for none of them.
std::optional<std::string_view> only_command(const std::vector<std::string>& words) {
  if (words == std::vector<std::string>{"--version"}) return "";
  for (const std::string& word : words)
    for (const auto& [group, commands] : command_groups)
      for (const auto& [name, add] : commands)
        if (word == name) return name == "completion" || name == "man" ? std::nullopt : std::optional(name);
  return std::nullopt;
}

int run(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  Session session;
  session.command_line = fmt::format("mercer {}", fmt::join(values_of(words, shell_word), " "));
  use_color_of(words);
  CLI::App app{
      "Mercer: kernel methods for classification, regression, novelty detection and clustering.\n"
      "A kernel is an expression, such as 0.5*rbf(gamma=0.1) + poly(degree=2)*linear.",
      "mercer"};
  app.formatter(help_formatter());
  app.set_help_flag("-h,--help", "print this help and exit");
  app.set_version_flag("--version", std::string("mercer ") + version(), "print the version and exit");
  app.require_subcommand(1);
  app.fallthrough();
  add_global_options(app, session);
  std::optional<OneThread> alone;  // also in what has no number of threads of its own
  app.parse_complete_callback([&] {
    if (session.threads == 1) alone.emplace();
  });
  const std::optional<std::string_view> only = only_command(words);
  for (const auto& [group, commands] : command_groups)
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
  app.footer(fmt::format("'mercer COMMAND --help' explains a command.\nExit codes: {}.",
                         fmt::join(values_of(exit_meanings,
                                             [](const auto& exit) {
                                               return fmt::format("{} {}", int(exit.first), exit.second);
                                             }),
                                   "; ")));
  if (words.empty()) {
    Session::complain(short_usage(app));
    return wrong_usage;
  }
  try {
    app.parse(argc, argv);
    if (const std::string warning = performance_warning(); !warning.empty() && !session.quiet)
      Session::complain("mercer: warning: " + warning);
    return session.exit_code;
  } catch (const CLI::Success& success) {
    const std::string complaint = unknown_command_complaint(app);
    if (complaint.empty()) return app.exit(success);
    Session::complain(complaint);
    return wrong_usage;
  } catch (const CLI::ParseError& error) {
    Session::complain(complaint_of(app, error));
    return wrong_usage;
  }
}

}  // namespace

int main(int argc, char** argv) {
  // A closed pipe is then a failed write, which ends the program in good order.
  std::signal(SIGPIPE, SIG_IGN);
  handle_interrupts();
  try {
    std::vector<char*> all = arguments(argc, argv);
    return run(int(all.size()), all.data());
  } catch (const Error& error) {
    if (error.code() == ErrorCode::closed_output) return closed_pipe;
    Session::complain(fmt::format("mercer: {}", error.kind() == ErrorKind::cancelled
                                                    ? "interrupted before the end"
                                                    : error.said(flag_words)));
    return exit_codes[int(error.kind())];
  } catch (const std::bad_alloc&) {
    Session::complain("mercer: out of memory");
    return out_of_budget;
  } catch (const std::system_error& error) {  // fmt::print
    if (error.code() == std::errc::broken_pipe) return closed_pipe;
    Session::complain(fmt::format("mercer: standard output: {}", error.what()));
    return bad_data;
  } catch (const std::exception& error) {
    Session::complain(fmt::format(
        "mercer: {}; this is a bug, please report it with the output of mercer doctor", error.what()));
    return bar_not_met;
  }
}
