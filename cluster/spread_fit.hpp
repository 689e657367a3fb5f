// A fit over the rows of all ranks. Rank 0 has the table: it checks what is asked, scales, resolves the
// kernel and hands out rows; the method's work is done by all; rank 0 puts the model together, the one that
// `mercer` would have made, to the tolerance of the certificate.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cluster/checkpoint.hpp"
#include "cluster/communicator.hpp"
#include "mercer/model.hpp"
#include "methods/rows.hpp"

namespace mercer::cluster {

struct SpreadOptions {
  FitOptions fit = {};
  Scaling::Kind scaling = Scaling::Kind::none;
  std::string checkpoint = {};         ///< its file; empty: none
  double every = 60;                   ///< seconds between two of them
  std::function<bool()> stopped = {};  ///< whether this rank was asked to stop
};

/// What a method's work is over. Rows have positive weights.
struct SpreadTraining {
  const Communicator& ranks;
  const Method& method;
  const Kernel& kernel;  ///< resolved
  const SpreadOptions& options;
  double tolerance;
  std::size_t rows = 0;        ///< of all ranks
  Points own = {};             ///< the rows of this rank
  std::vector<double> Y = {};  ///< of its rows: × outputs, or the codes of classes
  std::size_t outputs = 1;
  std::size_t classes = 0;           ///< of the target; 0 where it is numbers
  std::vector<double> weights = {};  ///< of its rows
  double total_weight = 0;           ///< of all ranks
  bool weighted = false;             ///< some weight of some rank is not 1
  Checkpoint* checkpoint = nullptr;
  std::optional<FeatureMap> map = {};  ///< of a kernel approximation
  /// On rank 0 alone.
  const Training* training = nullptr;
  const Rows* all = nullptr;

  Range range() const { return Share{rows, ranks.size()}.of(ranks.rank()); }  ///< of the own rows
  double number(std::string_view parameter) const;                            ///< of the method
  std::string word(std::string_view parameter) const;
};

/// The methods that there are, and what is said of others: "ridge, gp, …".
std::string spread_methods();

struct SpreadTask {
  AnyMethod method;
  Kernel kernel;
  const Dataset& data;
};
/// To be called by all ranks together; `task`: on rank 0, else null. The model on rank 0, else none.
std::optional<Model> fit_spread(const Communicator& ranks, const SpreadTask* task,
                                const SpreadOptions& options);

/// After each iteration of a solver, by all ranks: writes a checkpoint where it is time, and says whether to
/// go on.
class SpreadWatch {
 public:
  explicit SpreadWatch(const SpreadTraining& training) : training_(training) {}
  bool go_on(const std::function<void(std::span<double>)>& current, std::size_t columns, double residual);
  bool cut_short() const noexcept { return cut_short_; }
  double seconds() const;
  std::size_t iterations = 0;  ///< so far, of earlier runs too

 private:
  using Clock = std::chrono::steady_clock;
  const SpreadTraining& training_;
  Clock::time_point start_ = Clock::now();
  bool cut_short_ = false;
};

/// What eigenpairs are searched with: the watch is asked before each product, and a checkpoint has the vector
/// to begin with. `what`: "components"; both must outlive the options.
struct SpreadEigenOptions watched(const SpreadTraining& training, SpreadWatch& watch, std::string_view what,
                                  std::vector<double>& start);

/// On rank 0 what `make` gives, with the report; elsewhere an empty model.
using SpreadMethod = Fitted(const SpreadTraining& training);
SpreadMethod spread_ridge, spread_logistic, spread_poisson, spread_huber, spread_pca, spread_spectral,
    spread_gp;

/// Whether K of a Gaussian process of so many rows, its factor and the model are more than the memory.
bool gp_needs_ranks(std::size_t rows, std::size_t memory);

}  // namespace mercer::cluster
