#include "mercer/spelling.hpp"

#include <algorithm>
#include <vector>

namespace mercer {

namespace {

// Optimal string alignment distance; the table is small since words are short.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        cost[i][j] = i + j;
        continue;
      }
      cost[i][j] =
          std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  }
  return cost[a.size()][b.size()];
}

}  // namespace

std::string nearest_word(std::string_view word, std::span<const std::string> candidates) {
  constexpr std::size_t longest = 64;
  if (word.size() > longest) return {};
  std::string best;
  // Up to a third of the letters may differ, at least one, but never all of them.
  std::size_t best_distance = std::min(std::max<std::size_t>(1, word.size() / 3) + 1, word.size());
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    const bool abbreviation = word.size() >= 3 && candidate.starts_with(word);
    if (distance < best_distance || (best.empty() && abbreviation)) {
      best = candidate;
      best_distance = std::min(distance, best_distance);
    }
  }
  return best;
}

std::string suggestion(std::string_view word, std::span<const std::string> known) {
  const std::string near = nearest_word(word, known);
  if (!near.empty()) return "did you mean '" + near + "'?";
  std::string list;
  for (const std::string& name : known) list += (list.empty() ? "" : ", ") + name;
  return "choose from " + list;
}

}  // namespace mercer
