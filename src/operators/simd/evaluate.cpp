#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "operators/simd/evaluate.cpp"
#include <hwy/foreach_target.h>  // compiles what follows once for each instruction set
#include <hwy/highway.h>
// after highway.h
#include <hwy/contrib/math/math-inl.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "operators/simd/evaluate.hpp"

HWY_BEFORE_NAMESPACE();
namespace mercer::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Highway's Exp is defined up to a bound only; beyond it the answer is +∞, and not a number stays so. Below
// the smallest normal number the answer is 0: subnormal ones cost a hundred times as much, and are nothing
// beside the diagonal of K.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V exp_or_infinity(D d, V x) {
  using T = hn::TFromD<D>;
  const V bound = hn::Set(d, sizeof(T) == 4 ? T(88.7228) : T(709.78));
  const auto normal = hn::Ge(x, hn::Set(d, sizeof(T) == 4 ? T(-87.3366) : T(-708.3965)));
  const V value = hn::IfThenElseZero(normal, hn::Exp(d, hn::IfThenElseZero(normal, hn::Min(x, bound))));
  const V infinity = hn::Set(d, std::numeric_limits<T>::infinity());
  return hn::IfThenElse(hn::Le(x, bound), value, hn::Add(x, infinity));
}

// As angle_of() (kernels/special_functions.hpp).
template <class D, class V = hn::Vec<D>>
HWY_INLINE V angle(D d, V cosine) {
  using T = hn::TFromD<D>;
  const V nearly_one = hn::Set(d, T(1) - angle_rounding<T>), pi = hn::Set(d, T(std::numbers::pi));
  const V theta = hn::Acos(d, hn::Min(hn::Abs(cosine), nearly_one));  // of the cosine without its sign
  const V within = hn::IfThenZeroElse(hn::Gt(hn::Abs(cosine), nearly_one), theta);
  return hn::IfThenElse(hn::Lt(cosine, hn::Zero(d)), hn::Sub(pi, within), within);
}

template <class T, class Function>
HWY_INLINE void each(std::size_t n, const T* a, T* out, Function f) {
  const hn::ScalableTag<T> d;
  for (std::size_t j = 0; j < n; j += hn::Lanes(d)) hn::StoreU(f(hn::LoadU(d, a + j)), d, out + j);
}

template <class T, class Function>
HWY_INLINE void each(std::size_t n, const T* a, const T* b, T* out, Function f) {
  const hn::ScalableTag<T> d;
  for (std::size_t j = 0; j < n; j += hn::Lanes(d))
    hn::StoreU(f(hn::LoadU(d, a + j), hn::LoadU(d, b + j)), d, out + j);
}

// max(0, u + v − 2a). Returns whether some result is below (u + v)/64, where six bits or more cancelled.
template <class T>
HWY_INLINE bool distances(std::size_t n, const T* a, T u, const T* v, T* out) {
  const hn::ScalableTag<T> d;
  const auto norm = hn::Set(d, u), minus_two = hn::Set(d, T(-2)), threshold = hn::Set(d, T(1) / 64);
  auto clear = hn::Eq(norm, norm);  // threshold·(u + v) ≤ distance so far; not where a norm overflowed
  for (std::size_t j = 0; j < n; j += hn::Lanes(d)) {
    const auto sum = hn::Add(norm, hn::LoadU(d, v + j));
    const auto distance = hn::MulAdd(minus_two, hn::LoadU(d, a + j), sum);
    clear = hn::And(clear, hn::Le(hn::Mul(threshold, sum), distance));
    hn::StoreU(hn::Max(distance, hn::Zero(d)), d, out + j);
  }
  return !hn::AllTrue(d, clear);
}

template <class T>
void mend_distances(const Row<T>& row, std::int32_t statistic, std::size_t first, std::size_t n, T u,
                    const T* v, T* distance) {
  for (std::size_t j = 0; j < n; ++j)
    if (!(distance[j] >= (u + v[j]) * (T(1) / 64)))
      distance[j] = row.exact_distance(row.context, statistic, first + j);
}

template <class T>
HWY_INLINE void run(const typename Bytecode<T>::Step& step, std::size_t n, const T* a, const T* b, T* out) {
  using Code = Formula::Code;
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  const V p = hn::Set(d, step.p), q = hn::Set(d, step.q), one = hn::Set(d, T(1));
  switch (step.code) {
    case Code::add:
      return each<T>(n, a, b, out, [](V x, V y) HWY_ATTR { return hn::Add(x, y); });
    case Code::subtract:
      return each<T>(n, a, b, out, [](V x, V y) HWY_ATTR { return hn::Sub(x, y); });
    case Code::multiply:
      return each<T>(n, a, b, out, [](V x, V y) HWY_ATTR { return hn::Mul(x, y); });
    case Code::divide:
      return each<T>(n, a, b, out, [](V x, V y) HWY_ATTR { return hn::Div(x, y); });
    case Code::minimum:
      return each<T>(n, a, b, out, [](V x, V y) HWY_ATTR { return hn::Min(x, y); });
    case Code::maximum:
      return each<T>(n, a, b, out, [](V x, V y) HWY_ATTR { return hn::Max(x, y); });
    case Code::affine:
      return each<T>(n, a, out, [=](V x) HWY_ATTR { return hn::MulAdd(p, x, q); });
    case Code::exp_affine:
      return each<T>(n, a, out, [=](V x) HWY_ATTR {
        return exp_or_infinity(hn::ScalableTag<T>(), hn::MulAdd(p, x, q));
      });
    case Code::log:
      return each<T>(n, a, out, [](V x) HWY_ATTR { return hn::Log(hn::ScalableTag<T>(), x); });
    case Code::sqrt:
      return each<T>(n, a, out, [](V x) HWY_ATTR { return hn::Sqrt(x); });
    case Code::tanh:
      return each<T>(n, a, out, [](V x) HWY_ATTR { return hn::Tanh(hn::ScalableTag<T>(), x); });
    case Code::acos:
      return each<T>(n, a, out, [](V x) HWY_ATTR { return angle(hn::ScalableTag<T>(), x); });
    case Code::bessel:  // one by one
      for (std::size_t j = 0; j < n; ++j) out[j] = T((*step.matern)(double(a[j])));
      return;
    case Code::is_zero:
      return each<T>(n, a, out, [=](V x) HWY_ATTR {
        return hn::IfThenElseZero(hn::Eq(x, hn::Zero(hn::ScalableTag<T>())), one);
      });
    case Code::statistic:
    case Code::row_value:
    case Code::column_value:
    case Code::constant:
    case Code::squared_distance:
      return;  // not steps of this kind
  }
}

template <class T>
class Evaluation {
 public:
  Evaluation(const Bytecode<T>& bytecode, const Row<T>& row, T* registers)
      : bytecode_(bytecode),
        row_(row),
        registers_(registers),
        spare_(registers + block * bytecode.registers) {
    for (const auto& fill : bytecode.fills) {
      const T value = fill.constant ? fill.p : row.row_values[fill.row_value];
      std::fill_n(registers_ + block * fill.target, std::min(block, padded(row.n)), value);
    }
  }

  void operator()() {
    for (std::size_t first = 0; first < row_.n; first += block) {
      const std::size_t n = std::min(block, row_.n - first);
      T* const out = row_.out + first;
      const T* result = run_block(first, n, padded(n) == n ? out : nullptr);
      if (result != out) std::copy_n(result, n, out);
    }
  }

  // The numbers of one block; the last step writes them to `out` where it is given.
  const T* run_block(std::size_t first, std::size_t n, T* out) {
    const std::size_t vectors = padded(n);
    if (bytecode_.steps.empty()) return operand(bytecode_.result, first, n, spare_);
    T* target = nullptr;
    elsewhere_ = nullptr;
    for (const auto& step : bytecode_.steps) {
      const bool last = &step == &bytecode_.steps.back();
      target = out && last ? out : registers_ + block * step.target;
      const T* a = operand(step.a, first, n, spare_);
      if (step.code == Formula::Code::squared_distance && row_.direct && row_.direct[step.a.number]) {
        if (vectors == n && !last && !elsewhere_) {  // not copied: read where it is
          elsewhere_ = a;
          moved_ = step.target;
          continue;
        }
        std::copy_n(a, vectors, target);
      } else if (step.code == Formula::Code::squared_distance) {
        const T norm = row_.row_values[step.norm];
        const T* norms = operand({Bytecode<T>::Place::column_value, step.norm}, first, n, spare_ + block);
        if (distances<T>(vectors, a, norm, norms, target) && row_.exact_distance)
          mend_distances<T>(row_, step.a.number, first, n, norm, norms, target);
      } else {
        const bool two = Formula::Operation{.code = step.code}.has_second_operand();
        run<T>(step, vectors, a, two ? operand(step.b, first, n, spare_ + block) : a, target);
      }
      if (step.target == moved_) elsewhere_ = nullptr;
    }
    return target;
  }

 private:
  static std::size_t padded(std::size_t n) {
    const std::size_t lanes = hn::Lanes(hn::ScalableTag<T>());
    return (n + lanes - 1) / lanes * lanes;
  }

  // An operand's numbers in this block. Inputs whose last vector would reach past their end are copied first.
  const T* operand(typename Bytecode<T>::Source source, std::size_t first, std::size_t n, T* copy) const {
    using Place = typename Bytecode<T>::Place;
    if (source.place == Place::reg)
      return elsewhere_ && source.number == moved_ ? elsewhere_ : registers_ + block * source.number;
    const T* values =
        (source.place == Place::statistic ? row_.statistics : row_.column_values)[source.number] + first;
    if (padded(n) == n) return values;
    std::copy_n(values, n, copy);
    std::fill_n(copy + n, padded(n) - n, T(0));
    return copy;
  }

  const Bytecode<T>& bytecode_;
  const Row<T>& row_;
  T* registers_;
  T* spare_;                      // two blocks
  const T* elsewhere_ = nullptr;  // where the numbers of the register `moved_` are
  std::int32_t moved_ = -1;
};

template <class T>
void sum_coordinates(const Bytecode<T>& bytecode, const CoordinateRow<T>& row, T* registers) {
  T* const total = registers + block * (bytecode.registers + 2);
  for (std::size_t first = 0; first < row.n; first += block) {
    std::fill_n(total, block, T(0));
    for (std::size_t k = 0; k < row.d; ++k) {
      const T* z = row.z + k * row.stride + first;
      const Row<T> one{.row_values = row.x + k, .column_values = &z, .n = block};
      const T* term = Evaluation<T>(bytecode, one, registers).run_block(0, block, nullptr);
      each<T>(block, total, term, total, [](auto x, auto y) HWY_ATTR { return hn::Add(x, y); });
    }
    std::copy_n(total, std::min(block, row.n - first), row.out + first);
  }
}

template <class T>
void sum_squared_differences(const CoordinateRow<T>& row) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t j = 0; j < row.n; j += lanes) {
    auto sum = hn::Zero(d);
    for (std::size_t k = 0; k < row.d; ++k) {
      const auto difference = hn::Sub(hn::Set(d, row.x[k]), hn::LoadU(d, row.z + k * row.stride + j));
      sum = hn::MulAdd(difference, difference, sum);
    }
    if (j + lanes <= row.n) {
      hn::StoreU(sum, d, row.out + j);
    } else {
      HWY_ALIGN T last[HWY_MAX_BYTES / sizeof(T)];
      hn::Store(sum, d, last);
      std::copy_n(last, row.n - j, row.out + j);
    }
  }
}

template <class T>
bool all_finite(const T* values, std::size_t n) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  auto zero = hn::Zero(d);  // x − x is 0 unless x is ±∞ or NaN
  std::size_t j = 0;
  for (; j + lanes <= n; j += lanes) {
    const auto x = hn::LoadU(d, values + j);
    zero = hn::Add(zero, hn::Sub(x, x));
  }
  bool finite = hn::AllTrue(d, hn::Eq(zero, hn::Zero(d)));
  for (; j < n; ++j) finite = finite && std::isfinite(values[j]);
  return finite;
}

template <class T>
void look_up(const Distances& row, const T* table, T* out) {
  const hn::ScalableTag<T> d;
  const hn::RebindToSigned<decltype(d)> places;
  const hn::Rebind<std::int32_t, decltype(d)> whole;
  const auto load = [&](const std::int32_t* from) HWY_ATTR {
    if constexpr (sizeof(T) == 4)
      return hn::LoadU(whole, from);
    else
      return hn::PromoteTo(places, hn::LoadU(whole, from));
  };
  const std::size_t lanes = hn::Lanes(d);
  const auto own = hn::Set(places, row.row_term);
  std::size_t j = 0;
  for (; j + lanes <= row.n; j += lanes) {
    const auto product = load(row.products + j);
    const auto place = hn::Sub(hn::Add(own, load(row.column_terms + j)), hn::Add(product, product));
    hn::StoreU(hn::GatherIndex(d, table, place), d, out + j);
  }
  for (; j < row.n; ++j) out[j] = table[row.row_term + row.column_terms[j] - 2 * row.products[j]];
}

const Functions& table() {
  static const Functions all{
      .evaluate_f32 = [](const Bytecode<float>& p, const Row<float>& r, float* s)
                          HWY_ATTR { Evaluation<float>(p, r, s)(); },
      .evaluate_f64 = [](const Bytecode<double>& p, const Row<double>& r, double* s)
                          HWY_ATTR { Evaluation<double>(p, r, s)(); },
      .sum_f32 = &sum_coordinates<float>,
      .sum_f64 = &sum_coordinates<double>,
      .finite_f32 = &all_finite<float>,
      .finite_f64 = &all_finite<double>,
      .distances_f32 = &sum_squared_differences<float>,
      .distances_f64 = &sum_squared_differences<double>,
      .look_up_f32 = &look_up<float>,
      .look_up_f64 = &look_up<double>,
  };
  return all;
}

}  // namespace mercer::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mercer::simd {

MERCER_SIMD_TABLE(table);

const Functions& functions(const std::string& instruction_set) {
  return HWY_DISPATCH_TABLE(table)[table_index(instruction_set)]();
}

const Functions& functions() { return HWY_DISPATCH_TABLE(table)[table_index()](); }

}  // namespace mercer::simd
#endif
