// One subcommand, one file, one line here.
#pragma once

#include <CLI/CLI.hpp>
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

struct CommandGroup {
  const char* name;
  std::vector<AddCommand> commands;
};

/// In the order in which help lists them.
inline const CommandGroup command_groups[] = {
    {"Models", {add_fit, add_predict, add_evaluate, add_explain, add_transform, add_inspect, add_plot}},
    {"Kernels", {add_check, add_gram, add_features}},
    {"Reference", {add_kernels, add_methods, add_losses}},
    {"Data", {add_generate, add_convert}},
    {"LIBSVM commands", {add_svm_train, add_svm_predict, add_svm_scale}},
    {"This program", {add_doctor, add_completion, add_man}},
};

}  // namespace mercer::cli
