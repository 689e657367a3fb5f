#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "operators/simd/gaussian_tile.cpp"
#include <hwy/foreach_target.h>  // compiles what follows once for each instruction set
#include <hwy/highway.h>

#include "operators/simd/gaussian_tile.hpp"
#include "base/simd/targets.hpp"
#include "mercer/buffer.hpp"

HWY_BEFORE_NAMESPACE();
namespace mercer::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr double to_binary = 1.4426950408889634074;  // log₂ e

// 2^f = 1 + f·(c₁ + c₂f + …) on [−½, ½], interpolated at Chebyshev's points: within 5e-9 and 8e-18.
template <class T>
struct PowerOfTwo;
template <>
struct PowerOfTwo<float> {
  static constexpr float coefficients[] = {0.6931471880262288F,    0.24022650760568126F,
                                           0.05550357114219078F,   0.009618082557277852F,
                                           0.0013390863364671234F, 0.0001545316294512069F};
  static constexpr float to_whole = 0x1.8p23F, lowest = -125;
  static constexpr int mantissa = 23;
};
template <>
struct PowerOfTwo<double> {
  static constexpr double coefficients[] = {
      0.6931471805599453,     0.24022650695910097,   0.0555041086648216,    0.009618129107606888,
      0.0013333558146416936,  0.0001540353044173605, 1.525273382983612e-05, 1.321544258792169e-06,
      1.0178062445845774e-07, 7.072585949269223e-09, 4.4549605981865186e-10};
  static constexpr double to_whole = 0x1.8p52, lowest = -1021;
  static constexpr int mantissa = 52;
};

// 2^t for t ≤ 126; 0 below the smallest normal numbers, whatever the arithmetic gives there.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V power_of_two(D d, V t) {
  using Of = PowerOfTwo<hn::TFromD<D>>;
  const hn::RebindToSigned<D> bits;
  const V lowest = hn::Set(d, Of::lowest), to_whole = hn::Set(d, Of::to_whole);
  const V shifted = hn::Add(t, to_whole);  // its last bits are the whole number
  const V f = hn::Sub(t, hn::Sub(shifted, to_whole));
  constexpr std::size_t degree = sizeof(Of::coefficients) / sizeof(Of::coefficients[0]);
  V sum = hn::Set(d, Of::coefficients[degree - 1]);
  HWY_UNROLL(11)
  for (std::size_t k = degree - 1; k > 0; --k) sum = hn::MulAdd(sum, f, hn::Set(d, Of::coefficients[k - 1]));
  sum = hn::MulAdd(sum, f, hn::Set(d, hn::TFromD<D>(1)));
  const auto exponent = hn::ShiftLeft<Of::mantissa>(hn::BitCast(bits, shifted));
  return hn::IfThenElseZero(hn::Ge(t, lowest), hn::BitCast(d, hn::Add(hn::BitCast(bits, sum), exponent)));
}

// One row with one vector of a panel.
template <class D, class V = hn::Vec<D>, class T = hn::TFromD<D>>
HWY_INLINE V summed_distance(D tag, const T* x, std::size_t d, const T* panel, std::size_t width) {
  V sum = hn::Zero(tag);
  for (std::size_t k = 0; k < d; ++k) {
    const V difference = hn::Sub(hn::Set(tag, x[k]), hn::Load(tag, panel + k * width));
    sum = hn::MulAdd(difference, difference, sum);
  }
  return sum;
}

// Columns from `begin` on, coordinate by coordinate (or word by word), as many as two vectors hold; those
// beyond `count` are 0.
template <class T>
struct Panel {
  std::size_t begin, count;
  const T *coordinates, *norms;
  const std::uint32_t* words;
};

// Numbers of `rows` rows and a panel: squared distances, then values of the kernel.
template <class T, std::size_t rows>
struct Numbers {
  hn::Vec<hn::ScalableTag<T>> first[rows], second[rows];
};

// What becomes of the values of the rows from the i-th on and a panel: they are stored …
template <class T>
struct Rows {
  T* const* out;

  template <std::size_t rows>
  HWY_INLINE void take(std::size_t i, const Numbers<T, rows>& values, const Panel<T>& panel) const {
    HWY_UNROLL(6)
    for (std::size_t r = 0; r < rows; ++r) store(out[i + r], values.first[r], values.second[r], panel);
  }

  template <class V = hn::Vec<hn::ScalableTag<T>>>
  static HWY_INLINE void store(T* out, V first, V second, const Panel<T>& panel) {
    const hn::ScalableTag<T> tag;
    const std::size_t lanes = hn::Lanes(tag);
    T* const row = out + panel.begin;
    if (HWY_LIKELY(panel.count == 2 * lanes)) {
      hn::StoreU(first, tag, row);
      hn::StoreU(second, tag, row + lanes);
      return;
    }
    HWY_ALIGN T both[2 * HWY_MAX_BYTES / sizeof(T)];
    hn::Store(first, tag, both);
    hn::Store(second, tag, both + lanes);
    for (std::size_t c = 0; c < panel.count; ++c) row[c] = both[c];
  }
};

using Doubles = hn::ScalableTag<double>;

HWY_INLINE void add_to(double* sums, hn::Vec<Doubles> t, hn::Vec<Doubles> values) {
  hn::Store(hn::MulAdd(t, values, hn::Load(Doubles(), sums)), Doubles(), sums);
}
HWY_INLINE void add_to(double* sums, hn::Vec<Doubles> t, hn::Vec<hn::ScalableTag<float>> values) {
  const hn::ScalableTag<float> d;
  HWY_ALIGN float all[HWY_MAX_BYTES / sizeof(float)];
  hn::Store(values, d, all);
  for (std::size_t lane = 0; lane < hn::Lanes(d); lane += hn::Lanes(Doubles()))
    add_to(sums + lane, t, hn::PromoteTo(Doubles(), hn::Load(hn::Rebind<float, Doubles>(), all + lane)));
}

// … or added up, each times a number of its row …
template <class T>
struct Sums {
  const double* t;
  double* of_panel;  // as many as a panel has columns, aligned

  template <std::size_t rows>
  HWY_INLINE void take(std::size_t i, const Numbers<T, rows>& values, const Panel<T>&) const {
    const hn::ScalableTag<T> tag;
    const std::size_t lanes = hn::Lanes(tag);
    if constexpr (sizeof(T) == 4) {  // a few values are good to float32's digits, and so is their sum
      auto first = hn::Zero(tag), second = first;
      HWY_UNROLL(6) for (std::size_t r = 0; r < rows; ++r) {
        const auto factor = hn::Set(tag, T(t[i + r]));
        first = hn::MulAdd(factor, values.first[r], first);
        second = hn::MulAdd(factor, values.second[r], second);
      }
      const auto one = hn::Set(Doubles(), 1.0);
      add_to(of_panel, one, first);
      add_to(of_panel + lanes, one, second);
    } else {
      HWY_UNROLL(6) for (std::size_t r = 0; r < rows; ++r) {
        const auto factor = hn::Set(Doubles(), t[i + r]);
        add_to(of_panel, factor, values.first[r]);
        add_to(of_panel + lanes, factor, values.second[r]);
      }
    }
  }
};

HWY_INLINE hn::Vec<Doubles> weighted(const double* s, hn::Vec<Doubles> values, hn::Vec<Doubles> sum) {
  return hn::MulAdd(hn::Load(Doubles(), s), values, sum);
}
HWY_INLINE hn::Vec<Doubles> weighted(const double* s, hn::Vec<hn::ScalableTag<float>> values,
                                     hn::Vec<Doubles> sum) {
  const hn::ScalableTag<float> d;
  HWY_ALIGN float all[HWY_MAX_BYTES / sizeof(float)];
  hn::Store(values, d, all);
  for (std::size_t lane = 0; lane < hn::Lanes(d); lane += hn::Lanes(Doubles()))
    sum =
        weighted(s + lane, hn::PromoteTo(Doubles(), hn::Load(hn::Rebind<float, Doubles>(), all + lane)), sum);
  return sum;
}

// … or both that and, each times a number of its column, to sums of the rows …
template <class T>
struct BothSums {
  Sums<T> down;
  const double* s;  // of the panel's columns, aligned; 0 beyond the last
  double* of_rows;  // a vector of doubles for each row, aligned

  template <std::size_t rows>
  HWY_INLINE void take(std::size_t i, const Numbers<T, rows>& values, const Panel<T>& panel) const {
    const Doubles d;
    down.take(i, values, panel);
    HWY_UNROLL(6) for (std::size_t r = 0; r < rows; ++r) {
      double* const to = of_rows + (i + r) * hn::Lanes(d);
      const auto first = weighted(s, values.first[r], hn::Load(d, to));
      hn::Store(weighted(s + hn::Lanes(hn::ScalableTag<T>()), values.second[r], first), d, to);
    }
  }
};

// … or times several, for as many sums.
template <class T>
struct SeveralSums {
  const T* V;  // rows × width
  std::size_t width;
  T* of_panel;  // width × as many as a panel has columns, aligned

  template <std::size_t rows>
  HWY_INLINE void take(std::size_t i, const Numbers<T, rows>& values, const Panel<T>&) const {
    const hn::ScalableTag<T> tag;
    const std::size_t lanes = hn::Lanes(tag);
    for (std::size_t c = 0; c < width; ++c) {
      T* const to = of_panel + 2 * lanes * c;
      auto first = hn::Load(tag, to), second = hn::Load(tag, to + lanes);
      HWY_UNROLL(6) for (std::size_t r = 0; r < rows; ++r) {
        const auto factor = hn::Set(tag, V[(i + r) * width + c]);
        first = hn::MulAdd(factor, values.first[r], first);
        second = hn::MulAdd(factor, values.second[r], second);
      }
      hn::Store(first, tag, to);
      hn::Store(second, tag, to + lanes);
    }
  }
};

// The squared distances of `rows` rows from the i-th on and a panel: Σ(x − z)² …
struct Summed {
  template <std::size_t rows, class T>
  static HWY_INLINE Numbers<T, rows> distances(const GaussianTile<T>& t, std::size_t i,
                                               const Panel<T>& panel) {
    const hn::ScalableTag<T> tag;
    using V = hn::Vec<decltype(tag)>;
    const std::size_t lanes = hn::Lanes(tag), d = t.d;
    const T *x = t.x + i * d, *z = panel.coordinates;
    Numbers<T, rows> sums;
    HWY_UNROLL(6) for (std::size_t r = 0; r < rows; ++r) sums.first[r] = sums.second[r] = hn::Zero(tag);
    for (std::size_t k = 0; k < d; ++k) {
      const V z0 = hn::Load(tag, z + 2 * lanes * k), z1 = hn::Load(tag, z + 2 * lanes * k + lanes);
      HWY_UNROLL(6) for (std::size_t r = 0; r < rows; ++r) {
        const V own = hn::Set(tag, x[r * d + k]), a = hn::Sub(own, z0), b = hn::Sub(own, z1);
        sums.first[r] = hn::MulAdd(a, a, sums.first[r]);
        sums.second[r] = hn::MulAdd(b, b, sums.second[r]);
      }
    }
    return sums;
  }
};

// … ‖x‖² + ‖z‖² − 2xᵀz …
struct Expanded {
  template <std::size_t rows, class T>
  static HWY_INLINE Numbers<T, rows> distances(const GaussianTile<T>& t, std::size_t i,
                                               const Panel<T>& panel) {
    const hn::ScalableTag<T> tag;
    using V = hn::Vec<decltype(tag)>;
    const std::size_t lanes = hn::Lanes(tag), d = t.d;
    const T *x = t.x + i * d, *z = panel.coordinates;
    Numbers<T, rows> sums;
    HWY_UNROLL(6) for (std::size_t r = 0; r < rows; ++r) sums.first[r] = sums.second[r] = hn::Zero(tag);
    for (std::size_t k = 0; k < d; ++k) {
      const V z0 = hn::Load(tag, z + 2 * lanes * k), z1 = hn::Load(tag, z + 2 * lanes * k + lanes);
      HWY_UNROLL(6) for (std::size_t r = 0; r < rows; ++r) {
        const V own = hn::Set(tag, x[r * d + k]);
        sums.first[r] = hn::MulAdd(own, z0, sums.first[r]);
        sums.second[r] = hn::MulAdd(own, z1, sums.second[r]);
      }
    }
    const V norms0 = hn::Load(tag, panel.norms), norms1 = hn::Load(tag, panel.norms + lanes),
            minus_two = hn::Set(tag, T(-2)), threshold = hn::Set(tag, T(1) / 64);
    HWY_UNROLL(6) for (std::size_t r = 0; r < rows; ++r) {
      V &first = sums.first[r], &second = sums.second[r];
      const V own = hn::Set(tag, t.row_norms[i + r]);
      const V sum0 = hn::Add(own, norms0), sum1 = hn::Add(own, norms1);
      first = hn::MulAdd(minus_two, first, sum0);
      second = hn::MulAdd(minus_two, second, sum1);
      const auto clear0 = hn::Ge(first, hn::Mul(threshold, sum0)),
                 clear1 = hn::Ge(second, hn::Mul(threshold, sum1));
      if (HWY_UNLIKELY(!hn::AllTrue(tag, hn::And(clear0, clear1)))) {
        first = hn::IfThenElse(clear0, first, summed_distance(tag, x + r * d, d, z, 2 * lanes));
        second = hn::IfThenElse(clear1, second, summed_distance(tag, x + r * d, d, z + lanes, 2 * lanes));
      }
    }
    return sums;
  }
};

// … or, of points of zeros and ones, the number of bits in which they differ.
struct Counted {
  template <std::size_t rows, class T>
  static HWY_INLINE Numbers<T, rows> distances(const GaussianTile<T>& t, std::size_t i,
                                               const Panel<T>& panel) {
    const hn::ScalableTag<T> tag;
    const hn::Rebind<std::uint32_t, decltype(tag)> bits;
    using V = hn::Vec<decltype(bits)>;
    const std::size_t lanes = hn::Lanes(tag), w = t.words;
    const std::uint32_t *x = t.x_bits + i * w, *z = panel.words;
    V first[rows], second[rows];
    HWY_UNROLL(6) for (std::size_t r = 0; r < rows; ++r) first[r] = second[r] = hn::Zero(bits);
    for (std::size_t k = 0; k < w; ++k) {
      const V z0 = hn::Load(bits, z + 2 * lanes * k), z1 = hn::Load(bits, z + 2 * lanes * k + lanes);
      HWY_UNROLL(6) for (std::size_t r = 0; r < rows; ++r) {
        const V own = hn::Set(bits, x[r * w + k]);
        first[r] = hn::Add(first[r], hn::PopulationCount(hn::Xor(own, z0)));
        second[r] = hn::Add(second[r], hn::PopulationCount(hn::Xor(own, z1)));
      }
    }
    const hn::RebindToSigned<decltype(bits)> whole;
    const auto number = [&](V count) HWY_ATTR {
      if constexpr (sizeof(T) == 4)
        return hn::ConvertTo(tag, hn::BitCast(whole, count));
      else
        return hn::PromoteTo(tag, hn::BitCast(whole, count));
    };
    Numbers<T, rows> squares;
    HWY_UNROLL(6) for (std::size_t r = 0; r < rows; ++r) {
      squares.first[r] = number(first[r]);
      squares.second[r] = number(second[r]);
    }
    return squares;
  }
};

template <std::size_t rows, class Way, class T, class Out>
HWY_INLINE void rows_with_panel(const GaussianTile<T>& t, std::size_t i, const Panel<T>& panel,
                                const Out& out) {
  const hn::ScalableTag<T> tag;
  Numbers<T, rows> numbers = Way::template distances<rows>(t, i, panel);
  const auto scale = hn::Set(tag, T(double(t.p) * to_binary)),
             shift = hn::Set(tag, T(double(t.q) * to_binary));
  HWY_UNROLL(6) for (std::size_t r = 0; r < rows; ++r) {
    numbers.first[r] = power_of_two(tag, hn::MulAdd(scale, numbers.first[r], shift));
    numbers.second[r] = power_of_two(tag, hn::MulAdd(scale, numbers.second[r], shift));
  }
  out.take(i, numbers, panel);
}

constexpr std::size_t step = 6;  // with two vectors each: as many sums as the smallest register file holds

template <class Way, class T, class Out>
HWY_INLINE void all_rows(const GaussianTile<T>& t, const Panel<T>& panel, const Out& out) {
  std::size_t i = 0;
  for (; i + step <= t.rows; i += step) rows_with_panel<step, Way>(t, i, panel, out);
  switch (t.rows - i) {
    case 5:
      return rows_with_panel<5, Way>(t, i, panel, out);
    case 4:
      return rows_with_panel<4, Way>(t, i, panel, out);
    case 3:
      return rows_with_panel<3, Way>(t, i, panel, out);
    case 2:
      return rows_with_panel<2, Way>(t, i, panel, out);
    case 1:
      return rows_with_panel<1, Way>(t, i, panel, out);
  }
}

// `count` points from the first on, `depth` numbers each, turned so that two vectors hold a number of all.
template <class N>
HWY_INLINE void turn_panel(const N* points, std::size_t count, std::size_t depth, std::size_t width,
                           N* panel) {
  if (count < width)
    for (std::size_t e = 0; e < width * depth; ++e) panel[e] = N(0);
  for (std::size_t c = 0; c < count; ++c)
    for (std::size_t k = 0; k < depth; ++k) panel[k * width + c] = points[c * depth + k];
}

template <class T, class Out>
HWY_INLINE void with_panel(const GaussianTile<T>& t, const Panel<T>& panel, const Out& out) {
  if (t.x_bits)
    all_rows<Counted>(t, panel, out);
  else if (t.direct)
    all_rows<Summed>(t, panel, out);
  else
    all_rows<Expanded>(t, panel, out);
}

template <class T, class Take>
HWY_INLINE void for_each_panel(const GaussianTile<T>& t, Take take) {
  const std::size_t width = 2 * hn::Lanes(hn::ScalableTag<T>());
  Buffer<T> coordinates(t.x_bits || t.panels ? 0 : width * t.d), norms(width);
  Buffer<std::uint32_t> words(t.x_bits ? width * t.words : 0);
  for (std::size_t begin = 0; begin < t.columns; begin += width) {
    const std::size_t count = t.columns - begin < width ? t.columns - begin : width;
    if (t.x_bits)
      turn_panel(t.z_bits + begin * t.words, count, t.words, width, words.data());
    else if (!t.panels)
      turn_panel(t.z + begin * t.d, count, t.d, width, coordinates.data());
    if (!t.x_bits && !t.direct) turn_panel(t.column_norms + begin, count, 1, width, norms.data());
    const T* const panel = t.panels ? t.panels + begin * t.d : coordinates.data();
    take(Panel<T>{begin, count, panel, norms.data(), words.data()});
  }
}

template <class T>
std::size_t panel_columns() {
  return 2 * hn::Lanes(hn::ScalableTag<T>());
}

template <class T>
void turn(const T* z, std::size_t columns, std::size_t d, T* panels) {
  const std::size_t width = panel_columns<T>();
  for (std::size_t begin = 0; begin < columns; begin += width)
    turn_panel(z + begin * d, columns - begin < width ? columns - begin : width, d, width,
               panels + begin * d);
}

template <class T>
void fill(const GaussianTile<T>& t, T* const* out) {
  for_each_panel(t, [&](const Panel<T>& panel) HWY_ATTR { with_panel(t, panel, Rows<T>{out}); });
}

template <class T>
void count(const GaussianTile<T>& t, T* const* out) {
  for_each_panel(t, [&](const Panel<T>& panel) HWY_ATTR {
    for (std::size_t i = 0; i < t.rows; ++i) {
      const auto squares = Counted::distances<1>(t, i, panel);
      Rows<T>{out}.take(i, squares, panel);
    }
  });
}

template <class T>
void add(const GaussianTile<T>& t, const double* factors, double* sums) {
  HWY_ALIGN double own[2 * HWY_MAX_BYTES / sizeof(T)];
  for_each_panel(t, [&](const Panel<T>& panel) HWY_ATTR {
    turn_panel(sums + panel.begin, panel.count, 1, 2 * hn::Lanes(hn::ScalableTag<T>()), own);
    with_panel(t, panel, Sums<T>{factors, own});
    for (std::size_t c = 0; c < panel.count; ++c) sums[panel.begin + c] = own[c];
  });
}

template <class T>
void add_both(const GaussianTile<T>& t, const double* factors, double* sums, const double* s,
              double* row_sums) {
  const Doubles d;
  const std::size_t width = panel_columns<T>();
  HWY_ALIGN double own[2 * HWY_MAX_BYTES / sizeof(T)], own_s[2 * HWY_MAX_BYTES / sizeof(T)];
  Buffer<double> of_rows(t.rows * hn::Lanes(d));
  for (std::size_t e = 0; e < of_rows.size(); ++e) of_rows.data()[e] = 0;
  for_each_panel(t, [&](const Panel<T>& panel) HWY_ATTR {
    turn_panel(sums + panel.begin, panel.count, 1, width, own);
    turn_panel(s + panel.begin, panel.count, 1, width, own_s);
    with_panel(t, panel, BothSums<T>{{factors, own}, own_s, of_rows.data()});
    for (std::size_t c = 0; c < panel.count; ++c) sums[panel.begin + c] = own[c];
  });
  for (std::size_t i = 0; i < t.rows; ++i)
    row_sums[i] += hn::GetLane(hn::SumOfLanes(d, hn::Load(d, of_rows.data() + i * hn::Lanes(d))));
}

// So few that float32 loses no digit by which its values are good.
constexpr std::size_t rows_summed_at_once = 6 * step;

template <class T>
void add_several(const GaussianTile<T>& t, const T* V, std::size_t width, double* sums, std::size_t stride) {
  const std::size_t panel_width = panel_columns<T>();
  Buffer<T> own(width * panel_width);
  for_each_panel(t, [&](const Panel<T>& panel) HWY_ATTR {
    for (std::size_t first = 0; first < t.rows; first += rows_summed_at_once) {
      GaussianTile<T> some = t;
      some.rows = t.rows - first < rows_summed_at_once ? t.rows - first : rows_summed_at_once;
      if (t.x_bits) {
        some.x_bits += first * t.words;
      } else {
        some.x += first * t.d;
        if (!t.direct) some.row_norms += first;
      }
      for (std::size_t e = 0; e < width * panel_width; ++e) own.data()[e] = T(0);
      with_panel(some, panel, SeveralSums<T>{V + first * width, width, own.data()});
      for (std::size_t c = 0; c < width; ++c)
        for (std::size_t j = 0; j < panel.count; ++j)
          sums[c * stride + panel.begin + j] += double(own.data()[c * panel_width + j]);
    }
  });
}

const GaussianTiles<float>& gaussian_f32() {
  static const GaussianTiles<float> all{.panel_columns = &panel_columns<float>,
                                        .turn = &turn<float>,
                                        .fill = &fill<float>,
                                        .count = &count<float>,
                                        .add = &add<float>,
                                        .add_both = &add_both<float>,
                                        .add_several = &add_several<float>};
  return all;
}
const GaussianTiles<double>& gaussian_f64() {
  static const GaussianTiles<double> all{.panel_columns = &panel_columns<double>,
                                         .turn = &turn<double>,
                                         .fill = &fill<double>,
                                         .count = &count<double>,
                                         .add = &add<double>,
                                         .add_both = &add_both<double>,
                                         .add_several = &add_several<double>};
  return all;
}

}  // namespace mercer::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mercer::simd {

MERCER_SIMD_ACCESS(gaussian_tiles, gaussian_f32, gaussian_f64);

}  // namespace mercer::simd
#endif
