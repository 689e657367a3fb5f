// OpenBLAS: loaded at first use, with the kernels that fit the processor, one thread inside our own tiles
// (results must not depend on the number of threads).
//
// OpenBLAS has kernels for many processors, its "cores", and chooses one when it is loaded: by the
// processor's model number, so that a model newer than the library may get kernels of 2004. Debian 12's
// OpenBLAS 0.3.21 runs Emerald Rapids Xeons and 13th-generation Cores with SSE3 (its core "Prescott"), at a
// quarter of the speed (OpenBLAS issue 4267). Here the core is compared with what the processor can do.
#pragma once

#include <cblas.h>

#include <string_view>

#include "base/cpu.hpp"

namespace mercer {

// What is used of OpenBLAS: its BLAS by the names of the C interface without cblas_, and its LAPACK by
// Fortran's.
#define MERCER_BLAS_FUNCTIONS(of)                                                                    \
  of(daxpy) of(ddot) of(dgemm) of(dgemv) of(dnrm2) of(dscal) of(dsymm) of(dsyrk) of(dtrsm) of(dtrsv) \
      of(sgemm) of(sgemv) of(strsm) of(strsv)

/// The functions of OpenBLAS: blas().dgemm(CblasRowMajor, …) is cblas_dgemm(CblasRowMajor, …).
struct Blas {
#define MERCER_BLAS_MEMBER(name) decltype(&cblas_##name) name;
  MERCER_BLAS_FUNCTIONS(MERCER_BLAS_MEMBER)
#undef MERCER_BLAS_MEMBER
  /// A LAPACK function by its Fortran name, e.g. "dpotrf_"; see base/lapack.hpp.
  void* (*lapack)(const char* name);
};
const Blas& blas();

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
