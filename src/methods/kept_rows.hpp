// What the methods that keep their training rows share (nearest neighbours, kernel regression, local
// regression): the rows are the expansion's points, their targets its coefficients (of classes 1 for the own
// one and 0 for the others), and Fitted::kept has what else is known of them.
#pragma once

#include <algorithm>
#include <numeric>
#include <string_view>

#include "base/parallel.hpp"
#include "methods/rows.hpp"
#include "methods/watch.hpp"
#include "mercer/kernel_operator.hpp"

namespace mercer {

/// A model that predicts from these rows, by shares of the classes or by values.
Fitted keep_rows(const Training& training, const Rows& rows);

/// How a model file has them: one list of numbers, the mean, the weights and k(x, x). None where it has not
/// as many as `rows` rows of `width` targets need.
std::vector<double> to_numbers(const KeptTargets& kept);
std::optional<KeptTargets> kept_targets(std::span<const double> numbers, std::size_t width, std::size_t rows,
                                        bool has_self);

/// The rows of such a model.
struct KeptRows {
  /// Throws Error{data} where the model, which may come from a file, does not fit together.
  /// `has_self`: the method keeps k(x, x) of each row.
  KeptRows(const Fitted& fitted, std::string_view method, bool has_self = false);

  const Kernel& kernel;
  const Points& points;
  std::size_t width;                ///< outputs, or classes
  std::span<const double> targets;  ///< rows × width
  std::span<const double> mean;     ///< of the targets, weighted: width numbers
  std::span<const double> weights;  ///< one per row; empty: all 1
  std::span<const double> self;     ///< k(x, x) of each row, where the method keeps it

  std::size_t size() const noexcept { return points.rows(); }
  double weight(std::size_t i) const noexcept { return weights.empty() ? 1 : weights[i]; }
};

/// Predicts the kept rows (rows × width), each from the others, and adds how well that went to the report:
/// the accuracy, or the root of the mean squared error. Left out where there is one row, where there are more
/// than `most`, or where the time is over. `predict` fills in the predictions and is given a progress that
/// throws where it should stop.
void report_leave_one_out(Watch& watch, Fitted& fitted, const KeptRows& rows, std::size_t most,
                          const std::function<void(std::span<double>, const Progress&)>& predict);

/// How well predictions (rows × width) of the kept rows went: the accuracy, or the root of the mean squared
/// error.
double score_of(const KeptRows& rows, Rule rule, std::span<const double> predictions);

/// Calls work(K, rows, first) for blocks of `tile_rows` rows of K = k(at, points): `rows` of K are the rows
/// first + rows of `at`. K is made for a few thousand rows at a time, so that memory stays flat.
template <class T, class Work>
void for_row_blocks(const Kernel& kernel, const Points& at, const Points& points, std::size_t tile_rows,
                    int threads, const Progress& progress, const Work& work) {
  constexpr std::size_t rows_at_once = 4096;
  for (std::size_t first = 0; first < at.rows(); first += rows_at_once) {
    const std::size_t count = std::min(rows_at_once, at.rows() - first);
    std::vector<std::size_t> chosen(count);
    std::iota(chosen.begin(), chosen.end(), first);
    const KernelOperator<T> K(kernel, at.select_rows(chosen), points, {.threads = threads});
    const double n = double(at.rows());
    const Progress part = progress.part(double(first) / n, double(first + count) / n);
    parallel_for((count + tile_rows - 1) / tile_rows, threads, part, "prediction", [&](std::size_t block) {
      work(K, Range{block * tile_rows, std::min((block + 1) * tile_rows, count)}, first);
    });
  }
}

}  // namespace mercer
