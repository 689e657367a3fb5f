// With K̄ = HKH, HSIC·n² = tr(K̄L), and of targets in the order π it is T(π) = Σ K̄[i, j]·L[π(i), π(j)]. Done
// directly that is n² reads in random order for each permutation. Where L = GGᵀ with few columns (targets of
// one number or of classes), T(π) = Σ over the columns g of (Pg)ᵀK̄(Pg), and hundreds of permuted columns are
// one matrix product with K̄; the same with the roles of K and L exchanged. The products are in float32. What
// they and the columns left out may be wrong by is bounded (λ₁(K̄) ≤ ‖K̄‖ times the trace left out, and a
// hundred times the largest difference seen to float64); a permutation nearer than that to the value found is
// done again directly in float64, so that the p-value is that of float64.
#include "mercer/hsic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/blas.hpp"
#include "base/parallel.hpp"
#include "base/random.hpp"
#include "mercer/error.hpp"
#include "operators/pivoted_cholesky.hpp"
#include "solvers/eigen.hpp"

namespace mercer {

namespace {

constexpr std::size_t most_columns_of_factor = 128, fewest_rows_for_factors = 400;
constexpr double trace_left_out = 1e-6;
constexpr std::size_t permuted_columns = 512;  // of a product
constexpr std::size_t hsic_rows = 256;         // of a task
using Permutation = std::vector<std::uint32_t>;

void check_pairs(std::size_t n, std::size_t targets, std::size_t memory) {
  if (n != targets)
    throw Error(ErrorCode::invalid_data, fmt::format("there are {} rows but {} targets", n, targets));
  if (n < 2)
    throw Error(ErrorCode::invalid_data,
                fmt::format("independence is tested on pairs of rows, but there is {} row", n),
                {.hint = "give two or more"});
  const double needed = 20 * double(n) * double(n);
  if (needed > double(memory))
    throw Error(ErrorCode::out_of_memory,
                fmt::format("the kernel matrices of {} rows need {:.1f} MB, but {:.1f} MB are allowed", n,
                            needed / 1e6, double(memory) / 1e6),
                {.hint = "test a sample of the rows", .hints = {{Remedy::more_memory}}});
}

// A symmetric kernel matrix with the sums that centring takes.
struct HsicMatrix {
  std::size_t n;
  Buffer<double> values;
  std::vector<double> row_sums;
  double total = 0, trace = 0, norm = 0;  // norm: of the centred matrix

  HsicMatrix(const Kernel& kernel, const Points& points, int threads, const Progress& progress)
      : n(points.rows()), values(n * n), row_sums(n, 0) {
    KernelOperator<double>(kernel, points, {.threads = threads, .progress = progress})
        .matrix(std::span(values.data(), values.size()));
    parallel_for(n, threads_worth(n * n, threads), [&](std::size_t i) {
      for (std::size_t j = 0; j < n; ++j) row_sums[i] += values[i * n + j];
    });
    for (std::size_t i = 0; i < n; ++i) total += row_sums[i], trace += values[i * n + i];
  }
  void centre(int threads) {
    std::vector<double> squares(n, 0);
    parallel_for(n, threads_worth(n * n, threads), [&](std::size_t i) {
      const double level = total / double(n) / double(n) - row_sums[i] / double(n);
      for (std::size_t j = 0; j < n; ++j) {
        double& value = values[i * n + j];
        value += level - row_sums[j] / double(n);
        squares[i] += value * value;
      }
    });
    norm = std::sqrt(std::accumulate(squares.begin(), squares.end(), 0.0));
  }
};

double product_sum(const HsicMatrix& K, const HsicMatrix& L, int threads) {
  const std::size_t n = K.n;
  std::vector<double> sums(n, 0);
  parallel_for(n, threads_worth(n * n, threads), [&](std::size_t i) {
    for (std::size_t j = 0; j < n; ++j) sums[i] += K.values[i * n + j] * L.values[i * n + j];
  });
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

// Before centring: Song et al. 2012, eq. 5, with K̃ = K without its diagonal.
std::optional<double> unbiased_hsic(const HsicMatrix& K, const HsicMatrix& L, int threads) {
  if (K.n < 4) return {};
  const double n = double(K.n);
  double products = product_sum(K, L, threads), rows = 0;
  for (std::size_t i = 0; i < K.n; ++i) {
    const double k = K.values[i * K.n + i], l = L.values[i * K.n + i];
    products -= k * l;
    rows += (K.row_sums[i] - k) * (L.row_sums[i] - l);
  }
  return (products + (K.total - K.trace) * (L.total - L.trace) / ((n - 1) * (n - 2)) - 2 * rows / (n - 2)) /
         (n * (n - 3));
}

// Σ K̄[i, j]·L̄[π(i), π(j)] in float64.
double permuted_sum(const HsicMatrix& K, const HsicMatrix& L, const Permutation& order) {
  const std::size_t n = K.n;
  double lower = 0, diagonal = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double *k = K.values.data() + i * n, *l = L.values.data() + order[i] * n;
    double even = 0, odd = 0;
    std::size_t j = 0;
    for (; j + 1 < i; j += 2) even += k[j] * l[order[j]], odd += k[j + 1] * l[order[j + 1]];
    if (j < i) even += k[j] * l[order[j]];
    lower += even + odd;
    diagonal += k[i] * l[order[i]];
  }
  return 2 * lower + diagonal;
}

// Columns g with GGᵀ ≈ the centred kernel matrix; n × width, row-major.
struct HsicFactor {
  std::size_t width = 0;
  double left = 0;  // of the trace
  std::vector<float> columns = {};
};

std::optional<HsicFactor> factor_of(const Kernel& kernel, const Points& points, const HsicOptions& options) {
  const std::size_t n = points.rows();
  if (n < fewest_rows_for_factors) return {};
  const KernelOperator<double> K(kernel, points, {.threads = options.threads});
  auto found = pivoted_cholesky(
      K, {.rank = most_columns_of_factor, .stop = 1e-9, .greedy = true, .threads = options.threads});
  if (found.rank == 0 || !(found.trace_left <= 1e-8 * found.trace)) return {};
  const std::size_t r = found.rank;
  for (std::size_t c = 0; c < r; ++c) {
    double* column = found.factor.data() + c * n;
    const double mean = std::accumulate(column, column + n, 0.0) / double(n);
    for (std::size_t i = 0; i < n; ++i) column[i] -= mean;
  }
  // The best of so many columns: along the eigenvectors of FᵀF, whose eigenvalues are those of FFᵀ.
  const SingleThreadedBlas one_thread;
  std::vector<double> gram(r * r);
  gemm(CblasNoTrans, CblasTrans, r, r, n, 1, found.factor.data(), n, found.factor.data(), n, 0, gram.data(),
       r);
  const Eigen eigen = symmetric_eigen(gram, r, true);  // ascending
  const double total = std::accumulate(eigen.values.begin(), eigen.values.end(), 0.0);
  double left = 0;
  std::size_t first = 0;
  while (first + 1 < r && left + std::max(0.0, eigen.values[first]) <= trace_left_out * total)
    left += std::max(0.0, eigen.values[first++]);
  HsicFactor factor{r - first, left + std::max(0.0, found.trace_left), std::vector<float>(n * (r - first))};
  std::vector<double> columns(n * r);
  gemm(CblasTrans, CblasNoTrans, n, r, r, 1, found.factor.data(), n, eigen.vectors.data(), r, 0,
       columns.data(), r);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t c = first; c < r; ++c)
      factor.columns[i * factor.width + c - first] = float(columns[i * r + c]);
  return factor;
}

// T of each permutation, by products of a matrix in float32 with permuted columns. `of_targets`: the columns
// are of L, in which row i of K meets row π(i); otherwise of K.
class FactoredSums {
 public:
  FactoredSums(const HsicMatrix& dense, HsicFactor factor, bool of_targets, int threads)
      : n_(dense.n),
        matrix_(dense.n * dense.n),
        factor_(std::move(factor)),
        of_targets_(of_targets),
        threads_(threads),
        left_(dense.norm * factor_.left) {
    parallel_for(n_, threads_worth(n_ * n_, threads), [&](std::size_t i) {
      for (std::size_t j = 0; j < n_; ++j) matrix_[i * n_ + j] = float(dense.values[i * n_ + j]);
    });
  }
  std::size_t at_once() const { return std::max<std::size_t>(1, permuted_columns / factor_.width); }
  double left() const noexcept { return left_; }  ///< what the columns left out may add

  std::vector<double> operator()(std::span<const Permutation> orders) const {
    const std::size_t s = factor_.width, width = s * orders.size(), tasks = (n_ + hsic_rows - 1) / hsic_rows;
    std::vector<float> V(n_ * width);
    for (std::size_t p = 0; p < orders.size(); ++p)
      for (std::size_t i = 0; i < n_; ++i) {
        const std::size_t to = of_targets_ ? i : orders[p][i], from = of_targets_ ? orders[p][i] : i;
        std::copy_n(factor_.columns.data() + from * s, s, V.data() + to * width + p * s);
      }
    std::vector<double> parts(tasks * orders.size(), 0);
    parallel_for(tasks, threads_worth(n_ * n_ * width, threads_), [&](std::size_t task) {
      const SingleThreadedBlas one_thread;
      const std::size_t first = task * hsic_rows, rows = std::min(hsic_rows, n_ - first);
      std::vector<float> out(rows * width);
      // What lies left of the diagonal block counts twice.
      for (const Range columns : {Range{0, first}, Range{first, first + rows}}) {
        if (columns.size() == 0) continue;
        gemm<float>(CblasNoTrans, CblasNoTrans, rows, width, columns.size(), 1,
                    matrix_.data() + first * n_ + columns.begin, n_, V.data() + columns.begin * width, width,
                    0, out.data(), width);
        for (std::size_t i = 0; i < rows; ++i)
          for (std::size_t e = 0; e < width; ++e)
            parts[task * orders.size() + e / s] += (columns.begin < first ? 2 : 1) *
                                                   double(out[i * width + e]) *
                                                   double(V[(first + i) * width + e]);
      }
    });
    std::vector<double> sums(orders.size(), 0);
    for (std::size_t task = 0; task < tasks; ++task)
      for (std::size_t p = 0; p < orders.size(); ++p) sums[p] += parts[task * orders.size() + p];
    return sums;
  }

 private:
  std::size_t n_;
  Buffer<float> matrix_;
  HsicFactor factor_;
  bool of_targets_;
  int threads_;
  double left_;
};

class Permuter {
 public:
  Permuter(std::size_t n, std::uint64_t seed) : order_(n), random_(seed) {
    std::iota(order_.begin(), order_.end(), 0u);
  }
  std::vector<Permutation> next(std::size_t count) {
    std::vector<Permutation> orders;
    for (std::size_t p = 0; p < count; ++p) {
      for (std::size_t i = order_.size(); i-- > 1;) std::swap(order_[i], order_[random_.below(i + 1)]);
      orders.push_back(order_);
    }
    return orders;
  }

 private:
  Permutation order_;
  Random random_;
};

struct PermutationCounts {
  std::size_t at_least = 0, recomputed = 0;
};

// How many permutations give at least `found`.
PermutationCounts count_at_least(const HsicMatrix& K, const HsicMatrix& L,
                                 const std::optional<FactoredSums>& fast, double found,
                                 const HsicOptions& options) {
  Permuter permuter(K.n, options.seed);
  const auto exact = [&](std::span<const Permutation> orders) {
    std::vector<double> sums(orders.size());
    parallel_for(orders.size(), threads_worth(K.n * K.n * orders.size(), options.threads),
                 [&](std::size_t p) { sums[p] = permuted_sum(K, L, orders[p]); });
    return sums;
  };
  PermutationCounts counts;
  double margin = -1;
  for (std::size_t done = 0; done < options.permutations;) {
    const std::size_t count = std::min(fast ? fast->at_once() : std::size_t(32), options.permutations - done);
    const std::vector<Permutation> orders = permuter.next(count);
    std::vector<double> sums = fast ? (*fast)(orders) : exact(orders);
    if (fast && margin < 0) {
      const std::size_t some = std::min<std::size_t>(4, count);
      const std::vector<double> right = exact(std::span(orders).first(some));
      for (std::size_t p = 0; p < some; ++p) margin = std::max(margin, 100 * std::abs(right[p] - sums[p]));
      margin += fast->left();
    }
    if (fast) {
      std::vector<std::size_t> near;
      std::vector<Permutation> again;
      for (std::size_t p = 0; p < count; ++p)
        if (std::abs(sums[p] - found) <= margin) near.push_back(p), again.push_back(orders[p]);
      const std::vector<double> right = exact(again);
      counts.recomputed += near.size();
      for (std::size_t e = 0; e < near.size(); ++e) sums[near[e]] = right[e];
    }
    for (const double sum : sums) counts.at_least += sum >= found;
    done += count;
    options.progress.check("permutations", double(done) / double(options.permutations));
  }
  return counts;
}

}  // namespace

HsicTest hsic_test(const Kernel& kernel, const Points& x, const Kernel& target_kernel, const Points& y,
                   const HsicOptions& options) {
  check_pairs(x.rows(), y.rows(), options.memory);
  HsicTest test{.kernel = kernel.resolve(x), .target_kernel = target_kernel.resolve(y)};
  HsicMatrix K(test.kernel, x, options.threads, options.progress),
      L(test.target_kernel, y, options.threads, options.progress);
  const double n = double(x.rows());
  test.unbiased = unbiased_hsic(K, L, options.threads);
  K.centre(options.threads);
  L.centre(options.threads);
  const double found = product_sum(K, L, options.threads);
  test.biased = found / (n * n);
  const double norms = K.norm * L.norm;
  test.alignment = norms > 0 ? found / norms : 0;
  if (options.permutations == 0) return test;
  std::optional<FactoredSums> fast;
  if (auto factor = factor_of(test.target_kernel, y, options))
    fast.emplace(K, std::move(*factor), true, options.threads);
  else if (auto other = factor_of(test.kernel, x, options))
    fast.emplace(L, std::move(*other), false, options.threads);
  // A permutation that changes nothing gives the same number up to rounding.
  const PermutationCounts counts = count_at_least(K, L, fast, found - 1e-12 * norms, options);
  test.permutations = options.permutations;
  test.recomputed = counts.recomputed;
  test.p_value = double(1 + counts.at_least) / double(1 + options.permutations);
  return test;
}

std::vector<ColumnDependence> hsic_ranking(const Kernel& kernel, const Points& x, const Kernel& target_kernel,
                                           const Points& y, const HsicOptions& options) {
  check_pairs(x.rows(), y.rows(), options.memory);
  if (x.cols() == 0) throw Error(ErrorCode::invalid_data, "there are no columns of numbers to rank");
  const double n = double(x.rows());
  HsicMatrix L(target_kernel.resolve(y), y, options.threads, {});
  L.centre(options.threads);
  std::vector<ColumnDependence> ranking;
  for (std::size_t c = 0; c < x.cols(); ++c) {
    const Points column = x.select_columns(std::vector<std::size_t>{c});
    ColumnDependence one{.column = c};
    bool constant = true;
    const double first = column.row(0)[0];
    for (std::size_t i = 1; constant && i < column.rows(); ++i) constant = column.row(i)[0] == first;
    if (!constant && options.permutations > 0) {
      const HsicTest test = hsic_test(kernel, column, target_kernel, y, options);
      one.hsic = test.biased, one.alignment = test.alignment, one.p_value = test.p_value;
    } else if (!constant) {
      HsicMatrix K(kernel.resolve(column), column, options.threads, {});
      K.centre(options.threads);
      const double found = product_sum(K, L, options.threads);
      one.hsic = found / (n * n);
      one.alignment = K.norm * L.norm > 0 ? found / (K.norm * L.norm) : 0;
    } else if (options.permutations > 0) {
      one.p_value = 1;  // a constant is independent of everything
    }
    ranking.push_back(one);
    options.progress.check("columns", double(c + 1) / double(x.cols()));
  }
  std::ranges::stable_sort(ranking, std::greater<>(), &ColumnDependence::hsic);
  return ranking;
}

Points target_points(const Target& target) {
  const std::size_t n = target.size();
  if (target.task == Task::classification) {
    Dense<double> rows{n, target.labels.size(), Buffer<double>(n * target.labels.size(), 0.0)};
    for (std::size_t i = 0; i < n; ++i) rows.values[i * rows.cols + std::size_t(target.codes[i])] = 1;
    return Points(std::move(rows));
  }
  Dense<double> rows{n, target.outputs, Buffer<double>(n * target.outputs)};
  std::ranges::copy(target.values, rows.values.begin());
  return Points(std::move(rows));
}

Kernel standard_target_kernel(const Target& target) {
  return Kernel::parse(target.task == Task::classification ? "linear" : "rbf(gamma=median)");
}

}  // namespace mercer
