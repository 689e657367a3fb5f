// A model file that is damaged is refused by the name of the field, and nothing that is in a file crashes or
// hangs.
#include "model/models.hpp"

namespace mercer {
namespace {

using testing::example_model;
using testing::Parts;
using testing::Scratch;
using Json = Parts::Json;

class MercerFile : public ::testing::Test {
 protected:
  MercerFile() {
    example_model(Svm{}, Kind::dense64, "rbf(gamma=0.3)", Scaling::Kind::standard).save(path_);
    example_model(Svr{}, Kind::sparse64).save(sparse_);
  }
  /// The message for the file with something changed; it must name the field.
  void refuses(const std::string& field, const std::function<void(Parts&)>& change, bool sparse = false) {
    Parts parts(sparse ? sparse_ : path_);
    change(parts);
    const std::string damaged = scratch_.path("damaged.mercer");
    parts.write(damaged);
    const std::string message = refusal(ErrorKind::data, [&] { Model::load(damaged); });
    EXPECT_EQ(message.substr(0, damaged.size()), damaged) << field << ": " << message;
    EXPECT_NE(message.find(field), std::string::npos) << field << ": " << message;
  }

  Scratch scratch_;
  std::string path_ = scratch_.path("m.mercer"), sparse_ = scratch_.path("s.mercer");
};

TEST_F(MercerFile, UnchangedItLoads) {
  Parts(path_).write(scratch_.path("copy.mercer"));
  EXPECT_EQ(Scratch::read(path_).size(), Scratch::read(scratch_.path("copy.mercer")).size());
  testing::expect_same_model(Model::load(path_), Model::load(scratch_.path("copy.mercer")),
                             testing::example_rows());
}

// Every field of the description, wherever it stands.
void each_field(const Json& json, const std::vector<std::string>& path,
                const std::function<void(const std::vector<std::string>&)>& visit) {
  for (const auto& [name, value] : json.items()) {
    std::vector<std::string> inner = path;
    inner.push_back(name);
    visit(inner);
    if (value.is_object()) each_field(value, inner, visit);
  }
}
Json& at(Json& json, const std::vector<std::string>& path, std::size_t count) {
  Json* found = &json;
  for (std::size_t i = 0; i < count; ++i) found = &found->at(path[i]);
  return *found;
}

TEST_F(MercerFile, EveryFieldIsNeededAndHasAType) {
  std::size_t fields = 0;
  const std::set<std::string> newer{"self",        "certificate", "tolerance", "solver",
                                    "diagnostics", "norm",        "loss"};  // than the first files
  each_field(Parts(path_).json, {}, [&](const std::vector<std::string>& path) {
    if (path.back() == "written_by") return;
    ++fields;
    if (!newer.contains(path.back()))
      refuses(path.back(), [&](Parts& parts) { at(parts.json, path, path.size() - 1).erase(path.back()); });
    for (const Json& wrong : {Json(nullptr), Json::array({1, Json::array()}), Json{{"a", 1}},
                              Json("nonsense"), Json(-1.5), Json(true)}) {
      Json whole = Parts(path_).json;
      const Json& now = at(whole, path, path.size());
      const bool same = now.type() == wrong.type() || (now.is_number() && wrong.is_number() &&
                                                       (path[0] == "report" || path[0] == "parameters"));
      if (!same) refuses(path.back(), [&](Parts& parts) { at(parts.json, path, path.size()) = wrong; });
    }
  });
  EXPECT_GT(fields, 25u);
}

TEST_F(MercerFile, DatesAndColumnsLeftOutAreKept) {
  const std::string csv = scratch_.write(
      "d.csv", "when,id,x,colour,y\n1.2.1970,a,1,red,p\n3.2.1970,b,2,,q\n14.2.1970,c,4,red,p\n,d,7,,q\n");
  const Dataset data = read(csv, {.missing = Missing::automatic, .tolerant = true, .drop = {"id"}});
  const Model model = fit(Svm{}, Kernel::parse("rbf(gamma=0.1)"), data);
  const std::string path = scratch_.path("dates.mercer");
  model.save(path);
  const Model back = Model::load(path);
  ASSERT_EQ(back.schema.columns.size(), 3u);
  EXPECT_EQ(back.schema.columns[0].dates, Schema::Dates::day_first);
  EXPECT_EQ(back.schema.columns[0].mean, 36);
  EXPECT_EQ(back.schema.columns[1].dates, Schema::Dates::none);
  EXPECT_EQ(back.schema.columns[2].categories, (std::vector<std::string>{"?", "red"}));
  EXPECT_EQ(back.schema.left_out, std::vector<std::string>{"id"});
  const Dataset again = read(csv, {.missing = Missing::automatic, .schema = &back.schema});
  EXPECT_EQ(back.predict(again.points).scores, model.predict(data.points).scores);
  const auto refuses_date = [&](const Json& wrong, const char* field,
                                const std::function<Json&(Json&)>& where) {
    Parts parts(path);
    where(parts.json) = wrong;
    parts.write(scratch_.path("damaged.mercer"));
    const std::string message =
        refusal(ErrorKind::data, [&] { Model::load(scratch_.path("damaged.mercer")); });
    EXPECT_NE(message.find(field), std::string::npos) << message;
  };
  for (const Json& wrong : {Json("week_first"), Json(1), Json(nullptr)})
    refuses_date(wrong, "dates", [](Json& json) -> Json& { return json["schema"]["columns"][0]["dates"]; });
  for (const Json& wrong : {Json("id"), Json(1), Json::array({1})})
    refuses_date(wrong, "left_out", [](Json& json) -> Json& { return json["schema"]["left_out"]; });
}

TEST_F(MercerFile, UnknownWordsAreRefused) {
  refuses("format_version", [](Parts& p) { p.json["format_version"] = 2; });
  refuses("rbff", [](Parts& p) { p.json["kernel"] = "rbff(gamma=1)"; });
  refuses("kernel", [](Parts& p) { p.json["kernel"] = "rbf(gamma=scale)"; });
  refuses("forest", [](Parts& p) { p.json["method"] = "forest"; });
  refuses("rule", [](Parts& p) { p.json["rule"] = "dice"; });
  refuses("scaling", [](Parts& p) { p.json["scaling"] = "log"; });
  refuses("C must be", [](Parts& p) { p.json["parameters"]["C"] = -1; });
  refuses("multiclass", [](Parts& p) { p.json["parameters"]["multiclass"] = "all"; });
}

TEST_F(MercerFile, CountsMustAddUp) {
  for (const std::uint64_t wrong :
       {std::uint64_t(0), std::uint64_t(1), std::uint64_t(3), std::uint64_t(1) << 40, ~std::uint64_t(0)}) {
    refuses("coefficients", [&](Parts& p) { p.json["width"] = wrong; });
    refuses("points", [&](Parts& p) { p.json["columns"] = wrong; });
  }
  refuses(
      "columns", [](Parts& p) { p.json["columns"] = std::uint64_t(1) << 40; }, true);
  refuses(
      "points", [](Parts& p) { p.json["columns"] = 1; }, true);
  refuses("labels", [](Parts& p) { p.json["labels"] = Json::array(); });
  refuses("labels", [](Parts& p) { p.json["labels"] = {"one"}; });
  refuses("blocks", [](Parts& p) { p.json["labels"] = {"a", "b", "c", "d"}; });
  refuses(
      "labels",
      [](Parts& p) {
        p.json["labels"] = {"a", "b"};
      },
      true);
  refuses("rule", [](Parts& p) { p.json["rule"] = "one_vs_rest"; });
  refuses("names", [](Parts& p) { p.json["names"] = {"x"}; });
}

TEST_F(MercerFile, CalibrationFitsTheRule) {
  const std::vector<double> one{0.5}, ten{0, 1, 2, 3, 4, 5, 6, 7, 8, 9},
      infinite{std::numeric_limits<double>::infinity()};
  refuses("noise_scale", [&](Parts& p) { p.put("noise_scale", {1}, one); });  // of classes
  refuses(
      "noise_scale", [&](Parts& p) { p.put("noise_scale", {10}, ten); }, true);
  refuses(
      "noise_scale", [&](Parts& p) { p.put("noise_scale", {1}, infinite); }, true);
  refuses(
      "density_marks", [&](Parts& p) { p.put("density_marks", {10}, ten); }, true);  // of a regression
  refuses("density_marks", [&](Parts& p) { p.put("density_marks", {1}, one); });
  refuses(
      "slopes", [&](Parts& p) { p.put("slopes", {1}, one), p.put("offsets", {1}, one); }, true);
  for (const Json& wrong : {Json(2), Json(-1), Json("one")})
    refuses("first_index", [&](Parts& p) { p.json["schema"]["first_index"] = wrong; });
}

TEST_F(MercerFile, TensorsMustBeThereAndFit) {
  for (const char* name : {"coefficients", "levels", "blocks", "points", "scaling.shift", "scaling.scale"}) {
    if (std::string(name) != "scaling.shift") refuses(name, [&](Parts& p) { p.tensors.erase(name); });
    refuses(name, [&](Parts& p) { p.tensors[name].shape = {1}; });
    refuses(name, [&](Parts& p) { p.tensors[name].dtype = Dtype::i32; });
  }
  for (const char* name : {"points.starts", "points.indices", "points.values"}) {
    refuses(
        name, [&](Parts& p) { p.tensors.erase(name); }, true);
    refuses(
        "points", [&](Parts& p) { p.tensors[name].shape = {1}; }, true);
    refuses(
        name, [&](Parts& p) { p.tensors[name].dtype = Dtype::u8; }, true);
  }
}

TEST_F(MercerFile, NumbersMustMakeSense) {
  const Model model = Model::load(path_), sparse = Model::load(sparse_);
  const std::size_t rows = model.fitted.expansion.points.rows(),
                    stored = sparse.fitted.expansion.points.rows();
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    std::vector<double> coefficients = model.fitted.expansion.coefficients, three(3, bad), four(4, bad),
                        points(rows * 4, bad);
    coefficients.back() = bad;
    refuses("coefficients", [&](Parts& p) { p.put("coefficients", {rows, 2}, coefficients); });
    refuses("levels", [&](Parts& p) { p.put("levels", {3}, three); });
    refuses("scaling.scale", [&](Parts& p) { p.put("scaling.scale", {4}, four); });
    const std::vector<double> fine(3, 1.0);
    refuses("slopes", [&](Parts& p) { p.put("slopes", {3}, three), p.put("offsets", {3}, fine); });
    refuses("offsets", [&](Parts& p) { p.put("slopes", {3}, fine), p.put("offsets", {3}, three); });
    refuses("points", [&](Parts& p) { p.put("points", {rows, 4}, points); });
  }
  const std::int64_t n = std::int64_t(rows);
  for (const std::vector<std::int64_t>& blocks : {std::vector<std::int64_t>{n, 1, 0},
                                                  {n, 1, -1},
                                                  {0, 0, 0},
                                                  {-1, 1, n},
                                                  {n - 1, 0, 0},
                                                  {INT64_MAX, INT64_MAX, 2},
                                                  {n},
                                                  {}})
    refuses("blocks", [&](Parts& p) { p.put("blocks", {blocks.size()}, blocks); });
  const std::vector<double> two(2, 1.0), three(3, 1.0);
  refuses("levels", [&](Parts& p) { p.put("levels", {2}, two); });
  refuses("offsets", [&](Parts& p) { p.put("slopes", {3}, three); });
  refuses("slopes", [&](Parts& p) { p.put("offsets", {3}, three); });
  std::vector<std::int64_t> starts(stored + 1, 0);
  refuses(
      "points", [&](Parts& p) { p.put("points.starts", {stored + 1}, starts); }, true);
  starts.back() = -1;
  refuses(
      "points.starts", [&](Parts& p) { p.put("points.starts", {stored + 1}, starts); }, true);
  starts.back() = INT64_MAX;
  refuses(
      "points.starts", [&](Parts& p) { p.put("points.starts", {stored + 1}, starts); }, true);
  const std::size_t count = Parts(sparse_).tensors["points.indices"].shape[0];
  for (const std::int32_t index : {-1, 4, 0, INT32_MAX}) {
    const std::vector<std::int32_t> indices(count, index);
    refuses(
        "points", [&](Parts& p) { p.put("points.indices", {count}, indices); }, true);
  }
}

// Cut anywhere, or with bytes changed: refused, or a model that can be used.
TEST_F(MercerFile, FilesCutShortAreRefused) {
  for (const std::string& path : {path_, sparse_}) {
    const std::string whole = Scratch::read(path);
    for (std::size_t length = 0; length < whole.size(); length += length < 64 ? 1 : 41) {
      const std::string cut = scratch_.write("cut.mercer", whole.substr(0, length));
      EXPECT_NE(refusal(ErrorKind::data, [&] { Model::load(cut); }), "no error") << length;
    }
    EXPECT_NE(refusal(ErrorKind::data, [&] { Model::load(scratch_.write("long.mercer", whole + "x")); }),
              "no error");
  }
}

TEST_F(MercerFile, DamagedFilesNeverCrash) {
  Random random(5);
  std::size_t loaded = 0, refused = 0;
  for (const std::string& path : {path_, sparse_}) {
    const std::string whole = Scratch::read(path);
    const std::size_t header = std::min(whole.size(), std::size_t(1600));
    for (int round = 0; round < 500; ++round) {
      std::string text = whole;
      for (std::uint64_t k = 0; k <= random.below(3); ++k) {
        const std::size_t place = random.below(round % 2 ? header : text.size());
        text[place] = round % 3 ? char(random.below(256)) : "0123456789,:\"{}[]-"[random.below(18)];
      }
      try {
        const Model model = Model::load(scratch_.write("damaged.mercer", text));
        if (model.columns == 4)
          (void)model.predict(testing::example_rows(path == path_ ? Kind::dense64 : Kind::sparse64));
        ++loaded;
      } catch (const Error&) {
        ++refused;
      }
    }
  }
  EXPECT_GT(loaded, 20u);
  EXPECT_GT(refused, 200u);
}

TEST_F(MercerFile, ADeeplyNestedDescriptionIsRefused) {
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "[";
  write_safetensors(path_, {{"mercer", deep}}, {});
  EXPECT_NE(refusal(ErrorKind::data, [&] { Model::load(path_); }), "no error");
  write_safetensors(path_, {{"other", "{}"}}, {});
  EXPECT_NE(refusal(ErrorKind::data, [&] { Model::load(path_); }).find("mercer"), std::string::npos);
}

TEST_F(MercerFile, InfinitePricesAreKept) {
  Model model = example_model(Svm{.C = std::numeric_limits<double>::infinity()});
  model.fitted.report.gap = std::numeric_limits<double>::infinity();
  model.save(path_);
  EXPECT_EQ(std::get<double>(Model::load(path_).method->get("C")), std::numeric_limits<double>::infinity());
  EXPECT_EQ(Model::load(path_).fitted.report.gap, std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace mercer
