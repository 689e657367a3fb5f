// Kernel ridge regression scored on held-out rows, for a whole path of penalties from one factorisation of K
// (solvers/ridge_path.hpp). Rows of one fold are left out together; where every row has a fold of its own
// that is leave-one-out.
//
// K is computed in float64: rounded to float32 it is not positive semidefinite to the smallest penalties. Up
// to 1,600 rows the answer is that of fits without each fold; of more, 800 columns stand for K unless its
// rank is lower: enough to compare settings.
#pragma once

#include "mercer/methods/ridge.hpp"

namespace mercer {

/// None where there is no such path: another parameter than the penalty in use, a penalty of 0, a kernel that
/// takes means over the rows, a choice that fit() makes itself, a fold with all rows, or too little memory.
std::optional<HeldOut> ridge_hold_out(const Ridge& ridge, const Validation& validation);

}  // namespace mercer
