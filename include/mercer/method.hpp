// What a method is: a struct with parameters and fit(). The command line, the model file and the tests learn
// the rest from the struct. A new method is a header in mercer/methods/, its source in src/methods/ and a
// word in the catalogue there.
#pragma once

#include <array>
#include <concepts>
#include <optional>
#include <string_view>

#include "mercer/fit.hpp"
#include "mercer/leaf.hpp"
#include "mercer/polymorphic.hpp"

namespace MERCER_EXPORT mercer {

/// What the values that are tried for a hyperparameter are multiples of: k(x, x) on average, the standard
/// deviation of the target, and what follows from them.
enum class SearchUnit { one, diagonal, inverse_diagonal, spread, spread_over_diagonal };

/// What automatic selection tries for a hyperparameter: base^low … base^high by steps of the exponent, or
/// `values`; in multiples of the unit.
struct SearchRange {
  std::string_view parameter;
  SearchUnit unit = SearchUnit::one;
  double base = 10, low = 0, high = 0, step = 0.5;
  /// Added to the exponents of a kernel that grows with x (linear, poly): a large part of f costs little
  /// there.
  double shift_of_growing = 0;
  double low_of_few_rows = low;  ///< few rows without noise tell little of how noisy more would be
  std::span<const double> values = {};
  /// Parameters that say the same in another way: where one of them is given, this one is not searched.
  std::span<const std::string_view> unless = {};
};

/// How the work of evaluating candidates grows with the rows. The time that a unit of it takes is measured.
enum class SearchCost {
  fits,          ///< a fit for each candidate and fold
  path,          ///< all folds and values of a path over one held K
  factorisation  ///< all values from one factorisation, of a part of the rows where there are many
};

/// What a method's solver does with K, or with features in its place; what either costs follows from it.
enum class SolverWork {
  systems,       ///< systems over all of K, or over ΦᵀΦ
  working_sets,  ///< a few columns of K at a time; the model is over the support vectors
  visits         ///< row after row: a column of K where it changes f, or always a row of Φ
};

/// The penalty of a regularised risk.
inline constexpr SearchRange lambda_search[] = {{"lambda", SearchUnit::diagonal, 10, -7, 0}};

/// When a method takes kernels that are positive semidefinite only conditionally, of order 1 unless said
/// otherwise.
enum class Conditional {
  never,
  always,
  with_bias,              ///< with bias=free: its optimality condition is Σ α = 0
  with_trend,             ///< as with_bias; of order 2, too, with a linear trend beside f
  with_constant_diagonal  ///< where k(x, x) is the same for all x: Σ α is fixed, and the origin shows in k(x,
                          ///< x)
};

/// What a method says of itself, as its static member `traits`. A word that is not here does not compile.
struct MethodTraits {
  Task task;
  bool multi_output = false;     ///< of real targets: whether a row may have several numbers
  bool missing_outputs = false;  ///< some of these numbers may be NaN: not observed
  bool needs_psd = true;         ///< only kernels that are positive semidefinite
  /// Where kernels that are so conditionally, of order 1, will do: the coefficients of f sum to 0, so that it
  /// does not matter where the origin of the feature space is.                               Schölkopf 2000
  Conditional conditional = Conditional::never;
  bool resumable = false;  ///< can go on from an earlier model
  /// Learns from one row after the other, in their order: a fit may go on from an earlier model with rows
  /// that are new, and ends where one over all rows would have.
  bool online = false;
  bool keeps_state = false;  ///< has a Fitted::state, and so a function state_fault() that checks it
  bool penalises_norm = false;  ///< minimises a loss plus a penalty on ‖f‖², and so can learn kernel weights
  bool needs_columns = false;  ///< finds a weight for each column: kernels such as linear, or approximations
  double tolerance = 1e-3;     ///< of the certificate, where none is given
  std::span<const std::string_view> solvers = {};  ///< that FitOptions::solver may name beside "auto"
  SolverWork work = SolverWork::systems;
  /// The parameters for which a path of values costs little more than one: then the method has a hold_out().
  std::span<const std::string_view> paths = {};
  bool leaves_out_single_rows = false;       ///< at no more cost than folds
  bool keeps_self = false;                   ///< keeps k(x, x) of its rows (KeptTargets::self)
  std::span<const SearchRange> search = {};  ///< the hyperparameters that automatic selection searches
  SearchCost search_cost = SearchCost::fits;
  bool finds_kernel_parameters =
      false;            ///< a fit may find the kernel's numbers: it has a function of this name
  bool expands = true;  ///< its outputs are the sums of the expansion; else the method has an evaluate()
};

/// What the methods of a regularised risk with a smooth loss share.
inline constexpr std::string_view smooth_risk_solvers[] = {"newton", "gradient", "cholesky",
                                                           "cg",     "primal",   "dual"};
constexpr MethodTraits smooth_risk(Task task,
                                   std::span<const std::string_view> solvers = smooth_risk_solvers) noexcept {
  return {
      .task = task, .penalises_norm = true, .tolerance = 1e-6, .solvers = solvers, .search = lambda_search};
}

struct MethodParameter {
  std::string_view name, meaning;
  /// Of numbers; one of type std::optional<double> may also be Word{"none"}, not given.
  Interval interval = any_number;
  /// Of words. Of a parameter whose type is an enum or bool they follow from it, the default first.
  std::vector<std::string_view> choices = {};
  /// Where other words may stand, too: throws Error{usage} for those that may not.
  void (*check_other)(const std::string& word) = nullptr;
};

/// The words for the values of an enum, in their order. Every enum that is a parameter has a words_of().
template <std::size_t count>
using Words = std::array<std::string_view, count>;

/// Whether f has a constant b beside it.
enum class Bias { free, none };
constexpr Words<2> words_of(Bias) noexcept { return {"free", "none"}; }

inline constexpr std::string_view bias_meaning = "free: an unpenalized intercept; none: no intercept";

/// The parameters of linear machines whose intercept is the weight of one more column.
template <class M>
void penalised_intercept_parameters(auto&& param) {
  param({"intercept", "yes: one more column, the same for all rows, whose weight gives the intercept"},
        &M::intercept);
  param({"intercept_scaling",
         "value of that column; the larger, the less the intercept is penalized",
         {0, std::numeric_limits<double>::infinity(), true, "> 0"}},
        &M::intercept_scaling);
  param({"epochs",
         "maximum number of passes over the rows, or of Newton steps",
         {1, 1e9, false, "a whole number ≥ 1"}},
        &M::epochs);
}

inline constexpr Interval count_from_one{1, std::numeric_limits<double>::infinity(), false,
                                         "a whole number ≥ 1"};
inline constexpr Interval positive_fraction{0, 1, true, "> 0 and at most 1"};

/// The parameters of methods that find clusters from random starts.
template <class M>
void cluster_parameters(auto&& param) {
  param({"clusters", "number of clusters", count_from_one}, &M::clusters);
  param({"restarts",
         "number of random starts; the best result is kept",
         {1, 1000, false, "a whole number from 1 to 1000"}},
        &M::restarts);
}

inline constexpr Interval budget_count{1, 1e9, false, "a whole number ≥ 1"};
/// The parameters of methods that learn online and keep so many points at most.
template <class M>
void budget_parameters(auto&& param) {
  param({"budget", "number of points kept at most", budget_count}, &M::budget);
  param({"epochs", "number of passes over the rows, in their order", {1, 1e6, false, "a whole number ≥ 1"}},
        &M::epochs);
}

/// What a Gaussian process does about the numbers of its kernel, and its mean.
enum class Optimize { evidence, none };
constexpr Words<2> words_of(Optimize) noexcept { return {"evidence", "none"}; }
enum class ProcessMean { constant, zero };
constexpr Words<2> words_of(ProcessMean) noexcept { return {"constant", "zero"}; }

/// The parameters of methods that find the numbers of the kernel by an evidence; `meaning`: of optimize.
template <class M>
void search_parameters(auto&& param, std::string_view meaning) {
  param({"optimize", meaning}, &M::optimize);
  param({"ard", "yes: learn a weight for each column (automatic relevance determination)"}, &M::ard);
  param({"restarts",
         "number of additional random starts",
         {0, 1000, false, "a whole number from 0 to 1000", false}},
        &M::restarts);
}

/// Those of Gaussian processes whose noise is Gaussian; `noise`, `meaning`: of noise and of optimize.
template <class M>
void process_parameters(auto&& param, std::string_view noise, Interval interval, std::string_view meaning) {
  param({"noise", noise, interval}, &M::noise);
  search_parameters<M>(param, meaning);
  param({"mean", "mean of the process: the mean of the target, or zero"}, &M::mean);
}

/// What a number that nobody gave is called: 0 is a number like any other.
inline constexpr std::string_view not_given = "none";

template <class T>
class KernelOperator;

/// Predictions of rows left out are asked for, along a path of one parameter. Rows of a class and fold are
/// best consecutive.
struct Validation {
  const Training& training;                     ///< all rows
  std::span<const std::size_t> fold;            ///< of each row
  std::string_view parameter;                   ///< one of the method's paths
  std::span<const double> values;               ///< of it, ascending
  const KernelOperator<float>* gram = nullptr;  ///< K of all rows, held; none where there is no memory for it
};

/// What a method says of rows that its fit did not see.
struct HeldOut {
  Rule rule = Rule::value;
  std::size_t width = 1;                         ///< scores of a row
  std::vector<std::vector<double>> scores = {};  ///< of each value: rows × width, the outputs − ρ
};

/// A method with its type erased.
class Method {
 public:
  virtual ~Method() = default;
  virtual std::unique_ptr<Method> clone() const = 0;
  virtual std::string_view name() const = 0;
  virtual std::string_view formula() const = 0;
  virtual std::string_view summary() const = 0;
  virtual const MethodTraits& traits() const = 0;
  virtual std::vector<MethodParameter> parameters() const = 0;
  virtual Argument get(std::string_view parameter) const = 0;
  virtual void set(std::string_view parameter, const Argument& value) = 0;  ///< throws Error{usage}
  virtual Fitted fit(const Training& training) const = 0;
  /// Whether a fit with these parameters finds the kernel's numbers itself.
  virtual bool finds_kernel_parameters() const = 0;
  /// None where the method has no faster way here than a fit for each fold and value.
  virtual std::optional<HeldOut> hold_out(const Validation& validation) const = 0;
  /// What is wrong with the state of a model that comes from elsewhere; empty: nothing.
  virtual std::string state_fault(const Fitted& fitted) const = 0;
  /// Of Gaussian processes: what k(x, x) is multiplied by to give the prior variance, for each P of
  /// Fitted::precision.
  virtual std::vector<double> prior_scales(const Fitted& fitted) const = 0;
  /// out (rows × outputs, row-major): what the rule turns into predictions; the sums of the expansion, unless
  /// the method has a way of its own.
  virtual void evaluate(const Fitted& fitted, const Points& at, std::span<double> out, int threads,
                        const Progress& progress) const = 0;
};

namespace detail {

[[noreturn]] void refuse_parameter(std::string_view method, std::string_view parameter);
void assign_parameter(std::string_view method, const MethodParameter& parameter, double& value,
                      const Argument& argument);
void assign_parameter(std::string_view method, const MethodParameter& parameter, int& value,
                      const Argument& argument);
void assign_parameter(std::string_view method, const MethodParameter& parameter, std::string& value,
                      const Argument& argument);
void assign_parameter(std::string_view method, const MethodParameter& parameter, std::optional<double>& value,
                      const Argument& argument);
inline Argument parameter_value(double value) { return value; }
inline Argument parameter_value(int value) { return double(value); }
inline Argument parameter_value(std::optional<double> value) {
  return value ? Argument(*value) : Argument(Word{std::string(not_given)});
}
inline Argument parameter_value(const std::string& value) { return Word{value}; }

constexpr Words<2> words_of(bool) noexcept { return {"no", "yes"}; }
template <class T>
concept Choice = std::is_enum_v<T> || std::same_as<T, bool>;
/// The place of the argument among the words.
std::size_t chosen_word(std::string_view method, const MethodParameter& parameter,
                        std::span<const std::string_view> words, const Argument& argument);
std::vector<std::string_view> default_first(std::span<const std::string_view> words, std::size_t standard);
template <Choice T>
void assign_parameter(std::string_view method, const MethodParameter& parameter, T& value,
                      const Argument& argument) {
  value = T(chosen_word(method, parameter, words_of(value), argument));
}
template <Choice T>
Argument parameter_value(T value) {
  return Word{std::string(words_of(value)[std::size_t(value)])};
}

template <class M>
class MethodOf final : public Method {
 public:
  explicit MethodOf(M method) : method_(std::move(method)) {
    // What was set in C++ is checked like what is written.
    for (const MethodParameter& parameter : parameters()) set(parameter.name, get(parameter.name));
  }
  std::unique_ptr<Method> clone() const override { return std::make_unique<MethodOf>(method_); }
  std::string_view name() const override { return M::name; }
  std::string_view formula() const override { return M::formula; }
  std::string_view summary() const override { return M::summary; }
  const MethodTraits& traits() const override { return M::traits; }
  std::vector<MethodParameter> parameters() const override {
    std::vector<MethodParameter> list;
    each_parameter([&](const MethodParameter& parameter, auto) { list.push_back(parameter); });
    return list;
  }
  Argument get(std::string_view wanted) const override {
    std::vector<Argument> found;
    each_parameter([&](const MethodParameter& parameter, auto member) {
      if (parameter.name == wanted) found.push_back(parameter_value(method_.*member));
    });
    if (found.empty()) refuse_parameter(name(), wanted);
    return found.front();
  }
  void set(std::string_view wanted, const Argument& value) override {
    bool found = false;
    each_parameter([&](const MethodParameter& parameter, auto member) {
      if (parameter.name != wanted) return;
      assign_parameter(name(), parameter, method_.*member, value);
      found = true;
    });
    if (!found) refuse_parameter(name(), wanted);
  }
  Fitted fit(const Training& training) const override { return method_.fit(training); }
  bool finds_kernel_parameters() const override {
    if constexpr (has_kernel_search) return method_.finds_kernel_parameters();
    return false;
  }
  std::optional<HeldOut> hold_out(const Validation& validation) const override {
    if constexpr (has_hold_out) return method_.hold_out(validation);
    return std::nullopt;
  }
  std::string state_fault(const Fitted& fitted) const override {
    if constexpr (has_state) return method_.state_fault(fitted);
    return fitted.state.empty() ? "" : "belongs to no model of this method";
  }
  std::vector<double> prior_scales(const Fitted& fitted) const override {
    if constexpr (M::traits.missing_outputs) return method_.prior_scales(fitted);
    return {1};
  }
  void evaluate(const Fitted& fitted, const Points& at, std::span<double> out, int threads,
                const Progress& progress) const override {
    if constexpr (has_evaluate)
      method_.evaluate(fitted, at, out, threads, progress);
    else
      fitted.expansion.sums(at, out, threads, progress);
  }

 private:
  static void each_parameter(auto&& use) {
    M::params([&](MethodParameter parameter, auto member) {
      const auto standard = M{}.*member;
      if constexpr (Choice<std::remove_const_t<decltype(standard)>>)
        parameter.choices = default_first(words_of(standard), std::size_t(standard));
      use(parameter, member);
    });
  }
  static constexpr bool has_evaluate = requires(const M& m, const Fitted& fitted, const Points& at,
                                                std::span<double> out, const Progress& progress) {
    m.evaluate(fitted, at, out, 0, progress);
  };
  static constexpr bool has_state = requires(const M& m, const Fitted& fitted) { m.state_fault(fitted); };
  static constexpr bool has_hold_out = requires(const M& m, const Validation& v) { m.hold_out(v); };
  static constexpr bool has_kernel_search = requires(const M& m) { m.finds_kernel_parameters(); };
  static_assert(has_kernel_search == M::traits.finds_kernel_parameters,
                "finds_kernel_parameters() goes with .finds_kernel_parameters = true in the traits");
  static_assert(has_state == M::traits.keeps_state,
                "state_fault() goes with .keeps_state = true in the traits");
  static_assert(has_evaluate == !M::traits.expands, "evaluate() goes with .expands = false in the traits");
  static_assert(has_hold_out == !M::traits.paths.empty(), "hold_out() goes with .paths in the traits");

  M method_;
};

}  // namespace detail

/// A method as a value.
struct AnyMethod : Polymorphic<Method> {
  using Polymorphic::Polymorphic;
  template <class M>
  requires requires { M::traits; }
  AnyMethod(M method) : Polymorphic(std::make_unique<detail::MethodOf<M>>(std::move(method))) {}
};

/// Every method, with its defaults.
const std::vector<AnyMethod>& methods();
/// Throws Error{usage} with a suggestion for an unknown name.
const AnyMethod& method_named(std::string_view name);
/// Whether the parameter is a number that may be left out.
bool may_be_left_out(const Method& method, const MethodParameter& parameter);

}  // namespace mercer
