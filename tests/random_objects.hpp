// Random objects of every domain for the tests.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "base/copy_of.hpp"
#include "base/random.hpp"
#include "mercer/points.hpp"

namespace mercer {

inline std::string random_text(Random& random, std::string_view letters, std::size_t length) {
  std::string text;
  for (std::size_t i = 0; i < length; ++i) text += letters[random.below(letters.size())];
  return text;
}

inline std::vector<std::string> random_texts(Domain domain, std::size_t n, Random& random) {
  const std::vector<std::string> words{"red", "green", "blue", "cat", "dog", "Tree", "sea", "sun"};
  const std::vector<std::string> molecules{"C",      "CCO",       "c1ccccc1", "CC(=O)O",
                                           "CCN",    "c1ccncc1O", "CCCC",     "C1CCCCC1",
                                           "CC(C)O", "O=C=O",     "ClCCl",    "c1ccc2ccccc2c1"};
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < n; ++i) {
    std::string text;
    if (domain == Domain::sequence)
      text = random_text(random, "ACGT", 5 + random.below(15));
    else if (domain == Domain::molecule)
      text = molecules[random.below(molecules.size())];
    else
      for (std::size_t w = 1 + random.below(6); w-- > 0;)
        text += (text.empty() ? "" : " ") + words[random.below(words.size())];
    texts.push_back(text);
  }
  return texts;
}

template <class T>
Buffer<T> buffer_of(const std::vector<T>& from) {
  return copy_of(from);
}

inline Bags random_bags(std::size_t n, std::size_t columns, Random& random) {
  std::vector<std::size_t> starts{0};
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i) {
    starts.push_back(starts.back() + 1 + random.below(4));
    while (values.size() < starts.back() * columns) values.push_back(random.normal());
  }
  return {buffer_of(starts), columns, buffer_of(values)};
}

/// Connected graphs of 1 to 7 nodes with three labels, an edge more than a tree here and there.
inline Graphs random_graphs(std::size_t n, Random& random) {
  std::vector<std::size_t> nodes{0}, edges{0};
  std::vector<std::int32_t> labels, from, to, edge_labels;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t size = 1 + random.below(7);
    for (std::size_t v = 0; v < size; ++v) {
      labels.push_back(std::int32_t(random.below(3)));
      if (v == 0) continue;
      from.push_back(std::int32_t(v));
      to.push_back(std::int32_t(random.below(v)));
    }
    if (size > 3) {
      from.push_back(0);
      to.push_back(std::int32_t(size - 1));
      if (to[to.size() - 2] == 0) from.pop_back(), to.pop_back();  // it is there already
    }
    nodes.push_back(labels.size());
    edges.push_back(from.size());
  }
  for (std::size_t e = 0; e < from.size(); ++e) edge_labels.push_back(std::int32_t(random.below(2)));
  return {buffer_of(nodes), buffer_of(edges), buffer_of(labels),
          buffer_of(from),  buffer_of(to),    buffer_of(edge_labels)};
}

inline Images random_images(std::size_t n, std::size_t side, std::size_t channels, Random& random) {
  Images images{Buffer<std::size_t>(n + 1), Buffer<std::uint32_t>(n, std::uint32_t(side)),
                Buffer<std::uint32_t>(n, std::uint32_t(side)), channels,
                Buffer<std::uint8_t>(n * side * side * channels)};
  for (std::size_t i = 0; i <= n; ++i) images.starts[i] = i * side * side * channels;
  for (auto& byte : images.pixels) byte = std::uint8_t(random.below(256));
  return images;
}

inline Objects random_objects(Domain domain, std::size_t n, std::uint64_t seed, std::string name = "object") {
  Random random(seed);
  switch (domain) {
    case Domain::vectors:
      return Objects(std::move(name), domain, random_bags(n, 3, random));
    case Domain::graph:
      return Objects(std::move(name), domain, random_graphs(n, random));
    case Domain::image:
      return Objects(std::move(name), domain, random_images(n, 4, 3, random));
    default:
      return Objects(std::move(name), domain, random_texts(domain, n, random));
  }
}

/// Two columns of numbers, mass and logp, beside one of sequences, dna.
inline Points random_table(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  Dense<double> numbers{n, 2, Buffer<double>(2 * n)};
  for (double& value : numbers.values) value = random.normal();
  return Points(std::move(numbers), {"mass", "logp"})
      .with_objects({random_objects(Domain::sequence, n, seed, "dna")});
}

}  // namespace mercer
