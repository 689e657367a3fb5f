// Graphs, sets of vectors, texts, sequences and images drawn at random, for experiments with kernels of
// objects that need no files from elsewhere.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "base/copy_of.hpp"
#include "data/generators.hpp"

namespace mercer {

namespace {

constexpr std::size_t labels = 3;

struct Edge {
  std::size_t from, to;
};

/// A tree whose node v > 0 hangs on one of those before it, with labels that tell nothing. In class 1 the
/// first `ring` nodes are a ring; in class 0 they are a chain, which has the same labels and nearly the same
/// degrees.
std::vector<Edge> draw_edges(const Draw& draw, std::size_t nodes, std::size_t ring) {
  std::vector<Edge> edges;
  for (std::size_t v = 1; v < nodes; ++v)
    edges.push_back({v < ring ? v - 1 : std::size_t(draw.random.below(v)), v});
  if (draw.label == 1) edges.push_back({0, ring - 1});
  const auto extra = std::size_t(std::min(std::abs(draw.jitter()), 100.0));  // rings of any length
  for (std::size_t k = 0; k < extra; ++k) {
    const std::size_t a = draw.random.below(nodes), b = draw.random.below(nodes);
    const auto [from, to] = std::minmax(a, b);
    const bool known =
        std::ranges::any_of(edges, [&](const Edge& e) { return e.from == from && e.to == to; });
    if (from != to && !known) edges.push_back({from, to});
  }
  return edges;
}

/// A member of a set: of class 0 from a Gaussian, of class 1 from a sphere around the same centre. Mean and
/// covariance are the same, so that only the shape of the whole set tells them apart.
void draw_member(const Draw& draw, std::span<const double> centre, std::span<double> x) {
  double squared = 0;
  for (double& value : x) {
    value = draw.random.normal();
    squared += value * value;
  }
  const double radius = draw.label == 1 ? std::sqrt(double(x.size()) / std::max(squared, 1e-300)) : 1;
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = centre[k] + radius * x[k] + draw.jitter();
}

constexpr std::string_view common_words[] = {"the", "a",  "to",  "you",  "and",  "is",  "in",
                                             "for", "my", "it",  "of",   "on",   "we",  "at",
                                             "so",  "be", "now", "this", "that", "have"};
constexpr std::string_view class_words[2][12] = {{"home", "lunch", "meeting", "love", "sleep", "later",
                                                  "sorry", "dinner", "class", "friend", "tomorrow", "bus"},
                                                 {"free", "win", "prize", "cash", "claim", "offer", "urgent",
                                                  "mobile", "reply", "winner", "tone", "guaranteed"}};

template <std::size_t N>
std::string_view any_of(Random& random, const std::string_view (&words)[N]) {
  return words[random.below(N)];
}

/// Of 6 to 15 words a third are of the text's class, or now and then of the other one: where 1 + N(0, noise²)
/// falls below ½.
std::string draw_text(const Draw& draw) {
  std::string text;
  for (std::uint64_t left = 6 + draw.random.below(10); left > 0; --left) {
    const bool telling = draw.random.below(3) == 0;
    const std::size_t label = 1 + draw.jitter() < 0.5 ? 1 - draw.label : draw.label;
    text += text.empty() ? "" : " ";
    text += telling ? any_of(draw.random, class_words[label]) : any_of(draw.random, common_words);
  }
  return text;
}

constexpr std::string_view motif = "TGCTGAGTCA";         // where the protein NF-E2 binds
constexpr std::string_view other_strand = "TGACTCAGCA";  // its reverse complement

char letter(Random& random) { return "ACGT"[random.below(4)]; }

/// Every row takes as many random numbers, whatever its class. `noise`: the share of the motif's letters that
/// mutate, all from 1 on.
void draw_sequence(Random& random, bool planted, double noise, std::string& text) {
  for (char& c : text) c = letter(random);
  const std::string_view word = random.below(2) ? motif : other_strand;
  const std::size_t at = random.below(text.size() - motif.size() + 1);
  for (std::size_t i = 0; i < word.size(); ++i) {
    const bool mutates = random.uniform() < noise;
    const char instead = letter(random);
    if (planted) text[at + i] = mutates ? instead : word[i];
  }
}

using Colour = std::array<double, 3>;

Colour any_colour(Random& random) {
  Colour colour;
  for (double& channel : colour) channel = random.uniform(20, 235);
  return colour;
}

std::vector<Colour> palette(std::uint64_t seed, std::size_t size) {
  Random random(seed);
  std::vector<Colour> colours(size);
  for (Colour& colour : colours) colour = any_colour(random);
  return colours;
}

std::uint8_t to_byte(double value) { return std::uint8_t(std::lround(std::clamp(value, 0.0, 255.0))); }

/// n images of one size, drawn one after the other.
Objects images_of(std::size_t n, std::uint32_t side, std::size_t channels, auto draw) {
  const std::size_t size = std::size_t(side) * side * channels;
  Images images{Buffer<std::size_t>(n + 1), Buffer<std::uint32_t>(n, side), Buffer<std::uint32_t>(n, side),
                channels, Buffer<std::uint8_t>(n * size)};
  for (std::size_t i = 0; i <= n; ++i) images.starts[i] = i * size;
  for (std::size_t i = 0; i < n; ++i) draw(i, images.pixels.data() + i * size);
  return Objects("image", Domain::image, Objects::Storage(std::move(images)));
}

// How the digits 0 to 9 are written in 5 × 7 dots, side by side.
constexpr std::size_t dots_high = 7, dots_wide = 5;
constexpr std::array<std::string_view, dots_high> digit_dots{
    ".###. ..#.. .###. ##### ...#. ##### ..##. ##### .###. .###.",
    "#...# .##.. #...# ...#. ..##. #.... .#... ....# #...# #...#",
    "#..## ..#.. ....# ..#.. .#.#. ####. #.... ...#. #...# #...#",
    "#.#.# ..#.. ...#. ...#. #..#. ....# ####. ..#.. .###. .####",
    "##..# ..#.. ..#.. ....# ##### ....# #...# .#... #...# ....#",
    "#...# ..#.. .#... #...# ...#. #...# #...# .#... #...# ...#.",
    ".###. .###. ##### .###. ...#. .###. .###. .#... .###. .##..",
};

/// How dark the dots of a digit are at a place between them: 0 outside, by both neighbours in both
/// directions.
double darkness(std::size_t digit, double row, double column) {
  const double top = std::floor(row), left = std::floor(column);
  double sum = 0;
  for (const int down : {0, 1})
    for (const int right : {0, 1}) {
      const double r = top + down, c = left + right;
      if (r < 0 || c < 0 || r >= double(dots_high) || c >= double(dots_wide) ||
          digit_dots[std::size_t(r)][digit * (dots_wide + 1) + std::size_t(c)] != '#')
        continue;
      sum += (1 - std::abs(row - r)) * (1 - std::abs(column - c));
    }
  return sum;
}

}  // namespace

Objects ring_graphs(const Drawing& drawing) {
  const std::size_t n = drawing.n, ring = drawing.dim;
  std::vector<std::int32_t> node_labels, from, to;
  Graphs graphs{Buffer<std::size_t>(n + 1, 0), Buffer<std::size_t>(n + 1, 0), {}, {}, {}, {}};
  node_labels.reserve(n * ring);
  from.reserve(n * ring);
  to.reserve(n * ring);
  Random random(drawing.seed);
  for (std::size_t i = 0; i < n; ++i) {
    const Draw draw = drawing.row(i, random);
    const std::size_t nodes = ring + 6 + random.below(9);
    for (std::size_t v = 0; v < nodes; ++v) node_labels.push_back(std::int32_t(1 + random.below(labels)));
    for (const Edge& edge : draw_edges(draw, nodes, ring)) {
      from.push_back(std::int32_t(edge.from));
      to.push_back(std::int32_t(edge.to));
    }
    graphs.nodes[i + 1] = node_labels.size();
    graphs.edges[i + 1] = from.size();
  }
  graphs.node_labels = copy_of(node_labels);
  graphs.from = copy_of(from);
  graphs.to = copy_of(to);
  graphs.edge_labels = Buffer<std::int32_t>(from.size(), 0);
  return Objects("graph", Domain::graph, std::move(graphs));
}

Objects sets_of_vectors(const Drawing& drawing) {
  std::vector<double> values, centre(drawing.dim);
  Bags bags{Buffer<std::size_t>(drawing.n + 1), drawing.dim, {}};
  bags.starts[0] = 0;
  Random random(drawing.seed);
  for (std::size_t i = 0; i < drawing.n; ++i) {
    const Draw draw = drawing.row(i, random);
    const std::size_t size = 10 + random.below(21), first = values.size();
    for (double& value : centre) value = 0.5 * random.normal();
    values.resize(first + size * drawing.dim);
    for (std::size_t m = 0; m < size; ++m)
      draw_member(draw, centre, std::span(values).subspan(first + m * drawing.dim, drawing.dim));
    bags.starts[i + 1] = bags.starts[i] + size;
  }
  bags.values = copy_of(values);
  return Objects("bag", Domain::vectors, std::move(bags));
}

Objects short_texts(const Drawing& drawing) {
  std::vector<std::string> texts;
  Random random(drawing.seed);
  for (std::size_t i = 0; i < drawing.n; ++i) texts.push_back(draw_text(drawing.row(i, random)));
  return Objects("text", Domain::text, texts);
}

// One class has a motif that is nowhere in the other but by chance: what a string kernel finds without being
// told where it stands, on which strand, or which of its letters have mutated.
Objects dna_motif(const Drawing& drawing) {
  Texts texts{Buffer<std::size_t>(drawing.n + 1), Buffer<char>(drawing.n * drawing.dim)};
  Random random(drawing.seed);
  std::string text(drawing.dim, 'A');
  texts.starts[0] = 0;
  for (std::size_t i = 0; i < drawing.n; ++i) {
    draw_sequence(random, i % drawing.classes == 1, drawing.noise, text);
    text.copy(texts.bytes.data() + i * drawing.dim, drawing.dim);
    texts.starts[i + 1] = (i + 1) * drawing.dim;
  }
  return Objects("sequence", Domain::sequence, std::move(texts));
}

// A class is a palette of four colours. An image has patches, each of a colour of its class or of one that
// all classes share, under a light of its own; one image in ten shows nothing of its class, and nobody can
// tell it (the lectures' experiment E8).
Objects colour_images(const Drawing& all) {
  constexpr std::uint32_t side = 32;
  constexpr std::size_t own_colours = 4, shared_colours = 24, patches = 16;
  const std::uint64_t stream = Random(all.seed).bits();
  const std::vector<Colour> shared = palette(stream - 1, shared_colours);
  Random random(all.seed);
  return images_of(all.n, side, 3, [&](std::size_t i, std::uint8_t* out) {
    const std::vector<Colour> own = palette(stream + i % all.classes, own_colours);
    const double typical = random.uniform(0.5, 1), share = random.uniform() < 0.1 ? 0 : typical,
                 light = random.uniform(0.95, 1.05);
    struct Patch {
      double row, column;
      Colour colour;
    };
    std::array<Patch, patches> drawn;
    for (Patch& patch : drawn) {
      patch.row = random.uniform(0, side);
      patch.column = random.uniform(0, side);
      const bool is_own = random.uniform() < share;
      patch.colour = is_own ? own[random.below(own_colours)] : shared[random.below(shared_colours)];
    }
    for (std::uint32_t r = 0; r < side; ++r)
      for (std::uint32_t c = 0; c < side; ++c) {
        const Patch& nearest = *std::ranges::min_element(drawn, {}, [&](const Patch& patch) {
          return (patch.row - r) * (patch.row - r) + (patch.column - c) * (patch.column - c);
        });
        for (const double channel : nearest.colour)
          *out++ = to_byte(light * channel + all.noise * random.normal());
      }
  });
}

// Dots of a digit, moved, turned and made larger or smaller by chance, on black: what invariances are good
// for (row D6).
Objects digit_images(const Drawing& all) {
  constexpr std::uint32_t side = 16;
  constexpr double middle = (side - 1) / 2.0, pixels_a_dot = 1.7;
  Random random(all.seed);
  return images_of(all.n, side, 1, [&](std::size_t i, std::uint8_t* out) {
    const double angle = 8 * std::numbers::pi / 180 * random.normal(),
                 size = pixels_a_dot * random.uniform(0.85, 1.15);
    const double down = random.uniform(-2, 2), right = random.uniform(-2, 2);
    for (std::uint32_t r = 0; r < side; ++r)
      for (std::uint32_t c = 0; c < side; ++c) {
        const double y = (r - middle - down) / size, x = (c - middle - right) / size;
        const double row = std::cos(angle) * y - std::sin(angle) * x + double(dots_high - 1) / 2,
                     column = std::sin(angle) * y + std::cos(angle) * x + double(dots_wide - 1) / 2;
        *out++ = to_byte(255 * darkness(i % all.classes, row, column) + all.noise * random.normal());
      }
  });
}

}  // namespace mercer
