// Gapped k-mers without listing them. Words u and v of l letters that differ in m share C(l − m, k) gapped
// k-mers, so the kernel is Σ_m h(m)·(pairs of words that differ in m letters), for this h or another.
//
// Explicit sparse features of 1,288 sequences of 236 letters, l = 10, k = 6, would be 10⁸ numbers, gigabytes;
// to count the pairs of words 32 at a time (dna_words.hpp) needs no memory and takes 3 s there. Two
// sequences of 10⁵ letters or more have too many pairs; there h, a function on the group (Z₂ × Z₂)^l, is
// diagonal under the Walsh–Hadamard transform of the 4^l counts:
//   k = 4⁻ˡ Σ_w λ(|w|) ĉ_x(w) ĉ_z(w),   |w| = letters of w that are not 0,   λ(j) = Σ_m h(m) K_m(j)
// with the Krawtchouk polynomials K_m. All λ ≥ 0 is also what makes the kernel positive semidefinite.
//
// The filters (Ghandi et al. 2014): the least-squares estimate of the words' counts from those of the gapped
// k-mers is the projection on functions that look at k letters at most, in the transform the w with |w| ≤ k,
// so it is the convolution with g(m) = 4⁻ˡ Σ_{j≤k} K_j(m). h = g ∗ g, in the transform the square; g is cut
// off where it is first not positive for filter=truncated.
#include "mercer/kernels/gkm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "kernels/dna_words.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

double choose(int n, int k) {
  if (k < 0 || k > n) return 0;
  double value = 1;
  for (int i = 1; i <= k; ++i) value = value * (n - k + i) / i;
  return std::round(value);
}

/// K_m(j) over words of l letters of 4: the sum of the characters of weight m at a word of weight j.
double krawtchouk(int l, int m, int j) {
  double sum = 0;
  for (int s = 0; s <= m; ++s)
    sum += (s % 2 ? -1 : 1) * std::pow(3.0, m - s) * choose(j, s) * choose(l - j, m - s);
  return sum;
}

/// λ(j) = Σ_m h(m) K_m(j), j = 0 … l; twice this is 4^l times the numbers given.
std::vector<double> transformed(const std::vector<double>& h) {
  const int l = int(h.size()) - 1;
  std::vector<double> values(h.size());
  for (int j = 0; j <= l; ++j)
    for (int m = 0; m <= l; ++m) values[std::size_t(j)] += h[std::size_t(m)] * krawtchouk(l, m, j);
  return values;
}

/// Adds one to the count of each word.
void count_words(const std::vector<std::uint8_t>& strand, int l, std::vector<std::int32_t>& counts) {
  std::size_t word = 0;
  int letters = 0;
  for (const std::uint8_t letter : strand) {
    letters = letter == no_nucleotide ? 0 : std::min(letters + 1, l);
    word = ((word << 2) | (letter & 3u)) & (counts.size() - 1);
    if (letters == l) ++counts[word];
  }
}

/// The counts of the words under the Walsh–Hadamard transform; no sum is larger than the number of words.
std::vector<std::int32_t> word_transform(const std::vector<std::uint8_t>& strand, int l) {
  std::vector<std::int32_t> counts(std::size_t(1) << (2 * l));
  count_words(strand, l, counts);
  for (std::size_t half = 1; half < counts.size(); half *= 2)
    for (std::size_t first = 0; first < counts.size(); first += 2 * half)
      for (std::size_t i = first; i < first + half; ++i) {
        const std::int32_t a = counts[i], b = counts[i + half];
        counts[i] = a + b;
        counts[i + half] = a - b;
      }
  return counts;
}

double product(const std::vector<std::int32_t>& x, const std::vector<std::int32_t>& z,
               const std::vector<double>& eigenvalues) {
  std::array<double, longest_word + 1> sums{};  // by |w|
  for (std::size_t w = 0; w < x.size(); ++w)
    sums[std::size_t(std::popcount((w | (w >> 1)) & 0x555555u))] += double(x[w]) * double(z[w]);
  double value = 0;
  for (std::size_t j = 0; j < eigenvalues.size(); ++j) value += eigenvalues[j] * sums[j];
  return value / double(x.size());
}

/// Whether the transforms of two sequences cost less than to count their pairs of words.
bool transform_is_cheaper(std::size_t x, std::size_t z, int l) {
  return double(x) * double(z) > 20.0 * l * std::pow(4.0, l);
}

}  // namespace

void Gkm::prepare() {
  if (k > l)
    throw Error(ErrorCode::invalid_parameter, fmt::format("k must be at most l, but is {} with l={}", k, l));
  d = std::min(d, filter == "none" ? l - k : l);  // no more letters can differ, or h is 0 there
}

std::vector<double> Gkm::weights() const {
  std::vector<double> h(std::size_t(l) + 1);
  for (int m = 0; m <= l; ++m) h[std::size_t(m)] = choose(l - m, k);
  if (filter != "none") {
    const double words = std::pow(4.0, l);
    std::vector<double> low(h.size());
    for (int j = 0; j <= k; ++j) low[std::size_t(j)] = 1;
    std::vector<double> g = transformed(low);
    for (double& value : g) value /= words;
    if (filter == "truncated")
      std::fill(std::ranges::find_if(g, [](double value) { return value <= 1e-50; }), g.end(), 0.0);
    std::vector<double> squares = transformed(g);
    for (double& value : squares) value *= value;
    h = transformed(squares);
    for (double& value : h) value /= words;
  }
  std::fill(h.begin() + std::min(d, l) + 1, h.end(), 0.0);
  return h;
}

Properties Gkm::properties() const {
  const std::vector<double> eigenvalues = transformed(weights());
  return {.psd = std::ranges::min(eigenvalues) >= -1e-12 * std::ranges::max(eigenvalues)};
}

void Gkm::pairs(const Objects& x, Range rows, const Objects& z, Range columns, double* out) const {
  const std::vector<double> h = weights(), eigenvalues = transformed(h);
  const simd::CountDiagonals count = simd::count_diagonals();
  std::vector<std::vector<std::uint8_t>> strands;
  for (std::size_t i = rows.begin; i < rows.end; ++i) strands.push_back(nucleotides(x.texts()[i]));
  const bool symmetric = &x.texts() == &z.texts() && rows.begin == columns.begin && rows.end == columns.end;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    std::vector<std::uint8_t> both = nucleotides(z.texts()[columns.begin + j]);
    if (reverse_complement == "yes") {
      const std::vector<std::uint8_t> other = mercer::reverse_complement(both);
      both.push_back(no_nucleotide);
      both.insert(both.end(), other.begin(), other.end());
    }
    const Tracks tracks(both);
    std::vector<std::int32_t> their_words;  // made where a row needs them
    for (std::size_t i = symmetric ? j : 0; i < rows.size(); ++i) {
      double value = 0;
      if (transform_is_cheaper(strands[i].size(), both.size(), l)) {
        if (their_words.empty()) their_words = word_transform(both, l);
        value = product(word_transform(strands[i], l), their_words, eigenvalues);
      } else {
        const PairCounts counts = count_pairs(strands[i], tracks, l, d, count);
        for (std::size_t m = 0; m <= std::size_t(d); ++m) value += h[m] * double(counts[m]);
      }
      out[i * columns.size() + j] = value;
      if (symmetric) out[j * columns.size() + i] = value;
    }
  }
}

bool Gkm::short_dna(const Points& sequences) {
  constexpr double most_letters = 3e5;
  const Buffer<char>& bytes = sequences.objects().front().texts().bytes;
  const std::string_view all(bytes.data(), bytes.size());
  return double(all.size()) <= most_letters && all.find_first_not_of("ACGTUNacgtun") == all.npos;
}

}  // namespace mercer
