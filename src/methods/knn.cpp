// The nearest rows of x maximise 2k(x, z) − k(z, z) = k(x, x) − d²(x, z): the distance itself is needed only
// to weigh them. k(z, z) of each kept row is in the model's state, since a precomputed kernel could not give
// it later.
//
// Tiles of K stream by; each row of a tile keeps the nearest so far in a heap whose top is the farthest of
// them. A row of weight w counts as w neighbours, so that weight 2 is the same as the row twice: the heap
// holds as many rows as reach the weight k, and the farthest of them counts for what is missing. Of equally
// near rows the first is taken.
#include "mercer/methods/knn.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "methods/kept_rows.hpp"
#include "mercer/error.hpp"
#include "mercer/geometry.hpp"

namespace mercer {

namespace {

constexpr std::size_t most_left_out = 20'000;  // a fit then takes seconds at most
constexpr std::size_t knn_tile_rows = 64, knn_tile_columns = 1024;

struct Neighbour {
  double nearness;  // 2k(x, z) − k(z, z)
  std::size_t row;
  // Nearer, so that the top of a heap is the farthest.
  bool operator<(const Neighbour& other) const noexcept {
    return nearness > other.nearness || (nearness == other.nearness && row < other.row);
  }
};

class Nearest {
 public:
  Nearest(const KeptRows& rows, double wanted) : rows_(rows), wanted_(wanted) {}

  /// The columns come in ascending order.
  void offer(const double* nearness, Range columns, std::size_t left_out) {
    for (std::size_t j = columns.begin; j < columns.end; ++j) {
      const double value = nearness[j - columns.begin];
      if (weight_ >= wanted_ && value <= heap_.front().nearness) continue;
      if (j == left_out) continue;
      heap_.push_back({value, j});
      std::push_heap(heap_.begin(), heap_.end());
      weight_ += rows_.weight(j);
      while (weight_ - rows_.weight(heap_.front().row) >= wanted_) {
        weight_ -= rows_.weight(heap_.front().row);
        std::pop_heap(heap_.begin(), heap_.end());
        heap_.pop_back();
      }
    }
  }

  std::vector<Neighbour> sorted() {
    std::sort(heap_.begin(), heap_.end());
    return std::move(heap_);
  }

 private:
  const KeptRows& rows_;
  double wanted_, weight_ = 0;
  std::vector<Neighbour> heap_;
};

struct Votes {
  const KeptRows& rows;
  double wanted;
  bool by_distance;

  // out = the mean target of the neighbours. At distance 0, up to rounding, only the rows that are there
  // count.
  void count(std::span<const Neighbour> neighbours, double self, double* out) const {
    const auto squared = [&](const Neighbour& n) {
      const double distance = self - n.nearness;
      const double rounding =
          16 * std::numeric_limits<double>::epsilon() * (std::abs(self) + std::abs(rows.self[n.row]));
      return distance <= rounding ? 0 : distance;
    };
    const bool meets =
        by_distance && std::ranges::any_of(neighbours, [&](const Neighbour& n) { return squared(n) == 0; });
    std::fill_n(out, rows.width, 0.0);
    double left = wanted, total = 0;
    for (const Neighbour& n : neighbours) {
      const double distance = squared(n);
      double weight = std::min(left, rows.weight(n.row));
      left -= weight;
      if (meets)
        weight = distance == 0 ? weight : 0;
      else if (by_distance)
        weight /= std::sqrt(distance);
      total += weight;
      for (std::size_t c = 0; c < rows.width; ++c) out[c] += weight * rows.targets[n.row * rows.width + c];
    }
    for (std::size_t c = 0; c < rows.width; ++c) out[c] /= total;
  }
};

void predict(const Knn& knn, const KeptRows& rows, const Points& at, bool leave_own_out,
             std::span<double> out, int threads, const Progress& progress) {
  const std::span<const double> own = rows.self;
  const bool by_distance = knn.weighting == Knn::Weighting::distance;
  const std::vector<double> self =
      by_distance ? self_similarities(rows.kernel, at, rows.points) : std::vector<double>(at.rows(), 0);
  const Votes votes{rows, double(knn.neighbours), by_distance};
  for_row_blocks<double>(rows.kernel, at, rows.points, knn_tile_rows, threads, progress,
                         [&](const KernelOperator<double>& K, Range block, std::size_t first) {
                           std::vector<double> tile(block.size() * std::min(knn_tile_columns, rows.size()));
                           std::vector<Nearest> nearest(block.size(), Nearest(rows, knn.neighbours));
                           for (std::size_t begin = 0; begin < rows.size(); begin += knn_tile_columns) {
                             const Range columns{begin, std::min(begin + knn_tile_columns, rows.size())};
                             K.tile(block, columns, std::span(tile).first(block.size() * columns.size()));
                             for (std::size_t i = 0; i < block.size(); ++i) {
                               double* row = tile.data() + i * columns.size();
                               for (std::size_t j = 0; j < columns.size(); ++j)
                                 row[j] = 2 * row[j] - own[begin + j];
                               nearest[i].offer(row, columns,
                                                leave_own_out ? first + block.begin + i : rows.size());
                             }
                           }
                           for (std::size_t i = 0; i < block.size(); ++i) {
                             const std::size_t row = first + block.begin + i;
                             votes.count(nearest[i].sorted(), self[row], out.data() + row * rows.width);
                           }
                         });
}

}  // namespace

Fitted Knn::fit(const Training& training) const {
  if (weighting == Weighting::distance && training.kernel.uses_precomputed())
    throw Error(ErrorCode::unsupported,
                "weighting=distance needs k(x, x) of new rows, which a precomputed kernel has not",
                {.owner = "knn", .hint = "take weighting=uniform"});
  Watch watch(training.options);
  Fitted fitted = keep_rows(training, Rows(training));
  fitted.kept.self = self_similarities(training.kernel, fitted.expansion.points, fitted.expansion.points);
  const KeptRows rows(fitted, name, true);
  report_leave_one_out(watch, fitted, rows, most_left_out,
                       [&](std::span<double> out, const Progress& progress) {
                         predict(*this, rows, rows.points, true, out, training.options.threads, progress);
                       });
  return fitted;
}

void Knn::evaluate(const Fitted& fitted, const Points& at, std::span<double> out, int threads,
                   const Progress& progress) const {
  predict(*this, KeptRows(fitted, name, true), at, false, out, threads, progress);
}

}  // namespace mercer
