// Reading a file or a folder of any format, and dropping rows whose molecules cannot be read.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <new>

#include "data/bags.hpp"
#include "data/formats.hpp"
#include "data/molecules.hpp"
#include "data/numpy.hpp"
#include "data/table_text.hpp"
#include "mercer/disk_arrays.hpp"
#include "mercer/read_rows.hpp"

namespace mercer {

namespace {

Reading read_members(const TextSource& source, const ReadOptions& options, char delimiter) {
  const BagReading reading(options, source.name());
  if (!reading.bags()) return read_table(source, options, delimiter);
  return {grouped(read_table(source, reading.of_members(), delimiter), source.name())};
}

Reading read_table_of(const MappedFile& file, bool tabs, const ReadOptions& options) {
  const TextSource source(file);
  const TableText text = table_text(source, tabs, options.threads);
  if (DiskArrays::active() && !text.rewritten.empty())
    refuse_file(source.name(), "the text has to be rewritten to be read, which takes memory for all of it",
                "save it as UTF-8 with points in the numbers, or read it into memory",
                ErrorCode::unsupported);
  Reading data = text.rewritten.empty()
                     ? read_members(source, options, text.delimiter)
                     : read_members(TextSource(source.name(), text.rewritten), options, text.delimiter);
  data.notes.insert(data.notes.begin(), text.notes.begin(), text.notes.end());
  return data;
}

Reading read_as(const MappedFile& file, Format format, const ReadOptions& options) {
  switch (format) {
    case Format::npy:
      return read_npy(file, options);
    case Format::npz:
      return read_npz(file, options);
    case Format::csv:
    case Format::tsv:
      return read_table_of(file, format == Format::tsv, options);
    case Format::graphs:
      return read_graphs(file.name(), options);
    case Format::images:
      return read_images(file.name(), options);
    case Format::sets:
      return read_sets(TextSource(file), options);
    case Format::fasta:
      return read_fasta(TextSource(file), options);
    default:
      return read_libsvm(TextSource(file), options);
  }
}

void refuse_columns(const std::string& name, const ReadOptions& options) {
  if (!options.drop.empty())
    refuse_file(name,
                fmt::format("column '{}' cannot be dropped: only columns of a .csv or .tsv table can",
                            options.drop[0]),
                {}, ErrorCode::invalid_argument);
}

Reading read_folder(const std::string& path, const ReadOptions& options) {
  refuse_columns(path, options);
  const Format format = options.format == Format::automatic ? folder_format(path) : options.format;
  if (format == Format::graphs) return read_graphs(path, options);
  if (format == Format::images) return read_images(path, options);
  refuse_file(path, "is a directory, and holds neither images (.png, .ppm, .pgm) nor graphs (NAME_A.txt)",
              "a data file is needed", ErrorCode::file_access);
}

/// Rows whose molecules cannot be read are refused or, where asked for, left out with a note.
Reading with_molecules_checked(Reading data, const std::string& name, const ReadOptions& options) {
  const auto file_row = [&](std::size_t row) {
    for (const std::size_t left : data.left_out) row += left <= row;
    return row;
  };
  std::vector<char> bad(data.rows());
  for (const Objects& column : data.points.objects()) {
    if (column.domain() != Domain::molecule) continue;
    const std::vector<BadMolecule> found = check_molecules(column, options.threads);
    if (found.empty()) continue;
    const std::size_t row = file_row(found[0].row) + 1;
    if (!options.skip_bad)
      throw Error(
          ErrorCode::invalid_file,
          fmt::format("row {}, column {}: {}", row, in_quotes(column.name()), found[0].reason),
          {.file = name,
           .row = row,
           .hint = fmt::format("correct it{}",
                               found.size() == 1 ? "" : fmt::format(" and {} more", found.size() - 1)),
           .hints = {{Remedy::skip_bad_rows}}});
    for (const BadMolecule& one : found) bad[one.row] = 1;
    data.notes.push_back(fmt::format("dropped {} of {} rows: column {} has no molecule there (row {}: {})",
                                     found.size(), data.rows(), in_quotes(column.name()), row,
                                     found[0].reason));
  }
  std::vector<std::size_t> good, left_out = data.left_out;
  for (std::size_t i = 0; i < bad.size(); ++i) {
    if (bad[i])
      left_out.push_back(file_row(i));
    else
      good.push_back(i);
  }
  if (good.empty() && !bad.empty()) refuse_file(name, "no row has a molecule");
  if (good.size() == bad.size()) return data;
  std::ranges::sort(left_out);
  return {data.select_rows(good), std::move(left_out)};
}

/// Other formats are unpacked, or rewritten, in memory.
void check_for_disk(const std::string& path, Format format, const std::string& name) {
  const bool text = format == Format::csv || format == Format::tsv || format == Format::libsvm;
  if (path == "-" || !(text || format == Format::npy))
    refuse_file(name, "rows can be kept on disk of a .csv, .tsv, LIBSVM or .npy file, not of this one",
                "convert it, or read it into memory", ErrorCode::unsupported);
}

Reading read_file(const std::string& path, const ReadOptions& options) {
  const MappedFile file(path);
  const Format format = options.format == Format::automatic ? format_of(path, file.text()) : options.format;
  const bool is_table = format == Format::csv || format == Format::tsv;
  if (!is_table) refuse_columns(file.name(), options);
  if (!is_table && !options.bag.empty() && format != Format::sets)
    refuse_file(file.name(),
                fmt::format("column '{}' is to name sets, but only a column of a .csv or .tsv table can",
                            options.bag),
                {}, ErrorCode::invalid_argument);
  if (DiskArrays::active()) check_for_disk(path, format, file.name());
  Reading data = read_as(file, format, options);
  file.check_unchanged();
  return with_molecules_checked(std::move(data), file.name(), options);
}

}  // namespace

// A cell takes a number, of LIBSVM text an index, too; an array says what it takes.
std::size_t estimated_bytes(const std::string& path, const ReadOptions& options) {
  std::error_code ignored;
  if (path == "-" || !std::filesystem::is_regular_file(path, ignored)) return 0;
  const MappedFile file(path);
  const std::string_view start = file.text().substr(0, std::size_t(1) << 20);
  const Format format = options.format == Format::automatic ? format_of(path, file.text()) : options.format;
  const double number = options.precision == Precision::float32 ? 4 : 8;
  if (start.empty()) return 0;
  if (format == Format::npy) {
    const NpyHeader header = parse_npy_header(file.name(), file.text(), file.text().size());
    return std::size_t(number * double(header.count()));
  }
  const auto count = [&](char c) { return double(std::ranges::count(start, c)); };
  double bytes = 0;
  if (format == Format::libsvm)
    bytes = (number + sizeof(std::int32_t)) * count(':') + sizeof(std::size_t) * count('\n');
  else if (format == Format::csv || format == Format::tsv)
    bytes = number * (count('\n') + std::max({count(','), count('\t'), count(';')}));
  return std::size_t(bytes * double(file.text().size()) / double(start.size()));
}

Dataset read(const std::string& path, const ReadOptions& options) {
  std::vector<std::size_t> left_out;
  return read(path, options, left_out);
}

Dataset read(const std::string& path, const ReadOptions& options, std::vector<std::size_t>& left_out) {
  std::error_code ignored;
  const bool is_folder = path != "-" && std::filesystem::is_directory(path, ignored);
  try {
    Reading data = is_folder ? read_folder(path, options) : read_file(path, options);
    left_out = std::move(data.left_out);
    return std::move(static_cast<Dataset&>(data));
  } catch (const std::bad_alloc&) {
    refuse_file(path == "-" ? "standard input" : path, "there is not enough memory to read it", {},
                ErrorCode::out_of_memory);
  }
}

}  // namespace mercer
