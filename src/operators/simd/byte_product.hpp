// Products of unsigned by signed bytes, summed in 32 bits: four of them at a time in each lane (AVX-512 VNNI,
// vpdpbusd), where the processor has that instruction. One side is laid out once so that it is read in the
// order of use; a library's product lays it out again in every call, which takes as long as twenty rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace mercer::simd {

/// Columns of a panel. Column c of a panel has its bytes 4k … 4k + 3 at (k · byte_panel + c) · 4.
inline constexpr std::size_t byte_panel = 64;

/// out[i · stride + p · byte_panel + c] = Σₖ x[i · depth + k]·z[column c of panel p, k] for `panels` panels
/// that follow each other. `depth` is a multiple of 4.
using ByteProduct = void (*)(std::size_t rows, std::size_t depth, const std::uint8_t* x, std::size_t panels,
                             const std::int8_t* z, std::int32_t* out, std::size_t stride);

/// Null where the instruction set has no such instruction.
ByteProduct byte_product(const std::string& instruction_set);
ByteProduct byte_product();

}  // namespace mercer::simd
