/* What the tests of the C interface share: an expectation that fails is printed with its place, and main() returns 1. */
#ifndef MERCER_TESTS_EXPECT_H
#define MERCER_TESTS_EXPECT_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mercer/mercer.h"

static int failures = 0;

static void fail_at(int line, const char* what, const char* more) {
  printf("line %d: %s %s\n", line, what, more);
  ++failures;
}

#define EXPECT(condition)                                    \
  do {                                                       \
    if (!(condition)) fail_at(__LINE__, "not true:", #condition); \
  } while (0)
#define EXPECT_OK(call)                                                              \
  do {                                                                               \
    const int code_ = (call);                                                        \
    if (code_ != MERCER_OK) {                                                        \
      printf("%s: ", mercer_error_name(code_));                                      \
      fail_at(__LINE__, #call, mercer_error_message());                              \
    }                                                                                \
  } while (0)
/* The call is refused with this code, and the message has these words. */
#define EXPECT_REFUSED(call, expected, words)                                        \
  do {                                                                               \
    const int code_ = (call);                                                        \
    if (code_ != (expected)) fail_at(__LINE__, #call, mercer_error_name(code_));     \
    if (code_ != MERCER_OK && !strstr(mercer_error_message(), words))                \
      fail_at(__LINE__, "message:", mercer_error_message());                         \
  } while (0)
#define EXPECT_NEAR(a, b, tolerance)                                                 \
  do {                                                                               \
    const double a_ = (a), b_ = (b);                                                 \
    char text_[80];                                                                  \
    sprintf(text_, "%.17g and %.17g", a_, b_);                                       \
    if (!(fabs(a_ - b_) <= (tolerance))) fail_at(__LINE__, #a " is not " #b ":", text_); \
  } while (0)

/* Two clouds: class 0 around (-1, -1), class 1 around (1, 1). The same numbers on every machine. */
#define ROWS 40
#define COLUMNS 2

static unsigned long random_state = 12345;
static double random_number(void) {
  random_state = (random_state * 1103515245ul + 12345ul) % 2147483648ul;
  return (double)random_state / 2147483648.0 - 0.5;
}

static void fill_clouds(double* values, int32_t* codes) {
  int i;
  random_state = 12345;
  for (i = 0; i < ROWS; ++i) {
    codes[i] = i % 2;
    values[2 * i] = (codes[i] ? 1 : -1) + random_number();
    values[2 * i + 1] = (codes[i] ? 1 : -1) + random_number();
  }
}

static const char* const cloud_labels[2] = {"ham", "spam"};

static mercer_data* make_clouds(double* values, int32_t* codes) {
  mercer_data* data = NULL;
  fill_clouds(values, codes);
  EXPECT_OK(mercer_data_dense(values, ROWS, COLUMNS, &data));
  EXPECT_OK(mercer_data_set_classes(data, codes, ROWS, cloud_labels, 2));
  return data;
}

static int summary(const char* name) {
  printf("%s: %d failures\n", name, failures);
  return failures > 0;
}

#endif
