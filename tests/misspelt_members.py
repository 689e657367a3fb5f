#!/usr/bin/env python3
"""A method, kernel or loss with a misspelt optional member does not compile: it would be taken for one without that member."""
import argparse
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
METHOD = """
#include "mercer/methods/ridge.hpp"
using namespace mercer;
struct Mine {
  static constexpr std::string_view name = "mine", formula = "", summary = "";
  static constexpr std::string_view paths[] = {"lambda"};
  static constexpr MethodTraits traits{.task = Task::regression, .resumable = true, .keeps_state = true, .paths = paths, .finds_kernel_parameters = true, .expands = false};
  static void params(auto&&) {}
  bool finds_kernel_parameters() const { return false; }
  std::string state_fault(const Fitted&) const { return ""; }
  Fitted fit(const Training& training) const { return Ridge{}.fit(training); }
  std::optional<HeldOut> hold_out(const Validation&) const { return {}; }
  void evaluate(const Fitted&, const Points&, std::span<double>, int, const Progress&) const {}
};
const AnyMethod method = Mine{};
"""
LEAF = """
#include "mercer/leaf.hpp"
using namespace mercer;
struct Mine {
  static constexpr std::string_view name = "mine", formula = "", summary = "";
  static constexpr KernelSearch search[] = {{.kernel = "mine"}};
  static constexpr LeafTraits traits{.statistic = Statistic::dot, .non_negative_only = true, .map = true, .series = true, .spectral = true, .dot_power = true, .prepare = true, .search = search};
  static void params(auto&&) {}
  Properties properties() const { return {}; }
  Symbol operator()(Symbol s) const { return s; }
  std::vector<double> map(std::span<const double> x) const { return {x.begin(), x.end()}; }
  RowAlgebra::Id map(RowAlgebra&, RowAlgebra::Id x) const { return x; }
  Series series(int) const { return {}; }
  Spectral spectral() const { return {}; }
  DotPower dot_power() const { return {}; }
  void prepare() {}
};
const AnyLeaf leaf = Maker<Mine>::leaf();
"""
LOSS = """
#include "losses/loss_of.hpp"
using namespace mercer;
struct Mine {
  static constexpr std::string_view name = "mine", formula = "", summary = "";
  static constexpr LossTraits traits{.target = LossTarget::real, .smooth = true, .dual = true, .parameters = true};
  double scale = 1;
  static void params(auto&& param) { param("scale", &Mine::scale, positive, "scale"); }
  double value(double, double) const { return 0; }
  double derivative(double, double) const { return 0; }
  double second(double, double) const { return 0; }
  double conjugate(double, double) const { return 0; }
  std::vector<DualPiece> dual(double) const { return {}; }
};
const AnyLoss loss(std::make_unique<LossOf<Mine>>(Mine{}));
"""
MEMBERS = {METHOD: ("traits", "resumable", "expands", "finds_kernel_parameters", "hold_out", "state_fault", "evaluate"),
           LEAF: ("traits", "non_negative_only", "map", "series", "spectral", "dot_power", "prepare", "search"),
           LOSS: ("traits", "smooth", "params", "second", "conjugate", "dual")}


def compiles(compiler, generated, source):
    command = [compiler, "-std=c++20", "-fsyntax-only", f"-I{ROOT}/include", f"-I{ROOT}/src", f"-I{generated}", "-x", "c++", "-"]
    return subprocess.run(command, input=source, capture_output=True, text=True).returncode == 0


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--compiler", default="g++")
    options.add_argument("--generated", required=True, help="folder of the generated headers")
    given = options.parse_args()
    wrong = []
    for right, members in MEMBERS.items():
        if not compiles(given.compiler, given.generated, right):
            sys.exit(f"does not compile, though nothing is misspelt:\n{right}")
        for member in members:
            # The declaration: of a function with its brace or parenthesis, of a trait with its dot.
            misspelt, count = re.subn(rf"(?<![.\w]){member}(?=[({{])|\.{member}(?= = )(?!.*\b{member}\()", lambda found: found[0] + "s", right, flags=re.S)
            if count == 0 or compiles(given.compiler, given.generated, misspelt):
                wrong.append(member)
    if wrong:
        sys.exit(f"these compile though misspelt: {', '.join(wrong)}")
    print(f"{sum(map(len, MEMBERS.values()))} misspelt members do not compile")


if __name__ == "__main__":
    main()
