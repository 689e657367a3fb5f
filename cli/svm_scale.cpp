// mercer svm-scale: LIBSVM's svm-scale. Columns go linearly from [min, max] to [lower, upper]; the ranges are
// kept in a file.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <optional>
#include <sstream>

#include "cli/commands.hpp"
#include "cli/data_options.hpp"
#include "cli/libsvm_flags.hpp"
#include "mercer/file.hpp"

namespace mercer::cli {

namespace {

constexpr const char* scale_usage =
    "Usage: svm-scale [options] data_filename\n"
    "  -l LOWER          lower limit of the scaled columns (default -1)\n"
    "  -u UPPER          upper limit of the scaled columns (default 1)\n"
    "  -y LOWER UPPER    limits of the scaled target (default: not scaled)\n"
    "  -s FILE           save the scaling ranges to this file\n"
    "  -r FILE           read the scaling ranges from this file";

struct Interval {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void add(double value) { low = std::min(low, value), high = std::max(high, value); }
};

// from [from.low, from.high] to [to.low, to.high]; the ends go to the ends exactly.
double scaled(double value, const Interval& from, const Interval& to) {
  if (value == from.low) return to.low;
  if (value == from.high) return to.high;
  return to.low + (to.high - to.low) * (value - from.low) / (from.high - from.low);
}

struct Ranges {
  Interval to{-1, 1};
  std::map<std::size_t, Interval> columns;  // by index
  std::optional<Interval> y_to, y_from;

  std::string text() const {
    std::string out;
    if (y_to)
      out = fmt::format("y\n{} {}\n{} {}\n", g17(y_to->low), g17(y_to->high), g17(y_from->low),
                        g17(y_from->high));
    out += fmt::format("x\n{} {}\n", g17(to.low), g17(to.high));
    for (const auto& [index, range] : columns)
      if (range.low != range.high) out += fmt::format("{} {} {}\n", index, g17(range.low), g17(range.high));
    return out;
  }
};

// A file that -s wrote: lines of words, each checked, so that a broken one is refused where it breaks.
class RangeFile {
 public:
  explicit RangeFile(const std::string& path) : path_(path), in_(path) {
    if (!in_) throw Error(ErrorCode::file_access, "cannot be read", {.file = path_});
  }

  Ranges read() {
    Ranges ranges;
    std::vector<std::string> words = next();
    if (words.empty()) refuse("the file is empty");
    if (words == std::vector<std::string>{"y"}) {
      ranges.y_to = limits();
      ranges.y_from = interval(next(), 0);
      words = next();
    }
    if (words != std::vector<std::string>{"x"}) refuse("the line x is missing");
    ranges.to = limits();
    while (!(words = next()).empty()) {
      if (words.size() != 3) refuse("the line is not an index and two numbers");
      ranges.columns[index(words[0])] = interval(words, 1);
    }
    return ranges;
  }

 private:
  // The words of the next line that has any; none at the end.
  std::vector<std::string> next() {
    for (std::string line; std::getline(in_, line);) {
      ++line_;
      std::istringstream text(line);
      std::vector<std::string> words;
      for (std::string word; text >> word;) words.push_back(word);
      if (!words.empty()) return words;
    }
    ++line_;
    return {};
  }
  [[noreturn]] void refuse(const std::string& what) const {
    throw Error(ErrorCode::invalid_data, fmt::format("{}:{}: {}", path_, line_, what),
                {.hint = "a file that svm-scale -s wrote is expected"});
  }
  double number(const std::string& word) const {
    const std::optional<double> value = parse_number(word.substr(word.starts_with('+')));
    if (!value || !std::isfinite(*value)) refuse(fmt::format("'{}' is not a number", word));
    return *value;
  }
  std::size_t index(const std::string& word) const {
    const std::optional<std::int32_t> value = parse_number<std::int32_t>(word);
    if (!value || *value < 0)
      refuse(fmt::format("'{}' is not an index, a whole number from 0 to {}", word,
                         std::numeric_limits<std::int32_t>::max()));
    return std::size_t(*value);
  }
  Interval interval(const std::vector<std::string>& words, std::size_t first) const {
    if (words.size() != first + 2) refuse("two numbers are missing");
    const Interval found{number(words[first]), number(words[first + 1])};
    if (!(found.low <= found.high))
      refuse(fmt::format("the lower limit {} is above the upper limit {}", words[first], words[first + 1]));
    return found;
  }
  Interval limits() {
    const Interval found = interval(next(), 0);
    if (found.low == found.high) refuse("the limits to scale to are the same number");
    return found;
  }

  std::string path_;
  std::ifstream in_;
  std::size_t line_ = 0;
};

// Ranges over all rows; an index from 1 on that a row lacks is 0 there. LIBSVM leaves an index 0 that is
// lacking out.
Ranges find_ranges(const Sparse<double>& rows, std::size_t first_index, const std::vector<double>& y,
                   bool scale_y) {
  Ranges ranges;
  std::vector<Interval> columns(rows.cols);
  std::vector<std::size_t> present(rows.cols, 0);
  for (std::size_t e = 0; e < rows.values.size(); ++e) {
    columns[std::size_t(rows.indices[e])].add(rows.values[e]);
    ++present[std::size_t(rows.indices[e])];
  }
  for (std::size_t k = 0; k < columns.size(); ++k) {
    if (present[k] < rows.rows && k + first_index > 0) columns[k].add(0);
    ranges.columns[k + first_index] = columns[k];
  }
  if (scale_y) {
    ranges.y_from.emplace();
    for (const double value : y) ranges.y_from->add(value);
  }
  return ranges;
}

double scaled_target(double y, const Ranges& ranges, std::size_t row) {
  if (ranges.y_from->low == ranges.y_from->high && y != ranges.y_from->low)
    throw Error(ErrorCode::invalid_data,
                fmt::format("the target of row {} is {}, but the range file says that every target is {}",
                            row + 1, g17(y), g17(ranges.y_from->low)));
  return scaled(y, *ranges.y_from, *ranges.y_to);
}

std::string scaled_text(const Sparse<double>& rows, std::size_t first_index, const std::vector<double>& y,
                        const Ranges& ranges) {
  std::string out;
  std::size_t entries = 0;
  for (std::size_t i = 0; i < rows.rows; ++i) {
    out += g17(ranges.y_to ? scaled_target(y[i], ranges, i) : y[i]) + " ";
    std::size_t e = rows.starts[i];
    for (const auto& [k, range] : ranges.columns) {  // columns without a range are left out
      while (e < rows.starts[i + 1] && std::size_t(rows.indices[e]) + first_index < k) ++e;
      const bool present = e < rows.starts[i + 1] && std::size_t(rows.indices[e]) + first_index == k;
      if ((k == 0 && !present) || range.low == range.high) continue;
      const double result = scaled(present ? rows.values[e] : 0, range, ranges.to);
      if (result != 0) out += fmt::format("{}:{} ", k, g6(result)), ++entries;
    }
    out += '\n';
  }
  if (entries > rows.values.size())
    Session::complain(
        fmt::format("WARNING: original #nonzeros {}\n       > new      #nonzeros {}\nIf feature values are "
                    "non-negative and sparse, use -l 0 rather than the default -l -1",
                    rows.values.size(), entries));
  return out;
}

}  // namespace

void add_svm_scale(CLI::App& app, Session& session) {
  add_libsvm_command(
      app, "svm-scale", "LIBSVM's svm-scale: scale columns and save their ranges", scale_usage,
      [&session](const std::vector<std::string>& arguments) {
        LibsvmFlags flags("svm-scale", arguments, scale_usage);
        std::string save, restore;
        Interval to{-1, 1};
        std::optional<Interval> y;
        flags.read({{"l", [&] { to.low = flags.number(); }},
                    {"u", [&] { to.high = flags.number(); }},
                    {"y",
                     [&] {
                       const double low = flags.number();
                       y = Interval{low, flags.number()};
                     }},
                    {"s", [&] { save = flags.text(); }},
                    {"r", [&] { restore = flags.text(); }}});
        if (!(to.high > to.low) || (y && !(y->high > y->low)))
          flags.refuse("the upper limit must be above the lower one");
        if (!save.empty() && !restore.empty()) flags.refuse("-s and -r cannot be given together");
        const auto files = flags.files(1, 1);
        const Dataset data =
            read(files[0], {.format = Format::libsvm, .task = Task::regression, .threads = session.threads});
        const Points sparse = data.points.to_sparse().with_precision(Precision::float64);
        const auto& rows = std::get<Sparse<double>>(sparse.storage());
        const auto first_index = std::size_t(*data.schema.first_index);
        if (first_index == 0)
          Session::complain("WARNING: minimal feature index is 0, but indices should start from 1");
        Ranges ranges;
        if (restore.empty()) {
          ranges = find_ranges(rows, first_index, data.target.values, y.has_value());
          ranges.to = to;
          ranges.y_to = y;
        } else {
          ranges = RangeFile(restore).read();
        }
        if (!save.empty()) write_file(save, ranges.text());
        write_file("-", scaled_text(rows, first_index, data.target.values, ranges));
      });
}

}  // namespace mercer::cli
