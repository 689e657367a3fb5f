#include "solvers/band_form.hpp"

#include <algorithm>
#include <cmath>

#include "base/blas.hpp"
#include "base/parallel.hpp"
#include "base/random.hpp"
#include "solvers/simd/thin_product.hpp"

namespace mercer {

namespace {

constexpr std::size_t w = band_width, square = w * w;
static_assert(w == simd::thin_columns);
constexpr std::size_t band_tile = 512;    // of A: a multiple of w
constexpr std::size_t panels_joined = 8;  // of which Q is made at a time
constexpr std::size_t columns_of_q = 1280;
// Panels go on in float64 while the largest diagonal entry of a block falls to this share of the one before.
constexpr double falls_fast = 0.8;
constexpr std::size_t most_float64_panels = 16;

// Parts of rows [begin, n) that end where tiles do.
struct TileParts {
  std::size_t begin, n;
  std::size_t count() const { return (n + band_tile - 1) / band_tile - begin / band_tile; }
  std::size_t first(std::size_t part) const {
    return std::max(begin, (begin / band_tile + part) * band_tile);
  }
  std::size_t end(std::size_t part) const { return std::min(n, (begin / band_tile + part + 1) * band_tile); }
};

}  // namespace

// What one panel needs: m rows, w columns.
template <class T>
template <class W>
struct BandForm<T>::Panel {
  explicit Panel(std::size_t n)
      : columns(n * w), V(n * w), X(n * w), VX(2 * n * w), XV(2 * n * w), R(square), T_(square) {}
  std::vector<W> columns;  // w × m: the panel by columns, then its reflections
  std::vector<W> V, X;     // m × w
  std::vector<W> VX, XV;   // m × 2w
  std::vector<W> R, T_;    // w × w

  // The panel from m rows of w numbers, `stride` apart.
  void take(const W* rows, std::size_t stride, std::size_t m) {
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t k = 0; k < w; ++k) columns[k * m + i] = rows[i * stride + k];
  }

  // columns = (I − V T Vᵀ)(R; 0) by Householder reflections; columns becomes Vᵀ.
  void factor(std::size_t m) {
    const SingleThreadedBlas one_thread;
    reflections(m);
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t k = 0; k < w; ++k) V[i * w + k] = columns[k * m + i];
  }

  // (I − V T Vᵀ)(I; 0), m × w: the columns made orthonormal.
  void orthonormal(W* out, std::size_t m) const {
    const SingleThreadedBlas one_thread;
    std::vector<W> turned(square);
    gemm<W>(CblasNoTrans, CblasTrans, w, w, w, 1, T_.data(), w, V.data(), w, 0, turned.data(), w);
    gemm<W>(CblasNoTrans, CblasNoTrans, m, w, w, -1, V.data(), w, turned.data(), w, 0, out, w);
    for (std::size_t k = 0; k < w; ++k) out[k * w + k] += 1;
  }

  void reflections(std::size_t m) {
    std::ranges::fill(R, W(0)), std::ranges::fill(T_, W(0));
    std::vector<W> along(w), turned(w);
    for (std::size_t k = 0; k < w; ++k) {
      W* a = columns.data() + k * m;
      const std::size_t before = std::min(k, m);
      if (before > 0) {
        gemv(CblasNoTrans, before, m, 1, columns.data(), m, a, 1, 0, along.data(), 1);
        for (std::size_t i = 0; i < before; ++i) {
          turned[i] = 0;
          for (std::size_t j = 0; j <= i; ++j) turned[i] += T_[j * w + i] * along[j];
        }
        gemv(CblasTrans, before, m, -1, columns.data(), m, turned.data(), 1, 1, a, 1);
        for (std::size_t i = 0; i < before; ++i) R[i * w + k] = a[i];
      }
      if (k < m) reflect_column(a, m, k, along);
    }
  }

  // v with (I − τvvᵀ)a = βe_k below row k, and its column of T.
  void reflect_column(W* a, std::size_t m, std::size_t k, std::vector<W>& along) {
    double squares = 0;
    for (std::size_t i = k + 1; i < m; ++i) squares += double(a[i]) * double(a[i]);
    const double alpha = double(a[k]), norm = std::sqrt(alpha * alpha + squares);
    const bool whole = squares > 0;
    const double beta = !whole ? alpha : alpha >= 0 ? -norm : norm;
    const double tau = whole ? (beta - alpha) / beta : 0, scale = whole ? 1 / (alpha - beta) : 0;
    for (std::size_t i = k + 1; i < m; ++i) a[i] = W(double(a[i]) * scale);
    R[k * w + k] = W(beta);
    std::fill_n(a, k, W(0));
    a[k] = 1;
    T_[k * w + k] = W(tau);
    if (k == 0) return;
    gemv(CblasNoTrans, k, m, 1, columns.data(), m, a, 1, 0, along.data(), 1);
    for (std::size_t i = 0; i < k; ++i) {
      W sum = 0;
      for (std::size_t j = i; j < k; ++j) sum += T_[i * w + j] * along[j];
      T_[i * w + k] = W(-tau) * sum;
    }
  }
};

namespace {

// X = A[begin.., begin..]·V of the lower half, with whole tiles on the diagonal; n − begin rows, w columns.
template <class W>
void symmetric_product(const W* A, std::size_t n, std::size_t begin, const W* V, W* X, int threads) {
  const TileParts parts{begin, n};
  parallel_for(parts.count(), threads, [&](std::size_t part) {
    const std::size_t first = parts.first(part), end = parts.end(part), rows = end - first;
    W* out = X + (first - begin) * w;
    std::fill_n(out, rows * w, W(0));
    const auto& products = simd::thin_products<W>();
    products.add(A + first * n + begin, n, rows, end - begin, V, out);
    products.add_transposed(A + end * n + first, n, rows, n - end, V + (end - begin) * w, out);
  });
}

}  // namespace

// Panel p ≥ 1 takes away what block column p − 1 has below the band. On both sides of A: with X = A V T,
//   (I − V T Vᵀ)ᵀ A (I − V T Vᵀ) = A − Y Vᵀ − V Yᵀ,   Y = X − ½V TᵀVᵀX.
// Diagonal block p is then final.
template <class T>
void BandForm<T>::reduce_panel(Panel<T>& panel, std::size_t p) {
  const SingleThreadedBlas one_thread;
  const std::size_t begin = p * w, m = n_ - begin;
  T* A = Q_.data();
  panel.take(A + begin * n_ + begin - w, n_, m);
  panel.factor(m);
  keep_reflections(panel, p);
  keep_triangle(panel, p);
  symmetric_product(A, n_, begin, panel.V.data(), panel.X.data(), threads_);
  std::vector<T>& Y = panel.columns;
  std::vector<T> inner(square), turned(square);
  gemm<T>(CblasNoTrans, CblasNoTrans, m, w, w, 1, panel.X.data(), w, panel.T_.data(), w, 0, Y.data(), w);
  gemm<T>(CblasTrans, CblasNoTrans, w, w, m, 1, panel.V.data(), w, Y.data(), w, 0, inner.data(), w);
  gemm<T>(CblasTrans, CblasNoTrans, w, w, w, 1, panel.T_.data(), w, inner.data(), w, 0, turned.data(), w);
  gemm<T>(CblasNoTrans, CblasNoTrans, m, w, w, T(-0.5), panel.V.data(), w, turned.data(), w, 1, Y.data(), w);
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t k = 0; k < w; ++k) {
      panel.XV[i * 2 * w + k] = panel.VX[i * 2 * w + w + k] = Y[i * w + k];
      panel.XV[i * 2 * w + w + k] = panel.VX[i * 2 * w + k] = panel.V[i * w + k];
    }
  const TileParts parts{begin, n_};
  parallel_for(parts.count(), threads_, [&](std::size_t part) {
    const SingleThreadedBlas single;
    const std::size_t first = parts.first(part), end = parts.end(part);
    gemm<T>(CblasNoTrans, CblasTrans, end - first, end - begin, 2 * w, -1,
            panel.XV.data() + (first - begin) * 2 * w, 2 * w, panel.VX.data(), 2 * w, 1,
            A + first * n_ + begin, n_);
  });
  keep_diagonal_block(p);
}

// Of panel p ≥ 1 where its columns of A were.
template <class T>
template <class W>
void BandForm<T>::keep_reflections(const Panel<W>& panel, std::size_t p) {
  const std::size_t begin = p * w;
  T* to = p == 0 ? first_.data() : Q_.data() + begin * n_ + begin - w;
  for (std::size_t i = 0; i < n_ - begin; ++i)
    for (std::size_t k = 0; k < w; ++k) to[i * (p == 0 ? w : n_) + k] = T(panel.V[i * w + k]);
  for (std::size_t e = 0; e < square; ++e) T_[p * square + e] = T(panel.T_[e]);
}

template <class T>
template <class W>
void BandForm<T>::keep_triangle(const Panel<W>& panel, std::size_t p) {
  for (std::size_t k = 0; k < w; ++k)
    for (std::size_t i = 0; i <= k && p * w + i < n_; ++i)
      band_[(p * w - w + k) * (w + 1) + w + i - k] = double(panel.R[i * w + k]);
}

template <class T>
void BandForm<T>::keep_diagonal_block(std::size_t p) {
  const std::size_t begin = p * w, end = std::min(n_, begin + w);
  for (std::size_t j = begin; j < end; ++j)
    for (std::size_t i = j; i < end; ++i) band_[j * (w + 1) + i - j] = double(Q_[i * n_ + j]);
}

namespace {

// The first panels, in float64, as A − Y Vᵀ − V Yᵀ with all their Y and V (n × width·panels): A itself stays.
class LazyPanels {
 public:
  LazyPanels(std::span<const double> A, std::size_t n, std::size_t most, int threads)
      : A_(A), n_(n), stride_(most * w), threads_(threads), V_(n * stride_, 0.0), Y_(n * stride_, 0.0) {}

  // out = (A − Y Vᵀ − V Yᵀ)X, n × w
  void multiply(const double* X, double* out) const {
    const std::size_t k = panels_ * w;
    std::vector<double> along_v(k * w), along_y(k * w);
    if (k > 0) {
      const SingleThreadedBlas one_thread;
      gemm<double>(CblasTrans, CblasNoTrans, k, w, n_, 1, V_.data(), stride_, X, w, 0, along_v.data(), w);
      gemm<double>(CblasTrans, CblasNoTrans, k, w, n_, 1, Y_.data(), stride_, X, w, 0, along_y.data(), w);
    }
    parallel_blocks(n_, band_tile, threads_, [&](std::size_t first, std::size_t last) {
      const SingleThreadedBlas one_thread;
      const std::size_t rows = last - first;
      double* to = out + first * w;
      std::fill_n(to, rows * w, 0.0);
      simd::thin_products<double>().add(A_.data() + first * n_, n_, rows, n_, X, to);
      if (k == 0) return;
      gemm<double>(CblasNoTrans, CblasNoTrans, rows, w, k, -1, Y_.data() + first * stride_, stride_,
                   along_v.data(), w, 1, to, w);
      gemm<double>(CblasNoTrans, CblasNoTrans, rows, w, k, -1, V_.data() + first * stride_, stride_,
                   along_y.data(), w, 1, to, w);
    });
  }

  // One panel more: I − V T Vᵀ with V (n − begin × w) in rows `begin` and below.
  void add(const double* V, std::size_t begin, const double* T) {
    std::vector<double> whole(n_ * w, 0.0), X(n_ * w), Y(n_ * w), inner(square), turned(square);
    std::copy_n(V, (n_ - begin) * w, whole.data() + begin * w);
    multiply(whole.data(), X.data());
    const SingleThreadedBlas one_thread;
    gemm<double>(CblasNoTrans, CblasNoTrans, n_, w, w, 1, X.data(), w, T, w, 0, Y.data(), w);
    gemm<double>(CblasTrans, CblasNoTrans, w, w, n_, 1, whole.data(), w, Y.data(), w, 0, inner.data(), w);
    gemm<double>(CblasTrans, CblasNoTrans, w, w, w, 1, T, w, inner.data(), w, 0, turned.data(), w);
    gemm<double>(CblasNoTrans, CblasNoTrans, n_, w, w, -0.5, whole.data(), w, turned.data(), w, 1, Y.data(),
                 w);
    for (std::size_t i = 0; i < n_; ++i) {
      std::copy_n(whole.data() + i * w, w, V_.data() + i * stride_ + panels_ * w);
      std::copy_n(Y.data() + i * w, w, Y_.data() + i * stride_ + panels_ * w);
    }
    ++panels_;
  }

  // Rows [first, end) of what A has become, columns [begin, last): out, row-major.
  void part(std::size_t first, std::size_t end, std::size_t begin, std::size_t last, double* out) const {
    const std::size_t rows = end - first, columns = last - begin, k = panels_ * w;
    for (std::size_t i = 0; i < rows; ++i)
      std::copy_n(A_.data() + (first + i) * n_ + begin, columns, out + i * columns);
    const SingleThreadedBlas one_thread;
    gemm<double>(CblasNoTrans, CblasTrans, rows, columns, k, -1, Y_.data() + first * stride_, stride_,
                 V_.data() + begin * stride_, stride_, 1, out, columns);
    gemm<double>(CblasNoTrans, CblasTrans, rows, columns, k, -1, V_.data() + first * stride_, stride_,
                 Y_.data() + begin * stride_, stride_, 1, out, columns);
  }

 private:
  std::span<const double> A_;
  std::size_t n_, stride_, panels_ = 0;
  int threads_;
  std::vector<double> V_, Y_;
};

}  // namespace

// Panel 0 turns leading eigenvectors to the front: three products with a random block. Returns the first
// panel that is not made; Q_ then has what is left of A.
template <class T>
std::size_t BandForm<T>::reduce_in_float64(std::span<const double> A, const Progress& progress) {
  const std::size_t most = std::min(most_float64_panels, panels_);
  LazyPanels lazy(A, n_, most, threads_);
  Panel<double> panel(n_);
  Random random(1);
  std::vector<double> block(n_ * w), image(n_ * w);
  for (double& value : block) value = random.normal();
  for (int product = 0; product < 3; ++product) {
    lazy.multiply(block.data(), image.data());
    panel.take(image.data(), w, n_);
    panel.factor(n_);
    panel.orthonormal(block.data(), n_);
  }
  panel.take(block.data(), w, n_);
  double before = 0;
  for (std::size_t p = 0;; ++p) {
    progress.check("band form", double(p) / double(panels_));
    const std::size_t begin = p * w, m = n_ - begin;
    panel.factor(m);
    keep_reflections(panel, p);
    if (p > 0) keep_triangle(panel, p);
    lazy.add(panel.V.data(), begin, panel.T_.data());
    const std::size_t columns = std::min(w, m);
    lazy.part(begin, n_, begin, begin + columns, image.data());
    double largest = 0;
    for (std::size_t i = 0; i < columns; ++i) {
      largest = std::max(largest, image[i * columns + i]);
      for (std::size_t j = 0; j <= i; ++j) band_[(begin + j) * (w + 1) + i - j] = image[i * columns + j];
    }
    if (p + 1 == most || !(p == 0 || largest < falls_fast * before)) {
      const TileParts parts{begin, n_};
      parallel_for(parts.count(), threads_, [&](std::size_t part) {
        const std::size_t first = parts.first(part), end = parts.end(part);
        std::vector<double> tile((end - first) * band_tile);
        for (std::size_t left = begin; left < end; left += band_tile) {
          const std::size_t right = std::min(left + band_tile, end), width = right - left;
          lazy.part(first, end, left, right, tile.data());
          for (std::size_t i = first; i < end; ++i)
            for (std::size_t j = left; j < right; ++j)
              Q_[i * n_ + j] = T(tile[(i - first) * width + j - left]);
        }
      });
      return p + 1;
    }
    before = largest;
    panel.take(image.data() + w * w, w, m - w);
  }
}

template <class T>
BandForm<T>::BandForm(std::span<const double> A, std::size_t n, int threads, const Progress& progress)
    : n_(n),
      panels_((n + w - 1) / w),
      threads_(threads_worth(n * n * w, threads)),
      band_(n * (w + 1), 0.0),
      first_(n * w, T(0)),
      T_(panels_ * square, T(0)),
      Q_(n * n) {
  if (n == 0) return;
  std::size_t p = 1;
  if constexpr (sizeof(T) == 4) {
    p = reduce_in_float64(A, progress.part(0, 0.6));
  } else {
    std::ranges::copy(A, Q_.begin());
    keep_diagonal_block(0);
  }
  Panel<T> panel(n);
  for (; p < panels_; ++p) {
    const double left = 1 - double(p) / double(panels_);
    progress.check("band form", 0.6 * (1 - left * left * left));
    reduce_panel(panel, p);
  }
  form_q(progress);
}

// Q = Π (I − V_p T_p V_pᵀ), from the last panels to the first, `panels_joined` at a time as one I − V T Vᵀ:
// T of two neighbours is (T₁, −T₁V₁ᵀV₂T₂; 0, T₂). It takes the place of the reflections.
template <class T>
void BandForm<T>::form_q(const Progress& progress) {
  const std::size_t groups = (panels_ + panels_joined - 1) / panels_joined;
  std::size_t made = n_;  // rows and columns from here on
  for (std::size_t group = groups; group-- > 0;) {
    const std::size_t p = group * panels_joined, count = std::min(panels_joined, panels_ - p), k = count * w,
                      begin = p * w, m = n_ - begin;
    std::vector<T> V(m * k, T(0)), joined(k * k, T(0)), inner(k * w), turned(k * w);
    for (std::size_t q = 0; q < count; ++q)
      for (std::size_t i = (p + q) * w; i < n_; ++i)
        std::copy_n(p + q == 0 ? first_.data() + i * w : Q_.data() + i * n_ + (p + q - 1) * w, w,
                    V.data() + (i - begin) * k + q * w);
    for (std::size_t i = begin; i < n_; ++i) {
      std::fill_n(Q_.data() + i * n_ + begin, (i < made ? n_ : made) - begin, T(0));
      if (i < made) Q_[i * n_ + i] = 1;
    }
    made = begin;
    {
      const SingleThreadedBlas one_thread;
      for (std::size_t q = 0; q < count; ++q) {
        const std::size_t at = q * w;
        const T* own = T_.data() + (p + q) * square;
        for (std::size_t i = 0; i < w; ++i) std::copy_n(own + i * w, w, joined.data() + (at + i) * k + at);
        if (q == 0) continue;
        gemm<T>(CblasTrans, CblasNoTrans, at, w, m - at, 1, V.data() + at * k, k, V.data() + at * k + at, k,
                0, inner.data(), w);
        gemm<T>(CblasNoTrans, CblasNoTrans, at, w, w, 1, inner.data(), w, own, w, 0, turned.data(), w);
        gemm<T>(CblasNoTrans, CblasNoTrans, at, w, at, -1, joined.data(), k, turned.data(), w, 0,
                joined.data() + at, k);
      }
    }
    parallel_blocks(m, columns_of_q, threads_, [&](std::size_t first, std::size_t last) {
      const SingleThreadedBlas one_thread;
      const std::size_t columns = last - first;
      std::vector<T> along(k * columns), along_turned(k * columns);
      T* Q = Q_.data() + begin * n_ + begin + first;
      gemm<T>(CblasTrans, CblasNoTrans, k, columns, m, 1, V.data(), k, Q, n_, 0, along.data(), columns);
      gemm<T>(CblasNoTrans, CblasNoTrans, k, columns, k, 1, joined.data(), k, along.data(), columns, 0,
              along_turned.data(), columns);
      gemm<T>(CblasNoTrans, CblasNoTrans, m, columns, k, -1, V.data(), k, along_turned.data(), columns, 1, Q,
              n_);
      progress.check("band form", 0.6 + 0.4 * (1 - double(group) / double(groups)));
    });
  }
  first_.clear();
}

template class BandForm<float>;
template class BandForm<double>;

}  // namespace mercer
