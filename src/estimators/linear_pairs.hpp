// Soft-margin machines with the linear kernel on many sparse rows: coordinate descent on w itself, without the Gram matrix.
#pragma once

#include <functional>

#include "mercer/fit.hpp"

namespace mercer {

/// Whether that is the faster way here: the kernel is `linear`, and the rows are many, sparse and wide.
bool suits_linear_pairs(const Training& training);

/// A C-SVC for each pair of classes; `price(rows)` is the C of a pair with so many rows. The expansion has one point a
/// pair: its w, since k(w, x) = wᵀx.
Fitted fit_linear_pairs(const Training& training, const std::function<double(std::size_t rows)>& price);

}  // namespace mercer
