#include "solvers/pivoted_inverse.hpp"

#include <fmt/format.h>

#include <numeric>

namespace mercer {

namespace {

double mean_square(std::span<const double> s) {
  if (s.empty()) return 1;
  return std::inner_product(s.begin(), s.end(), s.begin(), 0.0) / double(s.size());
}

}  // namespace

bool RankChoice::enough(std::size_t rank, double trace_left) {
  if (double(rank) < 1.25 * rank_) return false;
  // A random pivot takes tr(A²)/tr(A) off the trace of what is left: its eigenvalues' self-weighted mean.
  constexpr double above_mean = 1.2, growth = 1.3;
  const double mean = (trace_ - trace_left) / (double(rank) - rank_);
  const double largest = std::min(above_mean * mean, trace_left);
  const double decay =
      rank_ > 0 && largest_ > 0 && largest > 0
          ? std::clamp(std::log(largest_ / largest) / std::log(double(rank) / rank_), 0.5, 8.0)
          : 1.0;
  const bool first = rank_ == 0;
  rank_ = double(rank), trace_ = trace_left, largest_ = largest;
  // Where a Cholesky factor of K looks cheaper, only a part of its cost is spent on finding out.
  if (costs_.cholesky_possible && total(rank_, largest) > costs_.cholesky() &&
      costs_.factor(growth * rank_) > 0.15 * costs_.cholesky())
    return true;
  return !first && total(growth * rank_, largest * std::pow(growth, -decay)) >= total(rank_, largest);
}

void PivotedInverse::make_factor(double c) {
  inverse_.reset();
  factor_ = {};
  std::vector<double> diagonal(K_.rows());
  K_.diagonal(diagonal);
  const double trace = std::accumulate(diagonal.begin(), diagonal.end(), 0.0);
  RankChoice choice(options_.costs, c, trace);
  chosen_ = false;
  factor_ = pivoted_cholesky(
      K_, {.rank = options_.most_rank,
           .seed = options_.seed,
           .progress = progress_,
           .threads = options_.threads,
           .enough = [&](std::size_t rank, double left) { return chosen_ = choice.enough(rank, left); }});
  largest_left_ = std::min(choice.largest() > 0 ? choice.largest() : factor_.trace_left, factor_.trace_left);
  evaluations_ += factor_.rank * K_.rows();
  made_for_ = c;
  features_.emplace(factor_.factor.data(), factor_.rank, K_.rows(), options_.threads, progress_);
  inverse_.emplace(*features_, options_.threads, progress_);
}

bool PivotedInverse::prepare(const RowFactors& factors, double c) { return inverse_->prepare(factors, c); }

bool PivotedInverse::prepare(std::span<const double> s, double c) {
  const double squares = std::max(mean_square(s), 1e-300), own = c / squares;
  if (!inverse_ || (chosen_ && own < 0.1 * made_for_)) make_factor(own);
  iteration_seconds_ = options_.costs.iteration(double(factor_.rank));
  expected_seconds_ = options_.costs.iterations(largest_left_, own) * iteration_seconds_;
  // A part of what F leaves of the diagonal is added to c: the mean of K − F Fᵀ is not 0. (A fifth fewer
  // iterations where much is left; a third of it was best.)
  const double left = factor_.trace_left / double(std::max<std::size_t>(K_.rows(), 1)) * squares;
  const double least =
      std::max(factor_.trace, 1e-300) / double(std::max<std::size_t>(K_.rows(), 1)) * squares * 1e-15;
  return inverse_->prepare(s, std::max(c + 0.3 * left, least));
}

void PivotedInverse::apply(std::span<const double> V, std::size_t k, std::span<double> out) const {
  inverse_->apply(V, k, out);
}

std::string PivotedInverse::words() const {
  return fmt::format("a randomly pivoted Cholesky preconditioner of rank {} (trace left {:.1e})",
                     factor_.rank, factor_.trace > 0 ? factor_.trace_left / factor_.trace : 0.0);
}

}  // namespace mercer
