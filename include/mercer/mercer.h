/* Mercer from C, and from every language that can call C (docs/c.md).
 *
 * Functions return MERCER_OK or a code; then mercer_error_message() says what was wrong, in the calling thread. No function throws, prints or
 * exits, and no memory changes hands: texts and numbers go to arrays of the caller. Any function may be called from any thread.
 *
 * Handles (mercer_data*, mercer_model*) are numbers, not addresses. One that was freed, is of the other kind or was never made is refused with
 * MERCER_INVALID_HANDLE; a number is never given twice. A handle may be freed while another thread uses it: that call ends as if it were not.
 *
 * Options are a JSON object in a text, with the words of the command line: {"method": "svm", "C": 10, "class_weight": "balanced"}. NULL and
 * "" are {}. A word that is not known is refused, with the nearest one that is.
 */
#ifndef MERCER_MERCER_H
#define MERCER_MERCER_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define MERCER_C_API __attribute__((visibility("default")))
#else
#define MERCER_C_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Rises when a function changes what it takes or gives. New functions leave it as it is. */
#define MERCER_ABI_VERSION 1

enum mercer_code {
  MERCER_OK = 0,
  /* wrong usage */
  MERCER_INVALID_ARGUMENT = 1,
  MERCER_INVALID_PARAMETER = 2,
  MERCER_UNKNOWN_NAME = 3,
  MERCER_INVALID_KERNEL = 4,
  MERCER_UNSUPPORTED = 5,
  MERCER_MISSING_LIBRARY = 6,
  /* bad data */
  MERCER_FILE_ACCESS = 7,
  MERCER_INVALID_FILE = 8,
  MERCER_INVALID_DATA = 9,
  MERCER_MISSING_TARGET = 10,
  MERCER_WRONG_TARGET = 11,
  MERCER_INDEFINITE_KERNEL = 12,
  MERCER_RANK_DEFICIENT = 13,
  MERCER_NOT_FINITE = 14,
  /* out of budget */
  MERCER_OUT_OF_MEMORY = 15,
  MERCER_OUT_OF_TIME = 16,
  MERCER_TOO_LARGE = 17,
  /* asked to stop */
  MERCER_CLOSED_OUTPUT = 18,
  MERCER_CANCELLED = 19,
  /* of this interface */
  MERCER_INVALID_HANDLE = 100,   /* freed, of the other kind, or never made */
  MERCER_BUFFER_TOO_SMALL = 101, /* *needed says how large it must be */
  MERCER_INTERNAL = 102          /* a fault of the library */
};

/* What a model predicts of a row. */
enum mercer_output {
  MERCER_VALUE = 0,       /* the number (or numbers); of classes and clusters the index of the label */
  MERCER_SCORE = 1,       /* decision values */
  MERCER_PROBABILITY = 2, /* one for each class; of one_class inside and outside */
  MERCER_VARIANCE = 3     /* of Gaussian processes: of the function, without the noise */
};

typedef struct mercer_data mercer_data;
typedef struct mercer_model mercer_model;

/* --- This library, and errors. --- */

/* The MERCER_ABI_VERSION that the library was compiled with. */
MERCER_C_API int mercer_abi_version(void);
/* "0.7.0" */
MERCER_C_API const char* mercer_version(void);
/* What went wrong in the last call of this thread that failed: UTF-8, valid until the next call in this thread; "" where none has. */
MERCER_C_API const char* mercer_error_message(void);
/* "invalid_data": the name of a code; "unknown" for a number that is none. */
MERCER_C_API const char* mercer_error_name(int code);

/* --- Data: rows of numbers or objects, with what is to be learned of them. --- */

/* Reads a file as `mercer fit` does (CSV, TSV, LIBSVM, .npy, .npz, FASTA, …). Options: target, weights, task, missing, drop, keep, objects,
 * bag, skip_bad, format, precision, threads, and kernel: columns that it compares as objects are read as such. */
MERCER_C_API int mercer_data_read(const char* path, const char* options, mercer_data** data);
/* Reads rows for a model: the same columns, encoded as those it was fitted to. Options: target, task, missing, skip_bad, format, threads. */
MERCER_C_API int mercer_data_read_for(const mercer_model* model, const char* path, const char* options,
                                      mercer_data** data);
/* values: rows × columns numbers, row by row. They are copied, here and below. */
MERCER_C_API int mercer_data_dense(const double* values, size_t rows, size_t columns, mercer_data** data);
MERCER_C_API int mercer_data_dense_float(const float* values, size_t rows, size_t columns,
                                         mercer_data** data);
/* Compressed sparse rows: row i has values[starts[i]] to values[starts[i + 1] - 1] in the columns of the same places of indices, which ascend
 * and count from 0. starts: rows + 1 numbers, the last of which is `stored`; indices and values: `stored`. */
MERCER_C_API int mercer_data_csr(const int64_t* starts, const int32_t* indices, const double* values,
                                 size_t stored, size_t rows, size_t columns, mercer_data** data);
/* A name for each column: of data made of arrays. */
MERCER_C_API int mercer_data_set_names(mercer_data* data, const char* const* names, size_t columns);
/* The target: row i is of the class labels[codes[i]]. */
MERCER_C_API int mercer_data_set_classes(mercer_data* data, const int32_t* codes, size_t rows,
                                         const char* const* labels, size_t classes);
/* The target: rows × outputs numbers, row by row. */
MERCER_C_API int mercer_data_set_numbers(mercer_data* data, const double* values, size_t rows,
                                         size_t outputs);
/* A weight for each row, at least 0. */
MERCER_C_API int mercer_data_set_weights(mercer_data* data, const double* weights, size_t rows);
MERCER_C_API int mercer_data_size(const mercer_data* data, size_t* rows, size_t* columns);
/* As JSON: rows, columns, names, task, classes, outputs, notes. Texts here and below: `text` has room for `size` bytes, `*needed` becomes the
 * bytes of the text with its final 0. Where it does not fit: MERCER_BUFFER_TOO_SMALL, and nothing is written. text may be NULL where size is
 * 0; needed may be NULL. */
MERCER_C_API int mercer_data_inspect(const mercer_data* data, char* text, size_t size, size_t* needed);
MERCER_C_API int mercer_data_free(mercer_data* data);

/* --- Fits. --- */

/* Told what is done and the fraction done, by one thread at a time, not always the caller's. 0 asks the fit to stop: MERCER_CANCELLED. */
typedef int (*mercer_progress)(const char* what, double fraction, void* user);

/* With no options, and data that have a target, everything is selected by cross-validation. Options: method, kernel, hyperparameters by their
 * names (C, lambda, gamma of the kernel stands in its expression), scale, class_weight, tolerance, approx, solver, time, proba, repair,
 * allow_indefinite, allow_nonconvex; tune, grid, cv, repeats, metric, holdout; seed, threads, memory. progress may be NULL.
 * A fit that did not converge, or ran out of time, gives a model: mercer_model_inspect() says so. */
MERCER_C_API int mercer_fit(const mercer_data* data, const char* options, mercer_progress progress,
                            void* user, mercer_model** model);

/* --- Models. --- */

/* A .mercer file, or LIBSVM's. */
MERCER_C_API int mercer_model_load(const char* path, mercer_model** model);
/* Whole or not at all; LIBSVM's format where the path ends in .model. */
MERCER_C_API int mercer_model_save(const mercer_model* model, const char* path);
/* The bytes of a .mercer file, for a database or an R object: as texts are given, without a final 0. */
MERCER_C_API int mercer_model_to_bytes(const mercer_model* model, void* bytes, size_t size, size_t* needed);
MERCER_C_API int mercer_model_from_bytes(const void* bytes, size_t size, mercer_model** model);
/* As JSON, what `mercer inspect --json` prints; of a model fitted here also "notes", and "selection" where there was a choice. */
MERCER_C_API int mercer_model_inspect(const mercer_model* model, char* text, size_t size, size_t* needed);
/* The columns that rows to predict have. */
MERCER_C_API int mercer_model_columns(const mercer_model* model, size_t* columns);
/* How many numbers mercer_predict() gives of a row (`output` is a mercer_output); 0 where the model does not give these. */
MERCER_C_API int mercer_model_width(const mercer_model* model, int output, size_t* width);
/* How many classes or clusters; 0 of numbers. */
MERCER_C_API int mercer_model_classes(const mercer_model* model, size_t* classes);
MERCER_C_API int mercer_model_label(const mercer_model* model, size_t index, char* text, size_t size,
                                    size_t* needed);
MERCER_C_API int mercer_model_free(mercer_model* model);

/* --- Predictions: out becomes rows × width numbers, row by row; `count` is how many it has room for, and must be as many. threads: 0 for
 * all, which small work does not use. --- */

MERCER_C_API int mercer_predict(const mercer_model* model, int output, const mercer_data* data, int threads,
                                double* out, size_t count);
/* The same of an array, which is read where it is. */
MERCER_C_API int mercer_predict_dense(const mercer_model* model, int output, const double* values,
                                      size_t rows, size_t columns, int threads, double* out, size_t count);
MERCER_C_API int mercer_predict_csr(const mercer_model* model, int output, const int64_t* starts,
                                    const int32_t* indices, const double* values, size_t stored, size_t rows,
                                    size_t columns, int threads, double* out, size_t count);

/* --- Kernels. --- */

/* out becomes k(x, z) of each row x of `rows` and z of `columns`, row by row; columns may be NULL: of `rows` with themselves. */
MERCER_C_API int mercer_kernel_matrix(const char* kernel, const mercer_data* rows, const mercer_data* columns,
                                      int threads, double* out, size_t count);

#ifdef __cplusplus
}
#endif

#endif
