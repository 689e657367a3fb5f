// A table S of the similarities of words as vectors of words, S = VVᵀ. Tables are sparse: words that no chain
// of pairs connects are blocks of S of their own, so that each block is factored alone, S_b = QΛQᵀ with
// V_b = Q√Λ. An eigenvalue below 0 means that S is no kernel, and its eigenvector says which words are at
// fault.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "base/blas.hpp"
#include "base/lapack.hpp"
#include "data/text_source.hpp"
#include "kernels/node.hpp"
#include "mercer/error.hpp"
#include "mercer/word_vectors.hpp"

namespace mercer {

namespace {

constexpr std::size_t most_connected = 10'000;  // words of a block: 800 MB
constexpr std::size_t most_named = 5;

[[noreturn]] void refuse(const std::string& what, std::string hint,
                         ErrorCode code = ErrorCode::invalid_data) {
  throw Error(code, what, {.hint = std::move(hint)});
}

struct Entry {
  std::size_t v, w;  // v ≤ w
  double similarity;
};

/// Words in the order in which they come, and every entry of the table once.
struct PairTable {
  std::vector<std::string> words = {};
  std::vector<Entry> entries = {};
};

PairTable table_of(std::span<const WordPair> pairs) {
  PairTable table;
  std::map<std::string_view, std::size_t> numbers;
  const auto number_of = [&](const std::string& word) {
    if (word.empty()) refuse("a word of a pair is empty", "write word, tab, word, tab, similarity");
    const auto [place, added] = numbers.emplace(word, table.words.size());
    if (added) table.words.push_back(word);
    return place->second;
  };
  std::map<std::pair<std::size_t, std::size_t>, double> known;
  for (const WordPair& pair : pairs) {
    if (!std::isfinite(pair.similarity))
      refuse(fmt::format("the similarity of {} and {} is not finite", in_quotes(pair.first),
                         in_quotes(pair.second)),
             "write a number such as 0.5");
    const std::size_t a = number_of(pair.first), b = number_of(pair.second);
    const auto [place, added] = known.emplace(std::minmax(a, b), pair.similarity);
    if (!added && place->second != pair.similarity)
      refuse(fmt::format("{} and {} have the similarity {} and also {}", in_quotes(pair.first),
                         in_quotes(pair.second), to_text(place->second), to_text(pair.similarity)),
             "a similarity is the same both ways: give each pair once");
  }
  for (std::size_t w = 0; w < table.words.size(); ++w) known.emplace(std::pair{w, w}, 1);
  for (const auto& [place, similarity] : known)
    table.entries.push_back({place.first, place.second, similarity});
  return table;
}

/// The block of each word: the first word that a chain of pairs leads to.
std::vector<std::size_t> blocks_of(const PairTable& table) {
  std::vector<std::size_t> parent(table.words.size());
  std::iota(parent.begin(), parent.end(), std::size_t(0));
  const auto root = [&](std::size_t w) {
    while (parent[w] != w) w = parent[w] = parent[parent[w]];
    return w;
  };
  for (const Entry& e : table.entries)
    if (e.similarity != 0) {
      const auto [low, high] = std::minmax({root(e.v), root(e.w)});
      parent[high] = low;
    }
  for (std::size_t w = 0; w < parent.size(); ++w) parent[w] = root(w);
  return parent;
}

[[noreturn]] void refuse_block(const PairTable& table, std::span<const std::size_t> members,
                               const double* witness, double eigenvalue) {
  std::vector<std::size_t> order(members.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::ranges::stable_sort(order, std::greater(), [&](std::size_t m) { return std::abs(witness[m]); });
  std::string list;
  for (std::size_t m = 0; m < std::min(most_named, order.size()); ++m)
    list += fmt::format("{}{} ({:.2g})", m ? ", " : "", in_quotes(table.words[members[order[m]]]),
                        witness[order[m]]);
  if (order.size() > most_named) list += fmt::format(" and {} more", order.size() - most_named);
  refuse(
      fmt::format("the similarities are not positive semidefinite: the smallest eigenvalue is {:.4g}, with "
                  "the weights {}",
                  eigenvalue, list),
      fmt::format("make the similarities between these words smaller, or that of every word with itself "
                  "greater by {:.4g} (lines with one word twice)",
                  -eigenvalue),
      ErrorCode::indefinite_kernel);
}

/// The rows of V of a block, members × rank, one after the other.
std::vector<double> factor_of(const PairTable& table, std::span<const std::size_t> members,
                              std::vector<double> S, std::size_t& rank) {
  const std::size_t m = members.size();
  std::vector<double> eigenvalues(m);
  if (!lapack::syevd(true, S.data(), m, eigenvalues.data()))
    refuse("the eigenvalues of the similarities could not be computed", "");
  const double largest = std::max(std::abs(eigenvalues.front()), std::abs(eigenvalues.back()));
  const double rounding = double(m) * 1e-15 * largest;
  if (eigenvalues.front() < -rounding) refuse_block(table, members, S.data(), eigenvalues.front());
  const auto first = std::ranges::find_if(eigenvalues, [&](double value) { return value > rounding; });
  rank = std::size_t(eigenvalues.end() - first);
  std::vector<double> factor;
  for (std::size_t w = 0; w < m; ++w)
    for (std::size_t r = m - rank; r < m; ++r) factor.push_back(std::sqrt(eigenvalues[r]) * S[r * m + w]);
  return factor;
}

}  // namespace

SharedWords word_similarities(std::span<const WordPair> pairs) {
  const PairTable table = table_of(pairs);
  const std::vector<std::size_t> block = blocks_of(table);
  std::map<std::size_t, std::vector<std::size_t>> members;  // by block
  std::vector<std::size_t> place(block.size());             // of a word among those of its block
  for (std::size_t w = 0; w < block.size(); ++w) {
    place[w] = members[block[w]].size();
    members[block[w]].push_back(w);
  }
  std::map<std::size_t, std::vector<const Entry*>> entries;
  for (const Entry& e : table.entries) entries[block[e.v]].push_back(&e);
  WordVectors::Storage storage;
  const SingleThreadedBlas one_thread;
  std::size_t dimensions = 0;
  for (const auto& [b, words] : members) {
    const std::size_t m = words.size();
    if (m > most_connected)
      refuse(fmt::format("{} words are connected by pairs; at most {} can be", m, most_connected),
             "give vectors of the words instead");
    std::vector<double> S(m * m);
    for (const Entry* e : entries[b])
      if (block[e->w] == b)
        S[place[e->v] * m + place[e->w]] = S[place[e->w] * m + place[e->v]] = e->similarity;
    std::size_t rank = 0;
    const std::vector<double> factor = factor_of(table, words, std::move(S), rank);
    for (std::size_t w = 0; w < m; ++w) {
      storage.bytes += table.words[words[w]];
      storage.words.push_back(storage.bytes.size());
      storage.first.push_back(dimensions);
      storage.starts.push_back(storage.starts.back() + rank);
    }
    storage.values.insert(storage.values.end(), factor.begin(), factor.end());
    dimensions += rank;
  }
  return shared_words(WordVectors(std::move(storage)));
}

}  // namespace mercer
