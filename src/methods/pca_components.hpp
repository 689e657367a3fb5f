// Kernel PCA from the eigenpairs of HKH, however these were found (pca.cpp).
#pragma once

#include "methods/rows.hpp"
#include "solvers/kernel_eigen.hpp"

namespace mercer {

/// Keeps the pairs that rounding lets one tell from 0. Error{rank_deficient} where these are fewer than
/// `count`; 0: as many as there are.
void keep_components(KernelEigen& eigen, std::size_t count, bool centred);

/// The model whose coordinates are the eigenvectors', with its report but for the seconds.
Fitted components_of(const Training& training, const Rows& rows, const KernelEigen& eigen, bool centre);

}  // namespace mercer
