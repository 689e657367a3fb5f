// The commands and options of the program as data: what help, completion and the manual page are made of.
#pragma once

#include <CLI/CLI.hpp>
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

}  // namespace mercer::cli
