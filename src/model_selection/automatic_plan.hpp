// What an automatic fit begins with: the rows as its search sees them, what is tried on them and for how
// long.
#pragma once

#include "mercer/automatic.hpp"

namespace mercer {

struct PreparedSearch {
  Dataset data;
  Scaling::Kind scaling = Scaling::Kind::none;
  Points scaled = {};  ///< as the kernels see them
  std::vector<SearchSpace> spaces = {};
  TuneOptions tune = {};
};
PreparedSearch prepare_search(const Dataset& given, const AutomaticOptions& options);

/// Whether an axis has whole numbers only, which have nothing between them.
bool whole_numbers(const GridAxis& axis);
/// Whether candidates follow around the best, where it is of this space.
bool refines(const SearchSpace& space, const AutomaticOptions& options);

/// How long it will take: evaluates a line of each space on a few hundred rows and carries that over to the
/// rows of the search, its refinement, the fit on all rows and its assessment.
double measured_seconds(const std::vector<SearchSpace>& spaces, const Dataset& data, const Points& scaled,
                        const TuneOptions& tune);

}  // namespace mercer
