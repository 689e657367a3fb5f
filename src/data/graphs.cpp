// A folder of graphs as TUDataset keeps them (Morris et al. 2020): text files with a line for each edge, node
// or graph, numbered from 1.
//   NAME_A.txt                  edges "u, v", in both directions (one is enough)
//   NAME_graph_indicator.txt    the graph of each node
//   NAME_graph_labels.txt       the class of each graph
//   NAME_graph_attributes.txt   numbers to be learned about each graph
//   NAME_edge_labels.txt        a whole number for each line of NAME_A.txt
//   NAME_node_labels.txt        a whole number for each node
//   NAME_node_attributes.txt    numbers for each node
// The first two are needed. A graph that no node names is empty. Edges are written in both directions, as
// other readers expect them.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "data/decimal.hpp"
#include "data/formats.hpp"
#include "data/label_column.hpp"
#include "mercer/file.hpp"

namespace mercer {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view blanks = " \t\r";

/// One of the files, by lines. It may be empty.
class LineFile {
 public:
  explicit LineFile(const std::string& path) : file_(path) {
    if (file_.text().find_first_not_of("\r\n") == std::string_view::npos) return;
    source_.emplace(file_);
    for (std::string_view rest = source_->text(); !rest.empty();)
      lines_.push_back(trimmed(take_line(rest), blanks));
  }

  const std::vector<std::string_view>& lines() const { return lines_; }
  const TextSource& source() const { return *source_; }  // where there are lines
  [[noreturn]] void refuse(std::size_t line, const std::string& what) const {
    source_->refuse(lines_[line].data(), what);
  }
  /// A whole number in [low, high].
  std::int64_t whole(std::string_view text, std::int64_t low, std::int64_t high,
                     std::string_view what) const {
    text = trimmed(text, blanks);
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
    for (const std::string& name : names_in(path, fault))
      if (name.ends_with("_A.txt")) names.push_back(name.substr(0, name.size() - 6));
    if (fault)
      refuse_file(path, fmt::format("cannot be read as a folder: {}", fault.message()), {},
                  ErrorCode::file_access);
    if (names.empty())
      refuse_file(path, "there is no file NAME_A.txt with the edges", "a folder of graphs needs one",
                  ErrorCode::file_access);
    if (names.size() > 1)
      refuse_file(path, fmt::format("there are graphs of several names: {}", listed(names)),
                  "keep each in a folder of its own");
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
      numbers.push_back(
          unusual_value(file.source(), trimmed(rest.substr(0, comma), blanks), Missing::refuse));
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

Target read_values(const LineFile& file) {
  Target target{.task = Task::regression, .name = "value"};
  target.values = read_numbers(file, target.outputs);
  return target;
}

Target read_classes(const LineFile& file, Task task) {
  return read_labels(file.source(), file.lines(), {.task = task == Task::none ? Task::classification : task},
                     "label");
}

void check_options(const std::string& path, const ReadOptions& options) {
  if (!options.target.empty() && options.target != "none")
    refuse_file(path,
                fmt::format("target {} was asked for, but that of graphs is in the folder's files",
                            in_quotes(options.target)),
                "leave the target out, or set it to none", ErrorCode::unsupported);
  refuse_weights(options, path, "a folder of graphs");
  if (options.schema &&
      (options.schema->columns.size() != 1 || options.schema->columns[0].objects != Domain::graph))
    refuse_file(path, "holds graphs, but other columns were learned from");
}

const Graphs& checked_graphs(const std::string& path, const Dataset& data) {
  const auto refuse = [&](const std::string& what) {
    refuse_file(path == "-" ? "standard output" : path, what, {}, ErrorCode::invalid_argument);
  };
  if (path == "-") refuse("graphs are written as a folder; name one");
  const auto& objects = data.points.objects();
  if (data.points.cols() > 0 || objects.size() != 1 || objects.front().domain() != Domain::graph)
    refuse("a folder of graphs holds one column of graphs and nothing else");
  if (!data.weights.empty() || !data.queries.empty()) refuse("a folder of graphs has no weights or queries");
  for (const std::string& label : data.target.labels)
    if (label.empty() || label.find_first_of("\r\n") != label.npos)
      refuse(fmt::format("class {} cannot be a line of a file", in_quotes(label)));
  const Graphs& graphs = objects.front().graphs();
  if (data.target.task == Task::none && (graphs.rows() == 0 || graphs.size(graphs.rows() - 1) == 0))
    refuse("the last graph has no nodes and no label, so that the files could not tell it");
  return graphs;
}

bool any(const Buffer<std::int32_t>& labels) {
  return std::ranges::any_of(labels, [](std::int32_t label) { return label != 0; });
}

std::string lines_of(std::span<const double> numbers, std::size_t width) {
  std::string text;
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    append_number(text, numbers[k]);
    text += (k + 1) % width == 0 ? "\n" : ", ";
  }
  return text;
}

std::string target_lines(const Target& target) {
  if (target.task == Task::regression) return lines_of(target.values, target.outputs);
  std::string text;
  for (const std::int32_t code : target.codes) text += target.labels[std::size_t(code)] + '\n';
  return text;
}

}  // namespace

Reading read_graphs(const std::string& path, const ReadOptions& options) {
  check_options(path, options);
  const Folder folder(path);
  const auto classes = folder.open("graph_labels"), values = folder.open("graph_attributes");
  const LineFile* rows_of = classes ? classes.get() : values.get();
  const std::optional<std::size_t> rows = rows_of ? std::optional(rows_of->lines().size()) : std::nullopt;
  if (classes && values) values->expect_lines(*rows, "graphs");
  const LineFile indicator(folder.file("graph_indicator")), edges(folder.file("A"));
  if (std::int64_t(std::max({indicator.lines().size(), edges.lines().size(), rows.value_or(0)})) > most_nodes)
    refuse_file(path, fmt::format("there are more than {} nodes or edges", most_nodes), {},
                ErrorCode::too_large);
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
  Reading data;
  data.points = Points(Objects("graph", Domain::graph, std::move(graphs)));
  data.schema.columns.push_back({.name = "graph", .categories = {}, .objects = Domain::graph});
  if (options.target != "none" && rows) {
    const bool numbers = !classes || (values && options.task == Task::regression);
    data.target = numbers ? read_values(*values) : read_classes(*classes, options.task);
    if (numbers && options.task == Task::classification)
      refuse_file(path, "holds numbers, not classes",
                  fmt::format("classes need a file {}", folder.file("graph_labels")));
    data.schema.target = data.target.name;
  }
  return data;
}

void write_graphs(const std::string& path, const Dataset& data) {
  const Graphs& graphs = checked_graphs(path, data);
  std::string edges, edge_labels, indicator, node_labels;
  for (std::size_t i = 0; i < graphs.rows(); ++i) {
    for (std::size_t v = graphs.nodes[i]; v < graphs.nodes[i + 1]; ++v) {
      indicator += fmt::format("{}\n", i + 1);
      node_labels += fmt::format("{}\n", graphs.node_labels[v]);
    }
    for (std::size_t e = graphs.edges[i]; e < graphs.edges[i + 1]; ++e) {
      const std::size_t from = graphs.nodes[i] + std::size_t(graphs.from[e]) + 1,
                        to = graphs.nodes[i] + std::size_t(graphs.to[e]) + 1;
      for (const bool back : {false, true}) {
        if (back && from == to) continue;
        edges += back ? fmt::format("{}, {}\n", to, from) : fmt::format("{}, {}\n", from, to);
        edge_labels += fmt::format("{}\n", graphs.edge_labels[e]);
      }
    }
  }
  AtomicFolder folder(path);
  const auto put = [&](std::string_view kind, const std::string& text) {
    write_file((folder.place() / fmt::format("{}_{}.txt", folder.name(), kind)).string(), text);
  };
  put("A", edges);
  put("graph_indicator", indicator);
  if (any(graphs.node_labels)) put("node_labels", node_labels);
  if (any(graphs.edge_labels)) put("edge_labels", edge_labels);
  if (graphs.attributes > 0) put("node_attributes", lines_of(graphs.node_attributes, graphs.attributes));
  if (data.target.task != Task::none)
    put(data.target.task == Task::classification ? "graph_labels" : "graph_attributes",
        target_lines(data.target));
  folder.commit();
}

}  // namespace mercer
