#include "mercer/doctor.hpp"

#include <fmt/format.h>
#include <omp.h>
#include <sys/utsname.h>

#include <cstdlib>
#include <fstream>

#include "base/blas.hpp"
#include "base/cpu.hpp"
#include "base/onednn.hpp"
#include "base/parallel.hpp"
#include "data/molecules.hpp"
#include "base/simd/targets.hpp"
#include "mercer/error.hpp"
#include "mercer/version.hpp"

namespace mercer {

namespace {

std::string system_name() {
  utsname kernel;
  const std::string name = uname(&kernel) == 0
                               ? fmt::format("{} {} {}", kernel.sysname, kernel.release, kernel.machine)
                               : "unknown";
  std::ifstream file("/etc/os-release");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("PRETTY_NAME=\"") && line.size() > 14)
      return line.substr(13, line.size() - 14) + ", " + name;
  return name;
}

/// A number of kB from /proc/meminfo, in GB.
std::string gigabytes(const std::string& key) {
  std::ifstream file("/proc/meminfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(key + ":"))
      return fmt::format("{:.1f} GB",
                         double(std::strtoull(line.c_str() + key.size() + 1, nullptr, 10)) * 1024e-9);
  return "unknown";
}

std::string set_by(const char* variable) {
  const char* value = std::getenv(variable);
  return value && *value ? fmt::format(" ({}={})", variable, value) : "";
}

std::string instruction_set() {
  std::string names;
  for (const std::string& name : simd::instruction_sets()) names += (names.empty() ? "" : ", ") + name;
  const char* forced = std::getenv("MERCER_SIMD");
  return forced && *forced ? fmt::format("{} (MERCER_SIMD; available: {})", forced, names)
                           : fmt::format("{} (available: {})", simd::instruction_sets().front(), names);
}

std::string blas_core() {
  const BlasState& blas = blas_state();
  if (blas.chosen_by_user) return fmt::format("{} (OPENBLAS_CORETYPE)", blas.core);
  if (blas.core != blas.detected)
    return fmt::format("{} (OpenBLAS had chosen {}, below what this CPU can do)", blas.core, blas.detected);
  return blas.core + " (chosen by OpenBLAS)";
}

std::string onednn_version() {
  try {
    const dnnl_version_t& version = *onednn().version();
    return fmt::format("{}.{}.{}", version.major, version.minor, version.patch);
  } catch (const Error& error) {
    return error.what();
  }
}

}  // namespace

std::vector<Finding> doctor() {
  std::vector<Finding> found{
      {"mercer", "Mercer", version()},
      {"compiler", "compiler", "g++ " __VERSION__},
      {"system", "system", system_name()},
      {"cpu", "CPU", fmt::format("{}, {} cores", cpu_name(), hardware_threads())},
      {"instruction_set", "instruction set", instruction_set()},
      {"blas", "BLAS", fmt::format("{}, {}", blas_state().version, blas_state().file)},
      {"blas_core", "BLAS core", blas_core()},
      {"onednn", "oneDNN", onednn_version()},
      {"threads", "threads", fmt::format("{}{}", omp_get_max_threads(), set_by("OMP_NUM_THREADS"))},
      {"memory", "memory",
       fmt::format("{} in all, {} available", gigabytes("MemTotal"), gigabytes("MemAvailable"))},
      {"molecules", "molecules", reads_molecules() ? "RDKit" : why_no_molecules()},
  };
  if (const std::string warning = blas_warning(); !warning.empty())
    found.push_back({"warning", "warning", warning});
  return found;
}

std::string performance_warning() { return blas_warning(); }

}  // namespace mercer
