#include "cluster/spread_read.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/copy_of.hpp"
#include "cluster/checkpoint.hpp"
#include "cluster/points_message.hpp"
#include "data/density.hpp"
#include "data/formats.hpp"
#include "data/libsvm_entry.hpp"

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

std::optional<Dataset> ReadingRanks::read_range(const std::string& path, const ReadOptions& options) {
  struct Part {
    Points points;
    std::string labels;
    std::size_t cols = 0;
    int first_index = 1;
  };
  std::optional<MappedFile> file;
  open_same_file(ranks_, path, file);  // what is inside may be unusual
  std::optional<Part> part;
  try {
    const TextSource source(*file);
    const std::string_view lines = lines_of_rank(source.text(), ranks_.rank(), ranks_.size());
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
  if (!ranks_.first()) return {};
  std::vector<Points> parts;
  for (std::size_t place = 0, r = 0; r < sizes.size(); place += sizes[r++])
    parts.push_back(points_of(std::span(blocks).subspan(place, sizes[r]), {}));
  Dataset data;
  const Points all = joined(parts);
  if (all.rows() == 0) return {};
  if (options.target != "none") {
    Reading read = read_libsvm(TextSource(path, std::string_view(labels.data(), labels.size())), options);
    if (read.rows() != all.rows() || !read.left_out.empty()) return {};
    data = std::move(static_cast<Dataset&>(read));
  }
  data.points = mostly_non_zero(all) ? all.to_dense() : all;
  data.schema.first_index = from_zero ? 0 : 1;
  return data;
}

std::optional<Dataset> ReadingRanks::read(const std::string& path, const ReadOptions& options) {
  std::error_code ignored;
  if (ranks_.size() == 1 || path == "-" || !std::filesystem::is_regular_file(path, ignored)) return {};
  if (options.schema || !options.weights.empty() || !options.bag.empty() || !options.drop.empty() ||
      !options.objects.empty() || (!options.target.empty() && options.target != "none"))
    return {};
  const Format format =
      options.format == Format::automatic ? format_of(path, MappedFile(path).text()) : options.format;
  if (format != Format::libsvm) return {};
  int going = 1, none = options.target == "none", single = options.precision == Precision::float32;
  int from_zero = options.from_zero;
  std::size_t columns = options.columns;
  std::string name = path;
  ranks_.broadcast(going);
  ranks_.broadcast(name);
  ranks_.broadcast(none);
  ranks_.broadcast(single);
  ranks_.broadcast(from_zero);
  ranks_.broadcast(columns);
  return read_range(path, options);
}

void ReadingRanks::run(const std::function<void()>& work) {
  std::optional<Error> failed;
  if (ranks_.first()) {
    try {
      work();
    } catch (const AgreedError&) {
      throw;
    } catch (const Error& error) {
      failed.emplace(error);
    }
    int going = 0;
    ranks_.broadcast(going);
  } else {
    for (;;) {
      int going = 0, none = 0, single = 0, from_zero = 0;
      std::size_t columns = 0;
      std::string path;
      ranks_.broadcast(going);
      if (!going) break;
      ranks_.broadcast(path);
      ranks_.broadcast(none);
      ranks_.broadcast(single);
      ranks_.broadcast(from_zero);
      ranks_.broadcast(columns);
      ReadOptions options;
      options.target = none ? "none" : "";
      options.precision = single ? Precision::float32 : Precision::float64;
      options.from_zero = from_zero != 0;
      options.columns = columns;
      read_range(path, options);
    }
  }
  agree_on(ranks_, failed ? &*failed : nullptr);
}

}  // namespace mercer::cluster
