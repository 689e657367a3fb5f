// LIBSVM text, indices from 1. Rows without a target get the label 0, as LIBSVM's own documents advise.
#include <fmt/format.h>

#include "data/decimal.hpp"
#include "data/text_source.hpp"
#include "data/writers.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

void check_labels(const std::string& path, const Target& target) {
  for (const std::string& label : target.labels)
    if (label.empty() || label.find_first_of(" \t\r\n:#") != label.npos ||
        read_number(label).kind == Number::Kind::missing)
      throw Error(
          ErrorCode::file_access,
          fmt::format("label {} cannot stand in LIBSVM text, which has no spaces, colons or missing labels",
                      in_quotes(label)),
          {.file = path, .hint = "write .csv or .npz"});
}

template <class T>
void append_entry(std::string& out, std::size_t column, T value) {
  if (value == 0) return;
  out += ' ';
  fmt::format_to(std::back_inserter(out), "{}:", column + 1);
  append_number(out, value);
}

template <class T>
void append_row(std::string& out, const Dense<T>& dense, std::size_t i) {
  for (std::size_t j = 0; j < dense.cols; ++j) append_entry(out, j, dense.row(i)[j]);
}

template <class T>
void append_row(std::string& out, const Sparse<T>& sparse, std::size_t i) {
  for (std::size_t k = sparse.starts[i]; k < sparse.starts[i + 1]; ++k)
    append_entry(out, std::size_t(sparse.indices[k]), sparse.values[k]);
}

void append_label(std::string& out, const Target& target, std::size_t i) {
  if (target.task == Task::classification)
    out += target.labels[std::size_t(target.codes[i])];
  else if (target.task == Task::regression)
    append_number(out, target.values[i]);
  else
    out += '0';
}

}  // namespace

void write_libsvm(const std::string& path, const Dataset& data) {
  if (!data.weights.empty())
    throw Error(ErrorCode::invalid_file, "LIBSVM text cannot hold weights",
                {.file = path, .hint = "write .csv or .npz"});
  if (data.target.outputs > 1)
    throw Error(
        ErrorCode::invalid_file,
        fmt::format("LIBSVM text has one target, and the data have one of {} columns", data.target.outputs),
        {.file = path, .hint = "write .csv or .npz"});
  check_labels(path, data.target);
  write_rows(path, {}, data.rows(), [&](std::size_t i, std::string& out) {
    append_label(out, data.target, i);
    if (!data.queries.empty()) fmt::format_to(std::back_inserter(out), " qid:{}", data.queries[i]);
    std::visit([&](const auto& storage) { append_row(out, storage, i); }, data.points.storage());
    out += '\n';
  });
}

}  // namespace mercer
