// What is used of OpenBLAS's LAPACK, without LAPACK's workspaces. Called by Fortran's names: the C interface
// (LAPACKE) is another library, which brings a second copy of LAPACK and Fortran's run time to every start of
// the program.
#pragma once

#include <cstddef>

namespace mercer::lapack {

/// The Cholesky factor of the lower half of A (n × n, rows `stride` apart), in place; false where A is not
/// positive definite.
bool potrf(float* A, std::size_t n, std::size_t stride);
bool potrf(double* A, std::size_t n, std::size_t stride);

/// The inverse of the lower triangle of L (n × n, rows `stride` apart), in place; false where a number on its
/// diagonal is 0.
bool trtri(double* L, std::size_t n, std::size_t stride);

/// All eigenvalues of the symmetric A (n × n), ascending. A becomes its eigenvectors, one a row, where they
/// are asked for, and is lost else. False where LAPACK gives up, as it does on numbers that are not finite.
bool syevd(bool with_vectors, double* A, std::size_t n, double* values);

/// The `count` largest eigenvalues of the symmetric A (n × n), ascending, and their eigenvectors, one a row
/// (count × n), by relatively robust representations. A is lost. False as above.
bool syevr(double* A, std::size_t n, std::size_t count, double* values, double* vectors);

/// A = QR of the matrix whose columns are the `count` ≤ n rows of A (count × n): these become the columns of
/// Q, and diagonal that of R.
void qr(double* A, std::size_t count, std::size_t n, double* diagonal);

}  // namespace mercer::lapack
