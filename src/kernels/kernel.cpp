// The value type around the tree, and what holds for every node.
#include "mercer/kernel.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/arithmetic.hpp"
#include "kernels/node.hpp"
#include "kernels/scale.hpp"
#include "mercer/error.hpp"

namespace mercer {

Kernel::Kernel(std::shared_ptr<const Node> node) : node_(std::move(node)) {}
std::string Kernel::text() const { return node_->text(); }
Properties Kernel::properties() const { return node_->properties(); }
Proof Kernel::prove() const { return node_->prove(); }
bool Kernel::precomputed() const {
  const Leaf* leaf = node_->leaf();
  return leaf && leaf->name() == "precomputed";
}
bool Kernel::uses_precomputed() const {
  return precomputed() || std::ranges::any_of(parts(), &Kernel::uses_precomputed);
}
bool operator==(const Kernel& a, const Kernel& b) {
  return &a.node() == &b.node() || (a.text() == b.text() && user_functions(a) == user_functions(b));
}
std::vector<Kernel> Kernel::parts() const { return node_->parts(); }

bool Kernel::resolved() const {
  if (const Leaf* leaf = node_->leaf()) return !has_words(*leaf);
  return !node_->open() && std::ranges::all_of(parts(), &Kernel::resolved);
}

Kernel Kernel::resolve(const Points& points) const {
  if (resolved() && word_vectors_in(*this).empty()) return *this;
  if (const Leaf* leaf = node_->leaf()) return resolve_scales(*leaf, points);
  if (node_->open()) return node_->closed(points).resolve(points);
  const Points inside = node_->points_inside(points);
  std::vector<Kernel> replaced;
  for (const Kernel& part : parts()) replaced.push_back(part.resolve(inside));
  return node_->with_parts(std::move(replaced));
}

Kernel Node::closed(const Points&) const {
  throw Error(
      ErrorCode::invalid_kernel,
      fmt::format("the weights of {} are learned from a target by a method that has one (mercer fit)",
                  text()),
      {.hint = "elsewhere write a sum with weights of your own, such as 0.5*rbf(gamma=1) + 2*linear"});
}

FeatureAlgebra::Id Node::features(FeatureAlgebra&) const {
  throw Error(ErrorCode::invalid_kernel, fmt::format("{} has no finite explicit feature map", text()),
              {.hint = "linear, poly, quadratic_form, constant and what the rules make of them have one, and "
                       "rbf, exponential and periodic a truncated one"});
}

std::vector<SpectralTerm> Node::spectrum() const {
  throw Error(
      ErrorCode::invalid_kernel,
      fmt::format(
          "{} has no Fourier features: they are known for rbf, laplace, matern, "
          "rational_quadratic, manhattan, spectral_mixture and constant, and for sums, products, powers, "
          "positive multiples and scaled(k, by=…) of them",
          text()),
      {.hint = "nystrom takes any kernel"});
}

bool any_leaf(const Kernel& kernel, const std::function<bool(const Leaf&)>& holds) {
  if (const Leaf* leaf = kernel.node().leaf()) return holds(*leaf);
  return std::ranges::any_of(kernel.parts(), [&](const Kernel& part) { return any_leaf(part, holds); });
}

std::string text_within(const Kernel& k, Binding outer) {
  return k.node().binding() < outer ? "(" + k.text() + ")" : k.text();
}

std::string to_text(double number) { return shortest_digits(number); }

namespace {

std::string in_brackets(const auto& elements) {
  return "[" + list_text(elements, [](const auto& element) { return to_text(Argument(element)); }) + "]";
}

}  // namespace

std::string to_text(const Argument& argument) {
  if (const auto* number = std::get_if<double>(&argument)) return to_text(*number);
  if (const auto* word = std::get_if<Word>(&argument)) return word_text(word->text);
  if (const auto* list = std::get_if<std::vector<double>>(&argument)) return in_brackets(*list);
  return in_brackets(std::get<std::vector<std::vector<double>>>(argument));
}

}  // namespace mercer
