#include "kernels/scale.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "kernels/node.hpp"
#include "kernels/object_column.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

double variance_of_entries(const Points& points) {
  const double count = double(points.rows()) * double(points.cols());
  const auto sum_over = [&](auto&& term) {  // over the stored numbers; the others are 0
    double sum = 0;
    std::visit(
        [&](const auto& storage) {
          for (const auto value : storage.values) sum += term(double(value));
        },
        points.storage());
    return sum;
  };
  const double mean = sum_over([](double x) { return x; }) / count;
  const double stored = sum_over([&](double x) { return (x - mean) * (x - mean); });
  return (stored + (count - double(points.stored())) * mean * mean) / count;
}

/// Σ term(xₖ − zₖ) of numbers that are stored, by column: a sparse row is never spread out.
double sum_of_terms(std::span<const std::pair<std::size_t, double>> x,
                    std::span<const std::pair<std::size_t, double>> z, auto&& term) {
  double sum = 0;
  std::size_t p = 0, q = 0;
  while (p < x.size() || q < z.size()) {
    const std::size_t left = p < x.size() ? x[p].first : SIZE_MAX,
                      right = q < z.size() ? z[q].first : SIZE_MAX;
    sum += term((left <= right ? x[p++].second : 0) - (right <= left ? z[q++].second : 0));
  }
  return sum;
}

/// The median of Σ term(xₖ − zₖ) over distinct pairs of at most `most` evenly spaced rows; 0 where the points
/// are all equal.
double median_of_sums(const Points& points, std::size_t most, auto&& term) {
  const std::size_t n = std::min(points.rows(), most);
  std::vector<std::vector<std::pair<std::size_t, double>>> sample(n);
  for (std::size_t i = 0; i < n; ++i)
    std::visit(
        [&](const auto& storage) {
          const std::size_t row = i * points.rows() / n;
          if constexpr (requires { storage.indices; })
            for (std::size_t e = storage.starts[row]; e < storage.starts[row + 1]; ++e)
              sample[i].emplace_back(storage.indices[e], double(storage.values[e]));
          else
            for (std::size_t k = 0; k < storage.cols; ++k)
              sample[i].emplace_back(k, double(storage.row(row)[k]));
        },
        points.storage());
  std::vector<double> distances;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (const double sum = sum_of_terms(sample[i], sample[j], term); sum > 0) distances.push_back(sum);
  if (distances.empty()) return 0;
  const auto middle = distances.begin() + std::ptrdiff_t(distances.size() / 2);
  std::ranges::nth_element(distances, middle);
  return *middle;
}

double from_twice_squared(Role role, double twice_squared) {
  switch (role) {
    case Role::length:
      return std::sqrt(twice_squared / 2);
    case Role::inverse_length:
      return 1 / std::sqrt(twice_squared / 2);
    case Role::inverse_square:
      break;
  }
  return 1 / twice_squared;
}

constexpr std::pair<Scale::Kind, std::string_view> scale_words[] = {
    {Scale::Kind::scale, "scale"}, {Scale::Kind::automatic, "auto"}, {Scale::Kind::median, "median"}};

}  // namespace

bool has_words(const Leaf& leaf) {
  return std::ranges::any_of(leaf.parameters(), [&](const auto& p) { return p.open(leaf); });
}

std::string_view text_of(Scale::Kind word) {
  for (const auto& [kind, text] : scale_words)
    if (kind == word) return text;
  return "";
}

std::optional<Scale::Kind> scale_kind(std::string_view text) {
  for (const auto& [kind, word] : scale_words)
    if (word == text) return kind;
  return std::nullopt;
}

double twice_squared_length(Scale::Kind word, const Points& points) {
  const double d = double(points.cols());
  if (points.rows() == 0 || points.cols() == 0) return 2;
  if (word == Scale::Kind::automatic) return d;
  if (word == Scale::Kind::scale) {
    const double variance = variance_of_entries(points);
    return variance > 0 ? d * variance : 1;
  }
  const double sigma =
      std::sqrt(median_of_sums(points, 1000, [](double difference) { return difference * difference; }));
  return sigma > 0 ? 2 * sigma * sigma : 2;
}

Kernel resolve_scales(const Leaf& leaf, const Points& points) {
  AnyLeaf resolved(leaf);
  for (const auto& parameter : leaf.parameters()) {
    if (!parameter.open(leaf)) continue;
    if (!parameter.role) {
      parameter.load(*resolved);
      continue;
    }
    const Scale::Kind kind = *scale_kind(std::get<Word>(*parameter.get(leaf)).text);
    const Points seen = with_numbers_of_objects(points, leaf.name(), nullptr, 1);
    parameter.set(*resolved, from_twice_squared(*parameter.role, twice_squared_length(kind, seen)));
  }
  const Kernel kernel = make_kernel(std::move(resolved));
  // A word without a similarity is found here, where the rows are still in the order of the data.
  if (kernel.node().leaf()->words())
    leaf_map(AnyLeaf(*kernel.node().leaf()), kernel.text()).apply(points, nullptr, 1);
  return kernel;
}

double inverse_manhattan(const Points& table) {
  const double median = median_of_sums(table, 500, [](double difference) { return std::abs(difference); });
  return median > 0 ? 1 / median : 1;
}

}  // namespace mercer
