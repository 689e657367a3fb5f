// What every subcommand shares: the global options, how results and errors are printed, and progress.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "mercer/gram.hpp"

namespace mercer::cli {

/// Keys are printed in the order in which they are added.
using Json = nlohmann::ordered_json;

enum Exit { success = 0, bar_not_met = 1, wrong_usage = 2, bad_data = 3, out_of_budget = 4 };

struct Session {
  bool json = false, quiet = false;
  int threads = 0;
  std::uint64_t memory = 0;  ///< bytes; 0: half of the machine's
  std::uint64_t seed = 1;
  int exit_code = success;  ///< set by a subcommand that ran but whose answer is "no"

  /// For a person: a line on standard output, unless --json or --quiet.
  void say(const std::string& line) const;
  /// For a program: the whole answer, with --json.
  void answer(const Json& json) const;
  /// A line on standard error, whatever the options.
  static void complain(const std::string& line);

  std::size_t memory_bytes() const;
  /// A bar with the time left on standard error, if that is a terminal and the work takes over two seconds.
  Progress progress() const;
  GramOptions gram_options() const;
};

/// A JSON number, or the text "Infinity", "-Infinity" or "NaN", which JSON numbers cannot be.
Json number(double value);

}  // namespace mercer::cli
