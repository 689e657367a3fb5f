#include "mercer/cross_validation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/ranks.hpp"
#include "model_selection/prediction_message.hpp"
#include "model_selection/present_classes.hpp"

namespace mercer {

namespace {

Dataset with_classes(Dataset data, const std::vector<std::int32_t>& present) {
  std::vector<std::string> labels;
  for (const std::int32_t code : present) labels.push_back(data.target.labels[std::size_t(code)]);
  for (std::int32_t& code : data.target.codes)
    code = std::int32_t(std::ranges::lower_bound(present, code) - present.begin());
  data.target.labels = std::move(labels);
  return data;
}

// A score for each pair of classes.
void spread_pairs(const Predictions& few, const std::vector<std::int32_t>& present, std::size_t classes,
                  Predictions& all) {
  all.pairs = true;
  all.width = classes * (classes - 1) / 2;
  all.scores.assign(few.codes.size() * all.width, 0.0);
  const double sign = present.size() == 2 && classes > 2 ? -1 : 1;  // of two, positive for the second
  for (std::size_t row = 0; row < few.codes.size(); ++row) {
    const double* from = few.scores.data() + row * few.width;
    double* to = all.scores.data() + row * all.width;
    for (std::size_t i = 0; i < present.size(); ++i)
      for (std::size_t j = i + 1; j < present.size(); ++j) {
        const auto a = std::size_t(present[i]), b = std::size_t(present[j]);
        to[a * classes - a * (a + 1) / 2 + (b - a - 1)] = sign * *from++;
      }
  }
}

// A score for each class; one score of two classes is large for the second.
void spread_scores(const Predictions& few, const std::vector<std::int32_t>& present, std::size_t classes,
                   Predictions& all) {
  all.width = classes;
  all.scores.resize(few.codes.size() * classes);
  for (std::size_t row = 0; row < few.codes.size(); ++row) {
    const double* from = few.scores.data() + row * few.width;
    std::vector<double> own(from, from + few.width);
    if (own.size() == 1) own.insert(own.begin(), -own[0]);
    double* to = all.scores.data() + row * classes;
    std::fill(to, to + classes, std::ranges::min(own));
    for (std::size_t c = 0; c < present.size(); ++c) to[present[c]] = own[c];
  }
}

}  // namespace

std::vector<std::int32_t> classes_of(const Target& target) {
  std::vector<std::int32_t> present = target.codes;
  std::ranges::sort(present);
  present.erase(std::ranges::unique(present).begin(), present.end());
  return present;
}

Predictions among_all(const Predictions& few, const std::vector<std::int32_t>& present, std::size_t classes) {
  Predictions all;
  const std::size_t rows = few.codes.size();
  for (const std::int32_t code : few.codes) all.codes.push_back(present[std::size_t(code)]);
  const bool of_classes = few.width == present.size() || (few.width == 1 && present.size() == 2);
  if (few.scores.size() == rows * few.width && rows > 0) {
    if (few.pairs && few.width == present.size() * (present.size() - 1) / 2)
      spread_pairs(few, present, classes, all);
    else if (!few.pairs && of_classes)
      spread_scores(few, present, classes, all);
  }
  if (few.probabilities.empty()) return all;
  all.probabilities.assign(rows * classes, 0.0);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t c = 0; c < present.size(); ++c)
      all.probabilities[i * classes + std::size_t(present[c])] = few.probabilities[i * present.size() + c];
  return all;
}

void place_rows(const Predictions& from, std::span<const std::size_t> rows, Predictions& to) {
  const auto place = [&]<class T>(const std::vector<T>& source, std::vector<T>& target) {
    const std::size_t width = rows.empty() ? 0 : source.size() / rows.size();
    for (std::size_t i = 0; i < rows.size(); ++i)
      std::copy_n(source.data() + i * width, width, target.data() + rows[i] * width);
  };
  place(from.codes, to.codes);
  place(from.values, to.values);
  place(from.probabilities, to.probabilities);
  place(from.scores, to.scores);
}

PresentModel::PresentModel(const AnyMethod& method, const Kernel& kernel, const Dataset& rows,
                           const FitOptions& options, Scaling::Kind scaling)
    : classes_(rows.target.labels.size()), probabilities_(options.probabilities) {
  const bool classifies =
      rows.target.task == Task::classification &&
      (method->traits().task == Task::classification || method->traits().task == Task::either);
  std::vector<std::int32_t> present = classifies ? classes_of(rows.target) : std::vector<std::int32_t>();
  if (!classifies || present.empty() || present.size() == classes_) {
    model_ = fit(method, kernel, rows, options, scaling);
    return;
  }
  present_ = std::move(present);
  if (present_.size() > 1) model_ = fit(method, kernel, with_classes(rows, present_), options, scaling);
}

Predictions PresentModel::predict(const Points& points, int threads, const Progress& progress) const {
  if (!model_) {
    Predictions one;
    one.codes.assign(points.rows(), 0);
    if (probabilities_) one.probabilities.assign(points.rows(), 1.0);
    return among_all(one, present_, classes_);
  }
  Predictions p = model_->predict(points, threads, progress);
  return present_.empty() ? std::move(p) : among_all(p, present_, classes_);
}

// --- Cross-validation

namespace {

struct Fold {
  std::vector<std::size_t> rows;
  Predictions predictions;
};

// As many scores a row as the folds whose models know all classes have; 0 where a fold has none.
Predictions joined(const std::vector<Fold>& folds, std::size_t n) {
  Predictions all;
  for (const Fold& fold : folds) {
    const Predictions& p = fold.predictions;
    if (!p.scores.empty()) all.width = p.width, all.outputs = p.outputs, all.pairs = p.pairs;
    const auto grow = [&](auto& to, const auto& from) {
      to.resize(std::max(to.size(), from.size() / fold.rows.size() * n));
    };
    grow(all.codes, p.codes);
    grow(all.values, p.values);
    grow(all.probabilities, p.probabilities);
    grow(all.scores, p.scores);
  }
  for (const Fold& fold : folds) place_rows(fold.predictions, fold.rows, all);
  return all;
}

// Each rank has predicted the folds that are its own; afterwards all have all.
void share_predictions(const Ranks& ranks, std::vector<Fold>& folds) {
  std::string own;
  for (std::size_t f = 0; f < folds.size(); ++f)
    if (ranks.owns(f)) own += bytes_of(folds[f].predictions);
  const std::vector<std::string> all = ranks.gather(own);
  for (std::size_t r = 0; r < all.size(); ++r) {
    std::string_view rest = all[r];
    for (std::size_t f = r; f < folds.size(); f += all.size()) folds[f].predictions = take_predictions(rest);
  }
}

}  // namespace

Predictions cross_validate(const AnyMethod& method, const Kernel& kernel, const Dataset& data,
                           const std::vector<std::size_t>& fold, const FitOptions& options,
                           Scaling::Kind scaling, const std::function<void(const Model&)>& fitted) {
  const std::size_t count = fold.empty() ? 0 : *std::ranges::max_element(fold) + 1;
  std::vector<Fold> folds;
  for (std::size_t f = 0; f < count; ++f) {
    Fold one;
    for (std::size_t i = 0; i < data.rows(); ++i)
      if (fold[i] == f) one.rows.push_back(i);
    if (!one.rows.empty()) folds.push_back(std::move(one));
  }
  const auto predict = [&](std::size_t f) {
    const std::vector<std::size_t>& unseen = folds[f].rows;
    std::vector<std::size_t> seen;
    for (std::size_t i = 0, u = 0; i < data.rows(); ++i) {
      if (u < unseen.size() && unseen[u] == i)
        ++u;
      else
        seen.push_back(i);
    }
    FitOptions own = options;
    if (options.progress)  // the fits of all folds are one piece of work
      own.progress = [&, what = fmt::format("fold {} of {}", f + 1, folds.size())](std::string_view,
                                                                                   double done) {
        return options.progress(what, (double(f) + done) / double(folds.size()));
      };
    const PresentModel model(method, kernel, data.select_rows(seen), own, scaling);
    if (fitted && model.model()) fitted(*model.model());
    folds[f].predictions =
        model.predict(data.points.select_rows(unseen), options.threads, own.progress.part(1, 1));
  };
  const Ranks* const ranks = fitted ? nullptr : SharedWork::ranks();  // all models are to be seen here
  if (!ranks) {
    for (std::size_t f = 0; f < folds.size(); ++f) predict(f);
    return joined(folds, data.rows());
  }
  const SharedWork alone(nullptr);
  std::optional<Error> failed;
  try {
    for (std::size_t f = 0; f < folds.size(); ++f)
      if (ranks->owns(f)) predict(f);
  } catch (const Error& error) {
    failed.emplace(error);
  }
  ranks->agree_on(failed ? &*failed : nullptr);
  share_predictions(*ranks, folds);
  return joined(folds, data.rows());
}

}  // namespace mercer
