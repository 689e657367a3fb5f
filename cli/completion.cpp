// mercer completion bash|zsh|fish: a script that completes command lines.
#include "cli/completion.hpp"

#include <fmt/format.h>

#include <memory>

#include "cli/commands.hpp"

namespace mercer::cli {

std::string in_short(const std::string& description) {
  return description.substr(0, description.find_first_of(";(\n"));
}

std::vector<const CommandEntry*> all_commands(const CommandEntry& program) {
  std::vector<const CommandEntry*> all{&program};
  for (std::size_t i = 0; i < all.size(); ++i)
    for (const CommandEntry& below : all[i]->commands) all.push_back(&below);
  return all;
}

void add_completion(CLI::App& app, Session&) {
  auto* command = app.add_subcommand(
      "completion", "print a script that completes mercer's commands and options in a shell");
  auto shell = std::make_shared<std::string>();
  command->add_option("SHELL", *shell, "the shell")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  command->footer(
      "To use it now and in new shells:\n"
      "  bash  mercer completion bash > ~/.local/share/bash-completion/completions/mercer\n"
      "  zsh   mercer completion zsh > DIRECTORY/_mercer, for a DIRECTORY in $fpath\n"
      "  fish  mercer completion fish > ~/.config/fish/completions/mercer.fish");
  command->callback([&app, shell] {
    const CommandEntry program = command_tree(app);
    fmt::print("{}", *shell == "bash"  ? bash_completion(program)
                     : *shell == "zsh" ? zsh_completion(program)
                                       : fish_completion(program));
  });
}

}  // namespace mercer::cli
