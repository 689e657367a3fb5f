// The inside of a kernel expression: a tree of immutable nodes. Each node says how it prints, what is known
// of it, how `scale` becomes a number, and how k(x, z) is computed from what a Tracer can tell about x and z.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "mercer/formula.hpp"
#include "mercer/kernel.hpp"
#include "mercer/kernel_parameters.hpp"
#include "mercer/leaf.hpp"
#include "mercer/row_algebra.hpp"
#include "mercer/user_kernel.hpp"

namespace mercer {

/// How a map or function of rows of numbers is written down; `like`: rows such as it takes. Empty where it
/// cannot be: a function of a program, or of objects.
using WrittenMap = std::function<RowAlgebra::Id(RowAlgebra& algebra, RowAlgebra::Id x, const Points& like)>;

/// φ: all points at once, so that a map may keep sparse points sparse. Equal keys mean equal maps.
struct PointMap {
  std::string key;
  /// `reference`: the image of the reference points, for maps whose columns are found in them
  /// (Points::vocabulary()); null: `points` are those. Columns that it does not have come behind its own.
  std::function<Points(const Points& points, const Points* reference, int threads)> apply;
  bool looks_at_all = false;  ///< the image of a point depends on all of the reference points
  WrittenMap written = {};
};

/// The members of objects: rows of `points`, those of object i being [starts[i], starts[i + 1]).
struct Members {
  Points points;
  std::vector<std::size_t> starts;
};
struct MemberMap {
  std::string key;
  std::function<Members(const Points&)> apply;
};

/// f(x), one number per point.
struct PointFunction {
  std::string key;
  std::function<std::vector<double>(const Points&)> apply;
  WrittenMap written = {};
};

/// A number of x and the same number of z.
struct SymbolPair {
  Symbol x, z;
};

/// What a kernel may ask about the two points that it compares; the Gram operator answers.
class Tracer {
 public:
  virtual ~Tracer() = default;
  virtual Symbol statistic(const Leaf& leaf) = 0;
  virtual SymbolPair self_statistic(const Leaf& leaf) = 0;  ///< s(x, x) and s(z, z)
  /// `check_reference`, where given, is called with the reference points: the function reads x as a row to
  /// compare and z as one of them, and k(x, x) is known for them alone.
  virtual Symbol tile(const std::string& key, const TileFunction& function,
                      const std::function<void(const Points&)>& check_reference = {}) = 0;
  /// Of a tile without check_reference.
  virtual SymbolPair self_tile(const std::string& key, const TileFunction& function) = 0;
  /// Σₐ Σ_b k(a, b) over the members a of x and b of z, and the same of x and of z with themselves.
  virtual Symbol member_sum(const MemberMap& members, const Kernel& k) = 0;
  virtual SymbolPair self_member_sum(const MemberMap& members, const Kernel& k) = 0;
  virtual SymbolPair value(const PointFunction& function) = 0;  ///< f(x) and f(z)
  virtual SymbolPair diagonal(const Kernel& k) = 0;             ///< k(x, x) and k(z, z)
  struct Means {
    SymbolPair of;  ///< mean over the reference points r of k(x, r), and of k(z, r)
    Symbol all;     ///< mean over both
  };
  virtual Means means(const Kernel& k) = 0;
  /// Runs `inside` with both points replaced by their images under the map.
  virtual Symbol mapped(const PointMap& map, const std::function<Symbol()>& inside) = 0;
};

/// What a kernel may use to write down φ with φ(x)ᵀφ(z) = k(x, z); features are named by number.
class FeatureAlgebra {
 public:
  using Id = int;
  virtual ~FeatureAlgebra() = default;
  virtual int terms() const = 0;  ///< how many terms of an infinite series are kept
  virtual Id coordinates() = 0;   ///< φ(x) = x
  virtual Id series(Id inner, const Series& series) = 0;
  virtual Id join(std::span<const Id> parts) = 0;  ///< side by side: the sum of their kernels
  virtual Id tensor(Id a, Id b) = 0;               ///< all products: the product of their kernels
  virtual Id weigh(Id inner, const PointFunction& function) = 0;
  virtual Id normalize(Id inner) = 0;
  virtual Id mapped(const PointMap& map, const std::function<Id()>& inside) = 0;
};

/// A part of a translation-invariant kernel, weight·E cos(ωᵀ(x − z)) with ω = Σ Dω of the factors: the
/// frequencies of a product are sums, and those of k(Dx, Dz) are Dω. Without factors it is constant.
struct SpectralTerm {
  struct Factor {
    Spectral spectral;
    std::vector<double> by;  ///< D, one number for each column; empty: the identity
  };
  double weight = 1;
  std::vector<Factor> factors = {};
};

/// How tightly an expression binds when it is printed.
enum class Binding { sum, product, power, atom };

/// How a node depends on one of its parts while the others stay: it is linear in it, it adds the others to
/// it, or neither.
enum class Dependence { other, linear, added };

class Node {
 public:
  virtual ~Node() = default;
  virtual std::string text() const = 0;
  virtual Binding binding() const { return Binding::atom; }
  virtual Properties properties() const = 0;
  virtual Proof prove() const = 0;
  virtual Symbol trace(Tracer& tracer) const = 0;
  /// An explicit feature map; Error{usage} where there is no finite one.
  virtual FeatureAlgebra::Id features(FeatureAlgebra& algebra) const;
  /// The kernel as a sum of such terms; Error{usage} where the frequencies of a part are not known.
  virtual std::vector<SpectralTerm> spectrum() const;
  virtual std::optional<DotPower> dot_power() const { return std::nullopt; }  ///< the node as one such power
  virtual std::vector<Kernel> parts() const = 0;
  virtual Dependence dependence() const { return Dependence::other; }
  virtual bool open() const { return false; }  ///< whether the node itself has something left to find
  /// The node with that found; Error{usage} where a fit alone can find it.
  virtual Kernel closed(const Points& points) const;
  /// The same node over other parts (as many as parts() gave; sums take any number).
  virtual Kernel with_parts(std::vector<Kernel> parts) const = 0;
  /// The points that the parts see: the node's own, unless it maps them.
  virtual Points points_inside(const Points& points) const { return points; }
  /// Its values depend on the mean of all points that are compared.
  virtual bool centred() const { return false; }
  virtual const Leaf* leaf() const { return nullptr; }
  virtual const Leaf* lender() const { return nullptr; }  ///< whose features of objects the parts see
  /// The objects that the node itself compares, whichever way: none where its parts alone look at the points.
  virtual std::vector<Domain> domains() const { return {}; }
  /// The function of a program that the node itself calls.
  virtual const UserFunction* function() const { return nullptr; }
  /// The columns alone that its part sees; none: all.
  virtual std::vector<std::string> columns() const { return {}; }
  /// The node's own numbers that may be changed, without those of its parts; names may occur more than once.
  virtual std::vector<KernelParameter> numbers() const { return {}; }
  virtual bool numbers_lead() const { return false; }  ///< whether they are printed in front of the parts
  /// The same node with other numbers (as many as numbers() gave, each in its interval).
  virtual Kernel with_numbers(std::span<const double>) const { return with_parts(parts()); }
};

/// A node that a rule makes of parts. `Self` is its class, which says in `proved` why valid parts make a
/// valid kernel.
template <class Self>
class RuleNode : public Node {
 public:
  explicit RuleNode(std::vector<Kernel> parts) : parts_(std::move(parts)) {}
  Proof prove() const override {
    for (const Kernel& part : parts_)
      if (Proof proof = part.prove(); !proof.psd) return proof;
    return {true, Self::proved};
  }
  std::vector<Kernel> parts() const override { return parts_; }
  Kernel with_parts(std::vector<Kernel> parts) const override {
    auto node = std::make_shared<Self>(static_cast<const Self&>(*this));
    node->parts_ = std::move(parts);
    return Kernel(node);
  }

 protected:
  const Kernel& k() const noexcept { return parts_.front(); }  // of rules for one kernel
  /// What is true of all parts; add(all, one) does the rest. Each part is asked once, as expressions are
  /// deep.
  Properties combined(Properties all, auto&& add) const {
    all.psd = all.translation_invariant = all.radial = true;
    for (const Kernel& part : parts_) {
      const Properties p = part.properties();
      all.psd &= p.psd;
      all.translation_invariant &= p.translation_invariant;
      all.radial &= p.radial;
      add(all, p);
    }
    return all;
  }

  std::vector<Kernel> parts_;
};

/// The terms of c(k₁ + k₂) + k₃: c·k₁, c·k₂ and k₃. One where the kernel is no sum.
std::vector<Kernel> terms_of(const Kernel& kernel);

/// Whether `holds` is true of a leaf anywhere in the expression.
bool any_leaf(const Kernel& kernel, const std::function<bool(const Leaf&)>& holds);

/// The map of a leaf that compares images of points: rows through its own map(), or objects through their
/// features.
PointMap leaf_map(const AnyLeaf& leaf, const std::string& key);

/// first + more[0] + more[1] + …, as operator+ adds them but in linear time.
Kernel add(const Kernel& first, std::vector<Kernel> more);

/// A map and a weight that the program gives; equal functions have equal keys.
PointMap map_by(const UserFunction& function);
std::vector<Domain> domains_of(
    const UserFunction& function);  ///< of the objects that it takes; none: numbers
PointFunction weight_by(const UserFunction& function);

/// The elements as to_text makes words of them, with commas between.
std::string list_text(const auto& elements, auto&& to_text) {
  std::string list;
  for (const auto& element : elements) (list += list.empty() ? "" : ", ") += std::invoke(to_text, element);
  return list;
}

/// The text of k as a part of something that binds as tightly as `outer`.
std::string text_within(const Kernel& k, Binding outer);

/// The parameter lists of leaves and combinators, written as they are parsed.
std::string to_text(double number);
std::string to_text(const Argument& argument);

}  // namespace mercer
