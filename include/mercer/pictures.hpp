// Pictures of losses, of data seen by a kernel and of how good a model is: each function gives SVG text
// (mercer/picture.hpp).
//
// Predictions are those of the target's rows; their codes are indices into the target's labels, and their
// probabilities have a column for each label. Error{usage} is thrown where they do not belong together,
// Error{data} where there is too little to draw.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "mercer/lambda_path.hpp"
#include "mercer/learning_curve.hpp"
#include "mercer/loss.hpp"
#include "mercer/model.hpp"
#include "mercer/tune.hpp"

namespace MERCER_EXPORT mercer {

/// Losses as functions: of the margin y·f those of signs (and of two classes), of the residual y − f those of
/// numbers, of the answer f those of counts, each kind in a panel of its own. Throws Error{usage} where there
/// are none.
std::string loss_picture(const std::vector<AnyLoss>& losses);

/// The part of a class that is found against the part of the others that is taken for it. Of two classes one
/// curve, for the second label, by the decision values; of more, each class against the others by its
/// probability or else its decision values.
std::string roc_picture(const Target& truth, const Predictions& predictions,
                        const std::string& title = "ROC");

/// The part of what is taken for a class that is right, against the part of the class that is found; curves
/// as in roc_picture.
std::string precision_recall_picture(const Target& truth, const Predictions& predictions,
                                     const std::string& title = "Precision and recall");

/// How often the answer is right against how probable the model said it is, with 95 % intervals, and how many
/// rows there are of each. Of two classes: the second label; of more: the class predicted.
std::string calibration_picture(const Target& truth, const Predictions& predictions,
                                const std::string& title = "Calibration");

/// How many rows of each class were taken for which. Of more than 30 classes, the 30 with the most mistakes.
std::string confusion_picture(const Target& truth, const Predictions& predictions,
                              const std::string& title = "Confusion");

/// Two panels: predicted against true, and the residual (true − predicted) against predicted.
std::string residual_picture(const Target& truth, const Predictions& predictions,
                             const std::string& title = "Residuals");

/// The eigenvalues of a Gram matrix, in any order, on a logarithmic axis, and the share of their sum that the
/// first ones have.
std::string spectrum_picture(std::span<const double> eigenvalues, const std::string& title = "Spectrum");

/// The scores of a search around its best setting: over the two first axes with several values a map of
/// cells, over one a line with standard errors; other axes are held at the best. Throws Error{usage} where no
/// axis has several values.
std::string search_picture(const Search& search, const std::string& title = "Validation");

/// The error of rows left out against λ, on a logarithmic axis, with the best one marked, and the degrees of
/// freedom.
std::string lambda_path_picture(const LambdaPath& path, const std::string& title = "Leave-one-out");

/// The scores of rows learned from and of rows left out against how many were learned from, with their
/// standard errors.
std::string learning_curve_picture(const LearningCurve& curve, const std::string& title = "Learning curve");

}  // namespace mercer
