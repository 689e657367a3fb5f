// LIBSVM text:   label [qid:N] index:value index:value …   [# comment]
// Indices ascend within a line; they count from 1, or from 0 where an index 0 appears anywhere in the file or
// the options say so. A value of 0 means the same as none and is not stored.
//
// Two passes over the mapped file. The first counts colons and lines at memory speed, which bounds the
// entries and rows of each chunk (and is exact but for comments and unusual zeros); the second parses every
// chunk straight into its place in the final arrays. Gaps, where the bound was not met, are closed at the
// end.
#include <fmt/format.h>

#include <algorithm>

#include "data/byte_counts.hpp"
#include "data/libsvm_chunk.hpp"
#include "data/readers.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

/// The first pass: bounds on the rows and entries of every chunk.
std::vector<LibsvmChunk> count_chunks(const TextSource& source, int threads, std::size_t chunk_bytes,
                                      bool& may_have_queries) {
  const std::vector<std::string_view> pieces = cut_at_lines(source.text(), chunk_bytes);
  std::vector<LibsvmChunk> chunks(pieces.size());
  for_each_chunk(pieces.size(), threads, [&](std::size_t i) {
    const LineCounts lines = count_lines(pieces[i]);
    const EntryCounts entries = count_entries(pieces[i]);
    chunks[i].text = pieces[i];
    chunks[i].number = i;
    chunks[i].rows = lines.lines - lines.blanks;
    chunks[i].entries = entries.colons - entries.queries - entries.zeros;
    chunks[i].queries = entries.queries;
    source.forget(pieces[i]);
  });
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    may_have_queries |= chunks[i].queries > 0;
    chunks[i].queries = 0;
    if (i == 0) continue;
    chunks[i].first_row = chunks[i - 1].first_row + chunks[i - 1].rows;
    chunks[i].first_entry = chunks[i - 1].first_entry + chunks[i - 1].entries;
  }
  return chunks;
}

/// Moves the rows and entries of all chunks together where some had fewer than their bound.
template <class T>
void close_gaps(const std::vector<LibsvmChunk>& chunks, Sparse<T>& sparse, Parts& parts) {
  std::size_t rows = 0, entries = 0;
  for (const LibsvmChunk& chunk : chunks) {
    rows += chunk.rows;
    entries += chunk.entries;
  }
  const bool fewer_rows = rows < sparse.rows, fewer_entries = entries < sparse.indices.size();
  if (!fewer_rows && !fewer_entries) return;
  Buffer<std::size_t> starts(rows + 1);
  Buffer<std::int32_t> indices(fewer_entries ? entries : 0);
  starts[0] = 0;
  std::size_t row = 0, entry = 0;
  for (const LibsvmChunk& chunk : chunks) {
    for (std::size_t i = 0; i < chunk.rows; ++i)
      starts[row + i + 1] = sparse.starts[chunk.first_row + i + 1] - chunk.first_entry + entry;
    if (fewer_entries)
      std::copy_n(sparse.indices.data() + chunk.first_entry, chunk.entries, indices.data() + entry);
    if (parts.has_target) parts.labels.move(chunk.number, chunk.first_row, row, chunk.rows);
    if (!parts.queries.empty())
      std::copy_n(parts.queries.begin() + std::ptrdiff_t(chunk.first_row), chunk.rows,
                  parts.queries.begin() + std::ptrdiff_t(row));
    row += chunk.rows;
    entry += chunk.entries;
  }
  sparse.rows = rows;
  sparse.starts = std::move(starts);
  if (parts.has_target) parts.labels.resize(rows);
  if (!parts.queries.empty()) parts.queries.resize(rows);
  if (!fewer_entries) return;
  sparse.indices = Buffer<std::int32_t>();
  sparse.indices = std::move(indices);
  Buffer<T> values(entries);  // only now, so that the old indices are gone before the new values come
  entry = 0;
  for (const LibsvmChunk& chunk : chunks) {
    std::copy_n(sparse.values.data() + chunk.first_entry, chunk.entries, values.data() + entry);
    entry += chunk.entries;
  }
  sparse.values = std::move(values);
}

/// Every row has a qid, or none has.
void check_queries(const TextSource& source, const std::vector<LibsvmChunk>& chunks, std::size_t rows,
                   Parts& parts) {
  std::size_t queries = 0;
  for (const LibsvmChunk& chunk : chunks) queries += chunk.queries;
  if (queries == 0) parts.queries.clear();
  if (queries == 0 || queries == rows) return;
  for (const LibsvmChunk& chunk : chunks)
    if (chunk.without_query)
      source.refuse(chunk.without_query, "the line has no qid, though others have",
                    "give every line one, or none");
}

/// Returns the index of the first column.
template <class T>
int set_columns(const std::vector<LibsvmChunk>& chunks, const ReadOptions& options, Sparse<T>& sparse) {
  std::int64_t last = -1;
  bool zero_based = options.from_zero;
  for (const LibsvmChunk& chunk : chunks) {
    last = std::max(last, chunk.last_index);
    zero_based |= chunk.zero_based;
  }
  // Whether there is a column in front of those asked for.
  const std::size_t unexpected = zero_based && !options.from_zero && options.columns > 0;
  sparse.cols = std::max(options.columns + unexpected,
                         std::size_t(std::max<std::int64_t>(0, last + (zero_based ? 1 : 0))));
  if (!zero_based) return 1;
  const std::size_t block = 1 << 16, entries = sparse.indices.size();
  for_each_chunk((entries + block - 1) / block, options.threads, [&](std::size_t b) {
    for (std::size_t k = b * block; k < std::min(entries, (b + 1) * block); ++k) ++sparse.indices[k];
  });
  return 0;
}

template <class T>
Dataset read_as(const TextSource& source, const ReadOptions& options, std::size_t chunk_bytes) {
  bool may_have_queries = false;
  std::vector<LibsvmChunk> chunks = count_chunks(source, options.threads, chunk_bytes, may_have_queries);
  const std::size_t rows = chunks.back().first_row + chunks.back().rows;
  const std::size_t entries = chunks.back().first_entry + chunks.back().entries;
  Sparse<T> sparse{rows, 0, Buffer<std::size_t>(rows + 1), Buffer<std::int32_t>(entries), Buffer<T>(entries)};
  sparse.starts[0] = 0;
  Parts parts;
  parts.has_target = options.target != "none";
  if (parts.has_target) parts.labels = LabelColumn(rows, chunks.size(), options);
  if (may_have_queries) parts.queries.resize(rows);
  for_each_chunk(chunks.size(), options.threads, [&](std::size_t i) {
    parse_libsvm_chunk(source, options, chunks[i], sparse, parts);
    source.forget(chunks[i].text);
  });
  close_gaps(chunks, sparse, parts);
  if (sparse.rows == 0)
    source.refuse(source.text().data(), "the file has no rows", "only comments or blank lines");
  check_queries(source, chunks, sparse.rows, parts);
  parts.schema.first_index = set_columns(chunks, options, sparse);
  parts.storage = std::move(sparse);
  return assemble(std::move(parts), options, source.name(),
                  [&](const char* at, const std::string& what) { source.refuse(at, what); });
}

}  // namespace

Dataset read_libsvm(const TextSource& source, const ReadOptions& options, std::size_t chunk_bytes) {
  if (!options.target.empty() && options.target != "none")
    throw Error(ErrorCode::unsupported,
                fmt::format("target {} was asked for, but LIBSVM text has its target in front of every line",
                            in_quotes(options.target)),
                {.file = source.name(), .hint = "leave the target out, or set it to none"});
  if (!options.weights.empty() && options.weights != "none")
    throw Error(
        ErrorCode::invalid_argument,
        fmt::format("weights {} were asked for, but LIBSVM text has none", in_quotes(options.weights)),
        {.file = source.name(), .hint = "use .csv or .npz"});
  return options.precision == Precision::float32 ? read_as<float>(source, options, chunk_bytes)
                                                 : read_as<double>(source, options, chunk_bytes);
}

}  // namespace mercer
