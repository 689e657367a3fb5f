#include "model/object_parts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/copy_of.hpp"
#include "data/molecules.hpp"
#include "data/words.hpp"

namespace mercer {

namespace {

constexpr std::size_t most_pieces = 500;
constexpr std::size_t grid = 8;

std::vector<ObjectPart> words_of(std::string_view text, Domain domain) {
  std::vector<ObjectPart> parts;
  each_word(text, domain, [&](std::string_view, std::size_t begin, std::size_t end) {
    parts.push_back(
        {{std::uint32_t(begin), std::uint32_t(end)}, std::string(text.substr(begin, end - begin))});
  });
  return parts;
}

std::vector<ObjectPart> pieces_of(std::string_view text) {
  std::vector<ObjectPart> parts;
  const std::size_t length = std::max<std::size_t>(1, (text.size() + most_pieces - 1) / most_pieces);
  for (std::size_t begin = 0; begin < text.size(); begin += length) {
    const std::size_t end = std::min(text.size(), begin + length);
    parts.push_back(
        {{std::uint32_t(begin), std::uint32_t(end)}, std::string(text.substr(begin, end - begin))});
  }
  return parts;
}

std::vector<ObjectPart> numbered(std::size_t count, const auto& name) {
  std::vector<ObjectPart> parts;
  for (std::size_t p = 0; p < count; ++p)
    parts.push_back({{std::uint32_t(p), std::uint32_t(p + 1)}, name(p)});
  return parts;
}

// Rows and columns of a cell of the grid; small images have empty ones.
struct Cell {
  std::size_t top, bottom, left, right;
  Cell(std::size_t height, std::size_t width, std::size_t number)
      : top(number / grid * height / grid),
        bottom((number / grid + 1) * height / grid),
        left(number % grid * width / grid),
        right((number % grid + 1) * width / grid) {}
};

std::string without(std::string_view text, Part part) {
  return std::string(text.substr(0, part.begin)) + std::string(text.substr(part.end));
}

std::string masked(std::string_view text, Part part) {
  std::string changed(text);
  std::fill(changed.begin() + part.begin, changed.begin() + part.end, 'N');
  return changed;
}

Bags without_members(const Bags& all, std::size_t i, const std::vector<ObjectPart>& parts) {
  std::vector<std::size_t> starts{0};
  std::vector<double> values;
  for (const ObjectPart& part : parts) {
    for (std::size_t m = 0; m < all.size(i); ++m)
      if (m != part.where.begin)
        values.insert(values.end(), all.values.data() + (all.starts[i] + m) * all.columns,
                      all.values.data() + (all.starts[i] + m + 1) * all.columns);
    starts.push_back(starts.back() + all.size(i) - 1);
  }
  return {copy_of(starts), all.columns, copy_of(values)};
}

Graphs without_nodes(const Graphs& all, std::size_t i, const std::vector<ObjectPart>& parts) {
  std::vector<std::size_t> nodes{0}, edges{0};
  std::vector<std::int32_t> labels, from, to, edge_labels;
  std::vector<double> attributes;
  for (const ObjectPart& part : parts) {
    const auto gone = std::int32_t(part.where.begin);
    const auto renumbered = [&](std::int32_t node) { return node - (node > gone); };
    for (std::size_t v = all.nodes[i]; v < all.nodes[i + 1]; ++v) {
      if (v == all.nodes[i] + part.where.begin) continue;
      labels.push_back(all.node_labels[v]);
      attributes.insert(attributes.end(), all.node_attributes.data() + v * all.attributes,
                        all.node_attributes.data() + (v + 1) * all.attributes);
    }
    for (std::size_t e = all.edges[i]; e < all.edges[i + 1]; ++e) {
      if (all.from[e] == gone || all.to[e] == gone) continue;
      from.push_back(renumbered(all.from[e]));
      to.push_back(renumbered(all.to[e]));
      edge_labels.push_back(all.edge_labels[e]);
    }
    nodes.push_back(labels.size());
    edges.push_back(from.size());
  }
  return {copy_of(nodes), copy_of(edges),       copy_of(labels), copy_of(from),
          copy_of(to),    copy_of(edge_labels), all.attributes,  copy_of(attributes)};
}

Images without_cells(const Images& all, std::size_t i, const std::vector<ObjectPart>& parts) {
  const std::size_t n = parts.size(), size = all.starts[i + 1] - all.starts[i], height = all.heights[i],
                    width = all.widths[i], channels = all.channels;
  Images changed{Buffer<std::size_t>(n + 1), Buffer<std::uint32_t>(n, all.heights[i]),
                 Buffer<std::uint32_t>(n, all.widths[i]), channels, Buffer<std::uint8_t>(n * size)};
  const std::uint8_t* pixels = all.pixels.data() + all.starts[i];
  std::vector<double> mean(channels);
  for (std::size_t b = 0; b < size; ++b) mean[b % channels] += double(pixels[b]) / double(height * width);
  changed.starts[0] = 0;
  for (std::size_t p = 0; p < n; ++p) {
    changed.starts[p + 1] = (p + 1) * size;
    std::uint8_t* out = changed.pixels.data() + p * size;
    std::copy_n(pixels, size, out);
    const Cell cell(height, width, parts[p].where.begin);
    for (std::size_t y = cell.top; y < cell.bottom; ++y)
      for (std::size_t x = cell.left; x < cell.right; ++x)
        for (std::size_t c = 0; c < channels; ++c)
          out[(y * width + x) * channels + c] = std::uint8_t(mean[c] + 0.5);
  }
  return changed;
}

}  // namespace

std::vector<ObjectPart> parts_of(const Objects& objects, std::size_t i) {
  switch (objects.domain()) {
    case Domain::text:
    case Domain::symbols:
      return words_of(objects.texts()[i], objects.domain());
    case Domain::sequence:
      return pieces_of(objects.texts()[i]);
    case Domain::molecule: {
      const std::vector<std::string> atoms = atom_names(objects.texts()[i]);
      return numbered(atoms.size(),
                      [&](std::size_t a) { return fmt::format("{} (atom {})", atoms[a], a + 1); });
    }
    case Domain::vectors:
      return numbered(objects.bags().size(i), [](std::size_t m) { return fmt::format("member {}", m + 1); });
    case Domain::graph: {
      const Graphs& graphs = objects.graphs();
      return numbered(graphs.size(i), [&](std::size_t v) {
        return fmt::format("node {} (label {})", v + 1, graphs.node_labels[graphs.nodes[i] + v]);
      });
    }
    case Domain::image:
      break;
  }
  const Images& images = objects.images();
  return numbered(grid * grid, [&](std::size_t number) {
    const Cell cell(images.heights[i], images.widths[i], number);
    return fmt::format("rows {}–{}, columns {}–{}", cell.top + 1, cell.bottom, cell.left + 1, cell.right);
  });
}

Objects without_parts(const Objects& objects, std::size_t i, const std::vector<ObjectPart>& parts) {
  const Domain domain = objects.domain();
  if (domain == Domain::vectors)
    return Objects(objects.name(), domain, without_members(objects.bags(), i, parts));
  if (domain == Domain::graph)
    return Objects(objects.name(), domain, without_nodes(objects.graphs(), i, parts));
  if (domain == Domain::image)
    return Objects(objects.name(), domain, without_cells(objects.images(), i, parts));
  std::vector<std::string> changed;
  for (const ObjectPart& part : parts)
    changed.push_back(domain == Domain::sequence   ? masked(objects.texts()[i], part.where)
                      : domain == Domain::molecule ? with_any_atom(objects.texts()[i], part.where.begin)
                                                   : without(objects.texts()[i], part.where));
  return Objects(objects.name(), domain, changed);
}

}  // namespace mercer
