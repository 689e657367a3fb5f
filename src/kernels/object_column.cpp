#include "kernels/object_column.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/parallel.hpp"
#include "data/words.hpp"
#include "kernels/catalogue.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

bool is_text(Domain domain) { return domain <= Domain::molecule; }

std::string list_of(const std::vector<Objects>& columns) {
  std::string list;
  for (const Objects& column : columns) list += fmt::format("{}'{}' ({})", list.empty() ? "" : ", ", column.name(), plural_of(column.domain()));
  return list;
}

/// "try wl, shortest_path": kernels that compare objects of the domain.
std::string kernels_for(Domain domain) {
  std::string list;
  for (const AnyLeaf& leaf : leaves())
    if (std::ranges::find(leaf->domains(), domain) != leaf->domains().end()) list += fmt::format("{}{}", list.empty() ? "; try " : ", ", leaf->name());
  if (domain == Domain::vectors) list = "; try set(rbf)";
  return list;
}

/// The rows of some objects, as they are found.
struct Block {
  std::vector<std::size_t> counts;
  std::vector<std::uint64_t> keys;
  std::vector<double> values;
};

std::vector<Block> collect(const Objects& objects, const std::function<void(const Objects&, std::size_t, FeatureRow&)>& features, int threads) {
  constexpr std::size_t rows_at_once = 32;
  const std::size_t n = objects.rows();
  std::vector<Block> blocks((n + rows_at_once - 1) / rows_at_once);
  parallel_for(blocks.size(), threads, [&](std::size_t b) {
    FeatureRow row;
    for (std::size_t i = b * rows_at_once; i < std::min(n, (b + 1) * rows_at_once); ++i) {
      row.clear();
      features(objects, i, row);
      const auto& entries = row.entries();
      blocks[b].counts.push_back(entries.size());
      for (const auto& entry : entries) {
        blocks[b].keys.push_back(entry.key);
        blocks[b].values.push_back(entry.value);
      }
    }
  });
  return blocks;
}

std::vector<std::uint64_t> distinct_keys(const std::vector<Block>& blocks, int threads) {
  std::vector<std::vector<std::uint64_t>> parts(blocks.size());
  const auto sort_unique = [](std::vector<std::uint64_t>& keys) {
    std::ranges::sort(keys);
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    keys.shrink_to_fit();
  };
  parallel_for(blocks.size(), threads, [&](std::size_t b) {
    parts[b] = blocks[b].keys;
    sort_unique(parts[b]);
  });
  for (std::size_t step = 1; step < parts.size(); step *= 2)  // neighbours join, so that no list of all keys is ever made
    parallel_for((parts.size() + 2 * step - 1) / (2 * step), threads, [&](std::size_t pair) {
      const std::size_t first = 2 * step * pair;
      if (first + step >= parts.size()) return;
      std::vector<std::uint64_t> both;
      std::ranges::set_union(parts[first], parts[first + step], std::back_inserter(both));
      parts[first] = std::move(both);
      parts[first + step] = {};
    });
  return parts.empty() ? std::vector<std::uint64_t>() : std::move(parts.front());
}

/// ln((1 + n)/(1 + df)) + 1 of each key.
std::vector<double> rarity(const std::vector<std::uint64_t>& keys, const std::vector<Block>& blocks, std::size_t n) {
  std::vector<double> weights(keys.size());
  for (const Block& block : blocks)
    for (const std::uint64_t key : block.keys) weights[std::size_t(std::ranges::lower_bound(keys, key) - keys.begin())] += 1;
  for (double& weight : weights) weight = std::log((1 + double(n)) / (1 + weight)) + 1;
  return weights;
}

/// Rows over the columns of the vocabulary. What it does not know gets columns behind them, the same for every row: no reference point has any.
Sparse<double> placed(const std::vector<Block>& blocks, const Vocabulary& vocabulary, std::size_t reference_rows, std::size_t n, int threads) {
  std::vector<std::size_t> firsts(blocks.size());  // the first row of each block
  Sparse<double> rows{n, vocabulary.keys.size(), Buffer<std::size_t>(n + 1), {}, {}};
  rows.starts[0] = 0;
  std::size_t i = 0;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    firsts[b] = i;
    for (const std::size_t count : blocks[b].counts) {
      rows.starts[i + 1] = rows.starts[i] + count;
      ++i;
    }
  }
  rows.indices = Buffer<std::int32_t>(rows.starts[n]);
  rows.values = Buffer<double>(rows.starts[n]);
  std::vector<std::size_t> unknown(blocks.size());  // the most that a row of the block has
  const double unknown_weight = vocabulary.weights.empty() ? 1 : std::log(1 + double(reference_rows)) + 1;
  parallel_for(blocks.size(), threads, [&](std::size_t b) {
    std::size_t entry = 0;
    for (std::size_t r = 0; r < blocks[b].counts.size(); ++r) {
      std::size_t out = rows.starts[firsts[b] + r], behind = 0;
      std::vector<double> others;
      auto at = vocabulary.keys.begin();
      for (std::size_t e = 0; e < blocks[b].counts[r]; ++e, ++entry) {
        at = std::lower_bound(at, vocabulary.keys.end(), blocks[b].keys[entry]);
        const bool known = at != vocabulary.keys.end() && *at == blocks[b].keys[entry];
        const auto column = std::size_t(at - vocabulary.keys.begin());
        const double value = blocks[b].values[entry];
        if (!known) {
          others.push_back(value * unknown_weight);
          continue;
        }
        rows.indices[out] = std::int32_t(column);
        rows.values[out++] = vocabulary.weights.empty() ? value : value * vocabulary.weights[column];
      }
      for (const double value : others) {
        rows.indices[out] = std::int32_t(std::min<std::size_t>(vocabulary.keys.size() + behind++, std::numeric_limits<std::int32_t>::max()));
        rows.values[out++] = value;
      }
      unknown[b] = std::max(unknown[b], behind);
    }
  });
  rows.cols += blocks.empty() ? 0 : *std::ranges::max_element(unknown);
  return rows;
}

}  // namespace

Objects object_column(const Points& points, std::span<const Domain> domains, std::string_view kernel) {
  const auto wanted = [&] {
    std::string list;
    for (const Domain domain : domains) list += fmt::format("{}{}", list.empty() ? "" : " or ", plural_of(domain));
    return list;
  };
  std::vector<Objects> exact, readable;
  const auto as_text = std::ranges::find_if(domains, is_text);
  for (const Objects& column : points.objects()) {
    if (std::ranges::find(domains, column.domain()) != domains.end()) exact.push_back(column);
    else if (is_text(column.domain()) && as_text != domains.end()) readable.push_back(column.as(*as_text));
  }
  const std::vector<Objects>& found = exact.empty() ? readable : exact;
  if (found.size() == 1) return found.front();
  if (found.size() > 1)
    throw Error(ErrorKind::usage, fmt::format("{} could compare the columns {}; name one: {}@{}", kernel, list_of(found), kernel, found.front().name()));
  throw Error(ErrorKind::usage, fmt::format("{} compares {}, but the data have {}", kernel, wanted(),
                                            points.objects().empty() ? "rows of numbers alone" : "only " + list_of(points.objects())));
}

Points feature_image(const Objects& objects, const std::function<void(const Objects&, std::size_t, FeatureRow&)>& features, bool by_rarity,
                     const Points* reference, int threads) {
  const std::vector<Block> blocks = collect(objects, features, threads);
  Vocabulary found;
  if (!reference) {
    found.keys = distinct_keys(blocks, threads);
    if (by_rarity) found.weights = rarity(found.keys, blocks, objects.rows());
  }
  const Vocabulary& vocabulary = reference ? reference->vocabulary() : found;
  Points image(placed(blocks, vocabulary, reference ? reference->rows() : objects.rows(), objects.rows(), threads));
  return reference ? image : image.with_vocabulary(std::move(found));
}

Points with_numbers_of_objects(const Points& points, std::string_view kernel, const Points* reference, int threads) {
  if (points.cols() > 0 || points.objects().empty()) return points;
  if (points.objects().size() > 1)
    throw Error(ErrorKind::usage, fmt::format("{} compares rows of numbers, but the columns are {}; name one: {}@{}", kernel, list_of(points.objects()), kernel,
                                              points.objects().front().name()));
  const Objects& column = points.objects().front();
  if (column.domain() == Domain::text || column.domain() == Domain::symbols) {
    const auto count_words = [](const Objects& x, std::size_t i, FeatureRow& row) {
      each_word(x.texts()[i], x.domain(), [&](std::string_view word, std::size_t begin, std::size_t end) {
        row.add(key_of(word), 1, {std::uint32_t(begin), std::uint32_t(end)});
      });
    };
    return feature_image(column, count_words, false, reference, threads).with_objects(points.objects());
  }
  const Images* images = std::get_if<Images>(&column.storage());
  if (!images)
    throw Error(ErrorKind::usage, fmt::format("{} compares rows of numbers, but column '{}' holds {}{}", kernel, column.name(), plural_of(column.domain()),
                                              kernels_for(column.domain())));
  const std::size_t n = images->rows(), size = reference ? reference->cols() : n ? images->starts[1] : 0;
  Dense<double> pixels{n, size, Buffer<double>(images->pixels.size())};
  for (std::size_t i = 0; i < n; ++i)
    if (images->starts[i + 1] - images->starts[i] != size)
      throw Error(ErrorKind::data, fmt::format("{} compares images pixel by pixel, but image {} is {} × {} and others are not; try histogram", kernel, i + 1,
                                               images->heights[i], images->widths[i]));
  std::ranges::copy(images->pixels, pixels.values.begin());
  return Points(std::move(pixels)).with_objects(points.objects());
}

}  // namespace mercer
