#include "solvers/nystrom.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "base/blas.hpp"
#include "operators/compiled_kernel.hpp"
#include "mercer/error.hpp"
#include "mercer/kernel_operator.hpp"
#include "solvers/eigen.hpp"

namespace mercer {

namespace {

class Nystrom final : public DenseMap {
 public:
  Nystrom(Kernel kernel, Points landmarks, std::vector<double> matrix)
      : kernel_(std::move(kernel)), landmarks_(std::move(landmarks)), matrix_(std::move(matrix)) {}
  std::size_t features() const noexcept override { return matrix_.size() / landmarks_.rows(); }

  void apply(const Points& points, int threads, double* out) const override {
    if (points.rows() == 0) return;
    const std::size_t m = landmarks_.rows(), r = features();
    const KernelOperator<double> K(kernel_, points, landmarks_, {.threads = threads});
    const SingleThreadedBlas one_thread;
    for_row_blocks(points.rows(), threads, [&](Range rows) {
      Buffer<double> tile(rows.size() * m);
      K.tile(rows, {0, m}, tile);
      gemm(CblasNoTrans, CblasTrans, rows.size(), r, m, 1, tile.data(), m, matrix_.data(), m, 0,
           out + rows.begin * r, r);
    });
  }

 private:
  Kernel kernel_;
  Points landmarks_;
  std::vector<double> matrix_;  // features × landmarks
};

}  // namespace

void check_for_landmarks(const Kernel& kernel) {
  const CompiledKernel program(kernel);
  for (const auto& statistic : program.statistics)
    if (statistic.check_reference)
      throw Error(ErrorCode::unsupported,
                  fmt::format("{} is read from a matrix of all rows, which landmarks cannot stand for",
                              kernel.text()),
                  {.hint = "use the kernel itself"});
  for (const auto& value : program.values)
    if (value.kind == CompiledKernel::Value::Kind::mean ||
        value.kind == CompiledKernel::Value::Kind::all_mean)
      throw Error(
          ErrorCode::unsupported,
          fmt::format("{} takes its mean over all rows, which landmarks cannot stand for", kernel.text()),
          {.hint = "leave out center and centre the features"});
}

std::vector<double> nystrom_matrix(const Kernel& kernel, const Points& landmarks, int threads) {
  const std::size_t m = landmarks.rows();
  std::vector<double> K(m * m);
  KernelOperator<double>(kernel, landmarks, {.threads = threads}).matrix(K);
  const auto [values, U] = symmetric_eigen(K, m, true);  // ascending
  const double rounding =
      double(m) * std::numeric_limits<double>::epsilon() * std::max(values.back(), -values.front());
  if (values.front() < -1e3 * rounding)
    throw Error(ErrorCode::invalid_argument,
                fmt::format("{} is not positive semidefinite: between the landmarks its smallest eigenvalue "
                            "is {:.3g} and its largest {:.3g}",
                            kernel.text(), values.front(), values.back()),
                {.hint = "only a valid kernel has features"});
  std::vector<double> matrix;
  for (std::size_t e = m; e-- > 0 && values[e] > rounding;)  // the largest first
    for (std::size_t i = 0; i < m; ++i) matrix.push_back(U[i * m + e] / std::sqrt(values[e]));
  if (matrix.empty()) matrix.assign(m, 0);  // k is 0 throughout: one feature that is 0
  return matrix;
}

std::unique_ptr<const DenseMap> nystrom_map(const Kernel& kernel, const Points& landmarks,
                                            std::vector<double> matrix) {
  return std::make_unique<Nystrom>(kernel, landmarks, std::move(matrix));
}

}  // namespace mercer
