// What is used of oneDNN, loaded at first use: products of bytes, and of floats where OpenBLAS has no kernels
// for the processor.
#pragma once

#include <cblas.h>
#include <oneapi/dnnl/dnnl.h>

namespace mercer {

struct OneDnn {
  decltype(&dnnl_get_effective_cpu_isa) get_effective_cpu_isa;
  decltype(&dnnl_gemm_u8s8s32) gemm_u8s8s32;
  decltype(&dnnl_sgemm) sgemm;
  decltype(&dnnl_version) version;
};

/// Error{budget} where the library is missing.
const OneDnn& onednn();

/// cblas_sgemm by oneDNN, which chooses its code by what the processor can do and not by its model.
void sgemm_by_onednn(CBLAS_LAYOUT layout, CBLAS_TRANSPOSE transpose_a, CBLAS_TRANSPOSE transpose_b, blasint m,
                     blasint n, blasint k, float alpha, const float* a, blasint lda, const float* b,
                     blasint ldb, float beta, float* c, blasint ldc);

}  // namespace mercer
