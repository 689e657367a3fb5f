// Graphs as a TUDataset folder, whose files graphs_reader.cpp lists; each edge in both directions, as other
// readers expect it.
#include <fmt/format.h>

#include <algorithm>

#include "base/file.hpp"
#include "base/folder.hpp"
#include "data/decimal.hpp"
#include "data/text_source.hpp"
#include "data/writers.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

[[noreturn]] void refuse_graphs(const std::string& path, const std::string& what) {
  throw Error(ErrorCode::invalid_argument, std::string(what), {.file = path});
}

const Graphs& checked_graphs(const std::string& path, const Dataset& data) {
  if (path == "-") refuse_graphs("standard output", "graphs are written as a folder; name one");
  const auto& objects = data.points.objects();
  if (data.points.cols() > 0 || objects.size() != 1 || objects.front().domain() != Domain::graph)
    refuse_graphs(path, "a folder of graphs holds one column of graphs and nothing else");
  if (!data.weights.empty() || !data.queries.empty())
    refuse_graphs(path, "a folder of graphs has no weights or queries");
  for (const std::string& label : data.target.labels)
    if (label.empty() || label.find_first_of("\r\n") != label.npos)
      refuse_graphs(path, fmt::format("class {} cannot be a line of a file", in_quotes(label)));
  const Graphs& graphs = objects.front().graphs();
  if (data.target.task == Task::none && (graphs.rows() == 0 || graphs.size(graphs.rows() - 1) == 0))
    refuse_graphs(path, "the last graph has no nodes and no label, so that the files could not tell it");
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
    AtomicFile file((folder.place() / fmt::format("{}_{}.txt", folder.name(), kind)).string());
    file.write(text);
    file.commit();
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
