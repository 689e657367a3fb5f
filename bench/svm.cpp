// How long does an RBF C-SVC or ε-SVR (ε = 0.1) take beside LIBSVM, in the same process on the same rows?
// bench/svm.py runs this on each case and prints the table.
//   bench_svm svc|svr TRAIN C GAMMA REPEATS
//
// One thread each (and Mercer with two), eps 1e-3, cache 4 GB, reading not counted; Mercer's time includes
// its float64 certificate. Both answers are judged alike: objective and violation of every problem from
// float64 kernel values. Up to 2,000 of the rows are predicted by both. One line of JSON is printed.
#include <libsvm/svm.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "mercer/error.hpp"
#include "mercer/kernel_operator.hpp"
#include "mercer/methods.hpp"
#include "mercer/model.hpp"
#include "solvers/box_qp.hpp"

namespace {

using namespace mercer;

constexpr double tolerance = 1e-3, tube = 0.1;

double seconds(const auto& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double middle(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

// LIBSVM's rows over ours.
struct Rows {
  std::vector<svm_node> nodes;
  std::vector<svm_node*> starts;
  std::vector<double> labels;

  explicit Rows(const Dataset& data) {
    const Points sparse = data.points.to_sparse();
    const auto& s = std::get<Sparse<double>>(sparse.storage());
    nodes.reserve(s.values.size() + s.rows);
    for (std::size_t i = 0; i < s.rows; ++i) {
      for (std::size_t e = s.starts[i]; e < s.starts[i + 1]; ++e)
        nodes.push_back({s.indices[e] + 1, s.values[e]});
      nodes.push_back({-1, 0});
    }
    std::size_t at = 0;
    for (std::size_t i = 0; i < s.rows; ++i) {
      starts.push_back(nodes.data() + at);
      at += s.starts[i + 1] - s.starts[i] + 1;
      labels.push_back(data.target.codes.empty() ? data.target.values[i] : data.target.codes[i]);
    }
  }
};

struct Quality {
  double objective = 0, violation = 0;
};

// f = Kβ, β per row of the data.
std::vector<double> values_of(const KernelOperator<double>& K, const std::vector<double>& beta) {
  std::vector<std::size_t> support;
  std::vector<double> t, f(beta.size());
  for (std::size_t i = 0; i < beta.size(); ++i)
    if (beta[i] != 0) support.push_back(i), t.push_back(beta[i]);
  K.add_products(support, t, {0, beta.size()}, f);
  return f;
}

// Of the pair (a, b): β is 0 outside the pair.
void score_pair(const KernelOperator<double>& K, const Dataset& data, int a, int b, double C,
                const std::vector<double>& beta, Quality& quality) {
  BoxQp problem;
  std::vector<double> own;
  for (std::size_t i = 0; i < data.rows(); ++i) {
    const int code = data.target.codes[i];
    if (code != a && code != b) continue;
    const int y = code == a ? 1 : -1;
    problem.add_signed(i, -y, y, C);
    own.push_back(beta[i]);
  }
  const Certificate c = certify(problem, own, values_of(K, beta));
  quality.objective += c.objective;
  quality.violation = std::max(quality.violation, c.violation);
}

Quality judge_regression(const svm_model* model, const KernelOperator<double>& K, const Dataset& data,
                         double C) {
  std::vector<double> beta(data.rows(), 0), both;
  for (int s = 0; s < model->l; ++s) beta[std::size_t(model->sv_indices[s] - 1)] = model->sv_coef[0][s];
  BoxQp problem;
  for (std::size_t i = 0; i < data.rows(); ++i)
    for (const int sign : {1, -1}) {
      problem.add_signed(i, sign * tube - data.target.values[i], sign, C);
      both.push_back(beta[i] * sign > 0 ? beta[i] : 0);
    }
  const Certificate c = certify(problem, both, values_of(K, beta));
  return {c.objective, c.violation};
}

Quality judge(const svm_model* model, const KernelOperator<double>& K, const Dataset& data, double C) {
  Quality quality;
  const int k = model->nr_class;
  std::vector<int> begins{0};
  for (int c = 0; c < k; ++c) begins.push_back(begins.back() + model->nSV[c]);
  for (int i = 0; i < k; ++i)
    for (int j = i + 1; j < k; ++j) {
      std::vector<double> beta(data.rows(), 0);
      for (int s = begins[std::size_t(i)]; s < begins[std::size_t(i) + 1]; ++s)
        beta[std::size_t(model->sv_indices[s] - 1)] = model->sv_coef[j - 1][s];
      for (int s = begins[std::size_t(j)]; s < begins[std::size_t(j) + 1]; ++s)
        beta[std::size_t(model->sv_indices[s] - 1)] = model->sv_coef[i][s];
      score_pair(K, data, model->label[i], model->label[j], C, beta, quality);
    }
  return quality;
}

svm_parameter parameters(bool regression, double C, double gamma) {
  svm_parameter p{};
  p.svm_type = regression ? EPSILON_SVR : C_SVC;
  p.p = tube;
  p.kernel_type = RBF;
  p.gamma = gamma;
  p.C = C;
  p.eps = tolerance;
  p.cache_size = 4000;
  p.shrinking = 1;
  return p;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 6) throw Error(ErrorCode::invalid_argument, "bench_svm svc|svr TRAIN C GAMMA REPEATS");
  svm_set_print_string_function([](const char*) {});
  const bool regression = std::string(argv[1]) == "svr";
  const Dataset train = read(argv[2], {.task = regression ? Task::regression : Task::classification});
  const double C = std::atof(argv[3]), gamma = std::atof(argv[4]);
  const std::size_t repeats = std::size_t(std::atoi(argv[5]));
  const Kernel kernel = Kernel::parse("rbf(gamma=" + std::string(argv[4]) + ")");

  const Rows rows(train);
  svm_problem problem{int(train.rows()), const_cast<double*>(rows.labels.data()),
                      const_cast<svm_node**>(rows.starts.data())};
  const svm_parameter p = parameters(regression, C, gamma);
  std::vector<double> one, two, peer;
  svm_model* theirs = nullptr;
  std::vector<Model> ours;
  constexpr double enough = 5;  // seconds of LIBSVM's: it is not run again after that
  while (one.size() < repeats) {
    const auto fit_with = [&](int threads) {
      const FitOptions options{.tolerance = tolerance, .threads = threads, .memory = std::size_t(4000) << 20};
      ours.push_back(regression ? fit(Svr{.C = C, .epsilon = tube}, kernel, train, options)
                                : fit(Svm{.C = C}, kernel, train, options));
    };
    one.push_back(seconds([&] { fit_with(1); }));
    two.push_back(seconds([&] { fit_with(2); }));
    if (theirs && peer.back() > enough) continue;
    if (theirs) svm_free_and_destroy_model(&theirs);
    peer.push_back(seconds([&] { theirs = svm_train(&problem, &p); }));
  }
  const KernelOperator<double> K(kernel, train.points);
  const Quality quality = regression ? judge_regression(theirs, K, train, C) : judge(theirs, K, train, C);
  const Model& model = ours.back();

  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < std::min<std::size_t>(train.rows(), 2000); ++i) chosen.push_back(i);
  const Points test = train.points.select_rows(chosen);
  const double predict = seconds([&] { model.predict(test, 1); });
  const double their_predict = seconds([&] {
    for (const std::size_t i : chosen) svm_predict(theirs, rows.starts[i]);
  });
  std::printf(
      "{\"rows\": %zu, \"mercer_seconds\": %.5f, \"mercer_two_threads\": %.5f, \"libsvm_seconds\": %.5f, "
      "\"mercer_objective\": %.12g, \"libsvm_objective\": %.12g, \"mercer_violation\": %.3g, "
      "\"libsvm_violation\": %.3g, \"support_vectors\": %zu, \"libsvm_support_vectors\": %d, "
      "\"mercer_predict\": %.5f, \"libsvm_predict\": %.5f}\n",
      train.rows(), middle(one), middle(two), middle(peer), model.fitted.report.objective, quality.objective,
      model.fitted.report.violation, quality.violation, model.fitted.report.support_vectors, theirs->l,
      predict, their_predict);
  svm_free_and_destroy_model(&theirs);
  return 0;
} catch (const mercer::Error& error) {
  std::fprintf(stderr, "bench_svm: %s\n", error.what());
  return 1;
}
