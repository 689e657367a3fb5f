// The one exception of the library. The core never prints and never exits: a face decides what to do.
#pragma once

#include <stdexcept>
#include <string>

namespace mercer {

enum class ErrorKind {
  usage,     ///< an argument, an option or a kernel expression is wrong
  data,      ///< a data or model file is wrong, or cannot be read or written
  budget,    ///< the memory or time given does not suffice
  cancelled  ///< the caller asked to stop
};

class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  ErrorKind kind() const noexcept { return kind_; }

 private:
  ErrorKind kind_;
};

}  // namespace mercer
