// LIBSVM as a reference: the same problem solved, and the same decision values, by the library everybody
// knows.
#pragma once

#include <string>
#include <vector>

#include "mercer/dataset.hpp"

#ifdef MERCER_LIBSVM
#include <libsvm/svm.h>

#include <cstdlib>
#include <cstring>
#include <memory>

namespace mercer::testing {

/// LIBSVM's names of what Mercer writes as an expression.
struct LibsvmKernelChoice {
  std::string expression;
  int type, degree;
  double gamma, coef0;
};
inline const std::vector<LibsvmKernelChoice> libsvm_kernels{
    {"linear", LINEAR, 0, 0, 0},
    {"poly(degree=2, scale=0.5, offset=1)", POLY, 2, 0.5, 1},
    {"poly(degree=3, scale=0.25, offset=0.5)", POLY, 3, 0.25, 0.5},
    {"rbf(gamma=0.5)", RBF, 0, 0.5, 0},
    {"rbf(gamma=4)", RBF, 0, 4, 0}};

inline svm_parameter libsvm_parameter(int type, const LibsvmKernelChoice& kernel, double eps) {
  svm_parameter p{};
  p.svm_type = type;
  p.kernel_type = kernel.type;
  p.degree = kernel.degree;
  p.gamma = kernel.gamma;
  p.coef0 = kernel.coef0;
  p.cache_size = 16;
  p.eps = eps;
  p.C = 1;
  p.nu = 0.5;
  p.p = 0.1;
  return p;
}

/// Points in LIBSVM's form. It lists classes in the order in which they appear: data whose first rows have
/// the classes in ascending order have the same pairs in both.
class LibsvmPoints {
 public:
  explicit LibsvmPoints(const Points& points) {
    for (std::size_t i = 0; i < points.rows(); ++i) {
      std::vector<svm_node>& nodes = rows_.emplace_back();
      const std::vector<double> row = points.row(i);
      for (std::size_t c = 0; c < row.size(); ++c)
        if (row[c] != 0) nodes.push_back({int(c + 1), row[c]});
      nodes.push_back({-1, 0});
    }
    for (auto& nodes : rows_) pointers_.push_back(nodes.data());
  }
  std::size_t size() const { return rows_.size(); }
  svm_node* row(std::size_t i) const { return pointers_[i]; }
  svm_node** rows() { return pointers_.data(); }

 private:
  std::vector<std::vector<svm_node>> rows_;
  std::vector<svm_node*> pointers_;
};

class LibsvmMachine {
 public:
  /// Targets are numbers: the labels of classes, or values.
  LibsvmMachine(const Points& points, std::vector<double> target, svm_parameter parameter)
      : points_(points),
        target_(std::move(target)),
        problem_{int(points_.size()), target_.data(), points_.rows()} {
    objective_sum() = 0;
    svm_set_print_string_function([](const char* text) {
      if (const char* found = std::strstr(text, "obj = ")) objective_sum() += std::atof(found + 6);
    });
    model_.reset(svm_train(&problem_, &parameter));
    objective_ = objective_sum();
  }
  /// As printed: six decimals; summed over the pairs of classes.
  double objective() const { return objective_; }
  const svm_model& model() const { return *model_; }
  void save(const std::string& path) const { svm_save_model(path.c_str(), model_.get()); }

 private:
  struct Free {
    void operator()(svm_model* model) const { svm_free_and_destroy_model(&model); }
  };
  static double& objective_sum() {
    static double sum;
    return sum;
  }
  LibsvmPoints points_;
  std::vector<double> target_;
  svm_problem problem_;
  std::unique_ptr<svm_model, Free> model_;
  double objective_ = 0;
};

/// rows × width, row-major, as Predictions::scores.
inline std::vector<double> libsvm_scores(const svm_model& model, const Points& points) {
  const LibsvmPoints nodes(points);
  const bool classifies = model.param.svm_type == C_SVC || model.param.svm_type == NU_SVC;
  const std::size_t width = classifies ? std::size_t(model.nr_class * (model.nr_class - 1) / 2) : 1;
  std::vector<double> scores(nodes.size() * width);
  for (std::size_t i = 0; i < nodes.size(); ++i)
    svm_predict_values(&model, nodes.row(i), scores.data() + i * width);
  if (classifies && model.nr_class == 2)
    for (double& score : scores) score = -score;  // LIBSVM's are positive for the first class
  return scores;
}

}  // namespace mercer::testing

#define SKIP_WITHOUT_LIBSVM()
#else
#define SKIP_WITHOUT_LIBSVM() GTEST_SKIP() << "LIBSVM is not installed (package libsvm-dev)"
#endif
