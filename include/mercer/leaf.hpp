// What a leaf kernel is: a struct with parameters, a pairwise statistic and a formula over it. The parser,
// the printer, the help, the Gram operator and the tests learn everything else from the struct. See any file
// in mercer/kernels/ for an example, and CONTRIBUTING.md for the ten-minute tour.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "mercer/formula.hpp"
#include "mercer/kernel.hpp"
#include "mercer/kernel_search.hpp"
#include "mercer/polymorphic.hpp"
#include "mercer/row_algebra.hpp"
#include "mercer/word_vectors.hpp"

namespace MERCER_EXPORT mercer {

/// What a leaf's formula is a function of.
enum class Statistic {
  none,              ///< nothing: a constant
  dot,               ///< xᵀz
  squared_distance,  ///< ‖x − z‖²
  coordinate_sum,    ///< Σₖ coordinate(xₖ, zₖ), with the leaf's own coordinate(x, z)
  tile,   ///< what the leaf's own tile(x, rows, z, columns, out) finds, z being the reference points
  pairs,  ///< of objects: what the leaf's own pairs(x, rows, z, columns, out) finds
};

/// Where in an object a feature is: bytes of a text, nodes of a graph, members of a set. It is what
/// explanations colour.
struct Part {
  std::uint32_t begin = 0, end = 0;
};

/// The features of one object: counts or weights under 64-bit keys. A kernel of objects with such features is
/// a formula over them as over any other rows of numbers: Statistic::dot, coordinate_sum, …
class FeatureRow {
 public:
  struct Entry {
    std::uint64_t key;
    double value;
    Part part;
  };

  explicit FeatureRow(bool keep_parts = false) : keep_parts_(keep_parts) {}
  /// Adds to the feature; the same key may come any number of times.
  void add(std::uint64_t key, double value, Part part = {});
  bool keeps_parts() const noexcept { return keep_parts_; }
  /// With the parts: as they came. Otherwise: one entry a key, keys ascending, values that are not 0.
  const std::vector<Entry>& entries();
  void clear() noexcept;

 private:
  void merge();
  std::vector<Entry> entries_;
  std::size_t merged_ = 0;  // entries that are in order, at the front
  bool keep_parts_;
};
/// A key for any bytes, by hashing: two different ones share it with probability 2⁻⁶⁴.
std::uint64_t key_of(std::string_view bytes, std::uint64_t seed = 0) noexcept;
std::uint64_t key_of(std::uint64_t a, std::uint64_t b) noexcept;  ///< of an ordered pair of keys

/// A scale parameter: a number, or a word that resolve() turns into one. Each word stands for a length σ:
/// `scale` has 2σ² = d·var(X), `automatic` ("auto") 2σ² = d, so that a gamma is what scikit-learn's words
/// stand for; `median` is the median distance between points.
struct Scale {
  enum class Kind { number, scale, automatic, median };
  Kind kind = Kind::number;
  double value = 0;
  constexpr Scale(double number) : value(number) {}
  constexpr Scale(Kind word) : kind(word) {}
};
inline constexpr Scale automatic{Scale::Kind::automatic};
inline constexpr Scale median{Scale::Kind::median};

/// How a parameter follows from a length σ, the width of the kernel.
enum class Role { length /* σ */, inverse_length /* 1/σ */, inverse_square /* 1/(2σ²) */ };

/// A symmetric matrix written in the expression, or the .npy file it comes from (read by resolve()).
struct Matrix {
  std::vector<std::vector<double>> rows = {};
  std::string file = {};
};

/// Rows of numbers written in the expression: [[1, 2], [3, 4]], or [1, 3] where each row has one number.
struct Table {
  std::vector<std::vector<double>> rows = {};
};

/// A leaf over dot products as a power series, k = w(x) w(z) Σₜ coefficients[t] (xᵀz)ᵗ with w(x) =
/// exp(−gaussian·‖x‖²). It is what an explicit feature map is made from.
struct Series {
  std::vector<double> coefficients;
  double gaussian = 0;
  bool exact = true;  ///< false: cut off after the terms asked for
};
std::vector<double> exponential_series(double rate, int terms);  ///< of exp(rate·s): rateᵗ/t!, t < terms

/// The distribution of the frequencies ω of a translation-invariant kernel, k(x, z) = E cos(ωᵀ(x − z))
/// (Bochner 1932), as a normal one whose variance is random too: ω = scale·√τ·g, g standard normal. It is
/// what Fourier features are drawn from.
struct Spectral {
  enum class Variance {
    one,           ///< τ = 1: ω is normal
    gamma,         ///< τ = Γ(shape)/shape
    inverse_gamma  ///< τ = shape/Γ(shape): ω is Student's t with 2·shape degrees of freedom (½: Cauchy)
  };
  double scale = 1;
  Variance variance = Variance::one;
  double shape = 1;
  bool independent = false;     ///< each coordinate has a τ of its own; otherwise k is radial
  std::vector<double> at = {};  ///< where it is given: ω is ±at, each with probability ½, and not random else
};

/// A leaf that is one power over dot products, k = weight·(offset + scale·xᵀz)^degree: what a tensor sketch
/// is made from.
struct DotPower {
  int degree = 1;
  double scale = 1, offset = 0, weight = 1;
};

/// What a leaf says of itself, as its static member `traits`. A word that is not here does not compile; nor
/// does a leaf that says it has a function and has none of this name, or has one and does not say so.
struct LeafTraits {
  Statistic statistic;
  std::span<const Domain> domains = {};  ///< the objects it compares; none: rows of numbers
  bool non_negative_only = false;        ///< coordinates below 0 are outside the kernel's domain
  bool of_sets = false;                  ///< texts that it compares are sets of symbols
  bool map = false;                      ///< points go through map() before the statistic
  bool series = false, spectral = false, dot_power = false;  ///< as the functions of Leaf
  bool prepare = false;   ///< checks or computes once the parameters are known
  bool composed = false;  ///< of Statistic::none: composed() is the leaf as an expression of others
  bool weighs_by_rarity = false;
  bool aligned = false;  ///< features are places in an object, so that all objects must have one layout
  bool words = false;    ///< words may be alike: features are spread over the coordinates of word vectors
  std::span<const KernelSearch> search = {};  ///< what automatic selection tries of it
};

/// The values a parameter may take.
struct Interval {
  double low, high;
  bool open;  ///< low itself is excluded
  std::string_view text;
  bool continuous = true;  ///< every number between is one; else some of them
  constexpr bool contains(double value) const noexcept {
    return (open ? value > low : value >= low) && value <= high;
  }
};
inline constexpr Interval positive{0, 1e300, true, "> 0"};
inline constexpr Interval non_negative{0, 1e300, false, "≥ 0"};
inline constexpr Interval any_number{-1e300, 1e300, false, "any number"};
inline constexpr Interval whole{1, 1000, false, "a whole number from 1 to 1000", false};

/// A parameter as it is written: a number, a word (scale, a name), a list or a list of lists.
struct Word {
  std::string text;
};
using Argument = std::variant<double, Word, std::vector<double>, std::vector<std::vector<double>>>;

template <class K>
concept LeafKernel = requires(const K k) {
  { K::name } -> std::convertible_to<std::string_view>;
  { K::formula } -> std::convertible_to<std::string_view>;
  { K::summary } -> std::convertible_to<std::string_view>;
  { K::traits } -> std::convertible_to<LeafTraits>;
  { k.properties() } -> std::convertible_to<Properties>;
};

/// A leaf with its type erased.
class Leaf {
 public:
  struct Parameter {
    std::string_view name, meaning;
    std::function<std::optional<Argument>(const Leaf& leaf)> get;   ///< empty: an alternative not given
    std::function<void(Leaf& leaf, const Argument& argument)> set;  ///< throws Error{usage}
    Interval interval = any_number;
    std::optional<Role> role = {};  ///< of widths: how it follows from a length
    bool alternative = false;       ///< one of several ways to say the same; at most one is given
    bool integer = false, word = false;
    std::vector<std::string_view> choices = {};  ///< of words: those it may be; any, where there are none
    std::function<bool(const Leaf& leaf)> open = {};  ///< a word such as scale, or a file not read yet
    std::function<void(Leaf& leaf)> load = {};        ///< of a file: reads it; throws Error{data}
  };

  virtual ~Leaf() = default;
  virtual std::unique_ptr<Leaf> clone() const = 0;
  virtual std::string_view name() const = 0;
  virtual std::string_view formula() const = 0;
  virtual std::string_view summary() const = 0;
  virtual std::span<const Parameter> parameters() const = 0;
  virtual Properties properties() const = 0;
  virtual const LeafTraits& traits() const = 0;
  /// k from its statistic s = s(x, z), xx = s(x, x) and zz = s(z, z).
  virtual Symbol trace(Symbol s, Symbol xx, Symbol zz) const = 0;
  virtual bool uses_self() const = 0;  ///< whether trace() looks at xx and zz
  virtual Symbol coordinate(Symbol x, Symbol z) const = 0;
  /// As a TileFunction; z are reference points, for which check_reference() found no Error{data}.
  virtual void tile(const Points& x, Range rows, const Points& z, Range columns, double* out) const = 0;
  virtual void check_reference(const Points& points) const = 0;
  /// The features of object i, where the leaf compares objects and its statistic is over their features.
  /// Called from several threads.
  virtual void features(const Objects& x, std::size_t i, FeatureRow& out) const = 0;
  /// Whether each feature is to be weighed by how rare it is among the reference points, ln((1 + n)/(1 + df))
  /// + 1 (inverse document frequency, Spärck Jones 1972).
  virtual bool weighs_by_rarity() const = 0;
  /// Of traits().aligned: what is the same for all objects, as a message names it. Throws Error{data} where
  /// it is not.
  virtual std::string layout(const Objects& x) const = 0;
  /// Of traits().words: the vectors over whose coordinates the features are spread after they are weighed.
  /// Keys that have none keep a column of their own. Null: no spreading.
  virtual SharedWords words() const = 0;
  /// out[(i − rows.begin) · columns.size() + j − columns.begin] = s(xᵢ, zⱼ) of a leaf of Statistic::pairs.
  /// Called from several threads.
  virtual void pairs(const Objects& x, Range rows, const Objects& z, Range columns, double* out) const = 0;
  virtual std::vector<double> map(std::span<const double> x) const = 0;
  virtual RowAlgebra::Id map(RowAlgebra& algebra, RowAlgebra::Id x) const = 0;  ///< the same, written down
  virtual std::optional<Series> series(int terms) const = 0;  ///< none where the leaf has no such form
  virtual std::optional<Spectral> spectral() const = 0;       ///< none where it is not known
  virtual std::optional<DotPower> dot_power() const = 0;      ///< none where the leaf is no such power
  virtual std::optional<Kernel> composed() const = 0;         ///< as an expression of others, or none
  /// The name that a parameter has now: expressions with its older name can still be read.
  virtual std::string_view renamed(std::string_view parameter) const = 0;
  virtual void prepare() = 0;  ///< called once the parameters are final
};

using AnyLeaf = Polymorphic<Leaf>;

/// Checks the parameters, throwing Error{usage} for the first that is wrong, and makes the expression.
Kernel make_kernel(AnyLeaf leaf);

namespace detail {

// Between a parameter's member and how it is written.
std::optional<Argument> written(double value);
std::optional<Argument> written(int value);
std::optional<Argument> written(const std::optional<Scale>& value);
std::optional<Argument> written(const Matrix& value);
std::optional<Argument> written(const Table& value);
std::optional<Argument> written(const std::vector<double>& value);
std::optional<Argument> written(const std::string& value);
std::optional<Argument> written(const std::optional<std::string>& value);
std::optional<Argument> written(const WordSimilarity& value);
void assign(double& value, const Argument& argument);
void assign(int& value, const Argument& argument);
void assign(std::optional<Scale>& value, const Argument& argument);
void assign(Matrix& value, const Argument& argument);
void assign(Table& value, const Argument& argument);
void assign(std::vector<double>& value, const Argument& argument);
void assign(std::string& value, const Argument& argument);
void assign(std::optional<std::string>& value, const Argument& argument);
void assign(WordSimilarity& value, const Argument& argument);

// What resolve() must find: a number for a word such as scale, or what a file holds.
template <class T>
bool is_open(const T&) {
  return false;
}
inline bool is_open(const std::optional<Scale>& value) { return value && value->kind != Scale::Kind::number; }
inline bool is_open(const Matrix& value) { return value.rows.empty(); }
inline bool is_open(const WordSimilarity& value) { return !value.name.empty() && !value.vectors; }
template <class T>
void load(T&) {}
void load(Matrix& value);
void load(WordSimilarity& value);

template <LeafKernel K>
class LeafOf final : public Leaf {
 public:
  explicit LeafOf(K kernel) : kernel_(std::move(kernel)) {}
  std::unique_ptr<Leaf> clone() const override { return std::make_unique<LeafOf>(kernel_); }
  std::string_view name() const override { return K::name; }
  std::string_view formula() const override { return K::formula; }
  std::string_view summary() const override { return K::summary; }
  std::span<const Parameter> parameters() const override {
    static const std::vector<Parameter> all = [] {
      Collector collector;
      K::params(collector);
      return collector.list;
    }();
    return all;
  }
  Properties properties() const override { return kernel_.properties(); }
  const LeafTraits& traits() const override { return K::traits; }
  bool uses_self() const override { return three_arguments; }
  Symbol trace(Symbol s, Symbol xx, Symbol zz) const override {
    if constexpr (K::traits.composed)
      return 0;  // not asked for: the expression that it is written as is traced
    else if constexpr (three_arguments)
      return kernel_(s, xx, zz);
    else
      return kernel_(s);
  }
  Symbol coordinate(Symbol x, Symbol z) const override {
    if constexpr (K::traits.statistic == Statistic::coordinate_sum) return kernel_.coordinate(x, z);
    return x * z;
  }
  void tile(const Points& x, Range rows, const Points& z, Range columns, double* out) const override {
    if constexpr (K::traits.statistic == Statistic::tile) kernel_.tile(x, rows, z, columns, out);
  }
  void check_reference(const Points& points) const override {
    if constexpr (K::traits.statistic == Statistic::tile) kernel_.check_reference(points);
  }
  void features(const Objects& x, std::size_t i, FeatureRow& out) const override {
    if constexpr (has_features) kernel_.features(x, i, out);
  }
  bool weighs_by_rarity() const override {
    if constexpr (K::traits.weighs_by_rarity) return kernel_.weighs_by_rarity();
    return false;
  }
  std::string layout(const Objects& x) const override {
    if constexpr (K::traits.aligned) return kernel_.layout(x);
    return {};
  }
  SharedWords words() const override {
    if constexpr (K::traits.words) return kernel_.words();
    return {};
  }
  void pairs(const Objects& x, Range rows, const Objects& z, Range columns, double* out) const override {
    if constexpr (K::traits.statistic == Statistic::pairs) kernel_.pairs(x, rows, z, columns, out);
  }
  std::vector<double> map(std::span<const double> x) const override {
    if constexpr (K::traits.map) return kernel_.map(x);
    return {x.begin(), x.end()};
  }
  RowAlgebra::Id map(RowAlgebra& algebra, RowAlgebra::Id x) const override {
    if constexpr (K::traits.map) return kernel_.map(algebra, x);
    return x;
  }
  std::optional<Series> series(int terms) const override {
    if constexpr (K::traits.series) return kernel_.series(terms);
    return std::nullopt;
  }
  std::optional<Spectral> spectral() const override {
    if constexpr (K::traits.spectral) return kernel_.spectral();
    return std::nullopt;
  }
  std::optional<DotPower> dot_power() const override {
    if constexpr (K::traits.dot_power) return kernel_.dot_power();
    return std::nullopt;
  }
  std::optional<Kernel> composed() const override {
    if constexpr (K::traits.composed) return kernel_.composed();
    return std::nullopt;
  }
  std::string_view renamed(std::string_view parameter) const override {
    if constexpr (requires { K::renamed(parameter); }) return K::renamed(parameter);
    return parameter;
  }
  void prepare() override {
    if constexpr (K::traits.prepare) kernel_.prepare();
  }

 private:
  static constexpr bool three_arguments = requires(const K k, Symbol s) { k(s, s, s); };
  static constexpr bool has_features = requires(const K k, const Objects& x, FeatureRow& out) {
    k.features(x, 0, out);
  };
  static_assert(
      !requires { K::search; } || !K::traits.search.empty(), "search goes with .search in the traits");
  static_assert(has_features == (!K::traits.domains.empty() && K::traits.statistic != Statistic::pairs),
                "features() goes with .domains in the traits, unless the statistic is of pairs");
  static_assert(
      requires(const K k, std::span<const double> x) { k.map(x); } == K::traits.map,
      "map() goes with .map = true in the traits");
  static_assert(
      requires(const K k, RowAlgebra& algebra) { k.map(algebra, RowAlgebra::Id()); } == K::traits.map,
      "map() is also written down, in a RowAlgebra");
  static_assert(
      requires(const K k) { k.series(0); } == K::traits.series,
      "series() goes with .series = true in the traits");
  static_assert(
      requires(const K k) { k.spectral(); } == K::traits.spectral,
      "spectral() goes with .spectral = true in the traits");
  static_assert(
      requires(const K k) { k.dot_power(); } == K::traits.dot_power,
      "dot_power() goes with .dot_power = true in the traits");
  static_assert(
      requires(const K k) { k.composed(); } == K::traits.composed,
      "composed() goes with .composed = true in the traits");
  static_assert(
      requires(K k) { k.prepare(); } == K::traits.prepare,
      "prepare() goes with .prepare = true in the traits");
  static_assert(
      requires(const K k) { k.weighs_by_rarity(); } == K::traits.weighs_by_rarity,
      "weighs_by_rarity() goes with .weighs_by_rarity = true in the traits");
  static_assert(
      requires(const K k, const Objects& x) { k.layout(x); } == K::traits.aligned,
      "layout() goes with .aligned = true in the traits");
  static_assert(
      requires(const K k) { k.words(); } == K::traits.words, "words() goes with .words = true in the traits");

  struct Collector {
    std::vector<Parameter> list = {};
    Parameter& add(std::string_view name, auto K::*member, std::string_view meaning) {
      const auto get = [member](const Leaf& leaf) {
        return written(static_cast<const LeafOf&>(leaf).kernel_.*member);
      };
      const auto set = [member](Leaf& leaf, const Argument& argument) {
        assign(static_cast<LeafOf&>(leaf).kernel_.*member, argument);
      };
      Parameter& added = list.emplace_back(Parameter{name, meaning, get, set});
      added.open = [member](const Leaf& leaf) {
        return is_open(static_cast<const LeafOf&>(leaf).kernel_.*member);
      };
      added.load = [member](Leaf& leaf) { detail::load(static_cast<LeafOf&>(leaf).kernel_.*member); };
      return added;
    }
    template <class T>
    void operator()(std::string_view name, T K::*member, const Interval& interval, std::string_view meaning,
                    std::optional<Role> role = {}) {
      Parameter& added = add(name, member, meaning);
      added.interval = interval;
      added.alternative = std::same_as<T, std::optional<Scale>>;
      added.role = added.alternative && !role ? Role::length : role;
      added.integer = std::same_as<T, int>;
    }
    /// A word; of `choices` where there are any. One that may be left out is the first of them then.
    void operator()(std::string_view name, std::string K::*member, std::vector<std::string_view> choices,
                    std::string_view meaning) {
      take_choices(add(name, member, meaning), std::move(choices));
    }
    void operator()(std::string_view name, std::optional<std::string> K::*member,
                    std::vector<std::string_view> choices, std::string_view meaning) {
      take_choices(add(name, member, meaning), std::move(choices));
    }
    static void take_choices(Parameter& added, std::vector<std::string_view> choices) {
      added.word = true;
      added.choices = std::move(choices);
    }
  };

  K kernel_;
};

}  // namespace detail

/// Makes a kernel function of a struct: `inline constexpr Maker<Rbf> rbf;` then rbf({.gamma = 0.1}).
template <LeafKernel K>
struct Maker {
  Kernel operator()(K parameters = {}) const { return make_kernel(leaf(std::move(parameters))); }
  static AnyLeaf leaf(K parameters = {}) {
    return AnyLeaf(std::make_unique<detail::LeafOf<K>>(std::move(parameters)));
  }
};

}  // namespace mercer
