#include "model/libsvm_model.hpp"

#include <cstdlib>
#include <limits>
#include <numeric>
#include <sstream>

#include "data/scratch.hpp"
#include "model/libsvm_texts.hpp"

namespace mercer {
namespace {

using testing::one_class;
using testing::precomputed;
using testing::refusal;
using testing::Scratch;
using testing::single_class;
using testing::three_classes;
using testing::with;

LibsvmModel parse(const std::string& text) { return parse_libsvm_model("f", text); }
std::string parse_refusal(const std::string& text) {
  return refusal([&] { parse(text); });
}
/// The refusal of the model of three classes with one line changed.
std::string replaced(const std::string& from, const std::string& to) {
  return parse_refusal(with(three_classes, from, to));
}
template <class T>
std::vector<T> as_vector(const Buffer<T>& buffer) {
  return {buffer.begin(), buffer.end()};
}

TEST(LibsvmModelReader, ReadsEveryNumber) {
  const Scratch scratch;
  const LibsvmModel model = read_libsvm_model(scratch.write("a.model", three_classes));
  EXPECT_EQ(model.type, LibsvmType::c_svc);
  EXPECT_EQ(model.kernel, LibsvmKernel::polynomial);
  EXPECT_EQ(model.degree, 3);
  EXPECT_EQ(model.gamma, 1.0 / 3);
  EXPECT_EQ(model.coef0, -0.5);
  EXPECT_EQ(model.nr_class, 3);
  EXPECT_EQ(model.total_sv, 6u);
  EXPECT_EQ(model.rho,
            (std::vector<double>{0.018442451953887939, 0.062734305858612061, 0.091539806804104618}));
  EXPECT_EQ(model.label, (std::vector<std::int32_t>{1, -2, 3}));
  EXPECT_EQ(model.prob_a, (std::vector<double>{14.648549807276542, 2.4533633856280193, -2.365396855359962}));
  EXPECT_EQ(model.prob_b,
            (std::vector<double>{-0.14130460387668106, -0.11408389995192914, 0.16492129324412053}));
  EXPECT_EQ(model.nr_sv, (std::vector<std::int32_t>{2, 2, 2}));
  EXPECT_EQ(as_vector(model.coefs), (std::vector<double>{1, 1, -1, -1, -1, -1, 1, 0, 1, 0.29995274531099431,
                                                         -0.77124288648915362, -0.52870985882184063}));
  EXPECT_EQ(model.support.rows, 6u);
  EXPECT_EQ(model.support.cols, 4u);
  EXPECT_EQ(model.first_index, 1);
  EXPECT_EQ(as_vector(model.support.starts), (std::vector<std::size_t>{0, 1, 2, 4, 7, 8, 9}));
  EXPECT_EQ(as_vector(model.support.indices), (std::vector<std::int32_t>{0, 0, 0, 1, 0, 1, 3, 1, 2}));
  EXPECT_EQ(as_vector(model.support.values),
            (std::vector<double>{1, 1.1, 2, 1, 2.1, 0, 0.9, 1e-5, 1.2345679e11}));
  EXPECT_TRUE(model.serials.empty() && model.prob_density_marks.empty());
}

TEST(LibsvmModelReader, APrecomputedKernelHasSerialNumbers) {
  const LibsvmModel model = parse(precomputed);
  EXPECT_EQ(model.type, LibsvmType::epsilon_svr);
  EXPECT_EQ(model.serials, (std::vector<std::int32_t>{1, 2, 13}));
  EXPECT_EQ(model.support.rows, 3u);
  EXPECT_EQ(model.support.cols, 0u);
  EXPECT_TRUE(model.label.empty() && model.nr_sv.empty() && model.prob_b.empty());
  EXPECT_EQ(model.prob_a.size(), 1u);
  EXPECT_EQ(parse_refusal(with(precomputed, "0:2 ", "0:2 1:1 ")),
            "f:9:26: '1:1' follows the serial number; end the line");
  EXPECT_EQ(parse_refusal(with(precomputed, "0:2 ", "1:2 ")),
            "f:9:22: '1:2' is not 0:serial; a precomputed kernel has the row number of each support vector, "
            "for example "
            "0:12");
  for (const std::string serial : {"0", "-1", "1.5", "", "4294967297"})
    EXPECT_EQ(parse_refusal(with(precomputed, "0:2 ", "0:" + serial + " ")),
              "f:9:24: '" + serial + "' is not a whole number from 1 to 2147483647");
}

TEST(LibsvmModelReader, IndicesCountFromZeroWhereOneIsZero) {
  const LibsvmModel model = parse(one_class);
  EXPECT_EQ(model.first_index, 0);
  EXPECT_EQ(model.support.cols, 3u);
  EXPECT_EQ(as_vector(model.support.indices), (std::vector<std::int32_t>{0, 2}));
  EXPECT_EQ(model.prob_density_marks.size(), 10u);
  EXPECT_EQ(parse(with(one_class, "0:1 2:-0.5", "")).support.cols, 0u);
}

TEST(LibsvmModelReader, AModelMayHoldNoSupportVectors) {
  const LibsvmModel model = parse(single_class);
  EXPECT_EQ(model.total_sv, 0u);
  EXPECT_TRUE(model.rho.empty() && model.coefs.empty());
  EXPECT_EQ(model.support.starts.size(), 1u);
}

TEST(LibsvmModelReader, LineEndsMayBeThoseOfWindows) {
  std::string text;
  for (const char c : three_classes) text += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_TRUE(testing::same_storage(parse(text).support, parse(three_classes).support));
}

TEST(LibsvmModelReader, CoefficientsAndEntriesThatAreNone) {
  EXPECT_EQ(replaced("-1 1 1:2 ", "-1 1:2 "), "f:16:4: the line has 1 coefficients; 3 classes need 2");
  EXPECT_EQ(replaced("-1 1 1:2 ", "-1 1 1 1:2 "), "f:16:6: '1' is not index:value; write for example 3:0.5");
  EXPECT_EQ(replaced("1 0 1:1.1 ", ""), "f:15:1: the line has 0 coefficients; 3 classes need 2");
  EXPECT_EQ(replaced("-1 1 1:2 ", "-1 nan 1:2 "),
            "f:16:4: 'nan' is not a finite number; write a number such as 1.5");
  EXPECT_EQ(replaced("4:0.9", "4:inf"), "f:17:36: 'inf' is not a finite number; write a number such as 1.5");
  EXPECT_EQ(replaced("4:0.9", "4:"), "f:17:36: '' is not a finite number; write a number such as 1.5");
  EXPECT_EQ(replaced("4:0.9", "4:1:2"), "f:17:36: '1:2' is not a finite number; write a number such as 1.5");
  EXPECT_EQ(replaced("4:0.9", "2:0.9"), "f:17:34: index '2' appears twice in the line; give each index once");
  EXPECT_EQ(replaced("4:0.9", "1:0.9"), "f:17:34: index '1' follows 2; indices must ascend within a line");
  EXPECT_EQ(replaced("4:0.9", "-4:0.9"), "f:17:34: index '-4' is negative; indices count from 1, or from 0");
  EXPECT_EQ(replaced("4:0.9", "2147483647:1"),
            "f:17:34: index '2147483647' is too large; the largest is 2147483646");
}

TEST(LibsvmModelReader, CountsAreCheckedAgainstTheBytesThere) {
  EXPECT_EQ(parse_refusal(with(one_class, "total_sv 2", "total_sv 2147483647")),
            "f:10:5: the file ends after 2 support vectors, where total_sv says 2147483647; it is cut short, "
            "or total_sv "
            "is wrong");
  EXPECT_EQ(parse_refusal(with(one_class, "total_sv 2", "total_sv 1")),
            "f:10:1: a line behind the last of 1 support vectors; set total_sv to their number");
  EXPECT_EQ(parse_refusal(three_classes + "more\n"),
            "f:20:1: a line behind the last of 6 support vectors; set total_sv to their number");
  // 1000 classes and no pairs of them to speak of: refused before room for 999 coefficients a line is made.
  std::string many = "svm_type c_svc\nkernel_type linear\nnr_class 1000\ntotal_sv 1000\nrho";
  for (int i = 0; i < 499'500; ++i) many += " 0";
  many += "\nlabel";
  for (int i = 0; i < 1000; ++i) many += " " + std::to_string(i);
  many += "\nnr_sv";
  for (int i = 0; i < 1000; ++i) many += " 1";
  many += "\nSV\n";
  for (int i = 0; i < 1000; ++i) many += "1\n";
  EXPECT_EQ(parse_refusal(many),
            "f:1008:2: the file ends before its 999000 coefficients, nr_class - 1 for each of 1000 support "
            "vectors; it is "
            "cut short");
}

TEST(LibsvmModelReader, AFileCutAnywhereIsRefused) {
  for (const std::string& whole : {three_classes, precomputed, one_class, single_class}) {
    EXPECT_EQ(parse_refusal(whole), "no error");
    for (std::size_t size = 0; size < whole.size(); ++size)
      EXPECT_NE(parse_refusal(whole.substr(0, size)), "no error") << size << whole;
  }
  EXPECT_EQ(parse_refusal(three_classes.substr(0, three_classes.size() - 5)),
            "f:19:37: the last line has no line end; the file is cut short, or add one if it is whole");
}

TEST(LibsvmModelReader, WhatIsAcceptedOfDamagedFilesIsSound) {
  Random random(11);
  int refused = 0;
  constexpr int rounds = 20'000;
  for (int round = 0; round < rounds; ++round) {
    std::string text = std::array{three_classes, precomputed, one_class}[std::size_t(round % 3)];
    testing::damage(text, "0123456789 :\n\r\t-.e", random);
    try {
      LibsvmModel model = parse(text);
      ASSERT_EQ(model.rho.size(), model.pairs());
      ASSERT_EQ(model.coefs.size(), std::size_t(model.nr_class - 1) * model.total_sv);
      for (const double value : model.coefs) ASSERT_TRUE(std::isfinite(value));
      ASSERT_EQ(model.support.rows, model.total_sv);
      EXPECT_NO_THROW(Points(std::move(model.support)));  // which looks at every index
    } catch (const Error& error) {
      ASSERT_EQ(error.kind(), ErrorKind::data);
      ++refused;
    }
  }
  EXPECT_GT(refused, rounds / 4);
  EXPECT_LT(refused, rounds);
}

// Every refusal of the lines in front of SV.
TEST(LibsvmModelKeys, MayStandInAnyOrder) {
  LibsvmModel model;
  const TextSource source("f", "rho 1.5\r\ntotal_sv 0\r\nnr_class 2\r\nSV \r\n\r\nkernel_type");
  EXPECT_EQ(refusal([&] { read_model_keys(source, model); }),
            "f:5:1: no line svm_type before SV; a model of this type and kernel has one");
  const TextSource whole(
      "f", "gamma 2\nrho 1.5\n total_sv\t7\r\nnr_class 2\nkernel_type linear\nsvm_type nu_svr\nSV\nrest");
  EXPECT_STREQ(read_model_keys(whole, model), "rest");
  EXPECT_EQ(model.type, LibsvmType::nu_svr);
  EXPECT_EQ(model.kernel, LibsvmKernel::linear);
  EXPECT_EQ(model.gamma, 2);
  EXPECT_EQ(model.rho, std::vector<double>{1.5});
  EXPECT_EQ(model.total_sv, 7u);
}

TEST(LibsvmModelKeys, UnknownWords) {
  EXPECT_EQ(
      replaced("c_svc", "d_svc"),
      "f:1:10: svm_type 'd_svc' is not known; write one of c_svc, nu_svc, one_class, epsilon_svr, nu_svr");
  EXPECT_EQ(
      replaced("polynomial", "poly"),
      "f:2:13: kernel_type 'poly' is not known; write one of linear, polynomial, rbf, sigmoid, precomputed");
  const std::string keys =
      " is not a key of LIBSVM models; they are svm_type, kernel_type, degree, gamma, coef0, nr_class, "
      "total_sv, rho, "
      "label, probA, probB, prob_density_marks, nr_sv and, before the support vectors, SV alone";
  EXPECT_EQ(replaced("degree", "degrees"), "f:3:1: 'degrees'" + keys);
  EXPECT_EQ(replaced("SV\n", "SV 1\n"), "f:13:1: 'SV'" + keys);
  EXPECT_EQ(replaced("gamma", "\ngamma"), "f:4:1: ''" + keys);
}

TEST(LibsvmModelKeys, MissingAndRepeatedKeys) {
  std::istringstream lines(three_classes);
  std::string line;
  for (int number = 1; std::getline(lines, line) && line != "SV"; ++number) {
    const std::string key = line.substr(0, line.find(' '));
    EXPECT_EQ(replaced(line + "\n", line + "\n" + line + "\n"),
              "f:" + std::to_string(number + 1) + ":1: " + key + " is given a second time; give it once");
    if (key.starts_with("prob")) continue;
    EXPECT_EQ(replaced(line + "\n", ""),
              "f:13:1: no line " + key + " before SV; a model of this type and kernel has one");
  }
  EXPECT_EQ(parse_refusal("svm_type c_svc\nkernel_type rbf\n"),
            "f:2:16: the file ends before its line SV; it is cut short, or no LIBSVM model");
}

TEST(LibsvmModelKeys, NumbersThatAreNone) {
  for (const std::string value : {"nan", "-inf", "1e999", "x", "0x1p3", "1,5"}) {
    const std::string tail = "'" + value + "' is not a finite number; write a number such as 1.5";
    EXPECT_EQ(replaced("-0.5", value), "f:5:7: " + tail);
    EXPECT_EQ(replaced("0.062734305858612061", value), "f:8:26: " + tail);
  }
  for (const std::string value : {"-1", "0", "99999999999", "1e300", "3.0", "x", "9223372036854775808"})
    EXPECT_EQ(replaced("nr_class 3", "nr_class " + value),
              "f:6:10: '" + value + "' is not a whole number from 1 to 2147483647");
  EXPECT_EQ(replaced("total_sv 6", "total_sv -1"), "f:7:10: '-1' is not a whole number from 0 to 2147483647");
  EXPECT_EQ(replaced("degree 3", "degree 2.5"), "f:3:8: '2.5' is not a whole number from 0 to 2147483647");
  EXPECT_EQ(replaced("label 1 -2", "label 1 cat"),
            "f:9:9: 'cat' is not a whole number from -2147483648 to 2147483647");
}

TEST(LibsvmModelKeys, CountsAgreeWithEachOther) {
  EXPECT_EQ(replaced("nr_class 3", "nr_class 2"), "f:9:1: label has 3 values; 2 are needed");
  EXPECT_EQ(replaced("nr_class 3", "nr_class 2147483647"),
            "f:9:1: label has 3 values; 2147483647 are needed");
  EXPECT_EQ(replaced(" 0.091539806804104618", ""), "f:8:1: rho has 2 values; 3 are needed");
  EXPECT_EQ(replaced("nr_sv 2 2 2", "nr_sv 2 2 2 0"), "f:12:1: nr_sv has 4 values; 3 are needed");
  EXPECT_EQ(replaced("nr_sv 2 2 2", "nr_sv 2 2 3"),
            "f:12:1: nr_sv adds up to 7; total_sv is 6, and they must be the same");
  EXPECT_EQ(replaced("nr_sv 2 2 2", "nr_sv 2147483647 2147483647 2147483647"),
            "f:12:1: nr_sv adds up to 6442450941; total_sv is 6, and they must be the same");
  EXPECT_EQ(replaced("gamma 0.33333333333333331", "gamma"), "f:4:1: gamma has 0 values; 1 are needed");
  EXPECT_EQ(parse_refusal(with(precomputed, "nr_class 2", "nr_class 3")),
            "f:3:1: nr_class is 3; epsilon_svr has 2");
  EXPECT_EQ(parse_refusal(with(one_class, " 1 2\n", " 1\n")),
            "f:7:1: prob_density_marks has 9 values; 10 are needed");
  const std::string alone = " stands alone; a model of classes has probA and probB, or none of them";
  const std::size_t a = three_classes.find("probA"), b = three_classes.find("probB"),
                    after = three_classes.find("nr_sv");
  EXPECT_EQ(replaced(three_classes.substr(a, b - a), ""), "f:10:1: probB" + alone);
  EXPECT_EQ(replaced(three_classes.substr(b, after - b), ""), "f:10:1: probA" + alone);
}

// Text → struct → text, byte for byte, of literal models and of those that svm-train makes here and now.
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
