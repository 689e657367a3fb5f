// What the programs of the project share: the global options, the commands, help, and how errors become
// messages and exit codes. `mercer` has all commands (commands.hpp); a program over many machines has some of
// its own.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "cli/commands.hpp"

namespace mercer::cli {

struct Program {
  std::string name;     ///< "mercer": what help and messages call it
  std::string summary;  ///< the first lines of its help
  std::span<const CommandGroup> groups;
  /// Said of a word that is a command of `mercer`, but none of this program's.
  std::function<std::string(std::string_view command)> elsewhere = {};
};

/// Reads the arguments and runs one command. The exit code; errors of the command itself are thrown.
int run_program(const Program& program, Session& session, int argc, char** argv);

/// What is printed of an exception, and the exit code. An empty message: nothing is.
struct Failure {
  int exit_code = 0;
  std::string message = {};
};
/// Of the exception being handled; its message begins with the name of the program.
Failure current_failure(const std::string& program);

}  // namespace mercer::cli
