/* A model in a C program: fit it to arrays, save it, load it as a server would, and predict one row at a time. */
#include <stdio.h>
#include <stdlib.h>

#include "mercer/mercer.h"

/* Ends the program where a call fails. */
static void check(int code) {
  if (code == MERCER_OK) return;
  fprintf(stderr, "%s: %s\n", mercer_error_name(code), mercer_error_message());
  exit(1);
}

int main(void) {
  enum { rows = 100, columns = 2 };
  static double x[rows * columns];
  static int32_t codes[rows];
  const char* const labels[] = {"inside", "outside"};
  const double here[] = {0.1, -0.2}, there[] = {1.5, 1.5};
  mercer_data* data = NULL;
  mercer_model* model = NULL;
  double predicted = 0, probabilities[2];
  char label[32];
  int i;

  for (i = 0; i < rows; ++i) { /* points of a square, in or out of the unit circle */
    x[2 * i] = (i % 10) * 0.4 - 1.8;
    x[2 * i + 1] = (i / 10) * 0.4 - 1.8;
    codes[i] = x[2 * i] * x[2 * i] + x[2 * i + 1] * x[2 * i + 1] > 1;
  }
  check(mercer_data_dense(x, rows, columns, &data));
  check(mercer_data_set_classes(data, codes, rows, labels, 2));
  check(mercer_fit(data, "{\"method\": \"svm\", \"C\": 10, \"kernel\": \"rbf(gamma=1)\", \"proba\": true}", NULL, NULL, &model));
  check(mercer_model_save(model, "circle.mercer"));
  check(mercer_model_free(model));
  check(mercer_data_free(data));

  check(mercer_model_load("circle.mercer", &model)); /* from here on any thread may use it */
  for (i = 0; i < 2; ++i) {
    const double* row = i == 0 ? here : there;
    check(mercer_predict_dense(model, MERCER_VALUE, row, 1, columns, 1, &predicted, 1));
    check(mercer_predict_dense(model, MERCER_PROBABILITY, row, 1, columns, 1, probabilities, 2));
    check(mercer_model_label(model, (size_t)predicted, label, sizeof label, NULL));
    printf("(%g, %g) is %s, with probability %.2f\n", row[0], row[1], label, probabilities[(int)predicted]);
  }
  check(mercer_model_free(model));
  remove("circle.mercer");
  return 0;
}
