// What the methods that keep their training rows share (nearest neighbours, kernel regression, local
// regression): the rows are the expansion's points, their targets its coefficients (of classes 1 for the own
// one and 0 for the others), and the state of the model is the mean target, the rows' weights where these are
// not all 1, and what else a method knows of each row.
#pragma once

#include <algorithm>
#include <numeric>
#include <string_view>

#include "base/parallel.hpp"
#include "methods/rows.hpp"
#include "methods/watch.hpp"
#include "mercer/gram.hpp"

namespace mercer {

/// A model that predicts from these rows, by shares of the classes or by values.
Fitted keep_rows(const Training& training, const Rows& rows);

/// The rows of such a model.
struct KeptRows {
  /// Throws Error{data} where the model, which may come from a file, does not fit together.
  /// `notes`: how many numbers per row the method has put behind the weights.
  KeptRows(const Fitted& fitted, std::string_view method, std::size_t notes = 0);

  const Kernel& kernel;
  const Points& points;
  std::size_t width;                ///< outputs, or classes
  std::span<const double> targets;  ///< rows × width
  std::span<const double> mean;     ///< of the targets, weighted: width numbers
  std::span<const double> weights;  ///< one per row; empty: all 1
  std::span<const double> notes;    ///< what else the method knows of each row

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

/// Calls task(K, rows, first) for blocks of `tile_rows` rows of K = k(at, points): `rows` of K are the rows
/// first + rows of `at`. K is made for a few thousand rows at a time, so that memory stays flat.
template <class T, class Task>
void for_row_blocks(const Kernel& kernel, const Points& at, const Points& points, std::size_t tile_rows,
                    int threads, const Progress& progress, const Task& task) {
  constexpr std::size_t rows_at_once = 4096;
  for (std::size_t first = 0; first < at.rows(); first += rows_at_once) {
    const std::size_t count = std::min(rows_at_once, at.rows() - first);
    std::vector<std::size_t> chosen(count);
    std::iota(chosen.begin(), chosen.end(), first);
    const Gram<T> K(kernel, at.select_rows(chosen), points, {.threads = threads});
    Progress part;
    if (progress)
      part = [&](std::string_view what, double fraction) {
        return progress(what, (double(first) + fraction * double(count)) / double(at.rows()));
      };
    parallel_for((count + tile_rows - 1) / tile_rows, threads, part, "prediction", [&](std::size_t block) {
      task(K, Range{block * tile_rows, std::min((block + 1) * tile_rows, count)}, first);
    });
  }
}

}  // namespace mercer
