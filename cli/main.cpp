// mercer: reads the arguments, runs one subcommand, turns errors into messages and exit codes.
#include <fmt/format.h>

#include <csignal>
#include <new>
#include <string_view>
#include <vector>

#include "cli/commands.hpp"
#include "mercer/error.hpp"
#include "mercer/version.hpp"

namespace {

using namespace mercer;
using namespace mercer::cli;

int exit_code(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage: return wrong_usage;
    case ErrorKind::data: return bad_data;
    case ErrorKind::budget: return out_of_budget;
    case ErrorKind::cancelled: break;
  }
  return interrupted;
}

void add_global_options(CLI::App& app, Session& session) {
  app.add_flag("--json", session.json, "machine-readable output");
  app.add_flag("--quiet", session.quiet, "no output but results in files, and errors");
  app.add_option("--threads", session.threads, "threads; 0 for all")->capture_default_str()->check(CLI::Range(0, 4096))->type_name("N");
  app.add_option("--memory", session.memory, "memory for large results, e.g. 4GB; default half of the machine's")
      ->transform(CLI::AsSizeValue(false))->type_name("SIZE");
  app.add_option("--seed", session.seed, "seed of everything random")->capture_default_str();
}

// A link named svm-train, svm-predict or svm-scale runs that command, so that scripts made for LIBSVM find it.
std::vector<char*> arguments(int argc, char** argv) {
  std::vector<char*> all(argv, argv + argc);
  const std::string_view path = argc > 0 ? argv[0] : "", name = path.substr(path.rfind('/') + 1);
  if (name == "svm-train" || name == "svm-predict" || name == "svm-scale") all.insert(all.begin() + 1, argv[0] + (path.size() - name.size()));
  return all;
}

// What was typed, with quotes where a shell needs them.
std::string command_line(int argc, char** argv) {
  std::string line = "mercer";
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool plain = !word.empty() && word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,+@%") == word.npos;
    std::string quoted = "'";
    for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    line += " " + (plain ? word : quoted + "'");
  }
  return line;
}

int run(int argc, char** argv) {
  Session session;
  session.command_line = command_line(argc, argv);
  CLI::App app{"Mercer: every kernel machine, one engine.\nKernels are expressions: 0.5*rbf(gamma=0.1) + poly(degree=2)*linear", "mercer"};
  app.set_version_flag("--version", std::string("mercer ") + version());
  app.require_subcommand(1);
  app.fallthrough();
  app.get_formatter()->column_width(34);
  add_global_options(app, session);
  for (const auto add : commands) add(app, session);
  for (CLI::App* command : app.get_subcommands({})) {
    if (command->get_prefix_command()) {  // takes what follows its name for itself
      command->footer(command->get_footer() + "\nBefore the command's name: --quiet --threads N --memory SIZE --seed N (mercer --help).");
      continue;
    }
    const std::string own = command->get_footer();
    command->footer(own + (own.empty() ? "" : "\n") + "Also: --json --quiet --threads N --memory SIZE --seed N (mercer --help).");
  }
  app.footer("mercer COMMAND --help explains a command. Exit codes: 0 success, 1 a check that failed, 2 wrong usage, 3 bad data, 4 out of budget.");
  try {
    app.parse(argc, argv);
    return session.exit_code;
  } catch (const CLI::Success& success) {
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    Session::complain(fmt::format("mercer: {}", error.what()));
    std::string command;
    for (auto chosen = app.get_subcommands(); !chosen.empty(); chosen = chosen.front()->get_subcommands()) command += chosen.front()->get_name() + " ";
    Session::complain(fmt::format("        mercer {}--help explains", command));
    return wrong_usage;
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is then a failed write with a message
  handle_interrupts();
  try {
    std::vector<char*> all = arguments(argc, argv);
    return run(int(all.size()), all.data());
  } catch (const Error& error) {
    Session::complain(fmt::format("mercer: {}", error.what()));
    return exit_code(error.kind());
  } catch (const std::bad_alloc&) {
    Session::complain("mercer: out of memory");
    return out_of_budget;
  }
}
