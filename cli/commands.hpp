// One subcommand, one file, one line here.
#pragma once

#include <CLI/CLI.hpp>

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

inline constexpr auto commands = {add_fit, add_predict, add_transform, add_evaluate, add_explain, add_inspect, add_plot, add_check, add_gram, add_features, add_kernels,
                                  add_methods, add_losses, add_generate, add_convert, add_doctor, add_svm_train, add_svm_predict, add_svm_scale};

}  // namespace mercer::cli
