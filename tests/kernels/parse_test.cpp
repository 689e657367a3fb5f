// Text → expression: the grammar, every fault with its message and its place, and hostile texts.
#include <gtest/gtest.h>

#include <chrono>

#include "base/refusal.hpp"
#include "kernels/random_kernel.hpp"

namespace mercer {
namespace {

std::string parsed(std::string_view text) { return Kernel::parse(text).text(); }
std::string fault(std::string_view text) {
  return refusal(ErrorKind::usage, [&] { Kernel::parse(text); });
}

std::string repeated(std::string_view piece, std::size_t times) {
  std::string text;
  while (times-- > 0) text += piece;
  return text;
}

struct Pair {
  std::string written, meant;
};

void expect_read(const std::vector<Pair>& pairs) {
  for (const Pair& pair : pairs) EXPECT_EQ(parsed(pair.written), pair.meant) << pair.written;
}

TEST(Grammar, FollowsPrecedence) {
  expect_read({
      {"linear+delta*cosine^2", "linear + delta*cosine^2"},
      {"(linear+delta)*cosine", "(linear + delta)*cosine"},
      {"((linear))", "linear"},
      {"linear - delta - cosine", "linear - delta - cosine"},
      {"linear - (delta - cosine)", "linear - (delta - cosine)"},
      {"linear - delta + cosine", "linear - delta + cosine"},
      {"linear*delta*cosine", "linear*delta*cosine"},
      {"linear*(delta*cosine)", "linear*(delta*cosine)"},
      {"linear^2^3", "(linear^2)^3"},
      {"linear*delta@x^2", "linear*delta@x^2"},
      {"(linear*delta)@x", "(linear*delta)@x"},
      {"2*linear@x", "2*linear@x"},
  });
}

TEST(Grammar, TakesASignBeforeAProduct) {
  expect_read({
      {"-linear", "-1*linear"},
      {"-linear^2", "-1*linear^2"},
      {"(-linear)^2", "(-1*linear)^2"},
      {"-linear + delta", "-1*linear + delta"},
      {"-linear*delta", "-1*linear*delta"},
      {"-2*linear", "-2*linear"},
      {"exp(-linear)", "exp(-1*linear)"},
  });
}

TEST(Grammar, TakesNumbersAsConstantsAndCoefficients) {
  expect_read({
      {"3", "constant(c=3)"},
      {"-3", "-1*constant(c=3)"},
      {"1 + linear", "constant(c=1) + linear"},
      {"linear - 3", "linear - constant(c=3)"},
      {"1 + 2*3 - 4/8", "constant(c=6.5)"},
      {"2^3*linear", "8*linear"},
      {"-2^2*linear", "-4*linear"},
      {"(1 + linear)^2", "(constant(c=1) + linear)^2"},
      {"3@x", "constant(c=3)@x"},
      {"exp(2)", "exp(constant(c=2))"},
      {"2*3*linear", "6*linear"},
      {"linear*2*3", "3*(2*linear)"},
      {"linear/4", "0.25*linear"},
      {"6/4*linear", "1.5*linear"},
      {"linear/(1 + 1)", "0.5*linear"},
      {".5*linear", "0.5*linear"},
      {"5.*linear", "5*linear"},
      {"1E2*linear", "100*linear"},
      {"1e-2*linear", "0.01*linear"},
      {"sigmoid(offset=- 1)", "sigmoid(scale=1, offset=-1)"},
  });
}

TEST(Grammar, TakesArgumentsByName) {
  expect_read({
      {"rbf", "rbf(gamma=scale)"},
      {"rbf()", "rbf(gamma=scale)"},
      {"linear()", "linear"},
      {"poly(offset=0, degree=2)", "poly(degree=2, scale=1, offset=0)"},
      {"rbf(sigma=median)", "rbf(sigma=median)"},
      {"rbf(sigma=\"median\")", "rbf(sigma=median)"},
      {"quadratic_form(A=[[2,1],[1,2]])", "quadratic_form(A=[[2, 1], [1, 2]])"},
      {"polynomial(linear, coefficients=[1,-2])", "polynomial(linear, coefficients=[1, -2])"},
      {"normalize(center(linear))", "normalize(center(linear))"},
  });
}

TEST(Grammar, TakesOlderNamesOfParameters) {
  expect_read({
      {"anova(sigma=0.5, degree=2)", "anova(gamma=0.5, degree=2)"},
      {"anova(gamma=0.5, degree=2)", "anova(gamma=0.5, degree=2)"},
      {"rbf(sigma=2)", "rbf(sigma=2)"},
  });
}

TEST(Grammar, TakesColumnsAfterAt) {
  expect_read({
      {"linear@mass", "linear@mass"},
      {"linear@3", "linear@\"3\""},
      {"linear@3rd", "linear@\"3rd\""},
      {"linear@[a, \"b c\", 3]", "linear@[a, \"b c\", \"3\"]"},
      {"linear@[a]", "linear@a"},
      {"linear@\"größe µ\"", "linear@\"größe µ\""},
      {R"(linear@"a\"b\\c")", R"(linear@"a\"b\\c")"},
      {"linear@\"(]+\"", "linear@\"(]+\""},
      {"linear@a@b", "linear@a@b"},
      {"weighted(linear, by=@mass)", "weighted(linear, by=mass)"},
  });
}

TEST(Grammar, IgnoresWhitespace) {
  expect_read({
      {"\t rbf ( gamma = 1 )\n+\r\n2 * linear @ [ a , b ] ^ 2 ", "rbf(gamma=1) + 2*linear@[a, b]^2"},
      {"exp ( linear ) / 2", "0.5*exp(linear)"},
      {"quadratic_form( A = [ [ 1 , 0 ] , [ 0 , 1 ] ] )", "quadratic_form(A=[[1, 0], [0, 1]])"},
  });
}

struct Fault {
  std::string text, what;
  std::size_t begin, length = 1;
};

void expect_faults(const std::vector<Fault>& faults) {
  for (const Fault& f : faults)
    EXPECT_EQ(fault(f.text), f.what + "\n  " + f.text + "\n  " + std::string(f.begin, ' ') + "^" +
                                 std::string(f.length - 1, '~'));
}

TEST(Faults, OfNamesAreShownWhereTheyAre) {
  expect_faults({
      {"0.5*rbff(gamma=1)", "unknown kernel 'rbff'; did you mean 'rbf'? (the catalogue of kernels lists all)",
       4, 4},
      {"linear + quux*delta", "unknown kernel 'quux' (the catalogue of kernels lists all)", 9, 4},
      {"normalise(linear)",
       "unknown kernel 'normalise'; did you mean 'normalize'? (the catalogue of kernels lists all)", 0, 9},
      {"rbf(gama=1)", "rbf has no parameter 'gama'; did you mean 'gamma'?", 4, 4},
      {"rbf(width=1)", "rbf has no parameter 'width'; it has gamma, sigma", 4, 5},
      {"linear(c=1)", "linear has no parameters", 7},
      {"exp(linear, c=1)", "exp has no parameters", 12},
      {"rbf(gamma=1, gamma=2)", "gamma is given twice", 13, 5},
      {"rbf(gamma=1, sigma=2)", "rbf: gamma and sigma say the same thing twice; give one of them", 0, 21},
      {"rbf(0.1)", "expected a parameter's name here, as in rbf(gamma=…)", 4},
      {"rbf(gamma=1, )", "expected a parameter's name here, as in rbf(gamma=…)", 13},
      {"exp(linear,)", "exp has no parameters", 11},
      {"mapped(linear,)", "expected a parameter's name here, as in mapped(by=…)", 14},
      {"mapped(linear, by=warp)",
       "unknown map 'warp'; the maps are squares, powers, append_norm, unit, quadratic_form, periodic, "
       "spectrum, mismatch, weighted_degree, wl, shortest_path, "
       "graphlet, tanimoto, histogram, hog, bow, and lists of formulas over columns, such as [x1, x1^2]",
       0, 23},
      {"mapped(linear, by=power, degree=2)", "unknown map 'power'; did you mean 'powers'?", 0, 34},
      {"2*mapped(linear)",
       "mapped needs by=…: squares, powers, append_norm, unit, formulas over columns, e.g. [x1, x2, x1^2 + "
       "x2^2], or a kernel whose features it takes, e.g. "
       "histogram or \"spectrum(k=4)\"",
       2, 14},
      {"polynomial(linear)", "polynomial needs coefficients=…: [c₀, c₁, …], constant term first", 0, 18},
      {"weighted(linear, by=norm, sigma=2)", "by=norm takes no parameter sigma", 0, 34},
      {"exp", "exp needs a kernel: exp(rbf(gamma=1))", 0, 3},
      {"exp + linear", "exp needs a kernel: exp(rbf(gamma=1))", 0, 3},
  });
}

TEST(Faults, OfBracketsAreShownWhereTheyAre) {
  expect_faults({
      {"(linear + delta", "missing ')' for this bracket", 0},
      {"rbf(gamma=1", "missing ')' for this bracket", 3},
      {"rbf  (gamma=1", "missing ')' for this bracket", 5},
      {"exp (linear", "missing ')' for this bracket", 4},
      {"linear@[a, b", "missing ']' for this bracket", 7},
      {"linear@ [a, b", "missing ']' for this bracket", 8},
      {"quadratic_form(A=[[1, 2], [2", "missing ']' for this bracket", 26},
      {"quadratic_form(A=[[1, 0], 2])", "expected a row [ … ] here", 26},
      {"quadratic_form(A=[1, 2))", "expected ',' or ']' here", 22},
      {"rbf(gamma=1 2)", "expected ',' or ')' here", 12},
      {"(linear delta)", "expected ',' or ')' here", 8},
      {"linear)", "this ')' closes nothing", 6},
      {"exp(linear)) + delta", "this ')' closes nothing", 11},
      {"linear@\"a b", "this quote is never closed", 7},
      {"linear@\"a\\\"", "this quote is never closed", 7},
      {"quadratic_form(A=\"x", "this quote is never closed", 17},
  });
}

TEST(Faults, OfValuesAreShownWhereTheyAre) {
  expect_faults({
      {"rbf(gamma=-1)", "rbf: gamma must be > 0, not -1", 0, 13},
      {"1 + rbf(gamma=0)", "rbf: gamma must be > 0, not 0", 4, 12},
      {"rbf(gamma=1e400)", "this number is outside the range of a double", 10, 5},
      {"rbf(gamma=x)", "rbf: gamma must be a number, scale, auto or median, not x", 4, 7},
      {"rbf(gamma 1)", "expected '=' after gamma", 10},
      {"anova(gamma=1, sigma=2)", "sigma is given twice", 15, 5},
      {"anova(sigma=0)", "anova: gamma must be > 0, not 0", 0, 14},
      {"rbf(gamma=)", "expected a value here", 10},
      {"rbf(gamma=inf)", "rbf: gamma must be a number, scale, auto or median, not inf", 4, 9},
      {"rbf(gamma=-inf)", "expected a value here", 11},
      {"poly(degree=0)", "poly: degree must be a whole number from 1 to 1000, not 0", 0, 14},
      {"poly(degree=2.5)", "poly: degree must be a whole number, not 2.5", 5, 10},
      {"poly(degree=1e30)", "poly: degree must be a whole number, not 1e+30", 5, 11},
      {"poly(offset=[1, 2])", "poly: offset must be a number, not [1, 2]", 5, 13},
      {"matern(nu=0)", "matern: nu must be > 0 and at most 100, not 0", 0, 12},
      {"spectral_mixture(weights=1)", "spectral_mixture: weights must be a list such as [0.5, 2], not 1", 17,
       9},
      {"spectral_mixture(means=1)",
       "spectral_mixture: means must be a list such as [0.5, 2] or [[0.5, 2], [1, 3]], not 1", 17, 7},
      {"quadratic_form + linear",
       "quadratic_form: A is needed, e.g. A=[[2, 1], [1, 2]], A=[1, 2, 3] or A=\"A.npy\"", 0, 14},
      {"quadratic_form(A=1)",
       "quadratic_form: A must be a matrix [[…], […]], a diagonal […] or a file in quotes", 15, 3},
      {"polynomial(linear, coefficients=2)", "coefficients must be a list such as [1, 0.5, 2]", 0, 34},
      {"polynomial(linear, coefficients=[])",
       "coefficients must be a list of at least one finite number, constant term first", 0, 35},
      {"linear^0", "the exponent of a kernel must be a whole number from 1 to 1000", 7},
      {"linear^2.5", "the exponent of a kernel must be a whole number from 1 to 1000", 7, 3},
      {"linear ^ 1001", "the exponent of a kernel must be a whole number from 1 to 1000", 9, 4},
      {"linear^-1", "the exponent of a kernel must be a whole number from 1 to 1000", 7, 2},
      {"linear^", "expected an exponent here", 7},
      {"linear^delta", "expected an exponent here", 7},
      {"linear / 0", "a kernel can only be divided by a number other than 0", 9},
      {"linear/delta", "a kernel can only be divided by a number other than 0", 7, 5},
      {"delta + linear/1e-320", "the coefficient of a kernel must be a finite number", 8, 13},
      {"1e300*1e300", "constant: c must be ≥ 0 and at most 1e300, not inf", 0, 11},
      {"exp( 10^1000 )", "constant: c must be ≥ 0 and at most 1e300, not inf", 5, 7},
      {"linear + 1e300*1e300", "constant: c must be ≥ 0 and at most 1e300, not inf", 7, 13},
      {"2*(1e300*1e300)@x", "constant: c must be ≥ 0 and at most 1e300, not inf", 2, 15},
  });
}

TEST(Faults, OfGrammarAreShownWhereTheyAre) {
  expect_faults({
      {"", "the kernel expression is empty; e.g. rbf(gamma=0.1)", 0},
      {"linear +", "a kernel is missing at the end", 8},
      {"linear * -2", "expected a kernel, a number or '(' here", 9},
      {"exp()", "expected a kernel, a number or '(' here", 4},
      {"+linear", "expected a kernel, a number or '(' here", 0},
      {"linear delta", "expected +, -, *, /, ^, @ or the end here", 7},
      {"linear;", "expected +, -, *, /, ^, @ or the end here", 6},
      {"linear^2@x", "@ belongs to a kernel: put the part before it in brackets", 8},
      {"linear@", "expected a column's name or number here", 7},
      {"linear@[]", "expected a column's name or number here", 8},
      {"linear@[a,]", "expected a column's name or number here", 10},
      {"0x10*linear", "expected +, -, *, /, ^, @ or the end here", 1},
      {".", "expected a number here", 0},
  });
}

TEST(Fault, CountsCharactersBeforeThePlace) {
  EXPECT_EQ(
      fault("linear@\"größe\" + rbff"),
      "unknown kernel 'rbff'; did you mean 'rbf'? (the catalogue of kernels lists all)\n  linear@\"größe\" + "
      "rbff\n                   ^~~~");
}

TEST(Fault, IsFoundBehindAByteOfZero) {
  EXPECT_EQ(fault(std::string_view("linear\0delta", 12)),
            "expected +, -, *, /, ^, @ or the end here\n  linear delta\n        ^");
  EXPECT_EQ(fault(std::string_view("\0", 1)), "expected a kernel, a number or '(' here\n   \n  ^");
}

TEST(Fault, InAMegabyteShowsOnlyItsSurroundings) {
  const std::string text = "linear" + repeated(" + linear", 111111);
  const std::string message = fault(text + " + rbff" + text);
  EXPECT_EQ(message.find("unknown kernel 'rbfflinear'"), 0u);
  EXPECT_LT(message.size(), 400u);
  EXPECT_LT(fault(std::string(1000000, 'a')).size(), 1000u);
  EXPECT_LT(fault("rbf(" + std::string(1000000, 'a') + "=1)").size(), 1000u);
  EXPECT_LT(fault("mapped(linear, by=" + std::string(1000000, 'a') + ")").size(), 1000u);
}

TEST(Hostile, NestingIsRefusedBeforeTheStackEnds) {
  const std::string deep = "brackets are nested too deeply; at most 200 levels";
  for (const char* opening : {"(", "exp(", "-(", "2*(", "mapped(linear + ("})
    EXPECT_EQ(fault(repeated(opening, 100000)).substr(0, deep.size()), deep) << opening;
  const std::string tall = "the expression is nested too deeply; at most 1000 levels";
  for (const char* chain : {"^2", "@a", "*2", "/2", "@[a, b]"})
    EXPECT_EQ(fault("linear" + repeated(chain, 100000)).substr(0, tall.size()), tall) << chain;
  EXPECT_EQ(
      fault(repeated("(", 150) + "linear" + repeated(repeated("^2", 150) + ")", 150)).substr(0, tall.size()),
      tall);
  EXPECT_THROW(Kernel::parse("quadratic_form(A=" + repeated("[", 100000)), Error);
  EXPECT_EQ(parsed(repeated("(", 199) + "linear" + repeated(")", 199)), "linear");
}

TEST(Hostile, LongSumsAndProductsTakeLinearTime) {
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(Kernel::parse("linear" + repeated(" + delta@x - 2*linear^2", 25000)).parts().size(), 50001u);
  EXPECT_EQ(Kernel::parse("linear" + repeated("*linear", 900)).parts().size(), 901u);
  EXPECT_EQ(parsed("2" + repeated("*2/2", 50000)), "constant(c=2)");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10))
      << "quadratic time takes a minute";
}

TEST(Hostile, RandomEditsParseOrAreRefused) {
  RandomKernel kernels(1, Numbers::wild);
  Random random(2);
  using namespace std::string_view_literals;
  constexpr std::string_view grammar = "()[]{},=+-*/^@\"\\. 0123456789eE_abgmlinear\t\n\x7f\x80\xc3\xff\0"sv;
  int accepted = 0;
  for (int trial = 0; trial < 30000; ++trial) {
    std::string text = kernels(1 + trial % 4).text();
    for (auto edits = 1 + random.below(4); edits > 0 && !text.empty(); --edits) {
      const std::size_t at = random.below(text.size()), length = 1 + random.below(6);
      const char byte = random.below(4) ? grammar[random.below(grammar.size())] : char(random.bits());
      const auto edit = random.below(5);
      if (edit == 0) text[at] = byte;
      if (edit == 1) text.insert(at, 1, byte);
      if (edit == 2) text.erase(at, length);
      if (edit == 3) text.insert(random.below(text.size()), text.substr(at, 4 * length));
      if (edit == 4) std::swap(text[at], text[random.below(text.size())]);
    }
    try {
      const std::string printed = parsed(text);
      ASSERT_EQ(parsed(printed), printed) << text;
      ++accepted;
    } catch (const Error& error) {
      ASSERT_EQ(error.kind(), ErrorKind::usage) << text;
      ASSERT_NE(std::string_view(error.what()).find("^"), std::string_view::npos) << text;
    }
  }
  EXPECT_GT(accepted, 800);
  EXPECT_LT(accepted, 29000);
}

}  // namespace
}  // namespace mercer
