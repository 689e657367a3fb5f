// How long does a linear SVM take beside LIBLINEAR's dual coordinate descent, in the same process on the same rows?
//   bench_linear [FILE.svm …]      the files, then generated rows like RCV1's: 200,000 × 50,000, 70 non-zeros each
//
// LIBLINEAR stops when the projected gradients of a pass are within 0.1; Mercer when those of all variables are, measured
// at the end. Without a bias both solve the same problem; with one, LIBLINEAR penalises it (-B 1) and Mercer does not, so
// that each is judged by its own gap: primal − dual, relative to the dual.
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
#include "solvers/linear_coordinate.hpp"

namespace {

using namespace mercer;

struct Rows {
  std::string name;
  Sparse<float> x;
  std::vector<double> y;  // ±1
};

/// Columns are as frequent as words: of rank t with a probability like 1/(t + 100). Rows have norm 1, labels follow a
/// random hyperplane, and one in twenty is wrong.
Rows generate_rows(std::size_t n, std::size_t d, std::size_t per_row) {
  Random random(1);
  std::vector<double> plane(d);
  for (double& value : plane) value = random.normal();
  Sparse<float> x{n, d, Buffer<std::size_t>(n + 1), Buffer<std::int32_t>(n * per_row), Buffer<float>(n * per_row)};
  Rows rows{"generated", std::move(x), std::vector<double>(n)};
  for (std::size_t i = 0; i < n; ++i) {
    std::map<std::int32_t, double> row;
    while (row.size() < per_row) {
      const double rank = 100 * (std::pow(double(d) / 100 + 1, random.uniform()) - 1);
      row.emplace(std::int32_t(rank), random.uniform(0.5, 1) * std::log(double(d) / (rank + 1) + 1));
    }
    double norm = 0, score = 0;
    for (const auto& [column, value] : row) norm += value * value;
    std::size_t k = rows.x.starts[i] = i * per_row;
    for (const auto& [column, value] : row) {
      rows.x.indices[k] = column;
      rows.x.values[k++] = float(value / std::sqrt(norm));
      score += value * plane[std::size_t(column)];
    }
    rows.y[i] = (score > 0) == (random.uniform() < 0.95) ? 1 : -1;
  }
  rows.x.starts[n] = n * per_row;
  return rows;
}

Rows read_rows(const std::string& path) {
  const Dataset data = read(path, {.precision = Precision::float32});
  const auto& x = std::get<Sparse<float>>(data.points.storage());
  Rows rows{path.substr(path.rfind('/') + 1), {x.rows, x.cols, Buffer<std::size_t>(x.rows + 1), Buffer<std::int32_t>(x.indices.size()), Buffer<float>(x.values.size())}, {}};
  std::ranges::copy(x.starts, rows.x.starts.begin());
  std::ranges::copy(x.indices, rows.x.indices.begin());
  std::ranges::copy(x.values, rows.x.values.begin());
  for (const auto code : data.target.codes) rows.y.push_back(code == 0 ? -1 : 1);
  return rows;
}

struct Outcome {
  double seconds = 0, primal = 0, dual = 0;
};

/// ½‖w‖² + C Σ max(0, 1 − y(wᵀx + b)), C = 1; the bias counts in the norm where it is penalised.
double primal_objective(const Sparse<float>& x, const std::vector<double>& y, const double* w, double b, bool penalised) {
  double objective = penalised ? b * b / 2 : 0;
  for (std::size_t k = 0; k < x.cols; ++k) objective += w[k] * w[k] / 2;
  for (std::size_t i = 0; i < x.rows; ++i) {
    double score = b;
    for (std::size_t k = x.starts[i]; k < x.starts[i + 1]; ++k) score += double(x.values[k]) * w[x.indices[k]];
    objective += std::max(0.0, 1 - y[i] * score);
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
  Liblinear(const Sparse<float>& x, const std::vector<double>& y, bool bias) : x_(x), y_(y), bias_(bias) {
    nodes_.reserve(x.values.size() + (bias ? 2 : 1) * x.rows);
    std::vector<std::size_t> starts;
    for (std::size_t i = 0; i < x.rows; ++i) {
      starts.push_back(nodes_.size());
      for (std::size_t k = x.starts[i]; k < x.starts[i + 1]; ++k) nodes_.push_back({x.indices[k] + 1, double(x.values[k])});
      if (bias) nodes_.push_back({int(x.cols) + 1, 1.0});
      nodes_.push_back({-1, 0.0});
    }
    for (const std::size_t start : starts) rows_.push_back(nodes_.data() + start);
  }

  Outcome solve() {
    const problem given{int(x_.rows), int(x_.cols) + bias_, y_.data(), rows_.data(), bias_ ? 1.0 : -1.0};
    parameter options{};
    options.solver_type = L2R_L1LOSS_SVC_DUAL;
    options.eps = 0.1;
    options.C = 1;
    set_print_string_function(listen);
    model* fitted = nullptr;
    Outcome outcome{.seconds = seconds([&] { fitted = train(&given, &options); })};
    std::vector<double> w(fitted->w, fitted->w + x_.cols + bias_);
    if (fitted->label[0] < 0)
      for (double& value : w) value = -value;
    outcome.primal = primal_objective(x_, y_, w.data(), bias_ ? w.back() : 0, true);
    outcome.dual = -printed_objective;
    free_and_destroy_model(&fitted);
    return outcome;
  }

 private:
  const Sparse<float>& x_;
  std::vector<double> y_;
  bool bias_;
  std::vector<feature_node> nodes_;
  std::vector<feature_node*> rows_;
};

Outcome solve_by_mercer(const Points& points, const std::vector<double>& y, bool bias, std::string& note) {
  BoxProblem problem;
  for (std::size_t i = 0; i < y.size(); ++i) {
    problem.points.push_back(std::int32_t(i));
    problem.linear.push_back(-y[i]);
    problem.lower.push_back(std::min(0.0, y[i]));
    problem.upper.push_back(std::max(0.0, y[i]));
  }
  LinearSolution solution;
  Outcome outcome{.seconds = seconds([&] { solution = solve_linear(problem, points, {.tolerance = bias ? 0.1 : 0.05, .bias = bias}); })};
  outcome.primal = primal_objective(std::get<Sparse<float>>(points.storage()), y, solution.weights.data(), -solution.level, false);
  for (const double w : solution.weights) outcome.dual -= w * w / 2;
  for (std::size_t i = 0; i < y.size(); ++i) outcome.dual += y[i] * solution.beta[i];
  note = std::to_string(solution.passes) + " passes, violation " + std::to_string(solution.violation);
  return outcome;
}

void print_row(const std::string& name, bool bias, const char* solver, std::vector<Outcome> outcomes, double peer, const std::string& note) {
  std::ranges::sort(outcomes, {}, &Outcome::seconds);
  const Outcome& middle = outcomes[outcomes.size() / 2];
  std::printf("| %s | %s | %s | %.4f | %.2f | %.4f | %.4f | %.1e | %s |\n", name.c_str(), bias ? "yes" : "no", solver, middle.seconds,
              middle.seconds / peer, middle.primal, middle.dual, (middle.primal - middle.dual) / middle.dual, note.c_str());
}

double median_seconds(std::vector<Outcome> outcomes) {
  std::ranges::sort(outcomes, {}, &Outcome::seconds);
  return outcomes[outcomes.size() / 2].seconds;
}

void compare(Rows rows, int rounds) {
  const Points points(std::move(rows.x));
  const auto& x = std::get<Sparse<float>>(points.storage());
  for (const bool bias : {false, true}) {
    Liblinear peer(x, rows.y, bias);
    std::vector<Outcome> theirs, ours;
    std::string note;
    for (int round = 0; round < rounds; ++round) {
      theirs.push_back(peer.solve());
      ours.push_back(solve_by_mercer(points, rows.y, bias, note));
    }
    print_row(rows.name, bias, "LIBLINEAR", theirs, median_seconds(theirs), "");
    print_row(rows.name, bias, "Mercer", ours, median_seconds(theirs), note);
  }
}

}  // namespace

int main(int argc, char** argv) try {
  std::puts("| rows | bias | solver | seconds | times LIBLINEAR | primal | dual | gap / dual | |\n|---|---|---|---:|---:|---:|---:|---:|---|");
  for (int i = 1; i < argc; ++i) compare(read_rows(argv[i]), 3);
  compare(generate_rows(200000, 50000, 70), 3);
  return 0;
} catch (const Error& error) {
  std::fprintf(stderr, "bench_linear: %s\n", error.what());
  return 3;
}
