/* R's numbers, texts and pointers over mercer/mercer.h. R keeps matrices by columns and the library by rows: they are turned around here.
 * A model in R is the bytes of its file, so that saveRDS() keeps it, and beside them the handle, which is made from the bytes where it is
 * missing. An error of the library becomes one of R's, with the same words. */
#include <R.h>
#include <R_ext/Rdynload.h>
#include <Rinternals.h>

#include "mercer/mercer.h"

static void check(int code) {
  if (code != MERCER_OK) Rf_error("%s", mercer_error_message());
}

/* Rows of numbers, in R's memory for the time of the call. */
static const double* by_rows(SEXP matrix, size_t* rows, size_t* columns) {
  const double* from = REAL(matrix);
  double* to;
  size_t i, j;
  *rows = (size_t)Rf_nrows(matrix);
  *columns = (size_t)Rf_ncols(matrix);
  to = (double*)R_alloc(*rows * *columns + 1, sizeof(double));
  for (i = 0; i < *rows; ++i)
    for (j = 0; j < *columns; ++j) to[i * *columns + j] = from[j * *rows + i];
  return to;
}

static SEXP by_columns(const double* from, size_t rows, size_t columns) {
  SEXP matrix = PROTECT(Rf_allocMatrix(REALSXP, (int)rows, (int)columns));
  double* to = REAL(matrix);
  size_t i, j;
  for (i = 0; i < rows; ++i)
    for (j = 0; j < columns; ++j) to[j * rows + i] = from[i * columns + j];
  UNPROTECT(1);
  return matrix;
}

static const char** texts_of(SEXP texts) {
  const int count = Rf_length(texts);
  const char** list = (const char**)R_alloc((size_t)count + 1, sizeof(char*));
  int i;
  for (i = 0; i < count; ++i) list[i] = Rf_translateCharUTF8(STRING_ELT(texts, i));
  return list;
}

static void free_model(SEXP pointer) {
  mercer_model_free((mercer_model*)R_ExternalPtrAddr(pointer));
  R_ClearExternalPtr(pointer);
}

static SEXP wrap(mercer_model* model) {
  SEXP pointer = PROTECT(R_MakeExternalPtr(model, R_NilValue, R_NilValue));
  R_RegisterCFinalizerEx(pointer, free_model, TRUE);
  UNPROTECT(1);
  return pointer;
}

static mercer_model* model_of(SEXP pointer) {
  if (TYPEOF(pointer) != EXTPTRSXP || !R_ExternalPtrAddr(pointer)) Rf_error("not a model");
  return (mercer_model*)R_ExternalPtrAddr(pointer);
}

/* Frees the data before R is told of an error, which does not come back here. */
static void check_with(int code, mercer_data* data) {
  if (code == MERCER_OK) return;
  char message[1024];
  snprintf(message, sizeof message, "%s", mercer_error_message());
  mercer_data_free(data);
  Rf_error("%s", message);
}

/* x: a matrix; y: a factor's codes from 1 with its levels, or a matrix of numbers, or NULL; weights: numbers or NULL. */
static SEXP fit(SEXP x, SEXP names, SEXP y, SEXP levels, SEXP weights, SEXP options) {
  size_t rows, columns, i;
  const double* values = by_rows(x, &rows, &columns);
  const char** name_list = texts_of(names);
  const char** labels = levels == R_NilValue ? NULL : texts_of(levels);
  mercer_data* data = NULL;
  mercer_model* model = NULL;
  check(mercer_data_dense(values, rows, columns, &data));
  check_with(mercer_data_set_names(data, name_list, (size_t)Rf_length(names)), data);
  if (labels) {
    const size_t count = (size_t)Rf_length(y);
    int32_t* codes = (int32_t*)R_alloc(count + 1, sizeof(int32_t));
    for (i = 0; i < count; ++i) codes[i] = INTEGER(y)[i] - 1;
    check_with(mercer_data_set_classes(data, codes, count, labels, (size_t)Rf_length(levels)), data);
  } else if (y != R_NilValue) {
    size_t targets, outputs;
    const double* numbers = by_rows(y, &targets, &outputs);
    check_with(mercer_data_set_numbers(data, numbers, targets, outputs), data);
  }
  if (weights != R_NilValue)
    check_with(mercer_data_set_weights(data, REAL(weights), (size_t)Rf_length(weights)), data);
  check_with(mercer_fit(data, Rf_translateCharUTF8(STRING_ELT(options, 0)), NULL, NULL, &model), data);
  mercer_data_free(data);
  return wrap(model);
}

static SEXP predicted(SEXP pointer, SEXP output, SEXP x) {
  size_t rows, columns, width = 0;
  const mercer_model* model = model_of(pointer);
  const double* values = by_rows(x, &rows, &columns);
  double* out;
  check(mercer_model_width(model, Rf_asInteger(output), &width));
  out = (double*)R_alloc(rows * width + 1, sizeof(double));
  check(mercer_predict_dense(model, Rf_asInteger(output), values, rows, columns, 0, out, rows * width));
  return by_columns(out, rows, width);
}

static SEXP inspected(SEXP pointer) {
  size_t needed = 0;
  char* text;
  mercer_model_inspect(model_of(pointer), NULL, 0, &needed);
  text = R_alloc(needed, 1);
  check(mercer_model_inspect(model_of(pointer), text, needed, &needed));
  return Rf_ScalarString(Rf_mkCharCE(text, CE_UTF8));
}

static SEXP labels(SEXP pointer) {
  size_t classes = 0, i, needed = 0;
  SEXP list;
  check(mercer_model_classes(model_of(pointer), &classes));
  list = PROTECT(Rf_allocVector(STRSXP, (R_xlen_t)classes));
  for (i = 0; i < classes; ++i) {
    char* text;
    mercer_model_label(model_of(pointer), i, NULL, 0, &needed);
    text = R_alloc(needed, 1);
    check(mercer_model_label(model_of(pointer), i, text, needed, NULL));
    SET_STRING_ELT(list, (R_xlen_t)i, Rf_mkCharCE(text, CE_UTF8));
  }
  UNPROTECT(1);
  return list;
}

static SEXP to_bytes(SEXP pointer) {
  size_t needed = 0;
  SEXP bytes;
  mercer_model_to_bytes(model_of(pointer), NULL, 0, &needed);
  bytes = PROTECT(Rf_allocVector(RAWSXP, (R_xlen_t)needed));
  check(mercer_model_to_bytes(model_of(pointer), RAW(bytes), needed, &needed));
  UNPROTECT(1);
  return bytes;
}

static SEXP from_bytes(SEXP bytes) {
  mercer_model* model = NULL;
  check(mercer_model_from_bytes(RAW(bytes), (size_t)Rf_xlength(bytes), &model));
  return wrap(model);
}

static SEXP alive(SEXP pointer) { return Rf_ScalarLogical(R_ExternalPtrAddr(pointer) != NULL); }

static SEXP save_model(SEXP pointer, SEXP path) {
  check(mercer_model_save(model_of(pointer), Rf_translateChar(STRING_ELT(path, 0))));
  return R_NilValue;
}

static SEXP load_model(SEXP path) {
  mercer_model* model = NULL;
  check(mercer_model_load(Rf_translateChar(STRING_ELT(path, 0)), &model));
  return wrap(model);
}

static SEXP kernel_values(SEXP kernel, SEXP x, SEXP z) {
  size_t n, m, columns, other;
  const double *rows = by_rows(x, &n, &columns), *against = by_rows(z, &m, &other);
  const char* text = Rf_translateCharUTF8(STRING_ELT(kernel, 0));
  double* out = (double*)R_alloc(n * m + 1, sizeof(double));
  mercer_data *a = NULL, *b = NULL;
  check(mercer_data_dense(rows, n, columns, &a));
  check_with(mercer_data_dense(against, m, other, &b), a);
  {
    const int code = mercer_kernel_matrix(text, a, b, 0, out, n * m);
    mercer_data_free(b);
    check_with(code, a);
  }
  mercer_data_free(a);
  return by_columns(out, n, m);
}

static const R_CallMethodDef calls[] = {{"mercer_r_fit", (DL_FUNC)&fit, 6},
                                        {"mercer_r_predict", (DL_FUNC)&predicted, 3},
                                        {"mercer_r_inspect", (DL_FUNC)&inspected, 1},
                                        {"mercer_r_labels", (DL_FUNC)&labels, 1},
                                        {"mercer_r_to_bytes", (DL_FUNC)&to_bytes, 1},
                                        {"mercer_r_from_bytes", (DL_FUNC)&from_bytes, 1},
                                        {"mercer_r_alive", (DL_FUNC)&alive, 1},
                                        {"mercer_r_save", (DL_FUNC)&save_model, 2},
                                        {"mercer_r_load", (DL_FUNC)&load_model, 1},
                                        {"mercer_r_kernel_matrix", (DL_FUNC)&kernel_values, 3},
                                        {NULL, NULL, 0}};

void R_init_mercer(DllInfo* info) {
  if (mercer_abi_version() != MERCER_ABI_VERSION)
    Rf_error("libmercer has the C interface %d, but this package was compiled for %d", mercer_abi_version(), MERCER_ABI_VERSION);
  R_registerRoutines(info, NULL, calls, NULL, NULL);
  R_useDynamicSymbols(info, FALSE);
}
