// K·V of the rows of all ranks, each rank having its rows of V and of the result.
//
// K is symmetric, so that a block K_rs between the rows of two ranks serves both: rank r computes K_rs V_s
// for itself and K_rsᵀ V_r for s. With P ranks, step t = 1 … ⌊P/2⌋ pairs r with s = (r + t) mod P: the rows
// of s and V_s arrive while the block before is computed, and what was added up for s goes back. Of an even
// P, both ranks of a pair meet in the last step, and each computes half of their block. So each rank computes
// n²/2P entries, and a product with k columns sends, per rank,
//   2⌊P/2⌋ messages of n/P × k float64 numbers: V out, sums back;
//   and, where the blocks of K are not held, ⌊P/2⌋ more with the rows themselves.
// The bits depend on the number of ranks, not on that of threads.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "cluster/communicator.hpp"
#include "mercer/kernel_operator.hpp"
#include "operators/product.hpp"

namespace mercer::cluster {

struct RingOptions {
  int threads = 0;
  std::size_t memory = 0;  ///< bytes of each rank for blocks of K that are kept
  bool note_overflow = false;
  Progress progress = {};
};

template <class T>  // float or double
class RingKernel {
 public:
  /// `own`: the rows of this rank; dense or sparse on all ranks alike. To be made by all ranks together.
  RingKernel(const Communicator& ranks, const Kernel& kernel, const Points& own, const RingOptions& options);

  std::size_t own_rows() const noexcept { return own_.rows(); }
  std::size_t rows() const noexcept { return rows_; }  ///< of all ranks
  /// out = K·V, own_rows() × k, row-major; sums in float64.
  void multiply(std::span<const double> V, std::size_t k, std::span<double> out) const;
  /// k(xᵢ, xᵢ) of the own rows.
  std::vector<double> diagonal() const;

  /// False once an entry of this rank was not finite in T: RingOptions::note_overflow.
  bool finite() const noexcept { return finite_ && (!K_ || K_->finite()); }
  bool held() const noexcept { return held_; }  ///< all blocks of K are kept, on every rank
  std::size_t evaluations() const noexcept { return evaluations_ + (product_ ? product_->evaluations() : 0); }
  /// What a product with k columns sends from this rank (the cost model).
  Traffic cost(std::size_t k) const noexcept;

 private:
  struct Step {
    int to, from;         // ranks: who gets the own rows, whose come
    Range rows;           // of the own rows, those of the block; of the pair that meets twice a part
    Range columns;        // of the rows that come
    std::size_t theirs;   // how many rows come
    std::size_t message;  // bytes of their points
  };
  void add_block(const Step& step, const T* held, const Points* theirs, std::span<const double> V,
                 std::span<const double> other_V, std::size_t k, std::span<double> out,
                 std::span<double> other_out) const;

  const Communicator& ranks_;
  Kernel kernel_;
  Points own_;
  RingOptions options_;
  std::size_t rows_ = 0;
  std::vector<Step> steps_;
  std::vector<std::byte> message_;  // the own points
  bool held_ = false;
  std::optional<KernelOperator<T>> K_;  // of the own rows, where there are any
  std::optional<SymmetricProduct<T>> product_;
  std::vector<Buffer<T>> blocks_;  // where they are held: of each step rows × columns
  mutable std::size_t evaluations_ = 0;
  mutable bool finite_ = true;
};

extern template class RingKernel<float>;
extern template class RingKernel<double>;

}  // namespace mercer::cluster
