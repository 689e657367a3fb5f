// What the tests of linear machines over weights share: small problems, and their objectives written out.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "base/random.hpp"
#include "mercer/points.hpp"

namespace mercer::testing {

struct LinearData {
  std::vector<std::vector<double>> rows;
  std::vector<double> y, C;
};

/// Two classes that overlap, or numbers, around a plane; the numbers of some rows are 0.
inline LinearData linear_data(std::size_t n, std::size_t d, std::uint64_t seed, bool classes) {
  Random random(seed);
  LinearData data;
  std::vector<double> plane(d);
  for (double& value : plane) value = random.normal();
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<double> row(d);
    double z = 0.3 + random.normal();
    for (std::size_t j = 0; j < d; ++j) {
      row[j] = random.uniform() < 0.3 ? 0 : random.normal();
      z += plane[j] * row[j];
    }
    data.rows.push_back(std::move(row));
    data.y.push_back(!classes ? z : z > 0 ? 1 : -1);
    data.C.push_back(random.uniform(0.2, 2));
  }
  return data;
}

/// f of a row by weights of its columns and, last, of the constant.
inline double value_of(const std::vector<double>& row, const std::vector<double>& w, double constant,
                       std::size_t begin = 0) {
  double f = constant != 0 ? constant * w[begin + row.size()] : 0;
  for (std::size_t j = 0; j < row.size(); ++j) f += row[j] * w[begin + j];
  return f;
}

/// The lowest value of a convex function that moves along coordinates, their sums and differences, with steps
/// that are halved, find from w: at a minimum none of them leads down.
inline double lower_nearby(const std::function<double(const std::vector<double>&)>& objective,
                           std::vector<double> w) {
  double best = objective(w);
  const auto attempt = [&](std::size_t a, double s, std::size_t b, double t) {
    w[a] += s, w[b] += t;
    const double value = objective(w);
    if (value < best)
      best = value;
    else
      w[a] -= s, w[b] -= t;
  };
  for (double step = 0.1; step > 1e-7; step /= 4)
    for (std::size_t a = 0; a < w.size(); ++a)
      for (std::size_t b = 0; b < w.size(); ++b)
        for (const double s : {step, -step})
          for (const double t : {step, 0.0, -step})
            if (a != b) attempt(a, s, b, t);
  return best;
}

}  // namespace mercer::testing
