#include "base/blas.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>

#include "base/library.hpp"
#include "base/onednn.hpp"

namespace mercer {

namespace {

// The cores of OpenBLAS's driver/others/dynamic.c for x86-64 that are older than AVX-512, by what they use:
// up to SSE4, AVX, AVX2.
constexpr std::string_view baseline_cores[] = {
    "generic", "katmai",       "coppermine", "northwood",  "prescott", "banias",
    "atom",    "core2",        "penryn",     "dunnington", "nehalem",  "athlon",
    "opteron", "opteron_sse3", "barcelona",  "bobcat",     "nano"};
constexpr std::string_view avx_cores[] = {"sandybridge", "bulldozer", "piledriver", "steamroller"};
constexpr std::string_view avx2_cores[] = {"haswell", "zen", "excavator"};

std::atomic<bool> is_below_cpu = false;  // once loaded

// OpenBLAS's OpenMP build asks OpenMP how many threads the calling thread may start, so the limit is the
// caller's own. The pthread build, which Debian's alternatives may put in its place, has one limit for the
// whole program.
struct PthreadLimit {
  std::atomic<bool> applies = false;  // once that build is loaded; the others are set before
  int (*get)() = nullptr;
  void (*set)(int) = nullptr;
  int at_load = 0;
} pthread_limit;
std::atomic<int> guards = 0;  // SingleThreadedBlas alive

class OpenBlas {
 public:
  OpenBlas() {
    const char* set = std::getenv("OPENBLAS_CORETYPE");
    state.chosen_by_user = set && *set;
    state.version = library_.function<char*()>("openblas_get_config")();
    state.detected = core();
    const VectorLevel level = vector_level();
    const bool below = level_of_core(state.detected) < level;
    if (below && !state.chosen_by_user) select(core_for(level));
    state.core = core();
    state.below_cpu = !state.chosen_by_user && level_of_core(state.core) < level;
    is_below_cpu = state.below_cpu;
    if (Dl_info info; dladdr(library_.find<void>("openblas_get_corename"), &info))
      state.file = info.dli_fname;
#define MERCER_BLAS_FIND(name) functions.name = library_.function<decltype(cblas_##name)>("cblas_" #name);
    MERCER_BLAS_FUNCTIONS(MERCER_BLAS_FIND)
#undef MERCER_BLAS_FIND
    functions.lapack = [](const char* name) { return openblas().library_.function<void>(name); };
    if (state.below_cpu && level >= VectorLevel::avx2) functions.sgemm = sgemm_by_onednn;
    if (library_.function<int()>("openblas_get_parallel")() != OPENBLAS_OPENMP) {
      pthread_limit.get = library_.function<int()>("openblas_get_num_threads");
      pthread_limit.set = library_.function<void(int)>("openblas_set_num_threads");
      pthread_limit.at_load = pthread_limit.get();
      if (guards > 0) pthread_limit.set(1);
      pthread_limit.applies = true;
    }
  }

  static const OpenBlas& openblas() {
    static const OpenBlas loaded;
    return loaded;
  }

  Blas functions;
  BlasState state;

 private:
  std::string core() const { return library_.function<char*()>("openblas_get_corename")(); }

  /// Lets OpenBLAS choose again, as it would have with OPENBLAS_CORETYPE set at its start; libraries built
  /// for many processors have these two functions. Another library, numpy say, may have loaded it before us,
  /// so this is the one way that always comes in time.
  void select(const char* core) const {
    const auto quit = library_.find<void()>("gotoblas_dynamic_quit"),
               init = library_.find<void()>("gotoblas_dynamic_init");
    if (!quit || !init) return;
    setenv("OPENBLAS_CORETYPE", core, 1);
    quit();
    init();
    unsetenv("OPENBLAS_CORETYPE");
  }

  Library library_{{"libopenblas.so.0", "libopenblas.so"}, "a matrix product", "libopenblas0-openmp"};
};

}  // namespace

VectorLevel level_of_core(std::string_view core) noexcept {
  const auto is_core = [&](std::string_view name) {
    return std::ranges::equal(core, name,
                              [](char a, char b) { return (a >= 'A' && a <= 'Z' ? char(a + 32) : a) == b; });
  };
  if (std::ranges::any_of(baseline_cores, is_core)) return VectorLevel::baseline;
  if (std::ranges::any_of(avx_cores, is_core)) return VectorLevel::avx;
  if (std::ranges::any_of(avx2_cores, is_core)) return VectorLevel::avx2;
  return VectorLevel::avx512;
}

const char* core_for(VectorLevel level) noexcept {
  constexpr std::array cores{"", "Sandybridge", "Haswell", "SkylakeX"};  // by level
  return cores[std::size_t(level)];
}

const Blas& blas() { return OpenBlas::openblas().functions; }

const BlasState& blas_state() { return OpenBlas::openblas().state; }

std::string blas_warning() {
  if (!is_below_cpu) return "";
  return fmt::format(
      "OpenBLAS runs its kernels for '{}', but this CPU can run those for '{}', several times as fast; "
      "export OPENBLAS_CORETYPE={} before starting",
      blas_state().core, core_for(vector_level()), core_for(vector_level()));
}

SingleThreadedBlas::SingleThreadedBlas() : openmp_threads_(omp_get_max_threads()), pthread_threads_(0) {
  ++guards;
  if (openmp_threads_ != 1) omp_set_num_threads(1);
  if (!pthread_limit.applies) return;
  pthread_threads_ = pthread_limit.get();
  if (pthread_threads_ != 1) pthread_limit.set(1);
}

SingleThreadedBlas::~SingleThreadedBlas() {
  --guards;
  if (openmp_threads_ != 1) omp_set_num_threads(openmp_threads_);
  if (!pthread_limit.applies) return;
  // `at_load`: the library was loaded while this one lived.
  const int before = pthread_threads_ ? pthread_threads_ : pthread_limit.at_load;
  if (before != 1) pthread_limit.set(before);
}

}  // namespace mercer
