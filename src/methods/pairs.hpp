// Binary SVMs for several classes: one for each pair (Knerr, Personnaz & Dreyfus 1990), all of them over one
// expansion in LIBSVM's layout.
#pragma once

#include <functional>

#include "methods/svm_trainer.hpp"

namespace mercer {

/// A two-class machine: β of the rows of its classes, those of the positive class first.
using TwoClass = SvmTrainer::Answer;

/// fit(trainer, i, j) for each pair of parts i < j, i being positive.
Fitted fit_pairs(const Training& training,
                 const std::function<TwoClass(SvmTrainer&, std::size_t positive, std::size_t negative)>& fit);

/// Signed variables for the rows of both parts, positive first, with bounds scaled by the weights.
BoxQp two_class_problem(const SvmTrainer& trainer, std::size_t positive, std::size_t negative, double linear,
                        double bound);

}  // namespace mercer
