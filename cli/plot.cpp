// mercer plot KIND …: one picture alone.
#include "cli/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "cli/commands.hpp"
#include "mercer/default_kernel.hpp"
#include "mercer/error.hpp"
#include "mercer/file.hpp"

namespace mercer::cli {

void PictureFile::add(CLI::App& command) {
  kind_ = command.get_name();
  path_ = kind_ + ".svg";
  command.add_option("-o,--output", path_, "SVG file to write")->capture_default_str()->type_name("FILE");
}

void PictureFile::check() const {
  if (!path_.ends_with(".svg") || path_ == ".svg")
    throw Error(ErrorCode::invalid_argument, fmt::format("-o {}: plots are SVG files", path_),
                {.hint = "the name must end in .svg"});
}

void PictureFile::write(const Session& session, const std::string& svg, Json facts) const {
  write_file(path_, svg);
  session.say(fmt::format("{}: {:.0f} kB", path_, std::ceil(double(svg.size()) / 1000)));
  Json json{{"kind", kind_}, {"file", path_}, {"bytes", svg.size()}};
  json.update(facts);
  session.answer(json);
}

void MethodOptions::add(CLI::App& command) {
  command
      .add_option("--method", method,
                  "method ('mercer methods' lists all); default svm for classes, svr for numbers")
      ->type_name("METHOD");
  command
      .add_option("--kernel", kernel,
                  "kernel expression; default rbf(gamma=scale) for numbers and the usual kernel for objects")
      ->type_name("EXPR");
  command.add_option("--set", set, "hyperparameter of the method, as in --set C=10 (repeatable)")
      ->allow_extra_args(false)
      ->type_name("NAME=VALUE");
  command.add_option("--cv", folds, "number of cross-validation folds")
      ->capture_default_str()
      ->check(CLI::Range(2, 1000))
      ->type_name("K");
  command.add_option("--metric", metric, "metric; default accuracy for classes, rmse for numbers")
      ->type_name("METRIC");
}

Dataset MethodOptions::read(const DataOptions& data, const Session& session) const {
  DataOptions source = kernel.empty() ? data : data.for_kernel(Kernel::parse(kernel));
  if (!method.empty() && source.read.task == Task::none &&
      method_named(method)->traits().task == Task::classification)
    source.read.task = Task::classification;
  Dataset rows = source.read_rows(session);
  if (rows.target.task == Task::none)
    throw Error(ErrorCode::invalid_data, fmt::format("{}: no target column found", data.path),
                {.hint = "name it with --target"});
  return rows;
}

Kernel MethodOptions::chosen_kernel(const Dataset& data) const {
  return kernel.empty() ? default_kernel(data.points) : Kernel::parse(kernel);
}

AnyMethod MethodOptions::chosen(const Dataset& data) const {
  AnyMethod one = method_named(!method.empty()                            ? std::string_view(method)
                               : data.target.task == Task::classification ? "svm"
                                                                          : "svr");
  for (const std::string& text : set) {
    const auto split = text.find('=');
    if (split == text.npos)
      throw Error(ErrorCode::invalid_argument, fmt::format("--set '{}': write NAME=VALUE, as in C=10", text));
    const std::string name = text.substr(0, split), value = text.substr(split + 1);
    double number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    const bool is_number = error == std::errc() && end == value.data() + value.size();
    one->set(name, is_number ? Argument(number) : Argument(Word{value}));
  }
  return one;
}

std::string name_of_file(const std::string& path) {
  return path == "-" ? "standard input" : path.substr(path.rfind('/') + 1);
}

void add_plot(CLI::App& app, Session& session) {
  auto* command = app.add_subcommand("plot", "plot data, a search or a model as SVG");
  command->require_subcommand(1);
  command->footer("'mercer plot KIND --help' explains a kind.");
  for (const auto add : plots) add(*command, session);
}

}  // namespace mercer::cli
