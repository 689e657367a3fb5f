// A set a line:   label<tab>member member member …   or, in a file without labels,   member member …
// A label with nothing behind its tab has an empty set; lines with nothing at all are skipped. Members are
// symbols, or vectors where the first member of the file is numbers joined by commas:
//   musk<tab>1.5,2 0,-1 3,3
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "data/decimal.hpp"
#include "data/label_column.hpp"
#include "data/readers.hpp"
#include "data/words.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

struct Line {
  std::string_view label, members;
};

class Lines {
 public:
  explicit Lines(const TextSource& source) : source_(source) {
    std::string_view rest = source.text();
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      add(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (all_.empty())
      source.refuse(source.text().data(), "there are no sets",
                    "write one a line, its members separated by spaces");
  }
  const std::vector<Line>& all() const noexcept { return all_; }
  bool labelled() const noexcept { return labelled_; }

 private:
  void add(std::string_view line) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    const std::size_t tab = line.find('\t');
    if (tab == line.npos && line.find_first_not_of(' ') == line.npos) return;
    if (all_.empty()) labelled_ = tab != line.npos;
    if (labelled_ != (tab != line.npos))
      source_.refuse(
          line.data(),
          labelled_
              ? "this line has no tab behind a label, but those before it have; write label, tab, members"
              : "this line has a tab behind a label, but those before it have none; label every line, or "
                "none");
    all_.push_back(labelled_ ? Line{line.substr(0, tab), line.substr(tab + 1)} : Line{{}, line});
  }

  const TextSource& source_;
  std::vector<Line> all_;
  bool labelled_ = false;
};

std::string_view first_member(const std::vector<Line>& lines) {
  std::string_view first;
  for (const Line& line : lines) {
    each_word(line.members, Domain::symbols,
              [&](std::string_view word, std::size_t, std::size_t) { first = first.empty() ? word : first; });
    if (!first.empty()) break;
  }
  return first;
}

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
  const std::string_view first = first_member(lines.all());
  return first.find(',') != first.npos && vector_in(first) ? Domain::vectors : Domain::symbols;
}

Objects symbols_of(const Lines& lines, Domain domain) {
  std::vector<std::string> texts;
  for (const Line& line : lines.all()) texts.emplace_back(line.members);
  return Objects("set", domain, texts);
}

Objects vectors_of(const TextSource& source, const Lines& lines) {
  std::vector<std::size_t> starts{0};
  std::vector<double> values;
  std::size_t columns = 0, members = 0;
  for (const Line& line : lines.all()) {
    each_word(line.members, Domain::symbols, [&](std::string_view member, std::size_t, std::size_t) {
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
  Bags bags{Buffer<std::size_t>(starts.size()), columns, Buffer<double>(values.size())};
  std::ranges::copy(starts, bags.starts.begin());
  std::ranges::copy(values, bags.values.begin());
  return Objects("set", Domain::vectors, std::move(bags));
}

void check_options(const TextSource& source, const ReadOptions& options) {
  const auto refuse = [&](const std::string& what) {
    throw Error(ErrorCode::invalid_argument, std::string(what), {.file = source.name()});
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

}  // namespace

Dataset read_sets(const TextSource& source, const ReadOptions& options) {
  check_options(source, options);
  const Lines lines(source);
  const Domain domain = domain_of(lines, options);
  if (domain == Domain::graph || domain == Domain::image)
    throw Error(ErrorCode::invalid_argument, fmt::format("a file of sets holds no {}", plural_of(domain)),
                {.file = source.name()});
  Dataset data;
  data.points = Points(domain == Domain::vectors ? vectors_of(source, lines) : symbols_of(lines, domain));
  data.schema.columns = {{.name = "set", .categories = {}, .objects = domain}};
  if (!lines.labelled() || options.target == "none") return data;
  LabelColumn labels(lines.all().size(), 1, options);
  for (std::size_t i = 0; i < lines.all().size(); ++i) labels.read(source, 0, i, lines.all()[i].label);
  std::vector<char> missing(data.rows());
  labels.mark_missing(missing);
  if (std::ranges::count(missing, 1) > 0) {  // read() refused them, or the rows are to be left out
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < missing.size(); ++i)
      if (!missing[i]) kept.push_back(i);
    if (kept.empty())
      source.refuse(source.text().data(), "every line lacks a label",
                    "fill them in, or set the target to none");
    data.notes.push_back(
        fmt::format("dropped {} of {} rows: no target", missing.size() - kept.size(), missing.size()));
    data.points = data.points.select_rows(kept);
    labels.keep(kept);
  }
  data.target =
      labels.finish("label", [&](const char* at, const std::string& what) { source.refuse(at, what); });
  data.schema.target = "label";
  return data;
}

}  // namespace mercer
