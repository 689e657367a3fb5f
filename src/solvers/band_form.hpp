// A dense symmetric A as Q B Qᵀ, Q orthogonal and B banded, so that for every c it takes little more than n²
// operations to have, with B + cI = L Lᵀ and q_i row i of Q,
//   (A + cI)⁻¹R = Q L⁻ᵀL⁻¹QᵀR   and   ((A + cI)⁻¹)_ii = ‖L⁻¹q_i‖².
// B comes from Householder reflections in panels, nearly all of it matrix products (the first of the two
// stages of Bischof, Lang & Sun 2000). A tridiagonal B and eigenvectors would take four times the work.
//
// In float32 the rounding of A is about 1e-7·‖A‖, too much for the small eigenvalues beside a few large ones.
// There the first panel is a block of leading eigenvectors, roughly, and panels are made in float64 while the
// largest eigenvalue of what is left falls fast: float32 then rounds what is left.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "mercer/buffer.hpp"
#include "mercer/progress.hpp"

namespace mercer {

inline constexpr std::size_t band_width = 32;  // diagonals of B below the main one

/// The Cholesky factor of B + cI by columns: entry (i, j) is at j·(band_width + 1) + i − j.
using BandFactor = std::vector<double>;

template <class T>  // of Q, and of the most of the reduction
class BandForm {
 public:
  /// A: n × n, both halves; in float32 at least band_width rows. The same bits for any number of threads.
  BandForm(std::span<const double> A, std::size_t n, int threads, const Progress& progress);

  std::size_t size() const noexcept { return n_; }
  /// None where B + cI is not positive definite to rounding.
  std::optional<BandFactor> factor(double c) const;
  /// The diagonal of (A + cI)⁻¹ for each factor: factors × n.
  std::vector<double> inverse_diagonals(std::span<const BandFactor> factors, const Progress& progress) const;
  /// out = (A + cI)⁻¹V, row-major, a column for each factor.
  void apply_inverse(std::span<const BandFactor* const> factors, std::span<const double> V,
                     std::span<double> out) const;

 private:
  template <class W>
  struct Panel;
  void reduce_panel(Panel<T>& panel, std::size_t p);
  std::size_t reduce_in_float64(std::span<const double> A, const Progress& progress);
  template <class W>
  void keep_reflections(const Panel<W>& panel, std::size_t p);
  template <class W>
  void keep_triangle(const Panel<W>& panel, std::size_t p);
  void keep_diagonal_block(std::size_t p);
  void form_q(const Progress& progress);
  std::vector<T> pack(const BandFactor& factor) const;

  std::size_t n_, panels_;
  int threads_;
  std::vector<double> band_;  // B as a BandFactor has it
  std::vector<T> first_;      // n × width: the reflections V of panel 0, while Q is made
  std::vector<T> T_;          // panels × width × width: a panel's reflections are I − V T Vᵀ
  Buffer<T> Q_;               // n × n; before, what is left of A, and the reflections of the panels made
};

}  // namespace mercer
