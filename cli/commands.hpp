// The subcommands: most are a file each, and each has a name here.
#pragma once

#include <CLI/CLI.hpp>
#include <string_view>
#include <vector>

#include "cli/session.hpp"

namespace mercer::cli {

/// Adds a subcommand to the program.
using AddCommand = void(CLI::App& app, Session& session);

AddCommand add_cca, add_check, add_completion, add_convert, add_distance, add_doctor, add_evaluate,
    add_explain, add_features, add_fit, add_generate, add_gram, add_hsic, add_inspect, add_kernels,
    add_losses, add_man, add_methods, add_plot, add_predict, add_svm_predict, add_svm_scale, add_svm_train,
    add_transform;

struct CommandGroup {
  const char* name;
  struct Command {
    std::string_view name;
    AddCommand* add;
  };
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
    {"Kernels",
     {{"check", add_check},
      {"gram", add_gram},
      {"distance", add_distance},
      {"features", add_features},
      {"hsic", add_hsic},
      {"cca", add_cca}}},
    {"Reference", {{"kernels", add_kernels}, {"methods", add_methods}, {"losses", add_losses}}},
    {"Data", {{"generate", add_generate}, {"convert", add_convert}}},
    {"LIBSVM commands",
     {{"svm-train", add_svm_train}, {"svm-predict", add_svm_predict}, {"svm-scale", add_svm_scale}}},
    {"This program", {{"doctor", add_doctor}, {"completion", add_completion}, {"man", add_man}}},
};

}  // namespace mercer::cli
