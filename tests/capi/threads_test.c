/* Many threads: predictions of one model at a time give the bits of one thread, each thread has its own message, and a handle may be freed
 * while others use it. */
#include <pthread.h>

#include "expect.h"

#define THREADS 8
#define ROUNDS 400

static mercer_model* shared_model;
static double shared_rows[ROWS * COLUMNS], expected[ROWS];
static int thread_faults[THREADS];

static void* predict_and_fail(void* number) {
  const int me = *(int*)number;
  double out[ROWS];
  char wanted[40];
  int round;
  for (round = 0; round < ROUNDS; ++round) {
    const int row = (round + me) % ROWS;
    if (mercer_predict_dense(shared_model, MERCER_SCORE, shared_rows + 2 * row, 1, 2, 1, out, 1) != MERCER_OK ||
        memcmp(out, expected + row, sizeof *out) != 0)
      ++thread_faults[me];
    /* An error that no other thread has. */
    sprintf(wanted, "room for %d", 100 + me);
    if (mercer_predict_dense(shared_model, MERCER_SCORE, shared_rows, 1, 2, 1, out, (size_t)(100 + me)) !=
            MERCER_INVALID_ARGUMENT ||
        !strstr(mercer_error_message(), wanted))
      ++thread_faults[me];
  }
  return NULL;
}

/* Works until the handle is dead, then sees that it is. */
static void* predict_until_freed(void* number) {
  const int me = *(int*)number;
  double out[ROWS];
  for (;;) {
    const int code = mercer_predict_dense(shared_model, MERCER_SCORE, shared_rows, ROWS, 2, 1, out, ROWS);
    if (code == MERCER_INVALID_HANDLE) {
      if (!strstr(mercer_error_message(), "freed before")) ++thread_faults[me];
      return NULL;
    }
    if (code != MERCER_OK || memcmp(out, expected, sizeof expected) != 0) {
      ++thread_faults[me];
      return NULL;
    }
  }
}

static void* fit_and_free(void* number) {
  const int me = *(int*)number;
  double x[ROWS * COLUMNS], out[ROWS];
  int32_t codes[ROWS];
  int round, i;
  for (i = 0; i < ROWS; ++i) codes[i] = shared_rows[2 * i] > 0;
  memcpy(x, shared_rows, sizeof x);
  for (round = 0; round < 10; ++round) {
    mercer_data* data = NULL;
    mercer_model* model = NULL;
    if (mercer_data_dense(x, ROWS, 2, &data) || mercer_data_set_classes(data, codes, ROWS, cloud_labels, 2) ||
        mercer_fit(data, "{\"C\": 10, \"kernel\": \"rbf(gamma=1)\", \"threads\": 1}", NULL, NULL, &model) ||
        mercer_predict(model, MERCER_SCORE, data, 1, out, ROWS) || memcmp(out, expected, sizeof expected) != 0 ||
        mercer_data_free(data) || mercer_model_free(model))
      ++thread_faults[me];
    if (mercer_model_free(model) != MERCER_INVALID_HANDLE) ++thread_faults[me];
  }
  return NULL;
}

static void run(void* (*work)(void*), int frees) {
  pthread_t threads[THREADS];
  int numbers[THREADS], i;
  for (i = 0; i < THREADS; ++i) {
    numbers[i] = i;
    thread_faults[i] = 0;
    EXPECT(pthread_create(&threads[i], NULL, work, &numbers[i]) == 0);
  }
  if (frees) EXPECT_OK(mercer_model_free(shared_model));
  for (i = 0; i < THREADS; ++i) {
    pthread_join(threads[i], NULL);
    EXPECT(thread_faults[i] == 0);
  }
}

int main(void) {
  int32_t codes[ROWS];
  mercer_data* data;
  data = make_clouds(shared_rows, codes);
  EXPECT_OK(mercer_fit(data, "{\"C\": 10, \"kernel\": \"rbf(gamma=1)\"}", NULL, NULL, &shared_model));
  EXPECT_OK(mercer_predict(shared_model, MERCER_SCORE, data, 1, expected, ROWS));
  run(predict_and_fail, 0);
  run(fit_and_free, 0);
  run(predict_until_freed, 1);
  EXPECT_OK(mercer_data_free(data));
  return summary("threads");
}
