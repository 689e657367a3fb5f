// Sets for the tests of their kernels, and Gram matrices of them.
#pragma once

#include <lapacke.h>

#include <string>
#include <vector>

#include "base/blas.hpp"
#include "base/random.hpp"
#include "mercer/kernel_operator.hpp"
#include "mercer/objects.hpp"

namespace mercer {

using Bag = std::vector<std::vector<double>>;

inline Points bags_of(const std::vector<Bag>& sets, std::size_t columns) {
  std::vector<std::size_t> starts{0};
  std::vector<double> values;
  for (const Bag& set : sets) {
    for (const auto& member : set) values.insert(values.end(), member.begin(), member.end());
    starts.push_back(starts.back() + set.size());
  }
  Bags bags{Buffer<std::size_t>(starts.size()), columns, Buffer<double>(values.size())};
  std::ranges::copy(starts, bags.starts.begin());
  std::ranges::copy(values, bags.values.begin());
  return Points(Objects("bag", Domain::vectors, std::move(bags)));
}

/// Sets of 0 to 5 members; the first two have 0 and 1.
inline std::vector<Bag> random_bags(std::size_t n, std::size_t columns, std::uint64_t seed) {
  Random random(seed);
  std::vector<Bag> sets(n);
  for (std::size_t i = 0; i < n; ++i) {
    sets[i].resize(i < 2 ? i : std::size_t(random.uniform() * 6), std::vector<double>(columns));
    for (auto& member : sets[i])
      for (double& value : member) value = random.normal();
  }
  return sets;
}

inline Points texts_of(const std::vector<std::string>& texts, Domain domain) {
  return Points(Objects("words", domain, texts));
}

/// Multisets of up to 7 of a few short words; the first is empty.
inline std::vector<std::string> random_symbols(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  const std::vector<std::string> words{"ab", "ba", "abb", "bab", "cab", "c", "abc"};
  std::vector<std::string> texts(n);
  for (std::size_t i = 1; i < n; ++i)
    for (int count = int(random.uniform() * 8); count > 0; --count)
      texts[i] += words[std::size_t(random.uniform() * 7)] + " ";
  return texts;
}

/// n × m, row-major.
inline std::vector<double> matrix_of(const Kernel& k, const Points& x, const Points& z, int threads = 1) {
  std::vector<double> K(x.rows() * z.rows());
  KernelOperator<double>(k, x, z, {.threads = threads}).matrix(K);
  return K;
}
inline std::vector<double> matrix_of(const Kernel& k, const Points& x, int threads = 1) {
  std::vector<double> K(x.rows() * x.rows());
  KernelOperator<double>(k, x, {.threads = threads}).matrix(K);
  return K;
}

/// The smallest eigenvalue of K, over the largest.
inline double least_eigenvalue(std::vector<double> K, std::size_t n) {
  const SingleThreadedBlas one_thread;
  std::vector<double> eigenvalues(n);
  LAPACKE_dsyevd(LAPACK_ROW_MAJOR, 'N', 'U', int(n), K.data(), int(n), eigenvalues.data());
  return eigenvalues.front() / eigenvalues.back();
}

}  // namespace mercer
