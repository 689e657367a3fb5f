// Tables with a header: the columns of the points, their objects that are texts, then the target, then the
// weights. Categories stay the 0/1 columns they have become.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "data/decimal.hpp"
#include "data/fields.hpp"
#include "data/formats.hpp"

namespace mercer {

namespace {

void append_text(std::string& out, std::string_view text, char delimiter, bool always_quote) {
  const bool edges = !text.empty() && (text.front() == ' ' || text.front() == '\t' || text.back() == ' ' ||
                                       text.back() == '\t');
  if (!always_quote && !edges && text.find_first_of("\"\r\n") == text.npos &&
      text.find(delimiter) == text.npos) {
    out += text;
    return;
  }
  append_quoted(out, text);
}

bool reads_as_number(const std::string& text) noexcept {
  return read_number(text).kind != Number::Kind::text;
}

/// The names of all columns, each once.
std::vector<std::string> header_of(const std::string& path, const Dataset& data) {
  std::vector<std::string> names;
  for (std::size_t j = 0; j < data.points.cols(); ++j) names.push_back(data.points.name(j));
  for (const Objects& column : data.points.objects()) names.push_back(column.name());
  if (data.target.task != Task::none)
    for (std::string& name : data.target.output_names()) names.push_back(std::move(name));
  if (!data.weights.empty()) names.push_back(data.schema.weights.empty() ? "weight" : data.schema.weights);
  if (names.empty()) refuse_file(path, "there are no columns to write", "a table needs one");
  std::unordered_set<std::string_view> seen;
  for (const std::string& name : names) {
    if (name.empty()) refuse_file(path, "a column has no name", "give it one, or leave all columns unnamed");
    if (!seen.insert(name).second)
      refuse_file(path, fmt::format("two columns are called {}", in_quotes(name)), "give each its own name");
  }
  return names;
}

void check_table(const std::string& path, const Dataset& data) {
  if (!data.queries.empty()) refuse_file(path, "a table cannot hold LIBSVM's qid", "write .svm");
  for (const Objects& column : data.points.objects())
    if (!std::holds_alternative<Texts>(column.storage()))
      refuse_file(path, fmt::format("column {} holds {}, which a cell of a table cannot",
                                    in_quotes(column.name()), plural_of(column.domain())));
  for (const std::string& label : data.target.labels)
    if (read_number(label).kind == Number::Kind::missing)
      refuse_file(path, fmt::format("label {} would read back as a missing value", in_quotes(label)),
                  "rename it, or write .npz");
}

template <class T>
void each_number(const Dense<T>& dense, std::size_t i, auto use) {
  std::for_each_n(dense.row(i), dense.cols, use);
}

template <class T>
void each_number(const Sparse<T>& sparse, std::size_t i, auto use) {
  std::size_t k = sparse.starts[i];
  for (std::size_t j = 0; j < sparse.cols; ++j) {
    const bool stored = k < sparse.starts[i + 1] && std::size_t(sparse.indices[k]) == j;
    use(stored ? sparse.values[k++] : T(0));
  }
}

}  // namespace

void write_table(const std::string& path, const Dataset& data, char delimiter) {
  check_table(path, data);
  const std::vector<std::string> header = header_of(path, data);
  std::string head;
  // Names that look like numbers are told from a row of numbers by quotes around all of them.
  const bool always_quote = std::ranges::any_of(header, reads_as_number);
  for (std::size_t j = 0; j < header.size(); ++j) {
    if (j > 0) head += delimiter;
    append_text(head, header[j], delimiter, always_quote);
  }
  head += '\n';
  const Target& target = data.target;
  write_rows(path, std::move(head), data.rows(), [&](std::size_t i, std::string& out) {
    bool first = true;
    const auto separate = [&] {
      if (!std::exchange(first, false)) out += delimiter;
    };
    const auto append = [&](auto number) {
      separate();
      append_number(out, number);
    };
    std::visit([&](const auto& storage) { each_number(storage, i, append); }, data.points.storage());
    for (const Objects& column : data.points.objects()) {
      separate();
      // A text that is empty, or that a reader of tables would take for a missing value, stands between
      // quotes.
      const std::string_view text = column.texts()[i];
      append_text(out, text, delimiter, read_number(text).kind == Number::Kind::missing);
    }
    if (target.task == Task::classification) {
      separate();
      append_text(out, target.labels[std::size_t(target.codes[i])], delimiter, false);
    }
    if (target.task == Task::regression)
      std::for_each_n(target.values.data() + i * target.outputs, target.outputs, append);
    if (!data.weights.empty()) append(data.weights[i]);
    out += '\n';
  });
}

}  // namespace mercer
