#include "model/repair.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/blas.hpp"
#include "base/lapack.hpp"
#include "mercer/error.hpp"
#include "mercer/kernel_operator.hpp"

namespace mercer {

namespace {

constexpr std::array<std::string_view, 4> repairs{"clip", "flip", "shift", "square"};

double repaired(std::string_view how, double lambda, double lowest) {
  if (how == "clip") return std::max(lambda, 0.0);
  if (how == "flip") return std::abs(lambda);
  if (how == "shift") return lambda - std::min(lowest, 0.0);
  return lambda * lambda;
}

/// V diag(weights) Vᵀ, the eigenvectors being the rows of V.
std::vector<double> combined(std::span<const double> V, std::span<const double> weights, std::size_t n) {
  std::vector<double> scaled(V.begin(), V.end()), out(n * n);
  for (std::size_t e = 0; e < scaled.size(); ++e) scaled[e] *= weights[e / n];
  gemm<double>(CblasTrans, CblasNoTrans, n, n, n, 1.0, scaled.data(), n, V.data(), n, 0.0, out.data(), n);
  for (std::size_t i = 0; i < n; ++i)  // to the bit
    for (std::size_t j = 0; j < i; ++j) out[j * n + i] = out[i * n + j];
  return out;
}

}  // namespace

void check_repair(const Method& method, const FitOptions& options) {
  const MethodTraits& traits = method.traits();
  const bool sums = traits.expands && traits.task != Task::clustering && traits.task != Task::projection &&
                    traits.task != Task::novelty && !traits.finds_kernel_parameters;
  if (!sums)
    throw Error(
        ErrorCode::unsupported, fmt::format("an indefinite kernel cannot be repaired for {}", method.name()),
        {.hint = "methods of classes and numbers that are sums over the training rows can, such as svm, "
                 "svr, ridge and logistic"});
  if ((!options.approx.empty() && options.approx != "none") || options.resume || options.solver == "primal")
    throw Error(ErrorCode::unsupported,
                "a repaired kernel is a matrix: it has no approximation, no features and no warm start");
}

KernelRepair::KernelRepair(const std::string& how, const Kernel& kernel, const Points& points,
                           const FitOptions& options)
    : how_(how), n_(points.rows()) {
  if (std::ranges::find(repairs, how) == repairs.end())
    throw Error::of_parameter("", "repair", "must be clip, flip, shift or square", how);
  const double bytes = 5.0 * double(n_) * double(n_) * sizeof(double);
  if (bytes > double(options.memory))
    throw Error(ErrorCode::out_of_memory,
                fmt::format("the eigenvalues of K of {} rows take {:.3g} GB but {:.3g} GB are allowed", n_,
                            bytes / 1e9, double(options.memory) / 1e9),
                {.hints = {{Remedy::more_memory}}});
  std::vector<double> K(n_ * n_), values(n_);
  KernelOperator<double>(kernel, points, {.threads = options.threads, .progress = options.progress})
      .matrix(K);
  std::vector<double> V = K;
  if (!lapack::syevd(true, V.data(), n_, values.data()))
    throw Error(ErrorCode::not_finite, "the eigenvalues of the kernel matrix were not found");
  const double largest = std::max(std::abs(values.front()), std::abs(values.back())),
               rounding = 1e-12 * largest;
  lowest_ = values.front();
  std::vector<double> changed(n_), factors(n_);
  double before = 0, difference = 0;
  for (std::size_t i = 0; i < n_; ++i) {
    negative_ += values[i] < -rounding;
    changed[i] = repaired(how, values[i], lowest_);
    // 0 where λ is rounding: V has no direction there that the kernel knows of.
    factors[i] = std::abs(values[i]) > rounding ? changed[i] / values[i] : 0;
    before += values[i] * values[i];
    difference += (changed[i] - values[i]) * (changed[i] - values[i]);
  }
  change_ = before > 0 ? std::sqrt(difference / before) : 0;
  const std::vector<double> made = combined(V, changed, n_);
  if (how != "shift") P_ = combined(V, factors, n_);
  Dense<double> table{n_, n_, Buffer<double>(n_ * n_)};
  std::ranges::copy(made, table.values.begin());
  std::vector<std::size_t> ids(n_);
  for (std::size_t i = 0; i < n_; ++i) ids[i] = i;
  rows_ = Points(std::move(table)).with_ids(std::move(ids));
}

void KernelRepair::bring_back(Fitted& fitted, const Kernel& kernel, const Points& points) const {
  Expansion& e = fitted.expansion;
  const std::span<const std::size_t> ids = e.points.ids();
  e.kernel = kernel;
  if (P_.empty()) {
    e.points = points.select_rows(ids);
  } else {
    // Each block of the expansion over all rows: α̂ = Pα, and all blocks share the rows.
    const std::size_t blocks = e.blocks.size();
    std::vector<double> coefficients(blocks * n_ * e.width, 0.0);
    std::size_t row = 0;
    for (std::size_t b = 0; b < blocks; ++b)
      for (std::size_t i = 0; i < e.blocks[b]; ++i, ++row)
        for (std::size_t j = 0; j < n_; ++j)
          for (std::size_t c = 0; c < e.width; ++c)
            coefficients[(b * n_ + j) * e.width + c] +=
                P_[j * n_ + ids[row]] * e.coefficients[row * e.width + c];
    std::vector<std::size_t> all(blocks * n_);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i % n_;
    e.points = points.select_rows(all);
    e.blocks.assign(blocks, n_);
    e.coefficients = std::move(coefficients);
  }
  FitReport& report = fitted.report;
  report.add("negative_eigenvalues", "eigenvalues of K below 0", double(negative_));
  report.add("lowest_eigenvalue", "lowest eigenvalue of K", lowest_);
  report.add("kernel_change", "relative change of K by its repair", change_);
  if (negative_ > 0)
    report.warnings.push_back(
        fmt::format("the kernel matrix has {} eigenvalue{} below 0, down to {:.3g}; repair by {} changed it "
                    "by {:.2g} of its "
                    "norm",
                    negative_, negative_ == 1 ? "" : "s", lowest_, how_, change_));
}

}  // namespace mercer
