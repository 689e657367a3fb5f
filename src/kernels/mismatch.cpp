// A word is a number in base a, a the size of the alphabet. Words that occur often are met once, with their
// count; where the neighbours of all words are more than there are words at all, they are counted in a table
// of all of them.
#include "mercer/kernels/mismatch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "mercer/error.hpp"

namespace mercer {

namespace {

constexpr double largest_table = 1 << 24;  // words
constexpr double most_neighbours = 1e5;    // of one word

char upper(char letter) noexcept {
  return letter >= 'a' && letter <= 'z' ? char(letter - 'a' + 'A') : letter;
}

std::array<int, 256> numbers_of(std::string_view alphabet) {
  std::array<int, 256> numbers;
  numbers.fill(-1);
  for (std::size_t a = 0; a < alphabet.size(); ++a) {
    const char large = upper(alphabet[a]),
               small = large >= 'A' && large <= 'Z' ? char(large - 'A' + 'a') : large;
    numbers[static_cast<unsigned char>(large)] = numbers[static_cast<unsigned char>(small)] = int(a);
  }
  return numbers;
}

/// Σ_{j ≤ m} C(k, j)(a − 1)^j: the words within m substitutions of one.
double neighbours(int k, int m, double a) {
  double term = 1, sum = 1;
  for (int j = 1; j <= std::min(m, k); ++j) sum += term *= double(k - j + 1) / j * (a - 1);
  return sum;
}

struct Walk {
  int letters;
  std::uint64_t base;
  std::vector<std::uint64_t> powers;  // base^0 … base^(letters − 1)

  Walk(int k, std::size_t alphabet) : letters(k), base(alphabet), powers(std::size_t(k), 1) {
    for (std::size_t p = 1; p < powers.size(); ++p) powers[p] = powers[p - 1] * base;
  }
  /// Calls use(neighbour) for each word that differs from `word` in at most m of its places from `place` on,
  /// each once.
  template <class Use>
  void around(std::uint64_t word, int m, const Use& use, std::size_t place = 0) const {
    use(word);
    if (m == 0) return;
    for (std::size_t p = place; p < powers.size(); ++p) {
      const std::uint64_t own = word / powers[p] % base, without = word - own * powers[p];
      for (std::uint64_t letter = 0; letter < base; ++letter)
        if (letter != own) around(without + letter * powers[p], m - 1, use, p + 1);
    }
  }
};

/// Calls use(word, begin) for each word of the text.
template <class Use>
void each_kmer(std::string_view text, int k, std::string_view alphabet, const Use& use) {
  const std::array<int, 256> numbers = numbers_of(alphabet);
  const Walk walk(k, alphabet.size());
  std::uint64_t word = 0;
  int letters = 0;  // in a row that are of the alphabet
  for (std::size_t at = 0; at < text.size(); ++at) {
    const int number = numbers[static_cast<unsigned char>(text[at])];
    letters = number < 0 ? 0 : std::min(letters + 1, k);
    word = letters <= 1 ? 0 : word % walk.powers.back();  // without its first letter, where it had k
    word = word * walk.base + std::uint64_t(std::max(number, 0));
    if (letters == k) use(word, at + 1 - std::size_t(k));
  }
}

}  // namespace

void Mismatch::prepare() const {
  std::string letters = alphabet;
  std::ranges::transform(letters, letters.begin(), upper);
  std::ranges::sort(letters);
  if (letters.size() < 2 || std::ranges::adjacent_find(letters) != letters.end())
    throw Error::of_parameter("", "alphabet", "must be two letters at least, each once, such as ACGT",
                              fmt::format("{}", alphabet));
  const auto a = double(alphabet.size());
  if (std::pow(a, k) > 0x1p63)
    throw Error(ErrorCode::invalid_parameter,
                fmt::format("k must be at most {} with an alphabet of {} letters, not {}",
                            int(63 / std::log2(a)), a, k));
  if (neighbours(k, m, a) > most_neighbours)
    throw Error(ErrorCode::invalid_kernel,
                fmt::format("m={} gives each word {:.1e} neighbours", m, neighbours(k, m, a)),
                {.hint = fmt::format("at most {:.0e} are taken, so lower m or k", most_neighbours)});
}

void Mismatch::features(const Objects& x, std::size_t i, FeatureRow& out) const {
  const std::string_view text = x.texts()[i];
  const Walk walk(k, alphabet.size());
  if (out.keeps_parts())
    return each_kmer(text, k, alphabet, [&](std::uint64_t word, std::size_t begin) {
      const Part part{std::uint32_t(begin), std::uint32_t(begin + std::size_t(k))};
      walk.around(word, m, [&](std::uint64_t neighbour) { out.add(neighbour, 1, part); });
    });
  FeatureRow counts;
  each_kmer(text, k, alphabet, [&](std::uint64_t word, std::size_t) { counts.add(word, 1); });
  const double words = std::pow(double(alphabet.size()), k);
  if (words > largest_table ||
      words > double(counts.entries().size()) * neighbours(k, m, double(alphabet.size()))) {
    for (const auto& entry : counts.entries())
      walk.around(entry.key, m, [&](std::uint64_t neighbour) { out.add(neighbour, entry.value); });
    return;
  }
  std::vector<double> table(std::size_t(words), 0.0);
  for (const auto& entry : counts.entries())
    walk.around(entry.key, m, [&](std::uint64_t neighbour) { table[neighbour] += entry.value; });
  for (std::size_t word = 0; word < table.size(); ++word)
    if (table[word] != 0) out.add(word, table[word]);
}

}  // namespace mercer
