// Any kernel expression over rows of numbers as nodes: what CompiledKernel has (views, statistics, values of
// single points, one formula) is translated, so that a new kernel or rule needs nothing here.
#pragma once

#include <optional>

#include "operators/compiled_kernel.hpp"
#include "model/onnx_tables.hpp"

namespace mercer::onnx {

class KernelGraph {
 public:
  /// k between the rows of `x` and the reference points, which become constants. `flushed`: exponentials are
  /// 0 where tiles have it so, for methods that ask whether k is 0. Error{unsupported} for kernels of objects
  /// and for functions of programs.
  KernelGraph(Graph& g, const Kernel& kernel, const Points& reference, Table x, bool flushed = false);
  Name matrix();    ///< rows × points
  Name diagonal();  ///< k(x, x), rows × 1

 private:
  struct Part {  // of a formula, with the dimensions that it has: 1 in the place of others
    Name name;
    bool rows, columns;
  };
  using Statistic = CompiledKernel::Statistic;
  using Value = CompiledKernel::Value;

  const Table& view(std::size_t number);
  Name centred(std::size_t view);          // the rows − c
  Name constant_points(std::size_t view);  // points × columns
  Name centred_points(std::size_t view);
  Name statistic(std::size_t number);  // rows × points
  Name coordinate_sums(const Statistic& statistic);
  Name squared_distances(std::size_t statistic, std::size_t norm);
  Name row_value(std::size_t number);  // rows × 1
  Name self_value(const Statistic& statistic);
  Part column_value(std::size_t number);  // 1 × points
  Part run(Graph& g, const Formula& formula, const std::function<Part(const Formula::Operation&)>& input);
  Part one(Graph& g, const Formula::Operation& operation, const Part& a) const;

  Graph& g_;
  std::string text_;  // of the kernel
  bool flushed_;
  CompiledKernel program_;
  std::vector<Points> seen_;  // the reference points, of each view
  std::vector<std::vector<double>> centres_;
  std::vector<std::vector<double>> values_;  // of the reference points
  std::vector<std::optional<Table>> views_;
  std::vector<Name> centred_, constants_, centred_constants_, statistics_, row_values_, column_values_;
};

/// Error{unsupported} where the kernel has a function of a program, or compares objects.
void check_kernel(const Kernel& kernel, const Points& reference);

}  // namespace mercer::onnx
