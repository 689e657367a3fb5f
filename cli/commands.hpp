// One subcommand, one file, one line here.
#pragma once

#include <CLI/CLI.hpp>
#include <string_view>
#include <vector>
#include <vector>

#include "cli/session.hpp"

namespace mercer::cli {

void add_kernels(CLI::App& app, Session& session);
void add_check(CLI::App& app, Session& session);
void add_gram(CLI::App& app, Session& session);
void add_features(CLI::App& app, Session& session);
void add_generate(CLI::App& app, Session& session);
void add_convert(CLI::App& app, Session& session);

void add_methods(CLI::App& app, Session& session);
void add_losses(CLI::App& app, Session& session);
void add_fit(CLI::App& app, Session& session);
void add_predict(CLI::App& app, Session& session);
void add_transform(CLI::App& app, Session& session);
void add_evaluate(CLI::App& app, Session& session);
void add_explain(CLI::App& app, Session& session);
void add_inspect(CLI::App& app, Session& session);
void add_plot(CLI::App& app, Session& session);
void add_doctor(CLI::App& app, Session& session);
void add_svm_train(CLI::App& app, Session& session);
void add_svm_predict(CLI::App& app, Session& session);
void add_svm_scale(CLI::App& app, Session& session);
void add_completion(CLI::App& app, Session& session);
void add_man(CLI::App& app, Session& session);

using AddCommand = void (*)(CLI::App& app, Session& session);

struct Command {
  std::string_view name;
  AddCommand add;
};

struct CommandGroup {
  const char* name;
  std::vector<Command> commands;
};

/// In the order in which help lists them.
inline const CommandGroup command_groups[] = {
    {"Models",
     {{"fit", add_fit},
      {"predict", add_predict},
      {"evaluate", add_evaluate},
      {"explain", add_explain},
      {"transform", add_transform},
      {"inspect", add_inspect},
      {"plot", add_plot}}},
    {"Kernels", {{"check", add_check}, {"gram", add_gram}, {"features", add_features}}},
    {"Reference", {{"kernels", add_kernels}, {"methods", add_methods}, {"losses", add_losses}}},
    {"Data", {{"generate", add_generate}, {"convert", add_convert}}},
    {"LIBSVM commands",
     {{"svm-train", add_svm_train}, {"svm-predict", add_svm_predict}, {"svm-scale", add_svm_scale}}},
    {"This program", {{"doctor", add_doctor}, {"completion", add_completion}, {"man", add_man}}},
};

}  // namespace mercer::cli
