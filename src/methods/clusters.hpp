// What methods that find clusters share: how a start is drawn, how no cluster stays empty, and how clusters
// are numbered.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "mercer/fit.hpp"

namespace mercer {

/// The cluster of each row, from 0.
using Assignment = std::vector<std::int32_t>;

/// An index with probability in proportion to its mass; masses are ≥ 0 and one is above.
std::size_t draw(std::span<const double> masses, Random& random);

/// A cluster without rows gets the row that lies farthest from the centre of its own, among those of clusters
/// of several.
void fill_empty_clusters(Assignment& assignment, std::size_t clusters, std::span<const double> distances);

/// The clusters in the order in which rows meet them. Returns the number each had before.
std::vector<std::size_t> number_by_first_row(Assignment& assignment, std::size_t clusters);

/// Σ of the weights of each cluster's rows.
std::vector<double> cluster_weights(const Assignment& assignment, std::size_t clusters,
                                    std::span<const double> weights);

/// Throws Error{usage} where there are fewer rows than clusters.
void check_cluster_count(std::string_view method, std::size_t clusters, std::size_t rows);

/// The names "1", "2", … and a fact of the rows in each.
void name_clusters(Fitted& fitted, const Assignment& assignment, std::size_t clusters);

}  // namespace mercer
