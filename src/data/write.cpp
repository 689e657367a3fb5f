#include <fmt/format.h>

#include <algorithm>

#include "data/bags.hpp"
#include "data/formats.hpp"
#include "data/text_source.hpp"
#include "data/writers.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

void check_lengths(const Dataset& data) {
  const auto check = [&](std::size_t size, const char* what) {
    if (size != 0 && size != data.rows())
      throw Error(ErrorCode::invalid_argument,
                  fmt::format("the data set has {} rows and {} {}", data.rows(), size, what),
                  {.hint = "one for each row is needed"});
  };
  if (data.target.task == Task::regression && data.target.values.size() % data.target.outputs != 0)
    throw Error(ErrorCode::invalid_argument,
                fmt::format("the target has {} values, which are no rows of {} columns",
                            data.target.values.size(), data.target.outputs));
  if (data.target.task != Task::none && data.target.size() != data.rows())
    throw Error(ErrorCode::invalid_argument,
                fmt::format("the data set has {} rows and {} targets", data.rows(), data.target.size()),
                {.hint = "one for each row is needed"});
  check(data.weights.size(), "weights");
  check(data.queries.size(), "queries");
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
    throw Error(ErrorCode::invalid_argument,
                fmt::format("column {} holds {}, which this format cannot", in_quotes(column.name()),
                            plural_of(column.domain())),
                {.file = path, .hint = "write .csv or .tsv"});
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
    throw Error(ErrorCode::invalid_argument, "graphs are written as a folder of text files, not as a table",
                {.file = path, .hint = "name a folder"});
  if (images && format != Format::images)
    throw Error(ErrorCode::invalid_argument, "images are written as a folder of .png files, not as a table",
                {.file = path});
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
      break;
  }
  throw Error(
      ErrorCode::unsupported, "the name does not tell the format",
      {.file = path, .hint = "end it in .csv, .tsv, .svm, .npy, .npz, .sets or .fa, or name the format"});
}

}  // namespace mercer
