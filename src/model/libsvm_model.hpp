// LIBSVM's model files, as `svm-train` writes them (versions 3.0 to 3.3x), as a plain struct.
//
//   svm_type c_svc       one key per line: kernel_type, degree, gamma, coef0, nr_class, total_sv, rho, label,
//   …                    probA, probB, prob_density_marks, nr_sv, as the type and the kernel have them
//   SV
//   0.25 -1 1:0.5 3:2    nr_class − 1 coefficients, then the support vector as index:value
//
// Reading and writing lose nothing: numbers are the nearest doubles, written with as many digits as it takes
// to read them back. A file that LIBSVM wrote comes back byte for byte.
//
// Decision values of c_svc and nu_svc for classes i < j, with s(i) the support vectors of class i (they stand
// in the order of the classes, nr_sv of each):
//   f_ij(x) = Σ_{s(i)} coefs[j − 1][s] k(x_s, x) + Σ_{s(j)} coefs[i][s] k(x_s, x) − rho_ij,   > 0: label[i]
// and of the other types f(x) = Σ_s coefs[0][s] k(x_s, x) − rho[0].
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "data/text_source.hpp"
#include "mercer/libsvm.hpp"
#include "mercer/points.hpp"

namespace mercer {

enum class LibsvmType { c_svc, nu_svc, one_class, epsilon_svr, nu_svr };
inline constexpr std::array<std::string_view, 5> libsvm_type_names{"c_svc", "nu_svc", "one_class",
                                                                   "epsilon_svr", "nu_svr"};
inline constexpr std::array<std::string_view, 5> libsvm_kernel_names{"linear", "polynomial", "rbf", "sigmoid",
                                                                     "precomputed"};

struct LibsvmModel {
  LibsvmType type = LibsvmType::c_svc;
  LibsvmKernel kernel = LibsvmKernel::rbf;
  std::int32_t degree = 0;      ///< of polynomial
  double gamma = 0, coef0 = 0;  ///< where the kernel has them
  std::int32_t nr_class = 2;    ///< 2 where the type does not classify
  std::size_t total_sv = 0;
  std::vector<double> rho;                 // nr_class (nr_class − 1) / 2: (0, 1), (0, 2), …, (1, 2), …
  std::vector<std::int32_t> label;         // nr_class, or none
  std::vector<double> prob_a, prob_b;      // as rho, or none; regression has probA alone, its Laplace scale
  std::vector<double> prob_density_marks;  // 10 of one_class, or none
  std::vector<std::int32_t> nr_sv;         // nr_class, or none
  Buffer<double> coefs;                    // (nr_class − 1) × total_sv, row-major
  /// total_sv rows; precomputed: no columns. Column c is the file's index c + first_index; zeros that the
  /// file spells out are kept.
  Sparse<double> support;
  std::int32_t first_index = 1;       ///< 0 where an index 0 appears in the file, as svm-train lets it
  std::vector<std::int32_t> serials;  // total_sv of precomputed: the row of the training file, from 1

  bool classifies() const noexcept { return type == LibsvmType::c_svc || type == LibsvmType::nu_svc; }
  std::size_t pairs() const noexcept { return std::size_t(nr_class) * std::size_t(nr_class - 1) / 2; }
  bool has_degree() const noexcept { return kernel == LibsvmKernel::polynomial; }
  bool has_gamma() const noexcept { return has_coef0() || kernel == LibsvmKernel::rbf; }
  bool has_coef0() const noexcept {
    return kernel == LibsvmKernel::polynomial || kernel == LibsvmKernel::sigmoid;
  }
};

/// Throws Error{data} "file:line:column: what is wrong; what would be right".
LibsvmModel read_libsvm_model(const std::string& path);
/// The same of a text, which messages call `name`.
LibsvmModel parse_libsvm_model(const std::string& name, std::string_view text);

/// Whole or not at all, in LIBSVM's format and order. Throws Error{data} where a number is not finite.
void write_libsvm_model(const std::string& path, const LibsvmModel& model);

/// The lines in front of SV, in any order, each once. Fills in all but the support vectors and returns where
/// their lines start. All counts agree with each other.
const char* read_model_keys(const TextSource& source, LibsvmModel& model);

}  // namespace mercer
