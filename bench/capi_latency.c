/* What does a prediction of one row cost through the C interface, beside its arithmetic? The arithmetic is the same sum written as a loop here:
 * f(x) = sum of alpha_i exp(-gamma |x_i - x|^2) over the support vectors. */
#define _POSIX_C_SOURCE 199309L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "mercer/mercer.h"

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void check(int code) {
  if (code == MERCER_OK) return;
  fprintf(stderr, "%s\n", mercer_error_message());
  exit(1);
}

static int by_value(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

int main(void) {
  enum { columns = 10, calls = 20000 };
  static const size_t sizes[] = {1, 100, 1000};
  static double times[calls];
  size_t s, i, k;
  unsigned state = 1;
  printf("| points of the model | a loop, µs | mercer_predict_dense, median µs | 99 %%, µs | overhead, µs |\n|---:|---:|---:|---:|---:|\n");
  for (s = 0; s < 3; ++s) {
    const size_t n = sizes[s] < 10 ? 10 : sizes[s];
    double *x = malloc(n * columns * sizeof *x), *y = malloc(n * sizeof *y), out = 0, sum = 0, start, loop;
    mercer_data* data = NULL;
    mercer_model* model = NULL;
    for (i = 0; i < n * columns; ++i) x[i] = (double)((state = state * 1103515245u + 12345u) >> 8) / 16777216.0;
    for (i = 0; i < n; ++i) y[i] = sin(10 * x[i * columns]);
    check(mercer_data_dense(x, n, columns, &data));
    check(mercer_data_set_numbers(data, y, n, 1));
    /* One point: the linear kernel, whose model is its weights. */
    check(mercer_fit(data, sizes[s] == 1 ? "{\"method\": \"ridge\", \"kernel\": \"linear\"}" : "{\"method\": \"ridge\", \"kernel\": \"rbf(gamma=1)\"}", NULL, NULL, &model));
    start = now();
    for (k = 0; k < 200; ++k) {
      const double* at = x + k % n * columns;
      for (i = 0; i < sizes[s]; ++i) {
        double d2 = 0;
        size_t c;
        for (c = 0; c < columns; ++c) d2 += (x[i * columns + c] - at[c]) * (x[i * columns + c] - at[c]);
        sum += y[i] * (sizes[s] == 1 ? d2 : exp(-d2));
      }
    }
    loop = (now() - start) / 200;
    for (k = 0; k < 1000; ++k) check(mercer_predict_dense(model, MERCER_VALUE, x + k % n * columns, 1, columns, 1, &out, 1));
    for (k = 0; k < calls; ++k) {
      start = now();
      check(mercer_predict_dense(model, MERCER_VALUE, x + k % n * columns, 1, columns, 1, &out, 1));
      times[k] = now() - start;
      sum += out;
    }
    qsort(times, calls, sizeof *times, by_value);
    printf("| %lu | %.2f | %.2f | %.2f | %.2f |\n", (unsigned long)sizes[s], 1e6 * loop, 1e6 * times[calls / 2], 1e6 * times[calls / 100 * 99],
           1e6 * (times[calls / 2] - loop));
    if (sum == 0.123456789) printf("\n"); /* so that the sums are needed */
    check(mercer_model_free(model));
    check(mercer_data_free(data));
    free(x);
    free(y);
  }
  return 0;
}
