// What the tests of string kernels share: random sequences, a kernel's values on them, and its definition by
// a double loop.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "base/refusal.hpp"
#include "mercer/kernel_operator.hpp"
#include "mercer/kernel.hpp"
#include "solvers/eigen.hpp"

namespace mercer::testing {

using Strings = std::vector<std::string>;

/// n sequences of 0 … longest letters.
inline Strings random_strings(std::size_t n, std::size_t longest, std::string_view letters,
                              std::uint64_t seed) {
  Random random(seed);
  Strings list(n);
  for (std::string& text : list) {
    text.resize(random.below(longest + 1));
    for (char& letter : text) letter = letters[random.below(letters.size())];
  }
  return list;
}

inline Points sequences(const Strings& texts) { return Points(Objects("sequence", Domain::sequence, texts)); }

inline std::vector<double> values(const std::string& kernel, const Strings& x, int threads = 0) {
  std::vector<double> K(x.size() * x.size());
  KernelOperator<double>(Kernel::parse(kernel), sequences(x), {.threads = threads}).matrix(K);
  return K;
}
inline double value(const std::string& kernel, const std::string& x, const std::string& z) {
  double K = 0;
  KernelOperator<double>(Kernel::parse(kernel), sequences({x}), sequences({z})).matrix(std::span(&K, 1));
  return K;
}

/// The kernel on sequences x, and between z and x, is what `definition` says.
inline void expect_definition(
    const std::string& kernel, const Strings& x, const Strings& z,
    const std::function<double(const std::string&, const std::string&)>& definition) {
  const std::vector<double> K = values(kernel, x);
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < x.size(); ++j) {
      const double expected = definition(x[i], x[j]);
      EXPECT_NEAR(K[i * x.size() + j], expected, 1e-12 * std::max(1.0, std::abs(expected)))
          << kernel << " of '" << x[i] << "' and '" << x[j] << "'";
    }
  std::vector<double> across(z.size() * x.size());
  KernelOperator<double>(Kernel::parse(kernel), sequences(z), sequences(x)).matrix(across);
  for (std::size_t i = 0; i < z.size(); ++i)
    for (std::size_t j = 0; j < x.size(); ++j) {
      const double expected = definition(z[i], x[j]);
      EXPECT_NEAR(across[i * x.size() + j], expected, 1e-12 * std::max(1.0, std::abs(expected)))
          << kernel << " of '" << z[i] << "' and '" << x[j] << "'";
    }
}

/// Smallest over largest eigenvalue of the kernel's matrix.
inline double least_eigenvalue(const std::string& kernel, const Strings& x) {
  const std::vector<double> all = symmetric_eigen(values(kernel, x), x.size(), false).values;
  return all.front() / all.back();
}

/// The words of k letters of a text.
inline Strings words_of(const std::string& text, std::size_t k) {
  Strings words;
  for (std::size_t i = 0; i + k <= text.size(); ++i) words.push_back(text.substr(i, k));
  return words;
}
inline bool only(const std::string& word, std::string_view letters) {
  return word.find_first_not_of(letters) == word.npos;
}
inline std::size_t differing(const std::string& u, const std::string& v) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < u.size(); ++i) count += u[i] != v[i];
  return count;
}
inline std::string upper_case(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) { return char(std::toupper(c)); });
  return text;
}
inline std::string reversed_complement(const std::string& text) {
  std::string other(text.rbegin(), text.rend());
  for (char& c : other) c = c == 'A' ? 'T' : c == 'T' ? 'A' : c == 'C' ? 'G' : c == 'G' ? 'C' : c;
  return other;
}

/// What parsing the expression complains of, without the line that shows where.
inline std::string complaint(const std::string& kernel) {
  const std::string whole = refusal(ErrorKind::usage, [&] { Kernel::parse(kernel); });
  return whole.substr(0, whole.find('\n'));
}

/// A sequence of DNA of so many letters.
inline std::string long_dna(std::size_t letters, std::uint64_t seed) {
  Random random(seed);
  std::string text(letters, 'A');
  for (char& letter : text) letter = "ACGT"[random.below(4)];
  return text;
}

}  // namespace mercer::testing
