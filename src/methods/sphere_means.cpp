#include "methods/sphere_means.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace mercer {

namespace {

constexpr std::size_t most_sphere_rounds = 300;

struct Sphere {
  std::size_t n, k;
  std::vector<double> places;  // n × k, rows of length 1
  std::span<const double> weights;

  double cosine(std::size_t i, const double* centre) const {
    return std::inner_product(centre, centre + k, places.data() + i * k, 0.0);
  }
};

void scale_to_one(double* row, std::size_t k) {
  const double length = std::sqrt(std::inner_product(row, row + k, row, 0.0));
  if (length > 0)
    for (std::size_t a = 0; a < k; ++a) row[a] /= length;
}

// k-means++ with 1 − cosine, half the squared distance.
std::vector<double> start(const Sphere& sphere, Random& random) {
  const auto& [n, k, places, weights] = sphere;
  std::vector<double> centres, nearest(n, 1), masses(n);
  for (std::size_t c = 0; c < k; ++c) {
    for (std::size_t i = 0; i < n; ++i) masses[i] = weights[i] * nearest[i];
    const std::size_t chosen = draw(masses, random);
    centres.insert(centres.end(), places.begin() + std::ptrdiff_t(chosen * k),
                   places.begin() + std::ptrdiff_t((chosen + 1) * k));
    for (std::size_t i = 0; i < n; ++i) {
      const double distance = std::max(0.0, 1 - sphere.cosine(i, centres.data() + c * k));
      nearest[i] = c == 0 ? distance : std::min(nearest[i], distance);
    }
  }
  return centres;
}

Assignment nearest_centres(const Sphere& sphere, const std::vector<double>& centres) {
  Assignment assignment(sphere.n, 0);
  std::vector<double> distances(sphere.n);
  for (std::size_t i = 0; i < sphere.n; ++i) {
    double best = -std::numeric_limits<double>::infinity();
    for (std::size_t c = 0; c < sphere.k; ++c)
      if (const double cosine = sphere.cosine(i, centres.data() + c * sphere.k); cosine > best)
        best = cosine, assignment[i] = std::int32_t(c);
    distances[i] = 1 - best;
  }
  fill_empty_clusters(assignment, sphere.k, distances);
  return assignment;
}

void move_centres(const Sphere& sphere, const Assignment& assignment, std::vector<double>& centres) {
  const std::size_t k = sphere.k;
  std::ranges::fill(centres, 0.0);
  for (std::size_t i = 0; i < sphere.n; ++i)
    for (std::size_t a = 0; a < k; ++a)
      centres[std::size_t(assignment[i]) * k + a] += sphere.weights[i] * sphere.places[i * k + a];
  for (std::size_t c = 0; c < k; ++c) scale_to_one(centres.data() + c * k, k);
}

SphereMeans climb(const Sphere& sphere, Random& random) {
  SphereMeans result;
  result.centres = start(sphere, random);
  result.assignment = nearest_centres(sphere, result.centres);
  for (std::size_t round = 0; round < most_sphere_rounds && !result.converged; ++round) {
    move_centres(sphere, result.assignment, result.centres);
    Assignment next = nearest_centres(sphere, result.centres);
    result.converged = next == result.assignment;
    if (!result.converged) result.assignment = std::move(next);
  }
  for (std::size_t i = 0; i < sphere.n; ++i)
    result.objective +=
        sphere.weights[i] *
        (1 - sphere.cosine(i, result.centres.data() + std::size_t(result.assignment[i]) * sphere.k));
  return result;
}

}  // namespace

SphereMeans sphere_means(std::span<const double> rows, std::size_t clusters, std::span<const double> weights,
                         std::size_t starts, std::uint64_t seed) {
  Sphere sphere{weights.size(), clusters, {rows.begin(), rows.end()}, weights};
  for (std::size_t i = 0; i < sphere.n; ++i) scale_to_one(sphere.places.data() + i * clusters, clusters);
  Random random(seed);
  SphereMeans best;
  for (std::size_t s = 0; s < starts; ++s) {
    SphereMeans found = climb(sphere, random);
    if (s == 0 || found.objective < best.objective) best = std::move(found);
  }
  const std::vector<std::size_t> before = number_by_first_row(best.assignment, clusters);
  std::vector<double> centres;
  for (const std::size_t c : before)
    centres.insert(centres.end(), best.centres.begin() + std::ptrdiff_t(c * clusters),
                   best.centres.begin() + std::ptrdiff_t((c + 1) * clusters));
  best.centres = std::move(centres);
  best.objective = std::max(0.0, best.objective);
  return best;
}

}  // namespace mercer
