#include "methods/problems.hpp"

namespace mercer {
namespace {

std::string usage(const std::function<void()>& action) { return refusal(ErrorKind::usage, action); }
constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(Method, NamesAreLookedUpAndUnknownOnesSuggestTheNearest) {
  std::string names;
  for (const AnyMethod& method : methods())
    names += (names.empty() ? "" : ", ") + std::string(method->name());
  EXPECT_EQ(method_named("nu_svr")->name(), "nu_svr");
  EXPECT_EQ(usage([] { method_named("svmm"); }), "unknown method 'svmm'; did you mean 'svm'?");
  EXPECT_EQ(usage([] { method_named("forest"); }), "unknown method 'forest'; choose from " + names);
  EXPECT_NE(usage([] { method_named(""); }), "no error");
}

TEST(Method, ParametersAreSetAndRead) {
  AnyMethod method = method_named("svm");
  method->set("C", 2.5);
  method->set("multiclass", Word{"ovr"});
  EXPECT_EQ(std::get<double>(method->get("C")), 2.5);
  EXPECT_EQ(std::get<Word>(method->get("multiclass")).text, "ovr");
  EXPECT_EQ(std::get<double>(method_named("svm")->get("C")), 1);  // the catalogue's own is another value
  method->set("C", infinity);
  EXPECT_EQ(std::get<double>(method->get("C")), infinity);
}

TEST(Method, ANumberThatNobodyGaveIsNotZero) {
  AnyMethod ridge = method_named("ridge");
  EXPECT_EQ(std::get<Word>(ridge->get("tau2")).text, "none");
  ridge->set("tau2", 0.0);
  EXPECT_EQ(std::get<double>(ridge->get("tau2")), 0);
  ridge->set("tau2", Word{"none"});
  EXPECT_EQ(std::get<Word>(ridge->get("tau2")).text, "none");
  EXPECT_EQ(usage([&] { ridge->set("tau2", -1.0); }), "ridge: tau2 must be ≥ 0, not -1");
  EXPECT_EQ(usage([&] { ridge->set("tau2", Word{"small"}); }), "ridge: tau2 must be a number ≥ 0");
  EXPECT_EQ(usage([] { AnyMethod(method_named("svm"))->set("lambda", 0.0); }),
            "svm: lambda must be > 0, not 0");
  for (const AnyMethod& method : methods())
    for (const MethodParameter& parameter : method->parameters())
      EXPECT_EQ(may_be_left_out(*method, parameter),
                parameter.choices.empty() && std::holds_alternative<Word>(method->get(parameter.name)));
}

struct Several : Svr {
  static constexpr MethodTraits traits{.task = Task::regression, .multi_output = true};
};

TEST(Method, PredictsOneNumberUnlessItSaysOtherwise) {
  EXPECT_TRUE(AnyMethod(Several{})->traits().multi_output);
  EXPECT_FALSE(AnyMethod(Svr{})->traits().multi_output);
}

TEST(Method, CopiesAreIndependent) {
  AnyMethod method = Svr{.C = 3, .epsilon = 0.25};
  AnyMethod copy = method;
  copy->set("C", 4.0);
  EXPECT_EQ(std::get<double>(method->get("C")), 3);
  method = copy;
  EXPECT_EQ(std::get<double>(method->get("C")), 4);
  EXPECT_EQ(std::get<double>(method->get("epsilon")), 0.25);
}

TEST(Method, ParametersOutsideTheirRangeAreRefused) {
  AnyMethod method = method_named("svm");
  EXPECT_EQ(usage([&] { method->set("C", 0.0); }), "svm: C must be > 0, not 0");
  EXPECT_EQ(usage([&] { method->set("C", -1.0); }), "svm: C must be > 0, not -1");
  EXPECT_EQ(usage([&] { method->set("C", std::nan("")); }), "svm: C must be > 0, not nan");
  EXPECT_EQ(usage([&] { method->set("lambda", -0.5); }), "svm: lambda must be > 0, not -0.5");
  EXPECT_EQ(usage([&] { method->set("lambda", infinity); }), "svm: lambda must be > 0, not inf");
  EXPECT_EQ(usage([&] { method->set("C", Word{"large"}); }), "svm: C must be a number > 0");
  EXPECT_EQ(usage([&] { method->set("multiclass", Word{"ovo2"}); }),
            "svm: multiclass cannot be 'ovo2'; did you mean 'ovo'?");
  EXPECT_EQ(usage([&] { method->set("multiclass", 1.0); }),
            "svm: multiclass cannot be a number; choose from ovo, ovr");
  EXPECT_EQ(usage([&] { method->set("gamma", 1.0); }).substr(0, 28), "svm has no parameter 'gamma'");
  EXPECT_EQ(usage([&] { method->set("c", 1.0); }),
            "svm has no parameter 'c'; choose from C, lambda, C_convention, multiclass");
  EXPECT_NE(usage([&] { (void)method->get("gamma"); }), "no error");
  for (const double nu : {0.0, -0.1, 1.0000001, std::nan("")})
    for (const char* name : {"nu_svm", "nu_svr", "one_class"})
      EXPECT_NE(usage([&] { AnyMethod(method_named(name))->set("nu", nu); }), "no error")
          << name << " " << nu;
}

TEST(Method, WordsAndWholeNumbersAreOfTheirTypes) {
  AnyMethod ridge = method_named("ridge");
  ridge->set("select", Word{"gcv"});
  EXPECT_EQ(std::get<Word>(ridge->get("select")).text, "gcv");
  EXPECT_EQ(usage([&] { ridge->set("select", Word{"lou"}); }),
            "ridge: select cannot be 'lou'; did you mean 'loo'?");
  EXPECT_EQ(usage([&] { ridge->set("select", 1.0); }).substr(0, 35), "ridge: select cannot be a number; c");
  for (const MethodParameter& parameter : ridge->parameters())  // the default comes first
    if (parameter.name == "bias") {
      EXPECT_EQ(parameter.choices, (std::vector<std::string_view>{"none", "free"}));
    }
  AnyMethod pca = Pca{.components = 3, .centred = false};
  EXPECT_EQ(std::get<double>(pca->get("components")), 3);
  EXPECT_EQ(std::get<Word>(pca->get("centred")).text, "no");
  EXPECT_EQ(usage([&] { pca->set("components", 2.5); }),
            "pca: components must be a whole number ≥ 0, not 2.5");
  EXPECT_EQ(usage([&] { pca->set("components", 1e12); }),
            "pca: components must be a whole number ≥ 0, not 1e+12");
  EXPECT_EQ(usage([] { AnyMethod(method_named("mmd"))->set("permutations", 0.5); }),
            "mmd: permutations must be a whole number ≥ 0, not 0.5");
}

TEST(Method, WhatIsSetInCppIsCheckedToo) {
  EXPECT_EQ(usage([] { AnyMethod method = Svm{.C = 0}; }), "svm: C must be > 0, not 0");
  EXPECT_EQ(usage([] { AnyMethod method = Svr{.epsilon = -1}; }), "svr: epsilon must be ≥ 0, not -1");
  EXPECT_EQ(usage([] { AnyMethod method = NuSvr{.nu = 2}; }), "nu_svr: nu must be > 0 and at most 1, not 2");
}

}  // namespace
}  // namespace mercer
