#include "mercer/methods/rerm.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "methods/risk.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

constexpr std::string_view of_program = "user:";

AnyLoss chosen_loss(const Rerm& method, const Target& target) {
  if (method.own_loss) return *method.own_loss;
  if (method.loss.starts_with(of_program))
    throw Error(ErrorCode::unknown_name,
                fmt::format("the loss '{}' is not known here: texts and files hold its name alone",
                            method.loss.substr(of_program.size())),
                {.owner = "rerm", .hints = {{Remedy::give_function, method.loss.substr(of_program.size())}}});
  const auto names = loss_names();
  if (std::ranges::find(names, method.loss) == names.end())
    return loss_of_formula(method.loss,
                           target.task == Task::classification ? LossTarget::signs : LossTarget::real);
  AnyLoss chosen = loss_named(method.loss);
  if (!method.shape) return chosen;
  const auto parameters = chosen->parameters();
  if (parameters.empty())
    throw Error(ErrorCode::unsupported, fmt::format("{} has no number of its own", method.loss),
                {.owner = "rerm", .hint = "leave shape out"});
  chosen->set(parameters.front().name, *method.shape);
  return chosen;
}

}  // namespace

void check_loss_text(const std::string& text) {
  if (!text.starts_with(of_program)) (void)loss_of_formula(text);
}

Fitted Rerm::fit(const Training& training) const {
  if ((omega == Omega::user) != own_omega.has_value())
    throw Error::of_parameter("rerm", "omega", "user goes with a function of the program",
                              std::string(words_of(omega)[std::size_t(omega)]));
  const AnyLoss chosen = chosen_loss(*this, training.target);
  const auto names = loss_names();
  const bool is_own = std::ranges::find(names, chosen->name()) == names.end();
  return fit_risk(training, *chosen,
                  {.lambda = lambda,
                   .omega = omega,
                   .own_omega = own_omega,
                   .bias = bias == Bias::free,
                   .check_loss = is_own});
}

}  // namespace mercer
