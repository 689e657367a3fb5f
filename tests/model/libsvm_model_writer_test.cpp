// Text → struct → text, byte for byte, of literal models and of those that svm-train makes here and now.
#include <cstdlib>
#include <limits>
#include <numeric>

#include "data/scratch.hpp"
#include "model/libsvm_model.hpp"
#include "model/libsvm_texts.hpp"

namespace mercer {
namespace {

using testing::refusal;
using testing::Scratch;

std::string rewritten(const Scratch& scratch, const LibsvmModel& model) {
  write_libsvm_model(scratch.path("again.model"), model);
  return Scratch::read(scratch.path("again.model"));
}

TEST(LibsvmModelWriter, LiteralModelsComeBackByteForByte) {
  const Scratch scratch;
  for (const std::string& text :
       {testing::three_classes, testing::precomputed, testing::one_class, testing::single_class})
    EXPECT_EQ(rewritten(scratch, parse_libsvm_model("f", text)), text);
}

TEST(LibsvmModelWriter, KeysAreWrittenInLibsvmsOrder) {
  const Scratch scratch;
  const std::string mixed =
      "total_sv 1\ngamma 2\ndegree 4\nkernel_type rbf\nrho -0\nnr_class 2\nsvm_type nu_svr\nSV\n 1e-400\t "
      "3:+.5\n";
  EXPECT_EQ(rewritten(scratch, parse_libsvm_model("f", mixed)),
            "svm_type nu_svr\nkernel_type rbf\ngamma 2\nnr_class 2\ntotal_sv 1\nrho -0\nSV\n0 3:0.5 \n");
}

TEST(LibsvmModelWriter, EntriesHaveTheDigitsTheyNeed) {
  const Scratch scratch;
  LibsvmModel model = parse_libsvm_model("f", testing::with(testing::one_class, "2:-0.5", "2:1 3:1 4:1 5:1"));
  const double values[] = {0.1, 1.0 / 3, std::numeric_limits<double>::denorm_min(), 123456789, -0.0};
  std::copy(std::begin(values), std::end(values), model.support.values.begin());
  const std::string text = rewritten(scratch, model);
  EXPECT_NE(text.find("0.5 0:0.1 2:0.33333333333333331 3:4.9406565e-324 4:123456789 5:-0 \n"),
            std::string::npos)
      << text;
  EXPECT_TRUE(testing::same_bits(parse_libsvm_model("f", text).support.values, model.support.values));
}

TEST(LibsvmModelWriter, RandomNumbersComeBackBitForBit) {
  const Scratch scratch;
  Random random(3);
  LibsvmModel model = parse_libsvm_model("f", testing::three_classes);
  for (int round = 0; round < 200; ++round) {
    for (double& value : model.coefs) value = testing::random_number<double>(random);
    for (double& value : model.support.values) value = testing::random_number<double>(random);
    for (double& value : model.rho) value = testing::random_number<double>(random);
    const LibsvmModel back = parse_libsvm_model("f", rewritten(scratch, model));
    EXPECT_TRUE(testing::same_bits(back.coefs, model.coefs));
    EXPECT_TRUE(testing::same_storage(back.support, model.support));
    EXPECT_EQ(back.rho, model.rho);
  }
}

TEST(LibsvmModelWriter, RefusesNumbersThatAreNotFiniteAndLeavesNoFile) {
  const Scratch scratch;
  const std::string path = scratch.path("a.model");
  LibsvmModel model = parse_libsvm_model("f", testing::one_class);
  model.coefs[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refusal([&] { write_libsvm_model(path, model); }),
            path + ": a coefficient is nan; LIBSVM models hold finite numbers");
  model.coefs[0] = 1;
  model.support.values[0] = -std::numeric_limits<double>::infinity();
  EXPECT_EQ(refusal([&] { write_libsvm_model(path, model); }),
            path + ": a support vector is -inf; LIBSVM models hold finite numbers");
  model.rho[0] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(refusal([&] { write_libsvm_model(path, model); }),
            path + ": rho is inf; LIBSVM models hold finite numbers");
  EXPECT_FALSE(std::filesystem::exists(path));
}

/// Rows of three classes: index:value, or their own inner products for the precomputed kernel.
std::string training_text(bool inner_products) {
  Random random(5);
  constexpr std::size_t rows = 40, cols = 5;
  std::vector<std::vector<double>> x(rows, std::vector<double>(cols));
  for (auto& row : x)
    for (double& value : row) value = random.below(4) ? random.normal() : 0;
  std::string text;
  for (std::size_t i = 0; i < rows; ++i) {
    text += std::to_string(int(i % 3) - 1);
    if (inner_products) text += " 0:" + std::to_string(i + 1);
    for (std::size_t j = 0; j < (inner_products ? rows : cols); ++j) {
      const double value =
          inner_products ? std::inner_product(x[i].begin(), x[i].end(), x[j].begin(), 0.0) : x[i][j];
      if (inner_products || value != 0) text += " " + std::to_string(j + 1) + ":" + std::to_string(value);
    }
    text += "\n";
  }
  return text;
}

TEST(LibsvmModelWriter, ModelsOfSvmTrainComeBackByteForByte) {
  if (std::system("command -v svm-train > /dev/null") != 0)
    GTEST_SKIP() << "svm-train of LIBSVM is not installed (package libsvm-tools)";
  const Scratch scratch;
  const std::string data = scratch.write("d.svm", training_text(false)),
                    inner = scratch.write("k.svm", training_text(true));
  const std::string path = scratch.path("d.model");
  for (int type = 0; type < 5; ++type)
    for (int kernel = 0; kernel < 5; ++kernel)
      for (const bool probability : {false, true}) {
        if (probability && type == 2) continue;  // LIBSVM 3.24 has none for one_class
        const std::string command = "svm-train -q -n 0.3 -r 0.25 -s " + std::to_string(type) + " -t " +
                                    std::to_string(kernel) + (probability ? " -b 1 " : " ") +
                                    (kernel == 4 ? inner : data) + " " + path + " > /dev/null 2>&1";
        ASSERT_EQ(std::system(command.c_str()), 0) << command;
        const LibsvmModel model = read_libsvm_model(path);
        EXPECT_EQ(int(model.type), type);
        EXPECT_EQ(int(model.kernel), kernel);
        EXPECT_EQ(model.nr_class, type < 2 ? 3 : 2);
        EXPECT_EQ(!model.prob_a.empty(), probability);
        EXPECT_GT(model.total_sv, 0u);
        EXPECT_EQ(rewritten(scratch, model), Scratch::read(path)) << command;
      }
}

TEST(LibsvmModelWriter, LibsvmPredictsTheSameWithTheRewrittenModel) {
  if (std::system("command -v svm-train svm-predict > /dev/null") != 0)
    GTEST_SKIP() << "svm-train and svm-predict of LIBSVM are not installed (package libsvm-tools)";
  const Scratch scratch;
  const std::string data = scratch.write("d.svm", training_text(false)), path = scratch.path("d.model");
  const auto predict = [&](const std::string& model) {
    EXPECT_EQ(std::system(("svm-predict -q " + data + " " + model + " " + scratch.path("out")).c_str()), 0);
    return Scratch::read(scratch.path("out"));
  };
  ASSERT_EQ(std::system(("svm-train -q -s 3 " + data + " " + path).c_str()), 0);
  write_libsvm_model(scratch.path("again.model"), read_libsvm_model(path));
  EXPECT_EQ(predict(scratch.path("again.model")), predict(path));
}

}  // namespace
}  // namespace mercer
