// Shared libraries that are loaded when something of them is first used. Loading is what a short command
// spends most of its time on, and a library that is missing then concerns only those who need it.
#pragma once

#include <string>

namespace mercer {

/// A loaded library; it stays loaded until the program ends.
class Library {
 public:
  /// Error{missing_library} where none of the files can be loaded: it names them, what they are for and the
  /// package that has them.
  Library(std::initializer_list<const char*> files, const char* purpose, const char* package);

  /// The function of this name; Error{missing_library} where the library has none.
  template <class Function>
  Function* function(const char* name) const {
    return reinterpret_cast<Function*>(require(name));
  }
  /// The same, or nullptr.
  template <class Function>
  Function* find(const char* name) const noexcept {
    return reinterpret_cast<Function*>(symbol(name));
  }

 private:
  void* symbol(const char* name) const noexcept;
  void* require(const char* name) const;

  void* handle_ = nullptr;
  std::string file_;
};

}  // namespace mercer
