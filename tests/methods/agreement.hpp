// A method against LIBSVM's machine of the same type.
#pragma once

#include "methods/problems.hpp"
#include "libsvm_reference.hpp"

#ifdef MERCER_LIBSVM
namespace mercer::testing {

/// Same objective and same decision values, on the training rows and on others. Both are within eps of the
/// optimality conditions: the objective is then within about n·C·eps of the best.
inline void expect_agreement(const AnyMethod& method, const Dataset& data, svm_parameter parameter,
                             const LibsvmKernelChoice& kernel, const std::string& what,
                             FitOptions options = {}) {
  SCOPED_TRACE(what + ", " + kernel.expression);
  options.tolerance = parameter.eps;
  options.threads = 2;
  const LibsvmMachine reference(
      data.points,
      numbers_of(data.target.task == Task::none
                     ? Target{Task::regression, "", {}, {}, std::vector<double>(data.rows(), 1)}
                     : data.target),
      parameter);
  const Model model = fit(method, Kernel::parse(kernel.expression), data, options);
  EXPECT_TRUE(model.fitted.report.converged);
  EXPECT_LE(model.fitted.report.violation, parameter.eps * 1.0001);
  const double n = double(data.rows());
  EXPECT_NEAR(model.fitted.report.objective, reference.objective(),
              1e-5 * (1 + std::abs(reference.objective())) + n * parameter.eps);
  const Points others = blobs(10, 1, 99, 1, data.points.cols()).points;
  for (const Points& points : {data.points, others}) {
    const std::vector<double> theirs = libsvm_scores(reference.model(), points);
    expect_near(model.predict(points).scores, theirs, 1e-3);
  }
}

}  // namespace mercer::testing
#endif
