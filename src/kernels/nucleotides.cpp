#include "kernels/nucleotides.hpp"

namespace mercer {

std::uint8_t nucleotide(char letter) noexcept {
  switch (letter) {
    case 'A':
    case 'a':
      return 0;
    case 'C':
    case 'c':
      return 1;
    case 'G':
    case 'g':
      return 2;
    case 'T':
    case 't':
    case 'U':
    case 'u':
      return 3;
    default:
      return no_nucleotide;
  }
}

std::vector<std::uint8_t> nucleotides(std::string_view text) {
  std::vector<std::uint8_t> strand(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) strand[i] = nucleotide(text[i]);
  return strand;
}

std::vector<std::uint8_t> reverse_complement(const std::vector<std::uint8_t>& strand) {
  std::vector<std::uint8_t> other(strand.rbegin(), strand.rend());
  for (std::uint8_t& letter : other)
    if (letter != no_nucleotide) letter = std::uint8_t(3 - letter);
  return other;
}

}  // namespace mercer
