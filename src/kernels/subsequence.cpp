// The dynamic programme of Lodhi et al. 2002, §4, in O(length·|x|·|z|) time and O(|z|) memory for each
// length. With K′ₑ(i, j) the sum over words of e letters in the first i letters of x and j of z whose spans
// are counted up to i and j:
//   K′₀ = 1,
//   K″ₑ(i, j) = λ K″ₑ(i, j−1) + λ² K′ₑ₋₁(i−1, j−1) [xᵢ = zⱼ],
//   K′ₑ(i, j) = λ K′ₑ(i−1, j) + K″ₑ(i, j),
//   k = Σ_{i,j} λ² K′ₙ₋₁(i−1, j−1) [xᵢ = zⱼ].
#include "mercer/kernels/subsequence.hpp"

#include <fmt/format.h>

#include <vector>

#include "mercer/error.hpp"

namespace mercer {

namespace {

constexpr double most_steps = 1e10;

double value(std::string_view x, std::string_view z, int length, double decay) {
  const std::size_t n = z.size();
  const auto levels = std::size_t(length);
  // Row i of K′ₑ for e = 0 … length − 1, each n + 1 numbers; K′ of e needs that of e − 1 one letter of x
  // before.
  std::vector<double> rows(levels * (n + 1));
  for (std::size_t j = 0; j <= n; ++j) rows[j] = 1;
  double sum = 0;
  for (const char letter : x) {
    const double* last = rows.data() + (levels - 1) * (n + 1);
    for (std::size_t j = 1; j <= n; ++j)
      if (z[j - 1] == letter) sum += decay * decay * last[j - 1];
    // From above, so that row e − 1 is still the one of the letter before.
    for (std::size_t e = levels - 1; e >= 1; --e) {
      double* row = rows.data() + e * (n + 1);
      const double* below = row - (n + 1);
      double run = 0;  // K″
      for (std::size_t j = 1; j <= n; ++j) {
        run *= decay;
        if (z[j - 1] == letter) run += decay * decay * below[j - 1];
        row[j] = decay * row[j] + run;
      }
    }
  }
  return sum;
}

}  // namespace

void Subsequence::pairs(const Objects& x, Range rows, const Objects& z, Range columns, double* out) const {
  for (std::size_t i = rows.begin; i < rows.end; ++i)
    for (std::size_t j = columns.begin; j < columns.end; ++j) {
      const std::string_view a = x.texts()[i], b = z.texts()[j];
      const double steps = double(a.size()) * double(b.size()) * length;
      if (steps > most_steps)
        throw Error(
            ErrorCode::too_large,
            fmt::format("subsequence(length={}) of sequences of {} and {} letters takes {:.0e} steps", length,
                        a.size(), b.size(), steps),
            {.hint = fmt::format("at most {:.0e} are taken, so cut them or use spectrum, mismatch or gkm",
                                 most_steps)});
      *out++ = value(a, b, length, decay);
    }
}

}  // namespace mercer
