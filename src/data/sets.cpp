// Sets, one a line:   label<tab>member member member …   or, in a file without labels,   member member …
// A label with nothing behind its tab has an empty set; lines with nothing at all are skipped. Members are
// symbols, or vectors where the first member of the file is numbers joined by commas:
//   musk<tab>1.5,2 0,-1 3,3
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/copy_of.hpp"
#include "data/decimal.hpp"
#include "data/formats.hpp"
#include "data/label_column.hpp"
#include "data/words.hpp"

namespace mercer {

namespace {

class Lines {
 public:
  std::vector<std::string_view> labels, sets;  // of each line; labels where it has one

  explicit Lines(const TextSource& source) {
    for (std::string_view rest = source.text(); !rest.empty();) add(source, take_line(rest));
    if (sets.empty())
      source.refuse(source.text().data(), "there are no sets",
                    "write one a line, its members separated by spaces");
  }

 private:
  void add(const TextSource& source, std::string_view line) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    const std::size_t tab = line.find('\t');
    const bool has_label = tab != line.npos;
    if (!has_label && line.find_first_not_of(' ') == line.npos) return;
    if (!sets.empty() && has_label != !labels.empty())
      source.refuse(
          line.data(),
          has_label
              ? "this line has a tab behind a label, but those before it have none; label every line, or none"
              : "this line has no tab behind a label, but those before it have; write label, tab, members");
    if (has_label) labels.push_back(line.substr(0, tab));
    sets.push_back(has_label ? line.substr(tab + 1) : line);
  }
};

/// The numbers that are joined by commas in `member`; none where it is anything else.
std::optional<std::vector<double>> vector_in(std::string_view member) {
  std::vector<double> numbers;
  for (const std::string& cell : split_at_commas(member)) {
    const Number number = read_number(cell);
    if (number.kind != Number::Kind::number || !std::isfinite(number.value)) return std::nullopt;
    numbers.push_back(number.value);
  }
  return numbers;
}

/// What the members are: as the caller or the schema says, else as the first looks.
Domain domain_of(const Lines& lines, const ReadOptions& options) {
  if (options.schema)
    for (const Schema::Column& column : options.schema->columns)
      if (column.objects) return *column.objects;
  if (!options.objects.empty()) return options.objects.front().domain;
  std::string_view first;  // member
  for (std::size_t i = 0; i < lines.sets.size() && first.empty(); ++i)
    each_word(lines.sets[i], Domain::symbols,
              [&](std::string_view word, std::size_t, std::size_t) { first = first.empty() ? word : first; });
  return first.find(',') != first.npos && vector_in(first) ? Domain::vectors : Domain::symbols;
}

Objects vectors_of(const TextSource& source, const Lines& lines) {
  std::vector<std::size_t> starts{0};
  std::vector<double> values;
  std::size_t columns = 0, members = 0;
  for (const std::string_view set : lines.sets) {
    each_word(set, Domain::symbols, [&](std::string_view member, std::size_t, std::size_t) {
      const auto numbers = vector_in(member);
      if (!numbers)
        source.refuse(
            member.data(),
            fmt::format("{} is not a vector: numbers joined by commas, such as 1.5,-2", in_quotes(member)));
      if (members++ == 0) columns = numbers->size();
      if (numbers->size() != columns)
        source.refuse(
            member.data(),
            fmt::format("{} has {} number{}, but the first member of the file has {}", in_quotes(member),
                        numbers->size(), numbers->size() == 1 ? "" : "s", columns),
            "all must have as many");
      values.insert(values.end(), numbers->begin(), numbers->end());
    });
    starts.push_back(members);
  }
  return Objects("set", Domain::vectors, Bags{copy_of(starts), columns, copy_of(values)});
}

void check_options(const TextSource& source, const ReadOptions& options) {
  const auto refuse = [&](const std::string& what) {
    refuse_file(source.name(), what, {}, ErrorCode::invalid_argument);
  };
  if (!options.target.empty() && options.target != "none" && options.target != "label")
    refuse(
        fmt::format("target {} was asked for, but a file of sets has its target in front of every line; "
                    "leave the target out, or set it to none",
                    in_quotes(options.target)));
  if (!options.weights.empty() && options.weights != "none")
    refuse("a file of sets has no weights; leave them out");
  if (!options.bag.empty())
    refuse("a file of sets has a set a line; a column that names sets is one of a table");
  if (options.schema && (options.schema->columns.size() != 1 || !options.schema->columns.front().objects))
    refuse("the model learned from the columns of a table, and a file of sets has none of them");
}

void append_checked_label(std::string& out, const std::string& path, const Target& target, std::size_t i) {
  if (target.task == Task::none) return;
  const std::size_t begin = out.size();
  append_label(out, target, i);
  const std::string_view label = std::string_view(out).substr(begin);
  if (label.find_first_of("\t\r\n") != label.npos || read_number(label).kind == Number::Kind::missing)
    refuse_file(path, fmt::format("label {} would not read back from a file of sets", in_quotes(label)),
                "rename it");
  out += '\t';
}

void append_members(std::string& out, const Objects& sets, std::size_t i) {
  bool first = true;
  const auto separate = [&] { out += std::exchange(first, false) ? "" : " "; };
  if (sets.domain() != Domain::vectors) {
    each_word(sets.texts()[i], Domain::symbols, [&](std::string_view word, std::size_t, std::size_t) {
      separate();
      out += word;
    });
    return;
  }
  const Bags& bags = sets.bags();
  for (std::size_t m = bags.starts[i]; m < bags.starts[i + 1]; ++m) {
    separate();
    for (std::size_t k = 0; k < bags.columns; ++k) {
      if (k > 0) out += ',';
      append_number(out, bags.values[m * bags.columns + k]);
    }
  }
}

void check_sets(const std::string& path, const Dataset& data) {
  if (data.points.objects().size() != 1 || data.points.cols() > 0 ||
      std::holds_alternative<Graphs>(data.points.objects()[0].storage()) ||
      std::holds_alternative<Images>(data.points.objects()[0].storage()))
    refuse_file(path, "a file of sets holds one column of sets and nothing else", "write a table");
  if (!data.weights.empty()) refuse_file(path, "a file of sets holds no weights", "write a table");
  if (data.target.task == Task::regression && data.target.outputs > 1)
    refuse_file(path, "a file of sets has one label a line, and the target has several numbers");
}

}  // namespace

Reading read_sets(const TextSource& source, const ReadOptions& options) {
  check_options(source, options);
  const Lines lines(source);
  const Domain domain = domain_of(lines, options);
  if (domain == Domain::graph || domain == Domain::image)
    refuse_file(source.name(), fmt::format("a file of sets holds no {}", plural_of(domain)), {},
                ErrorCode::invalid_argument);
  Reading data;
  data.points =
      Points(domain == Domain::vectors
                 ? vectors_of(source, lines)
                 : Objects("set", domain, std::vector<std::string>(lines.sets.begin(), lines.sets.end())));
  data.schema.columns = {{.name = "set", .categories = {}, .objects = domain}};
  if (lines.labels.empty() || options.target == "none") return data;
  LabelColumn labels(data.rows(), 1, options);
  for (std::size_t i = 0; i < data.rows(); ++i) labels.read(source, 0, i, lines.labels[i]);
  std::vector<char> missing(data.rows());
  labels.mark_missing(missing);  // read() refused them, or the rows are to be left out
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < missing.size(); ++i) (missing[i] ? data.left_out : kept).push_back(i);
  if (!data.left_out.empty()) {
    if (kept.empty())
      source.refuse(source.text().data(), "every line lacks a label",
                    "fill them in, or set the target to none");
    data.notes.push_back(
        fmt::format("dropped {} of {} rows: no target", data.left_out.size(), missing.size()));
    data.points = data.points.select_rows(kept);
    labels.keep(kept);
  }
  data.target = labels.finish("label", source.name(), &source);
  data.schema.target = "label";
  return data;
}

void write_sets(const std::string& path, const Dataset& data) {
  check_sets(path, data);
  write_rows(path, {}, data.rows(), [&](std::size_t i, std::string& out) {
    const std::size_t begin = out.size();
    append_checked_label(out, path, data.target, i);
    append_members(out, data.points.objects()[0], i);
    if (out.size() == begin)
      refuse_file(path,
                  fmt::format("set {} is empty, and a line without a label that is empty is no set", i + 1),
                  "give the sets a target");
    out += '\n';
  });
}

}  // namespace mercer
