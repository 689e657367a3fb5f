// Sparse Gaussian process: 100 evaluations of the evidence lower bound with its gradient, as many as 100
// quasi-Newton steps take, of n = 100,000 rows and 500 inducing points. No program of Debian's does the same;
// the line below it is the bare matrix products that an evaluation cannot do without: n·m² operations each
// for L⁻¹K and its Gram matrix, 2·n·m² for the derivatives.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "base/blas.hpp"
#include "base/parallel.hpp"
#include "base/random.hpp"
#include "solvers/maximise.hpp"
#include "solvers/sparse_evidence.hpp"

int main(int count, char** words) {
  using namespace mercer;
  const std::size_t n = count > 1 ? std::strtoul(words[1], nullptr, 10) : 100000, m = 500, d = 8;
  const auto now = [] { return std::chrono::steady_clock::now(); };
  const auto seconds = [&](auto since) { return std::chrono::duration<double>(now() - since).count(); };
  Random random(1);
  std::vector<std::vector<double>> rows;
  SparseEvidence::Data data{{}, {}, 1, std::vector<double>(n, 1.0), {}};
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<double> x(d);
    for (double& value : x) value = random.normal();
    data.targets.push_back(std::sin(x[0]) + std::cos(x[1] + x[2]) + 0.5 * x[0] * x[2] +
                           0.1 * random.normal());
    rows.push_back(std::move(x));
  }
  data.points = Points(rows);
  rows.resize(m);
  data.inducing = Points(rows);
  SparseEvidence bound(std::move(data), KernelCoordinates(Kernel::parse("1*rbf(gamma=0.2)")), 0, {});
  std::vector<double> start = bound.coordinates().start();
  start.push_back(std::log(0.1));
  Box box;
  for (const double t : start) box.low.push_back(t - 8), box.high.push_back(t + 8);
  const auto begin = now();
  const Maximum found = search([&](auto t, auto gradient) { return bound.value(t, gradient); }, box, start,
                               {.gain = 0, .most_evaluations = 100});
  const double took = seconds(begin);
  const std::size_t height = 512;
  std::vector<double> A(height * m, 0.5), B(m * m, 0.5);
  std::vector<std::vector<double>> products(std::size_t(hardware_threads()), std::vector<double>(height * m));
  const auto first = now();
  parallel_for(products.size(), 0, [&](std::size_t p) {
    const SingleThreadedBlas one_thread;
    for (std::size_t block = p; block < 2 * n / height; block += products.size())
      gemm(CblasNoTrans, CblasNoTrans, height, m, m, 1, A.data(), m, B.data(), m, 0, products[p].data(), m);
  });
  const double bare = seconds(first);
  std::printf(
      "| n | inducing | evaluations with gradient | s | s each | bare products, s | bound "
      "|\n|---:|---:|---:|---:|---:|---:|---:|\n");
  std::printf("| %zu | %zu | %zu | %.1f | %.3f | %.3f | %.2f |\n", n, m, found.evaluations, took,
              took / double(found.evaluations), bare, found.value);
}
