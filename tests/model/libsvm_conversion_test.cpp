// LIBSVM's models in Mercer and back: the same bytes, the same decision values; and what cannot be said is
// refused.
#include <fmt/format.h>

#include <cstdlib>

#include "libsvm_reference.hpp"
#include "model/libsvm_texts.hpp"
#include "model/models.hpp"

namespace mercer {
namespace {

using testing::example_model;
using testing::Scratch;

std::string usage(const std::function<void()>& action) { return refusal(ErrorKind::usage, action); }
std::string there_and_back(const Scratch& scratch, const std::string& text) {
  Model::load(scratch.write("in.model", text)).save(scratch.path("between.mercer"));
  Model::load(scratch.path("between.mercer")).save(scratch.path("out.model"));
  return Scratch::read(scratch.path("out.model"));
}

#ifdef MERCER_LIBSVM
const std::vector<testing::LibsvmKernelChoice> kernels{{"linear", LINEAR, 0, 0, 0},
                                                       {"poly", POLY, 3, 0.25, 0.5},
                                                       {"poly without offset", POLY, 2, 1.0 / 3, 0},
                                                       {"poly, offset below 0", POLY, 3, 0.25, -0.75},
                                                       {"poly, scale below 0", POLY, 2, -0.5, 0.25},
                                                       {"rbf", RBF, 0, 0.3, 0},
                                                       {"sigmoid", SIGMOID, 0, 0.01, 0.1},
                                                       {"sigmoid, offset below 0", SIGMOID, 0, 0.05, -0.25}};

Dataset training_data(int type) {
  if (type == EPSILON_SVR || type == NU_SVR) return testing::wave(40, 3);
  Dataset data = testing::blobs(45, 3, 2, 0.7);
  data.target.labels = {"-1", "2", "7"};
  return data;
}
#endif

TEST(LibsvmConversion, EveryTypeAndKernelKeepsItsBytesAndItsDecisionValues) {
  SKIP_WITHOUT_LIBSVM();
#ifdef MERCER_LIBSVM
  const Scratch scratch;
  for (const int type : {C_SVC, NU_SVC, ONE_CLASS, EPSILON_SVR, NU_SVR})
    for (const testing::LibsvmKernelChoice& kernel : kernels) {
      SCOPED_TRACE(std::to_string(type) + " " + kernel.expression);
      const Dataset data = training_data(type);
      svm_parameter parameter = testing::libsvm_parameter(type, kernel, 1e-3);
      parameter.nu = 0.3;
      const testing::LibsvmMachine machine(data.points, testing::numbers_of(data.target), parameter);
      machine.save(scratch.path("in.model"));
      const std::string text = Scratch::read(scratch.path("in.model"));
      const Model model = Model::load(scratch.path("in.model"));
      EXPECT_EQ(there_and_back(scratch, text), text);
      // LIBSVM itself reads the file with as many digits as it wrote.
      struct Loaded {
        svm_model* model;
        ~Loaded() { svm_free_and_destroy_model(&model); }
      } loaded{svm_load_model(scratch.path("in.model").c_str())};
      const Points rows = testing::blobs(25, 1, 9, 1, data.points.cols()).points;
      const std::vector<double> ours = model.predict(rows).scores,
                                theirs = testing::libsvm_scores(*loaded.model, rows);
      testing::expect_near(ours, theirs, 1e-10);
      const testing::LibsvmPoints nodes(rows);
      const Predictions p = model.predict(rows);
      for (std::size_t i = 0; i < rows.rows(); ++i) {
        const double answer = svm_predict(loaded.model, nodes.row(i));
        if (p.codes.empty()) {
          EXPECT_NEAR(p.values[i], answer, 1e-10 * (1 + std::abs(answer)));
        } else {
          EXPECT_EQ(model.labels[std::size_t(p.codes[i])], std::to_string(int(answer)));
        }
      }
    }
#endif
}

// Rows with indices from `first`, or a table of their dot products.
std::string training_text(bool classes, int first, bool table) {
  std::string text;
  const auto x = random_rows(60, 3, 5);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double sum = x[i][0] + x[i][1] * x[i][2];
    text += classes ? fmt::format("{}", sum > 0.5 ? 7 : sum < -0.5 ? -3 : 1) : fmt::format("{}", sum);
    if (table) text += fmt::format(" 0:{}", i + 1);
    for (std::size_t c = 0; c < (table ? x.size() : 3); ++c) {
      double value = x[i][c % 3];
      if (table) value = x[i][0] * x[c][0] + x[i][1] * x[c][1] + x[i][2] * x[c][2];
      text += fmt::format(" {}:{}", table ? int(c) + 1 : int(c) + first, value);
    }
    text += '\n';
  }
  return text;
}

TEST(LibsvmConversion, WhatSvmTrainWritesComesBackByteForByte) {
  if (std::system("command -v svm-train > /dev/null") != 0)
    GTEST_SKIP() << "svm-train of LIBSVM is not installed (package libsvm-tools)";
  const Scratch scratch;
  const std::string model = scratch.path("svm_train.model");
  for (int type = 0; type <= 4; ++type)
    for (int kernel = 0; kernel <= 4; ++kernel)
      // LIBSVM 3.24 refuses them for one class.
      for (int probabilities = 0; probabilities <= (type == 2 ? 0 : 1); ++probabilities)
        for (const int first : {0, 1}) {
          SCOPED_TRACE(fmt::format("-s {} -t {} -b {}, indices from {}", type, kernel, probabilities, first));
          const std::string data = scratch.write("data.svm", training_text(type < 3, first, kernel == 4));
          ASSERT_EQ(std::system(
                        fmt::format("svm-train -q -s {} -t {} -b {} -n 0.2 -g 0.1 -r -0.5 {} {} 2> /dev/null",
                                    type, kernel, probabilities, data, model)
                            .c_str()),
                    0);
          const std::string text = Scratch::read(model);
          EXPECT_EQ(there_and_back(scratch, text), text);
        }
}

TEST(LibsvmConversion, MercersModelsAreReadByLibsvm) {
  SKIP_WITHOUT_LIBSVM();
#ifdef MERCER_LIBSVM
  const Scratch scratch;
  for (const AnyMethod& method : testing::svms())
    for (const char* kernel :
         {"linear", "rbf(gamma=0.3)", "rbf(sigma=2)", "poly(degree=2, scale=0.5, offset=1)"})
      for (const Kind kind : {Kind::dense64, Kind::sparse32}) {
        SCOPED_TRACE(std::string(method->name()) + " " + kernel);
        Dataset data = testing::data_for(*method, 40);
        data.points = testing::stored_as(data.points, kind);
        const Model model = fit(method, Kernel::parse(kernel), data);
        model.save(scratch.path("m.model"));
        struct Loaded {
          svm_model* model;
          ~Loaded() { svm_free_and_destroy_model(&model); }
        } loaded{svm_load_model(scratch.path("m.model").c_str())};
        ASSERT_NE(loaded.model, nullptr);
        testing::expect_near(testing::libsvm_scores(*loaded.model, data.points),
                             model.predict(data.points).scores, 1e-6);  // LIBSVM reads vectors of 8 digits
        testing::expect_near(Model::load(scratch.path("m.model"))
                                 .predict(data.points.to_sparse().with_precision(Precision::float64))
                                 .scores,
                             model.predict(data.points).scores, 1e-10);
      }
#endif
}

TEST(LibsvmConversion, ProbabilitiesAreKept) {
  const Scratch scratch;
  EXPECT_EQ(there_and_back(scratch, testing::three_classes), testing::three_classes);
  const Model model = Model::load(scratch.write("m.model", testing::three_classes));
  EXPECT_EQ(model.fitted.slopes.size(), 3u);
  EXPECT_EQ(model.labels, (std::vector<std::string>{"1", "-2", "3"}));
  model.save(scratch.path("m.mercer"));
  testing::expect_same_model(model, Model::load(scratch.path("m.mercer")),
                             as_points(random_rows(9, model.columns, 3), Kind::sparse64));
}

TEST(LibsvmConversion, NoiseDensityMarksSerialsAndIndexZeroAreKept) {
  const Scratch scratch;
  for (const std::string& text : {testing::one_class, testing::precomputed})
    EXPECT_EQ(there_and_back(scratch, text), text);
  const Model novelty = Model::load(scratch.write("n.model", testing::one_class)),
              table = Model::load(scratch.write("t.model", testing::precomputed));
  EXPECT_EQ(novelty.fitted.density_marks,
            (std::vector<double>{-1, -0.5, -0.25, -0.125, 0, 0.125, 0.25, 0.5, 1, 2}));
  EXPECT_EQ(novelty.schema.first_index, 0);
  EXPECT_EQ(table.fitted.noise_scale, 0.52225160991145259);
  EXPECT_EQ(table.kernel().text(), "precomputed");
  EXPECT_EQ(table.columns, 13u);
  std::vector<double> row(13);
  row[0] = 2, row[1] = 3, row[12] = 5;
  EXPECT_NEAR(
      table.predict(Points({row})).values[0],
      2 * 0.27073813791586937 - 3 * 0.42463790020896652 + 5 * 0.15389976229309721 + 0.49674050007948117,
      1e-15);
}

TEST(LibsvmConversion, EveryPolynomialIsKept) {
  const Scratch scratch;
  for (const int degree : {0, 1, 2, 7})
    for (const char* gamma : {"1", "0.5", "-2", "0.10000000000000001"})
      for (const char* coef0 : {"0", "1", "-1", "0.25", "-0.29999999999999999"}) {
        const std::string text = fmt::format(
            "svm_type epsilon_svr\nkernel_type polynomial\ndegree {}\ngamma {}\ncoef0 {}\nnr_class "
            "2\ntotal_sv 1\n"
            "rho 0.5\nSV\n2 1:1 2:5 \n",
            degree, gamma, coef0);
        EXPECT_EQ(there_and_back(scratch, text), text);
        const double expected = 2 * std::pow(std::stod(gamma) * 3 + std::stod(coef0), degree) - 0.5;
        EXPECT_NEAR(Model::load(scratch.path("in.model")).predict(Points({{-2, 1}})).values[0], expected,
                    1e-10 * (1 + std::abs(expected)));
      }
}

TEST(LibsvmConversion, AColumnBeforeTheModelsOwnCountsInDistancesAlone) {
  const Scratch scratch;
  const std::string text =
      "svm_type epsilon_svr\nkernel_type rbf\ngamma 0.5\nnr_class 2\ntotal_sv 1\nrho 0\nSV\n1 1:1 2:2 \n";
  const Model model = Model::load(scratch.write("m.model", text));
  const Dataset data = read(scratch.write("d.svm", "0 0:3 1:1 2:2\n0 1:1 2:1\n"), {.columns = model.columns});
  EXPECT_EQ(data.schema.first_index, 0);
  const std::vector<double> values = model.widened(data.points.cols(), 1).predict(data.points).values;
  EXPECT_NEAR(values[0], std::exp(-4.5), 1e-15);
  EXPECT_NEAR(values[1], std::exp(-0.5), 1e-15);
}

TEST(LibsvmConversion, DegenerateKernelsAreConstants) {
  const Scratch scratch;
  const std::string base =
      "svm_type epsilon_svr\nkernel_type polynomial\ndegree 2\ngamma 0\ncoef0 -3\nnr_class 2\ntotal_sv "
      "1\nrho 0.5\nSV\n2 1:1 2:5 \n";
  const Points rows = as_points({{1, 1}, {-4, 9}}, Kind::sparse64);
  EXPECT_EQ(Model::load(scratch.write("a.model", base)).predict(rows).values,
            (std::vector<double>{17.5, 17.5}));
  EXPECT_EQ(Model::load(scratch.write("b.model", testing::with(testing::with(base, "degree 2", "degree 0"),
                                                               "gamma 0", "gamma 1")))
                .predict(rows)
                .values,
            (std::vector<double>{1.5, 1.5}));
  EXPECT_EQ(Model::load(scratch.write("c.model", testing::with(testing::with(base, "degree 2", "degree 3"),
                                                               "gamma 0", "gamma 0")))
                .predict(rows)
                .values,
            (std::vector<double>{-54.5, -54.5}));
}

TEST(LibsvmConversion, RefusesAModelOfASingleClass) {
  const Scratch scratch;
  EXPECT_NE(refusal(ErrorKind::data, [&] { Model::load(scratch.write("s.model", testing::single_class)); })
                .find("one class"),
            std::string::npos);
}

TEST(LibsvmConversion, RefusesWhatLibsvmCannotSay) {
  const Scratch scratch;
  const std::string path = scratch.path("m.model");
  const auto refused = [&](const Model& model, const std::string& what) {
    const std::string message = usage([&] { model.save(path); });
    EXPECT_NE(message.find(what), std::string::npos) << message;
    EXPECT_NE(message.find(".mercer"), std::string::npos) << message;
    EXPECT_FALSE(std::filesystem::exists(path));
  };
  refused(example_model(Svm{.multiclass = Svm::Multiclass::ovr}), "one-against-rest");
  refused(example_model(Svm{}, Kind::dense64, "linear", Scaling::Kind::standard), "scaling");
  for (const char* kernel : {"laplace(lambda=1)", "2*linear", "linear + rbf(gamma=1)", "center(linear)",
                             "normalize(linear)", "linear^2"})
    refused(example_model(Svm{}, Kind::dense64, kernel),
            kernel == std::string("laplace(lambda=1)") ? "laplace" : "kernel");
  for (const char* label : {"cat", "1.5", "1 ", "", "99999999999"}) {
    Model model = example_model(Svm{});
    model.labels[1] = label;
    refused(model, "label '" + std::string(label));
  }
}

}  // namespace
}  // namespace mercer
