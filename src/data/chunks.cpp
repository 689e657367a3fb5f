#include "data/chunks.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace mercer {

namespace {

// Sixteen bytes at a time through the compilers' vector type, which every target lowers to its own registers.
// A comparison gives −1 per true lane, so subtracting it counts; 255 steps fit a byte.
constexpr std::size_t width = 16, reach = 3, patterns = 3;
using Lanes = std::uint8_t __attribute__((vector_size(width)));
using Totals = std::array<std::size_t, patterns>;

Lanes load(const char* p) noexcept {
  Lanes lanes;
  std::memcpy(&lanes, p, width);
  return lanes;
}

/// Counts the positions where each pattern matches. match(now, b1, b2, b3) looks at a byte and the three
/// before it, as single bytes or as lanes. Before the text, and after a last line without an end, stands a
/// line end.
Totals count(std::string_view text, auto match) noexcept {
  Totals totals{};
  const auto at = [&](std::size_t i, std::size_t back) {
    return std::uint8_t(i < back || i - back >= text.size() ? '\n' : text[i - back]);
  };
  const auto one = [&](std::size_t i) {
    const auto found = match(at(i, 0), at(i, 1), at(i, 2), at(i, 3));
    for (std::size_t k = 0; k < patterns; ++k) totals[k] += found[k];
  };
  std::size_t i = 0;
  for (; i < std::min(reach, text.size()); ++i) one(i);
  while (i + width <= text.size()) {
    std::array<Lanes, patterns> steps{};
    for (int step = 0; step < 255 && i + width <= text.size(); ++step, i += width) {
      const char* p = text.data() + i;
      const auto found = match(load(p), load(p - 1), load(p - 2), load(p - 3));
      for (std::size_t k = 0; k < patterns; ++k) steps[k] -= Lanes(found[k]);
    }
    for (std::size_t k = 0; k < patterns; ++k)
      for (std::size_t lane = 0; lane < width; ++lane) totals[k] += steps[k][lane];
  }
  for (; i < text.size(); ++i) one(i);
  if (!text.empty() && text.back() != '\n') one(text.size());
  return totals;
}

/// Where the record under way at `cut` ends; `inside` tells whether `cut` is between quotes.
std::size_t record_end(std::string_view text, std::size_t cut, bool inside) noexcept {
  if (cut > 0 && !inside && text[cut - 1] == '\n') return cut;
  for (; cut < text.size(); ++cut) {
    if (text[cut] == '"') inside = !inside;
    if (text[cut] == '\n' && !inside) return cut + 1;
  }
  return text.size();
}

}  // namespace

LineCounts count_lines(std::string_view text) noexcept {
  const Totals totals = count(text, [](auto now, auto b1, auto b2, auto) {
    using Mask = decltype(now == '\n');
    const Mask blank = Mask((b1 == '\n') | ((b1 == '\r') & (b2 == '\n')));
    return std::array<Mask, patterns>{now == '\n', Mask((now == '\n') & blank), now == '"'};
  });
  return {totals[0], totals[1], totals[2]};
}

EntryCounts count_entries(std::string_view text) noexcept {
  const Totals totals = count(text, [](auto now, auto b1, auto b2, auto b3) {
    using Mask = decltype(now == '\n');
    const Mask space = Mask((now == ' ') | (now == '\t') | (now == '\n') | (now == '\r'));
    const Mask zero = Mask((b1 == '0') & (b2 == ':') & (b3 != 'd'));
    return std::array<Mask, patterns>{b1 == ':', Mask((b1 == ':') & (b2 == 'd')), Mask(space & zero)};
  });
  return {totals[0], totals[1], totals[2]};
}

std::vector<std::string_view> cut_at_lines(std::string_view text, std::size_t chunk_bytes) {
  std::vector<std::string_view> pieces;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t line_end = text.find('\n', std::min(text.size(), begin + chunk_bytes) - 1);
    const std::size_t end = line_end == text.npos ? text.size() : line_end + 1;
    pieces.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return pieces;
}

std::vector<std::string_view> cut_at_records(const TextSource& source, std::string_view text,
                                             std::size_t chunk_bytes, int threads) {
  // Whether a cut lies between quotes is the parity of the quotes before it (RFC 4180 doubles a quote
  // within).
  const std::size_t cuts = text.size() / chunk_bytes + 1;
  std::vector<char> inside(cuts + 1, 0);
  parallel_for(cuts, threads, [&](std::size_t i) {
    const std::string_view piece = text.substr(i * chunk_bytes, chunk_bytes);
    inside[i + 1] = char(piece.find('"') == piece.npos ? 0 : count_lines(piece).quotes % 2);
    source.forget(piece);
  });
  for (std::size_t i = 1; i <= cuts; ++i) inside[i] = char(inside[i] ^ inside[i - 1]);
  std::vector<std::string_view> pieces;
  std::size_t begin = 0;
  for (std::size_t i = 1; begin < text.size(); ++i) {
    const std::size_t cut = std::min(text.size(), i * chunk_bytes);
    if (cut < begin) continue;  // a record longer than a piece has run past this cut
    const std::size_t end = record_end(text, cut, i < inside.size() && inside[i]);
    if (end == begin) continue;
    pieces.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return pieces;
}

}  // namespace mercer
