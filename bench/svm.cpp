// How long does an RBF C-SVC take beside LIBSVM, in the same process on the same rows? bench/svm.py runs this
// on each data set, adds scikit-learn and prints the table.
//   bench_svm TRAIN TEST C GAMMA REPEATS PREDICTED_ROWS
//
// One thread each (and Mercer with two), eps 1e-3, cache 4 GB, reading not counted; Mercer's time includes
// its float64 certificate. Both answers are judged alike: objective and violation of every pair from float64
// kernel values. One line of JSON is printed. PREDICTED_ROWS of the test file are predicted by both.
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

constexpr double tolerance = 1e-3;

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
      labels.push_back(data.target.codes[i]);
    }
  }
};

struct Quality {
  double objective = 0, violation = 0;
};

// Of the pair (a, b): β per row of the data, which is 0 outside the pair.
void score_pair(const KernelOperator<double>& K, const Dataset& data, int a, int b, double C,
                const std::vector<double>& beta, Quality& quality) {
  BoxQp problem;
  std::vector<double> own, f(data.rows());
  for (std::size_t i = 0; i < data.rows(); ++i) {
    const int code = data.target.codes[i];
    if (code != a && code != b) continue;
    const int y = code == a ? 1 : -1;
    problem.points.push_back(std::int32_t(i));
    problem.linear.push_back(-y);
    problem.lower.push_back(y > 0 ? 0 : -C);
    problem.upper.push_back(y > 0 ? C : 0);
    own.push_back(beta[i]);
  }
  // Only rows of the pair are looked at, only columns with β ≠ 0 count.
  std::vector<std::size_t> support;
  for (std::size_t i = 0; i < data.rows(); ++i)
    if (beta[i] != 0) support.push_back(i);
  std::vector<double> tile;
  for (std::size_t begin = 0; begin < support.size(); begin += 256) {
    const std::size_t count = std::min<std::size_t>(256, support.size() - begin);
    tile.resize(count * data.rows());
    K.block(std::span(support).subspan(begin, count), {0, data.rows()},
            row_pointers(tile.data(), count, data.rows()));
    for (std::size_t r = 0; r < count; ++r)
      for (std::size_t i = 0; i < data.rows(); ++i)
        f[i] += beta[support[begin + r]] * tile[r * data.rows() + i];
  }
  const Certificate c = certify(problem, own, f);
  quality.objective += c.objective;
  quality.violation = std::max(quality.violation, c.violation);
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

svm_parameter parameters(double C, double gamma) {
  svm_parameter p{};
  p.svm_type = C_SVC;
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
  if (argc != 7)
    throw Error(ErrorCode::invalid_argument, "bench_svm TRAIN TEST C GAMMA REPEATS PREDICTED_ROWS");
  svm_set_print_string_function([](const char*) {});
  const Dataset train = read(argv[1], {.task = Task::classification}),
                whole_test = read(argv[2], {.task = Task::classification, .columns = train.points.cols()});
  const double C = std::atof(argv[3]), gamma = std::atof(argv[4]);
  const int repeats = std::atoi(argv[5]);
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < std::min(whole_test.rows(), std::size_t(std::atoi(argv[6]))); ++i)
    chosen.push_back(i);
  const Dataset test = whole_test.select_rows(chosen);
  const Kernel kernel = Kernel::parse("rbf(gamma=" + std::string(argv[4]) + ")");

  const Rows rows(train), test_rows(test);
  svm_problem problem{int(train.rows()), const_cast<double*>(rows.labels.data()),
                      const_cast<svm_node**>(rows.starts.data())};
  const svm_parameter p = parameters(C, gamma);
  std::vector<double> one, two, peer;
  svm_model* theirs = nullptr;
  std::vector<Model> ours;
  for (int r = 0; r < repeats; ++r) {
    const auto fit_with = [&](int threads) {
      ours.push_back(fit(Svm{.C = C}, kernel, train,
                         {.tolerance = tolerance, .threads = threads, .memory = std::size_t(4000) << 20}));
    };
    one.push_back(seconds([&] { fit_with(1); }));
    two.push_back(seconds([&] { fit_with(2); }));
    if (theirs) svm_free_and_destroy_model(&theirs);
    peer.push_back(seconds([&] { theirs = svm_train(&problem, &p); }));
  }
  const KernelOperator<double> K(kernel, train.points);
  const Quality quality = judge(theirs, K, train, C);
  const Model& model = ours.back();

  std::size_t right = 0, their_right = 0;
  Predictions predictions;
  const double predict = seconds([&] { predictions = model.predict(test.points, 1); });
  const double their_predict = seconds([&] {
    for (std::size_t i = 0; i < test.rows(); ++i)
      their_right += train.target.labels[std::size_t(svm_predict(theirs, test_rows.starts[i]))] ==
                     test.target.labels[std::size_t(test.target.codes[i])];
  });
  for (std::size_t i = 0; i < test.rows(); ++i)
    right += model.labels[std::size_t(predictions.codes[i])] ==
             test.target.labels[std::size_t(test.target.codes[i])];
  std::printf(
      "{\"mercer_seconds\": %.4f, \"mercer_two_threads\": %.4f, \"libsvm_seconds\": %.4f, "
      "\"mercer_objective\": %.12g, \"libsvm_objective\": %.12g, "
      "\"mercer_violation\": %.3g, \"libsvm_violation\": %.3g, \"support_vectors\": %zu, "
      "\"libsvm_support_vectors\": %d, "
      "\"mercer_accuracy\": %.6f, \"libsvm_accuracy\": %.6f, \"mercer_predict\": %.5f, \"libsvm_predict\": "
      "%.5f, \"predicted\": %zu}\n",
      middle(one), middle(two), middle(peer), model.fitted.report.objective, quality.objective,
      model.fitted.report.violation, quality.violation, model.fitted.report.support_vectors, theirs->l,
      double(right) / double(test.rows()), double(their_right) / double(test.rows()), predict, their_predict,
      test.rows());
  svm_free_and_destroy_model(&theirs);
  return 0;
} catch (const mercer::Error& error) {
  std::fprintf(stderr, "bench_svm: %s\n", error.what());
  return 1;
}
