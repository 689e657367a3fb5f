// Every loss. A new one is a header here and a word in this list.
#include "losses/absolute.hpp"
#include "losses/epsilon_insensitive.hpp"
#include "losses/exponential.hpp"
#include "losses/hinge.hpp"
#include "losses/huber.hpp"
#include "losses/logistic.hpp"
#include "losses/multinomial.hpp"
#include "losses/pinball.hpp"
#include "losses/poisson.hpp"
#include "losses/squared.hpp"
#include "losses/squared_hinge.hpp"

namespace mercer {

const std::vector<AnyLoss>& losses() {
  static const auto all =
      [](auto... loss) {
        std::vector<AnyLoss> list;
        (list.emplace_back(std::make_unique<LossOf<decltype(loss)>>(loss)), ...);
        return list;
      }(SquaredLoss{}, AbsoluteLoss{}, HuberLoss{}, PinballLoss{}, EpsilonInsensitiveLoss{}, PoissonLoss{},
        HingeLoss{}, SquaredHingeLoss{}, LogisticLoss{}, ExponentialLoss{}, MultinomialLoss{});
  return all;
}

}  // namespace mercer
