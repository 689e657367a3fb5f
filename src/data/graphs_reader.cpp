// A folder of graphs as TUDataset keeps them (Morris et al. 2020): text files with a line for each edge, node
// or graph, numbered from 1.
//   NAME_A.txt                  edges "u, v", in both directions (one is enough)
//   NAME_graph_indicator.txt    the graph of each node
//   NAME_graph_labels.txt       the class of each graph
//   NAME_graph_attributes.txt   numbers to be learned about each graph
//   NAME_edge_labels.txt        a whole number for each line of NAME_A.txt
//   NAME_node_labels.txt        a whole number for each node
//   NAME_node_attributes.txt    numbers for each node
// The first two are needed. A graph that no node names is empty.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>

#include "base/file.hpp"
#include "data/decimal.hpp"
#include "data/label_column.hpp"
#include "data/readers.hpp"
#include "data/refusals.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

namespace fs = std::filesystem;

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  return first == text.npos ? text.substr(0, 0)
                            : text.substr(first, text.find_last_not_of(" \t\r") + 1 - first);
}

/// One of the files, by lines. It may be empty.
class LineFile {
 public:
  explicit LineFile(const std::string& path) : file_(path) {
    if (file_.text().find_first_not_of("\r\n") == std::string_view::npos) return;
    source_.emplace(file_);
    for (std::string_view rest = source_->text(); !rest.empty();) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      lines_.push_back(trimmed(rest.substr(0, end)));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }

  const std::vector<std::string_view>& lines() const { return lines_; }
  const TextSource& source() const { return *source_; }  // where there are lines
  [[noreturn]] void refuse(std::size_t line, const std::string& what) const {
    source_->refuse(lines_[line].data(), what);
  }
  /// A whole number in [low, high].
  std::int64_t whole(std::string_view text, std::int64_t low, std::int64_t high,
                     std::string_view what) const {
    text = trimmed(text);
    std::int64_t value = 0;
    const auto [end, fault] =
        std::from_chars(text.data() + text.starts_with('+'), text.data() + text.size(), value);
    if (fault != std::errc{} || end != text.data() + text.size() || value < low || value > high)
      source_->refuse(text.data(), fmt::format("{} is no {}; a whole number from {} to {} is needed",
                                               in_quotes(text), what, low, high));
    return value;
  }
  void expect_lines(std::size_t count, std::string_view of) const {
    if (lines_.size() == count) return;
    const std::string what = fmt::format(
        "the file has {} lines, but there are {} {}; a line for each is needed", lines_.size(), count, of);
    if (source_) refuse(std::min(count, lines_.size() - 1), what);
    throw Error(ErrorCode::invalid_file, fmt::format("{}:1: {}", file_.name(), what));
  }

 private:
  MappedFile file_;
  std::optional<TextSource> source_;
  std::vector<std::string_view> lines_;
};

class Folder {
 public:
  explicit Folder(const std::string& path) : path_(path) {
    std::vector<std::string> names;
    std::error_code fault;
    for (fs::directory_iterator entry(path_, fault), end; !fault && entry != end; entry.increment(fault))
      if (std::string name = entry->path().filename().string(); name.ends_with("_A.txt"))
        names.push_back(name.substr(0, name.size() - 6));
    if (fault)
      throw Error(ErrorCode::file_access, fmt::format("cannot be read as a folder: {}", fault.message()),
                  {.file = path});
    std::ranges::sort(names);
    if (names.empty())
      throw Error(ErrorCode::file_access, "there is no file NAME_A.txt with the edges",
                  {.file = path, .hint = "a folder of graphs needs one"});
    if (names.size() > 1)
      throw Error(ErrorCode::invalid_file,
                  fmt::format("there are graphs of several names: {}", listed(names)),
                  {.file = path, .hint = "keep each in a folder of its own"});
    prefix_ = names[0];
  }
  std::string file(std::string_view kind) const {
    return (path_ / fmt::format("{}_{}.txt", prefix_, kind)).string();
  }
  /// Null where the file is missing.
  std::unique_ptr<LineFile> open(std::string_view kind) const {
    const std::string name = file(kind);
    std::error_code ignored;
    return fs::exists(name, ignored) ? std::make_unique<LineFile>(name) : nullptr;
  }

 private:
  fs::path path_;
  std::string prefix_;
};

constexpr std::int64_t most_nodes = INT32_MAX;

/// Which graph each node is of, and where it is within it.
struct Nodes {
  std::vector<std::uint32_t> graph, place;
};

Nodes read_nodes(const LineFile& indicator, std::optional<std::size_t> graphs, Graphs& out) {
  const std::size_t n = indicator.lines().size();
  const std::int64_t spare = 1'000'000;  // empty graphs between the others
  const std::int64_t most = graphs ? std::int64_t(*graphs) : std::int64_t(n) + spare;
  Nodes nodes{std::vector<std::uint32_t>(n), std::vector<std::uint32_t>(n)};
  std::size_t rows = graphs.value_or(0);
  for (std::size_t v = 0; v < n; ++v) {
    nodes.graph[v] = std::uint32_t(indicator.whole(indicator.lines()[v], 1, most, "number of a graph") - 1);
    rows = std::max<std::size_t>(rows, nodes.graph[v] + 1);
  }
  out.nodes = Buffer<std::size_t>(rows + 1, 0);
  for (std::size_t v = 0; v < n; ++v) nodes.place[v] = std::uint32_t(out.nodes[nodes.graph[v] + 1]++);
  for (std::size_t i = 0; i < rows; ++i) out.nodes[i + 1] += out.nodes[i];
  return nodes;
}

Buffer<std::int32_t> read_node_labels(const LineFile* file, const Nodes& nodes, const Graphs& graphs) {
  Buffer<std::int32_t> labels(nodes.graph.size(), 0);
  if (!file) return labels;
  file->expect_lines(nodes.graph.size(), "nodes");
  for (std::size_t v = 0; v < nodes.graph.size(); ++v)
    labels[graphs.nodes[nodes.graph[v]] + nodes.place[v]] =
        std::int32_t(file->whole(file->lines()[v], INT32_MIN, INT32_MAX, "label of a node"));
  return labels;
}

/// The numbers of each line; the same count on every line.
std::vector<double> read_numbers(const LineFile& file, std::size_t& width) {
  std::vector<double> numbers;
  for (std::size_t l = 0; l < file.lines().size(); ++l) {
    std::string_view rest = file.lines()[l];
    std::size_t count = 0;
    for (bool more = true; more; ++count) {
      const std::size_t comma = rest.find(',');
      more = comma != rest.npos;
      const std::string_view text = trimmed(rest.substr(0, comma));
      const Number number = read_number(text);
      numbers.push_back(number.kind == Number::Kind::number
                            ? number.value
                            : unusual_value(file.source(), text, Missing::refuse));
      if (more) rest.remove_prefix(comma + 1);
    }
    if (l == 0) width = count;
    if (count != width)
      file.refuse(l, fmt::format("there are {} numbers, but {} on the first line; each line needs as many",
                                 count, width));
  }
  return numbers;
}

void read_node_attributes(const LineFile& file, const Nodes& nodes, Graphs& graphs) {
  file.expect_lines(nodes.graph.size(), "nodes");
  const std::vector<double> numbers = read_numbers(file, graphs.attributes);
  graphs.node_attributes = Buffer<double>(numbers.size());
  for (std::size_t v = 0; v < nodes.graph.size(); ++v)
    std::copy_n(
        numbers.begin() + std::ptrdiff_t(v * graphs.attributes), graphs.attributes,
        graphs.node_attributes.data() + (graphs.nodes[nodes.graph[v]] + nodes.place[v]) * graphs.attributes);
}

struct EdgeLine {
  std::uint32_t graph, from, to;  // from ≤ to
  std::int32_t label;
  std::size_t line;
};

std::vector<EdgeLine> read_edges(const LineFile& file, const LineFile* labels, const Nodes& nodes) {
  if (labels) labels->expect_lines(file.lines().size(), "edges");
  const auto n = std::int64_t(nodes.graph.size());
  std::vector<EdgeLine> edges;
  for (std::size_t l = 0; l < file.lines().size(); ++l) {
    const std::string_view line = file.lines()[l];
    const std::size_t comma = line.find(',');
    if (comma == line.npos)
      file.refuse(l,
                  fmt::format("{} is no edge; write the numbers of its two nodes with a comma between them",
                              in_quotes(line)));
    const auto u = std::size_t(file.whole(line.substr(0, comma), 1, n, "node") - 1),
               v = std::size_t(file.whole(line.substr(comma + 1), 1, n, "node") - 1);
    if (nodes.graph[u] != nodes.graph[v])
      file.refuse(
          l, fmt::format("node {} is of graph {} and node {} of graph {}; an edge joins nodes of one graph",
                         u + 1, nodes.graph[u] + 1, v + 1, nodes.graph[v] + 1));
    const auto [from, to] = std::minmax(nodes.place[u], nodes.place[v]);
    edges.push_back(
        {nodes.graph[u], from, to,
         labels ? std::int32_t(labels->whole(labels->lines()[l], INT32_MIN, INT32_MAX, "label of an edge"))
                : 0,
         l});
  }
  return edges;
}

/// Each edge once. Both directions must have one label, since there is one edge.
void store_edges(std::vector<EdgeLine> edges, const LineFile* labels, Graphs& graphs) {
  const auto key = [](const EdgeLine& e) { return std::tuple(e.graph, e.from, e.to, e.line); };
  std::ranges::sort(edges, {}, key);
  const auto same = [&](const EdgeLine& a, const EdgeLine& b) {
    if (a.graph != b.graph || a.from != b.from || a.to != b.to) return false;
    if (a.label != b.label)
      labels->refuse(
          b.line,
          fmt::format("the edge has label {}, but {} on line {}; an edge has one label in both directions",
                      b.label, a.label, a.line + 1));
    return true;
  };
  edges.erase(std::unique(edges.begin(), edges.end(), same), edges.end());
  const std::size_t m = edges.size(), rows = graphs.rows();
  graphs.edges = Buffer<std::size_t>(rows + 1, 0);
  graphs.from = Buffer<std::int32_t>(m);
  graphs.to = Buffer<std::int32_t>(m);
  graphs.edge_labels = Buffer<std::int32_t>(m);
  for (std::size_t e = 0; e < m; ++e) {
    ++graphs.edges[edges[e].graph + 1];
    graphs.from[e] = std::int32_t(edges[e].from);
    graphs.to[e] = std::int32_t(edges[e].to);
    graphs.edge_labels[e] = edges[e].label;
  }
  for (std::size_t i = 0; i < rows; ++i) graphs.edges[i + 1] += graphs.edges[i];
}

Target read_classes(const LineFile& file, const ReadOptions& options) {
  ReadOptions strict;
  strict.task = options.task == Task::none ? Task::classification : options.task;
  LabelColumn labels(file.lines().size(), 1, strict);
  for (std::size_t i = 0; i < file.lines().size(); ++i) labels.read(file.source(), 0, i, file.lines()[i]);
  return labels.finish("label",
                       [&](const char* at, const std::string& what) { file.source().refuse(at, what); });
}

Target read_values(const LineFile& file) {
  Target target{.task = Task::regression, .name = "value"};
  target.values = read_numbers(file, target.outputs);
  return target;
}

void check_options(const std::string& path, const ReadOptions& options) {
  if (!options.target.empty() && options.target != "none")
    throw Error(ErrorCode::unsupported,
                fmt::format("target {} was asked for, but that of graphs is in the folder's files",
                            in_quotes(options.target)),
                {.file = path, .hint = "leave the target out, or set it to none"});
  if (!options.weights.empty() && options.weights != "none")
    throw Error(
        ErrorCode::invalid_argument,
        fmt::format("weights {} were asked for, but a folder of graphs has none", in_quotes(options.weights)),
        {.file = path});
  if (options.schema &&
      (options.schema->columns.size() != 1 || options.schema->columns[0].objects != Domain::graph))
    throw Error(ErrorCode::invalid_file, "holds graphs, but other columns were learned from", {.file = path});
}

}  // namespace

Dataset read_graphs(const std::string& path, const ReadOptions& options) {
  check_options(path, options);
  const Folder folder(path);
  const auto classes = folder.open("graph_labels"), values = folder.open("graph_attributes");
  const LineFile* rows_of = classes ? classes.get() : values.get();
  const std::optional<std::size_t> rows = rows_of ? std::optional(rows_of->lines().size()) : std::nullopt;
  if (classes && values) values->expect_lines(*rows, "graphs");
  const LineFile indicator(folder.file("graph_indicator")), edges(folder.file("A"));
  if (std::int64_t(std::max({indicator.lines().size(), edges.lines().size(), rows.value_or(0)})) > most_nodes)
    throw Error(ErrorCode::too_large, fmt::format("there are more than {} nodes or edges", most_nodes),
                {.file = path});
  Graphs graphs;
  const Nodes nodes = read_nodes(indicator, rows, graphs);
  if (graphs.rows() == 0)
    throw Error(ErrorCode::invalid_file,
                fmt::format("{}:1: the file is empty", folder.file("graph_indicator")),
                {.hint = "the graph of each node is needed"});
  graphs.node_labels = read_node_labels(folder.open("node_labels").get(), nodes, graphs);
  if (const auto attributes = folder.open("node_attributes"))
    read_node_attributes(*attributes, nodes, graphs);
  const auto edge_labels = folder.open("edge_labels");
  store_edges(read_edges(edges, edge_labels.get(), nodes), edge_labels.get(), graphs);
  Dataset data;
  data.points = Points(Objects("graph", Domain::graph, std::move(graphs)));
  data.schema.columns.push_back({.name = "graph", .categories = {}, .objects = Domain::graph});
  if (options.target != "none" && rows) {
    const bool numbers = !classes || (values && options.task == Task::regression);
    data.target = numbers ? read_values(*values) : read_classes(*classes, options);
    if (numbers && options.task == Task::classification)
      throw Error(ErrorCode::invalid_file, "holds numbers, not classes",
                  {.file = path, .hint = fmt::format("classes need a file {}", folder.file("graph_labels"))});
    data.schema.target = data.target.name;
  }
  return data;
}

}  // namespace mercer
