// From scores to probabilities.
#pragma once

#include <span>
#include <vector>

namespace mercer {

/// P(first class | score s) = 1 / (1 + exp(slope·s + offset)).
struct Sigmoid {
  double slope = -1, offset = 0;
  double operator()(double score) const noexcept;
};

/// The maximum-likelihood sigmoid with Platt's smoothed targets (Platt 1999), by Newton's method with
/// backtracking (Lin, Lin & Weng, A note on Platt's probabilistic outputs, SvmTrainer Learning 2007). The
/// slope is never positive: a higher score never makes the first class less likely.
Sigmoid fit_sigmoid(std::span<const double> scores, const std::vector<bool>& first_class);

/// Class probabilities p that agree best with those of the pairs, rᵢⱼ ≈ pᵢ/(pᵢ + pⱼ): the minimum of
/// Σᵢ Σⱼ≠ᵢ (rⱼᵢ pᵢ − rᵢⱼ pⱼ)² on the simplex (Wu, Lin & Weng, JMLR 2004, second method). `pairs`: rᵢⱼ for i <
/// j, in order.
std::vector<double> couple(std::span<const double> pairs, std::size_t classes);

/// The maximum-likelihood scale of Laplace noise, the mean of |residual|, over those within 5 standard
/// deviations (Lin & Weng, Simple probabilistic predictions for support vector regression, 2004).
double laplace_scale(std::span<const double> residuals);

/// The middles of ten bins, each with a fifth of the scores below 0 or of those above (Que & Lin, One-class
/// SVM probabilistic outputs, 2022). None where there are fewer than five of either.
std::vector<double> density_marks(std::vector<double> scores);
/// 0.001 below all marks, 0.999 above, and between them a tenth for each mark passed.
double inside_probability(std::span<const double> marks, double score) noexcept;

}  // namespace mercer
