// Runs a Formula over one row of a tile with the widest vectors the machine has.
//
// The row is cut into blocks that fit the first-level cache; within a block each operation is one loop over
// vectors, its intermediate results kept in a few reused block-sized registers. The code is compiled once for
// every instruction set and chosen at run time; the environment variable MERCER_SIMD forces a lower one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/simd/targets.hpp"
#include "kernels/special_functions.hpp"
#include "mercer/buffer.hpp"
#include "mercer/formula.hpp"

namespace mercer::simd {

/// Elements per block; registers hold this many.
inline constexpr std::size_t block = 512;

/// A Formula with its intermediate results placed in registers.
template <class T>
struct Bytecode {
  enum class Place : std::uint8_t { reg, statistic, column_value };
  struct Source {
    Place place = Place::reg;
    std::int32_t number = 0;
  };
  struct Step {
    Formula::Code code;
    Source a, b;
    std::int32_t target = 0;  ///< register; the last step writes the output instead
    T p = 0, q = 0;
    std::int32_t norm = 0;  ///< squared_distance: the row and column value that holds the squared norms
    std::shared_ptr<const MaternTable> matern = {};  ///< bessel: its values
  };
  struct Fill {  ///< a register that is the same all along a row
    std::int32_t target;
    bool constant;
    std::int32_t row_value;
    T p;
  };
  std::vector<Fill> fills;
  std::vector<Step> steps;  ///< empty: the result is `result`, an input
  Source result;
  std::int32_t registers = 0;

  explicit Bytecode(const Formula& formula);
};

/// One row of a tile.
template <class T>
struct Row {
  const T* const* statistics = nullptr;     // each n numbers
  const T* row_values = nullptr;            // one number each
  const T* const* column_values = nullptr;  // each n numbers
  T* out = nullptr;                         // n numbers; may be one of the statistics
  std::size_t n = 0;
  /// The squared distance to point j without cancellation, in the view of the statistic; asked for where
  /// ‖x‖² + ‖z‖² − 2xᵀz lost six bits or more. Null: nothing is ever lost.
  T (*exact_distance)(const void* context, std::int32_t statistic, std::size_t j) = nullptr;
  const void* context = nullptr;
  /// Which statistics are squared distances already, where a formula says "squared distance". Null: none.
  const std::uint8_t* direct = nullptr;
};

/// Σₖ coordinate(xₖ, zₖ) for one x and n points z: x's coordinate is row value 0, z's column value 0.
template <class T>
struct CoordinateRow {
  const T* x = nullptr;  // d numbers
  std::size_t d = 0;
  const T* z = nullptr;    // d × stride: coordinate k of point j at z[k · stride + j]
  std::size_t stride = 0;  // a multiple of `block`, all of it readable
  T* out = nullptr;        // n numbers
  std::size_t n = 0;
};

/// Distances of one whole point from n others, as places in a table: row_term + column_terms[j] −
/// 2·products[j].
struct Distances {
  const std::int32_t* products = nullptr;
  std::int32_t row_term = 0;
  const std::int32_t* column_terms = nullptr;
  std::size_t n = 0;
};

/// What one instruction set provides. `registers` has room for bytecode.registers + 3 blocks, 64-byte
/// aligned.
struct Functions {
  void (*evaluate_f32)(const Bytecode<float>&, const Row<float>&, float* registers);
  void (*evaluate_f64)(const Bytecode<double>&, const Row<double>&, double* registers);
  void (*sum_f32)(const Bytecode<float>&, const CoordinateRow<float>&, float* registers);
  void (*sum_f64)(const Bytecode<double>&, const CoordinateRow<double>&, double* registers);
  bool (*finite_f32)(const float*, std::size_t);
  bool (*finite_f64)(const double*, std::size_t);
  void (*distances_f32)(const CoordinateRow<float>&);  ///< Σₖ (xₖ − zₖ)²
  void (*distances_f64)(const CoordinateRow<double>&);
  void (*look_up_f32)(const Distances&, const float* table, float* out);
  void (*look_up_f64)(const Distances&, const double* table, double* out);
};

/// The functions of one of them, or of the best where the name is empty. Error{usage} for an unknown name.
const Functions& functions(const std::string& instruction_set);

/// The set that MERCER_SIMD names, or the best.
const Functions& functions();

inline void evaluate(const Functions& f, const Bytecode<float>& p, const Row<float>& r, float* registers) {
  f.evaluate_f32(p, r, registers);
}
inline void evaluate(const Functions& f, const Bytecode<double>& p, const Row<double>& r, double* registers) {
  f.evaluate_f64(p, r, registers);
}
inline void sum(const Functions& f, const Bytecode<float>& p, const CoordinateRow<float>& r,
                float* registers) {
  f.sum_f32(p, r, registers);
}
inline void sum(const Functions& f, const Bytecode<double>& p, const CoordinateRow<double>& r,
                double* registers) {
  f.sum_f64(p, r, registers);
}
inline bool finite(const Functions& f, const float* values, std::size_t n) { return f.finite_f32(values, n); }
inline bool finite(const Functions& f, const double* values, std::size_t n) {
  return f.finite_f64(values, n);
}
inline void distances(const Functions& f, const CoordinateRow<float>& r) { f.distances_f32(r); }
inline void distances(const Functions& f, const CoordinateRow<double>& r) { f.distances_f64(r); }
inline void look_up(const Functions& f, const Distances& d, const float* table, float* out) {
  f.look_up_f32(d, table, out);
}
inline void look_up(const Functions& f, const Distances& d, const double* table, double* out) {
  f.look_up_f64(d, table, out);
}

}  // namespace mercer::simd
