#include "mercer/methods/linear_svr.hpp"

#include "methods/linear_machine.hpp"

namespace mercer {

Fitted LinearSvr::fit(const Training& training) const {
  LinearMachine machine(training, {.method = name,
                                   .constant = intercept ? intercept_scaling : 0,
                                   .epochs = epochs,
                                   .functions = 1,
                                   .problems = 1});
  std::vector<double> bounds = machine.rows().weights;
  for (double& bound : bounds) bound *= C;
  return machine.finish({machine.solve(machine.rows().values(training.target), bounds, epsilon,
                                       loss == LossWord::squared_epsilon_insensitive)},
                        Rule::value);
}

}  // namespace mercer
