// What the tests of LIBSVM models share: models as svm-train 3.24 wrote them, and one with the newer key.
#pragma once

#include <string>

namespace mercer::testing {

inline const std::string three_classes =
    "svm_type c_svc\n"
    "kernel_type polynomial\n"
    "degree 3\n"
    "gamma 0.33333333333333331\n"
    "coef0 -0.5\n"
    "nr_class 3\n"
    "total_sv 6\n"
    "rho 0.018442451953887939 0.062734305858612061 0.091539806804104618\n"
    "label 1 -2 3\n"
    "probA 14.648549807276542 2.4533633856280193 -2.365396855359962\n"
    "probB -0.14130460387668106 -0.11408389995192914 0.16492129324412053\n"
    "nr_sv 2 2 2\n"
    "SV\n"
    "1 1 1:1 \n"
    "1 0 1:1.1 \n"
    "-1 1 1:2 2:1 \n"
    "-1 0.29995274531099431 1:2.1 2:0 4:0.9 \n"
    "-1 -0.77124288648915362 2:1e-05 \n"
    "-1 -0.52870985882184063 3:1.2345679e+11 \n";

inline const std::string precomputed =
    "svm_type epsilon_svr\n"
    "kernel_type precomputed\n"
    "nr_class 2\n"
    "total_sv 3\n"
    "rho -0.49674050007948117\n"
    "probA 0.52225160991145259\n"
    "SV\n"
    "0.27073813791586937 0:1 \n"
    "-0.42463790020896652 0:2 \n"
    "0.15389976229309721 0:13 \n";

inline const std::string one_class =
    "svm_type one_class\n"
    "kernel_type rbf\n"
    "gamma 0.5\n"
    "nr_class 2\n"
    "total_sv 2\n"
    "rho 0.68393972516059875\n"
    "prob_density_marks -1 -0.5 -0.25 -0.125 0 0.125 0.25 0.5 1 2\n"
    "SV\n"
    "0.5 0:1 2:-0.5 \n"
    "0.5 \n";

inline const std::string single_class =
    "svm_type c_svc\n"
    "kernel_type linear\n"
    "nr_class 1\n"
    "total_sv 0\n"
    "rho\n"
    "label 1\n"
    "nr_sv 0\n"
    "SV\n";

/// `text` with the first `from` made `to`.
inline std::string with(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

}  // namespace mercer::testing
