// Rows are visited one after the other, in an order shuffled anew in each epoch. Two classes, y = 1 for the
// first and −1 for the second: where y·f(x) ≤ 0, f += w·y·k(x, ·). Several classes (Crammer & Singer 2003):
// where the largest score of another class is not below that of the own, the own class gains w·k(x, ·) and
// that other one loses it. w is the weight of the row.
//
// f is kept at all rows, so that a visit is a look and a mistake adds a column of K; over features f = wᵀφ is
// kept as w, and neither costs more than a row of Φ. The mean of f over all visits needs no second
// function: an update at visit t of T takes part in T − t + 1 of them (counted from 1), so that with u = Σ (t
// − 1)·update the mean of the coefficients is α − u/T.
#include "mercer/methods/perceptron.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <variant>

#include "base/random.hpp"
#include "methods/svm_trainer.hpp"
#include "methods/rows.hpp"
#include "methods/watch.hpp"
#include "operators/row_features.hpp"
#include "mercer/error.hpp"
#include "mercer/kernel_operator.hpp"

namespace mercer {

namespace {

// f of every class at the rows, as it grows by multiples of k(xᵢ, ·).
class Grown {
 public:
  virtual ~Grown() = default;
  /// f at row i, one per class; until the next call.
  virtual const double* at(std::size_t i) = 0;
  virtual void add(std::size_t i, std::size_t c, double step) = 0;
  /// f of the coefficients given (rows × width) at all rows, and the sum of their ‖f‖².
  virtual double whole(std::span<const double> coefficients, std::span<double> f) const = 0;
};

class GrownByColumns final : public Grown {
 public:
  GrownByColumns(KernelOperator<double> K, std::size_t width)
      : K_(std::move(K)), width_(width), f_(K_.rows() * width, 0.0), column_(K_.rows()) {}
  const double* at(std::size_t i) override { return f_.data() + i * width_; }
  void add(std::size_t i, std::size_t c, double step) override {
    if (held_ != i) K_.columns(std::span(&i, 1), column_);
    held_ = i;
    for (std::size_t j = 0; j < column_.size(); ++j) f_[j * width_ + c] += step * column_[j];
  }
  double whole(std::span<const double> coefficients, std::span<double> f) const override {
    K_.multiply(coefficients, width_, f);
    return std::inner_product(f.begin(), f.end(), coefficients.begin(), 0.0);
  }

 private:
  KernelOperator<double> K_;
  std::size_t width_;
  std::vector<double> f_, column_;  // f: rows × width
  std::size_t held_ = SIZE_MAX;     // whose column of K is in column_
};

class GrownByWeights final : public Grown {
 public:
  GrownByWeights(const Points& points, std::size_t width)
      : points_(points), width_(width), w_(points.cols() * width, 0.0), f_(width) {}
  const double* at(std::size_t i) override {
    std::ranges::fill(f_, 0);
    gather(w_, i, f_.data());
    return f_.data();
  }
  void add(std::size_t i, std::size_t c, double step) override {
    entries(i, [&](std::size_t column, double x) { w_[column * width_ + c] += step * x; });
  }
  double whole(std::span<const double> coefficients, std::span<double> f) const override {
    std::vector<double> w(w_.size(), 0.0);
    for (std::size_t i = 0; i < points_.rows(); ++i)
      entries(i, [&](std::size_t column, double x) {
        for (std::size_t c = 0; c < width_; ++c) w[column * width_ + c] += coefficients[i * width_ + c] * x;
      });
    std::ranges::fill(f, 0);
    for (std::size_t i = 0; i < points_.rows(); ++i) gather(w, i, f.data() + i * width_);
    return std::inner_product(w.begin(), w.end(), w.begin(), 0.0);
  }

 private:
  void entries(std::size_t i, auto&& use) const {
    std::visit(
        [&](const auto& storage) {
          if constexpr (requires { storage.starts; })
            for (std::size_t e = storage.starts[i]; e < storage.starts[i + 1]; ++e)
              use(std::size_t(storage.indices[e]), double(storage.values[e]));
          else
            for (std::size_t j = 0; j < points_.cols(); ++j) use(j, double(storage.row(i)[j]));
        },
        points_.storage());
  }
  void gather(const std::vector<double>& w, std::size_t i, double* f) const {
    entries(i, [&](std::size_t column, double x) {
      for (std::size_t c = 0; c < width_; ++c) f[c] += w[column * width_ + c] * x;
    });
  }

  Points points_;
  std::size_t width_;
  std::vector<double> w_, f_;  // w: columns × width
};

class Perceptrons {
 public:
  Perceptrons(Grown& f, const Rows& rows, std::vector<std::int32_t> codes, std::size_t width)
      : f_(f),
        rows_(rows),
        codes_(std::move(codes)),
        width_(width),
        alpha_(rows.size() * width, 0.0),
        early_(rows.size() * width, 0.0) {}

  /// One look at row i; true where it was a mistake.
  bool visit(std::size_t i) {
    const double* f = f_.at(i);
    const auto own = std::size_t(codes_[i]);
    if (width_ == 1) {
      const double y = own == 0 ? 1 : -1;
      const bool mistake = y * *f <= 0;
      if (mistake) update(i, 0, y);
      ++visits_;
      return mistake;
    }
    std::size_t rival = own == 0 ? 1 : 0;
    for (std::size_t c = 0; c < width_; ++c)
      if (c != own && f[c] > f[rival]) rival = c;
    const bool mistake = f[rival] >= f[own];
    if (mistake) {
      update(i, own, 1);
      update(i, rival, -1);
    }
    ++visits_;
    return mistake;
  }

  std::vector<double> coefficients(bool averaged) const {
    std::vector<double> result = alpha_;
    for (std::size_t e = 0; averaged && visits_ > 0 && e < result.size(); ++e)
      result[e] -= early_[e] / visits_;
    return result;
  }

  std::size_t width() const { return width_; }

 private:
  void update(std::size_t i, std::size_t c, double sign) {
    const double step = sign * rows_.weights[i];
    alpha_[i * width_ + c] += step;
    early_[i * width_ + c] += visits_ * step;
    f_.add(i, c, step);
  }

  Grown& f_;
  const Rows& rows_;
  std::vector<std::int32_t> codes_;
  std::size_t width_;
  std::vector<double> alpha_, early_;  // α and u: n × width
  double visits_ = 0;
};

// ‖f‖² and the share of training rows that f gets wrong.
void judge(const Grown& grown, const Rows& rows, std::span<const std::int32_t> codes,
           std::span<const double> coefficients, std::size_t width, FitReport& report) {
  std::vector<double> f(rows.size() * width);
  report.norm = grown.whole(coefficients, f);
  double wrong = 0, total = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double* own = f.data() + i * width;
    const std::int32_t found =
        width == 1 ? (*own > 0 ? 0 : 1) : std::int32_t(std::max_element(own, own + width) - own);
    wrong += rows.weights[i] * (found != codes[i]);
    total += rows.weights[i];
  }
  report.loss = wrong / total;
}

}  // namespace

Fitted Perceptron::fit(const Training& training) const {
  (void)rows_by_class(training);  // refuses fewer than two classes, and classes without rows
  Watch watch(training.options);
  const Rows rows(training);
  const std::vector<std::int32_t> codes = rows.codes(training.target);
  const std::size_t classes = training.target.labels.size(), width = classes == 2 ? 1 : classes;
  std::unique_ptr<Grown> grown;
  if (rows.features)
    grown = std::make_unique<GrownByWeights>(rows.features->table(), width);
  else
    grown = std::make_unique<GrownByColumns>(
        KernelOperator<double>(training.kernel, rows.points,
                               {.storage = OperatorOptions::Storage::automatic,
                                .memory = training.options.memory,
                                .threads = training.options.threads,
                                .progress = watch.progress(0, 0.3)}),
        width);
  Perceptrons learner(*grown, rows, codes, width);
  Random random(training.options.seed);
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::size_t epoch = 0, mistakes = 1;
  for (bool goes_on = true; goes_on && mistakes > 0 && epoch < std::size_t(epochs); ++epoch) {
    for (std::size_t i = rows.size(); i-- > 1;) std::swap(order[i], order[random.below(i + 1)]);
    mistakes = 0;
    for (std::size_t v = 0; v < rows.size() && goes_on; ++v) {
      mistakes += learner.visit(order[v]);
      if (v % 256 == 255 || v + 1 == rows.size())
        goes_on =
            watch.go_on("epochs", 0.3 + 0.7 * (double(epoch) + double(v + 1) / double(rows.size())) / epochs);
    }
  }
  std::vector<double> coefficients = learner.coefficients(averaged);
  FitReport found;
  if (!watch.cut_short()) judge(*grown, rows, codes, coefficients, learner.width(), found);
  Fitted fitted = expand(training, rows, std::move(coefficients), std::vector<double>(learner.width(), 0.0),
                         Rule::one_vs_rest);
  FitReport& report = fitted.report;
  report.certificate = CertificateKind::none;
  if (rows.features) report.plan = {FitPlan::Way::primal, rows.features->features()};
  report.norm = found.norm;
  report.loss = found.loss;
  report.iterations = epoch;
  report.add("epochs", "epochs", double(epoch));
  report.add("last_epoch_mistakes", "mistakes in the last epoch", double(mistakes), "rows");
  report.cut_short = watch.cut_short();
  report.converged = !report.cut_short;
  if (report.converged && mistakes > 0)
    report.warnings.push_back(
        fmt::format("the last of {} epochs still had {} mistakes: more epochs, or a richer kernel, may help",
                    epoch, mistakes));
  report.seconds = watch.seconds();
  return fitted;
}

}  // namespace mercer
