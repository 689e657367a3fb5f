#include "mercer/folds.hpp"

#include "base/random.hpp"

namespace mercer {

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
