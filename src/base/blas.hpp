// OpenBLAS: loaded at first use, with the kernels that fit the processor, one thread inside our own tiles
// (results must not depend on the number of threads).
//
// OpenBLAS has kernels for many processors, its "cores", and chooses one when it is loaded: by the
// processor's model number, so that a model newer than the library may get kernels of 2004. Debian 12's
// OpenBLAS 0.3.21 runs Emerald Rapids Xeons and 13th-generation Cores with SSE3 (its core "Prescott"), at a
// quarter of the speed (OpenBLAS issue 4267). Here the core is compared with what the processor can do.
#pragma once

#include <cblas.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/cpu.hpp"

namespace mercer {

// What is used of OpenBLAS: its BLAS by the names of the C interface without cblas_, and its LAPACK by
// Fortran's.
#define MERCER_BLAS_FUNCTIONS(of)                                                                    \
  of(daxpy) of(ddot) of(dgemm) of(dgemv) of(dnrm2) of(dscal) of(dsymm) of(dsyrk) of(dtrmm) of(dtrmv) \
      of(dtrsm) of(dtrsv) of(sgemm) of(sgemv) of(strsm) of(strsv)

/// The functions of OpenBLAS: blas().dgemm(CblasRowMajor, …) is cblas_dgemm(CblasRowMajor, …).
struct Blas {
#define MERCER_BLAS_MEMBER(name) decltype(&cblas_##name) name;
  MERCER_BLAS_FUNCTIONS(MERCER_BLAS_MEMBER)
#undef MERCER_BLAS_MEMBER
  /// A LAPACK function by its Fortran name, e.g. "dpotrf_"; see base/lapack.hpp.
  void* (*lapack)(const char* name);
};
const Blas& blas();

// The same for float and double, of row-major matrices: A is followed by the distance between its rows.
template <class T>
constexpr auto blas_for(auto of_float, auto of_double) noexcept {
  if constexpr (sizeof(T) == 4)
    return of_float;
  else
    return of_double;
}
/// C (m × n) = alpha·op(A)·op(B) + beta·C; op(A) is m × k, op(B) k × n.
template <class T>
void gemm(CBLAS_TRANSPOSE opA, CBLAS_TRANSPOSE opB, std::size_t m, std::size_t n, std::size_t k,
          std::type_identity_t<T> alpha, const T* A, std::size_t a, const T* B, std::size_t b,
          std::type_identity_t<T> beta, T* C, std::size_t c) {
  blas_for<T>(blas().sgemm, blas().dgemm)(CblasRowMajor, opA, opB, blasint(m), blasint(n), blasint(k), alpha,
                                          A, blasint(a), B, blasint(b), beta, C, blasint(c));
}
/// y = alpha·op(A)·x + beta·y; A is m × n, the numbers of x are dx apart.
template <class T>
void gemv(CBLAS_TRANSPOSE opA, std::size_t m, std::size_t n, std::type_identity_t<T> alpha, const T* A,
          std::size_t a, const T* x, std::size_t dx, std::type_identity_t<T> beta, T* y, std::size_t dy) {
  blas_for<T>(blas().sgemv, blas().dgemv)(CblasRowMajor, opA, blasint(m), blasint(n), alpha, A, blasint(a), x,
                                          blasint(dx), beta, y, blasint(dy));
}
/// B (m × n) = alpha·op(L)⁻¹·B, or alpha·B·op(L)⁻¹ where the triangular L stands on the right.
template <class T>
void trsm(CBLAS_SIDE side, CBLAS_UPLO triangle, CBLAS_TRANSPOSE op, CBLAS_DIAG diagonal, std::size_t m,
          std::size_t n, std::type_identity_t<T> alpha, const T* L, std::size_t l, T* B, std::size_t b) {
  blas_for<T>(blas().strsm, blas().dtrsm)(CblasRowMajor, side, triangle, op, diagonal, blasint(m), blasint(n),
                                          alpha, L, blasint(l), B, blasint(b));
}
/// x = op(L)⁻¹·x
template <class T>
void trsv(CBLAS_UPLO triangle, CBLAS_TRANSPOSE op, CBLAS_DIAG diagonal, std::size_t n, const T* L,
          std::size_t l, T* x, std::size_t dx) {
  blas_for<T>(blas().strsv, blas().dtrsv)(CblasRowMajor, triangle, op, diagonal, blasint(n), L, blasint(l), x,
                                          blasint(dx));
}
/// B (m × n) = alpha·op(L)·B, or alpha·B·op(L) where the lower triangle L stands on the right.
inline void trmm(CBLAS_SIDE side, CBLAS_TRANSPOSE op, std::size_t m, std::size_t n, double alpha,
                 const double* L, std::size_t l, double* B, std::size_t b) {
  blas().dtrmm(CblasRowMajor, side, CblasLower, op, CblasNonUnit, blasint(m), blasint(n), alpha, L,
               blasint(l), B, blasint(b));
}
/// C (m × n) = alpha·A·B + beta·C, or alpha·B·A + beta·C where the symmetric A stands on the right.
inline void symm(CBLAS_SIDE side, CBLAS_UPLO triangle, std::size_t m, std::size_t n, double alpha,
                 const double* A, std::size_t a, const double* B, std::size_t b, double beta, double* C,
                 std::size_t c) {
  blas().dsymm(CblasRowMajor, side, triangle, blasint(m), blasint(n), alpha, A, blasint(a), B, blasint(b),
               beta, C, blasint(c));
}
/// C (n × n) = alpha·op(A)·op(A)ᵀ + beta·C; op(A) is n × k.
inline void syrk(CBLAS_UPLO triangle, CBLAS_TRANSPOSE op, std::size_t n, std::size_t k, double alpha,
                 const double* A, std::size_t a, double beta, double* C, std::size_t c) {
  blas().dsyrk(CblasRowMajor, triangle, op, blasint(n), blasint(k), alpha, A, blasint(a), beta, C,
               blasint(c));
}

/// How OpenBLAS runs here; loads it.
struct BlasState {
  std::string file;             ///< of the library
  std::string version;          ///< what it was built as: "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH …"
  std::string core;             ///< whose kernels run
  std::string detected;         ///< what it had chosen by itself
  bool chosen_by_user = false;  ///< through OPENBLAS_CORETYPE
  bool below_cpu = false;       ///< slower kernels than the processor could run, and nobody asked for them
};
const BlasState& blas_state();

/// What to do where BlasState::below_cpu, else "". Does not load OpenBLAS.
std::string blas_warning();

/// While one of these lives, OpenBLAS called from this thread uses this thread alone; the setting comes back
/// afterwards. Does not load OpenBLAS.
class SingleThreadedBlas {
 public:
  SingleThreadedBlas();
  ~SingleThreadedBlas();
  SingleThreadedBlas(const SingleThreadedBlas&) = delete;
  SingleThreadedBlas& operator=(const SingleThreadedBlas&) = delete;

 private:
  int openmp_threads_;   // of this thread, before
  int pthread_threads_;  // of OpenBLAS's pthread build, before; 0: not that build, or not loaded yet
};

/// The instructions that the kernels of an OpenBLAS core use. A core with an unknown name is taken to be
/// newer than this list, and right.
VectorLevel level_of_core(std::string_view core) noexcept;

/// The core that suits a processor of this level; "" for baseline, which OpenBLAS's own choice is good enough
/// for.
const char* core_for(VectorLevel level) noexcept;

}  // namespace mercer
