#include "base/lapack.hpp"

#include <lapack.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/blas.hpp"

namespace mercer::lapack {

namespace {

// The Fortran function of the declaration's type. Those with letters among their arguments take the letters'
// lengths at the end.
template <class Function>
Function* fortran(const char* name) {
  return reinterpret_cast<Function*>(blas().lapack(name));
}

constexpr double tiny = 0;  // as exact as possible

bool finite(const double* A, std::size_t entries) {
  return std::all_of(A, A + entries, [](double value) { return std::isfinite(value); });
}

template <class T, class Function>
bool cholesky(Function* potrf, T* A, std::size_t n, std::size_t stride) {
  const char upper = 'U';  // the lower half by rows is the upper half by columns
  const auto size = lapack_int(n), lead = lapack_int(std::max<std::size_t>(stride, 1));
  lapack_int info = 0;
  potrf(&upper, &size, A, &lead, &info, 1);
  return info == 0;
}

}  // namespace

bool potrf(float* A, std::size_t n, std::size_t stride) {
  static const auto function = fortran<decltype(LAPACK_spotrf_base)>("spotrf_");
  return cholesky(function, A, n, stride);
}

bool potrf(double* A, std::size_t n, std::size_t stride) {
  static const auto function = fortran<decltype(LAPACK_dpotrf_base)>("dpotrf_");
  return cholesky(function, A, n, stride);
}

bool trtri(double* L, std::size_t n, std::size_t stride) {
  static const auto function = fortran<decltype(LAPACK_dtrtri_base)>("dtrtri_");
  const char upper = 'U', not_unit = 'N';  // the lower half by rows is the upper half by columns
  const auto size = lapack_int(n), lead = lapack_int(std::max<std::size_t>(stride, 1));
  lapack_int info = 0;
  function(&upper, &not_unit, &size, L, &lead, &info, 1, 1);
  return info == 0;
}

bool syevd(bool with_vectors, double* A, std::size_t n, double* values) {
  static const auto function = fortran<decltype(LAPACK_dsyevd_base)>("dsyevd_");
  if (n == 0) return true;
  if (!finite(A, n * n)) return false;
  const char job = with_vectors ? 'V' : 'N', upper = 'U';
  const auto size = lapack_int(n);
  lapack_int info = 0, integers = 0, ask = -1;
  double doubles = 0;
  function(&job, &upper, &size, A, &size, values, &doubles, &ask, &integers, &ask, &info, 1, 1);
  std::vector<double> work(static_cast<std::size_t>(doubles));
  std::vector<lapack_int> integer_work(static_cast<std::size_t>(integers));
  const auto work_size = lapack_int(work.size()), integer_size = lapack_int(integer_work.size());
  function(&job, &upper, &size, A, &size, values, work.data(), &work_size, integer_work.data(), &integer_size,
           &info, 1, 1);
  return info == 0;
}

bool syevr(double* A, std::size_t n, std::size_t count, double* values, double* vectors) {
  static const auto function = fortran<decltype(LAPACK_dsyevr_base)>("dsyevr_");
  if (n == 0 || count == 0) return true;
  if (!finite(A, n * n)) return false;
  const char job = 'V', range = 'I', upper = 'U';
  const auto size = lapack_int(n), first = lapack_int(n - count + 1);
  const double unused = 0;
  std::vector<lapack_int> support(2 * count);
  std::vector<double> all_values(n);
  lapack_int found = 0, info = 0, integers = 0, ask = -1;
  double doubles = 0;
  const auto call = [&](double* work, const lapack_int& work_size, lapack_int* integer_work,
                        const lapack_int& integer_size) {
    function(&job, &range, &upper, &size, A, &size, &unused, &unused, &first, &size, &tiny, &found,
             all_values.data(), vectors, &size, support.data(), work, &work_size, integer_work, &integer_size,
             &info, 1, 1, 1);
  };
  call(&doubles, ask, &integers, ask);
  std::vector<double> work(static_cast<std::size_t>(doubles));
  std::vector<lapack_int> integer_work(static_cast<std::size_t>(integers));
  call(work.data(), lapack_int(work.size()), integer_work.data(), lapack_int(integer_work.size()));
  std::copy_n(all_values.begin(), count, values);
  return info == 0 && std::size_t(found) == count;
}

void qr(double* A, std::size_t count, std::size_t n, double* diagonal) {
  static const auto geqrf = fortran<decltype(LAPACK_dgeqrf)>("dgeqrf_");
  static const auto orgqr = fortran<decltype(LAPACK_dorgqr)>("dorgqr_");
  if (count == 0) return;
  const auto rows = lapack_int(n), columns = lapack_int(count);
  lapack_int info = 0, ask = -1;
  double for_geqrf = 0, for_orgqr = 0;
  std::vector<double> reflections(count);
  geqrf(&rows, &columns, A, &rows, reflections.data(), &for_geqrf, &ask, &info);
  orgqr(&rows, &columns, &columns, A, &rows, reflections.data(), &for_orgqr, &ask, &info);
  std::vector<double> work(static_cast<std::size_t>(std::max(for_geqrf, for_orgqr)));
  const auto work_size = lapack_int(work.size());
  geqrf(&rows, &columns, A, &rows, reflections.data(), work.data(), &work_size, &info);
  for (std::size_t i = 0; i < count; ++i) diagonal[i] = A[i * n + i];
  orgqr(&rows, &columns, &columns, A, &rows, reflections.data(), work.data(), &work_size, &info);
}

}  // namespace mercer::lapack
