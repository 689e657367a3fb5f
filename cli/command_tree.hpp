// The commands and options of the program as data: what help, completion, the manual page and messages about
// wrong usage are made of.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

namespace mercer::cli {

struct OptionEntry {
  std::vector<std::string> flags;  ///< "-o", "--output"; of an argument none
  std::string name;                ///< of an argument, as in DATA
  std::string type;                ///< what the value is: FILE, NUMBER, dense|sparse; of a flag empty
  std::string description, group;
  std::string standard;            ///< the default, or empty
  std::string range;               ///< "1 to 10000", or empty
  std::vector<std::string> words;  ///< all values, or the names that values are made of
  std::vector<std::string> excludes;
  bool closed = false;  ///< whether there are no values but `words`
  bool file = false;    ///< whether the value is a path
  bool required = false, repeated = false;

  bool positional() const { return flags.empty(); }
  bool is_flag() const { return type.empty() && !positional(); }
};

struct CommandEntry {
  std::string path;  ///< "mercer plot roc"
  std::string name, summary, group, footer;
  std::vector<OptionEntry> options;  ///< arguments first
  std::vector<CommandEntry> commands;
  bool takes_all = false;  ///< what follows its name is its own, as of svm-train
};

/// The entry of an app and what is below it; `above`: the path of its parents.
CommandEntry command_tree(const CLI::App& app, const std::string& above = "");

/// "-o, --output FILE", "--storage dense|sparse|keep", "--format FORMAT" where the words would make it longer
/// than `most`.
std::string term_of(const OptionEntry& option, std::size_t most);
/// The description and, in brackets, the values that the term does not tell, the range, the default and the
/// rest.
std::string text_of(const OptionEntry& option, std::size_t most);
/// The summary as a sentence begins.
std::string title_of(const CommandEntry& command);
/// "mercer predict [OPTIONS] MODEL DATA"
std::string usage_of(const CommandEntry& command);

// --- What the program says of its own usage (help.cpp). ---

/// As wide as the terminal.
std::shared_ptr<CLI::FormatterBase> help_formatter();

/// A few lines for `mercer` without a command: what there is to begin with, and an example.
std::string short_usage(const CLI::App& app);

/// What is said of a misspelt command, or empty: help that is asked for it cannot be given.
std::string unknown_command_complaint(const CLI::App& app);

/// What was wrong, the nearest word that would be right, and where to read on.
std::string complaint_of(const CLI::App& app, const CLI::ParseError& error);

}  // namespace mercer::cli
