#include "kernels/similar_words.hpp"

#include <algorithm>
#include <limits>

#include "base/parallel.hpp"

namespace mercer {

namespace {

constexpr std::size_t rows_at_once = 32;

/// What a key of the vocabulary stands for: a weight and, where the word has no vector, a column of its own.
class WordColumns {
 public:
  WordColumns(const WordVectors& words, const Vocabulary& vocabulary, double unknown_weight)
      : vocabulary_(vocabulary), unknown_weight_(unknown_weight), columns_(words.dimensions()) {
    for (const std::uint64_t key : vocabulary.keys) own_.push_back(words.find(key) ? 0 : columns_++);
  }
  std::size_t columns() const noexcept { return columns_; }  ///< of the vectors and of words without one
  double weight(std::uint64_t key) const {
    if (vocabulary_.weights.empty()) return 1;
    const auto at = place(key);
    return at ? vocabulary_.weights[*at] : unknown_weight_;
  }
  std::optional<std::size_t> own_column(std::uint64_t key) const {
    const auto at = place(key);
    return at ? std::optional(own_[*at]) : std::nullopt;
  }

 private:
  std::optional<std::size_t> place(std::uint64_t key) const {
    const auto found = std::ranges::lower_bound(vocabulary_.keys, key);
    if (found == vocabulary_.keys.end() || *found != key) return std::nullopt;
    return std::size_t(found - vocabulary_.keys.begin());
  }
  const Vocabulary& vocabulary_;
  double unknown_weight_;
  std::size_t columns_;
  std::vector<std::size_t> own_;
};

struct Numbers {
  std::vector<std::int32_t> indices;
  std::vector<double> values;
};

/// One row, added up column by column.
class RowSum {
 public:
  void add(std::size_t column, double value) {
    entries_.emplace_back(
        std::int32_t(std::min<std::size_t>(column, std::numeric_limits<std::int32_t>::max())), value);
  }
  /// Returns the number of columns used.
  std::size_t take(Numbers& out) {
    std::ranges::stable_sort(entries_, {}, [](const auto& entry) { return entry.first; });
    std::size_t used = 0;
    for (std::size_t e = 0; e < entries_.size();) {
      const std::int32_t column = entries_[e].first;
      double sum = 0;
      for (; e < entries_.size() && entries_[e].first == column; ++e) sum += entries_[e].second;
      if (sum == 0) continue;
      out.indices.push_back(column);
      out.values.push_back(sum);
      used = std::size_t(column) + 1;
    }
    entries_.clear();
    return used;
  }

 private:
  std::vector<std::pair<std::int32_t, double>> entries_;
};

/// Where every word of every row has a vector, and all of its coordinates.
Points dense_rows(const FeatureTable& table, const WordVectors& words, const WordColumns& columns,
                  int threads) {
  const std::size_t n = table.rows(), d = words.dimensions();
  Dense<double> rows{n, d, Buffer<double>(n * d)};
  parallel_for((n + rows_at_once - 1) / rows_at_once, threads, [&](std::size_t b) {
    for (std::size_t i = b * rows_at_once; i < std::min(n, (b + 1) * rows_at_once); ++i) {
      double* row = rows.values.data() + i * d;
      std::fill_n(row, d, 0.0);
      for (std::size_t e = table.starts[i]; e < table.starts[i + 1]; ++e) {
        const double value = table.values[e] * columns.weight(table.keys[e]);
        const std::span<const double> vector = words.vector(*words.find(table.keys[e]));
        for (std::size_t k = 0; k < d; ++k) row[k] += value * vector[k];
      }
    }
  });
  return Points(std::move(rows));
}

}  // namespace

Points spread_over_vectors(const FeatureTable& table, const WordVectors& words, const Vocabulary& vocabulary,
                           double unknown_weight, int threads) {
  const WordColumns columns(words, vocabulary, unknown_weight);
  const auto has_vector = [&](std::uint64_t key) { return words.find(key).has_value(); };
  if (words.whole() && columns.columns() == words.dimensions() && std::ranges::all_of(table.keys, has_vector))
    return dense_rows(table, words, columns, threads);
  const std::size_t n = table.rows();
  std::vector<Numbers> blocks((n + rows_at_once - 1) / rows_at_once);
  std::vector<std::size_t> sizes(n), used(blocks.size(), columns.columns());
  parallel_for(blocks.size(), threads, [&](std::size_t b) {
    RowSum row;
    for (std::size_t i = b * rows_at_once; i < std::min(n, (b + 1) * rows_at_once); ++i) {
      std::size_t behind = columns.columns();
      for (std::size_t e = table.starts[i]; e < table.starts[i + 1]; ++e) {
        const std::uint64_t key = table.keys[e];
        const double value = table.values[e] * columns.weight(key);
        if (const auto w = words.find(key)) {
          std::size_t column = words.first(*w);
          for (const double v : words.vector(*w)) row.add(column++, value * v);
        } else {
          const auto own = columns.own_column(key);
          row.add(own ? *own : behind++, value);
        }
      }
      const std::size_t before = blocks[b].values.size();
      used[b] = std::max(used[b], row.take(blocks[b]));
      sizes[i] = blocks[b].values.size() - before;
    }
  });
  Sparse<double> rows{n,
                      blocks.empty() ? columns.columns() : *std::ranges::max_element(used),
                      Buffer<std::size_t>(n + 1),
                      {},
                      {}};
  rows.starts[0] = 0;
  for (std::size_t i = 0; i < n; ++i) rows.starts[i + 1] = rows.starts[i] + sizes[i];
  rows.indices = Buffer<std::int32_t>(rows.starts[n]);
  rows.values = Buffer<double>(rows.starts[n]);
  std::size_t at = 0;
  for (const Numbers& block : blocks) {
    std::ranges::copy(block.indices, rows.indices.begin() + std::ptrdiff_t(at));
    std::ranges::copy(block.values, rows.values.begin() + std::ptrdiff_t(at));
    at += block.values.size();
  }
  return Points(std::move(rows));
}

}  // namespace mercer
