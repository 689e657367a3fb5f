// Hints and notes of the library as Python's words.py takes them.
#pragma once

#include <pybind11/pybind11.h>

#include "mercer/error.hpp"

namespace mercer::python {

/// [(remedy, value), …]
inline pybind11::list hints_of(const std::vector<Hint>& hints) {
  pybind11::list list;
  for (const Hint& hint : hints) list.append(pybind11::make_tuple(name_of(hint.remedy), hint.value));
  return list;
}

/// [(text, hints), …]
inline pybind11::list notes_of(const std::vector<Note>& notes) {
  pybind11::list list;
  for (const Note& note : notes) list.append(pybind11::make_tuple(note.text, hints_of(note.hints)));
  return list;
}

}  // namespace mercer::python
