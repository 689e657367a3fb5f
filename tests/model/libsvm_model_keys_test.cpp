// Every refusal of the lines in front of SV.
#include "model/libsvm_model.hpp"

#include <sstream>

#include "data/scratch.hpp"
#include "model/libsvm_texts.hpp"

namespace mercer {
namespace {

using testing::one_class;
using testing::precomputed;
using testing::refusal;
using testing::three_classes;
using testing::with;

std::string key_refusal(const std::string& text) {
  return refusal([&] { parse_libsvm_model("f", text); });
}
/// The refusal of the model of three classes with one line changed.
std::string changed(const std::string& from, const std::string& to) {
  return key_refusal(with(three_classes, from, to));
}

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
      changed("c_svc", "d_svc"),
      "f:1:10: svm_type 'd_svc' is not known; write one of c_svc, nu_svc, one_class, epsilon_svr, nu_svr");
  EXPECT_EQ(
      changed("polynomial", "poly"),
      "f:2:13: kernel_type 'poly' is not known; write one of linear, polynomial, rbf, sigmoid, precomputed");
  const std::string keys =
      " is not a key of LIBSVM models; they are svm_type, kernel_type, degree, gamma, coef0, nr_class, "
      "total_sv, rho, "
      "label, probA, probB, prob_density_marks, nr_sv and, before the support vectors, SV alone";
  EXPECT_EQ(changed("degree", "degrees"), "f:3:1: 'degrees'" + keys);
  EXPECT_EQ(changed("SV\n", "SV 1\n"), "f:13:1: 'SV'" + keys);
  EXPECT_EQ(changed("gamma", "\ngamma"), "f:4:1: ''" + keys);
}

TEST(LibsvmModelKeys, MissingAndRepeatedKeys) {
  std::istringstream lines(three_classes);
  std::string line;
  for (int number = 1; std::getline(lines, line) && line != "SV"; ++number) {
    const std::string key = line.substr(0, line.find(' '));
    EXPECT_EQ(changed(line + "\n", line + "\n" + line + "\n"),
              "f:" + std::to_string(number + 1) + ":1: " + key + " is given a second time; give it once");
    if (key.starts_with("prob")) continue;
    EXPECT_EQ(changed(line + "\n", ""),
              "f:13:1: no line " + key + " before SV; a model of this type and kernel has one");
  }
  EXPECT_EQ(key_refusal("svm_type c_svc\nkernel_type rbf\n"),
            "f:2:16: the file ends before its line SV; it is cut short, or no LIBSVM model");
}

TEST(LibsvmModelKeys, NumbersThatAreNone) {
  for (const std::string value : {"nan", "-inf", "1e999", "x", "0x1p3", "1,5"}) {
    const std::string tail = "'" + value + "' is not a finite number; write a number such as 1.5";
    EXPECT_EQ(changed("-0.5", value), "f:5:7: " + tail);
    EXPECT_EQ(changed("0.062734305858612061", value), "f:8:26: " + tail);
  }
  for (const std::string value : {"-1", "0", "99999999999", "1e300", "3.0", "x", "9223372036854775808"})
    EXPECT_EQ(changed("nr_class 3", "nr_class " + value),
              "f:6:10: '" + value + "' is not a whole number from 1 to 2147483647");
  EXPECT_EQ(changed("total_sv 6", "total_sv -1"), "f:7:10: '-1' is not a whole number from 0 to 2147483647");
  EXPECT_EQ(changed("degree 3", "degree 2.5"), "f:3:8: '2.5' is not a whole number from 0 to 2147483647");
  EXPECT_EQ(changed("label 1 -2", "label 1 cat"),
            "f:9:9: 'cat' is not a whole number from -2147483648 to 2147483647");
}

TEST(LibsvmModelKeys, CountsAgreeWithEachOther) {
  EXPECT_EQ(changed("nr_class 3", "nr_class 2"), "f:9:1: label has 3 values; 2 are needed");
  EXPECT_EQ(changed("nr_class 3", "nr_class 2147483647"), "f:9:1: label has 3 values; 2147483647 are needed");
  EXPECT_EQ(changed(" 0.091539806804104618", ""), "f:8:1: rho has 2 values; 3 are needed");
  EXPECT_EQ(changed("nr_sv 2 2 2", "nr_sv 2 2 2 0"), "f:12:1: nr_sv has 4 values; 3 are needed");
  EXPECT_EQ(changed("nr_sv 2 2 2", "nr_sv 2 2 3"),
            "f:12:1: nr_sv adds up to 7; total_sv is 6, and they must be the same");
  EXPECT_EQ(changed("nr_sv 2 2 2", "nr_sv 2147483647 2147483647 2147483647"),
            "f:12:1: nr_sv adds up to 6442450941; total_sv is 6, and they must be the same");
  EXPECT_EQ(changed("gamma 0.33333333333333331", "gamma"), "f:4:1: gamma has 0 values; 1 are needed");
  EXPECT_EQ(key_refusal(with(precomputed, "nr_class 2", "nr_class 3")),
            "f:3:1: nr_class is 3; epsilon_svr has 2");
  EXPECT_EQ(key_refusal(with(one_class, " 1 2\n", " 1\n")),
            "f:7:1: prob_density_marks has 9 values; 10 are needed");
  const std::string alone = " stands alone; a model of classes has probA and probB, or none of them";
  const std::size_t a = three_classes.find("probA"), b = three_classes.find("probB"),
                    after = three_classes.find("nr_sv");
  EXPECT_EQ(changed(three_classes.substr(a, b - a), ""), "f:10:1: probB" + alone);
  EXPECT_EQ(changed(three_classes.substr(b, after - b), ""), "f:10:1: probA" + alone);
}

}  // namespace
}  // namespace mercer
