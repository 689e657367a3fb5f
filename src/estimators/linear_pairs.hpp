// Soft-margin machines with the linear kernel on many sparse rows, or on many objects whose kernel is a dot product of sparse features:
// coordinate descent on w itself, without the Gram matrix.
#pragma once

#include <functional>
#include <optional>

#include "mercer/fit.hpp"

namespace mercer {

/// The rows whose dot products are K, where that is the faster way here: the kernel is `linear`, and the rows are many, sparse and wide;
/// or the rows are the features of many objects. None otherwise.
std::optional<Points> linear_rows(const Training& training);

/// A C-SVC for each pair of classes; `price(rows)` is the C of a pair with so many rows. With the linear kernel the expansion has one
/// point a pair: its w, since k(w, x) = wᵀx. Of objects it has the support vectors.
Fitted fit_linear_pairs(const Training& training, const Points& rows, const std::function<double(std::size_t rows)>& price);

}  // namespace mercer
