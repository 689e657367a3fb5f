// A .npz file: the points are the array X, or the only matrix, or the five arrays scipy.sparse.save_npz
// writes (data, indices, indptr, shape, format); the target is y and the weights are w, where they are there.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "data/array_parts.hpp"
#include "data/readers.hpp"
#include "data/refusals.hpp"
#include "data/zip_archive.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

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
    std::sort(row.begin(), row.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
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
  std::copy(starts.begin(), starts.end(), sparse.starts.begin());
  std::transform(indices.begin(), indices.end(), sparse.indices.begin(),
                 [](auto index) { return std::int32_t(index); });
  sort_rows(sparse, file);
  return sparse;
}

bool holds_sparse(const ZipArchive& archive) noexcept {
  return archive.has("data") && archive.has("indices") && archive.has("indptr") && archive.has("shape") &&
         archive.has("format");
}

}  // namespace

Dataset read_npz(const MappedFile& file, const ReadOptions& options) {
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
