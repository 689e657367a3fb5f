#include "cluster/spread_read.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/byte_message.hpp"
#include "base/copy_of.hpp"
#include "cluster/checkpoint.hpp"
#include "cluster/points_message.hpp"
#include "cluster/shared_ranks.hpp"
#include "data/density.hpp"
#include "data/formats.hpp"
#include "data/libsvm_entry.hpp"
#include "data/shared_table.hpp"
#include "data/table_text.hpp"

namespace mercer::cluster {

namespace {

// What tells two files apart: the size, and 256 blocks of 4 KB, which are all of a file of a megabyte.
struct FileMark {
  std::uint64_t size = 0, print = 0;
  friend bool operator==(const FileMark&, const FileMark&) = default;
};

FileMark mark_of(std::string_view text) {
  constexpr std::size_t block = 4096, blocks = 256;
  Fingerprint print;
  if (text.size() <= block * blocks)
    print.add(text);
  else
    for (std::size_t b = 0; b < blocks; ++b)
      print.add(
          text.substr(std::size_t(double(text.size() - block) * double(b) / double(blocks - 1)), block));
  return {text.size(), print.value()};
}

void open_same_file(const Communicator& ranks, const std::string& path, std::optional<MappedFile>& file) {
  FileMark mark;
  in_step(ranks, [&] {
    file.emplace(path);
    mark = mark_of(file->text());
  });
  FileMark first = mark;
  ranks.broadcast(first.size);
  ranks.broadcast(first.print);
  in_step(ranks, [&] {
    if (!(mark == first))
      throw Error(
          ErrorCode::invalid_file,
          mark.size == first.size
              ? "this is another file than rank 0 sees, as long but with other contents"
              : fmt::format("this is another file than rank 0 sees: {} bytes, not {}", mark.size, first.size),
          {.file = path, .hint = "give all machines the same file"});
  });
}

// The first field of each line with a row, a line each.
std::string labels_of(std::string_view text) {
  std::string labels;
  for (const char *p = text.data(), *last = p + text.size(); p != last;) {
    p = skip_spaces(p, last);
    if (p != last && *p != '\n' && *p != '#') {
      const char* const end = field_end(p, last);
      labels.append(p, end);
      labels += '\n';
    }
    p = std::find(p, last, '\n');
    if (p != last) ++p;
  }
  return labels;
}

// The same rows with so many columns, `shift` of them in front.
Points widened(const Points& points, std::size_t cols, int shift) {
  return std::visit(
      [&]<class S>(const S& s) -> Points {
        if constexpr (is_sparse<S>) {
          S wide{s.rows, cols, copy_of(s.starts), copy_of(s.indices), copy_of(s.values)};
          for (std::int32_t& index : wide.indices) index += shift;
          return Points(std::move(wide));
        } else {
          return points;
        }
      },
      points.storage());
}

}  // namespace

std::optional<bool> is_same_file(const Communicator& ranks, const std::string& path) {
  std::optional<FileMark> mark;
  try {
    mark = mark_of(MappedFile(path).text());
  } catch (const Error&) {
    mark.reset();
  }
  if (ranks.any(!mark)) return {};
  FileMark first = *mark;
  ranks.broadcast(first.size);
  ranks.broadcast(first.print);
  return *mark == first;
}

void check_same_file(const Communicator& ranks, const std::string& path) {
  std::optional<MappedFile> file;
  open_same_file(ranks, path, file);
}

bool has_file_for_each_rank(const std::string& path) { return path.find("%r") != path.npos; }

std::string path_of_rank(const std::string& path, int rank) {
  std::string own = path;
  const std::string number = std::to_string(rank);
  for (std::size_t at = own.find("%r"); at != own.npos; at = own.find("%r", at + number.size()))
    own.replace(at, 2, number);
  return own;
}

std::string_view lines_of_rank(std::string_view text, int rank, int ranks) {
  const auto begin_of = [&](int r) -> std::size_t {
    const std::size_t cut = Share{text.size(), ranks}.of(r).begin;
    if (r <= 0 || cut == 0) return 0;
    if (r >= ranks) return text.size();
    const std::size_t end = text.find('\n', cut - 1);  // a line that begins at the cut is this rank's
    return end == text.npos ? text.size() : end + 1;
  };
  const std::size_t begin = begin_of(rank);
  return text.substr(begin, (rank + 1 == ranks ? text.size() : begin_of(rank + 1)) - begin);
}

std::optional<Dataset> ReadingRanks::read_lines(const MappedFile& file, bool own_file,
                                                const ReadOptions& options) {
  struct Part {
    Points points;
    std::string labels;
    std::size_t cols = 0;
    int first_index = 1;
  };
  const std::string& path = file.name();
  std::optional<Part> part;
  try {
    const TextSource source(file);
    const std::string_view lines =
        own_file ? source.text() : lines_of_rank(source.text(), ranks_.rank(), ranks_.size());
    const bool target = options.target != "none";
    ReadOptions own = options;
    own.target = "none";
    own.missing = Missing::refuse;
    own.threads = threads_;
    // A rank may have no line, or comments alone, which read_libsvm() would refuse: its labels are empty
    // then.
    const std::string labels = labels_of(lines);
    part.emplace();
    if (!labels.empty()) {
      Reading read = read_libsvm(TextSource(path, lines), own);
      part->points = read.points.to_sparse();
      part->cols = read.points.cols();
      part->first_index = read.schema.first_index.value_or(1);
      if (!read.queries.empty() || !read.left_out.empty() || !read.notes.empty()) part.reset();
    } else if (options.precision == Precision::float32) {
      part->points = Points(Sparse<float>{0, 0, Buffer<std::size_t>(1, 0), {}, {}});
    } else {
      part->points = Points(Sparse<double>{0, 0, Buffer<std::size_t>(1, 0), {}, {}});
    }
    if (part && target) part->labels = labels;
  } catch (const Error&) {
    part.reset();
  }
  if (ranks_.any(!part)) return {};
  const bool from_zero = ranks_.any(part->first_index == 0);
  // A rank that saw no index 0 has one column fewer, in front.
  const int shift = from_zero && part->first_index == 1 ? 1 : 0;
  const std::size_t cols =
      std::size_t(ranks_.most(double(part->cols + std::size_t(part->cols > 0 ? shift : 0))));
  std::vector<std::size_t> sizes;
  const std::vector<std::byte> blocks =
      ranks_.gather_bytes(bytes_of(widened(part->points, cols, shift)), false, &sizes);
  const std::vector<char> labels = ranks_.gather(std::span<const char>(part->labels));
  std::optional<Dataset> data;
  in_step(ranks_, [&] {
    if (!ranks_.first()) return;
    std::vector<Points> parts;
    for (std::size_t place = 0, r = 0; r < sizes.size(); place += sizes[r++])
      parts.push_back(points_of(std::span(blocks).subspan(place, sizes[r]), {}));
    const Points all = joined(parts);
    if (all.rows() == 0) return;
    Dataset found;
    if (options.target != "none") {
      try {
        Reading read = read_libsvm(TextSource(path, std::string_view(labels.data(), labels.size())), options);
        if (read.rows() != all.rows() || !read.left_out.empty()) return;
        found = std::move(static_cast<Dataset&>(read));
      } catch (const Error&) {
        if (own_file) throw;
        return;  // read() knows the place in the file
      }
    }
    found.points = mostly_non_zero(all) ? all.to_dense() : all;
    found.schema.first_index = from_zero ? 0 : 1;
    data = std::move(found);
  });
  return data;
}

namespace {

// The first records of the files of all ranks, as the beginning of one table, and where the own rows begin.
struct TableStart {
  std::string text;
  std::size_t own_body = 0;
};

// Up to so many records tell what the columns are (table_layout.hpp), beside the header.
constexpr std::size_t records_that_tell = 1001;

// The first records of a text.
std::string_view first_records(const TextSource& source, std::string_view text, char delimiter,
                               std::size_t count) {
  const char *const begin = text.data(), *const last = begin + text.size(), *p = begin;
  std::vector<Field> fields;
  for (std::size_t i = 0; i < count && p != last; ++i) p = scan_record(source, p, last, delimiter, fields);
  return {begin, std::size_t(p - begin)};
}

// Each file repeats the header, if there is one.
TableStart start_of_table(const SharedRanks& ranks, const TextSource& own, const TableText& read,
                          const ReadOptions& options) {
  const auto first_of = [&](std::string_view text) { return first_records(own, text, read.delimiter, 1); };
  std::string head;
  agreed(&ranks, [&] { head = first_records(own, own.text(), read.delimiter, records_that_tell); });
  const std::vector<std::string> heads = ranks.gather(head);
  TableStart start;
  agreed(&ranks, [&] {
    // Whether the first record is a header shows where there are rows below it.
    std::size_t telling = 0;
    while (telling + 1 < heads.size() && first_of(heads[telling]).size() == heads[telling].size()) ++telling;
    const TextSource shown(own.name(), heads[telling]);
    const bool has_header = lay_out(shown, options, read.delimiter).has_header;
    const auto line = [&](std::string_view text) { return trimmed(first_of(text), "\r\n"); };
    if (has_header && line(own.text()) != line(heads[telling]))
      own.refuse(own.text().data(), "the header is another one than that of the other ranks' files",
                 "give the files of all ranks the same columns");
    start.text = has_header ? std::string(line(heads[0])) + '\n' : "";
    for (const std::string& one : heads) {
      if (!start.text.empty() && start.text.back() != '\n') start.text += '\n';
      start.text += std::string_view(one).substr(has_header ? first_of(one).size() : 0);
    }
    start.own_body = has_header ? first_of(own.text()).size() : 0;
  });
  return start;
}

std::string message_of(const std::string& path, Format format, const ReadOptions& options) {
  std::string bytes;
  append_text(bytes, path);
  append_text(bytes, options.target);
  append_text(bytes, options.weights);
  append_texts(bytes, options.drop);
  append_texts(bytes, options.keep);
  append_value(bytes, format);
  append_value(bytes, options.task);
  append_value(bytes, options.missing);
  append_value(bytes, options.precision);
  for (const bool is :
       {options.tolerant, options.find_objects, options.target_gaps, options.skip_bad, options.from_zero})
    append_value(bytes, is);
  append_value(bytes, options.columns);
  return bytes;
}

struct Request {
  std::string path;
  Format format;
  ReadOptions options;
};

Request request_of(std::string_view bytes) {
  Request request;
  ReadOptions& o = request.options;
  request.path = take_text(bytes);
  o.target = take_text(bytes);
  o.weights = take_text(bytes);
  o.drop = take_texts(bytes);
  o.keep = take_texts(bytes);
  request.format = take_value<Format>(bytes);
  o.task = take_value<Task>(bytes);
  o.missing = take_value<Missing>(bytes);
  o.precision = take_value<Precision>(bytes);
  for (bool* is : {&o.tolerant, &o.find_objects, &o.target_gaps, &o.skip_bad, &o.from_zero})
    *is = take_value<bool>(bytes);
  o.columns = take_value<std::size_t>(bytes);
  return request;
}

}  // namespace

std::optional<Dataset> ReadingRanks::read_records(const MappedFile& file, bool own_file, bool tabs,
                                                  const ReadOptions& options) {
  const SharedRanks all(ranks_);
  std::optional<TextSource> source;
  TableText text;
  TableLayout layout;
  agreed(&all, [&] {
    source.emplace(file);
    text = table_text(*source, tabs, threads_);
    if (!text.rewritten.empty()) source.emplace(file.name(), text.rewritten);
  });
  SharedTable shared{all, {}, !own_file};
  std::optional<TableStart> start;
  std::optional<TextSource> first;
  if (own_file) {
    start = start_of_table(all, *source, text, options);
    first.emplace(file.name(), start->text);
  }
  agreed(&all, [&] {
    layout = lay_out(first ? *first : *source, options, text.delimiter);
    if (!own_file) return;
    for (TableColumn& column : layout.columns) column.at = source->text().data();
    const std::string_view body = source->text().substr(start->own_body);
    if (!body.empty()) shared.pieces = cut_at_records(*source, body, default_chunk_bytes, threads_);
  });
  if (!own_file) shared.pieces = pieces_of_rank(*source, layout.body, all, threads_);
  ReadOptions own = options;
  own.threads = threads_;
  std::optional<Reading> read = read_shared_table(*source, own, std::move(layout), shared);
  if (!read || !ranks_.first()) return {};
  read->notes.insert(read->notes.begin(), text.notes.begin(), text.notes.end());
  return std::move(static_cast<Dataset&>(*read));
}

// Errors are met by all ranks: those of a read in which messages are exchanged are agreed on where they
// arise.
std::optional<Dataset> ReadingRanks::read_together(const std::string& path, Format format,
                                                   const ReadOptions& options) {
  const bool own_file = has_file_for_each_rank(path);
  std::optional<MappedFile> file;
  if (own_file)
    in_step(ranks_, [&] { file.emplace(path_of_rank(path, ranks_.rank())); });
  else
    open_same_file(ranks_, path, file);
  std::optional<Dataset> data;
  try {
    data = format == Format::libsvm ? read_lines(*file, own_file, options)
                                    : read_records(*file, own_file, format == Format::tsv, options);
  } catch (const AgreedError&) {
    throw;
  } catch (const Error& error) {
    throw AgreedError(error);
  }
  in_step(ranks_, [&] { file->check_unchanged(); });
  const bool read = ranks_.any(data.has_value());
  if (own_file && !read)
    throw AgreedError(
        Error(ErrorCode::unsupported,
              "files of each rank can be read of tables of numbers and categories, and of plain "
              "LIBSVM text",
              {.file = path, .hint = "put the rows into one file"}));
  return data;
}

std::optional<Dataset> ReadingRanks::read(const std::string& path, const ReadOptions& options) {
  std::error_code ignored;
  const bool own_file = has_file_for_each_rank(path);
  if (!own_file && (ranks_.size() == 1 || path == "-" || !std::filesystem::is_regular_file(path, ignored)))
    return {};
  const bool unusual = options.schema || !options.bag.empty() || !options.objects.empty();
  const std::string first = path_of_rank(path, 0);
  const Format format =
      options.format == Format::automatic ? format_of(first, MappedFile(first).text()) : options.format;
  const bool table = format == Format::csv || format == Format::tsv,
             lines = format == Format::libsvm && options.weights.empty() && options.drop.empty() &&
                     (options.target.empty() || options.target == "none");
  if (unusual || !(table || lines)) {
    if (!own_file) return {};
    throw Error(ErrorCode::unsupported, "this cannot be read from a file for each rank",
                {.file = path, .hint = "CSV, TSV and LIBSVM text can; put the rows into one file"});
  }
  int going = 1;
  std::string request = message_of(path, format, options);
  ranks_.broadcast(going);
  ranks_.broadcast(request);
  return read_together(path, format, options);
}

void ReadingRanks::run(const std::function<void()>& work) {
  const auto end = [&] {
    int going = 0;
    ranks_.broadcast(going);
  };
  lead(ranks_, work, end, [&] {
    for (int going = 0;;) {
      ranks_.broadcast(going);
      if (!going) return;
      std::string bytes;
      ranks_.broadcast(bytes);
      const Request request = request_of(bytes);
      read_together(request.path, request.format, request.options);
    }
  });
}

}  // namespace mercer::cluster
