// What a fit does before and after the method's own work: the weights of the rows, whether a given matrix is
// a kernel, advice to scale, and the calibration of probabilities.
#pragma once

#include <optional>

#include "mercer/error.hpp"
#include "mercer/model.hpp"

namespace mercer {

/// How much each row counts: the data's weights times those of the classes. One per row, or none where all
/// count the same. Throws Error{data} for a weight that is none, Error{usage} for class weights that have no
/// meaning here.
std::vector<double> row_weights(const Dataset& data, const FitOptions& options);

/// No rule can prove a kernel matrix that somebody else computed, but it can be looked at: whether the kernel
/// is `precomputed` and the matrix that it reads from these points is symmetric and positive semidefinite, up
/// to the rounding of its numbers (to float32, where all of them are such numbers). O(n³), by a Cholesky
/// factor.
bool given_matrix_is_psd(const Kernel& kernel, const Points& points, int threads);

/// Advice to scale the columns: where their ranges differ by a factor of a hundred, or, where the fit has
/// trouble already, by ten, or a column lies a hundred times its range away from 0. None otherwise, and for
/// points without columns.
std::optional<Note> scaling_advice(const Points& points, bool in_trouble);

/// Fits the model's sigmoids, or the scale of its noise: each row's scores come from a fit on the folds that
/// the row is not in; the row of a class of one counts as taken for one of the others. Folds are the
/// options', or stratified ones that depend on the seed alone. Throws Error{data} where each class, or a
/// regression, has a single row. Of novelty: the density marks, from the rows' own scores.
void calibrate(Model& model, const Training& training);

}  // namespace mercer
