#include "methods/kept_rows.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/ranks.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

std::vector<double> targets_of(const Rows& rows, const Target& target) {
  if (target.task != Task::classification) return rows.values(target);
  const std::size_t classes = target.labels.size();
  const std::vector<std::int32_t> codes = rows.codes(target);
  std::vector<double> targets(codes.size() * classes, 0);
  for (std::size_t i = 0; i < codes.size(); ++i) targets[i * classes + std::size_t(codes[i])] = 1;
  return targets;
}

std::size_t largest_of(const double* row, std::size_t width) {
  return std::size_t(std::max_element(row, row + width) - row);
}

}  // namespace

Fitted keep_rows(const Training& training, const Rows& rows) {
  const bool classes = training.target.task == Task::classification;
  Fitted fitted{.expansion = {.kernel = training.kernel}, .rule = classes ? Rule::shares : Rule::value};
  Expansion& e = fitted.expansion;
  e.points = rows.points;
  e.blocks = {rows.size()};
  e.coefficients = targets_of(rows, training.target);
  e.width = e.coefficients.size() / rows.size();
  fitted.rho.assign(e.width, 0);
  fitted.kept.mean.assign(e.width, 0);
  const double total = std::accumulate(rows.weights.begin(), rows.weights.end(), 0.0);
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t c = 0; c < e.width; ++c)
      fitted.kept.mean[c] += rows.weights[i] / total * e.coefficients[i * e.width + c];
  if (rows.weighted()) fitted.kept.weights = rows.weights;
  fitted.report.certificate = CertificateKind::none;
  fitted.report.converged = true;
  fitted.report.support_vectors = rows.size();
  fitted.support.rows = rows.numbers;
  return fitted;
}

std::vector<double> to_numbers(const KeptTargets& kept) {
  std::vector<double> all = kept.mean;
  all.insert(all.end(), kept.weights.begin(), kept.weights.end());
  all.insert(all.end(), kept.self.begin(), kept.self.end());
  return all;
}

std::optional<KeptTargets> kept_targets(std::span<const double> numbers, std::size_t width, std::size_t rows,
                                        bool has_self) {
  const std::size_t self = has_self ? rows : 0, least = width + self;
  if (numbers.size() != least && numbers.size() != least + rows) return std::nullopt;
  const auto part = [&](std::size_t first, std::size_t count) {
    const auto some = numbers.subspan(first, count);
    return std::vector<double>(some.begin(), some.end());
  };
  return KeptTargets{part(0, width), part(width, numbers.size() - least), part(numbers.size() - self, self)};
}

KeptRows::KeptRows(const Fitted& fitted, std::string_view method, bool has_self)
    : kernel(fitted.expansion.kernel),
      points(fitted.expansion.points),
      width(fitted.expansion.width),
      targets(fitted.expansion.coefficients),
      mean(fitted.kept.mean),
      weights(fitted.kept.weights),
      self(fitted.kept.self) {
  const auto refuse = [&](std::string_view what) {
    throw Error(ErrorCode::invalid_data, fmt::format("the model is not one of {}: {}", method, what));
  };
  if (points.rows() == 0 || width == 0) refuse("it has no rows");
  if (fitted.expansion.outputs() != width || targets.size() != size() * width)
    refuse("its coefficients are not one row of targets per point");
  if (mean.size() != width) refuse("it has no mean of the targets");
  if (!weights.empty() && weights.size() != size()) refuse("its weights are not one per row");
  if (self.size() != (has_self ? size() : 0)) refuse("it has not k(x, x) of each row");
  if (std::ranges::any_of(weights, [](double w) { return !(w > 0) || std::isinf(w); }))
    refuse("a weight is not above 0");
}

double score_of(const KeptRows& rows, Rule rule, std::span<const double> predictions) {
  double total = 0, score = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double *target = rows.targets.data() + i * rows.width, *found = predictions.data() + i * rows.width;
    total += rows.weight(i);
    if (rule == Rule::shares)
      score += rows.weight(i) * (target[largest_of(found, rows.width)] == 1);
    else
      for (std::size_t c = 0; c < rows.width; ++c)
        score += rows.weight(i) * (target[c] - found[c]) * (target[c] - found[c]) / double(rows.width);
  }
  return rule == Rule::shares ? score / total : std::sqrt(score / total);
}

void report_leave_one_out(Watch& watch, Fitted& fitted, const KeptRows& rows, std::size_t most,
                          const std::function<void(std::span<double>, const Progress&)>& predict) {
  const std::size_t n = rows.size();
  const Ranks* const ranks = SharedWork::ranks();
  bool goes_on = true;
  agreed(ranks, [&] { goes_on = watch.go_on("leave-one-out", 0); });
  if (ranks && ranks->any(!goes_on)) watch.cut();
  if (!watch.cut_short() && n > 1 && n <= most) {
    std::vector<double> predictions(n * rows.width);
    try {
      predict(predictions, watch.progress(0, 1));
      const double score = score_of(rows, fitted.rule, predictions);
      if (fitted.rule == Rule::shares)
        fitted.report.add("leave_one_out_accuracy", "leave-one-out accuracy", score);
      else
        fitted.report.add("leave_one_out_rmse", "leave-one-out RMSE", score, "target");
    } catch (const Error& error) {
      if (ranks && error.code() == ErrorCode::out_of_time) watch.cut();
      if (error.kind() != ErrorKind::budget || !watch.cut_short()) throw;
    }
  }
  fitted.report.cut_short = watch.cut_short();
  fitted.report.converged = !watch.cut_short();
  fitted.report.seconds = watch.seconds();
}

}  // namespace mercer
