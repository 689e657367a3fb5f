// What holds for every method, present and future, and for every support vector trainer.
#include <mutex>
#include <set>
#include <thread>

#include "methods/problems.hpp"
#include "mercer/geometry.hpp"
#include "mercer/loss.hpp"

namespace mercer {
namespace {

TEST(EveryMethod, HasANameOfItsOwnAndSaysWhatItDoes) {
  std::set<std::string> names;
  for (const AnyMethod& method : methods()) {
    EXPECT_TRUE(names.emplace(method->name()).second) << method->name();
    EXPECT_FALSE(method->formula().empty()) << method->name();
    EXPECT_FALSE(method->summary().empty()) << method->name();
    for (const MethodParameter& parameter : method->parameters())
      EXPECT_FALSE(parameter.meaning.empty()) << parameter.name;
    EXPECT_EQ(&method_named(method->name()), &method);
  }
}

TEST(EveryMethod, FitsConvergesAndPredictsEveryRow) {
  for (const AnyMethod& method : methods())
    for (const char* kernel : {"linear", "rbf(gamma=scale)", "center(rbf(gamma=1))"}) {
      if (!testing::suits(*method, kernel)) continue;
      const Dataset data = testing::data_for(*method);
      const Model model = fit(method, Kernel::parse(kernel), data);
      const Predictions p = model.predict(data.points);
      EXPECT_TRUE(model.fitted.report.converged) << method->name() << " " << kernel;
      EXPECT_GT(model.fitted.report.support_vectors, 0u);
      EXPECT_TRUE(model.kernel().resolved());
      EXPECT_EQ(p.scores.size(), data.rows() * p.width);
      EXPECT_EQ(p.codes.size(), model.labels.empty() ? 0 : data.rows());
      EXPECT_EQ(p.values.size(), model.labels.empty() ? data.rows() * p.outputs : 0);
      testing::expect_finite(model, data.points, std::string(method->name()));
    }
}

// Sums of kernels over the rows named are those of the expansion, which may have collapsed them into weights.
TEST(EveryMethod, SaysWhichRowsCarryItsFunction) {
  for (const AnyMethod& method : methods())
    for (const char* text : {"linear", "rbf(gamma=1)"}) {
      if (!method->traits().expands || !testing::suits(*method, text)) continue;
      Dataset data = testing::data_for(*method, 40);
      data.weights.assign(data.rows(), 1);
      data.weights[0] = data.weights[7] = 0;
      const Kernel kernel = Kernel::parse(text);
      const Model model = fit(method, kernel, data, {.approx = "none"});
      const Expansion e = over_support(model.fitted);
      const Support& support = model.fitted.support;
      const std::vector<double>& coefficients =
          support.coefficients.empty() ? e.coefficients : support.coefficients;
      if ((method->name() == "gp" || method->traits().needs_columns) &&
          std::string_view(text) == "linear") {  // weights of columns
        EXPECT_TRUE(support.rows.empty());
        continue;
      }
      ASSERT_EQ(coefficients.size(), support.rows.size() * e.width) << method->name() << " " << text;
      EXPECT_EQ(std::ranges::count_if(support.rows, [](std::size_t row) { return row == 0 || row == 7; }), 0)
          << method->name();
      std::vector<double> sums(data.rows() * e.outputs()), expected(data.rows() * e.width),
          found(data.rows() * e.width, 0.0);
      e.sums(data.points, sums);
      for (std::size_t i = 0; i < data.rows(); ++i)  // blocks together
        for (std::size_t o = 0; o < e.outputs(); ++o)
          found[i * e.width + o % e.width] += sums[i * e.outputs() + o];
      const std::vector<double> own = self_similarities(e.kernel, data.points, e.points);
      for (std::size_t i = 0; i < data.rows(); ++i)
        for (std::size_t c = 0; c < e.width; ++c)
          found[i * e.width + c] -= double(e.blocks.size()) * e.self * own[i];
      KernelOperator<double>(e.kernel, data.points, data.points.select_rows(support.rows))
          .multiply(coefficients, e.width, expected);
      testing::expect_near(found, expected, 1e-9, std::string(method->name()) + " " + text);
    }
}

// Pairs of ten classes are solved side by side.
TEST(EveryMachine, GivesTheSameBitsForManyClasses) {
  const Dataset data = testing::blobs(200, 10, 5, 1.5);
  Svm rest{.C = 2};
  rest.multiclass = Svm::Multiclass::ovr;
  for (const AnyMethod& method : {AnyMethod(Svm{.C = 2}), AnyMethod(NuSvm{.nu = 0.2}), AnyMethod(rest)}) {
    const Model one = fit(method, Kernel::parse("rbf(gamma=1)"), data, {.threads = 1});
    for (const int threads : {2, 4}) {
      const Model several = fit(method, Kernel::parse("rbf(gamma=1)"), data, {.threads = threads});
      EXPECT_EQ(one.fitted.expansion.coefficients, several.fitted.expansion.coefficients) << method->name();
      EXPECT_EQ(one.fitted.rho, several.fitted.rho);
      EXPECT_EQ(one.fitted.report.objective, several.fitted.report.objective);
      EXPECT_EQ(one.fitted.report.bounded_support_vectors, several.fitted.report.bounded_support_vectors);
    }
  }
}

TEST(EveryMachine, StopsWhereTheCallerSaysSoAlsoSideBySide) {
  const Dataset data = testing::blobs(300, 10, 5, 1.5);
  for (const bool keep : {false, true}) {
    std::mutex one_at_a_time;
    const FitOptions options{.threads = 4, .keep_on_cancel = keep, .progress = [&](std::string_view, double) {
                               EXPECT_TRUE(one_at_a_time.try_lock());
                               std::this_thread::yield();
                               one_at_a_time.unlock();
                               return false;
                             }};
    const auto stopped = [&] {
      return fit(Svm{.C = 2}, Kernel::parse("rbf(gamma=1)"), data, options).fitted.report.cut_short;
    };
    if (keep) {
      EXPECT_TRUE(stopped());
    } else {
      EXPECT_THROW(stopped(), Error);
    }
  }
}

TEST(EveryMethod, GivesTheSameBitsForAnyNumberOfThreads) {
  for (const AnyMethod& method : methods()) {
    const Dataset data = testing::data_for(*method, 300);
    std::vector<double> scores, coefficients;
    for (const int threads : {1, 2, 4}) {
      const Model model = fit(method, testing::usual_kernel(*method), data, {.threads = threads});
      const Predictions p = model.predict(data.points, threads);
      if (threads == 1) scores = p.scores, coefficients = model.fitted.expansion.coefficients;
      EXPECT_EQ(p.scores, scores) << method->name() << " with " << threads;
      EXPECT_EQ(model.fitted.expansion.coefficients, coefficients) << method->name() << " with " << threads;
    }
  }
}

// Large enough for several working sets, and little enough memory for rows to be given away and computed
// again.
TEST(EveryMachine, GivesTheSameBitsForAnyNumberOfThreadsInRounds) {
  for (const AnyMethod& method : testing::svms()) {
    const Dataset data = testing::data_for(*method, 1800);
    std::vector<double> scores;
    for (const int threads : {1, 2, 4}) {
      const Model model =
          fit(method, Kernel::parse("rbf(gamma=2)"), data, {.threads = threads, .memory = 4'000'000});
      EXPECT_TRUE(model.fitted.report.converged) << method->name();
      if (threads == 1) scores = model.predict(data.points).scores;
      EXPECT_EQ(model.predict(data.points, threads).scores, scores) << method->name() << " with " << threads;
    }
  }
}

TEST(EveryMachine, DoesNotMindTheOrderOfTheRows) {
  for (const AnyMethod& method : testing::svms()) {
    const Dataset data = testing::data_for(*method, 60);
    const Kernel kernel = Kernel::parse("rbf(gamma=0.5)");
    const Model model = fit(method, kernel, data, testing::tight());
    const Model other =
        fit(method, kernel, testing::choose(data, testing::shuffled(data.rows(), 5)), testing::tight());
    EXPECT_NEAR(model.fitted.report.objective, other.fitted.report.objective,
                1e-5 * std::abs(model.fitted.report.objective));
    testing::expect_near(other.predict(data.points).scores, model.predict(data.points).scores, 1e-3,
                         std::string(method->name()));
  }
}

TEST(EveryMachine, DoesNotMindAShiftOfAllFeaturesUnderARadialKernel) {
  for (const AnyMethod& method : testing::svms()) {
    const Dataset data = testing::data_for(*method, 60);
    Dataset shifted = data;
    testing::Table rows;
    for (std::size_t i = 0; i < data.rows(); ++i) {
      rows.push_back(data.points.row(i));
      for (double& value : rows.back()) value += 64;
    }
    shifted.points = Points(rows);
    const Kernel kernel = Kernel::parse("rbf(gamma=0.5)");
    testing::expect_near(fit(method, kernel, shifted, testing::tight()).predict(shifted.points).scores,
                         fit(method, kernel, data, testing::tight()).predict(data.points).scores, 1e-3,
                         std::string(method->name()));
  }
}

// ν is a fraction of all rows, so that only methods with a penalty per row know a row twice from one of
// weight 2.
TEST(EveryMachine, TakesARowTwiceForARowOfWeightTwo) {
  for (const AnyMethod& method : testing::svms()) {
    Dataset weighted = testing::data_for(*method, 40);
    weighted.weights.assign(weighted.rows(), 1.0);
    std::vector<std::size_t> rows(weighted.rows());
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = i;
    for (const std::size_t i : {3u, 7u, 20u, 21u, 35u}) weighted.weights[i] = 2, rows.push_back(i);
    Dataset repeated = testing::choose(weighted, rows);
    repeated.weights.clear();
    const Kernel kernel = Kernel::parse("rbf(gamma=0.5)");
    testing::expect_near(fit(method, kernel, weighted, testing::tight()).predict(weighted.points).scores,
                         fit(method, kernel, repeated, testing::tight()).predict(weighted.points).scores,
                         1e-3, std::string(method->name()));
  }
}

TEST(EveryMachine, LeavesRowsOfWeightZeroOut) {
  for (const AnyMethod& method : testing::svms()) {
    Dataset data = testing::data_for(*method, 40);
    data.weights.assign(data.rows(), 1.0);
    std::vector<std::size_t> rest;
    for (std::size_t i = 0; i < data.rows(); ++i)
      if (i % 5 == 0)
        data.weights[i] = 0;
      else
        rest.push_back(i);
    const Kernel kernel = Kernel::parse("center(rbf(gamma=0.5))");
    testing::expect_near(
        fit(method, kernel, data, testing::tight()).predict(data.points).scores,
        fit(method, kernel, testing::choose(data, rest), testing::tight()).predict(data.points).scores, 1e-3,
        std::string(method->name()));
  }
}

// The scores at the training rows are known from the optimality conditions: a free variable has the score its
// loss says.
TEST(EveryMachine, KnowsTheMeanOfACentredKernelWhenItPredicts) {
  for (const AnyMethod& method : testing::svms())
    for (const char* kernel : {"center(rbf(gamma=0.5))", "linear + 0.5*center(poly(degree=2))"}) {
      const Dataset data = testing::data_for(*method, 45);
      const Model model = fit(method, Kernel::parse(kernel), data, testing::tight());
      // K over the training rows, and β by row: independent of what the expansion keeps.
      const KernelOperator<double> K(model.kernel(), data.points);
      const Expansion& e = model.fitted.expansion;
      const Predictions p = model.predict(data.points);
      ASSERT_EQ(model.fitted.report.support_vectors <= data.rows(), true);
      std::vector<double> sums(data.rows() * e.outputs(), 0);
      std::size_t begin = 0;
      for (std::size_t b = 0; b < e.blocks.size(); begin += e.blocks[b++])
        for (std::size_t s = begin; s < begin + e.blocks[b]; ++s) {
          std::size_t row = 0;
          while (data.points.row(row) != e.points.row(s)) ++row;
          std::vector<double> column(data.rows());
          K.columns(std::vector<std::size_t>{row}, column);
          for (std::size_t i = 0; i < data.rows(); ++i)
            for (std::size_t c = 0; c < e.width; ++c)
              sums[i * e.outputs() + b * e.width + c] += e.coefficients[s * e.width + c] * column[i];
        }
      std::vector<double> predicted(sums.size());
      e.sums(data.points, predicted);
      testing::expect_near(predicted, sums, 1e-10, std::string(method->name()) + " " + kernel);
    }
}

TEST(EveryMethod, StopsWhenToldTo) {
  for (const AnyMethod& method : methods()) {
    const Dataset data = testing::data_for(*method, 60);
    const Kernel kernel = testing::usual_kernel(*method);
    FitOptions options{.progress = [](std::string_view, double) { return false; }};
    EXPECT_EQ(refusal(ErrorKind::cancelled, [&] { fit(method, kernel, data, options); }),
              "stopped before the end")
        << method->name();
    std::vector<double> seen;
    options.progress = [&](std::string_view, double fraction) {
      seen.push_back(fraction);
      return true;
    };
    EXPECT_TRUE(fit(method, kernel, data, options).fitted.report.converged);
    ASSERT_FALSE(seen.empty()) << method->name();
    EXPECT_TRUE(std::ranges::is_sorted(seen)) << method->name();
    EXPECT_GE(seen.front(), 0);
    EXPECT_LE(seen.back(), 1);
  }
}

TEST(EveryMachine, GivesWhatItHasWhenTheTimeIsOver) {
  for (const AnyMethod& method : testing::svms()) {
    const Dataset data = testing::data_for(*method, 60);
    const Kernel kernel = Kernel::parse("rbf(gamma=1)");
    FitOptions hurried{.seconds = 1e-9},
        stopped{.keep_on_cancel = true, .progress = [](std::string_view, double) { return false; }};
    for (const FitOptions& options : {hurried, stopped}) {
      const Model model = fit(method, kernel, data, options);
      EXPECT_TRUE(model.fitted.report.cut_short) << method->name();
      EXPECT_FALSE(model.fitted.report.converged) << method->name();
      testing::expect_finite(model, data.points, std::string(method->name()));
    }
  }
}

// --- The objective and ‖f‖² that a fit reports are those of the formula that the method states.
struct Stated {
  double objective, norm;
};

// One coefficient for each row of the data, of a model of one output.
std::vector<double> row_coefficients(const Model& model, const Dataset& data) {
  const Support& support = model.fitted.support;
  const std::vector<double>& given =
      support.coefficients.empty() ? model.fitted.expansion.coefficients : support.coefficients;
  std::vector<double> beta(data.rows(), 0);
  for (std::size_t s = 0; s < support.rows.size(); ++s) beta[support.rows[s]] = given[s];
  return beta;
}

// The formula of each method that minimises one, written out over the model's coefficients and a K of double
// loops. Of SVMs the report has the dual, whose value is minus the formula's at the minimum.
Stated stated(const Method& method, const Model& model, const Dataset& data,
              const testing::KernelFunction& k) {
  const std::string_view name = method.name();
  const double n = double(data.rows()), level = model.fitted.rho[0];
  const std::vector<double> beta = row_coefficients(model, data);
  const std::vector<double> f = testing::decision(data.points, beta, level, k);
  const double norm = 2 * testing::half_norm(data.points, beta, k);
  const auto number = [&](std::string_view parameter) { return std::get<double>(method.get(parameter)); };
  const auto sum = [&](auto&& term) {
    double total = 0;
    for (std::size_t i = 0; i < f.size(); ++i) total += term(i);
    return total;
  };
  const auto sign = [&](std::size_t i) { return data.target.codes[i] == 0 ? 1.0 : -1.0; };
  const auto y = [&](std::size_t i) { return data.target.values[i]; };
  if (name == "svm")
    return {-(norm / 2 + number("C") * sum([&](std::size_t i) { return std::max(0.0, 1 - sign(i) * f[i]); })),
            norm};
  if (name == "nu_svm") return {norm / 2, norm};  // LIBSVM's, of f/ρ: the dual of the formula at that scale
  if (name == "svr")
    return {-(norm / 2 + number("C") * sum([&](std::size_t i) {
                           return std::max(0.0, std::abs(y(i) - f[i]) - number("epsilon"));
                         })),
            norm};
  if (name == "nu_svr") {
    const double epsilon = model.fitted.report.problems[0].found;
    return {-(norm / 2 + number("C") * (n * number("nu") * epsilon + sum([&](std::size_t i) {
                                          return std::max(0.0, std::abs(y(i) - f[i]) - epsilon);
                                        }))),
            norm};
  }
  if (name == "one_class")
    return {-(norm / 2 - number("nu") * n * level + sum([&](std::size_t i) { return std::max(0.0, -f[i]); })),
            norm};
  const auto risk = [&](auto&& loss) { return Stated{sum(loss) / n + number("lambda") * norm, norm}; };
  if (name == "ridge") return risk([&](std::size_t i) { return std::pow(y(i) - f[i], 2); });
  if (name == "logistic") return risk([&](std::size_t i) { return std::log1p(std::exp(-sign(i) * f[i])); });
  if (name == "poisson") return risk([&](std::size_t i) { return std::exp(f[i]) - y(i) * f[i]; });
  if (name == "huber")
    return risk([&](std::size_t i) {
      const double e = std::abs(y(i) - f[i]), delta = number("delta");
      return e <= delta ? e * e / 2 : delta * (e - delta / 2);
    });
  if (name == "quantile")
    return risk([&](std::size_t i) {
      return std::max(number("tau") * (y(i) - f[i]), (number("tau") - 1) * (y(i) - f[i]));
    });
  ADD_FAILURE() << name << " has no formula here";
  return {};
}

TEST(EveryMethod, ReportsTheObjectiveThatItsFormulaStates) {
  for (const char* name :
       {"svm", "nu_svm", "svr", "nu_svr", "one_class", "ridge", "logistic", "poisson", "huber", "quantile"})
    for (const auto& [expression, value] : testing::plain_kernels) {
      SCOPED_TRACE(std::string(name) + ", " + expression);
      const AnyMethod& method = method_named(name);
      Dataset data = testing::data_for(*method, 40, 3);
      if (method->traits().task == Task::classification) data = testing::blobs(40, 2, 3, 2);
      const Model model = fit(method, Kernel::parse(expression), data, {.tolerance = 1e-7, .approx = "none"});
      const FitReport& r = model.fitted.report;
      const Stated expected = stated(*method, model, data, value);
      EXPECT_TRUE(r.converged);
      EXPECT_NEAR(r.objective, expected.objective, 1.01 * r.gap + 1e-6 * (1 + std::abs(expected.objective)));
      ASSERT_TRUE(r.norm);
      EXPECT_NEAR(*r.norm, expected.norm, 1e-7 * (1 + expected.norm));
    }
}

TEST(EveryLoss, OfRermReportsTheObjectiveThatItStates) {
  const auto& [expression, k] = testing::plain_kernels[2];
  for (const AnyLoss& loss : losses())
    for (const auto omega : {Rerm::Omega::square, Rerm::Omega::norm, Rerm::Omega::fourth}) {
      if (loss->target() == LossTarget::classes) continue;  // one function per class; looked at in risk_test
      SCOPED_TRACE(std::string(loss->name()) + ", " + testing::word(omega));
      const bool signs = loss->target() == LossTarget::signs;
      const Dataset data = signs                                  ? testing::blobs(30, 2, 3, 2)
                           : loss->target() == LossTarget::counts ? testing::counts(30, 3)
                                                                  : testing::wave(30, 3);
      const double lambda = 0.02;
      const Model model = fit(Rerm{.loss = std::string(loss->name()), .lambda = lambda, .omega = omega},
                              Kernel::parse(expression), data, {.tolerance = 1e-7, .approx = "none"});
      const std::vector<double> beta = row_coefficients(model, data),
                                f = testing::decision(data.points, beta, model.fitted.rho[0], k);
      const double norm = 2 * testing::half_norm(data.points, beta, k);
      double risk = 0;
      for (std::size_t i = 0; i < 30; ++i) {
        const double y = signs ? (data.target.codes[i] == 0 ? 1 : -1) : data.target.values[i];
        risk += loss->value(y, std::span(&f[i], 1)) / 30;
      }
      const FitReport& r = model.fitted.report;
      EXPECT_NEAR(*r.norm, norm, 1e-7 * (1 + norm));
      EXPECT_NEAR(*r.loss, risk, 1e-7 * (1 + std::abs(risk)));
      EXPECT_NEAR(r.objective,
                  risk + lambda * (omega == Rerm::Omega::norm     ? std::sqrt(norm)
                                   : omega == Rerm::Omega::fourth ? norm * norm
                                                                  : norm),
                  1e-7 * (1 + std::abs(risk)));
    }
}

// What automatic selection searches are hyperparameters of the method, with values that it takes.
TEST(EveryMethod, HasWhatIsSearched) {
  for (const AnyMethod& method : methods())
    for (const SearchRange& range : method->traits().search) {
      SCOPED_TRACE(std::string(method->name()) + " " + std::string(range.parameter));
      EXPECT_TRUE(std::ranges::any_of(method->parameters(), [&](const MethodParameter& parameter) {
        return parameter.name == range.parameter && parameter.choices.empty();
      }));
      EXPECT_TRUE(!range.values.empty() || (range.low < range.high && range.step > 0 && range.base > 1));
      AnyMethod other = method;
      for (const double value : range.values) EXPECT_NO_THROW(other->set(range.parameter, value));
    }
}

}  // namespace
}  // namespace mercer
