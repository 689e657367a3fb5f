#include "methods/calibration.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mercer {

double Sigmoid::operator()(double score) const noexcept {
  const double z = slope * score + offset;
  return z >= 0 ? std::exp(-z) / (1 + std::exp(-z)) : 1 / (1 + std::exp(z));
}

namespace {

// Σ of −t log p − (1 − t) log(1 − p), written so that nothing overflows.
double cost(std::span<const double> scores, const std::vector<double>& targets, const Sigmoid& s) {
  double sum = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const double z = s.slope * scores[i] + s.offset;
    sum +=
        z >= 0 ? targets[i] * z + std::log1p(std::exp(-z)) : (targets[i] - 1) * z + std::log1p(std::exp(z));
  }
  return sum;
}

}  // namespace

Sigmoid fit_sigmoid(std::span<const double> scores, const std::vector<bool>& first_class) {
  const auto positives = double(std::ranges::count(first_class, true)),
             negatives = double(first_class.size()) - positives;
  std::vector<double> targets;
  for (const bool first : first_class)
    targets.push_back(first ? (positives + 1) / (positives + 2) : 1 / (negatives + 2));
  Sigmoid s{0, std::log((negatives + 1) / (positives + 1))};
  double value = cost(scores, targets, s);
  for (int round = 0; round < 100; ++round) {
    double h11 = 1e-12, h22 = 1e-12, h21 = 0, g1 = 0, g2 = 0;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const double p = s(scores[i]), weight = p * (1 - p), difference = targets[i] - p;
      h11 += scores[i] * scores[i] * weight;
      h22 += weight;
      h21 += scores[i] * weight;
      g1 += scores[i] * difference;
      g2 += difference;
    }
    if (std::abs(g1) < 1e-9 && std::abs(g2) < 1e-9) break;
    const double determinant = h11 * h22 - h21 * h21;
    const double step1 = -(h22 * g1 - h21 * g2) / determinant, step2 = -(-h21 * g1 + h11 * g2) / determinant;
    const double descent = g1 * step1 + g2 * step2;
    double length = 1;
    for (; length >= 1e-10; length /= 2) {
      const Sigmoid next{s.slope + length * step1, s.offset + length * step2};
      const double next_value = cost(scores, targets, next);
      if (next_value < value + 1e-4 * length * descent) {
        s = next;
        value = next_value;
        break;
      }
    }
    if (length < 1e-10) break;
  }
  if (s.slope > 0)
    return {0, std::log((negatives + 1) / (positives + 1))};  // the scores say nothing: the classes' sizes do
  return s;
}

std::vector<double> couple(std::span<const double> pairs, std::size_t classes) {
  const std::size_t k = classes;
  constexpr double least = 1e-7;
  std::vector<double> r(k * k, 0), Q(k * k, 0), p(k, 1.0 / double(k)), Qp(k);
  std::size_t pair = 0;
  for (std::size_t i = 0; i < k; ++i)
    for (std::size_t j = i + 1; j < k; ++j, ++pair) {
      r[i * k + j] = std::clamp(pairs[pair], least, 1 - least);
      r[j * k + i] = 1 - r[i * k + j];
    }
  for (std::size_t i = 0; i < k; ++i)
    for (std::size_t j = 0; j < k; ++j) {
      if (i == j) continue;
      Q[i * k + i] += r[j * k + i] * r[j * k + i];
      Q[i * k + j] = -r[j * k + i] * r[i * k + j];
    }
  for (int round = 0; round < std::max(100, int(k)); ++round) {
    double pQp = 0;
    for (std::size_t t = 0; t < k; ++t) {
      Qp[t] = 0;
      for (std::size_t j = 0; j < k; ++j) Qp[t] += Q[t * k + j] * p[j];
      pQp += p[t] * Qp[t];
    }
    double worst = 0;
    for (const double value : Qp) worst = std::max(worst, std::abs(value - pQp));
    if (worst < 1e-9 / double(k)) break;
    for (std::size_t t = 0; t < k; ++t) {
      const double change = (pQp - Qp[t]) / Q[t * k + t];
      p[t] += change;
      pQp = (pQp + change * (change * Q[t * k + t] + 2 * Qp[t])) / (1 + change) / (1 + change);
      for (std::size_t j = 0; j < k; ++j) {
        Qp[j] = (Qp[j] + change * Q[t * k + j]) / (1 + change);
        p[j] /= 1 + change;
      }
    }
  }
  return p;
}

double laplace_scale(std::span<const double> residuals) {
  const auto mean = [&](double largest) {
    double sum = 0, count = 0;
    for (const double residual : residuals)
      if (std::abs(residual) <= largest) sum += std::abs(residual), ++count;
    return sum / count;
  };
  const double deviation = std::sqrt(2.0) * mean(std::numeric_limits<double>::infinity());
  return mean(5 * deviation);
}

std::vector<double> density_marks(std::vector<double> scores) {
  constexpr std::size_t half = 5;
  std::ranges::sort(scores);
  const auto below = std::size_t(std::ranges::lower_bound(scores, 0.0) - scores.begin()),
             above = scores.size() - below;
  if (below < half || above < half) return {};
  std::vector<double> ends, marks;
  for (std::size_t i = 0; i < half; ++i) ends.push_back(scores[i * below / half]);
  ends.push_back(0);
  for (std::size_t i = 1; i <= half; ++i) ends.push_back(scores[below + i * above / half - 1]);
  for (std::size_t i = 0; i < 2 * half; ++i) marks.push_back((ends[i] + ends[i + 1]) / 2);
  return marks;
}

double inside_probability(std::span<const double> marks, double score) noexcept {
  if (score < marks.front()) return 0.001;
  if (score > marks.back()) return 0.999;
  const auto passed = std::ranges::upper_bound(marks, score) - marks.begin();
  return double(std::min<std::ptrdiff_t>(passed, std::ptrdiff_t(marks.size()) - 1)) / double(marks.size());
}

}  // namespace mercer
