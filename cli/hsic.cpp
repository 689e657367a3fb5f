// mercer hsic DATA --target NAME: do the rows and the target depend on each other? With --rank: which columns
// do?
#include <fmt/format.h>

#include <memory>

#include "cli/commands.hpp"
#include "cli/data_options.hpp"
#include "mercer/hsic.hpp"

namespace mercer::cli {

namespace {

struct HsicWords {
  DataOptions data;
  std::string kernel = "rbf(gamma=median)", target_kernel;
  std::optional<std::size_t> permutations;
  bool rank = false;
};

void tell_test(const Session& session, const HsicTest& test, const std::string& data) {
  session.say(
      fmt::format("HSIC of {} with the target under {}", test.kernel.text(), test.target_kernel.text()));
  session.say_line("data", data);
  session.say_line("biased", fmt::format("{:.6g}", test.biased));
  if (test.unbiased) session.say_line("unbiased", fmt::format("{:.6g}", *test.unbiased));
  session.say_line("alignment", fmt::format("{:.4f}", test.alignment));
  if (test.p_value)
    session.say_line("p-value", fmt::format("{:.6g} ({} permutations)", *test.p_value, test.permutations));
  session.answer({{"kernel", test.kernel.text()},
                  {"target_kernel", test.target_kernel.text()},
                  {"hsic_biased", number(test.biased)},
                  {"hsic_unbiased", number(test.unbiased)},
                  {"alignment", number(test.alignment)},
                  {"permutations", test.permutations},
                  {"p_value", number(test.p_value)}});
}

void tell_ranking(const Session& session, const std::vector<ColumnDependence>& ranking,
                  const std::vector<std::string>& names) {
  Json columns = Json::array();
  const auto name = [&](std::size_t column) {
    return column < names.size() ? names[column] : std::to_string(column + 1);
  };
  for (const ColumnDependence& one : ranking) {
    session.say_line(name(one.column),
                     fmt::format("HSIC {:.6g}, alignment {:.4f}{}", one.hsic, one.alignment,
                                 one.p_value ? fmt::format(", p-value {:.6g}", *one.p_value) : ""));
    columns.push_back({{"column", name(one.column)},
                       {"hsic_biased", number(one.hsic)},
                       {"alignment", number(one.alignment)},
                       {"p_value", number(one.p_value)}});
  }
  session.answer({{"columns", columns}});
}

}  // namespace

void add_hsic(CLI::App& app, Session& session) {
  auto* command =
      app.add_subcommand("hsic", "test whether rows and target are independent; rank columns by dependence");
  auto options = std::make_shared<HsicWords>();
  options->data.add(*command);
  add_value(*command, "--kernel", options->kernel, "EXPR",
            "kernel expression of the rows; with --rank of each column")
      ->capture_default_str();
  add_value(*command, "--target-kernel", options->target_kernel, "EXPR",
            "kernel expression of the target: by default rbf(gamma=median) of numbers, equality of classes");
  add_value(*command, "--permutations", options->permutations, "N",
            "number of permutations for p-values, 0 for none; by default 1000, with --rank 0")
      ->check(CLI::Range(0, 10000000));
  command->add_flag("--rank", options->rank, "HSIC of each column alone with the target, the largest first");
  command->callback([&session, options] {
    const Kernel kernel = Kernel::parse(options->kernel);
    const Dataset data = options->data.for_kernel(kernel).load(session);
    require_target(data, options->data.path);
    if (!data.weights.empty())
      throw Error(ErrorCode::unsupported, "hsic counts every row once, so that weights say nothing",
                  {.hint = "leave --weights out"});
    const Kernel of_target = options->target_kernel.empty() ? standard_target_kernel(data.target)
                                                            : Kernel::parse(options->target_kernel);
    const HsicOptions how{.permutations = options->permutations.value_or(options->rank ? 0 : 1000),
                          .seed = session.seed,
                          .threads = session.threads,
                          .memory = session.memory_bytes(),
                          .progress = session.progress()};
    const Points targets = target_points(data.target);
    if (options->rank)
      tell_ranking(session, hsic_ranking(kernel, data.points, of_target, targets, how), data.points.names());
    else
      tell_test(session, hsic_test(kernel, data.points, of_target, targets, how), describe(data));
  });
}

}  // namespace mercer::cli
