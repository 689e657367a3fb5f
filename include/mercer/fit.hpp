// What every fit takes and what every fit reports.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "mercer/dataset.hpp"
#include "mercer/kernel.hpp"
#include "mercer/progress.hpp"

namespace MERCER_EXPORT mercer {

struct Model;
class MERCER_HIDDEN RowFeatures;
class MERCER_HIDDEN PreparedSums;
struct Expansion;
struct Fitted;

/// Between which values a search may look for a number of the kernel. low = high: the number is that value.
struct SearchBounds {
  std::string parameter;  ///< by its name in numeric_parameters(), or "noise"
  double low = 0, high = 0;
};

struct FitOptions {
  /// Of the certificate; none: the method's own (1e-3 of a support vector machine).
  std::optional<double> tolerance = {};
  int threads = 0;                            ///< 0: all
  std::size_t memory = std::size_t(1) << 30;  ///< bytes for rows of K, beside the data
  double seconds = std::numeric_limits<double>::infinity();
  bool shrinking = true;  ///< may leave out settled variables for a while (LIBSVM's -h)
  /// Of support vector machines: pairs of variables changed at most in a problem; 0: max(10⁷, 100 n).
  std::size_t most_steps = 0;
  /// How to solve: "auto", or one of the words that the method's solvers() gives.
  std::string solver = "auto";
  /// Kernel approximation: "nystrom:2000", "fourier:4096", "sketch:1024", "explicit"
  /// (feature_map.hpp), "none", or empty: explicit ones where the method and the kernel have them and they
  /// cost less.
  std::string approx = {};
  std::uint64_t seed = 1;
  /// Factors of the rows of single classes; "balanced" alone gives each class n / (classes · its rows).
  std::vector<std::pair<std::string, double>> class_weights = {};
  bool balanced = false;
  bool allow_nonconvex = false;   ///< take losses of one's own that are not convex
  bool allow_indefinite = false;  ///< take kernels that no rule proves positive semidefinite
  /// How eigenvalues below 0 of K are made valid before the fit (model/repair.hpp): "clip", "flip", "shift"
  /// or "square"; empty: not at all.
  std::string repair = {};
  /// Calibrate, so that classes come with probabilities, numbers with the scale of their noise, and novelties
  /// with the probability of lying inside.
  bool probabilities = false;
  /// To calibrate on: the fold of each row; none: up to five, drawn from the seed.
  std::vector<std::size_t> folds = {};
  /// Of methods that search the numbers of the kernel by the evidence (gp).
  std::vector<SearchBounds> bounds = {};
  bool keep_on_cancel = false;  ///< a cancelled fit returns what it has instead of throwing
  /// Of the same method, classes and columns: the fit begins at its coefficients. Of a method that learns
  /// online the rows are more of them: kernel, scaling and classes are the model's.
  const Model* resume = nullptr;
  Progress progress = {};
};

/// One of the problems of a fit: a pair of classes, a class against the rest, or the only one.
struct ProblemReport {
  std::size_t variables = 0;
  std::size_t iterations = 0;
  double objective = 0, rho = 0;
  std::size_t support_vectors = 0, bounded_support_vectors = 0;
  double coefficient_sum = 0;  ///< Σ|β|
  double found = 0;            ///< what ν stands in for: the C of ν-SVC, the ε of ν-SVR
};

/// What a fit found beside the model: the evidence, a p-value, the λ chosen by leave-one-out.
struct Diagnostic {
  std::string id;              ///< "log_marginal_likelihood": what programs look for; it does not change
  std::string label;           ///< "log marginal likelihood": for people
  std::vector<double> values;  ///< one, or one for each eigenvalue, cluster, kernel …
  std::string unit = {};       ///< "rows", "target": the unit of the target; empty: a plain number
  std::vector<std::string> names = {};  ///< of the values, where they have names
  bool list = false;                    ///< of as many values as there happen to be, be it one

  friend bool operator==(const Diagnostic& a, const Diagnostic& b) = default;
};

/// "eigenvalue 2", "weight of rbf(gamma=1)": one of its values, for people.
std::string value_label(const Diagnostic& diagnostic, std::size_t value);

/// What the certificate of a fit is.
enum class CertificateKind {
  none,
  kkt_violation,
  relative_residual,
  normal_equations_residual,
  gradient_norm,
  objective_change
};
std::string_view name_of(CertificateKind kind) noexcept;   ///< "kkt_violation", for programs
std::string_view label_of(CertificateKind kind) noexcept;  ///< "violation", for people

/// Over what a fit was solved: the rows of K (f = Σ αᵢ k(xᵢ, ·)), or explicit features (f = wᵀφ).
struct FitPlan {
  enum class Way { dual, primal };
  Way way = Way::dual;
  std::size_t features = 0;  ///< of φ, where primal
};

/// How a fit went. The certificate (violation, gap, objective) is computed from float64 kernel values.
struct FitReport {
  bool converged = false;
  bool cut_short = false;  ///< by the time budget or by the caller
  double objective = 0;    ///< the value of the method's formula; of support vector machines the dual's, as
                           ///< LIBSVM prints it, summed over the problems of a fit
  CertificateKind certificate = CertificateKind::kkt_violation;  ///< what the next number is
  double violation = 0;  ///< of the optimality conditions, the largest of the problems
  double tolerance = 0;  ///< what it was to be
  double gap = 0;        ///< where a dual was solved: primal minus dual objective, summed
  std::size_t iterations = 0;
  std::size_t kernel_evaluations = 0;
  std::size_t support_vectors = 0, bounded_support_vectors = 0;
  double seconds = 0;
  std::string solver = {};          ///< which one was taken, and why
  FitPlan plan = {};                ///< of the fit just made; not kept in model files
  std::optional<double> norm = {};  ///< ‖f‖² in the space of the kernel, summed over the outputs
  std::optional<double> loss = {};  ///< of the training rows, the mean
  std::optional<double> degrees_of_freedom = {};  ///< tr K(K + cI)⁻¹, where the method has it
  std::vector<Diagnostic> diagnostics = {};
  std::vector<Note> warnings = {};
  std::vector<ProblemReport> problems = {};  ///< of the fit just made; not kept in model files

  /// Null where the fit has none of this id.
  const Diagnostic* diagnostic(std::string_view id) const noexcept;
  void add(std::string id, std::string label, double value, std::string unit = {}) {
    diagnostics.push_back({std::move(id), std::move(label), {value}, std::move(unit)});
  }
};

/// What the sums of an expansion need of its points and coefficients, made ready at the first call for the
/// next ones. Copies share it. It is made anew where the kernel, the points or the coefficients are others by
/// then.
class Preparation {
 public:
  Preparation();
  Preparation(const Preparation& other);
  Preparation(Preparation&& other) noexcept;
  Preparation& operator=(const Preparation& other);
  Preparation& operator=(Preparation&& other) noexcept;
  ~Preparation();

 private:
  friend struct Expansion;
  MERCER_HIDDEN std::shared_ptr<const PreparedSums> prepared(const Expansion& e, const Points& at) const;
  struct MERCER_HIDDEN Slot;
  std::unique_ptr<Slot> slot_;  // null once moved from: then nothing is kept
};

/// Sums of kernels: for each block of points and each of `width` columns, Σᵢ coefficients[i, c]·k(xᵢ, x) over
/// the points of the block. A method with several outputs that share points (the pairs of a multi-class
/// machine) is one expansion over the union of the points.
struct Expansion {
  Kernel kernel;
  Points points = {};
  std::vector<std::size_t> blocks = {};  ///< rows of each block, in order
  std::size_t width = 1;
  std::vector<double> coefficients = {};  ///< points.rows() × width, row-major
  double self = 0;                        ///< each sum has self·k(x, x) added
  /// Columns × outputs, or none: each sum has a linear trend added, its column times x. Kernels of order 2,
  /// such as thin plates, leave one free.
  std::vector<double> trend = {};
  Preparation preparation = {};

  std::size_t outputs() const noexcept { return blocks.size() * width; }
  /// out (rows × outputs(), row-major) = the sums at each of `at`, in float64. Of a linear kernel they are
  /// wᵀx, of others tile by tile: memory stays flat. May be called from several threads.
  void sums(const Points& at, std::span<double> out, int threads = 0, const Progress& progress = {}) const;
};

/// How a method's outputs become a prediction: a row's scores are its outputs − ρ, ρ being one number per
/// output. (Predictions::scores have the other sign where there is one for two classes.)
enum class Rule {
  value,    ///< the scores, numbers
  novelty,  ///< the sign of the one score: 1 inside, −1 outside
  one_vs_one,  ///< a block per class, classes − 1 columns: pair i < j has sums[i][j − 1] + sums[j][i] − ρ;
               ///< most votes win
  one_vs_rest,  ///< a column per class, the largest score wins; of two classes one column, positive for the
                ///< first
  softmax,      ///< as one_vs_rest, and the scores are logarithms of probabilities up to a constant
  shares,       ///< a column per class: its probability
  rate,         ///< the exponentials of the scores, numbers
  projection,   ///< the scores, coordinates of the row in feature space
};

/// Which rows of the data carry a function, and how much. Empty where it was found as weights of columns (gp
/// of the linear kernel).
struct Support {
  std::vector<std::size_t> rows = {};  ///< of the data, those of each block ascending
  /// Rows × width of the expansion; empty: they are the expansion's, whose points are these rows.
  std::vector<double> coefficients = {};
  /// Of support vector machines whose expansion has the weights of a linear kernel in place of these rows:
  /// the rows themselves, and how many of them are in each block. Else empty.
  Points points = {};
  std::vector<std::size_t> blocks = {};
};

/// What the methods that keep their training rows (knn, nadaraya_watson, lwlr) know of them beside their
/// targets, which are the coefficients of the expansion.
struct KeptTargets {
  std::vector<double> mean = {};     ///< of the targets, weighted: one for each column
  std::vector<double> weights = {};  ///< one per row; empty: all 1
  std::vector<double> self = {};     ///< k(x, x) of each row (knn)
};

struct Fitted {
  Expansion expansion;
  Rule rule = Rule::value;
  std::vector<double> rho = {};  ///< ρ: one per pair, class or output
  /// Where probabilities were asked for: of a pair's score s, 1 / (1 + exp(slope·s + offset)) is that of its
  /// first class.
  std::vector<double> slopes = {}, offsets = {};
  /// Of numbers: the target is the prediction + z with the density e^(−|z|/s)/(2s) and this s.
  std::optional<double> noise_scale = {};
  /// Of novelty: ten scores, ascending; the probability of lying inside rises by 0.1 at each.
  ///                                                                                           Que & Lin 2022
  std::vector<double> density_marks = {};
  /// Of Gaussian processes: P, points × points, with var f(x) = k(x, x) − k(x)ᵀ P k(x). Of gp_classifier: for
  /// each of its functions a lower triangular T, points × points, with P = T⁻ᵀT⁻¹. Of multi_gp: P of each
  /// output j, with var f_j(x) = B_jj·k(x, x) − k(x)ᵀ P k(x).
  std::vector<double> precision = {};
  /// Of gp, in the place of P where nothing needed it: a lower triangular L, points × points, with P =
  /// L⁻ᵀL⁻¹.
  std::vector<double> factor = {};
  /// Of centred components (pca): the mean row where the kernel is linear, else the share of each row in it.
  std::vector<double> centre = {};
  KeptTargets kept = {};
  /// What the method itself knows beside all this: to go on with more rows, or to tell variances.
  std::vector<double> state = {};
  /// The names of the clusters that a method without a target found; they become the model's labels.
  std::vector<std::string> clusters = {};
  Support support = {};  ///< of the fit just made; not kept in model files
  FitReport report = {};
};

/// The same sums over the rows that carry them, where they are known beside weights (Support::points); else
/// the model's own.
Expansion over_support(const Fitted& fitted);

/// The rows to learn from. Weights are one per row: the data's times the class weights.
struct Training {
  const Points& points;
  const Target& target;
  std::vector<double> weights;
  const Kernel& kernel;  ///< resolved
  const FitOptions& options;
  double tolerance;               ///< of the certificate
  const Fitted* start = nullptr;  ///< what an earlier fit of the same method and classes ended with
  /// Where the primal was planned: the features of the points. Methods with a primal solver use them.
  std::shared_ptr<const RowFeatures> features = {};
  bool over_features = false;  ///< the model is linear in these features; else it is over the points
};

}  // namespace mercer
