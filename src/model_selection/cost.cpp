#include "model_selection/cost.hpp"

#include <algorithm>

#include "base/random.hpp"
#include "base/seconds.hpp"
#include "mercer/kernel_operator.hpp"

namespace mercer {

namespace {

/// Seconds that an entry of K takes on this machine, measured once: the second of two small matrices, as the
/// first one loads libraries too.
double seconds_of_an_entry() {
  static const double seconds = [] {
    constexpr std::size_t rows = 128, columns = 32;
    Random random(1);
    Dense<double> values{rows, columns, Buffer<double>(rows * columns)};
    for (double& value : values.values) value = random.normal();
    const Points points(std::move(values));
    std::vector<float> K(rows * rows);
    double taken = 0;
    for (int repeat = 0; repeat < 2; ++repeat) {
      const auto start = std::chrono::steady_clock::now();
      KernelOperator<float>(Kernel::parse("rbf(gamma=0.1)"), points, {.threads = 1}).matrix(K);
      taken = seconds_since(start);
    }
    return std::max(taken, 1e-9) / double(K.size());
  }();
  return seconds;
}

}  // namespace

// In entries of K: what is done with an entry is counted in how often it could have been computed. Only
// ratios matter once something was measured.
double CostModel::work(const CandidateLine& line, std::size_t rows) const {
  constexpr double solving = 3, fitting = 15;  // of a candidate, on a path over the held K or by itself
  constexpr double factoring = 0.08;           // of n × rank², a product of matrices
  constexpr double most_dense = 1600, rank_above = 800;  // rows that are factored whole; else the rank
  const double n = double(rows), candidates = double(line.size());
  switch (line.method->traits().search_cost) {
    case SearchCost::factorisation: {
      const double rank = n <= most_dense ? n : rank_above;
      return factoring * n * rank * rank;
    }
    case SearchCost::path:
      return (1 + solving * candidates) * n * n;
    case SearchCost::fits:
      break;
  }
  return fitting * candidates * double(folds_) * n * n;
}

void CostModel::add(const CandidateLine& line, std::size_t rows, double seconds) {
  const double expected = work(line, rows);
  for (Sums* sums : {&of_space_[line.space], &all_}) {
    sums->work += expected;
    sums->seconds += seconds;
  }
}

double CostModel::seconds(const CandidateLine& line, std::size_t rows) const {
  const auto own = of_space_.find(line.space);
  const Sums& known = own != of_space_.end() ? own->second : all_;
  return (known.work > 0 ? known.seconds / known.work : seconds_of_an_entry()) * work(line, rows);
}

}  // namespace mercer
