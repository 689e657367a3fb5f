// Natural numbers that may be astronomically large: exact below 2¹²⁸, known by their logarithm above.
#pragma once

#include <optional>
#include <string>

namespace mercer {

class BigCount {
 public:
  __extension__ using Wide = unsigned __int128;

  BigCount(std::size_t value = 0);
  static BigCount from(Wide value);
  static BigCount approximate(double log10);
  friend BigCount operator+(const BigCount& a, const BigCount& b);
  friend BigCount operator*(const BigCount& a, const BigCount& b);

  std::optional<std::string> digits() const;
  double log10() const noexcept { return log10_; }  ///< −∞ for 0
  std::optional<std::size_t> small() const;         ///< the number, where it fits a size_t

 private:
  std::optional<Wide> exact_;
  double log10_;
};

BigCount power(const BigCount& base, int exponent);
/// The number of monomials of degree t in D variables: C(D + t − 1, t).
BigCount monomials(const BigCount& D, int t);

}  // namespace mercer
