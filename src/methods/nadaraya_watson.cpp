// f(x) = Σ wᵢ yᵢ k(xᵢ, x) / Σ wᵢ k(xᵢ, x), with weights k ≥ 0 that need not be positive semidefinite. Of
// classes y is 1 for the own class and 0 for the others: f are the shares of the classes, and the largest is
// the weighted majority. Where all weights are 0 (a row so far away that they underflow) the answer is the
// mean of the targets.
//
// The width of the kernel may be chosen by the leave-one-out error: the squared error of each row predicted
// from the others, of classes that of the shares (Brier's score, which is smooth where the accuracy is not).
// Tried are widths from 1/16 of the given one to 16 times as much, by factors of 2, and then by factors of
// 2^¼ around the best.
#include "mercer/methods/nadaraya_watson.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/ranks.hpp"
#include "methods/kept_rows.hpp"
#include "methods/weighted_sums.hpp"
#include "mercer/error.hpp"
#include "mercer/kernel_parameters.hpp"

namespace mercer {

namespace {

constexpr std::size_t most_means_left_out = 20'000;  // a fit then takes seconds at most

void predict(const KeptRows& rows, const Kernel& kernel, const Points& at, std::optional<std::size_t> own,
             std::span<double> out, int threads, const Progress& progress) {
  const std::size_t width = rows.width, sums = width + 1;
  // The last column of both: the weights themselves.
  std::vector<double> V(rows.size() * sums), found(at.rows() * sums);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t c = 0; c < width; ++c) V[i * sums + c] = rows.weight(i) * rows.targets[i * width + c];
    V[i * sums + width] = rows.weight(i);
  }
  WeightedSums{kernel, rows.points, V, sums}(at, own, found, threads, progress);
  for (std::size_t i = 0; i < at.rows(); ++i)
    for (std::size_t c = 0; c < width; ++c) {
      const double total = found[i * sums + width];
      out[i * width + c] = total > 0 ? found[i * sums + c] / total : rows.mean[c];
    }
}

// Each row from the others; where there are ranks, each has its share of the rows.
void predict_left_out(const KeptRows& rows, const Kernel& kernel, std::span<double> out, int threads,
                      const Progress& progress) {
  const Ranks* const ranks = SharedWork::ranks();
  if (!ranks) return predict(rows, kernel, rows.points, 0, out, threads, progress);
  std::vector<std::size_t> begins = ranks->shares(rows.size());
  const Range own{begins[std::size_t(ranks->rank())], begins[std::size_t(ranks->rank()) + 1]};
  agreed(ranks, [&] {
    if (own.size() == 0) return;
    std::vector<std::size_t> chosen(own.size());
    std::iota(chosen.begin(), chosen.end(), own.begin);
    predict(rows, kernel, rows.points.select_rows(chosen), own.begin,
            out.subspan(own.begin * rows.width, own.size() * rows.width), threads, progress);
  });
  for (std::size_t& begin : begins) begin *= rows.width;
  ranks->join(out, begins);
}

// The one parameter of a kernel that is a width, or an inverse one.
class Width {
 public:
  explicit Width(const Kernel& kernel)
      : kernel_(kernel), parameters_(numeric_parameters(kernel)), place_(parameters_.size()) {
    std::size_t widths = 0;
    for (std::size_t p = 0; p < parameters_.size(); ++p) {
      const std::string name = parameters_[p].name.substr(parameters_[p].name.find('.') + 1);
      if (name != "gamma" && name != "sigma" && name != "lambda" && name != "length") continue;
      ++widths;
      place_ = p;
    }
    if (widths != 1)
      throw Error(ErrorCode::invalid_argument,
                  fmt::format("bandwidth=loo changes the one width of a kernel (gamma, sigma, lambda or "
                              "length), but {} has {}",
                              kernel.text(), widths == 0 ? "none" : std::to_string(widths)),
                  {.owner = "nadaraya_watson"});
  }

  const std::string& name() const { return parameters_[place_].name; }
  double value(double octaves) const {  // γ goes with the inverse square of a width
    return parameters_[place_].value * std::exp2(name().ends_with("gamma")    ? -2 * octaves
                                                 : name().ends_with("lambda") ? -octaves
                                                                              : octaves);
  }
  Kernel times(double octaves) const {
    std::vector<double> values;
    for (const KernelParameter& parameter : parameters_) values.push_back(parameter.value);
    values[place_] = value(octaves);
    return with_parameters(kernel_, values);
  }

 private:
  Kernel kernel_;
  std::vector<KernelParameter> parameters_;
  std::size_t place_;
};

// The octaves by which the width is to change.
double best_width(const KeptRows& rows, const Width& width, int threads, Watch& watch) {
  double best = 0, least = std::numeric_limits<double>::infinity(), tried = 0;
  constexpr double trials = 15;
  std::vector<double> found(rows.size() * rows.width);
  const auto attempt = [&](double octaves) {
    predict_left_out(rows, width.times(octaves), found, threads,
                     watch.progress(0.9 * tried / trials, 0.9 * (tried + 1) / trials));
    const double error = score_of(rows, Rule::value, found);
    if (error < least) best = octaves, least = error;
    ++tried;
  };
  for (const double octaves : {0.0, 1.0, -1.0, 2.0, -2.0, 3.0, -3.0, 4.0, -4.0}) attempt(octaves);
  const double middle = best;
  for (const double octaves : {0.25, -0.25, 0.5, -0.5, 0.75, -0.75}) attempt(middle + octaves);
  return best;
}

}  // namespace

Fitted NadarayaWatson::fit(const Training& training) const {
  Watch watch(training.options);
  Fitted fitted = keep_rows(training, Rows(training));
  const KeptRows rows(fitted, name);
  if (bandwidth == Bandwidth::loo) {
    const Width width(training.kernel);
    if (rows.size() < 2 || rows.size() > most_means_left_out)
      throw Error(ErrorCode::invalid_data,
                  fmt::format("bandwidth=loo needs 2 to {} rows, not {}", most_means_left_out, rows.size()),
                  {.owner = "nadaraya_watson"});
    const double octaves = best_width(rows, width, training.options.threads, watch);
    fitted.expansion.kernel = width.times(octaves);
    fitted.report.diagnostics.push_back(
        {"width", "leave-one-out choice of", {width.value(octaves)}, "", {width.name()}});
  }
  report_leave_one_out(watch, fitted, rows, most_means_left_out,
                       [&](std::span<double> out, const Progress& progress) {
                         predict_left_out(rows, rows.kernel, out, training.options.threads, progress);
                       });
  return fitted;
}

void NadarayaWatson::evaluate(const Fitted& fitted, const Points& at, std::span<double> out, int threads,
                              const Progress& progress) const {
  const KeptRows rows(fitted, name);
  predict(rows, rows.kernel, at, {}, out, threads, progress);
}

}  // namespace mercer
