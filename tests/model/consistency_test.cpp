// A model file from elsewhere is refused, or it is a model that can be used: every count, shape and index in
// it is changed, alone and with others, for a model of every method, approximation, calibration and kind of
// objects.
#include "model/consistency.hpp"

#include <fmt/format.h>

#include "mercer/explain.hpp"
#include "mercer/preimage.hpp"
#include "model/foreign_files.hpp"
#include "model/models.hpp"
#include "random_objects.hpp"

namespace mercer {
namespace {

using testing::Change;
using testing::changes_of;
using testing::ForeignFile;

constexpr std::size_t few = 12;

struct Sample {
  std::string name;
  std::function<Model()> make;
  Points points;
};
void PrintTo(const Sample& sample, std::ostream* out) { *out << sample.name; }

Dataset few_rows(const Method& method, const Points& points) {
  Dataset data = testing::data_for(method, few);
  data.points = points;
  return data;
}

void add(std::vector<Sample>& all, std::string name, const AnyMethod& method, const std::string& kernel,
         const Points& points, FitOptions options = {}, Scaling::Kind scaling = Scaling::Kind::none) {
  options.threads = 1;
  all.push_back(
      {std::move(name),
       [=] { return fit(method, Kernel::parse(kernel), few_rows(*method, points), options, scaling); },
       points});
}

std::vector<Sample> samples() {
  std::vector<Sample> all;
  const Points rows = as_points(random_rows(few, 3, 11)), sparse = rows.to_sparse();
  for (const AnyMethod& method : methods()) {
    const char* kernel = method->traits().needs_columns ? "linear" : "rbf(gamma=0.3)";
    add(all, std::string(method->name()), method, kernel, rows);
    add(all, std::string(method->name()) + "_scaled", method, kernel, sparse, {}, Scaling::Kind::standard);
  }
  add(all, "pca_linear", Pca{}, "linear", rows);
  add(all, "gp_linear", Gp{}, "linear", rows);
  add(all, "svm_some_columns", Svm{}, "rbf(gamma=0.3)@[1,3] + linear@2", rows, {}, Scaling::Kind::minmax);
  add(all, "svm_probabilities", Svm{}, "rbf(gamma=0.3)", rows, {.probabilities = true});
  add(all, "svr_probabilities", Svr{}, "rbf(gamma=0.3)", rows, {.probabilities = true});
  add(all, "svm_one_vs_rest", Svm{.multiclass = Svm::Multiclass::ovr}, "rbf(gamma=0.3)", rows);
  add(all, "ridge_nystrom", Ridge{}, "rbf(gamma=0.3)", rows, {.approx = "nystrom:4"});
  add(all, "gp_nystrom", Gp{}, "rbf(gamma=0.3)", rows, {.approx = "nystrom:4"});
  add(all, "kmeans_fourier", Kmeans{}, "rbf(gamma=0.3)", rows, {.approx = "fourier:8"});
  add(all, "logistic_sketch", Logistic{}, "poly(degree=2)", rows, {.approx = "sketch:8"});
  add(all, "ridge_explicit", Ridge{}, "poly(degree=2)", rows, {.approx = "explicit"});
  const std::pair<Domain, const char*> kinds[] = {
      {Domain::text, "bow"},        {Domain::sequence, "spectrum(k=2)"},
      {Domain::symbols, "jaccard"}, {Domain::vectors, "set(rbf(gamma=1))"},
      {Domain::graph, "wl"},        {Domain::image, "histogram(levels=2)"}};
  for (const auto& [domain, kernel] : kinds) {
    const Points objects(random_objects(domain, few, 3));
    const std::string name(name_of(domain));
    add(all, "svm_" + name, Svm{}, kernel, objects);
    add(all, "kmeans_" + name, Kmeans{}, kernel, objects);
    add(all, "mean_distance_" + name, MeanDistance{}, std::string("normalize(") + kernel + ")", objects);
    add(all, "svr_both_" + name, Svr{}, fmt::format("rbf(gamma=1)@[1,2,3]*{}@object", kernel),
        rows.with_objects({random_objects(domain, few, 4)}));
  }
  add(all, "ridge_nystrom_text", Ridge{}, "bow", Points(random_objects(Domain::text, few, 3)),
      {.approx = "nystrom:4"});
  add(all, "svm_pixels", Svm{}, "rbf(gamma=1)", Points(random_objects(Domain::image, few, 3)));
  return all;
}

/// The sample's rows with as many columns of numbers as the model wants.
Points rows_for(const Model& model, const Points& sample) {
  if (sample.cols() == model.columns) return sample;
  const Points wide = as_points(random_rows(few, model.columns, 5));
  return sample.objects().empty() ? wide : wide.with_objects(sample.objects());
}

/// All that a model can be asked; each question is answered or refused.
void use(const Model& model, const Points& sample, bool thoroughly) {
  const auto ask = [](const auto& question) {
    try {
      question();
    } catch (const Error&) {
    }
  };
  if (model.columns > 64) return;
  const Points rows = rows_for(model, sample);
  const auto all_finite = [](const std::vector<double>& values) {
    return std::ranges::all_of(values, [](double v) { return std::isfinite(v); });
  };
  ask([&] {
    const Predictions p = model.predict(rows, 1);
    EXPECT_TRUE(all_finite(p.scores) && all_finite(p.values) && all_finite(p.probabilities));
    for (const std::int32_t code : p.codes) EXPECT_TRUE(code >= 0 && std::size_t(code) < model.labels.size());
    if (model.fitted.rule == Rule::projection)
      (void)preimages(model, p.scores, {.iterations = 3, .threads = 1});
  });
  ask([&] { (void)model.variances(rows, 1); });
  if (!thoroughly) return;
  ask([&] { (void)model.predict(rows.to_sparse(), 1); });
  ask([&] { (void)explain(model, rows, std::vector<std::size_t>{0, 1}, {.threads = 1}); });
  ask([&] { (void)column_influence(model, rows, {.rows = 2, .threads = 1}); });
  ask([&] {
    (void)model.widened(model.columns + 1, 1).predict(as_points(random_rows(2, model.columns + 1, 6)), 1);
  });
  ask([&] { (void)to_libsvm(model); });
  ask([&] { (void)Model::from_bytes(model.bytes()); });
}

class ForeignModel : public ::testing::TestWithParam<Sample> {
 protected:
  void loads_or_refuses(const ForeignFile& file, const std::string& what) {
    SCOPED_TRACE(what);
    const std::string bytes = file.bytes();
    std::optional<Model> model;
    try {
      model = Model::from_bytes(bytes, "foreign");
    } catch (const Error& error) {
      EXPECT_TRUE(std::string_view(error.what()).starts_with("foreign: ")) << error.what();
      ++refused_;
      return;
    }
    use(*model, GetParam().points, ++loaded_ % 5 == 1);
  }
  std::size_t loaded_ = 0, refused_ = 0;
};

TEST_P(ForeignModel, IsRefusedOrCanBeUsed) {
  const ForeignFile sound(GetParam().make());
  const std::vector<Change> changes = changes_of(sound);
  loads_or_refuses(sound, "as it was");
  ASSERT_EQ(refused_, 0u);
  for (const Change& change : changes) {
    ForeignFile file = sound;
    change.apply(file);
    loads_or_refuses(file, change.what);
  }
  Random random(7);
  for (int round = 0; round < 100; ++round) {
    ForeignFile file = sound;
    std::string what;
    for (std::uint64_t k = 0; k < 2 + random.below(3); ++k) {
      const Change& change = changes[random.below(changes.size())];
      change.apply(file);
      what += change.what + "; ";
    }
    loads_or_refuses(file, what);
  }
  EXPECT_GT(refused_, 100u);
}

INSTANTIATE_TEST_SUITE_P(EveryMethod, ForeignModel, ::testing::ValuesIn(samples()),
                         [](const auto& given) { return given.param.name; });

// A field that is wrong is named.
std::string complaint(const AnyMethod& method, const std::function<void(ForeignFile&)>& change,
                      const char* kernel = "rbf(gamma=0.3)", Scaling::Kind scaling = Scaling::Kind::none) {
  const Points rows = as_points(random_rows(few, 3, 11));
  ForeignFile file(fit(method, Kernel::parse(kernel), few_rows(*method, rows), {.threads = 1}, scaling));
  change(file);
  return testing::refusal([&] { (void)Model::from_bytes(file.bytes(), "foreign"); });
}

TEST(Consistency, NumbersThatOverflowAreRefusedByTheNameOfTheirField) {
  const double bad[] = {std::nan(""), std::numeric_limits<double>::infinity(),
                        -std::numeric_limits<double>::infinity(), 3.8e305};
  for (const double value : bad)
    for (const char* field : {"coefficients", "levels"})
      for (const AnyMethod& method :
           {AnyMethod(Svm{}), AnyMethod(Ridge{}), AnyMethod(Kmeans{}), AnyMethod(MeanDistance{})})
        EXPECT_NE(complaint(method, [&](ForeignFile& f) { f.set(field, 0, value); })
                      .find(fmt::format("field '{}'", field)),
                  std::string::npos)
            << value;
  for (const double value : {std::nan(""), std::numeric_limits<double>::infinity()})
    for (const char* field : {"scaling.scale", "scaling.shift", "points"})
      EXPECT_NE(complaint(
                    Svm{}, [&](ForeignFile& f) { f.set(field, 0, value); }, "linear", Scaling::Kind::standard)
                    .find(fmt::format("field '{}'", field)),
                std::string::npos);
  EXPECT_NE(complaint(Knn{}, [](ForeignFile& f) { f.set("state", 0, std::nan("")); }).find("field 'state'"),
            std::string::npos);
  EXPECT_NE(
      complaint(Gp{}, [](ForeignFile& f) { f.set("precision", 0, std::nan("")); }).find("field 'precision'"),
      std::string::npos);
  const Gp as_given{.noise = 0.1, .optimize = Gp::Optimize::none};
  EXPECT_NE(
      complaint(as_given, [](ForeignFile& f) { f.set("factor", 1, std::nan("")); }).find("field 'factor'"),
      std::string::npos);
  EXPECT_NE(complaint(as_given, [](ForeignFile& f) { f.set("factor", 0, 0.0); }).find("diagonal entry"),
            std::string::npos);
  EXPECT_NE(complaint(MeanDistance{}, [](ForeignFile& f) { f.json["self"] = "inf"; }).find("field 'self'"),
            std::string::npos);
}

TEST(Consistency, PredictionsThatOverflowAtTheModelsOwnPointsAreRefused) {
  const std::string message =
      complaint(Svm{}, [](ForeignFile& f) { f.json["kernel"] = "1e200*rbf(gamma=0.3)"; });
  EXPECT_NE(message.find("field 'coefficients': gives, with the kernel, a prediction of"), std::string::npos)
      << message;
}

TEST(Consistency, APartThatContradictsAnotherIsNamed) {
  using Json = ForeignFile::Json;
  EXPECT_NE(complaint(MeanDistance{},
                      [](ForeignFile& f) {
                        f.reshape("coefficients", {few, 3}), f.json["width"] = 3;
                      })
                .find("width"),
            std::string::npos);
  EXPECT_NE(complaint(Ridge{},
                      [](ForeignFile& f) {
                        f.reshape("coefficients", {few, 0}), f.reshape("levels", {0}), f.json["width"] = 0;
                      })
                .find("width"),
            std::string::npos);
  EXPECT_NE(complaint(Svm{},
                      [](ForeignFile& f) {
                        f.json["labels"] = {"1", "2", "2"};
                      })
                .find("names a class twice"),
            std::string::npos);
  EXPECT_NE(complaint(Svm{},
                      [](ForeignFile& f) {
                        f.json["schema"]["columns"] =
                            Json::array({{{"name", "x"}, {"categories", Json::array()}, {"mean", 0}}});
                      })
                .find("makes 1 columns of a table, but the model has 3"),
            std::string::npos);
  EXPECT_NE(complaint(Pca{}, [](ForeignFile& f) { f.reshape("state", {few - 1}); }).find("field 'state'"),
            std::string::npos);
  EXPECT_NE(complaint(Svm{},
                      [](ForeignFile& f) { f.json["method"] = "svr", f.json["parameters"]["epsilon"] = 0.1; })
                .find("does not belong to the method svr"),
            std::string::npos);
  EXPECT_NE(
      complaint(Svm{}, [](ForeignFile& f) { f.json["kernel"] = "rbf(gamma=0.3)@7"; }).find("no column '7'"),
      std::string::npos);
}

TEST(Consistency, AModelThatCouldNotBeReadIsNotWritten) {
  const AnyMethod method = Svm{};
  Model model = fit(method, Kernel::parse("linear"), few_rows(*method, as_points(random_rows(few, 3, 11))));
  model.fitted.rho[0] = std::nan("");
  EXPECT_NE(testing::refusal([&] { (void)model.bytes(); }).find("cannot be saved: field 'levels'"),
            std::string::npos);
}

}  // namespace
}  // namespace mercer
