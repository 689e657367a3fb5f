// w₁k₁ + w₂k₂ + … with weights that a fit finds (rules A1 and A2): as `scale`, the node stands for numbers
// that are not known yet.
#include "kernels/mkl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "kernels/catalogue.hpp"
#include "kernels/node.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

constexpr std::size_t most_terms = 200;

class Mkl final : public RuleNode<Mkl> {
 public:
  static constexpr auto proved = "a sum of valid kernels with weights ≥ 0";
  Mkl(std::vector<Kernel> terms, double norm) : RuleNode(std::move(terms)), norm_(norm) {}
  std::string text() const override {
    return fmt::format("mkl({}{})", list_text(parts_, &Kernel::text),
                       norm_ == 1 ? "" : ", norm=" + to_text(norm_));
  }
  Properties properties() const override {
    return combined({}, [](auto&&...) {});
  }
  Symbol trace(Tracer&) const override {
    throw Error(ErrorCode::invalid_kernel, fmt::format("the weights of {} are not known yet", text()));
  }
  bool open() const override { return true; }
  Kernel with_parts(std::vector<Kernel> parts) const override { return mkl(std::move(parts), norm_); }
  double norm() const { return norm_; }

 private:
  double norm_;
};

const Mkl* as_mkl(const Kernel& kernel) { return dynamic_cast<const Mkl*>(&kernel.node()); }

std::size_t count_mkl(const Kernel& kernel) {
  std::size_t count = as_mkl(kernel) != nullptr;
  for (const Kernel& part : kernel.parts()) count += count_mkl(part);
  return count;
}

}  // namespace

Kernel mkl(std::vector<Kernel> kernels, double norm) {
  if (kernels.empty())
    throw Error(ErrorCode::invalid_kernel, "mkl needs a kernel, as in mkl(rbf(gamma=1), linear)");
  if (kernels.size() > most_terms)
    throw Error(ErrorCode::invalid_kernel, fmt::format("mkl has {} kernels", kernels.size()),
                {.hint = fmt::format("it takes at most {}", most_terms)});
  if (!(norm >= 1) || std::isinf(norm))
    throw Error::of_parameter("", "norm", "must be a number ≥ 1", to_text(norm));
  std::set<std::string> texts;
  for (const Kernel& kernel : kernels) {
    if (count_mkl(kernel) > 0)
      throw Error(ErrorCode::invalid_kernel, "mkl stands inside mkl", {.hint = "put all kernels into one"});
    if (!texts.insert(kernel.text()).second)
      throw Error(ErrorCode::invalid_kernel, fmt::format("mkl has {} twice", kernel.text()),
                  {.hint = "nothing could tell their weights apart"});
  }
  return Kernel(std::make_shared<Mkl>(std::move(kernels), norm));
}

OpenWeights::OpenWeights(const Kernel& mkl, std::vector<Step> path)
    : path_(std::move(path)), terms_(mkl.parts()), norm_(as_mkl(mkl)->norm()) {}

std::optional<OpenWeights> OpenWeights::find(const Kernel& kernel) {
  const std::size_t count = count_mkl(kernel);
  if (count == 0) return std::nullopt;
  if (count > 1)
    throw Error(ErrorCode::invalid_kernel, fmt::format("{} has mkl more than once", kernel.text()),
                {.hint = "put all kernels with weights to learn into one"});
  std::vector<Step> path;
  Kernel at = kernel;
  while (!as_mkl(at)) {
    if (at.node().dependence() == Dependence::other)
      throw Error(
          ErrorCode::invalid_kernel, fmt::format("{} is not linear in the weights to learn", at.text()),
          {.hint = "mkl may stand in sums, products, center, weighted, mapped, scaled and before @, and what "
                   "it stands in here may stand inside it: mkl(normalize(k1), normalize(k2))"});
    const std::vector<Kernel> parts = at.parts();
    const auto inside = std::ranges::find_if(parts, [](const Kernel& part) { return count_mkl(part) > 0; });
    path.push_back({at, std::size_t(inside - parts.begin())});
    at = *inside;
  }
  return OpenWeights(at, std::move(path));
}

Points OpenWeights::points_inside(const Points& points) const {
  Points inside = points;
  for (const Step& step : path_) inside = step.node.node().points_inside(inside);
  return inside;
}

Kernel OpenWeights::with(Kernel k) const {
  for (auto step = path_.rbegin(); step != path_.rend(); ++step) {
    std::vector<Kernel> parts = step->node.parts();
    // One sum, as parse() reads it.
    if (step->node.node().dependence() == Dependence::added && k.node().dependence() == Dependence::added) {
      const std::vector<Kernel> terms = k.parts();
      parts.erase(parts.begin() + std::ptrdiff_t(step->part));
      parts.insert(parts.begin() + std::ptrdiff_t(step->part), terms.begin(), terms.end());
    } else {
      parts[step->part] = std::move(k);
    }
    k = step->node.node().with_parts(std::move(parts));
  }
  return k;
}

Kernel OpenWeights::added_by(Kernel k) const {
  for (auto step = path_.rbegin(); step != path_.rend(); ++step) {
    if (step->node.node().dependence() == Dependence::added) continue;
    std::vector<Kernel> parts = step->node.parts();
    parts[step->part] = std::move(k);
    k = step->node.node().with_parts(std::move(parts));
  }
  return k;
}

extern const Combinator mkl_combinator{
    .name = "mkl",
    .formula = "w₁·k₁ + w₂·k₂ + …, w ≥ 0 learned",
    .summary = "multiple kernel learning: the fit finds the weights from the target",
    .parameters = {{"norm", "norm of the weights: 1 drops kernels that add little, 2 keeps all", "1"}},
    .several = true,
    .build = [](const std::vector<Kernel>& kernels, const Combinator::Arguments& arguments) {
      if (arguments.empty()) return mkl(kernels);
      const double* norm = std::get_if<double>(&arguments.at(0).second);
      if (!norm)
        throw Error::of_parameter("", "norm", "must be a number ≥ 1", to_text(arguments.at(0).second));
      return mkl(kernels, *norm);
    }};

}  // namespace mercer
