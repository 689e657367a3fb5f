// A curve for each class against the others, as ROC and precision–recall pictures draw them, and what all
// pictures of predicted classes check.
#pragma once

#include <string>
#include <vector>

#include "mercer/model.hpp"
#include "model_selection/ranking.hpp"
#include "plot/chart.hpp"

namespace mercer {

struct ClassCurve {
  std::size_t label;           ///< of the target
  std::vector<bool> positive;  ///< the rows of this class
  std::vector<double> scores;  ///< larger where the model leans to it
  RankingCurve curve = {};
  double area = 0;
};

/// Throws Error{usage} where predictions and target do not belong together.
void check_class_predictions(const Target& truth, const Predictions& predictions);
/// Also where there are no probabilities.
void check_probabilities(const Target& truth, const Predictions& predictions);

/// Of two classes one, for the second label; of more one for each that some rows have and others have not.
/// Throws Error{data} where there is none.
std::vector<ClassCurve> class_curves(const Target& truth, const Predictions& predictions);

/// Draws up to eight in the colours of their classes; of more, the six with the smallest area stand out.
/// `overall`: what is said below of all curves together; empty: the mean of their areas.
void draw_curves(Chart& chart, const Target& truth, const std::vector<ClassCurve>& curves,
                 const char* area_name, const std::string& overall = {});

}  // namespace mercer
