#include "operators/feature_count.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace mercer {

namespace {

constexpr BigCount::Wide largest = ~BigCount::Wide(0);

double log10_of(BigCount::Wide value) {
  return value == 0 ? -std::numeric_limits<double>::infinity() : std::log10(double(value));
}

}  // namespace

BigCount::BigCount(std::size_t value) : exact_(value), log10_(log10_of(value)) {}

BigCount BigCount::from(Wide value) {
  BigCount count;
  count.exact_ = value;
  count.log10_ = log10_of(value);
  return count;
}

BigCount BigCount::approximate(double log10) {
  BigCount count;
  count.exact_.reset();
  count.log10_ = log10;
  return count;
}

BigCount operator+(const BigCount& a, const BigCount& b) {
  if (a.exact_ && b.exact_ && *a.exact_ <= largest - *b.exact_) return BigCount::from(*a.exact_ + *b.exact_);
  const double high = std::max(a.log10_, b.log10_), low = std::min(a.log10_, b.log10_);
  return BigCount::approximate(high + std::log10(1 + std::pow(10, low - high)));
}

BigCount operator*(const BigCount& a, const BigCount& b) {
  if (a.exact_ == BigCount::Wide(0) || b.exact_ == BigCount::Wide(0)) return BigCount(0);
  if (a.exact_ && b.exact_ && *a.exact_ <= largest / *b.exact_) return BigCount::from(*a.exact_ * *b.exact_);
  return BigCount::approximate(a.log10_ + b.log10_);
}

std::optional<std::string> BigCount::digits() const {
  if (!exact_) return std::nullopt;
  std::string text;
  Wide rest = *exact_;
  do text += char('0' + int(rest % 10));
  while ((rest /= 10) != 0);
  return std::string(text.rbegin(), text.rend());
}

std::optional<std::size_t> BigCount::small() const {
  if (!exact_ || *exact_ > std::numeric_limits<std::size_t>::max()) return std::nullopt;
  return std::size_t(*exact_);
}

BigCount power(const BigCount& base, int exponent) {
  BigCount result(1);
  for (int i = 0; i < exponent; ++i) result = result * base;
  return result;
}

BigCount monomials(const BigCount& D, int t) {
  const auto variables = D.small();
  if (t == 0) return BigCount(1);
  if (variables && *variables == 0) return BigCount(0);
  // Every intermediate result is a count: C(D+t−1, t) = Π (D − 1 + i)/i, exact at each i. What i shares with
  // the result is cancelled first, so that nothing exceeds 2¹²⁸ before the count itself does.
  if (variables) {
    BigCount::Wide result = 1;
    int i = 1;
    for (; i <= t; ++i) {
      const BigCount::Wide shared = BigCount::Wide(std::gcd(i, int(result % BigCount::Wide(i))));
      const BigCount::Wide factor =
          (BigCount::Wide(*variables) - 1 + BigCount::Wide(i)) / (BigCount::Wide(i) / shared);
      if (result / shared > largest / factor) break;
      result = result / shared * factor;
    }
    if (i > t) return BigCount::from(result);
  }
  // Too large for digits: only the logarithm is kept.
  const double d = variables ? double(*variables) : std::pow(10, std::min(D.log10(), 300.0));
  double log10 = 0;
  for (int i = 1; i <= t; ++i)
    log10 += (variables || D.log10() <= 300 ? std::log10(d - 1 + i) : D.log10()) - std::log10(i);
  return BigCount::approximate(log10);
}

}  // namespace mercer
