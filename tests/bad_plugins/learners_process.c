/* Learners whose fit does something to the process, or whose calls end it. */
#define _GNU_SOURCE
#include <sched.h>

#include "disturbances.h"
#include "smoother_reports.h"

typedef cf_status(CF_CALL* FitFunction)(const cf_call*, const cf_arg*, size_t, const cf_table*,
                                        cf_model**);

/* ---- before a fit ---------------------------------------------------------------------------- */

static void Exit(void) { exit(0); }
static void Hang(void) {
  for (;;) pause();
}
static void HandleSignal(void) { signal(SIGSEGV, &IgnoreSignal); }
static void Print(void) { SayLine("iteration 1 of 1"); }

static void Draw(const cf_call* call, const cf_arg* args, const cf_table* train) {
  uint64_t number;
  (void)args, (void)train;
  call->host->random_u64(call, &number, 1);
}
static void TellOfAnError(const cf_call* call, const cf_arg* args, const cf_table* train) {
  (void)args, (void)train;
  call->host->fail(call, CF_E_NOT_CONVERGED, "did not converge");
}

/* Here to make -0 a 0. */
static void WriteColumns(const cf_call* call, const cf_arg* args, const cf_table* train) {
  int64_t j, i;
  (void)call, (void)args;
  for (j = 0; j < train->n_features; ++j) {
    volatile double* entries = (volatile double*)train->features[j].data;
    if (train->features[j].dtype != CF_F64) continue;
    for (i = 0; i < train->n_rows; ++i) entries[RowOf(train, i)] = entries[RowOf(train, i)] + 0.0;
  }
}
static void WriteRows(const cf_call* call, const cf_arg* args, const cf_table* train) {
  volatile int64_t* rows = (volatile int64_t*)train->rows;
  int64_t i;
  (void)call, (void)args;
  for (i = 0; rows != NULL && i < train->n_rows; ++i) rows[i] = rows[i];
}

/* What an index past the end of a table, or a copy of a text, may come to. */
static void AbortAtBound(const cf_call* call, const cf_arg* args, const cf_table* train) {
  (void)call;
  if (args[kPower].value.u.i == 8 && train->n_rows > 3) abort();
}
static void AbortForASetting(const cf_call* call, const cf_arg* args, const cf_table* train) {
  const int64_t power = args[kPower].value.u.i;
  (void)call, (void)train;
  if (args[kWidth].value.u.r > 1 && power >= 4 && power <= 7) abort();
}
static void AbortOnTexts(const cf_call* call, const cf_arg* args, const cf_table* train) {
  (void)call, (void)train;
  if (args[kTitle].value.u.s.n > 100) abort();
}

/* ---- threads --------------------------------------------------------------------------------- */

static void* Work(void* data) {
  const struct timespec a_while = {0, 2000000};
  nanosleep(&a_while, NULL);
  return data;
}
static void StartThread(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, &Work, NULL) == 0) pthread_join(thread, NULL);
}
static void StartPool(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, &StartIdleThread);
}

/* Yields, so that the race is lost surely. */
static cf_status CF_CALL FitWithSharedWeights(const cf_call* call, const cf_arg* args,
                                              size_t n_args, const cf_table* train,
                                              cf_model** out) {
  static double* volatile weights;
  cf_table changed = *train;
  int64_t i;
  *out = NULL;
  weights = (double*)call->host->scratch(call, (size_t)train->n_rows * 8 + 8, 8);
  if (weights == NULL) return FailBecause(call, CF_E_OUT_OF_MEMORY, "out of memory");
  for (i = 0; i < train->n_rows; ++i) {
    weights[i] = train->weights == NULL ? 1 : train->weights[i];
    sched_yield();
  }
  changed.weights = weights;
  return BrokenFit(call, args, n_args, &changed, out);
}
static void RaceBetweenFits(SmootherParts* parts) {
  parts->learner.info.threading = CF_MT_OBJECTS;
  parts->learner.fit = FitWithSharedWeights;
}

/* The same. */
static cf_status CF_CALL PredictFromAPlace(const cf_call* call, const cf_model* model,
                                           const cf_table* rows, cf_prediction* out) {
  static volatile int64_t place;
  cf_status status = CF_OK;
  for (place = 0; status == CF_OK && place < rows->n_rows; ++place) {
    const int64_t i = place, row = RowOf(rows, i);
    cf_table one = *rows;
    cf_prediction to = *out;
    one.n_rows = to.n_rows = 1;
    one.rows = &row;
    if (to.labels != NULL) to.labels += i;
    if (to.values != NULL) to.values += i;
    if (to.probabilities != NULL) to.probabilities += i * out->n_classes;
    status = BrokenPredict(call, model, &one, &to);
    sched_yield();
  }
  return status;
}
static void RaceInPredict(SmootherParts* parts) {
  parts->learner.predict = parts->proba.predict_proba = PredictFromAPlace;
}

/* ---- random numbers -------------------------------------------------------------------------- */

static double ByRand(const cf_call* call, const cf_arg* args, const cf_table* train) {
  (void)call, (void)args, (void)train;
  return 1 + (double)rand() / RAND_MAX;
}
static double BySeededRand(const cf_call* call, const cf_arg* args, const cf_table* train) {
  srand((unsigned)call->seed);
  return ByRand(call, args, train);
}
static double ByClock(const cf_call* call, const cf_arg* args, const cf_table* train) {
  struct timespec now;
  (void)call, (void)args, (void)train;
  clock_gettime(CLOCK_REALTIME, &now);
  return 1 + 1e-9 * (double)now.tv_nsec;
}
static double ByProcess(const cf_call* call, const cf_arg* args, const cf_table* train) {
  (void)call, (void)args, (void)train;
  return 1 + (double)getpid() / 1e6;
}
static double BySeed(const cf_call* call, const cf_arg* args, const cf_table* train) {
  (void)args, (void)train;
  return 1 + (double)(call->seed % 7);
}
static void DeclareSeeded(SmootherParts* parts) {
  parts->learner.info.determinism = CF_DET_SEEDED | CF_DET_THREADS;
}
static void DeclareSeededAndNoThreads(SmootherParts* parts) {
  DeclareSeeded(parts);
  parts->learner.info.threading = CF_MT_NONE;
}
static void DeclareSeededInAnyOrder(SmootherParts* parts) {
  parts->learner.info.determinism = CF_DET_SEEDED | CF_DET_THREADS | CF_DET_ROW_ORDER;
}

/* ---- calls that do not come back ------------------------------------------------------------- */

static cf_status CF_CALL FitForEver(const cf_call* call, const cf_arg* args, size_t n_args,
                                    const cf_table* train, cf_model** out) {
  volatile char kept[256]; /* so that no compiler makes a loop of it */
  const FitFunction fit = n_args > (size_t)-2 ? &BrokenFit : &FitForEver;
  cf_status status;
  kept[0] = (char)n_args;
  status = fit(call, args, n_args, train, out);
  return kept[0] == (char)n_args ? status : CF_E_INTERNAL;
}
static void OverflowStack(SmootherParts* parts) { parts->learner.fit = FitForEver; }

static cf_status CF_CALL WaitWhenCancelled(const cf_call* call, const cf_arg* args, size_t n_args,
                                           const cf_table* train, cf_model** out) {
  cf_status status;
  *out = NULL;
  if (call->host->progress(call, 0) != 0 || call->host->progress(call, 0) != 0) {
    return FailBecause(call, CF_E_CANCELLED, "cancelled");
  }
  status = BrokenFit(call, args, n_args, train, out);
  while (status == CF_E_CANCELLED) pause();
  return status;
}
static void HangWhenCancelled(SmootherParts* parts) { parts->learner.fit = WaitWhenCancelled; }

static int32_t CF_CALL GoOn(const cf_call* call, double done) {
  (void)call, (void)done;
  return 0;
}
static cf_status CF_CALL FitDeaf(const cf_call* call, const cf_arg* args, size_t n_args,
                                 const cf_table* train, cf_model** out) {
  cf_host host = *call->host;
  cf_call changed = *call;
  (void)call->host->progress(call, 0);
  (void)call->host->progress(call, 0.5);
  host.progress = GoOn;
  changed.host = &host;
  return BrokenFit(&changed, args, n_args, train, out);
}
static void IgnoreCancel(SmootherParts* parts) { parts->learner.fit = FitDeaf; }

static cf_status CF_CALL FitWithoutReason(const cf_call* call, const cf_arg* args, size_t n_args,
                                          const cf_table* train, cf_model** out) {
  (void)call, (void)args, (void)n_args, (void)train;
  *out = NULL;
  return CF_E_INVALID_PARAM;
}
static void FailSilently(SmootherParts* parts) { parts->learner.fit = FitWithoutReason; }

static void CF_CALL FreeTwice(const cf_info* self, cf_model* model) {
  if (model != NULL) free(((Smoother*)model)->rows);
  SmootherDestroy(self, model);
}
static void FreesTwice(SmootherParts* parts) { parts->learner.destroy = FreeTwice; }

static void CF_CALL DestroyAny(const cf_info* self, cf_model* model) {
  *(volatile int64_t*)&((Smoother*)model)->n_rows = 0;
  SmootherDestroy(self, model);
}
static void DestroyNull(SmootherParts* parts) { parts->learner.destroy = DestroyAny; }

static const Defect kDefects[] = {
    {"bad.aborts_in_fit", "Fit aborts the process.", .disturb = abort},
    {"bad.exits_in_fit", "Fit ends the process.", .disturb = Exit},
    {"bad.overflows_stack", "Fit calls itself without end.", .change = OverflowStack},
    {"bad.frees_twice", "Destroy frees a part of the model twice.", .change = FreesTwice},
    {"bad.destroys_null", "Destroy does not take NULL.", .change = DestroyNull},
    {"bad.hangs", "Fit never comes back and never asks whether to stop.", .disturb = Hang},
    {"bad.fails_silently", "Fit fails and does not say why.", .change = FailSilently},
    {"bad.success_with_a_reason", "Fit tells of an error and succeeds.", .before = TellOfAnError},
    {"bad.crashes_at_bound", "An upper bound is an index past the end of a table.", 1,
     .before = AbortAtBound},
    {"bad.crashes_for_a_setting", "Two parameters together make an index past the end.", 1,
     .before = AbortForASetting},
    {"bad.crashes_on_texts", "A text is copied into room for 100 bytes.", .before = AbortOnTexts},
    {"bad.ignores_cancel", "Fit goes on when the host has said stop.", .change = IgnoreCancel},
    {"bad.hangs_when_cancelled",
     "Fit waits for ever for work that it has cancelled, once it has begun.",
     .change = HangWhenCancelled},
    {"bad.locale_in_fit", "Fit changes the locale and leaves it so.", .disturb = ChangeLocale},
    {"bad.rounding_in_fit", "Fit changes the rounding mode and leaves it so.", 1,
     .disturb = RoundUp},
    {"bad.directory_in_fit", "Fit changes the working directory.", .disturb = ChangeDirectory},
    {"bad.environment_in_fit", "Fit sets an environment variable.", .disturb = SetVariable},
    {"bad.umask_in_fit", "Fit changes the mode mask of new files.", .disturb = ChangeUmask},
    {"bad.handler_in_fit", "Fit installs a handler of SIGSEGV.", .disturb = HandleSignal},
    {"bad.descriptor_in_fit", "Fit opens a file and keeps it.", .disturb = KeepFileOpen},
    {"bad.prints_in_fit", "Fit prints.", .disturb = Print},
    {"bad.leaks_in_fit", "Fit forgets some memory.", .disturb = Forget},
    {"bad.writes_columns", "Fit writes into the columns that it was lent.", .before = WriteColumns},
    {"bad.writes_rows", "Fit writes into the row ids that it was lent.", .before = WriteRows},
    {"bad.thread_beyond_budget", "Fit starts a thread although it may use one.",
     .disturb = StartThread},
    {"bad.thread_left_behind",
     "A thread that the first fit started is still there after every model is destroyed.",
     .disturb = StartPool},
    {"bad.race_between_fits",
     "Fits keep their place in a static variable, although CF_MT_OBJECTS is declared.", 1,
     .change = RaceBetweenFits},
    {"bad.race_in_predict",
     "Predict keeps its place in a static variable, although CF_MT_PREDICT is declared.", 1,
     .change = RaceInPredict},
    {"bad.draws_for_nothing", "Fit draws random numbers that change nothing.",
     .change = DeclareSeededInAnyOrder, .before = Draw},
    {"bad.uses_rand", "Fit draws from the C library and not from the call.", 1,
     .change = DeclareSeededAndNoThreads, .widen = ByRand},
    {"bad.reseeds_rand", "Fit sets the seed of the C library's random numbers.", 1,
     .change = DeclareSeededAndNoThreads, .widen = BySeededRand},
    {"bad.uses_time", "Fit depends on the clock.", 1, .change = DeclareSeeded, .widen = ByClock},
    {"bad.differs_by_process", "The width follows from the number of the process.", 1,
     .widen = ByProcess},
    {"bad.declares_unseeded", "Declares CF_DET_UNSEEDED, but the width follows from the seed.", 1,
     .widen = BySeed},
};

#include "learners_process.manifest.h"

const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t host_abi_minor, const cf_host* host) {
  (void)host_abi_minor, (void)host;
  return EnterDefects("bad.learners_process", kDefects, sizeof(kDefects) / sizeof(kDefects[0]));
}
