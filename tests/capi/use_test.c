/* The C interface as it is meant to be used: data from arrays and files, fits as told and selected, predictions against their formulas. */
#include "expect.h"

/* Of a text function; freed by the caller. */
static char* whole_text(int (*inspect)(const mercer_model*, char*, size_t, size_t*), const mercer_model* model) {
  size_t needed = 0;
  char* text;
  EXPECT(inspect(model, NULL, 0, &needed) == MERCER_BUFFER_TOO_SMALL);
  text = malloc(needed);
  EXPECT_OK(inspect(model, text, needed, &needed));
  EXPECT(strlen(text) + 1 == needed);
  return text;
}

/* f(x) = sum of alpha k(x_i, x): of kernel ridge regression the solution of (K + n lambda I) alpha = y, here by Gauss elimination. */
static void solve(double* matrix, double* y, int n) {
  int i, j, k;
  for (k = 0; k < n; ++k)
    for (i = k + 1; i < n; ++i) {
      const double factor = matrix[i * n + k] / matrix[k * n + k];
      for (j = k; j < n; ++j) matrix[i * n + j] -= factor * matrix[k * n + j];
      y[i] -= factor * y[k];
    }
  for (k = n - 1; k >= 0; --k) {
    for (j = k + 1; j < n; ++j) y[k] -= matrix[k * n + j] * y[j];
    y[k] /= matrix[k * n + k];
  }
}

static double gaussian(const double* x, const double* z, double gamma) {
  return exp(-gamma * ((x[0] - z[0]) * (x[0] - z[0]) + (x[1] - z[1]) * (x[1] - z[1])));
}

static void test_kernel_matrix(void) {
  double x[ROWS * COLUMNS], K[ROWS * ROWS], cross[3 * ROWS], z[6] = {0.5, 1, -1, 2, 0, 0};
  int32_t codes[ROWS];
  mercer_data *data, *other = NULL;
  int i, j;
  data = make_clouds(x, codes);
  EXPECT_OK(mercer_kernel_matrix("rbf(gamma=0.7) + 2*linear", data, NULL, 0, K, ROWS * ROWS));
  for (i = 0; i < ROWS; ++i)
    for (j = 0; j < ROWS; ++j)
      EXPECT_NEAR(K[i * ROWS + j],
                  gaussian(x + 2 * i, x + 2 * j, 0.7) + 2 * (x[2 * i] * x[2 * j] + x[2 * i + 1] * x[2 * j + 1]),
                  1e-12);
  EXPECT_OK(mercer_data_dense(z, 3, 2, &other));
  EXPECT_OK(mercer_kernel_matrix("rbf(gamma=0.7)", other, data, 1, cross, 3 * ROWS));
  for (i = 0; i < 3; ++i)
    for (j = 0; j < ROWS; ++j) EXPECT_NEAR(cross[i * ROWS + j], gaussian(z + 2 * i, x + 2 * j, 0.7), 1e-12);
  EXPECT_OK(mercer_data_free(data));
  EXPECT_OK(mercer_data_free(other));
}

static void test_ridge(void) {
  double x[ROWS * COLUMNS], y[ROWS], alpha[ROWS], A[ROWS * ROWS], out[2], variance[2], at[4] = {0.2, -0.3, 1.1, 0.4};
  int32_t codes[ROWS];
  mercer_data* data;
  mercer_model* model = NULL;
  size_t width = 0;
  int i, j;
  data = make_clouds(x, codes);
  for (i = 0; i < ROWS; ++i) alpha[i] = y[i] = sin(x[2 * i]) + x[2 * i + 1];
  EXPECT_OK(mercer_data_set_numbers(data, y, ROWS, 1));
  EXPECT_OK(mercer_fit(data, "{\"method\": \"ridge\", \"kernel\": \"rbf(gamma=0.5)\", \"tau2\": 0.1, \"bias\": \"none\"}", NULL,
                       NULL, &model));
  for (i = 0; i < ROWS; ++i)
    for (j = 0; j < ROWS; ++j) A[i * ROWS + j] = gaussian(x + 2 * i, x + 2 * j, 0.5) + (i == j ? 0.1 : 0);
  solve(A, alpha, ROWS);
  EXPECT_OK(mercer_predict_dense(model, MERCER_VALUE, at, 2, 2, 0, out, 2));
  for (i = 0; i < 2; ++i) {
    double f = 0;
    for (j = 0; j < ROWS; ++j) f += alpha[j] * gaussian(x + 2 * j, at + 2 * i, 0.5);
    EXPECT_NEAR(out[i], f, 1e-6);
  }
  EXPECT_OK(mercer_model_width(model, MERCER_VARIANCE, &width));
  EXPECT(width == 0);
  EXPECT_REFUSED(mercer_predict_dense(model, MERCER_VARIANCE, at, 2, 2, 0, variance, 2), MERCER_UNSUPPORTED,
                 "no variances");
  EXPECT_OK(mercer_model_free(model));
  /* var f(x) = k(x, x) - k' (K + noise I)^-1 k */
  EXPECT_OK(mercer_fit(data,
                       "{\"method\": \"gp\", \"kernel\": \"rbf(gamma=0.5)\", \"noise\": 0.1, \"optimize\": \"none\", \"mean\": \"zero\"}",
                       NULL, NULL, &model));
  EXPECT_OK(mercer_predict_dense(model, MERCER_VARIANCE, at, 2, 2, 0, variance, 2));
  for (i = 0; i < 2; ++i) {
    double expected = 1;
    int a, b;
    for (a = 0; a < ROWS; ++a) {
      alpha[a] = gaussian(x + 2 * a, at + 2 * i, 0.5);
      for (b = 0; b < ROWS; ++b) A[a * ROWS + b] = gaussian(x + 2 * a, x + 2 * b, 0.5) + (a == b ? 0.1 : 0);
    }
    solve(A, alpha, ROWS);
    for (a = 0; a < ROWS; ++a) expected -= alpha[a] * gaussian(x + 2 * a, at + 2 * i, 0.5);
    EXPECT_NEAR(variance[i], expected, 1e-8);
  }
  EXPECT_OK(mercer_model_free(model));
  EXPECT_OK(mercer_data_free(data));
}

static void test_classes(void) {
  double x[ROWS * COLUMNS], values[ROWS], scores[ROWS], probabilities[2 * ROWS], again[ROWS];
  int32_t codes[ROWS], indices[ROWS * COLUMNS];
  int64_t starts[ROWS + 1];
  mercer_data *data, *sparse = NULL;
  mercer_model *model = NULL, *loaded = NULL, *copy = NULL;
  char label[8], *text, *bytes;
  size_t needed = 0, width = 0, columns = 0, classes = 0;
  int i;
  data = make_clouds(x, codes);
  EXPECT_OK(mercer_fit(data, "{\"C\": 10, \"kernel\": \"rbf(gamma=1)\", \"proba\": true}", NULL, NULL, &model));
  EXPECT_OK(mercer_model_columns(model, &columns));
  EXPECT_OK(mercer_model_classes(model, &classes));
  EXPECT(columns == 2 && classes == 2);
  EXPECT_OK(mercer_model_label(model, 1, label, sizeof label, &needed));
  EXPECT(strcmp(label, "spam") == 0 && needed == 5);
  EXPECT_OK(mercer_model_width(model, MERCER_PROBABILITY, &width));
  EXPECT(width == 2);
  EXPECT_OK(mercer_predict(model, MERCER_VALUE, data, 0, values, ROWS));
  EXPECT_OK(mercer_predict(model, MERCER_SCORE, data, 0, scores, ROWS));
  EXPECT_OK(mercer_predict(model, MERCER_PROBABILITY, data, 0, probabilities, 2 * ROWS));
  for (i = 0; i < ROWS; ++i) {
    EXPECT(values[i] == codes[i]);
    EXPECT((scores[i] > 0) == codes[i]); /* positive for the second class */
    EXPECT_NEAR(probabilities[2 * i] + probabilities[2 * i + 1], 1, 1e-12);
    starts[i] = 2 * i;
    indices[2 * i] = 0;
    indices[2 * i + 1] = 1;
  }
  starts[ROWS] = 2 * ROWS;
  /* The same rows as an array and as sparse rows. */
  EXPECT_OK(mercer_predict_dense(model, MERCER_SCORE, x, ROWS, 2, 1, again, ROWS));
  EXPECT(memcmp(scores, again, sizeof scores) == 0);
  EXPECT_OK(mercer_predict_csr(model, MERCER_SCORE, starts, indices, x, 2 * ROWS, ROWS, 2, 1, again, ROWS));
  for (i = 0; i < ROWS; ++i) EXPECT_NEAR(again[i], scores[i], 1e-9);
  EXPECT_OK(mercer_data_csr(starts, indices, x, 2 * ROWS, ROWS, 2, &sparse));
  EXPECT_OK(mercer_predict(model, MERCER_SCORE, sparse, 1, again, ROWS));
  for (i = 0; i < ROWS; ++i) EXPECT_NEAR(again[i], scores[i], 1e-9);
  /* Through a file and through bytes. */
  EXPECT_OK(mercer_model_save(model, "capi_test.mercer"));
  EXPECT_OK(mercer_model_load("capi_test.mercer", &loaded));
  EXPECT_OK(mercer_predict_dense(loaded, MERCER_SCORE, x, ROWS, 2, 0, again, ROWS));
  EXPECT(memcmp(scores, again, sizeof scores) == 0);
  EXPECT(mercer_model_to_bytes(model, NULL, 0, &needed) == MERCER_BUFFER_TOO_SMALL);
  bytes = malloc(needed);
  EXPECT_OK(mercer_model_to_bytes(model, bytes, needed, &needed));
  EXPECT_OK(mercer_model_from_bytes(bytes, needed, &copy));
  EXPECT_OK(mercer_predict_dense(copy, MERCER_SCORE, x, ROWS, 2, 0, again, ROWS));
  EXPECT(memcmp(scores, again, sizeof scores) == 0);
  text = whole_text(mercer_model_inspect, model);
  EXPECT(strstr(text, "\"method\":\"svm\"") && strstr(text, "\"C\":10") && strstr(text, "\"classes\":[\"ham\",\"spam\"]"));
  EXPECT(strstr(text, "\"converged\":true") && strstr(text, "\"selection\":null"));
  free(text);
  free(bytes);
  remove("capi_test.mercer");
  EXPECT_OK(mercer_model_free(model));
  EXPECT_OK(mercer_model_free(loaded));
  EXPECT_OK(mercer_model_free(copy));
  EXPECT_OK(mercer_data_free(sparse));
  EXPECT_OK(mercer_data_free(data));
}

static int stop_at_once(const char* what, double fraction, void* user) {
  ++*(int*)user;
  return !(what && fraction >= 0);
}

static int go_on(const char* what, double fraction, void* user) {
  (void)what;
  (void)fraction;
  ++*(int*)user;
  return 1;
}

static void test_selection(void) {
  double x[ROWS * COLUMNS], weights[ROWS];
  int32_t codes[ROWS];
  const char* const names[2] = {"height", "mass"};
  mercer_data* data;
  mercer_model* model = NULL;
  char* text;
  int i, told = 0;
  data = make_clouds(x, codes);
  EXPECT_OK(mercer_data_set_names(data, names, 2));
  for (i = 0; i < ROWS; ++i) weights[i] = 1 + i % 3;
  EXPECT_OK(mercer_data_set_weights(data, weights, ROWS));
  EXPECT_OK(mercer_fit(data, NULL, go_on, &told, &model)); /* everything is selected */
  EXPECT(told > 0);
  text = whole_text(mercer_model_inspect, model);
  EXPECT(strstr(text, "\"selection\":{\"metric\":\"accuracy\""));
  free(text);
  EXPECT_OK(mercer_model_free(model));
  EXPECT_OK(mercer_fit(data, "{\"method\": \"svm\", \"kernel\": \"rbf(gamma=scale)\", \"tune\": true, \"grid\": {\"C\": [1, 10]}, \"cv\": 3}",
                       NULL, NULL, &model));
  EXPECT_OK(mercer_model_free(model));
  EXPECT_OK(mercer_fit(data, "{\"method\": \"svm\", \"class-weight\": {\"spam\": 2}, \"holdout\": 0.25, \"scale\": \"standard\"}", NULL,
                       NULL, &model));
  EXPECT_OK(mercer_model_free(model));
  told = 0;
  EXPECT(mercer_fit(data, "", stop_at_once, &told, &model) == MERCER_CANCELLED);
  EXPECT(model == NULL && told > 0);
  EXPECT_OK(mercer_data_free(data));
}

static void test_files(void) {
  mercer_data *data = NULL, *rows = NULL;
  mercer_model* model = NULL;
  size_t n = 0, columns = 0, needed = 0;
  double out[8];
  char text[4000];
  FILE* file = fopen("capi_test.csv", "w");
  int i;
  for (fprintf(file, "size,colour,price\n"), i = 0; i < 30; ++i)
    fprintf(file, "%d.5,%s,%g\n", i, i % 2 ? "red" : "blue", 2.0 * i + (i % 2));
  fclose(file);
  EXPECT_OK(mercer_data_read("capi_test.csv", "{\"target\": \"price\"}", &data));
  EXPECT_OK(mercer_data_size(data, &n, &columns));
  EXPECT(n == 30 && columns == 3); /* a column for each colour */
  EXPECT_OK(mercer_data_inspect(data, text, sizeof text, &needed));
  EXPECT(strstr(text, "\"task\":\"real\"") && strstr(text, "\"target\":\"price\""));
  EXPECT_OK(mercer_fit(data, "{\"method\": \"ridge\", \"kernel\": \"linear\", \"tau2\": 1e-6}", NULL, NULL, &model));
  file = fopen("capi_test_new.csv", "w");
  fprintf(file, "colour,size\nred,7.5\nblue,100.5\n");
  fclose(file);
  EXPECT_OK(mercer_data_read_for(model, "capi_test_new.csv", NULL, &rows));
  EXPECT_OK(mercer_predict(model, MERCER_VALUE, rows, 0, out, 2));
  EXPECT_NEAR(out[0], 15, 1e-3);
  EXPECT_NEAR(out[1], 200, 1e-3);
  remove("capi_test.csv");
  remove("capi_test_new.csv");
  EXPECT_OK(mercer_data_free(rows));
  EXPECT_OK(mercer_data_free(data));
  EXPECT_OK(mercer_model_free(model));
  /* LIBSVM text: later rows may have columns that no row of the model had. */
  file = fopen("capi_test.svm", "w");
  for (i = 0; i < 20; ++i) fprintf(file, "%d 1:%g 2:%g\n", i % 2 ? 1 : -1, i % 2 ? 1.0 : -1.0, 0.1 * i);
  fclose(file);
  EXPECT_OK(mercer_data_read("capi_test.svm", NULL, &data));
  EXPECT_OK(mercer_fit(data, "{\"kernel\": \"linear\"}", NULL, NULL, &model));
  file = fopen("capi_test_wide.svm", "w");
  fprintf(file, "1 1:1 9:2\n");
  fclose(file);
  EXPECT_OK(mercer_data_read_for(model, "capi_test_wide.svm", NULL, &rows));
  EXPECT_OK(mercer_predict(model, MERCER_VALUE, rows, 0, out, 1));
  EXPECT_OK(mercer_model_label(model, (size_t)out[0], text, sizeof text, NULL));
  EXPECT(strcmp(text, "1") == 0);
  remove("capi_test.svm");
  remove("capi_test_wide.svm");
  EXPECT_OK(mercer_data_free(rows));
  EXPECT_OK(mercer_data_free(data));
  EXPECT_OK(mercer_model_free(model));
}

static void test_precomputed(void) {
  double x[ROWS * COLUMNS], K[ROWS * ROWS], direct[ROWS], given[ROWS];
  int32_t codes[ROWS];
  mercer_data *data, *matrix = NULL;
  mercer_model *a = NULL, *b = NULL;
  int i;
  data = make_clouds(x, codes);
  EXPECT_OK(mercer_kernel_matrix("rbf(gamma=1)", data, NULL, 0, K, ROWS * ROWS));
  EXPECT_OK(mercer_data_dense(K, ROWS, ROWS, &matrix));
  EXPECT_OK(mercer_data_set_classes(matrix, codes, ROWS, cloud_labels, 2));
  EXPECT_OK(mercer_fit(data, "{\"method\": \"svm\", \"kernel\": \"rbf(gamma=1)\", \"tolerance\": 1e-8}", NULL, NULL, &a));
  EXPECT_OK(mercer_fit(matrix, "{\"method\": \"svm\", \"kernel\": \"precomputed\", \"tolerance\": 1e-8}", NULL, NULL, &b));
  EXPECT_OK(mercer_predict_dense(a, MERCER_SCORE, x, ROWS, 2, 0, direct, ROWS));
  EXPECT_OK(mercer_predict_dense(b, MERCER_SCORE, K, ROWS, ROWS, 0, given, ROWS));
  for (i = 0; i < ROWS; ++i) EXPECT_NEAR(direct[i], given[i], 1e-6);
  mercer_model_free(a);
  mercer_model_free(b);
  mercer_data_free(data);
  mercer_data_free(matrix);
}

int main(void) {
  EXPECT(mercer_abi_version() == MERCER_ABI_VERSION);
  EXPECT(strlen(mercer_version()) >= 5);
  test_kernel_matrix();
  test_ridge();
  test_classes();
  test_selection();
  test_files();
  test_precomputed();
  return summary("use");
}
