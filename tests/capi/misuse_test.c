/* Hostile calls: NULL, wrong sizes, numbers that are none, dead handles and options that mean nothing are refused with a code and a message. */
#include "expect.h"

static void test_handles(void) {
  double x[ROWS * COLUMNS], out[ROWS];
  int32_t codes[ROWS];
  size_t n = 0;
  mercer_data *data, *dead;
  mercer_model* model = NULL;
  data = make_clouds(x, codes);
  EXPECT_OK(mercer_fit(data, "{\"kernel\": \"linear\"}", NULL, NULL, &model));
  EXPECT_REFUSED(mercer_data_size(NULL, &n, &n), MERCER_INVALID_HANDLE, "NULL");
  EXPECT_REFUSED(mercer_predict(model, MERCER_VALUE, NULL, 0, out, ROWS), MERCER_INVALID_HANDLE, "NULL");
  /* One of the other kind. */
  EXPECT_REFUSED(mercer_data_size((mercer_data*)(void*)model, &n, &n), MERCER_INVALID_HANDLE, "of a model");
  EXPECT_REFUSED(mercer_model_columns((mercer_model*)(void*)data, &n), MERCER_INVALID_HANDLE, "of data");
  EXPECT_REFUSED(mercer_model_free((mercer_model*)(void*)data), MERCER_INVALID_HANDLE, "of data");
  /* One that nobody made: a real address, a small number, the next number to be given. */
  EXPECT_REFUSED(mercer_data_size((mercer_data*)(void*)&n, &n, &n), MERCER_INVALID_HANDLE, "not made by this library");
  EXPECT_REFUSED(mercer_data_size((mercer_data*)(uintptr_t)1, &n, &n), MERCER_INVALID_HANDLE, "not made");
  EXPECT_REFUSED(mercer_data_size((mercer_data*)((uintptr_t)model + 2), &n, &n), MERCER_INVALID_HANDLE, "not made");
  EXPECT_REFUSED(mercer_data_free((mercer_data*)UINTPTR_MAX), MERCER_INVALID_HANDLE, "not made");
  /* Freed: again, and used afterwards; also when others were made since. */
  dead = data;
  EXPECT_OK(mercer_data_free(data));
  EXPECT_REFUSED(mercer_data_free(dead), MERCER_INVALID_HANDLE, "freed before");
  data = make_clouds(x, codes);
  EXPECT(data != dead);
  EXPECT_REFUSED(mercer_data_size(dead, &n, &n), MERCER_INVALID_HANDLE, "freed before");
  EXPECT_REFUSED(mercer_fit(dead, NULL, NULL, NULL, &model), MERCER_INVALID_HANDLE, "freed before");
  EXPECT(model == NULL); /* what was there is not given back; the handle before is lost to this variable alone */
  EXPECT_REFUSED(mercer_data_set_numbers(dead, x, ROWS, 1), MERCER_INVALID_HANDLE, "freed before");
  EXPECT_OK(mercer_data_free(NULL)); /* as free(NULL) */
  EXPECT_OK(mercer_model_free(NULL));
  EXPECT_OK(mercer_data_free(data));
}

static void test_null(void) {
  double x[ROWS * COLUMNS], out[ROWS];
  int32_t codes[ROWS];
  const char* labels[2] = {"a", NULL};
  mercer_data *data, *other = NULL;
  mercer_model* model = NULL;
  size_t n = 0;
  data = make_clouds(x, codes);
  EXPECT_OK(mercer_fit(data, "{\"kernel\": \"linear\"}", NULL, NULL, &model));
  EXPECT_REFUSED(mercer_data_read(NULL, NULL, &other), MERCER_INVALID_ARGUMENT, "path must not be NULL");
  EXPECT_REFUSED(mercer_data_read("x.csv", NULL, NULL), MERCER_INVALID_ARGUMENT, "data must not be NULL");
  EXPECT_REFUSED(mercer_data_dense(NULL, 2, 2, &other), MERCER_INVALID_ARGUMENT, "values must not be NULL");
  EXPECT_REFUSED(mercer_data_dense_float(NULL, 2, 2, &other), MERCER_INVALID_ARGUMENT, "values must not be NULL");
  EXPECT_REFUSED(mercer_data_csr(NULL, NULL, NULL, 0, 0, 0, &other), MERCER_INVALID_ARGUMENT, "starts must not be NULL");
  EXPECT_REFUSED(mercer_data_set_classes(data, NULL, ROWS, cloud_labels, 2), MERCER_INVALID_ARGUMENT, "codes");
  EXPECT_REFUSED(mercer_data_set_classes(data, codes, ROWS, labels, 2), MERCER_INVALID_ARGUMENT, "labels[1]");
  EXPECT_REFUSED(mercer_data_set_names(data, NULL, 2), MERCER_INVALID_ARGUMENT, "names");
  EXPECT_REFUSED(mercer_data_set_weights(data, NULL, ROWS), MERCER_INVALID_ARGUMENT, "weights");
  EXPECT_REFUSED(mercer_data_size(data, NULL, &n), MERCER_INVALID_ARGUMENT, "rows must not be NULL");
  EXPECT_REFUSED(mercer_data_inspect(data, NULL, 100000, &n), MERCER_INVALID_ARGUMENT, "the buffer");
  EXPECT_REFUSED(mercer_fit(data, NULL, NULL, NULL, NULL), MERCER_INVALID_ARGUMENT, "model must not be NULL");
  EXPECT_REFUSED(mercer_model_load(NULL, &model), MERCER_INVALID_ARGUMENT, "path");
  EXPECT_OK(mercer_fit(data, "{\"kernel\": \"linear\"}", NULL, NULL, &model));
  EXPECT_REFUSED(mercer_model_save(model, NULL), MERCER_INVALID_ARGUMENT, "path");
  EXPECT_REFUSED(mercer_model_columns(model, NULL), MERCER_INVALID_ARGUMENT, "columns");
  EXPECT_REFUSED(mercer_predict(model, MERCER_VALUE, data, 0, NULL, ROWS), MERCER_INVALID_ARGUMENT, "out");
  EXPECT_REFUSED(mercer_predict_dense(model, MERCER_VALUE, NULL, 1, 2, 0, out, 1), MERCER_INVALID_ARGUMENT, "values");
  EXPECT_REFUSED(mercer_kernel_matrix(NULL, data, NULL, 0, out, 1), MERCER_INVALID_ARGUMENT, "kernel");
  EXPECT_REFUSED(mercer_model_from_bytes(NULL, 10, &model), MERCER_INVALID_ARGUMENT, "bytes");
  EXPECT_OK(mercer_data_free(data));
}

static void test_sizes(void) {
  double x[ROWS * COLUMNS], out[ROWS], bad[4] = {1, 2, 0, 4};
  int32_t codes[ROWS], indices[4] = {0, 1, 1, 0}, far[2] = {0, 7};
  int64_t starts[3] = {0, 2, 4}, wrong[3] = {0, 9, 4}, negative[3] = {0, 2, -1};
  char text[10];
  size_t needed = 0;
  mercer_data *data, *other = NULL;
  mercer_model* model = NULL;
  data = make_clouds(x, codes);
  EXPECT_OK(mercer_fit(data, "{\"kernel\": \"linear\"}", NULL, NULL, &model));
  EXPECT_REFUSED(mercer_predict(model, MERCER_VALUE, data, 0, out, ROWS - 1), MERCER_INVALID_ARGUMENT, "room for 39");
  EXPECT_REFUSED(mercer_predict(model, MERCER_VALUE, data, -3, out, ROWS), MERCER_INVALID_ARGUMENT, "threads");
  EXPECT_REFUSED(mercer_predict(model, 17, data, 0, out, ROWS), MERCER_INVALID_ARGUMENT, "17");
  EXPECT_REFUSED(mercer_predict(model, MERCER_PROBABILITY, data, 0, out, ROWS), MERCER_UNSUPPORTED, "proba");
  EXPECT_REFUSED(mercer_predict_dense(model, MERCER_VALUE, x, 5, 3, 0, out, 5), MERCER_INVALID_DATA, "2 columns");
  EXPECT_REFUSED(mercer_predict_dense(model, MERCER_VALUE, x, (size_t)-1, 2, 0, out, 5), MERCER_TOO_LARGE, "more than memory");
  EXPECT_REFUSED(mercer_data_dense(x, (size_t)-1 / 8, 4, &other), MERCER_TOO_LARGE, "more than memory");
  EXPECT_REFUSED(mercer_data_set_classes(data, codes, 3, cloud_labels, 2), MERCER_INVALID_ARGUMENT, "3 codes for 40 rows");
  EXPECT_REFUSED(mercer_data_set_classes(data, codes, ROWS, cloud_labels, 1), MERCER_INVALID_ARGUMENT, "codes[1] is 1");
  EXPECT_REFUSED(mercer_data_set_numbers(data, x, ROWS, 0), MERCER_INVALID_ARGUMENT, "at least one");
  EXPECT_REFUSED(mercer_data_set_weights(data, x, ROWS), MERCER_INVALID_ARGUMENT, "weights[0]");
  EXPECT_REFUSED(mercer_data_set_names(data, cloud_labels, 1), MERCER_INVALID_ARGUMENT, "1 names for 2 columns");
  EXPECT_REFUSED(mercer_kernel_matrix("linear", data, NULL, 0, out, ROWS), MERCER_INVALID_ARGUMENT, "40 × 40");
  EXPECT_REFUSED(mercer_data_csr(starts, indices, bad, 4, 2, 2, &other), MERCER_INVALID_DATA, "row 1");
  EXPECT_REFUSED(mercer_data_csr(starts, indices, bad, 3, 2, 2, &other), MERCER_INVALID_ARGUMENT, "3 numbers are stored");
  EXPECT_REFUSED(mercer_data_csr(wrong, indices, bad, 4, 2, 2, &other), MERCER_INVALID_DATA, "ascend");
  EXPECT_REFUSED(mercer_data_csr(negative, indices, bad, 4, 2, 2, &other), MERCER_INVALID_ARGUMENT, "-1");
  EXPECT_REFUSED(mercer_data_csr(starts, far, bad, 2, 1, 2, &other), MERCER_INVALID_DATA, "below 2");
  bad[2] = NAN;
  EXPECT_REFUSED(mercer_data_dense(bad, 2, 2, &other), MERCER_INVALID_DATA, "row 1, column 0");
  EXPECT_REFUSED(mercer_predict_dense(model, MERCER_VALUE, bad, 2, 2, 0, out, 2), MERCER_INVALID_DATA, "finite");
  EXPECT(other == NULL);
  /* Texts that do not fit leave the buffer as it is. */
  strcpy(text, "as it is");
  EXPECT_REFUSED(mercer_model_inspect(model, text, sizeof text, &needed), MERCER_BUFFER_TOO_SMALL, "10 bytes");
  EXPECT(strcmp(text, "as it is") == 0 && needed > 100);
  EXPECT_REFUSED(mercer_model_label(model, 2, text, sizeof text, NULL), MERCER_INVALID_ARGUMENT, "no label 2");
  EXPECT_OK(mercer_predict_dense(model, MERCER_VALUE, NULL, 0, 2, 0, NULL, 0)); /* no rows, nothing to do */
  EXPECT_OK(mercer_model_free(model));
  EXPECT_OK(mercer_data_free(data));
}

static void refuse_options(const mercer_data* data, const char* options, int code, const char* words) {
  mercer_model* model = NULL;
  const int given = mercer_fit(data, options, NULL, NULL, &model);
  if (given != code || !strstr(mercer_error_message(), words)) {
    printf("%s: ", options);
    fail_at(__LINE__, mercer_error_name(given), mercer_error_message());
  }
  EXPECT(model == NULL);
}

static void test_options(void) {
  double x[ROWS * COLUMNS];
  int32_t codes[ROWS];
  mercer_data *data, *other = NULL;
  data = make_clouds(x, codes);
  refuse_options(data, "{", MERCER_INVALID_ARGUMENT, "not JSON");
  refuse_options(data, "[1]", MERCER_INVALID_ARGUMENT, "JSON object");
  refuse_options(data, "{\"C\": 1, \"C\": 2}", MERCER_INVALID_ARGUMENT, "twice");
  refuse_options(data, "{\"class_weight\": \"balanced\", \"class-weight\": \"balanced\"}", MERCER_INVALID_ARGUMENT, "twice");
  refuse_options(data, "{\"kernl\": \"rbf\"}", MERCER_UNKNOWN_NAME, "did you mean 'kernel'");
  refuse_options(data, "{\"method\": \"svmm\"}", MERCER_UNKNOWN_NAME, "svm");
  refuse_options(data, "{\"kernel\": \"rbff\"}", MERCER_UNKNOWN_NAME, "rbf");
  refuse_options(data, "{\"kernel\": 5}", MERCER_INVALID_ARGUMENT, "kernel must be a text, not 5");
  refuse_options(data, "{\"method\": \"svm\", \"C\": -1}", MERCER_INVALID_PARAMETER, "C must be");
  refuse_options(data, "{\"method\": \"svm\", \"C\": [1]}", MERCER_INVALID_ARGUMENT, "C must be a number");
  refuse_options(data, "{\"method\": \"svm\", \"C\": \"ten\"}", MERCER_INVALID_PARAMETER, "must be a number");
  refuse_options(data, "{\"method\": \"svm\", \"nu\": 0.5}", MERCER_UNKNOWN_NAME, "nu");
  refuse_options(data, "{\"tune\": 1}", MERCER_INVALID_ARGUMENT, "true or false");
  refuse_options(data, "{\"threads\": 1.5}", MERCER_INVALID_ARGUMENT, "whole number");
  refuse_options(data, "{\"cv\": 1}", MERCER_INVALID_ARGUMENT, "≥ 2");
  refuse_options(data, "{\"holdout\": 2}", MERCER_INVALID_ARGUMENT, "fraction");
  refuse_options(data, "{\"time\": 0}", MERCER_INVALID_ARGUMENT, "seconds");
  refuse_options(data, "{\"grid\": {\"C\": 1}}", MERCER_INVALID_ARGUMENT, "list of numbers");
  refuse_options(data, "{\"metric\": \"acuracy\"}", MERCER_UNKNOWN_NAME, "accuracy");
  refuse_options(data, "{\"scale\": \"big\"}", MERCER_UNKNOWN_NAME, "standard");
  refuse_options(data, "{\"class_weight\": 3}", MERCER_INVALID_ARGUMENT, "balanced");
  refuse_options(data, "{\"method\": \"kmeans\", \"tune\": true}", MERCER_UNSUPPORTED, "unsupervised");
  refuse_options(data, "{\"kernel\": \"rbf(gamma=1) - linear\"}", MERCER_UNSUPPORTED, "positive semidefinite");
  EXPECT_REFUSED(mercer_data_read("there/is/none.csv", NULL, &other), MERCER_FILE_ACCESS, "none.csv");
  EXPECT_REFUSED(mercer_data_read("x.csv", "{\"format\": \"cvs\"}", &other), MERCER_INVALID_ARGUMENT, "csv");
  EXPECT_REFUSED(mercer_data_read("x.csv", "{\"method\": \"svm\"}", &other), MERCER_UNKNOWN_NAME, "no option 'method'");
  EXPECT(strcmp(mercer_error_name(MERCER_UNKNOWN_NAME), "unknown_name") == 0);
  EXPECT(strcmp(mercer_error_name(MERCER_CANCELLED), "cancelled") == 0);
  EXPECT(strcmp(mercer_error_name(-5), "unknown") == 0 && strcmp(mercer_error_name(77), "unknown") == 0);
  EXPECT_OK(mercer_data_free(data));
}

static void test_foreign_bytes(void) {
  mercer_model* model = NULL;
  EXPECT_REFUSED(mercer_model_from_bytes("abc", 3, &model), MERCER_INVALID_FILE, "3 bytes");
  EXPECT_REFUSED(mercer_model_from_bytes(NULL, 0, &model), MERCER_INVALID_FILE, "0 bytes");
  EXPECT(model == NULL);
}

int main(void) {
  EXPECT(strcmp(mercer_error_message(), "") == 0);
  test_handles();
  test_null();
  test_sizes();
  test_options();
  test_foreign_bytes();
  return summary("misuse");
}
