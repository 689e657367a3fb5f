// How far is a Gram matrix from the bare matrix product it contains?
//   bench_gram              against OpenBLAS's sgemm, n = 10,000, d = 784, float32, one thread, same run
//   bench_gram rbf N D      seconds of one N × N RBF matrix of D columns, for comparison with other programs
#include <cblas.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "mercer/kernel_operator.hpp"

namespace {

using namespace mercer;

Points random_points(std::size_t n, std::size_t d, std::uint64_t seed) {
  Random random(seed);
  Dense<float> points{n, d, Buffer<float>(n * d)};
  for (float& value : points.values) value = float(random.normal());
  return Points(std::move(points));
}

double seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> times) {
  std::ranges::sort(times);
  return times[times.size() / 2];
}

struct Case {
  std::string name;
  std::function<void()> work;
  std::vector<double> times = {};
};

void against_sgemm(std::size_t n, std::size_t d, int rounds) {
  const Points x = random_points(n, d, 1), z = random_points(n, d, 2);
  const auto* a = std::get<Dense<float>>(x.storage()).values.data();
  const auto* b = std::get<Dense<float>>(z.storage()).values.data();
  Buffer<float> out(n * n, 0.0f);
  const std::string gamma = std::to_string(1.0 / double(d));
  const std::string five = "rbf(gamma=" + gamma +
                           ") + 0.5*laplace(lambda=0.1) + linear + poly(degree=2, scale=0.01) + "
                           "rational_quadratic(length=20)";
  const auto gram = [&](const std::string& text, bool cross) {
    const OperatorOptions one{.threads = 1};
    const Kernel k = Kernel::parse(text);
    (cross ? KernelOperator<float>(k, x, z, one) : KernelOperator<float>(k, x, one)).matrix(out);
  };
  const auto blas = [&](int count) { return blasint(count); };
  std::vector<Case> cases{
      {"sgemm, bare",
       [&] {
         cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, blas(int(n)), blas(int(n)), blas(int(d)), 1, a,
                     blas(int(d)), b, blas(int(d)), 0, out.data(), blas(int(n)));
       }},
      {"ssyrk, bare",
       [&] {
         cblas_ssyrk(CblasRowMajor, CblasLower, CblasNoTrans, blas(int(n)), blas(int(d)), 1, a, blas(int(d)),
                     0, out.data(), blas(int(n)));
       }},
      {"rbf, two sets", [&] { gram("rbf(gamma=" + gamma + ")", true); }},
      {"rbf, one set with itself", [&] { gram("rbf(gamma=" + gamma + ")", false); }},
      {"sum of five leaves, two sets", [&] { gram(five, true); }},
      {"sum of five leaves, one set", [&] { gram(five, false); }},
  };
  for (int round = 0; round < rounds; ++round)
    for (Case& c : cases) c.times.push_back(seconds(c.work));
  const double gemm = median(cases[0].times);
  std::printf("| n = %zu, d = %zu, float32, 1 thread | seconds | times sgemm |\n|---|---|---|\n", n, d);
  for (const Case& c : cases)
    std::printf("| %s | %.3f | %.2f |\n", c.name.c_str(), median(c.times), median(c.times) / gemm);
  std::printf("\nfive leaves / one RBF leaf: %.2f (two sets), %.2f (one set)\n",
              median(cases[4].times) / median(cases[2].times),
              median(cases[5].times) / median(cases[3].times));
}

}  // namespace

int main(int argc, char** argv) {
  openblas_set_num_threads(1);
  if (argc == 4 && std::string(argv[1]) == "rbf") {
    const std::size_t n = std::strtoull(argv[2], nullptr, 10), d = std::strtoull(argv[3], nullptr, 10);
    const Points x = random_points(n, d, 1), z = random_points(n, d, 2);
    Buffer<float> out(n * n, 0.0f);
    std::vector<double> times;
    for (int round = 0; round < 3; ++round)
      times.push_back(seconds([&] {
        KernelOperator<float>(Kernel::parse("rbf(gamma=" + std::to_string(1.0 / double(d)) + ")"), x, z,
                              {.threads = 1})
            .matrix(out);
      }));
    std::printf("%.6f\n", median(times));
    return 0;
  }
  against_sgemm(argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 10000, 784, 3);
}
