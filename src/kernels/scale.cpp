#include "kernels/scale.hpp"

#include <algorithm>
#include <cmath>

#include "mercer/dataset.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

const Word* word_in(const std::optional<Argument>& argument) {
  return argument ? std::get_if<Word>(&*argument) : nullptr;
}

double variance_of_entries(const Points& points) {
  const double count = double(points.rows()) * double(points.cols());
  const auto sum_over = [&](auto&& term) {  // over the stored numbers; the others are 0
    double sum = 0;
    std::visit([&](const auto& storage) { for (const auto value : storage.values) sum += term(double(value)); },
               points.storage());
    return sum;
  };
  const double mean = sum_over([](double x) { return x; }) / count;
  const double stored = sum_over([&](double x) { return (x - mean) * (x - mean); });
  return (stored + (count - double(points.stored())) * mean * mean) / count;
}

double median_distance(const Points& points) {
  constexpr std::size_t most = 1000;
  const std::size_t n = std::min(points.rows(), most), d = points.cols();
  std::vector<double> sample(n * d), distances;
  for (std::size_t i = 0; i < n; ++i)
    points.copy_row(i * points.rows() / n, std::span(sample).subspan(i * d, d));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      double squared = 0;
      for (std::size_t k = 0; k < d; ++k) {
        const double difference = sample[i * d + k] - sample[j * d + k];
        squared += difference * difference;
      }
      if (squared > 0) distances.push_back(std::sqrt(squared));
    }
  }
  if (distances.empty()) return 0;
  const auto middle = distances.begin() + std::ptrdiff_t(distances.size() / 2);
  std::ranges::nth_element(distances, middle);
  return *middle;
}

double from_length(Role role, double sigma) {
  switch (role) {
    case Role::length: return sigma;
    case Role::inverse_length: return 1 / sigma;
    case Role::inverse_square: break;
  }
  return 0.5 / (sigma * sigma);
}

std::vector<std::vector<double>> read_matrix(const std::string& path) {
  const Points points = read(path, {.target = "none"}).points;
  std::vector<std::vector<double>> rows;
  for (std::size_t i = 0; i < points.rows(); ++i) rows.push_back(points.row(i));
  return rows;
}

}  // namespace

bool has_words(const Leaf& leaf) {
  return std::ranges::any_of(leaf.parameters(), [&](const auto& p) { return word_in(p.get(leaf)) != nullptr; });
}

double length_of(Scale::Kind word, const Points& points) {
  if (points.rows() == 0 || points.cols() == 0) return 1;
  const double squared = word == Scale::Kind::automatic ? double(points.cols()) * variance_of_entries(points) / 2
                                                        : std::pow(median_distance(points), 2);
  return squared > 0 ? std::sqrt(squared) : 1;
}

Kernel resolve_scales(const Leaf& leaf, const Points& points) {
  AnyLeaf resolved(leaf);
  for (const auto& parameter : leaf.parameters()) {
    const std::optional<Argument> argument = parameter.get(leaf);
    const Word* word = word_in(argument);
    if (!word) continue;
    if (!parameter.role) {
      parameter.set(*resolved, read_matrix(word->text));
      continue;
    }
    const auto kind = word->text == "auto" ? Scale::Kind::automatic : Scale::Kind::median;
    parameter.set(*resolved, from_length(*parameter.role, length_of(kind, points)));
  }
  return make_kernel(std::move(resolved));
}

}  // namespace mercer
