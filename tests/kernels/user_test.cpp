#include <gtest/gtest.h>

#include <cmath>

#include "base/refusal.hpp"
#include "kernels/node.hpp"
#include "mercer/kernel_operator.hpp"
#include "mercer/kernels.hpp"

namespace mercer {
namespace {

Kernel mine(bool psd = false) {
  return user_kernel(
      "mine", [](std::span<const double>, std::span<const double>) { return 1.0; }, psd);
}

TEST(UserKernel, PrintsANameThatDoesNotParse) {
  EXPECT_EQ(mine().text(), "user:mine");
  EXPECT_EQ((2 * mine() + linear()).text(), "2*user:mine + linear");
  EXPECT_EQ(
      refusal(ErrorKind::usage, [] { Kernel::parse(mine().text()); }),
      "the kernel 'mine' is not known here: texts and files hold its name alone; give the function where "
      "the expression or the model is read\n  user:mine\n  ^~~~~~~~~");
}

TEST(UserKernel, IsValidOnlyWhereItsAuthorSaysSo) {
  EXPECT_FALSE(mine().properties().psd);
  EXPECT_FALSE(mine().prove().psd);
  EXPECT_EQ(mine().prove().because, "user:mine is a function about which nothing is known");
  EXPECT_TRUE(mine(true).properties().psd);
  EXPECT_TRUE(mine(true).prove().psd);
  EXPECT_EQ(mine(true).prove().because, "user:mine is declared positive semidefinite by its author");
  EXPECT_EQ(mine(true).properties().bound, INFINITY);
}

TEST(UserKernel, HasNoPartsAndNothingToResolve) {
  EXPECT_TRUE(mine().parts().empty());
  EXPECT_TRUE(mine().resolved());
  EXPECT_EQ(mine().node().with_parts({}).text(), "user:mine");
  EXPECT_TRUE((mine() * rbf()).resolve(Points({{1, 2}, {3, 4}})).resolved());
}

TEST(UserKernel, HasNoExplicitFeatureMap) {
  struct NoAlgebra final : FeatureAlgebra {
    int terms() const override { return 1; }
    Id coordinates() override { return 0; }
    Id series(Id, const Series&) override { return 0; }
    Id join(std::span<const Id>) override { return 0; }
    Id tensor(Id, Id) override { return 0; }
    Id weigh(Id, const PointFunction&) override { return 0; }
    Id normalize(Id) override { return 0; }
    Id mapped(const PointMap&, const std::function<Id()>& inside) override { return inside(); }
  } algebra;
  EXPECT_EQ(refusal(ErrorKind::usage, [&] { mine().node().features(algebra); })
                .find("user:mine has no finite explicit feature map; "),
            0u);
}

// --- Functions of rows.

UserFunction squares(std::string name, int* calls = nullptr) {
  return {std::move(name), [calls](const Points& rows) {
            if (calls) ++*calls;
            Dense<double> images{rows.rows(), rows.cols(), Buffer<double>(rows.rows() * rows.cols())};
            for (std::size_t i = 0; i < rows.rows(); ++i)
              for (std::size_t j = 0; j < rows.cols(); ++j)
                images.values[i * rows.cols() + j] = rows.row(i)[j] * rows.row(i)[j];
            return images;
          }};
}

Points some_rows() { return Points(std::vector<std::vector<double>>{{1, 2}, {3, -1}, {0, 0.5}}); }

TEST(UserFunction, MapsAndWeighsRows) {
  const Points points = some_rows();
  const Kernel expected = Kernel::parse("mapped(rbf(gamma=0.1), by=squares)"),
               found = mapped(rbf({.gamma = 0.1}), squares("phi"));
  EXPECT_EQ(found.text(), "mapped(rbf(gamma=0.1), by=user:phi)");
  const auto values = [&](const Kernel& k) {
    std::vector<double> K(9);
    KernelOperator<double>(k, points, {.threads = 1}).matrix(K);
    return K;
  };
  EXPECT_EQ(values(found), values(expected));
  EXPECT_EQ(values(from_features(squares("phi"))), values(Kernel::parse("mapped(linear, by=squares)")));
  EXPECT_EQ(values(weighted(linear(), [](std::span<const double> x) { return x[0]; })),
            values(Kernel::parse("weighted(linear, by=\"1\")")));
}

TEST(UserFunction, SeesEachRowOnce) {
  int calls = 0;
  const Kernel k = from_features(squares("phi", &calls));
  const Points points = some_rows();
  const std::vector<std::size_t> order{2, 0, 1};
  std::vector<double> K(9);
  KernelOperator<double>(k, points, {.threads = 1}).matrix(K);
  KernelOperator<double>(k + linear(), points.select_rows(order), {.threads = 1}).matrix(K);
  KernelOperator<float>(k, points.with_precision(Precision::float32), {.threads = 1});
  EXPECT_EQ(calls, 1);
}

TEST(UserFunction, OfTheSameNameIsAnother) {
  const Points points = some_rows();
  std::vector<double> K(9), other(9);
  for (const double factor : {1.0, 2.0}) {  // made and gone: the second may lie where the first lay
    const Kernel k =
        mapped(linear(), [factor](std::span<const double> x) { return std::vector{factor * x[0]}; });
    KernelOperator<double>(k, points, {.threads = 1}).matrix(factor == 1 ? K : other);
  }
  for (std::size_t e = 0; e < 9; ++e) EXPECT_EQ(other[e], 4 * K[e]);
  const UserFunction a = squares("phi"), b = squares("phi");
  EXPECT_EQ(from_features(a), from_features(a));
  EXPECT_FALSE(from_features(a) == from_features(b));
  const Kernel both = from_features(a) + from_features(b);
  EXPECT_EQ(user_functions(both).size(), 2u);
  EXPECT_NE(refusal(ErrorKind::usage, [&] { Kernel::parse(both.text(), user_functions(both)); })
                .find("two different functions are called 'phi'"),
            std::string::npos);
}

TEST(UserFunction, IsGivenToTheParserByName) {
  const UserFunction phi = squares("phi");
  const Kernel k = 2 * from_features(phi) + rbf({.gamma = 1});
  EXPECT_EQ(Kernel::parse(k.text(), std::vector{phi}), k);
  EXPECT_EQ(
      refusal(ErrorKind::usage, [&] { Kernel::parse("mapped(linear, by=user:psi)", std::vector{phi}); }),
      "the function 'psi' is not known here: texts and files hold its name alone; give the function where "
      "the expression or the model is read\n  mapped(linear, by=user:psi)\n                    ^~~~~~~~");
  EXPECT_NE(refusal(ErrorKind::usage,
                    [&] { Kernel::parse("mapped(linear, by=user:phi, degree=2)", std::vector{phi}); })
                .find("user:phi takes no other parameters"),
            std::string::npos);
  EXPECT_NE(refusal(ErrorKind::usage, [&] { Kernel::parse("user:phi", std::vector{phi}); })
                .find("the kernel 'phi' is not known here"),
            std::string::npos);
  EXPECT_EQ(refusal(ErrorKind::usage, [&] { squares("my phi"); }),
            "'my phi' cannot name a function; a name has letters, digits and _, and begins with no digit");
}

TEST(UserFunction, WithOtherRowsOrSeveralNumbersForAWeightIsRefused) {
  const Points points = some_rows();
  const UserFunction one_row("short", [](const Points&) {
    return Dense<double>{1, 1, Buffer<double>(1, 0.0)};
  });
  const auto use = [&](const Kernel& k) { KernelOperator<double>(k, points, {.threads = 1}); };
  EXPECT_EQ(refusal(ErrorKind::data, [&] { use(from_features(one_row)); }),
            "the function 'short' gives 1 rows of numbers for 3 rows; it must give one for each");
  EXPECT_EQ(
      refusal(ErrorKind::usage, [&] { use(weighted(linear(), squares("f"))); }),
      "weighted: the function 'f' gives 2 numbers for a row; a weight is one number; mapped takes several");
}

// Of two columns of texts and one of numbers the function is given the one that it is restricted to.
TEST(UserFunction, TakesTheColumnOfObjectsThatItCompares) {
  const std::vector<std::string> titles{"a", "bb", "a b"}, bodies{"xxxx", "x", ""};
  const Points points = some_rows().with_objects(
      {Objects("title", Domain::text, titles), Objects("body", Domain::text, bodies)});
  const UserFunction length = UserFunction("length", [](const Points& rows) {
                                EXPECT_EQ(rows.cols(), 0u);
                                Dense<double> found{rows.rows(), 1, Buffer<double>(rows.rows())};
                                for (std::size_t i = 0; i < rows.rows(); ++i)
                                  found.values[i] = double(rows.objects().at(0).texts()[i].size());
                                return found;
                              }).of(Domain::text);
  const TileFunction product = [](const Points& x, Range rows, const Points& z, Range columns, double* out) {
    for (std::size_t i = rows.begin; i < rows.end; ++i)
      for (std::size_t j = columns.begin; j < columns.end; ++j)
        *out++ = double(x.objects().at(0).texts()[i].size() * z.objects().at(0).texts()[j].size());
  };
  const UserFunction same = UserFunction("same", product).of(Domain::text);
  for (const auto& [text, lengths] :
       {std::pair{"title", std::vector<double>{1, 2, 3}}, std::pair{"body", std::vector<double>{4, 1, 0}}})
    for (const std::string expression : {"mapped(linear, by=user:length)@", "user:same@"}) {
      const Kernel k = Kernel::parse(expression + text, std::vector{length, same});
      std::vector<double> K(9);
      KernelOperator<double>(k, points, {.threads = 1}).matrix(K);
      for (std::size_t e = 0; e < 9; ++e)
        EXPECT_EQ(K[e], lengths[e / 3] * lengths[e % 3]) << expression << text;
    }
  EXPECT_NE(refusal(ErrorKind::usage,
                    [&] { KernelOperator<double>(from_features(length), points, {.threads = 1}); })
                .find("title"),
            std::string::npos);
}

}  // namespace
}  // namespace mercer
