#include "base/onednn.hpp"

#include <utility>

#include "base/library.hpp"

namespace mercer {

const OneDnn& onednn() {
  static const OneDnn loaded = [] {
    const Library library({MERCER_ONEDNN_FILE, "libdnnl.so"}, "a product of whole numbers", "libdnnl2");
#define MERCER_DNNL(name) library.function<decltype(dnnl_##name)>("dnnl_" #name)
    return OneDnn{MERCER_DNNL(get_effective_cpu_isa), MERCER_DNNL(gemm_u8s8s32), MERCER_DNNL(sgemm),
                  MERCER_DNNL(version)};
#undef MERCER_DNNL
  }();
  return loaded;
}

void sgemm_by_onednn(CBLAS_LAYOUT layout, CBLAS_TRANSPOSE transpose_a, CBLAS_TRANSPOSE transpose_b, blasint m,
                     blasint n, blasint k, float alpha, const float* a, blasint lda, const float* b,
                     blasint ldb, float beta, float* c, blasint ldc) {
  if (layout == CblasColMajor) {  // Cᵀ = BᵀAᵀ
    std::swap(a, b);
    std::swap(lda, ldb);
    std::swap(transpose_a, transpose_b);
    std::swap(m, n);
  }
  const auto letter = [](CBLAS_TRANSPOSE transpose) { return transpose == CblasNoTrans ? 'N' : 'T'; };
  onednn().sgemm(letter(transpose_a), letter(transpose_b), m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

}  // namespace mercer
