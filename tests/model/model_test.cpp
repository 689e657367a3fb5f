#include "mercer/model.hpp"

#include <filesystem>
#include <thread>

#include "mercer/user_kernel.hpp"
#include "model/models.hpp"

namespace mercer {
namespace {

using testing::example_model;
using testing::Scratch;

TEST(Model, PredictsOnlyRowsOfItsOwnWidth) {
  const Model model = example_model(Svm{});
  EXPECT_EQ(testing::refusal([&] { model.predict(Points(random_rows(3, 5, 1))); }),
            "the model has 4 columns but the data have 5");
  EXPECT_EQ(model.predict(testing::example_rows().select_rows({})).codes.size(), 0u);
}

TEST(Model, PredictsTheSameForEveryStorageOfTheRows) {
  for (const AnyMethod& method : methods()) {
    const Model model = example_model(method);
    const std::vector<double> scores = model.predict(testing::example_rows()).scores;
    for (const Kind kind : {Kind::dense32, Kind::sparse64, Kind::sparse32})
      testing::expect_near(model.predict(testing::example_rows(kind)).scores, scores, 1e-12,
                           std::string(method->name()));
  }
}

TEST(Model, ScalesNewRowsAsTheOldOnes) {
  Dataset data = testing::blobs(40, 2, 3);
  for (const Scaling::Kind kind : {Scaling::Kind::standard, Scaling::Kind::minmax}) {
    const Model scaled = fit(Svm{}, Kernel::parse("rbf(gamma=1)"), data, {}, kind);
    Dataset before = data;
    const Scaling scaling = Scaling::fit(kind, data.points);
    before.points = scaling.apply(data.points);
    const Points rows = testing::blobs(9, 1, 8).points;
    EXPECT_EQ(scaled.predict(rows).scores,
              fit(Svm{}, Kernel::parse("rbf(gamma=1)"), before).predict(scaling.apply(rows)).scores);
  }
}

TEST(Model, ResolvesTheKernelOnTheTrainingRows) {
  const Dataset data = testing::blobs(40, 2, 3);
  const Kernel kernel = Kernel::parse("rbf(gamma=median) + linear");
  const Model model = fit(Svm{}, kernel, data);
  EXPECT_EQ(model.kernel().text(), kernel.resolve(data.points).text());
  EXPECT_EQ(model.columns, 3u);
  EXPECT_EQ(model.rows, 40u);
}

TEST(Model, RefusesKernelsThatAreValidConditionallyWhereThatIsNotEnough) {
  const Dataset classes = testing::blobs(20, 2, 1), numbers = testing::wave(20, 1);
  const auto said = [&](const AnyMethod& method, const char* kernel, const FitOptions& options = {}) {
    const bool of_classes = method->traits().task == Task::classification;
    return testing::refusal(
        [&] { fit(method, Kernel::parse(kernel), of_classes ? classes : numbers, options); });
  };
  const auto contains = [](const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_EQ(
      said(Logistic{}, "distance"),
      "distance(beta=1) is positive semidefinite only conditionally, of order 1: for coefficients that sum "
      "to "
      "0, which those of logistic need not; center(distance(beta=1)) is positive semidefinite and will do");
  EXPECT_EQ(
      said(Ridge{}, "distance"),
      "distance(beta=1) is positive semidefinite only conditionally, of order 1: for coefficients that sum "
      "to "
      "0, which those of ridge need not without a free bias; take bias=free; or center(distance(beta=1)) is "
      "positive semidefinite and will do");
  EXPECT_TRUE(contains(said(Gp{}, "distance + rbf(gamma=1)"), "center(distance(beta=1) + rbf(gamma=1)) is"));
  EXPECT_TRUE(contains(said(OneClass{}, "distance + linear"), "where k(x, x) is not constant"));
  for (const AnyMethod& method : {AnyMethod(Svm{}), AnyMethod(Ridge{})})
    EXPECT_TRUE(
        contains(said(method, "thin_plate"),
                 "only conditionally, of order 2: for coefficients that are orthogonal to 1 and to every "
                 "column, which those of"));
  EXPECT_EQ(said(Ridge{.bias = Bias::free}, "thin_plate"), "no error");
  EXPECT_TRUE(contains(said(Svm{}, "distance", {.approx = "nystrom:5"}), "has no features to approximate"));
  EXPECT_TRUE(contains(said(Svm{}, "-1*distance"), "negative coefficient"));
  for (const AnyMethod& method :
       {AnyMethod(Logistic{}), AnyMethod(Ridge{}), AnyMethod(Gp{}), AnyMethod(Svm{})})
    EXPECT_EQ(said(method, "center(distance)"), "no error") << method->name();
}

TEST(Model, OneNumberIsPredictedUnlessTheMethodSaysOtherwise) {
  Dataset data = testing::wave(6, 1);
  data.target.values.resize(3 * data.rows());
  data.target.outputs = 3;
  for (const char* name : {"svr", "nu_svr"}) {
    EXPECT_FALSE(method_named(name)->traits().multi_output);
    EXPECT_EQ(refusal(ErrorKind::data, [&] { fit(method_named(name), Kernel::parse("linear"), data); }),
              std::string(name) +
                  " predicts one number, but the target has 3 columns; take a method that predicts several, "
                  "or name another target column");
  }
}

TEST(Model, ComesBackFromAFileBitForBit) {
  const Scratch scratch;
  std::vector<AnyMethod> all = methods();
  all.push_back(Svm{.C = std::numeric_limits<double>::infinity()});
  all.push_back(
      Svm{.lambda = 0.125, .C_convention = Svm::Convention::mean, .multiclass = Svm::Multiclass::ovr});
  all.push_back(Ridge{.tau2 = 0});
  all.push_back(Ridge{.tau2 = 0.5});
  for (const AnyMethod& method : all)
    for (const Kind kind : {Kind::dense64, Kind::dense32, Kind::sparse64, Kind::sparse32})
      for (const Scaling::Kind scaling :
           {Scaling::Kind::none, kind == Kind::dense64 ? Scaling::Kind::standard : Scaling::Kind::minmax})
        for (const char* kernel :
             {scaling == Scaling::Kind::none ? "rbf(gamma=0.3)"
                                             : "center(rbf(gamma=scale)) + 0.1*poly(degree=2)"}) {
          SCOPED_TRACE(std::string(method->name()) + " " + kernel);
          if (!testing::suits(*method, kernel)) continue;
          const Model model = example_model(method, kind, kernel, scaling);
          model.save(scratch.path("m.mercer"));
          const Model back = Model::load(scratch.path("m.mercer"));
          testing::expect_same_model(model, back, testing::example_rows(kind));
          const FitReport &r = model.fitted.report, &q = back.fitted.report;
          EXPECT_EQ(r.objective, q.objective);
          EXPECT_EQ(r.violation, q.violation);
          EXPECT_EQ(r.gap, q.gap);
          EXPECT_EQ(r.converged, q.converged);
          EXPECT_EQ(r.iterations, q.iterations);
          EXPECT_EQ(r.support_vectors, q.support_vectors);
          EXPECT_EQ(r.bounded_support_vectors, q.bounded_support_vectors);
          EXPECT_EQ(said(r.warnings), said(q.warnings));
          EXPECT_EQ(model.bytes(), Scratch::read(scratch.path("m.mercer")));
          testing::expect_same_model(model, Model::from_bytes(model.bytes()), testing::example_rows(kind));
          back.save(scratch.path("again.mercer"));
          EXPECT_EQ(Scratch::read(scratch.path("again.mercer")), Scratch::read(scratch.path("m.mercer")));
        }
}

TEST(Model, KeepsLabelsNamesAndCategories) {
  const Scratch scratch;
  const std::string csv =
      scratch.write("d.csv",
                    "size,colour,\"Größe, m\",animal\n1,red,0.5,\"cat, tabby\"\n2,blue,0.25,dog  "
                    "big\n3,\"light \"\"green\"\"\",1,été\n"
                    "1.5,red,0.75,\"cat, tabby\"\n2.5,blue,0.5,dog  big\n3.5,red,0.25,été\n");
  const Dataset data = read(csv, {.target = "animal"});
  const Model model =
      fit(Svm{}, Kernel::parse("rbf(gamma=0.5) + linear@size"), data, {}, Scaling::Kind::standard);
  model.save(scratch.path("m.mercer"));
  const Model back = Model::load(scratch.path("m.mercer"));
  EXPECT_EQ(back.labels, (std::vector<std::string>{"cat, tabby", "dog  big", "été"}));
  ASSERT_EQ(back.schema.columns.size(), 3u);
  EXPECT_EQ(back.schema.columns[0].name, "size");
  EXPECT_EQ(back.schema.columns[1].categories, data.schema.columns[1].categories);
  EXPECT_EQ(back.schema.columns[2].name, "Größe, m");
  EXPECT_EQ(back.schema.columns[2].mean, data.schema.columns[2].mean);
  EXPECT_EQ(back.schema.target, "animal");
  testing::expect_same_model(model, back, data.points);
  // Columns in another order, an answer missing, and categories that the model has not seen in this file.
  const std::string other = scratch.write("o.csv", "\"Größe, m\",size,colour\n0.5,1,red\n0.25,3.5,red\n");
  const Dataset rows = read(other, {.schema = &back.schema, .columns = back.columns});
  const Predictions p = back.predict(rows.points),
                    q = model.predict(data.points.select_rows(std::vector<std::size_t>{0, 5}));
  EXPECT_EQ(p.scores, q.scores);
}

TEST(Model, AFailedSaveLeavesTheOldFile) {
  const Scratch scratch;
  const Model model = example_model(Svm{});
  const std::string path = scratch.path("m.mercer");
  model.save(path);
  const std::string before = Scratch::read(path);
  EXPECT_NE(refusal(ErrorKind::data, [&] { model.save(scratch.path("none/m.mercer")); }), "no error");
  EXPECT_NE(refusal(ErrorKind::data, [&] { model.save("/dev/full"); }), "no error");
  Model broken = model;
  broken.labels[0] = "\xff";
  EXPECT_NE(refusal(ErrorKind::data, [&] { broken.save(path); }).find("UTF-8"), std::string::npos);
  EXPECT_EQ(Scratch::read(path), before);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(std::filesystem::path(path).parent_path()), {}),
            1);
}

TEST(Model, AKernelMadeOfAFunctionIsSavedByName) {
  const Scratch scratch;
  const Kernel kernel = user_kernel(
      "mine", [](std::span<const double> x, std::span<const double> z) { return x[0] * z[0]; }, true);
  const Model model = fit(Svm{}, kernel + Kernel::parse("linear"), testing::blobs(20, 2, 1));
  const std::string path = scratch.path("m.mercer");
  model.save(path);
  const std::string message = refusal(ErrorKind::data, [&] { Model::load(path); });
  EXPECT_NE(message.find("the kernel 'mine' is not known here"), std::string::npos) << message;
  const Model back = Model::load(path, user_functions(kernel));
  const Points rows = testing::blobs(30, 2, 2).points;
  EXPECT_EQ(back.predict(rows).scores, model.predict(rows).scores);
}

TEST(Model, FilesThatAreNotModelsAreRefused) {
  const Scratch scratch;
  for (const char* text : {"", "x", "svm_type ", "svm_type c_svc\n", "1,2,3\n4,5,6\n", "{\"a\": 1}",
                           "\x08\0\0\0\0\0\0\0{}      "}) {
    const std::string path = scratch.write("m.mercer", text);
    const std::string message = refusal(ErrorKind::data, [&] { Model::load(path); });
    EXPECT_EQ(message.substr(0, path.size()), path) << message;
  }
  EXPECT_NE(refusal(ErrorKind::data, [&] { Model::load(scratch.path("absent")); }), "no error");
  EXPECT_NE(refusal(ErrorKind::data, [&] { Model::load("/"); }), "no error");
}

// A thread of its own has no helpers yet, and those that it gets stay with it.
TEST(Model, IsFittedWithoutOtherThreadsWhereOneIsAllowed) {
  if (!std::filesystem::exists("/proc/self/task")) GTEST_SKIP() << "a system without /proc";
  if (std::thread::hardware_concurrency() < 2) GTEST_SKIP() << "a single core";
  const std::size_t n = 9000, d = 600, per_row = 6;
  Sparse<double> x{n, d, Buffer<std::size_t>(n + 1), Buffer<std::int32_t>(n * per_row),
                   Buffer<double>(n * per_row)};
  Dataset data;
  data.target.task = Task::classification;
  data.target.labels = {"a", "b"};
  x.starts[0] = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < per_row; ++k) {
      x.indices[i * per_row + k] = std::int32_t(k * 100 + (i * (k + 7)) % 100);
      x.values[i * per_row + k] = 1 + double((i + k) % 3);
    }
    x.starts[i + 1] = (i + 1) * per_row;
    data.target.codes.push_back(std::int32_t(i % 100 < 50));
  }
  data.points = Points(std::move(x));
  const auto started = [&](int threads) {
    std::ptrdiff_t more = 0;
    std::thread([&] {
      const auto count = [] {
        return std::distance(std::filesystem::directory_iterator("/proc/self/task"),
                             std::filesystem::directory_iterator());
      };
      const auto before = count();
      fit(Svm{}, Kernel::parse("linear"), data, {.threads = threads});
      more = count() - before;
    }).join();
    return more;
  };
  EXPECT_EQ(started(1), 0);
  EXPECT_GT(started(2), 0);
}

}  // namespace
}  // namespace mercer
