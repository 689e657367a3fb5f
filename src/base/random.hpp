// Random numbers that are the same on every machine and standard library: the distributions of <random> are
// not portable, so only raw bits come from a generator and the rest is computed here.
// Generator: xoshiro256++ (Blackman & Vigna 2021), seeded by splitmix64.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace mercer {

class Random {
 public:
  explicit Random(std::uint64_t seed) noexcept {
    for (auto& word : state_) {
      std::uint64_t z = (seed += 0x9e3779b97f4a7c15u);
      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
      z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
      word = z ^ (z >> 31);
    }
  }

  std::uint64_t bits() noexcept {
    const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
    const std::uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  /// Uniform on [0, 1), 53 bits.
  double uniform() noexcept { return double(bits() >> 11) * 0x1.0p-53; }
  double uniform(double low, double high) noexcept { return low + (high - low) * uniform(); }

  /// Uniform on {0, …, bound − 1}; bound > 0. Multiply-shift, whose bias is below 2⁻⁶⁴·bound.
  std::uint64_t below(std::uint64_t bound) noexcept {
    __extension__ using Wide = unsigned __int128;
    return std::uint64_t((Wide(bits()) * bound) >> 64);
  }

  /// Standard normal (Box & Muller 1958; one of the two values is used, so the state stays four words).
  double normal() noexcept {
    const double radius = std::sqrt(-2 * std::log(1 - uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  }

 private:
  std::uint64_t state_[4];
};

}  // namespace mercer
