// mercer man: the manual page in troff, made from the tree of commands.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "cli/command_tree.hpp"
#include "cli/commands.hpp"
#include "mercer/version.hpp"

namespace mercer::cli {

namespace {

// The letter that begins at text[at], and where the next one begins.
std::pair<unsigned, std::size_t> letter_at(std::string_view text, std::size_t at) {
  const auto byte = static_cast<unsigned char>(text[at]);
  const std::size_t length = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
  unsigned code = length == 1 ? byte : byte & (0xFFu >> (length + 1));
  for (std::size_t i = 1; i < length && at + i < text.size(); ++i)
    code = code << 6 | (static_cast<unsigned char>(text[at + i]) & 0x3Fu);
  return {code, at + length};
}

// What troff would take for its own.
const std::map<unsigned, const char*> signs{{'\\', "\\e"},  {'-', "\\-"},   {'\'', "\\(aq"},
                                            {'^', "\\(ha"}, {'~', "\\(ti"}, {'`', "\\(ga"}};

// Plain text for troff: letters beyond ASCII by their numbers, so that the page needs no encoding, hyphens as
// the minus that is typed, and no line that begins like a request.
std::string troff(std::string_view text) {
  std::string made;
  for (std::size_t at = 0; at < text.size();) {
    const auto [code, next] = letter_at(text, at);
    const bool begins_line = made.empty() || made.back() == '\n';
    if (begins_line && (code == '.' || code == '\'')) made += "\\&";
    if (const auto sign = signs.find(code); sign != signs.end())
      made += sign->second;
    else if (code < 0x80)
      made += char(code);
    else
      made += fmt::format("\\[u{:04X}]", code);
    at = next;
  }
  return made;
}

std::string bold(std::string_view text) { return "\\fB" + troff(text) + "\\fR"; }

// A heading's argument: quotes would end it.
std::string troff_title(std::string_view text) {
  std::string made = troff(text);
  std::erase(made, '"');
  return "\"" + made + "\"";
}

constexpr std::size_t widest_term = 60;

std::string term(const OptionEntry& option) {
  if (option.positional()) return "\\fI" + troff(option.name) + "\\fR";
  std::string made;
  for (const std::string& flag : option.flags) made += (made.empty() ? "" : ", ") + bold(flag);
  const std::string whole = term_of(option, widest_term);
  const std::size_t value = whole.rfind(' ');
  return option.is_flag() ? made : made + " \\fI" + troff(whole.substr(value + 1)) + "\\fR";
}

std::string items(const std::vector<OptionEntry>& options) {
  std::string made;
  for (const OptionEntry& option : options)
    if (option.flags.empty() || option.flags.back() != "--help")
      made += fmt::format(".TP\n{}\n{}\n", term(option), troff(text_of(option, widest_term)));
  return made;
}

// Lines of a footer stay lines.
std::string as_it_is(const std::string& text) { return fmt::format(".PP\n.nf\n{}\n.fi\n", troff(text)); }

std::string section(const CommandEntry& command) {
  std::string made = fmt::format(".SS {}\n{}.\n.PP\n{}\n", troff_title(command.path),
                                 troff(title_of(command)), bold(usage_of(command)));
  made += items(command.options);
  // The line about global options is for the screen.
  std::string footer =
      command.footer.substr(0, std::min(command.footer.find("Global options"), command.footer.size()));
  while (!footer.empty() && footer.back() == '\n') footer.pop_back();
  if (!footer.empty()) made += as_it_is(footer);
  for (const CommandEntry& below : command.commands) made += section(below);
  return made;
}

constexpr const char* page_end = R"page(.SH ENVIRONMENT
.TP
.B COLUMNS
The width of help and listings, in place of the terminal\(aqs.
.TP
.B NO_COLOR
If set, there is no color unless \fB\-\-color always\fR is given.
.SH EXAMPLES
Make a data set, fit a model with everything selected automatically, and use it:
.PP
.nf
mercer generate moons \-o moons.csv
mercer fit moons.csv \-o moons.mercer \-\-report moons.html
mercer predict moons.mercer moons.csv
mercer evaluate moons.mercer moons.csv
.fi
.PP
Name the method and the kernel:
.PP
.nf
mercer fit moons.csv \-\-method svm \-\-C 10 \-\-kernel "rbf(gamma=scale)" \-o svm.mercer
.fi
)page";

}  // namespace

void add_man(CLI::App& app, Session&) {
  auto* command =
      app.add_subcommand("man", "print the manual page in troff; 'mercer man | man -l -' shows it");
  command->callback([&app] {
    const CommandEntry program = command_tree(app);
    fmt::print(".TH MERCER 1 \"\" \"mercer {}\" \"User Commands\"\n", version());
    fmt::print(".SH NAME\nmercer \\- kernel methods from the command line\n");
    fmt::print(".SH SYNOPSIS\n.B mercer\n.I COMMAND\n.RI [ OPTIONS ]\n");
    fmt::print(".SH DESCRIPTION\n{}\n", troff(program.summary));
    fmt::print(".SH GLOBAL OPTIONS\n{}", items(program.options));
    fmt::print(".SH COMMANDS\n");
    for (const CommandEntry& below : program.commands) fmt::print("{}", section(below));
    fmt::print(".SH EXIT STATUS\n");
    for (const auto& [code, meaning] : exit_meanings)
      fmt::print(".TP\n.B {}\n{}{}.\n", int(code), char(std::toupper(meaning[0])), meaning + 1);
    fmt::print("{}", page_end);
  });
}

}  // namespace mercer::cli
