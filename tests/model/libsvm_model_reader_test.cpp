#include "data/scratch.hpp"
#include "model/libsvm_model.hpp"
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

}  // namespace
}  // namespace mercer
