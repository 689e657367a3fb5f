// The letters of DNA as numbers: A, C, G, T (or U) are 0 … 3 in either case, so that the complement of c is 3
// − c.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace mercer {

inline constexpr std::uint8_t no_nucleotide = 4;  ///< N, a gap, any other letter

std::uint8_t nucleotide(char letter) noexcept;
std::vector<std::uint8_t> nucleotides(std::string_view text);
std::vector<std::uint8_t> reverse_complement(const std::vector<std::uint8_t>& strand);

}  // namespace mercer
