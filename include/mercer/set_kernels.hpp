// Kernels of sets, made of a kernel of their members:
//   Kernel k = set_kernel(rbf({.gamma = 0.1}), SetNormalize::cosine);
// is "set(rbf(gamma=0.1), normalize=cosine)".
// A column holds sets of vectors (bags), sets of symbols, texts (whose members are their words) or graphs
// (whose members are their nodes, by their attributes).
#pragma once

#include "mercer/kernel.hpp"

namespace MERCER_EXPORT mercer {

enum class SetNormalize {
  none,    ///< the plain sum
  cosine,  ///< divided by √(k(A,A) k(B,B)); 0 where that is 0/0
  size,    ///< divided by |A||B|: the mean; 0 where a set is empty
};

/// Σ k(a, b) over all members a of A and b of B.        Haussler 1999; Gärtner, Flach, Kowalczyk & Smola 2002
Kernel set_kernel(const Kernel& of_members, SetNormalize normalize = SetNormalize::none);

enum class SetCounts {
  raw,    ///< how often a symbol is in the set
  share,  ///< that, divided by the size of the set: the shares of a set sum to 1
};

/// Σ k(x, y)·k̄(A(x), B(y)) over all distinct symbols x of A and y of B, A(x) being how often x is in A: of
/// sets of symbols and of texts. `of_symbols` compares the symbols, `of_counts` the counts.
Kernel general_set_kernel(const Kernel& of_symbols, const Kernel& of_counts,
                          SetCounts counts = SetCounts::raw);

/// exp(−gamma·MMD²(A, B)), MMD² = mean k(a, a′) + mean k(b, b′) − 2 mean k(a, b): the distance of the means
/// of the members in the feature space; the mean of an empty set is 0.
///                                                         Gretton et al. 2012; Muandet, Fukumizu et al. 2012
Kernel mmd_kernel(const Kernel& of_members, double gamma = 1);

}  // namespace mercer
