// mercer cca DATA --x COLUMNS --y COLUMNS: what two views of the same rows have in common, and projections
// onto it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "cli/commands.hpp"
#include "cli/data_options.hpp"
#include "mercer/cca.hpp"

namespace mercer::cli {

namespace {

struct CcaWords {
  DataOptions data;
  std::vector<std::string> x, y;
  std::string kernel = "rbf(gamma=median)", other_kernel, test, output;
  Format format = Format::automatic;
  CcaOptions how;
};

// Columns by name or by number, from 1.
std::vector<std::size_t> columns_of(const std::vector<std::string>& words, const Dataset& data,
                                    const char* flag) {
  const std::vector<std::string>& names = data.points.names();
  std::vector<std::size_t> columns;
  for (const std::string& word : words) {
    const auto named = std::ranges::find(names, word);
    const auto number = parse_number<std::size_t>(word);
    if (named != names.end())
      columns.push_back(std::size_t(named - names.begin()));
    else if (number && *number >= 1 && *number <= data.points.cols())
      columns.push_back(*number - 1);
    else
      throw Error(ErrorCode::invalid_argument,
                  fmt::format("{} names '{}', which is not a column", flag, word),
                  {.hint = names.empty() ? fmt::format("there are columns 1 to {}", data.points.cols())
                                         : fmt::format("the columns are {}", fmt::join(names, ", "))});
  }
  return columns;
}

Dataset projections(const KernelCca& cca, const Points& x, const Points& y, int threads) {
  const std::size_t n = x.rows(), count = cca.correlations.size();
  std::vector<double> f(n * count), g(n * count);
  cca.x.sums(x, f, threads);
  cca.y.sums(y, g, threads);
  Dense<double> rows{n, 2 * count, Buffer<double>(2 * n * count)};
  for (std::size_t i = 0; i < n; ++i) {
    std::copy_n(f.data() + i * count, count, rows.values.data() + i * 2 * count);
    std::copy_n(g.data() + i * count, count, rows.values.data() + (i * 2 + 1) * count);
  }
  std::vector<std::string> names;
  for (const char* view : {"x", "y"})
    for (std::size_t j = 0; j < count; ++j) names.push_back(fmt::format("{}{}", view, j + 1));
  Dataset data;
  data.points = Points(std::move(rows), names);
  return data;
}

}  // namespace

void add_cca(CLI::App& app, Session& session) {
  auto* command =
      app.add_subcommand("cca", "correlate two groups of columns by kernel canonical correlation analysis");
  auto options = std::make_shared<CcaWords>();
  options->data.read.target = "none";
  options->data.add(*command);
  add_value(*command, "--x", options->x, "COLUMNS",
            "columns of the first view, by name or number, separated by commas")
      ->delimiter(',')
      ->required();
  add_value(*command, "--y", options->y, "COLUMNS", "columns of the second view")->delimiter(',')->required();
  add_value(*command, "--kernel", options->kernel, "EXPR", "kernel expression of the first view")
      ->capture_default_str();
  add_value(*command, "--other-kernel", options->other_kernel, "EXPR",
            "kernel expression of the second view; by default that of the first");
  add_value(*command, "--components", options->how.components, "N", "number of pairs of functions")
      ->capture_default_str();
  add_value(*command, "--regularization", options->how.regularization, "NUMBER",
            "κ: n·κ/2 is added to the diagonals of the kernel matrices")
      ->capture_default_str();
  add_value(*command, "--test", options->test, "FILE", "project the rows of this file in place of DATA's");
  add_value(*command, "-o,--output", options->output, "FILE",
            "write the projections, x1 … and y1 …; without it they are not made");
  add_format(*command, "--output-format", options->format, "format of the output");
  command->callback([&session, options] {
    if (options->output.empty() && !options->test.empty())
      throw Error(ErrorCode::invalid_argument,
                  "--test names rows to project, but there is no file for the projections",
                  {.hint = "name one with -o"});
    const Dataset data = options->data.load(session);
    if (!data.weights.empty())
      throw Error(ErrorCode::unsupported, "cca counts every row once, so that weights say nothing",
                  {.hint = "leave --weights out"});
    const Kernel kernel = Kernel::parse(options->kernel),
                 other = options->other_kernel.empty() ? kernel : Kernel::parse(options->other_kernel);
    const std::vector<std::size_t> of_x = columns_of(options->x, data, "--x"),
                                   of_y = columns_of(options->y, data, "--y");
    CcaOptions how = options->how;
    how.threads = session.threads;
    how.memory = session.memory_bytes();
    how.progress = session.progress();
    const KernelCca cca =
        kernel_cca(kernel, data.points.select_columns(of_x), other, data.points.select_columns(of_y), how);
    session.say(fmt::format("kernel CCA of {} and {}", cca.x.kernel.text(), cca.y.kernel.text()));
    session.say_line("data", describe(data));
    for (std::size_t j = 0; j < cca.correlations.size(); ++j)
      session.say_line(fmt::format("pair {}", j + 1), fmt::format("correlation {:.6f}", cca.correlations[j]));
    const Json answer{{"kernel", cca.x.kernel.text()},
                      {"other_kernel", cca.y.kernel.text()},
                      {"correlations", cca.correlations}};
    if (options->output.empty()) return session.answer(answer);
    DataOptions of_test = options->data;
    if (!options->test.empty()) of_test.path = options->test;
    const Dataset fresh = options->test.empty() ? data : of_test.load(session);
    if (fresh.points.cols() != data.points.cols())
      throw Error(ErrorCode::invalid_data,
                  fmt::format("{} has {} columns, but {} has {}", options->test, fresh.points.cols(),
                              options->data.path, data.points.cols()));
    write_data(session, options->output,
               projections(cca, fresh.points.select_columns(of_x), fresh.points.select_columns(of_y),
                           session.threads),
               options->format, answer);
  });
}

}  // namespace mercer::cli
