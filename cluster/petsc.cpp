#include "cluster/petsc.hpp"

#include <fmt/format.h>
#include <slepceps.h>

#include "mercer/error.hpp"

namespace mercer::cluster {

static_assert(std::is_same_v<PetscScalar, double>, "PETSc is built for real numbers in double precision");

void check_petsc(PetscErrorCode code, const char* what) {
  if (code == 0) return;
  const char* text = nullptr;
  PetscErrorMessage(code, &text, nullptr);
  throw Error(code == PETSC_ERR_MEM ? ErrorCode::out_of_memory : ErrorCode::invalid_argument,
              fmt::format("PETSc: {}: {} (error {})", what, text ? text : "unknown error", int(code)));
}

namespace {

bool started = false;

}  // namespace

void Petsc::start(const std::string& options) {
  if (!started) {
    // The arguments of the program are not PETSc's, and signals stay with the program.
    static char name[] = "mercer-mpi", no_signals[] = "-no_signal_handler";
    static char* names[] = {name, no_signals, nullptr};
    char** arguments = names;
    int count = 2;
    check_petsc(SlepcInitialize(&count, &arguments, nullptr, nullptr), "SlepcInitialize");
    started = true;
    check_petsc(PetscPushErrorHandler(PetscIgnoreErrorHandler, nullptr), "PetscPushErrorHandler");
  }
  if (const PetscErrorCode code = PetscOptionsInsertString(nullptr, options.c_str()))
    throw Error(ErrorCode::invalid_argument,
                fmt::format("PETSc does not take the options '{}' (error {})", options, int(code)),
                {.value = options, .hint = "write them as PETSc does, e.g. \"-ksp_monitor\""});
}

void Petsc::end() noexcept {
  if (started) SlepcFinalize();
  started = false;
}

std::vector<std::string> Petsc::unused_options() {
  std::vector<std::string> unused;
  if (!started) return unused;
  PetscInt count = 0;
  char **names = nullptr, **values = nullptr;
  check_petsc(PetscOptionsLeftGet(nullptr, &count, &names, &values), "PetscOptionsLeftGet");
  for (PetscInt i = 0; i < count; ++i) unused.emplace_back(names[i]);
  check_petsc(PetscOptionsLeftRestore(nullptr, &count, &names, &values), "PetscOptionsLeftRestore");
  return unused;
}

}  // namespace mercer::cluster
