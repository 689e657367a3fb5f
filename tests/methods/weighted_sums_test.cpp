#include "methods/weighted_sums.hpp"

#include "methods/problems.hpp"

namespace mercer {
namespace {

struct Problem {
  Points points;
  std::vector<double> V;  // n × 2
  std::vector<double> sums(const Kernel& kernel, const Points& at, bool leave_own_out = false,
                           int threads = 2) const {
    std::vector<double> out(at.rows() * 2);
    WeightedSums{kernel, points, V, 2}(at, leave_own_out ? std::optional<std::size_t>(0) : std::nullopt, out,
                                       threads, {});
    return out;
  }
};

Problem problem(std::size_t n, std::size_t cols, std::uint64_t seed, double far = 0) {
  Random random(seed);
  testing::Table rows(n, std::vector<double>(cols));
  Problem made;
  for (std::size_t i = 0; i < n; ++i) {
    for (double& value : rows[i]) value = random.normal() + (i % 2 ? far : 0);
    made.V.insert(made.V.end(), {random.normal(), random.uniform(0.5, 1)});
  }
  made.points = Points(rows);
  return made;
}

void expect_sums(const Problem& p, const Points& at, const std::vector<double>& found,
                 const testing::KernelFunction& k, double tolerance, std::size_t step = 1,
                 bool leave_own_out = false) {
  for (std::size_t i = 0; i < at.rows(); i += step) {
    double sums[2] = {0, 0}, size = 0;
    for (std::size_t j = 0; j < p.points.rows(); ++j) {
      if (leave_own_out && i == j) continue;
      const double weight = k(at.row(i), p.points.row(j));
      sums[0] += weight * p.V[2 * j];
      sums[1] += weight * p.V[2 * j + 1];
      size += weight;
    }
    for (const int c : {0, 1}) ASSERT_NEAR(found[2 * i + std::size_t(c)], sums[c], tolerance * size) << i;
  }
}

TEST(WeightedSums, AreThoseOfDoubleLoops) {
  const auto rbf = [](auto& x, auto& z) { return testing::rbf(x, z, 0.5); };
  for (const std::size_t n : {1u, 2u, 63u, 515u}) {
    const Problem p = problem(n, 3, 1);
    const Points at = problem(67, 3, 2).points;
    expect_sums(p, at, p.sums(Kernel::parse("rbf(gamma=0.5)"), at), rbf, 1e-12);
    expect_sums(p, p.points, p.sums(Kernel::parse("rbf(gamma=0.5)"), p.points, true), rbf, 1e-12, 1, true);
    expect_sums(
        p, at, p.sums(Kernel::parse("poly(degree=2)"), at),
        [](auto& x, auto& z) { return std::pow(testing::dot(x, z) + 1, 2); }, 1e-12);
  }
}

TEST(WeightedSums, OfManyRowsAreGoodToSixDigits) {
  for (const std::size_t cols : {2u, 12u}) {
    const Problem p = problem(2501, cols, 3);
    const Points at = problem(4110, cols, 4).points;
    const double gamma = 1 / double(cols);
    const Kernel kernel = Kernel::parse("rbf(gamma=" + std::to_string(gamma) + ")");
    const std::vector<double> found = p.sums(kernel, at, false, 1);
    expect_sums(
        p, at, found, [&](auto& x, auto& z) { return testing::rbf(x, z, std::stod(std::to_string(gamma))); },
        2e-6, 301);
    EXPECT_EQ(p.sums(kernel, at, false, 3), found);
  }
}

// Some are made in registers alone, the others in tiles: wide points, other kernels, bits.
TEST(WeightedSums, OfManyRowsAreGoodToSixDigitsWhateverTheKernel) {
  const auto agree = [](const Problem& p, const Points& at, const std::string& text,
                        const testing::KernelFunction& k) {
    const std::vector<double> found = p.sums(Kernel::parse(text), at, false, 1);
    expect_sums(p, at, found, k, 2e-6, 401);
    EXPECT_EQ(p.sums(Kernel::parse(text), at, false, 3), found) << text;
  };
  const Problem wide = problem(2501, 140, 3), narrow = problem(2501, 3, 3);
  agree(wide, problem(4110, 140, 4).points, "rbf(gamma=0.004)",
        [](auto& x, auto& z) { return testing::rbf(x, z, 0.004); });
  agree(narrow, problem(4110, 3, 4).points, "rational_quadratic(alpha=1, length=1)",
        [](auto& x, auto& z) { return 1 / (1 - std::log(testing::rbf(x, z, 0.5))); });
  const auto bits = [](Problem p) {
    testing::Table rows;
    for (std::size_t i = 0; i < p.points.rows(); ++i) {
      rows.push_back(p.points.row(i));
      for (double& value : rows.back()) value = value > 0;
    }
    p.points = Points(rows);
    return p;
  };
  agree(bits(problem(2501, 40, 3)), bits(problem(4110, 40, 4)).points, "rbf(gamma=0.05)",
        [](auto& x, auto& z) { return testing::rbf(x, z, 0.05); });
}

// Float32 cannot tell the rows of one cluster from each other where the other cluster is far away.
TEST(WeightedSums, AreComputedInFloat64WhereFloat32CannotTellTheRowsApart) {
  const Problem p = problem(3200, 2, 5, 1e7);
  const Points at = problem(3200, 2, 6, 1e7).points;
  expect_sums(
      p, at, p.sums(Kernel::parse("rbf(gamma=2)"), at),
      [](auto& x, auto& z) { return testing::rbf(x, z, 2); }, 1e-9, 171);
}

TEST(WeightedSums, OfRowsFarAwayAreExact) {
  const Problem p = problem(3200, 2, 7);
  testing::Table rows(3200, std::vector<double>{0.5, 0.5});
  for (std::size_t i = 0; i < rows.size(); i += 100) rows[i] = {9 + double(i) / 100, 0};
  const Points at(rows);
  expect_sums(
      p, at, p.sums(Kernel::parse("rbf(gamma=0.5)"), at),
      [](auto& x, auto& z) { return testing::rbf(x, z, 0.5); }, 1e-11, 100);
}

TEST(WeightedSums, RefuseANegativeWeightAndNameTheRows) {
  const Problem p{Points(testing::Table{{1.0}, {2.0}}), {1, 1, 1, 1}};
  const Points at(testing::Table{{0.5}, {0.0}, {-3.0}});
  EXPECT_EQ(refusal(ErrorKind::data, [&] { p.sums(Kernel::parse("linear"), at); }),
            "a weight must be ≥ 0, but linear is -3 between row 3 and training row 1; take a kernel that is "
            "nowhere negative, such as rbf");
  EXPECT_EQ(p.sums(Kernel::parse("linear"), Points(testing::Table{{-0.0}})), (std::vector<double>{0, 0}));
}

}  // namespace
}  // namespace mercer
