#include <cmath>
#include <cstdio>

#include "mercer/error.hpp"
#include "mercer/kernel_operator.hpp"
#include "mercer/kernels.hpp"
#include "mercer/methods.hpp"
#include "mercer/model.hpp"
#include "mercer/version.hpp"

using namespace mercer;

/// Formulas made here are called by the library, and its classes by templates that are made here.
struct Cauchy {
  static constexpr std::string_view name = "cauchy", formula = "1/(1 + ‖x−z‖²)", summary = "heavy tails";
  static constexpr LeafTraits traits{.statistic = Statistic::squared_distance};
  static void params(auto&&) {}
  Properties properties() const { return {.psd = true, .radial = true, .bound = 1, .diagonal = 1}; }
  Symbol operator()(Symbol d2) const { return 1 / (1 + d2); }
};

double entry(const Kernel& k, const Points& points) {
  std::vector<double> K(9);
  KernelOperator<double>(k, points).matrix(K);
  return K[1];
}

bool refuses_unknown_kernels() {
  try {
    Kernel::parse("rbff(gamma=1)");
  } catch (const Error& error) {
    return error.code() == ErrorCode::unknown_name;
  }
  return false;
}

int main() {
  const Points points({{0.0, 1.0}, {1.0, 1.0}, {2.0, -1.0}});
  const Kernel k = 0.5 * rbf({.gamma = 0.1}) + poly({.degree = 2}) * linear();
  const double expected = 0.5 * std::exp(-0.1) + 4.0;  // rows 1 and 2: ‖x − z‖² = 1, xᵀz = 1
  std::printf("mercer %s: %s\nk(row 1, row 2) = %.15g\n", version(), k.text().c_str(), entry(k, points));
  const Dataset data{.points = points, .target = {.task = Task::regression, .values = {1, 2, 3}}};
  const Model model = fit(Ridge{.lambda = 1e-9}, Maker<Cauchy>{}(), data);
  const bool right = std::abs(entry(k, points) - expected) < 1e-14 &&
                     std::abs(entry(Maker<Cauchy>{}(), points) - 0.5) < 1e-14 &&
                     std::abs(model.predict(points).values[2] - 3) < 1e-3 && refuses_unknown_kernels();
  return right ? 0 : 1;
}
