// Random kernel expressions over the whole catalogue and all rules.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/random.hpp"
#include "kernels/catalogue.hpp"
#include "kernels/maps.hpp"
#include "mercer/error.hpp"

namespace mercer {

/// Which numbers the parameters are: what a user writes, or anything a double can be.
enum class Numbers { tame, wild };

class RandomKernel {
 public:
  RandomKernel(std::uint64_t seed, Numbers numbers) : random_(seed), numbers_(numbers) {}

  Kernel operator()(int depth) {
    if (depth == 0 || random_.below(8) == 0) return leaf();
    const auto inner = [&] { return (*this)(depth - 1); };
    switch (random_.below(12)) {
      case 0:
        return coefficient() * inner();
      case 1:
        return inner() + inner();
      case 2:
        return inner() - inner();
      case 3:
      case 4:
        return inner() * inner();
      case 5:
        return pow(inner(), int(1 + random_.below(4)));
      case 6:
        return polynomial(inner(), {number(), -number(), number()});
      case 7:
        return exp(0.01 * inner());
      case 8:
        return random_.below(2) ? normalize(inner()) : center(inner());
      case 9:
        return weighted(inner(),
                        pick<std::string>({"norm", "inverse_norm", "exp_norm", "2", "weird \"\\ name"}));
      case 10:
        return mapped(inner(), point_maps()[random_.below(point_maps().size())].name);
      default:
        return on_columns(inner(), pick<std::vector<std::string>>({{"1"}, {"2", "1"}, {"mass", "größe"}}));
    }
  }

  double number() {  // > 0
    if (numbers_ == Numbers::tame) return random_.uniform(0.1, 2);
    switch (random_.below(6)) {
      case 0:
        return std::numeric_limits<double>::denorm_min() * double(1 + random_.below(100));
      case 1:
        return 1e300;
      case 2:
        return 0.1 + 0.2;
      case 3:
        return 1. / 3;
      case 4:
        return double(1 + random_.below(20));
      default:
        return std::ldexp(0.5 + random_.uniform() / 2, int(random_.below(1900)) - 1000);
    }
  }
  double coefficient() { return random_.below(3) ? number() : random_.below(4) ? -number() : -1; }

 private:
  template <class T>
  T pick(std::vector<T> from) {
    return from[random_.below(from.size())];
  }

  Kernel leaf() {
    AnyLeaf leaf = leaves()[random_.below(leaves().size())];
    // One is for its own points only, others are for objects.
    if (numbers_ == Numbers::tame &&
        (leaf->traits().statistic == Statistic::tile || !leaf->traits().domains.empty()))
      return Kernel::parse("linear");
    bool given = false;  // one of the alternatives
    for (const auto& p : leaf->parameters()) {
      if (p.alternative && (given || random_.below(2))) continue;
      given |= p.alternative;
      if (p.word && p.choices.empty()) continue;  // any word will not do
      p.set(*leaf, value(p));
    }
    try {
      return make_kernel(leaf);
    } catch (const Error&) {  // numbers that do not go together
      return make_kernel(
          leaves()[std::size_t(std::ranges::find(leaves(), leaf->name(), &Leaf::name) - leaves().begin())]);
    }
  }
  Argument value(const Leaf::Parameter& p) {
    if (p.name == "similarity") return Word{"my words.tsv"};
    if (p.name == "A") return std::vector<std::vector<double>>{{2, 0.1 + 0.2}, {0.1 + 0.2, 1}};
    if (p.name == "nu") return pick<double>({0.5, 0.7, 1, 1.5, 2.5, 3.5});
    if (p.name == "weights") return std::vector<double>{number(), number()};
    if (p.name == "means" || p.name == "variances")
      return std::vector<std::vector<double>>{{number(), number()}, {number(), number()}};
    if (p.name == "beta") return random_.uniform(0.1, 2);
    if (p.word) return Word{std::string(pick(p.choices))};
    if (p.integer)
      return p.interval.low +
             double(random_.below(
                 numbers_ == Numbers::tame ? 4 : std::uint64_t(p.interval.high - p.interval.low) + 1));
    if (p.alternative && numbers_ == Numbers::wild && random_.below(3) == 0)
      return Word{pick<std::string>({"auto", "median"})};
    return p.interval.low < 0 && random_.below(2) ? -number() : number();
  }

  Random random_;
  Numbers numbers_;
};

}  // namespace mercer
