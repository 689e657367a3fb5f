// LIBSVM text:   label [qid:N] index:value index:value …   [# comment]
// Indices ascend within a line; they count from 1, or from 0 where an index 0 appears anywhere in the file or
// the options say so. A value of 0 means the same as none and is not stored. Written are indices from 1; rows
// without a target get the label 0, as LIBSVM's own documents advise.
//
// Two passes over the mapped file. The first counts colons and lines at memory speed, which bounds the
// entries and rows of each chunk (and is exact but for comments and unusual zeros); the second parses every
// chunk straight into its place in the final arrays. Gaps, where the bound was not met, are closed at the
// end.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/copy_of.hpp"
#include "data/assemble.hpp"
#include "data/libsvm_entry.hpp"

namespace mercer {

namespace {

/// One piece of the text.
struct LibsvmChunk {
  std::string_view text;
  std::size_t number = 0;
  std::size_t first_row = 0, first_entry = 0;  ///< where its part of the arrays begins
  std::size_t rows = 0, entries = 0;           ///< bounds before parsing, counts afterwards
  std::size_t queries = 0;                     ///< rows with a qid
  const char* without_query = nullptr;         ///< the first row that has none
  std::int64_t last_index = -1;                ///< the largest, as written
  bool zero_based = false;                     ///< an index 0 was seen
};

/// Parses one chunk into its part of the arrays. Stores each index less 1; row i of the chunk ends at
/// starts[first_row + i + 1].
template <class T>
class ChunkParser {
 public:
  ChunkParser(const TextSource& source, const ReadOptions& options, LibsvmChunk& chunk, Sparse<T>& out,
              Parts& parts)
      : source_(source), options_(options), chunk_(chunk), out_(out), parts_(parts) {}

  void parse() {
    const char* p = chunk_.text.data();
    last_ = p + chunk_.text.size();
    row_ = chunk_.first_row;
    entry_ = chunk_.first_entry;
    while (p != last_) {
      p = skip_spaces(p, last_);
      if (p != last_ && *p != '\n' && *p != '#') {
        const char* const line = p;
        has_query_ = false;
        p = parse_entries(parse_label(p));
        if (has_query_)
          ++chunk_.queries;
        else if (!chunk_.without_query)
          chunk_.without_query = line;
        out_.starts[++row_] = entry_;
      }
      if (p != last_ && *p == '#') p = std::find(p, last_, '\n');
      if (p != last_) ++p;
    }
    chunk_.rows = row_ - chunk_.first_row;
    chunk_.entries = entry_ - chunk_.first_entry;
  }

 private:
  const char* parse_label(const char* p) {
    const char* const end = field_end(p, last_);
    const std::string_view label(p, std::size_t(end - p));
    const bool colon = label.find(':') != label.npos;
    if (!parts_.has_target) return colon ? p : end;  // a label that is not asked for is passed over
    if (colon)
      source_.refuse(p, fmt::format("the line starts with {}, not with a label", in_quotes(label)),
                     "write label index:value …, or set target to none");
    parts_.labels.read(source_, chunk_.number, row_, label);
    return end;
  }

  const char* parse_entries(const char* p) {
    std::int64_t previous = -1;
    for (;;) {
      p = skip_spaces(p, last_);
      if (p == last_ || *p == '\n' || *p == '#') break;
      const char* const first = p;
      std::int64_t index = 0;
      const char* const value = parse_index(first, last_, index);
      if (!value) {
        p = parse_query(first, previous >= 0);
        continue;
      }
      if (index <= previous || index > largest_index) refuse_index(source_, first, index, previous);
      previous = index;
      p = parse_value(value, index);
    }
    chunk_.last_index = std::max(chunk_.last_index, previous);
    return p;
  }

  const char* parse_value(const char* p, std::int64_t index) {
    double value;
    const char* end;
    if (last_ - p >= 2 && detail::is_digit(*p) && p[1] <= ' ') {  // 0/1 features are most of many files
      value = *p - '0';
      end = p + 1;
    } else {
      end = parse_decimal(p, last_, value);
    }
    if (!end || !ends_field(end, last_)) {
      end = field_end(p, last_);
      value = unusual_value(source_, {p, std::size_t(end - p)}, options_.missing);
    }
    T stored;
    if (!narrow(value, {p, std::size_t(end - p)}, stored)) refuse_float(source_, {p, std::size_t(end - p)});
    chunk_.zero_based |= index == 0;
    if (value != 0) {  // the first pass has made room: an entry whose value is not 0 was counted there
      out_.indices[entry_] = std::int32_t(index - 1);
      out_.values[entry_++] = stored;
    }
    return end;
  }

  /// qid:N; any other field is refused.
  const char* parse_query(const char* p, bool behind_entry) {
    const char* const end = field_end(p, last_);
    const std::string_view field(p, std::size_t(end - p));
    if (!field.starts_with("qid:")) refuse_entry(source_, field);
    std::int64_t query = 0;
    const auto [stop, error] = std::from_chars(p + 4, end, query);
    if (error != std::errc{} || stop != end)
      source_.refuse(p, fmt::format("{} is not a query number", in_quotes(field)),
                     "write for example qid:12");
    if (has_query_)
      source_.refuse(p, fmt::format("{} is the second qid of the line", in_quotes(field)), "write one");
    if (behind_entry)
      source_.refuse(p, fmt::format("{} stands behind an entry", in_quotes(field)),
                     "write it right behind the label");
    has_query_ = true;
    parts_.queries[row_] = query;
    return end;
  }

  const TextSource& source_;
  const ReadOptions& options_;
  LibsvmChunk& chunk_;
  Sparse<T>& out_;
  Parts& parts_;
  const char* last_ = nullptr;
  std::size_t row_ = 0, entry_ = 0;
  bool has_query_ = false;
};

/// The first pass: bounds on the rows and entries of every chunk.
std::vector<LibsvmChunk> count_chunks(const TextSource& source, int threads, std::size_t chunk_bytes,
                                      bool& may_have_queries) {
  const std::vector<std::string_view> pieces = cut_at_lines(source.text(), chunk_bytes);
  std::vector<LibsvmChunk> chunks(pieces.size());
  parallel_for(pieces.size(), threads, [&](std::size_t i) {
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

/// The entries of all chunks together.
template <class T>
Buffer<T> gathered(const Buffer<T>& from, const std::vector<LibsvmChunk>& chunks, std::size_t entries) {
  Buffer<T> to(entries);
  T* out = to.data();
  for (const LibsvmChunk& chunk : chunks)
    out = std::copy_n(from.data() + chunk.first_entry, chunk.entries, out);
  return to;
}

/// Moves the rows and entries of all chunks together where some had fewer than their bound.
template <class T>
void close_gaps(const std::vector<LibsvmChunk>& chunks, Sparse<T>& sparse, Parts& parts) {
  std::size_t rows = 0, entries = 0;
  for (const LibsvmChunk& chunk : chunks) {
    rows += chunk.rows;
    entries += chunk.entries;
  }
  const bool fewer_entries = entries < sparse.indices.size();
  if (rows == sparse.rows && !fewer_entries) return;
  std::size_t row = 0, entry = 0;  // starts move down, so that none is overwritten before it is read
  for (const LibsvmChunk& chunk : chunks) {
    for (std::size_t i = 0; i < chunk.rows; ++i)
      sparse.starts[row + i + 1] = sparse.starts[chunk.first_row + i + 1] - chunk.first_entry + entry;
    if (parts.has_target) parts.labels.move(chunk.number, chunk.first_row, row, chunk.rows);
    if (!parts.queries.empty())
      std::copy_n(parts.queries.begin() + std::ptrdiff_t(chunk.first_row), chunk.rows,
                  parts.queries.begin() + std::ptrdiff_t(row));
    row += chunk.rows;
    entry += chunk.entries;
  }
  sparse.rows = rows;
  sparse.starts = copy_of(std::span(sparse.starts).first(rows + 1));
  if (parts.has_target) parts.labels.resize(rows);
  if (!parts.queries.empty()) parts.queries.resize(rows);
  if (!fewer_entries) return;
  sparse.indices = gathered(sparse.indices, chunks, entries);  // gone before the new values come
  sparse.values = gathered(sparse.values, chunks, entries);
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
  parallel_blocks(sparse.indices.size(), 1 << 16, options.threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) ++sparse.indices[k];
  });
  return 0;
}

template <class T>
Reading read_as(const TextSource& source, const ReadOptions& options, std::size_t chunk_bytes) {
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
  parallel_for(chunks.size(), options.threads, [&](std::size_t i) {
    ChunkParser<T>(source, options, chunks[i], sparse, parts).parse();
    source.forget(chunks[i].text);
  });
  close_gaps(chunks, sparse, parts);
  if (sparse.rows == 0)
    source.refuse(source.text().data(), "the file has no rows", "only comments or blank lines");
  check_queries(source, chunks, sparse.rows, parts);
  parts.schema.first_index = set_columns(chunks, options, sparse);
  parts.storage = std::move(sparse);
  return assemble(std::move(parts), options, source.name(), &source);
}

void check_labels(const std::string& path, const Target& target) {
  for (const std::string& label : target.labels)
    if (label.empty() || label.find_first_of(" \t\r\n:#") != label.npos ||
        read_number(label).kind == Number::Kind::missing)
      refuse_file(
          path,
          fmt::format("label {} cannot stand in LIBSVM text, which has no spaces, colons or missing labels",
                      in_quotes(label)),
          "write .csv or .npz", ErrorCode::file_access);
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

}  // namespace

void refuse_entry(const TextSource& source, std::string_view field) {
  const std::size_t colon = field.find(':');
  const std::string_view index = field.substr(0, colon);
  if (colon == field.npos)
    source.refuse(field.data(), fmt::format("{} is not index:value", in_quotes(field)),
                  "write for example 3:0.5");
  if (!index.empty() && index[0] == '-' && index.find_first_not_of("0123456789", 1) == index.npos)
    source.refuse(field.data(), fmt::format("index {} is negative", in_quotes(index)),
                  "indices count from 1, or from 0");
  if (!index.empty() && index.find_first_not_of("0123456789") == index.npos)
    source.refuse(field.data(), fmt::format("index {} is too large", in_quotes(index)),
                  fmt::format("the largest is {}", largest_index));
  source.refuse(field.data(), fmt::format("{} is not an index", in_quotes(index)),
                "indices are whole numbers from 1, or from 0");
}

void refuse_index(const TextSource& source, const char* at, std::int64_t index, std::int64_t previous) {
  if (index > largest_index)
    source.refuse(at, fmt::format("index '{}' is too large", index),
                  fmt::format("the largest is {}", largest_index));
  if (index == previous)
    source.refuse(at, fmt::format("index '{}' appears twice in the line", index), "give each index once");
  source.refuse(at, fmt::format("index '{}' follows {}", index, previous),
                "indices must ascend within a line");
}

Reading read_libsvm(const TextSource& source, const ReadOptions& options, std::size_t chunk_bytes) {
  if (!options.target.empty() && options.target != "none")
    refuse_file(source.name(),
                fmt::format("target {} was asked for, but LIBSVM text has its target in front of every line",
                            in_quotes(options.target)),
                "leave the target out, or set it to none", ErrorCode::unsupported);
  refuse_weights(options, source.name(), "LIBSVM text", "use .csv or .npz");
  return options.precision == Precision::float32 ? read_as<float>(source, options, chunk_bytes)
                                                 : read_as<double>(source, options, chunk_bytes);
}

void write_libsvm(const std::string& path, const Dataset& data) {
  if (!data.weights.empty()) refuse_file(path, "LIBSVM text cannot hold weights", "write .csv or .npz");
  if (data.target.outputs > 1)
    refuse_file(
        path,
        fmt::format("LIBSVM text has one target, and the data have one of {} columns", data.target.outputs),
        "write .csv or .npz");
  check_labels(path, data.target);
  write_rows(path, {}, data.rows(), [&](std::size_t i, std::string& out) {
    append_label(out, data.target, i);
    if (data.target.task == Task::none) out += '0';
    if (!data.queries.empty()) fmt::format_to(std::back_inserter(out), " qid:{}", data.queries[i]);
    std::visit([&](const auto& storage) { append_row(out, storage, i); }, data.points.storage());
    out += '\n';
  });
}

}  // namespace mercer
