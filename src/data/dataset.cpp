#include "base/random.hpp"
#include "data/text_source.hpp"
#include "mercer/dataset.hpp"
#include "mercer/folds.hpp"

namespace mercer {

namespace {

/// The chosen rows of `from`, each of `width` elements; nothing of nothing.
template <class T>
std::vector<T> pick(const std::vector<T>& from, std::span<const std::size_t> chosen, std::size_t width = 1) {
  std::vector<T> picked;
  if (from.empty()) return picked;
  picked.reserve(chosen.size() * width);
  for (const std::size_t row : chosen) {
    const auto first = from.begin() + std::ptrdiff_t(row * width);
    picked.insert(picked.end(), first, first + std::ptrdiff_t(width));
  }
  return picked;
}

}  // namespace

std::vector<std::string> Target::output_names() const {
  const std::string whole = name.empty() ? "target" : name;
  if (outputs == 1) return {whole};
  std::vector<std::string> names = split_at_commas(whole);
  if (names.size() == outputs) return names;
  names.clear();
  for (std::size_t output = 1; output <= outputs; ++output) names.push_back(whole + std::to_string(output));
  return names;
}

Target Target::select_rows(std::span<const std::size_t> chosen) const {
  return {task, name, labels, pick(codes, chosen), pick(values, chosen, outputs), outputs};
}

Dataset Dataset::select_rows(std::span<const std::size_t> chosen) const {
  Dataset some;
  some.points = points.select_rows(chosen);
  some.target = target.select_rows(chosen);
  some.weights = pick(weights, chosen);
  some.queries = pick(queries, chosen);
  some.schema = schema;
  some.notes = notes;
  return some;
}

std::vector<std::size_t> random_folds(const Target& target, std::size_t folds, std::uint64_t seed) {
  Random random(seed);
  const bool classes = target.task == Task::classification;
  std::vector<std::vector<std::size_t>> rows(classes ? target.labels.size() : 1);
  for (std::size_t i = 0; i < target.size(); ++i)
    rows[classes ? std::size_t(target.codes[i]) : 0].push_back(i);
  std::vector<std::size_t> fold(target.size());
  std::size_t next = 0;
  for (auto& list : rows) {
    for (std::size_t i = 0; i < list.size(); ++i) std::swap(list[i], list[i + random.below(list.size() - i)]);
    for (const std::size_t row : list) fold[row] = next++ % folds;
  }
  return fold;
}

}  // namespace mercer
