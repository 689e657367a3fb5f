#include "methods/online_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "data/joined_rows.hpp"
#include "mercer/error.hpp"
#include "operators/compiled_kernel.hpp"

namespace mercer {

namespace {

constexpr std::size_t window_rows = 256;

// What a row is compared with must be the same when it arrives as at the end.
void check_kernel(const Training& training) {
  if (looks_at_all_points(training.kernel))
    throw Error(
        ErrorCode::unsupported,
        fmt::format("{} looks at all rows at once (a mean, or how rare a feature is), but rows that are "
                    "learned one after the other are not known in advance",
                    training.kernel.text()),
        {.hint = "take a kernel without center, idf and the like"});
  if (training.start && training.kernel.uses_precomputed())
    throw Error(ErrorCode::unsupported,
                "a given kernel matrix does not say how similar more rows are to those before",
                {.hint = "give the kernel as an expression"});
}

Points all_points(const Training& training) {
  check_kernel(training);
  if (!training.start || training.start->expansion.points.rows() == 0) return training.points;
  return joined_rows(training.start->expansion.points, training.points);
}

OperatorOptions options_of(const Training& training, std::size_t before) {
  OperatorOptions options{.threads = training.options.threads, .pairs_alone = true};
  options.row_ids.resize(before + training.points.rows());
  std::iota(options.row_ids.begin() + std::ptrdiff_t(before), options.row_ids.end(), std::size_t(0));
  return options;
}

}  // namespace

OnlineRows::OnlineRows(const Training& training)
    : training_(training),
      before_(training.start ? training.start->expansion.points.rows() : 0),
      all_(all_points(training)),
      K_(training.kernel, all_, options_of(training, before_)),
      places_(before_) {
  std::iota(places_.begin(), places_.end(), std::size_t(0));
  if (!training.weights.empty() && std::ranges::none_of(training.weights, [](double w) { return w > 0; }))
    throw Error(ErrorCode::invalid_data, "there are no rows with a weight above 0");
}

void OnlineRows::open_window(std::size_t row) {
  const std::size_t n = training_.points.rows();
  // Fewer rows where few points are kept: most of a window is then its rows among themselves.
  const std::size_t rows = std::clamp<std::size_t>(kept(), 16, window_rows);
  first_ = row;
  last_ = std::min(row + rows, n);
  behind_ = kept();
  std::vector<std::size_t> points = places_;
  for (std::size_t i = first_; i < last_; ++i) points.push_back(before_ + i);
  window_.emplace(K_.select(points));
  in_window_.resize(kept());
  std::iota(in_window_.begin(), in_window_.end(), std::size_t(0));
  tile_.resize((last_ - first_) * points.size());
  window_->tile({behind_, points.size()}, {0, points.size()}, tile_);
  evaluations_ += tile_.size();
}

void OnlineRows::arrive(std::size_t row) {
  if (!window_ || row < first_ || row >= last_) open_window(row);
  now_ = row;
  const double* values = tile_.data() + (row - first_) * (behind_ + last_ - first_);
  similarities_.resize(kept());
  for (std::size_t p = 0; p < kept(); ++p) similarities_[p] = values[in_window_[p]];
  self_ = values[behind_ + row - first_];
}

void OnlineRows::keep() {
  places_.push_back(before_ + now_);
  in_window_.push_back(behind_ + now_ - first_);
}

void OnlineRows::forget_oldest() {
  places_.erase(places_.begin());
  in_window_.erase(in_window_.begin());
}

const std::vector<double>& OnlineRows::similarities_of_oldest() {
  const std::size_t oldest = in_window_.front();
  scratch_.resize(window_->cols());
  window_->tile({oldest, oldest + 1}, {0, window_->cols()}, scratch_);
  evaluations_ += scratch_.size();
  of_oldest_.resize(kept());
  for (std::size_t p = 0; p < kept(); ++p) of_oldest_[p] = scratch_[in_window_[p]];
  return of_oldest_;
}

Fitted OnlineRows::expand(std::vector<double> coefficients, std::vector<double> rho, Rule rule) const {
  Fitted fitted{
      .expansion = {.kernel = training_.kernel, .points = all_.select_rows(places_), .blocks = {kept()}},
      .rule = rule};
  fitted.expansion.width = rho.size();
  fitted.expansion.coefficients = std::move(coefficients);
  fitted.rho = std::move(rho);
  if (before_ == 0 && !training_.start) fitted.support.rows = places_;
  fitted.report.certificate = CertificateKind::none;
  fitted.report.support_vectors = kept();
  fitted.report.kernel_evaluations = evaluations_;
  return fitted;
}

bool for_each_arrival(const Training& training, int epochs, Watch& watch,
                      const std::function<void(std::size_t)>& visit) {
  const std::size_t n = training.points.rows();
  for (int epoch = 0; epoch < epochs; ++epoch)
    for (std::size_t row = 0; row < n; ++row) {
      if (weight_of(training, row) > 0) visit(row);
      if ((row % 256 == 255 || row + 1 == n) &&
          !watch.go_on("rows", (double(epoch) + double(row + 1) / double(n)) / epochs))
        return epoch + 1 == epochs && row + 1 == n;
    }
  return true;
}

std::size_t class_functions(const Target& target) {
  const std::size_t classes = target.labels.size();
  if (classes < 2)
    throw Error(ErrorCode::invalid_data,
                classes == 0 ? "there are no classes"
                             : fmt::format("all rows have the label '{}'; two classes or more are needed",
                                           target.labels[0]),
                {.hints = {{Remedy::name_classes}}});
  return classes == 2 ? 1 : classes;
}

void sum_at(std::span<const double> coefficients, std::span<const double> k, std::span<double> f) {
  std::ranges::fill(f, 0.0);
  for (std::size_t p = 0; p < k.size(); ++p)
    for (std::size_t c = 0; c < f.size(); ++c) f[c] += coefficients[p * f.size() + c] * k[p];
}

void finish(Fitted& fitted, double rows_seen, Watch& watch) {
  FitReport& report = fitted.report;
  report.add("rows_seen", "rows seen", rows_seen, "rows");
  report.iterations = std::size_t(rows_seen);
  report.cut_short = watch.cut_short();
  report.converged = !report.cut_short;
  report.seconds = watch.seconds();
}

}  // namespace mercer
