#include <fmt/format.h>

#include <algorithm>

#include "data/bags.hpp"
#include "data/formats.hpp"

namespace mercer {

namespace {

void check_lengths(const Dataset& data) {
  const auto check = [&](bool has, std::size_t size, const char* what) {
    if (has && size != data.rows())
      throw Error(ErrorCode::invalid_argument,
                  fmt::format("the data set has {} rows and {} {}", data.rows(), size, what),
                  {.hint = "one for each row is needed"});
  };
  if (data.target.task == Task::regression && data.target.values.size() % data.target.outputs != 0)
    throw Error(ErrorCode::invalid_argument,
                fmt::format("the target has {} values, which are no rows of {} columns",
                            data.target.values.size(), data.target.outputs));
  check(data.target.task != Task::none, data.target.size(), "targets");
  check(!data.weights.empty(), data.weights.size(), "weights");
  check(!data.queries.empty(), data.queries.size(), "queries");
  for (const std::int32_t code : data.target.codes)
    if (code < 0 || std::size_t(code) >= data.target.labels.size())
      throw Error(ErrorCode::invalid_argument,
                  fmt::format("class code {} is outside the {} labels", code, data.target.labels.size()));
}

/// Sets of vectors have a row for each member in a table.
void write_as_table(const std::string& path, const Dataset& data, char delimiter) {
  const auto& objects = data.points.objects();
  const bool bags = objects.size() == 1 && objects[0].domain() == Domain::vectors && data.points.cols() == 0;
  write_table(path, bags ? with_a_row_for_each_member(data, path) : data, delimiter);
}

/// The data of a format that holds numbers alone.
const Dataset& numbers_of(const std::string& path, const Dataset& data) {
  for (const Objects& column : data.points.objects())
    refuse_file(path,
                fmt::format("column {} holds {}, which this format cannot", in_quotes(column.name()),
                            plural_of(column.domain())),
                "write .csv or .tsv", ErrorCode::invalid_argument);
  return data;
}

}  // namespace

void write(const std::string& path, const Dataset& data, Format format) {
  check_lengths(data);
  const auto holds = [&](Domain domain) {
    return std::ranges::any_of(data.points.objects(),
                               [&](const Objects& column) { return column.domain() == domain; });
  };
  const bool graphs = holds(Domain::graph), images = holds(Domain::image);
  if (format == Format::automatic) format = format_by_extension(path);
  if (format == Format::automatic && (graphs || images)) format = graphs ? Format::graphs : Format::images;
  if (graphs && format != Format::graphs)
    refuse_file(path, "graphs are written as a folder of text files, not as a table", "name a folder",
                ErrorCode::invalid_argument);
  if (images && format != Format::images)
    refuse_file(path, "images are written as a folder of .png files, not as a table", {},
                ErrorCode::invalid_argument);
  switch (format) {
    case Format::csv:
      return write_as_table(path, data, ',');
    case Format::tsv:
      return write_as_table(path, data, '\t');
    case Format::libsvm:
      return write_libsvm(path, numbers_of(path, data));
    case Format::npy:
      return write_npy(path, numbers_of(path, data));
    case Format::npz:
      return write_npz(path, numbers_of(path, data));
    case Format::graphs:
      return write_graphs(path, data);
    case Format::images:
      return write_images(path, data);
    case Format::sets:
      return write_sets(path, data);
    case Format::fasta:
      return write_fasta(path, data);
    default:
      refuse_file(path, "the name does not tell the format",
                  "end it in .csv, .tsv, .svm, .npy, .npz, .sets or .fa, or name the format",
                  ErrorCode::unsupported);
  }
}

}  // namespace mercer
