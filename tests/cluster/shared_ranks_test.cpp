#include "cluster/shared_ranks.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <cmath>
#include <filesystem>

#include "cluster/spread_points.hpp"
#include "operators/row_store.hpp"
#include "solvers/smo.hpp"

namespace mercer::cluster {
namespace {

TEST(SharedRanks, JoinAndTell) {
  const Communicator own(MPI_COMM_WORLD);
  const SharedRanks ranks(own);
  const auto rank = std::size_t(ranks.rank()), size = std::size_t(ranks.size());
  const std::vector<std::size_t> begins = ranks.shares(2 * size + 1);
  std::vector<double> values(2 * size + 1, -1.0);
  for (std::size_t i = begins[rank]; i < begins[rank + 1]; ++i) values[i] = double(i);
  const Traffic before = own.traffic();
  ranks.join(values, begins);
  EXPECT_EQ(own.traffic() - before, (Traffic{0, 0, 1, 8 * (begins[rank + 1] - begins[rank])}));
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ(values[i], double(i));
  std::vector<double> first{double(rank) + 7};
  ranks.take_first(first);
  EXPECT_EQ(first[0], 7);
  EXPECT_EQ(ranks.sum(rank), size * (size - 1) / 2);
  EXPECT_TRUE(ranks.any(rank + 1 == size));
  EXPECT_FALSE(ranks.any(false));
  const std::vector<std::string> all = ranks.gather(std::string(rank, 'x'));
  ASSERT_EQ(all.size(), size);
  for (std::size_t r = 0; r < size; ++r) EXPECT_EQ(all[r], std::string(r, 'x'));
}

TEST(SharedRanks, AnErrorOfAllIsAgreedOn) {
  const Communicator own(MPI_COMM_WORLD);
  EXPECT_THROW(work_together(own, [] { throw Error(ErrorCode::invalid_data, "no row"); }), AgreedError);
  int done = 0;
  work_together(own, [&] { done = 1; });
  EXPECT_EQ(done, 1);
}

TEST(SharedRanks, AnErrorOfOneNamesIt) {
  const Communicator own(MPI_COMM_WORLD);
  const int last = own.size() - 1;
  try {
    work_together(own, [&] {
      if (own.rank() == last) throw Error(ErrorCode::out_of_memory, "out of memory");
    });
    FAIL() << "nothing was thrown";
  } catch (const AgreedError& error) {
    EXPECT_EQ(error.code(), ErrorCode::out_of_memory);
    if (last > 0) EXPECT_NE(std::string(error.what()).find("rank"), std::string::npos);
  }
}

// --- Two-level SMO over the columns of all ranks

struct Svm {
  explicit Svm(std::size_t n) : points(random_rows(n, 3)) {
    const std::vector<double> noise = random_numbers(n, 11);
    for (std::size_t i = 0; i < n; ++i) {
      const double* x = std::get<Dense<double>>(points.storage()).values.data() + 3 * i;
      const int sign = x[0] * x[1] + 0.5 * x[2] + 0.3 * noise[i] > 0 ? 1 : -1;
      problem.add_signed(i, -sign, sign, 2);
    }
  }
  template <class T>
  SmoResult solve(const Ranks* ranks, const SmoOptions& given, std::size_t memory = 1 << 26) const {
    const Kernel kernel = Kernel::parse("rbf(gamma=0.5)");
    const KernelOperator<double> exact(kernel, points, {.threads = 1});
    const KernelOperator<T> K(kernel, points, {.threads = 1, .note_overflow = true});
    SmoOptions options = given;
    options.ranks = ranks;
    RowStore<T> store(K, cut_segments(column_shares(points.rows(), ranks)), memory, 1);
    return smo(problem, store, exact, options);
  }
  Points points;
  BoxQp problem;
};

void expect_same_solution(const Svm& svm, const SmoResult& one, const SmoResult& many, double tolerance) {
  EXPECT_TRUE(many.converged);
  EXPECT_LE(many.certificate.violation, tolerance);
  EXPECT_NEAR(many.certificate.objective, one.certificate.objective,
              one.certificate.gap + many.certificate.gap);
  // f from the definition: the certificate is over the rows of all ranks.
  const std::size_t n = svm.points.rows();
  std::vector<double> K(n * n);
  KernelOperator<double>(Kernel::parse("rbf(gamma=0.5)"), svm.points, svm.points, {.threads = 1}).matrix(K);
  const std::vector<double> f = box_products(svm.problem, K, n, many.beta);
  for (std::size_t i = 0; i < n; i += 7) EXPECT_NEAR(f[i], many.f[i], 1e-9);
  EXPECT_NEAR(certify(svm.problem, many.beta, f).violation, many.certificate.violation, 1e-9);
}

TEST(SharedSmo, SolvesAsOneMachine) {
  const Communicator own(MPI_COMM_WORLD);
  const SharedRanks ranks(own);
  const Svm svm(900);
  for (const double tolerance : {1e-3, 1e-6}) {
    const SmoOptions options{.tolerance = tolerance, .working_set = 128, .cheap_entries = true};
    expect_same_solution(svm, svm.solve<float>(nullptr, options), svm.solve<float>(&ranks, options),
                         tolerance);
    expect_same_solution(svm, svm.solve<double>(nullptr, options), svm.solve<double>(&ranks, options),
                         tolerance);
  }
}

// Samples, the nearest variables and held rows (docs/decisions/0019) are parts of the problem that are solved
// in the same way.
TEST(SharedSmo, SolvesLargeProblemsByParts) {
  const Communicator own(MPI_COMM_WORLD);
  const SharedRanks ranks(own);
  const Svm svm(4400);
  for (const std::size_t held : {0, 6144}) {
    const SmoOptions options{
        .tolerance = 1e-3, .working_set = 256, .largest_held = held, .cheap_entries = true};
    const std::size_t memory = std::size_t(1) << 30;
    const SmoResult one = svm.solve<float>(nullptr, options, memory),
                    many = svm.solve<float>(&ranks, options, memory);
    EXPECT_TRUE(many.converged);
    EXPECT_NEAR(many.certificate.objective, one.certificate.objective,
                one.certificate.gap + many.certificate.gap);
    std::vector<double> first = many.beta;
    ranks.take_first(first);
    EXPECT_EQ(first, many.beta) << "all ranks have the same bits";
  }
}

TEST(SharedSmo, TakesFewerPointsThanRanks) {
  const Communicator own(MPI_COMM_WORLD);
  const SharedRanks ranks(own);
  const Svm svm(3);
  const SmoOptions options{.tolerance = 1e-6, .working_set = 2};
  expect_same_solution(svm, svm.solve<double>(nullptr, options), svm.solve<double>(&ranks, options), 1e-6);
}

// A rank that is asked to stop stops all of them.
TEST(SharedSmo, StopsTogether) {
  const Communicator own(MPI_COMM_WORLD);
  const SharedRanks ranks(own);
  int calls = 0;
  const bool last = ranks.rank() + 1 == ranks.size();
  SmoOptions options{.tolerance = 1e-9, .working_set = 16};
  options.progress = [&](std::string_view, double) { return !(last && ++calls == 3); };
  const SmoResult result = Svm(600).solve<float>(&ranks, options);
  EXPECT_TRUE(result.stopped);
  EXPECT_EQ(ranks.sum(result.rounds), result.rounds * std::size_t(ranks.size()));
}

TEST(SharedSmo, GoesOnFromWhatItKept) {
  const Communicator own(MPI_COMM_WORLD);
  const SharedRanks ranks(own);
  const Svm svm(4400);
  SmoOptions options{.tolerance = 1e-3, .working_set = 64, .cheap_entries = true};
  const SmoResult whole = svm.solve<float>(&ranks, options);
  std::vector<std::vector<double>> kept;
  options.due = [] { return true; };
  options.keep = [&](std::span<const double> beta) { kept.emplace_back(beta.begin(), beta.end()); };
  svm.solve<float>(&ranks, options);
  ASSERT_GT(kept.size(), 3u);
  for (const auto& beta : kept) {  // feasible, whichever part of the problem was being solved
    double sum = 0;
    for (std::size_t v = 0; v < beta.size(); ++v) {
      sum += beta[v];
      ASSERT_GE(beta[v], svm.problem.lower[v]);
      ASSERT_LE(beta[v], svm.problem.upper[v]);
    }
    ASSERT_NEAR(sum, 0, 1e-9);
  }
  options.keep = {};
  Svm rest = svm;
  rest.problem.start = kept[kept.size() / 2];
  const SmoResult resumed = rest.solve<float>(&ranks, options);
  EXPECT_TRUE(resumed.converged);
  EXPECT_NEAR(resumed.certificate.objective, whole.certificate.objective,
              resumed.certificate.gap + whole.certificate.gap);
}

TEST(SolutionFile, KeepsSolutionsForAnyRank) {
  const Communicator own(MPI_COMM_WORLD);
  std::string path =
      (std::filesystem::temp_directory_path() / ("solutions_" + std::to_string(::getpid()))).string();
  own.broadcast(path);
  const std::vector<double> first{1, -2, 3}, second{0.25};
  {
    SolutionFile file(own, path, 0, 77);
    EXPECT_FALSE(file.resumed());
    EXPECT_EQ(file.due(), own.first());
    EXPECT_TRUE(file.kept(0).empty());
    file.keep(0, first);
    file.keep(2, second);
  }
  {
    const SolutionFile file(own, path, 1e9, 77);
    EXPECT_TRUE(file.resumed());
    EXPECT_FALSE(file.due());
    EXPECT_EQ(file.kept(0), first);
    EXPECT_TRUE(file.kept(1).empty());
    EXPECT_EQ(file.kept(2), second);
    EXPECT_TRUE(file.kept(3).empty());
  }
  EXPECT_THROW(SolutionFile(own, path, 0, 78), AgreedError);
  if (own.first()) std::filesystem::remove(path);
}

// The cost model of docs/cluster.md: of a round the violation's and two other all-reduces of 8 bytes, β of
// the working set and the number of steps from rank 0, and f of the own columns to all.
TEST(SharedSmo, SendsWhatTheCostModelSays) {
  const Communicator own(MPI_COMM_WORLD);
  const SharedRanks ranks(own);
  const std::size_t n = 50 * std::size_t(ranks.size()), q = 8;
  const Svm svm(n);
  SmoOptions options{.tolerance = 1e-4, .working_set = q, .shrinking = false};
  std::size_t descents = 0;
  options.progress = [&](std::string_view what, double) {
    descents += what.starts_with("violation");
    return true;
  };
  const Traffic before = own.traffic();
  const SmoResult result = svm.solve<double>(&ranks, options);
  const Traffic sent = own.traffic() - before;
  ASSERT_TRUE(result.converged);
  const std::size_t products = result.repairs;  // the first certificate is of β = 0
  EXPECT_EQ(sent.messages, 0u);
  EXPECT_EQ(sent.collectives, descents + result.rounds * 4 + products);
  EXPECT_LE(sent.shared_bytes,
            descents * 8 + result.rounds * (2 * 8 + 8 * (q + 1) + 8 * 50) + products * 8 * 50);
  EXPECT_GE(sent.shared_bytes, descents * 8 + result.rounds * (2 * 8 + 8 * 3 + 8 * 50) + products * 8 * 50);
}

}  // namespace
}  // namespace mercer::cluster
