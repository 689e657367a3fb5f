// PETSc and SLEPc: started once, their objects released by their owners, their errors thrown as Error.
// Callbacks run inside of C code: what they throw is kept and thrown again once PETSc has returned.
#pragma once

#include <petscksp.h>

#include <exception>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace mercer::cluster {

/// Started by the first that is made, with the options of a user ("-ksp_monitor -ksp_max_it 50"); ended by
/// end().
class Petsc {
 public:
  /// Error{invalid_argument} where PETSc does not take the options.
  static void start(const std::string& options);
  static void end() noexcept;
  /// Options that were given and that nothing has asked for so far, without their dashes.
  static std::vector<std::string> unused_options();
};

void check_petsc(PetscErrorCode code, const char* what);

/// A Vec, Mat, KSP … with the function that destroys it.
template <class T, PetscErrorCode (*destroy)(T*)>
class PetscHandle {
 public:
  PetscHandle() = default;
  PetscHandle(const PetscHandle&) = delete;
  PetscHandle& operator=(const PetscHandle&) = delete;
  ~PetscHandle() {
    if (value_) destroy(&value_);
  }
  T get() const noexcept { return value_; }
  T* out() noexcept { return &value_; }

 private:
  T value_ = nullptr;
};
using VecHandle = PetscHandle<Vec, VecDestroy>;
using MatHandle = PetscHandle<Mat, MatDestroy>;
using KspHandle = PetscHandle<KSP, KSPDestroy>;

/// Keeps what callbacks throw.
class Callbacks {
 public:
  template <class Work>
  PetscErrorCode run(const Work& work) noexcept {
    try {
      work();
      return success;
    } catch (...) {
      thrown_ = std::current_exception();
      return PETSC_ERR_USER;
    }
  }
  /// Checks what PETSc returned, after what was thrown inside.
  void check(PetscErrorCode code, const char* what) {
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
    check_petsc(code, what);
  }

 private:
  static constexpr PetscErrorCode success = PetscErrorCode(0);
  std::exception_ptr thrown_;
};

/// The numbers of a Vec while this lives.
class ReadNumbers {
 public:
  explicit ReadNumbers(Vec v) : v_(v) { check_petsc(VecGetArrayRead(v, &numbers_), "VecGetArrayRead"); }
  ReadNumbers(const ReadNumbers&) = delete;
  ReadNumbers& operator=(const ReadNumbers&) = delete;
  ~ReadNumbers() { VecRestoreArrayRead(v_, &numbers_); }
  const double* data() const noexcept { return numbers_; }

 private:
  Vec v_;
  const PetscScalar* numbers_ = nullptr;
};
class WriteNumbers {
 public:
  explicit WriteNumbers(Vec v) : v_(v) { check_petsc(VecGetArray(v, &numbers_), "VecGetArray"); }
  WriteNumbers(const WriteNumbers&) = delete;
  WriteNumbers& operator=(const WriteNumbers&) = delete;
  ~WriteNumbers() { VecRestoreArray(v_, &numbers_); }
  double* data() const noexcept { return numbers_; }

 private:
  Vec v_;
  PetscScalar* numbers_ = nullptr;
};

}  // namespace mercer::cluster
