#include "methods/clusters.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "mercer/error.hpp"

namespace mercer {

std::size_t draw(std::span<const double> masses, Random& random) {
  double total = 0;
  for (const double mass : masses) total += mass;
  double left = random.uniform() * total;
  std::size_t last = 0;
  for (std::size_t i = 0; i < masses.size(); ++i) {
    if (masses[i] <= 0) continue;
    last = i;
    left -= masses[i];
    if (left < 0) break;
  }
  return last;
}

void fill_empty_clusters(Assignment& assignment, std::size_t clusters, std::span<const double> distances) {
  std::vector<std::size_t> sizes(clusters, 0);
  for (const std::int32_t c : assignment) ++sizes[std::size_t(c)];
  std::vector<bool> moved(assignment.size(), false);
  for (std::size_t empty = 0; empty < clusters; ++empty) {
    if (sizes[empty] > 0) continue;
    std::size_t farthest = assignment.size();
    for (std::size_t i = 0; i < assignment.size(); ++i)
      if (!moved[i] && sizes[std::size_t(assignment[i])] > 1 &&
          (farthest == assignment.size() || distances[i] > distances[farthest]))
        farthest = i;
    --sizes[std::size_t(assignment[farthest])];
    ++sizes[empty];
    assignment[farthest] = std::int32_t(empty);
    moved[farthest] = true;
  }
}

std::vector<std::size_t> number_by_first_row(Assignment& assignment, std::size_t clusters) {
  std::vector<std::int32_t> number(clusters, -1);
  std::vector<std::size_t> before;
  for (std::int32_t& c : assignment) {
    std::int32_t& its = number[std::size_t(c)];
    if (its < 0) its = std::int32_t(before.size()), before.push_back(std::size_t(c));
    c = its;
  }
  return before;
}

std::vector<double> cluster_weights(const Assignment& assignment, std::size_t clusters,
                                    std::span<const double> weights) {
  std::vector<double> sums(clusters, 0);
  for (std::size_t i = 0; i < assignment.size(); ++i) sums[std::size_t(assignment[i])] += weights[i];
  return sums;
}

void check_cluster_count(std::string_view method, std::size_t clusters, std::size_t rows) {
  if (clusters > rows)
    throw Error(ErrorCode::invalid_argument,
                fmt::format("{} clusters of {} row{}", clusters, rows, rows == 1 ? "" : "s"),
                {.owner = std::string(method), .hint = "there are at most as many clusters as rows"});
}

void name_clusters(Fitted& fitted, const Assignment& assignment, std::size_t clusters) {
  Diagnostic rows{"cluster_rows", "rows in cluster", {}, "rows"};
  for (std::size_t c = 0; c < clusters; ++c) {
    fitted.clusters.push_back(std::to_string(c + 1));
    rows.values.push_back(double(std::ranges::count(assignment, std::int32_t(c))));
  }
  rows.names = fitted.clusters;
  fitted.report.diagnostics.push_back(std::move(rows));
}

}  // namespace mercer
