// A kernel k(x, z) is an expression: a leaf such as rbf(gamma=0.1), or kernels combined by the rules that
// keep validity. Kernels are immutable values; the algebra reads like mathematics:
//   auto k = 0.5 * rbf({.gamma = 0.1}) + poly({.degree = 2}) * linear();
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mercer/points.hpp"

namespace MERCER_EXPORT mercer {

/// What is known of a kernel without looking at data.
struct Properties {
  bool psd = false;  ///< positive semidefinite, proved by the rules
  /// m ≥ 1: not proved positive semidefinite, but conditionally, of order m: ΣΣ cᵢcⱼ k(xᵢ, xⱼ) ≥ 0 for all c
  /// with Σ cᵢ p(xᵢ) = 0 for every polynomial p of degree below m (of order 1: Σ cᵢ = 0). 0: nothing is
  /// known.
  int conditional_order = 0;
  bool translation_invariant = false;
  bool radial = false;                                     ///< a function of ‖x − z‖ alone
  double bound = std::numeric_limits<double>::infinity();  ///< |k(x, z)| never exceeds it
  std::optional<double> diagonal = {};                     ///< k(x, x), where it is the same for every x
};

/// Why a kernel is positive semidefinite, or which part of it no rule covers.
struct Proof {
  bool psd = false;
  std::string because;
};

class MERCER_HIDDEN Node;
class UserFunction;

class Kernel {
 public:
  /// Reads an expression. Throws Error{usage} whose message shows the fault with a caret and a suggestion.
  static Kernel parse(std::string_view text);
  /// The same where it may name functions of a program, user:name (user_kernel.hpp).
  static Kernel parse(std::string_view text, std::span<const UserFunction> functions);
  explicit Kernel(std::shared_ptr<const Node> node);

  /// The expression in full; parse(text()) gives the same kernel with the same numbers, bit for bit.
  std::string text() const;
  Properties properties() const;
  Proof prove() const;
  /// The kernel with `scale`, `auto` and `median` replaced by numbers computed from the points. Throws
  /// Error{usage} for mkl(…), whose weights only a fit can find.
  Kernel resolve(const Points& points) const;
  bool resolved() const;
  std::vector<Kernel> parts() const;  ///< the kernels it is made of, outermost level only
  bool precomputed() const;  ///< its values are given as a matrix, and rows are known by their numbers there
  bool uses_precomputed() const;  ///< that is true of a part of it

  const Node& node() const noexcept { return *node_; }

 private:
  std::shared_ptr<const Node> node_;
};

/// The same expression with the same numbers and functions.
bool operator==(const Kernel& a, const Kernel& b);

// --- The rules (A1–A9).
Kernel operator*(double c, const Kernel& k);
Kernel operator*(const Kernel& k, double c);
Kernel operator+(const Kernel& a, const Kernel& b);
Kernel operator-(const Kernel& a, const Kernel& b);  ///< not proved positive semidefinite
Kernel operator*(const Kernel& a, const Kernel& b);
Kernel pow(const Kernel& k, int exponent);
Kernel polynomial(const Kernel& k, std::vector<double> coefficients);  ///< c₀ + c₁k + c₂k² + …
Kernel exp(const Kernel& k);
Kernel normalize(const Kernel& k);  ///< k(x,z) / √(k(x,x) k(z,z)), 0 where that is 0/0
/// k with the mean of the reference points (the training rows) moved to the origin of the feature space.
/// Makes a kernel that is conditionally positive semidefinite of order 1 positive semidefinite.
Kernel center(const Kernel& k);

/// f(x) k(x, z) f(z). By name: norm, inverse_norm, exp_norm, or a column; or a formula over columns, such as
/// "exp(-age/10)". user_kernel.hpp takes any function.
Kernel weighted(const Kernel& k, const std::string& by);
/// k(φ(x), φ(z)). By name: squares, powers, append_norm, unit; or formulas over columns, such as "[x1, x2,
/// x1^2 + x2^2]". user_kernel.hpp takes any function.
Kernel mapped(const Kernel& k, const std::string& by);
/// k on the named columns alone ("3" is the third).
Kernel on_columns(const Kernel& k, std::vector<std::string> columns);

/// k(Dx, Dz), D = diag(by): one weight for each column, 0 leaves the column out (automatic relevance
/// determination).
Kernel scaled(const Kernel& k, std::vector<double> by);

/// w₁k₁ + w₂k₂ + … with weights ≥ 0 that a fit learns from its target (multiple-kernel learning). `norm` ≥ 1:
/// of the weights of the kernels brought to one scale; 1 leaves out kernels that add little, 2 and above keep
/// all.
Kernel mkl(std::vector<Kernel> kernels, double norm = 1);

struct Range {
  std::size_t begin = 0, end = 0;
  std::size_t size() const noexcept { return end - begin; }
};

}  // namespace mercer
