// A .npy file holds the points alone; the target and the weights may stand in .npy files of their own. Of a
// .npz file the points are the array X, or the only matrix, or the five arrays scipy.sparse.save_npz writes
// (data, indices, indptr, shape, format); the target is y and the weights are w, where they are there.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "data/numpy.hpp"

namespace mercer {

namespace {

std::size_t rows_of(const Parts& parts) noexcept {
  return std::visit([](const auto& storage) { return storage.rows; }, parts.storage);
}

void check_length(const NpyArray& array, const Parts& parts, std::size_t found) {
  if (found != rows_of(parts))
    array.refuse(
        fmt::format("there are {} values for {} rows; one for each row is needed", found, rows_of(parts)));
}

/// May a row be left out for want of this value? Nothing else can be done about it.
void check_missing(const NpyArray& array, const ReadOptions& options, std::size_t row, double value) {
  if (options.missing != Missing::drop && options.missing != Missing::automatic)
    array.refuse(fmt::format("row {} is {}", row + 1, value), "use a finite number",
                 {{Remedy::treat_missing, "drop"}});
}

/// The target's numbers: n × outputs.
std::vector<double> target_numbers(const NpyArray& array, const ReadOptions& options, const Parts& parts,
                                   std::size_t& outputs) {
  const auto& shape = array.header().shape;
  if (shape.size() != 2 || shape[0] != rows_of(parts) || shape[1] <= 1) {
    std::vector<double> numbers = array.numbers();
    check_length(array, parts, numbers.size());
    return numbers;
  }
  outputs = shape[1];
  if (options.task == Task::classification)
    array.refuse(fmt::format(
        "a target of {} columns is one of numbers, not of classes; give one column, or set the task to real",
        outputs));
  const Dense<double> matrix = array.matrix<double>();
  return {matrix.values.begin(), matrix.values.end()};
}

NpyArray open_array(const MappedFile& file) {
  const std::string_view text = file.text();
  NpyHeader header = parse_npy_header(file.name(), text, text.size());
  std::string_view rest = text.substr(header.header_bytes);
  std::string_view previous;
  return NpyArray(file.name(), std::move(header), [&file, rest, previous](std::size_t bytes) mutable {
    file.forget(previous);
    previous = rest.substr(0, bytes);
    rest.remove_prefix(bytes);
    return previous;
  });
}

bool given(const std::string& choice) noexcept { return !choice.empty() && choice != "none"; }

std::string name_of_points(const ZipArchive& archive, const std::string& target, const std::string& file) {
  if (archive.has("X")) return "X";
  std::vector<std::string> matrices;
  for (const std::string& name : archive.names())
    if (archive.open(name).header().shape.size() == 2) matrices.push_back(name);
  if (matrices.size() > 1) std::erase(matrices, target);  // several columns
  if (matrices.size() == 1) return matrices.front();
  if (matrices.empty())
    refuse_file(file, "there is no matrix of rows",
                fmt::format("call it X (the arrays are {})", listed(archive.names())));
  refuse_file(file, fmt::format("any of {} could be the points", listed(matrices)), "call them X");
}

/// SciPy allows the indices of a row in any order.
template <class T>
void sort_rows(Sparse<T>& sparse, const std::string& file) {
  std::vector<std::pair<std::int32_t, T>> row;
  for (std::size_t i = 0; i < sparse.rows; ++i) {
    const std::size_t first = sparse.starts[i], last = sparse.starts[i + 1];
    const auto* indices = sparse.indices.data();
    const auto* repeated = std::adjacent_find(indices + first, indices + last, std::greater_equal<>());
    if (repeated == indices + last) continue;
    row.clear();
    for (std::size_t k = first; k < last; ++k) row.emplace_back(sparse.indices[k], sparse.values[k]);
    std::ranges::sort(row, {}, &std::pair<std::int32_t, T>::first);
    for (std::size_t k = first; k < last; ++k) {
      std::tie(sparse.indices[k], sparse.values[k]) = row[k - first];
      if (k > first && sparse.indices[k] == sparse.indices[k - 1])
        refuse_file(file, fmt::format("row {} holds column {} twice", i + 1, sparse.indices[k] + 1),
                    "call sum_duplicates() before saving");
    }
  }
}

template <class T>
Sparse<T> read_csr(const ZipArchive& archive, const std::string& file) {
  const std::vector<std::string> format = archive.open("format").texts();
  if (format.size() != 1 || format[0] != "csr")
    refuse_file(file,
                fmt::format("the sparse matrix has format {}", in_quotes(format.empty() ? "" : format[0])),
                "save matrix.tocsr()");
  const std::vector<std::int64_t> shape = archive.open("shape").integers();
  if (shape.size() != 2 || shape[0] < 0 || shape[1] < 0 ||
      shape[1] > std::numeric_limits<std::int32_t>::max())
    refuse_file(file, "the shape of the sparse matrix is not two sizes below 2^31", "points are a matrix");
  Dense<T> data = archive.open("data").matrix<T>();
  if (data.cols != 1 && data.rows != 0) refuse_file(file, "the data of the sparse matrix are not a list");
  const std::vector<std::int64_t> starts = archive.open("indptr").integers();
  const std::size_t entries = data.values.size();
  if (starts.size() != std::size_t(shape[0]) + 1)
    refuse_file(file, fmt::format("indptr has {} elements", starts.size()),
                fmt::format("{} rows need {}", shape[0], shape[0] + 1));
  if (starts.front() != 0 || starts.back() != std::int64_t(entries) ||
      !std::is_sorted(starts.begin(), starts.end()))
    refuse_file(file, fmt::format("indptr must ascend from 0 to the {} entries", entries));
  const std::vector<std::int64_t> indices = archive.open("indices").integers();
  if (indices.size() != entries)
    refuse_file(file, fmt::format("there are {} indices for {} entries", indices.size(), entries),
                "one for each is needed");
  for (const std::int64_t index : indices)
    if (index < 0 || index >= shape[1])
      refuse_file(file,
                  fmt::format("column index {} is outside the {} columns, counted from 0", index, shape[1]));
  Sparse<T> sparse{std::size_t(shape[0]), std::size_t(shape[1]), Buffer<std::size_t>(starts.size()),
                   Buffer<std::int32_t>(entries), std::move(data.values)};
  std::ranges::copy(starts, sparse.starts.begin());
  std::ranges::transform(indices, sparse.indices.begin(), [](auto index) { return std::int32_t(index); });
  sort_rows(sparse, file);
  return sparse;
}

bool holds_sparse(const ZipArchive& archive) {
  return std::ranges::all_of(std::array{"data", "indices", "indptr", "shape", "format"},
                             [&](const char* name) { return archive.has(name); });
}

}  // namespace

Points::Storage read_points(const NpyArray& array, const ReadOptions& options) {
  if (options.precision == Precision::float32) return array.matrix<float>();
  return array.matrix<double>();
}

void read_target(const NpyArray& array, const ReadOptions& options, std::string name, Parts& parts) {
  parts.has_target = true;
  parts.target_name = std::move(name);
  if (array.header().is_text()) {
    if (options.task == Task::regression) array.refuse("the target is text; a real target needs numbers");
    parts.labels = LabelColumn(rows_of(parts), 1, options);
    const std::vector<std::string> texts = array.texts();
    check_length(array, parts, texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i) parts.labels.set_text(0, i, texts[i]);
    return;
  }
  std::size_t outputs = 1;
  const std::vector<double> numbers = target_numbers(array, options, parts, outputs);
  parts.labels = LabelColumn(rows_of(parts), 1, options, outputs);
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    if (std::isfinite(numbers[k]))
      parts.labels.set_number(k / outputs, numbers[k], k % outputs);
    else
      check_missing(array, options, k / outputs, numbers[k]);
  }
}

void read_weights(const NpyArray& array, const ReadOptions& options, Parts& parts) {
  parts.weights = array.numbers();
  check_length(array, parts, parts.weights.size());
  for (std::size_t i = 0; i < parts.weights.size(); ++i) {
    double& weight = parts.weights[i];
    if (weight < 0 && std::isfinite(weight))
      array.refuse(fmt::format("row {} is {}; weights are 0 or more", i + 1, weight));
    if (std::isfinite(weight)) continue;
    check_missing(array, options, i, weight);
    weight = std::numeric_limits<double>::quiet_NaN();
  }
}

Reading assemble_arrays(Parts parts, const ReadOptions& options, const std::string& file) {
  check_finite(parts.storage, file, options.missing);
  return assemble(std::move(parts), options, file);
}

Reading read_npy(const MappedFile& file, const ReadOptions& options) {
  Parts parts;
  parts.storage = read_points(open_array(file), options);
  if (given(options.target)) {
    const MappedFile target(options.target);
    read_target(open_array(target), options, "", parts);
  }
  if (given(options.weights)) {
    const MappedFile weights(options.weights);
    read_weights(open_array(weights), options, parts);
  }
  return assemble_arrays(std::move(parts), options, file.name());
}

Reading read_npz(const MappedFile& file, const ReadOptions& options) {
  const ZipArchive archive(file);
  const std::string target = options.target.empty() ? "y" : options.target;
  Parts parts;
  if (!holds_sparse(archive))
    parts.storage = read_points(archive.open(name_of_points(archive, target, file.name())), options);
  else if (options.precision == Precision::float32)
    parts.storage = read_csr<float>(archive, file.name());
  else
    parts.storage = read_csr<double>(archive, file.name());
  // What is not asked for by name may be absent.
  if (target != "none" && (archive.has(target) || !options.target.empty()))
    read_target(archive.open(target), options, target, parts);
  const std::string weights = options.weights.empty() ? "w" : options.weights;
  if (weights != "none" && (archive.has(weights) || !options.weights.empty()))
    read_weights(archive.open(weights), options, parts);
  return assemble_arrays(std::move(parts), options, file.name());
}

}  // namespace mercer
