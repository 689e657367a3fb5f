#include "kernels/object_column.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <ranges>

#include "base/parallel.hpp"
#include "data/object_memo.hpp"
#include "data/words.hpp"
#include "kernels/catalogue.hpp"
#include "kernels/node.hpp"
#include "kernels/similar_words.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

bool is_text(Domain domain) { return domain <= Domain::molecule; }

std::string list_of(const std::vector<Objects>& columns) {
  return list_text(columns, [](const Objects& column) {
    return fmt::format("'{}' ({})", column.name(), plural_of(column.domain()));
  });
}

/// "try wl, shortest_path": kernels that compare objects of the domain.
std::string kernels_for(Domain domain) {
  std::string list;
  for (const AnyLeaf& leaf : leaves())
    if (std::ranges::find(leaf->traits().domains, domain) != leaf->traits().domains.end())
      list += fmt::format("{}{}", list.empty() ? "; try " : ", ", leaf->name());
  if (domain == Domain::vectors) list = "; try set(rbf)";
  return list;
}

constexpr std::size_t rows_at_once = 32;

/// The features of every object: as they are kept with the objects, or found now and kept.
std::shared_ptr<const FeatureTable> table_of(const Objects& objects, const std::string& key,
                                             const FeaturesOfObject& features, int threads) {
  if (auto known = objects.memo().find(key)) return known;
  const std::size_t n = objects.rows();
  std::vector<FeatureTable> blocks((n + rows_at_once - 1) / rows_at_once);
  parallel_for(blocks.size(), threads, [&](std::size_t b) {
    FeatureRow row;
    for (std::size_t i = b * rows_at_once; i < std::min(n, (b + 1) * rows_at_once); ++i) {
      row.clear();
      features(objects, i, row);
      for (const auto& entry : row.entries()) {
        blocks[b].keys.push_back(entry.key);
        blocks[b].values.push_back(entry.value);
      }
      blocks[b].starts.push_back(blocks[b].keys.size());
    }
  });
  auto table = std::make_shared<FeatureTable>();
  for (FeatureTable& block : blocks) {
    const std::size_t before = table->keys.size();
    for (std::size_t i = 1; i < block.starts.size(); ++i) table->starts.push_back(before + block.starts[i]);
    table->keys.insert(table->keys.end(), block.keys.begin(), block.keys.end());
    table->values.insert(table->values.end(), block.values.begin(), block.values.end());
    block = {};
  }
  objects.memo().keep(key, table);
  return table;
}

std::vector<std::uint64_t> distinct_keys(const FeatureTable& table, int threads) {
  constexpr std::size_t at_once = std::size_t(1) << 18;
  std::vector<std::vector<std::uint64_t>> parts((table.keys.size() + at_once - 1) / at_once);
  parallel_for(parts.size(), threads, [&](std::size_t p) {
    std::vector<std::uint64_t>& keys = parts[p];
    keys.assign(table.keys.begin() + std::ptrdiff_t(p * at_once),
                table.keys.begin() + std::ptrdiff_t(std::min(table.keys.size(), (p + 1) * at_once)));
    std::ranges::sort(keys);
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    keys.shrink_to_fit();
  });
  // Neighbours join, so that no list of all keys is ever sorted.
  for (std::size_t step = 1; step < parts.size(); step *= 2)
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
std::vector<double> rarity(const std::vector<std::uint64_t>& keys, const FeatureTable& table) {
  std::vector<double> weights(keys.size());
  for (const std::uint64_t key : table.keys)
    weights[std::size_t(std::ranges::lower_bound(keys, key) - keys.begin())] += 1;
  for (double& weight : weights) weight = std::log((1 + double(table.rows())) / (1 + weight)) + 1;
  return weights;
}

/// Rows over the columns of the vocabulary. What it does not know gets columns behind them, the same for
/// every row: no reference point has any.
Sparse<double> placed(const FeatureTable& table, const Vocabulary& vocabulary, double unknown_weight,
                      int threads) {
  const std::size_t n = table.rows(), known_columns = vocabulary.keys.size();
  Sparse<double> rows{n, known_columns, Buffer<std::size_t>(n + 1), Buffer<std::int32_t>(table.keys.size()),
                      Buffer<double>(table.keys.size())};
  std::ranges::copy(table.starts, rows.starts.begin());
  const std::size_t blocks = (n + rows_at_once - 1) / rows_at_once;
  std::vector<std::size_t> unknown(blocks);  // the most that a row of the block has
  parallel_for(blocks, threads, [&](std::size_t b) {
    std::vector<double> others;
    for (std::size_t i = b * rows_at_once; i < std::min(n, (b + 1) * rows_at_once); ++i) {
      std::size_t out = table.starts[i];
      others.clear();
      auto at = vocabulary.keys.begin();
      for (std::size_t e = table.starts[i]; e < table.starts[i + 1]; ++e) {
        at = std::lower_bound(at, vocabulary.keys.end(), table.keys[e]);
        if (at == vocabulary.keys.end() || *at != table.keys[e]) {
          others.push_back(table.values[e] * unknown_weight);
          continue;
        }
        const auto column = std::size_t(at - vocabulary.keys.begin());
        rows.indices[out] = std::int32_t(column);
        rows.values[out++] =
            vocabulary.weights.empty() ? table.values[e] : table.values[e] * vocabulary.weights[column];
      }
      for (std::size_t behind = 0; behind < others.size(); ++behind) {
        rows.indices[out] = std::int32_t(
            std::min<std::size_t>(known_columns + behind, std::numeric_limits<std::int32_t>::max()));
        rows.values[out++] = others[behind];
      }
      unknown[b] = std::max(unknown[b], others.size());
    }
  });
  rows.cols += blocks == 0 ? 0 : *std::ranges::max_element(unknown);
  return rows;
}

}  // namespace

Objects object_column(const Points& points, std::span<const Domain> domains, std::string_view kernel) {
  std::vector<Objects> exact, readable;
  const auto as_text = std::ranges::find_if(domains, is_text);
  for (const Objects& column : points.objects()) {
    if (std::ranges::find(domains, column.domain()) != domains.end())
      exact.push_back(column);
    else if (is_text(column.domain()) && as_text != domains.end())
      readable.push_back(column.as(*as_text));
  }
  const std::vector<Objects>& found = exact.empty() ? readable : exact;
  if (found.size() == 1) return found.front();
  if (found.size() > 1)
    throw Error(ErrorCode::invalid_kernel,
                fmt::format("{} could compare the columns {}", kernel, list_of(found)),
                {.hint = fmt::format("name one: {}@{}", kernel, found.front().name())});
  throw Error(
      ErrorCode::invalid_kernel,
      fmt::format("{} compares {}, but the data have {}", kernel,
                  fmt::join(domains | std::views::transform(plural_of), " or "),
                  points.objects().empty() ? "rows of numbers alone" : "only " + list_of(points.objects())));
}

Points feature_image(const Objects& objects, const ObjectFeatures& features, const Points* reference,
                     int threads) {
  const std::string layout = features.layout && objects.rows() > 0 ? features.layout(objects) : "";
  if (reference && !layout.empty() && !reference->vocabulary().layout.empty() &&
      layout != reference->vocabulary().layout)
    throw Error(ErrorCode::invalid_data,
                fmt::format("column '{}' holds {}, but those they are compared with are {}", objects.name(),
                            layout, reference->vocabulary().layout),
                {.hint = "all must have one size"});
  const std::shared_ptr<const FeatureTable> table =
      table_of(objects, features.key, features.of_object, threads);
  Vocabulary found{.layout = layout};
  if (!reference) {
    found.keys = distinct_keys(*table, threads);
    if (features.by_rarity) found.weights = rarity(found.keys, *table);
  }
  const Vocabulary& vocabulary = reference ? reference->vocabulary() : found;
  const std::size_t reference_rows = reference ? reference->rows() : objects.rows();
  const double unknown_weight = vocabulary.weights.empty() ? 1 : std::log(1 + double(reference_rows)) + 1;
  const Points image = features.words
                           ? spread_over_vectors(*table, *features.words, vocabulary, unknown_weight, threads)
                           : Points(placed(*table, vocabulary, unknown_weight, threads));
  return reference ? image : image.with_vocabulary(std::move(found));
}

Points with_numbers_of_objects(const Points& points, std::string_view kernel, const Points* reference,
                               int threads) {
  if (points.cols() > 0 || points.objects().empty()) return points;
  if (points.objects().size() > 1)
    throw Error(
        ErrorCode::invalid_kernel,
        fmt::format("{} compares rows of numbers, but the columns are {}", kernel, list_of(points.objects())),
        {.hint = fmt::format("name one: {}@{}", kernel, points.objects().front().name())});
  const Objects& column = points.objects().front();
  if (column.domain() == Domain::text || column.domain() == Domain::symbols) {
    const auto count_words = [](const Objects& x, std::size_t i, FeatureRow& row) {
      each_word(x.texts()[i], x.domain(), [&](std::string_view word, std::size_t begin, std::size_t end) {
        row.add(key_of(word), 1, {std::uint32_t(begin), std::uint32_t(end)});
      });
    };
    return feature_image(column, {"words", count_words}, reference, threads).with_objects(points.objects());
  }
  const Images* images = std::get_if<Images>(&column.storage());
  if (!images)
    throw Error(ErrorCode::invalid_kernel,
                fmt::format("{} compares rows of numbers, but column '{}' holds {}{}", kernel, column.name(),
                            plural_of(column.domain()), kernels_for(column.domain())));
  const std::size_t n = images->rows(), size = reference ? reference->cols() : n ? images->starts[1] : 0;
  Dense<double> pixels{n, size, Buffer<double>(images->pixels.size())};
  for (std::size_t i = 0; i < n; ++i)
    if (images->starts[i + 1] - images->starts[i] != size)
      throw Error(ErrorCode::invalid_data,
                  fmt::format("{} compares images pixel by pixel, but image {} is {} × {} and others are not",
                              kernel, i + 1, images->heights[i], images->widths[i]),
                  {.hint = "try histogram"});
  std::ranges::copy(images->pixels, pixels.values.begin());
  return Points(std::move(pixels)).with_objects(points.objects());
}

}  // namespace mercer
