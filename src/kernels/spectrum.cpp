#include "mercer/kernels/spectrum.hpp"

namespace mercer {

void Spectrum::features(const Objects& x, std::size_t i, FeatureRow& out) const {
  const std::string_view text = x.texts()[i];
  const auto length = std::size_t(k);
  for (std::size_t at = 0; at + length <= text.size(); ++at)
    out.add(key_of(text.substr(at, length)), 1, {std::uint32_t(at), std::uint32_t(at + length)});
}

}  // namespace mercer
