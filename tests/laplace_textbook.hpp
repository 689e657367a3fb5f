// Laplace's approximation as the textbook writes it (Rasmussen & Williams 2006, alg. 3.1 and 3.2), in loops:
// what the solver and the method are compared with.
#pragma once

#include <cmath>
#include <functional>
#include <vector>

namespace mercer::testing {

using TextbookMatrix = std::vector<std::vector<double>>;

/// L of A = LLᵀ.
inline TextbookMatrix textbook_cholesky(const TextbookMatrix& A) {
  const std::size_t n = A.size();
  TextbookMatrix L(n, std::vector<double>(n, 0));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = A[i][j];
      for (std::size_t c = 0; c < j; ++c) sum -= L[i][c] * L[j][c];
      L[i][j] = i == j ? std::sqrt(sum) : sum / L[j][j];
    }
  return L;
}

inline std::vector<double> textbook_forward(const TextbookMatrix& L, std::vector<double> b) {
  for (std::size_t i = 0; i < b.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) b[i] -= L[i][j] * b[j];
    b[i] /= L[i][i];
  }
  return b;
}

inline std::vector<double> textbook_backward(const TextbookMatrix& L, std::vector<double> b) {
  for (std::size_t i = b.size(); i-- > 0;) {
    for (std::size_t j = i + 1; j < b.size(); ++j) b[i] -= L[j][i] * b[j];
    b[i] /= L[i][i];
  }
  return b;
}

/// The mode, the evidence and the predictions for signs y = ±1 with weights w.
struct LaplaceTextbook {
  TextbookMatrix L;
  std::vector<double> f, a, roots;
  double log_q = 0;

  LaplaceTextbook(const TextbookMatrix& K, const std::vector<double>& y, const std::vector<double>& w) {
    const std::size_t n = K.size();
    f.assign(n, 0);
    roots.assign(n, 0);
    for (int step = 0; step < 60; ++step) {
      std::vector<double> b(n), Kb(n, 0);
      for (std::size_t i = 0; i < n; ++i) {
        const double p = 1 / (1 + std::exp(-f[i])), W = w[i] * p * (1 - p);
        roots[i] = std::sqrt(W);
        b[i] = W * f[i] + w[i] * ((y[i] + 1) / 2 - p);
      }
      TextbookMatrix B(n, std::vector<double>(n));
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
          B[i][j] = (i == j ? 1 : 0) + roots[i] * K[i][j] * roots[j];
          Kb[i] += K[i][j] * b[j];
        }
      L = textbook_cholesky(B);
      for (std::size_t i = 0; i < n; ++i) Kb[i] *= roots[i];
      const std::vector<double> x = textbook_backward(L, textbook_forward(L, Kb));
      a = b;
      for (std::size_t i = 0; i < n; ++i) a[i] -= roots[i] * x[i];
      for (std::size_t i = 0; i < n; ++i) {
        f[i] = 0;
        for (std::size_t j = 0; j < n; ++j) f[i] += K[i][j] * a[j];
      }
    }
    for (std::size_t i = 0; i < n; ++i)
      log_q += -0.5 * a[i] * f[i] - w[i] * std::log(1 + std::exp(-y[i] * f[i])) - std::log(L[i][i]);
  }

  double mean(const std::vector<double>& k) const {
    double sum = 0;
    for (std::size_t i = 0; i < k.size(); ++i) sum += a[i] * k[i];
    return sum;
  }
  double variance(std::vector<double> k, double own) const {
    for (std::size_t i = 0; i < k.size(); ++i) k[i] *= roots[i];
    for (const double v : textbook_forward(L, k)) own -= v * v;
    return own;
  }
};

/// ∫ σ(f) N(f | mean, variance) df by the trapezoid rule, which converges faster than any power for it.
inline double average_of_sigmoid(double mean, double variance) {
  if (variance == 0) return 1 / (1 + std::exp(-mean));
  double sum = 0, mass = 0;
  for (double z = -12; z <= 12; z += 1.0 / 256) {
    const double density = std::exp(-0.5 * z * z);
    sum += density / (1 + std::exp(-(mean + std::sqrt(variance) * z)));
    mass += density;
  }
  return sum / mass;
}

}  // namespace mercer::testing
