#include "cli/libsvm_flags.hpp"

#include <fmt/format.h>

#include "cli/data_options.hpp"

namespace mercer::cli {

void add_libsvm_command(CLI::App& app, const std::string& name, const std::string& summary,
                        const std::string& usage,
                        const std::function<void(const std::vector<std::string>&)>& run) {
  auto* command = app.add_subcommand(name, summary);
  command->set_help_flag("--help", "print this help and exit");
  command->fallthrough(false)->allow_extras()->prefix_command();
  command->footer(usage);
  command->callback([command, run] { run(command->remaining()); });
}

LibsvmFlags::LibsvmFlags(std::string program, std::vector<std::string> arguments, std::string usage)
    : program_(std::move(program)), usage_(std::move(usage)), arguments_(std::move(arguments)) {}

void LibsvmFlags::refuse(const std::string& what) const {
  throw Error(ErrorCode::invalid_argument, fmt::format("{}: {}\n{}", program_, what, usage_));
}

void LibsvmFlags::read(const std::map<std::string, std::function<void()>>& known,
                       const std::function<bool(const std::string&)>& other) {
  while (at_ < arguments_.size() && arguments_[at_].size() > 1 && arguments_[at_][0] == '-') {
    flag_ = arguments_[at_++].substr(1);
    if (const auto found = known.find(flag_); found != known.end())
      found->second();
    else if (!other || !other(flag_))
      refuse(fmt::format("unknown option -{}", flag_));
  }
}

std::string LibsvmFlags::text() {
  if (at_ == arguments_.size()) refuse(fmt::format("-{} needs a value", flag_));
  return arguments_[at_++];
}

double LibsvmFlags::number() {
  const std::string value = text();
  const std::optional<double> parsed = parse_number(value.substr(value.starts_with('+')));
  if (!parsed) refuse(fmt::format("-{} '{}': not a number", flag_, value));
  return *parsed;
}

double LibsvmFlags::number(double least, double most) {
  const double value = number();
  if (!(value >= least && value <= most))
    refuse(fmt::format("-{} {:g}: must be from {:g} to {:g}", flag_, value, least, most));
  return value;
}

int LibsvmFlags::whole(int least, int most) {
  const double value = number(least, most);
  if (value != int(value)) refuse(fmt::format("-{} {:g}: must be a whole number", flag_, value));
  return int(value);
}

std::vector<std::string> LibsvmFlags::files(std::size_t least, std::size_t most) const {
  const std::vector<std::string> rest(arguments_.begin() + std::ptrdiff_t(at_), arguments_.end());
  if (rest.size() < least) refuse("missing file name");
  if (rest.size() > most)
    refuse(fmt::format("unexpected argument '{}'; options come before files", rest[most]));
  return rest;
}

std::string g6(double value) { return fmt::format("{:.6g}", value); }
std::string g17(double value) { return fmt::format("{:.17g}", value); }

void print_noise(double scale, const char* name) {
  fmt::print(
      "Prob. model for test data: target value = predicted value + z,\nz: Laplace distribution "
      "e^(-|z|/sigma)/(2sigma),{}{}\n",
      name, g6(scale));
}

LibsvmFit libsvm_fit(std::span<const double> truth, std::span<const double> predicted) {
  double error = 0, sv = 0, sy = 0, svv = 0, syy = 0, svy = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const double y = truth[i], v = predicted[i];
    error += (v - y) * (v - y);
    sv += v, sy += y, svv += v * v, syy += y * y, svy += v * y;
  }
  const double n = double(truth.size()), covariance = n * svy - sv * sy;
  return {error / n, covariance * covariance / ((n * svv - sv * sv) * (n * syy - sy * sy))};
}

}  // namespace mercer::cli
