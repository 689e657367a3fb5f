// How long does a linear SVM take beside LIBLINEAR's dual coordinate descent, in the same process on the same
// rows?
//   bench_linear [FILE.svm …]   the files, then generated rows like RCV1's:
//                               200,000 × 50,000, 70 non-zeros each
//
// C = 1, one thread each, reading not counted. LIBLINEAR (-s 3 -e 0.1) stops when the projected gradients met
// in a pass are within 0.1 of one another; Mercer when those of all variables are, measured at the end: a
// violation of 0.1 with a bias, of ±0.05 without. Without a bias both solve the same problem; with one,
// LIBLINEAR penalises it (-B 1) and Mercer does not, so that each is judged by its own gap: primal − dual
// over dual, both in float64. LIBLINEAR keeps no dual variables, and so has no violation to show. Medians of
// 3 runs in turn, of 21 for files, which are small.
//
// Then whole fits of generated families: dense and sparse, wide and long, of 2 to 20 classes, one against the
// rest, at two tolerances, beside LIBLINEAR's train() with the same eps (-s 3 -B 1): the ratio of the times
// for each, its geometric mean and the worst. Mercer's fit has the plan, the certificate and the model in it;
// its bias is not penalised. LIBLINEAR gives up after 1000 passes, and what it has then is not within the
// tolerance. The best of 5 runs in turn.
#include <linear.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "mercer/dataset.hpp"
#include "mercer/error.hpp"
#include "mercer/methods.hpp"
#include "mercer/model.hpp"
#include "solvers/linear_coordinate.hpp"

namespace {

using namespace mercer;

struct Rows {
  std::string name;
  Points points;          // Sparse<float>
  std::vector<double> y;  // ±1

  const Sparse<float>& x() const { return std::get<Sparse<float>>(points.storage()); }
};

/// Columns are as frequent as words: of rank t with a probability like 1/(t + 100). Rows have norm 1, labels
/// follow a random hyperplane, and one in twenty is wrong.
Rows generate_rows(std::size_t n, std::size_t d, std::size_t per_row) {
  Random random(1);
  std::vector<double> plane(d);
  for (double& value : plane) value = random.normal();
  Sparse<float> x{n, d, Buffer<std::size_t>(n + 1), Buffer<std::int32_t>(n * per_row),
                  Buffer<float>(n * per_row)};
  std::vector<double> y(n);
  for (std::size_t i = 0; i < n; ++i) {
    std::map<std::int32_t, double> row;
    while (row.size() < per_row) {
      const double rank = 100 * (std::pow(double(d) / 100 + 1, random.uniform()) - 1);
      row.emplace(std::int32_t(rank), random.uniform(0.5, 1) * std::log(double(d) / (rank + 1) + 1));
    }
    double norm = 0, score = 0;
    for (const auto& [column, value] : row) norm += value * value;
    std::size_t k = x.starts[i] = i * per_row;
    for (const auto& [column, value] : row) {
      x.indices[k] = column;
      x.values[k++] = float(value / std::sqrt(norm));
      score += value * plane[std::size_t(column)];
    }
    y[i] = (score > 0) == (random.uniform() < 0.95) ? 1 : -1;
  }
  x.starts[n] = n * per_row;
  return {"generated", Points(std::move(x)), std::move(y)};
}

Rows read_rows(const std::string& path) {
  const Dataset data = read(path, {.precision = Precision::float32});
  Rows rows{path.substr(path.rfind('/') + 1), data.points, {}};
  for (const auto code : data.target.codes) rows.y.push_back(code == 0 ? -1 : 1);
  return rows;
}

struct Outcome {
  double seconds = 0, primal = 0, dual = 0;
  double violation = NAN;
};

/// ½‖w‖² + C Σ max(0, 1 − y(wᵀx + b)), C = 1; the bias counts in the norm where it is penalised.
double primal_objective(const Rows& rows, const std::vector<double>& w, double b, bool penalised) {
  const Sparse<float>& x = rows.x();
  double objective = penalised ? b * b / 2 : 0;
  for (std::size_t k = 0; k < x.cols; ++k) objective += w[k] * w[k] / 2;
  for (std::size_t i = 0; i < x.rows; ++i) {
    double score = b;
    for (std::size_t k = x.starts[i]; k < x.starts[i + 1]; ++k)
      score += double(x.values[k]) * w[x.indices[k]];
    objective += std::max(0.0, 1 - rows.y[i] * score);
  }
  return objective;
}

template <class Work>
double seconds(Work work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// The dual objective is not in LIBLINEAR's model, only in what it prints.
double printed_objective;
void listen(const char* text) {
  if (const char* found = std::strstr(text, "Objective value = ")) printed_objective = std::atof(found + 18);
}

class Liblinear {
 public:
  Liblinear(const Rows& rows, bool bias) : rows_(rows), y_(rows.y), bias_(bias) {
    const Sparse<float>& x = rows.x();
    nodes_.reserve(x.values.size() + (bias ? 2 : 1) * x.rows);
    for (std::size_t i = 0; i < x.rows; ++i) {
      starts_.push_back(nodes_.data() + nodes_.size());
      for (std::size_t k = x.starts[i]; k < x.starts[i + 1]; ++k)
        nodes_.push_back({x.indices[k] + 1, double(x.values[k])});
      if (bias) nodes_.push_back({int(x.cols) + 1, 1.0});
      nodes_.push_back({-1, 0.0});
    }
  }

  Outcome solve() {
    const auto cols = rows_.x().cols;
    const problem given{int(y_.size()), int(cols) + bias_, y_.data(), starts_.data(), bias_ ? 1.0 : -1.0};
    parameter options{};
    options.solver_type = L2R_L1LOSS_SVC_DUAL;
    options.eps = 0.1;
    options.C = 1;
    set_print_string_function(listen);
    model* fitted = nullptr;
    Outcome outcome{.seconds = seconds([&] { fitted = train(&given, &options); })};
    const double sign = fitted->label[0];
    std::vector<double> w(fitted->w, fitted->w + cols);
    for (double& value : w) value *= sign;
    outcome.primal = primal_objective(rows_, w, bias_ ? sign * fitted->w[cols] : 0, true);
    outcome.dual = -printed_objective;
    free_and_destroy_model(&fitted);
    return outcome;
  }

 private:
  const Rows& rows_;
  std::vector<double> y_;
  bool bias_;
  std::vector<feature_node> nodes_;
  std::vector<feature_node*> starts_;
};

Outcome solve_by_mercer(const Rows& rows, bool bias) {
  BoxQp problem;
  for (std::size_t i = 0; i < rows.y.size(); ++i) {
    problem.points.push_back(std::int32_t(i));
    problem.linear.push_back(-rows.y[i]);
    problem.lower.push_back(std::min(0.0, rows.y[i]));
    problem.upper.push_back(std::max(0.0, rows.y[i]));
  }
  LinearSolution solution;
  const LinearOptions options{.tolerance = bias ? 0.1 : 0.05, .bias = bias};
  Outcome outcome{.seconds = seconds([&] { solution = solve_linear(problem, rows.points, options); })};
  outcome.primal = primal_objective(rows, solution.weights, -solution.rho, false);
  for (const double w : solution.weights) outcome.dual -= w * w / 2;
  for (std::size_t i = 0; i < rows.y.size(); ++i) outcome.dual += rows.y[i] * solution.beta[i];
  outcome.violation = solution.violation;
  return outcome;
}

Outcome median(std::vector<Outcome> outcomes) {
  std::ranges::sort(outcomes, {}, &Outcome::seconds);
  return outcomes[outcomes.size() / 2];
}

void print_row(const std::string& name, bool bias, const char* solver, const Outcome& outcome, double peer) {
  std::printf("| %s | %s | %s | %.4f | %.2f | %.3f | %.3f | %.1e | ", name.c_str(), bias ? "yes" : "no",
              solver, outcome.seconds, outcome.seconds / peer, outcome.primal, outcome.dual,
              (outcome.primal - outcome.dual) / outcome.dual);
  std::printf(std::isnan(outcome.violation) ? "|\n" : "%.3f |\n", outcome.violation);
}

void compare(const Rows& rows, int rounds) {
  for (const bool bias : {false, true}) {
    Liblinear liblinear(rows, bias);
    std::vector<Outcome> theirs, ours;
    for (int round = 0; round < rounds; ++round) {
      theirs.push_back(liblinear.solve());
      ours.push_back(solve_by_mercer(rows, bias));
    }
    const Outcome peer = median(theirs);
    print_row(rows.name, bias, "LIBLINEAR", peer, peer.seconds);
    print_row(rows.name, bias, "Mercer", median(ours), peer.seconds);
  }
}

// --- Whole fits of families.

struct Family {
  const char* name;
  std::size_t rows, columns;
  double density;  ///< of sparse rows, whose columns are as frequent as words; 1: dense
  std::size_t classes;
  double C = 1;
};

/// Each class has a direction of its own among as many columns as it takes; one row in twenty is wrong.
Dataset generate_family(const Family& family) {
  Random random(7);
  const std::size_t n = family.rows, d = family.columns, k = family.classes;
  std::vector<double> directions(k * d);
  for (double& value : directions) value = random.normal();
  Dataset data;
  data.target.task = Task::classification;
  for (std::size_t c = 0; c < k; ++c) data.target.labels.push_back(std::to_string(c));
  const auto per_row = std::size_t(family.density * double(d));
  std::vector<std::map<std::int32_t, double>> rows(n);
  for (auto& row : rows) {
    if (family.density == 1)
      for (std::size_t j = 0; j < d; ++j) row.emplace(std::int32_t(j), random.normal());
    while (row.size() < per_row) {
      const double rank = 100 * (std::pow(double(d) / 100 + 1, random.uniform()) - 1);
      row.emplace(std::int32_t(rank), random.uniform(0.5, 1) * std::log(double(d) / (rank + 1) + 1));
    }
    double norm = 0;
    for (const auto& [column, value] : row) norm += value * value;
    std::vector<double> scores(k, 0.0);
    for (auto& [column, value] : row) {
      if (family.density < 1) value /= std::sqrt(norm);
      for (std::size_t c = 0; c < k; ++c) scores[c] += value * directions[c * d + std::size_t(column)];
    }
    const auto best = std::ranges::max_element(scores) - scores.begin();
    data.target.codes.push_back(std::int32_t(random.uniform() < 0.95 ? std::size_t(best) : random.below(k)));
  }
  Sparse<double> x{n, d, Buffer<std::size_t>(n + 1), Buffer<std::int32_t>(n * per_row),
                   Buffer<double>(n * per_row)};
  std::size_t e = 0;
  for (std::size_t i = 0; i < n; ++i) {
    x.starts[i] = e;
    for (const auto& [column, value] : rows[i]) x.indices[e] = column, x.values[e++] = value;
  }
  x.starts[n] = e;
  const Points sparse(std::move(x));
  data.points = family.density == 1 ? sparse.to_dense() : sparse;
  return data;
}

/// LIBLINEAR gives up after 1000 passes, and says so.
bool gave_up;
void listen_for_warning(const char* text) {
  gave_up = gave_up || std::strstr(text, "reaching max number of iterations");
}

double fit_by_liblinear(const Dataset& data, double C, double eps) {
  const Points sparse = data.points.to_sparse();
  const auto& x = std::get<Sparse<double>>(sparse.storage());
  std::vector<feature_node> nodes;
  nodes.reserve(x.values.size() + 2 * x.rows);
  std::vector<feature_node*> starts;
  std::vector<double> y(data.target.codes.begin(), data.target.codes.end());
  for (std::size_t i = 0; i < x.rows; ++i) {
    starts.push_back(nodes.data() + nodes.size());
    for (std::size_t k = x.starts[i]; k < x.starts[i + 1]; ++k)
      nodes.push_back({x.indices[k] + 1, x.values[k]});
    nodes.push_back({int(x.cols) + 1, 1.0});
    nodes.push_back({-1, 0.0});
  }
  const problem given{int(x.rows), int(x.cols) + 1, y.data(), starts.data(), 1.0};
  parameter options{};
  options.solver_type = L2R_L1LOSS_SVC_DUAL;
  options.eps = eps;
  options.C = C;
  set_print_string_function(listen_for_warning);
  gave_up = false;
  model* fitted = nullptr;
  const double taken = seconds([&] { fitted = train(&given, &options); });
  free_and_destroy_model(&fitted);
  return taken;
}

struct Ratios {
  double logarithms = 0, worst = INFINITY, count = 0;

  void add(double ratio) {
    logarithms += std::log(ratio);
    worst = std::min(worst, ratio);
    ++count;
  }
  void print(const char* method) const {
    std::printf("%s: geometric mean %.2f, worst %.2f.\n", method, std::exp(logarithms / count), worst);
  }
};

void compare_families() {
  const Family families[] = {{"dense, long", 500, 20, 1, 2},
                             {"dense, long", 5000, 50, 1, 2},
                             {"dense, long", 20000, 20, 1, 3},
                             {"dense, wide", 200, 2000, 1, 2},
                             {"dense, wide", 500, 1000, 1, 8},
                             {"dense, 20 classes", 3000, 64, 1, 20},
                             {"dense, C = 0.01", 5000, 50, 1, 2, 0.01},
                             {"sparse, wide", 1500, 20000, 0.003, 2},
                             {"sparse, wide", 5485, 19956, 0.0035, 8},
                             {"sparse, long", 20000, 3000, 0.01, 2},
                             {"sparse, 20 classes", 5000, 10000, 0.005, 20}};
  std::puts(
      "\n`svm` leaves the bias free of any penalty; `linear_svm` with the hinge is LIBLINEAR's own "
      "problem.\n\n"
      "| family | rows × columns | classes | tolerance | LIBLINEAR, s | svm, s | ratio | gap / objective "
      "| linear_svm, s | ratio | LIBLINEAR |\n|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---|");
  Ratios svm_ratios, linear_ratios;
  for (const Family& family : families)
    for (const double tolerance : {0.1, 0.001}) {
      const Dataset data = generate_family(family);
      Svm svm{.C = family.C};
      svm.multiclass = Svm::Multiclass::ovr;
      const LinearSvm linear{.C = family.C, .loss = LinearSvm::LossWord::hinge};
      double theirs = INFINITY, ours = INFINITY, alike = INFINITY, gap = 0;
      const auto fit_by = [&](const auto& method) {
        const FitReport report =
            fit(method, Kernel::parse("linear"), data, {.tolerance = tolerance, .threads = 1}).fitted.report;
        return report.gap / std::abs(report.objective);
      };
      for (int round = 0; round < 5; ++round) {
        theirs = std::min(theirs, fit_by_liblinear(data, family.C, tolerance));
        ours = std::min(ours, seconds([&] { gap = fit_by(svm); }));
        alike = std::min(alike, seconds([&] { fit_by(linear); }));
      }
      std::printf("| %s | %zu × %zu | %zu | %g | %.4f | %.4f | %.2f | %.1e | %.4f | %.2f | %s |\n",
                  family.name, family.rows, family.columns, family.classes, tolerance, theirs, ours,
                  theirs / ours, gap, alike, theirs / alike, gave_up ? "gave up" : "converged");
      svm_ratios.add(theirs / ours);
      linear_ratios.add(theirs / alike);
    }
  std::puts("\nLIBLINEAR's time over Mercer's:");
  svm_ratios.print("svm");
  linear_ratios.print("linear_svm");
}

}  // namespace

int main(int argc, char** argv) try {
  std::puts(
      "| rows | bias | solver | seconds | times LIBLINEAR | primal | dual | gap / dual | violation |\n"
      "|---|---|---|---:|---:|---:|---:|---:|---:|");
  for (int i = 1; i < argc; ++i) compare(read_rows(argv[i]), 21);
  compare(generate_rows(200000, 50000, 70), 3);
  compare_families();
  return 0;
} catch (const Error& error) {
  std::fprintf(stderr, "bench_linear: %s\n", error.what());
  return 3;
}
