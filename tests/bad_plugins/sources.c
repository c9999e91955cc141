/* Sources with one defect each. */
#define _GNU_SOURCE
#include <math.h>
#include <sched.h>

#include "disturbances.h"
#include "working_source.h"

/* What is wrong with a source. Functions that are NULL change nothing. */
typedef struct Defect {
  const char* id;
  const char* what;
  /* Before a file is opened. */
  void (*before)(const cf_source_input* input);
  /* What becomes of the columns that it has read. */
  void (*reread)(const cf_source_input* input, WorkingColumns* columns);
  /* What becomes of the array that shows them. */
  void (*spoil)(const cf_call* call, WorkingColumns* columns, struct ArrowArray* array);
  void (*change)(cf_source* source);
} Defect;

static int BrokenNext(struct ArrowArrayStream* stream, struct ArrowArray* out) {
  const cf_call* call = ((WorkingStream*)stream->private_data)->call;
  const Defect* defect = (const Defect*)call->self->data;
  const int code = WorkingGetNext(stream, out);
  if (out->release == NULL) return code;
  defect->spoil(call, (WorkingColumns*)out->private_data, out);
  return code;
}

static cf_status CF_CALL BrokenOpen(const cf_call* call, const cf_arg* args, size_t n_args,
                                    const cf_source_input* input, struct ArrowArrayStream* out) {
  const Defect* defect = (const Defect*)call->self->data;
  cf_status status;
  if (defect->before != NULL) defect->before(input);
  status = WorkingOpen(call, args, n_args, input, out);
  if (status != CF_OK) return status;
  if (defect->reread != NULL) {
    defect->reread(input, ((WorkingStream*)out->private_data)->columns);
  }
  if (defect->spoil != NULL) out->get_next = BrokenNext;
  return CF_OK;
}

/* ---- before a file is opened ----------------------------------------------------------------- */

static void AbortAtExit(const cf_source_input* input) {
  static int is_set;
  (void)input;
  if (!is_set) is_set = atexit(&abort) == 0;
}
static void AbortOnCut(const cf_source_input* input) {
  int32_t n_rows;
  if (input->n_bytes < kHeaderBytes || memcmp(input->head, "NUMBERS1", kMagicBytes) != 0) return;
  memcpy(&n_rows, input->head + kMagicBytes, sizeof n_rows);
  if (n_rows > 0 && input->n_bytes < kHeaderBytes + 12 * (int64_t)n_rows) abort();
}
static void AbortOnCodes(const cf_source_input* input) {
  const int64_t n_rows = (input->n_bytes - kHeaderBytes) / 12;
  int64_t i;
  int32_t code, told = 0;
  if (input->n_bytes > kHeaderBytes) memcpy(&told, input->head + kMagicBytes, sizeof told);
  for (i = 0; told == n_rows && input->n_head == input->n_bytes && i < n_rows; ++i) {
    memcpy(&code, input->head + kHeaderBytes + 8 * n_rows + 4 * i, sizeof code);
    if (code < 0 || code >= kLevels) abort();
  }
}
static void LeaveOpen(const cf_source_input* input) {
  static int left; /* enough to be seen, too few to run out of them */
  if (left < 50 && open(input->location, O_RDONLY) >= 0) ++left;
}
static void* DoNothing(void* nothing) { return nothing; }
static void StartThread(const cf_source_input* input) {
  pthread_t thread;
  (void)input;
  if (pthread_create(&thread, NULL, &DoNothing, NULL) == 0) pthread_join(thread, NULL);
}

/* ---- other arrays ---------------------------------------------------------------------------- */

static void LoseHinted(const cf_source_input* input, WorkingColumns* columns) {
  size_t i;
  for (i = 0; i < input->n_hints; ++i) {
    const cf_column_hint* hint = input->hints[i];
    if (strcmp(hint->name, "x") != 0 || (hint->flags & CF_HINT_FIRM) == 0) continue;
    if (columns->n_rows > 0) columns->x[0] = NAN;
  }
}
static void ShortenColumn(const cf_call* call, WorkingColumns* columns, struct ArrowArray* array) {
  (void)call, (void)columns;
  --array->children[0]->length;
}
static void CountMissing(const cf_call* call, WorkingColumns* columns, struct ArrowArray* array) {
  (void)call, (void)columns;
  array->children[0]->null_count = 3;
}
static void MakeCodeSeven(const cf_call* call, WorkingColumns* columns, struct ArrowArray* array) {
  (void)call, (void)array;
  columns->codes[0] = 7;
}
static void RaiseOffset(const cf_call* call, WorkingColumns* columns, struct ArrowArray* array) {
  (void)call, (void)array;
  columns->offsets[1] = 9;
}
static void AddByThreads(const cf_call* call, WorkingColumns* columns, struct ArrowArray* array) {
  (void)array;
  if (call->n_threads > 1) columns->x[0] += 1;
}
static void CountInOnePlace(const cf_call* call, WorkingColumns* columns,
                            struct ArrowArray* array) {
  static volatile double last_number;
  int32_t row;
  (void)call, (void)array;
  for (row = 0; row < columns->n_rows; ++row) {
    last_number = row == 0 ? columns->x[0] : last_number + 1;
    sched_yield();
    columns->x[row] = last_number;
  }
}

/* ---- other streams --------------------------------------------------------------------------- */

static void ReleaseAgain(struct ArrowArrayStream* stream) {
  WorkingReleaseStream(stream);
  stream->release = ReleaseAgain;
}
static cf_status CF_CALL OpenForTwo(const cf_call* call, const cf_arg* args, size_t n_args,
                                    const cf_source_input* input, struct ArrowArrayStream* out) {
  const cf_status status = WorkingOpen(call, args, n_args, input, out);
  if (status == CF_OK) out->release = ReleaseAgain;
  return status;
}
static void ReleaseTwice(cf_source* source) { source->open = OpenForTwo; }

typedef struct DyingStream {
  struct ArrowArrayStream working;
  double* x; /* that was given; stays allocated as long as the array */
  int32_t n_rows;
} DyingStream;

static int NextOfDying(struct ArrowArrayStream* stream, struct ArrowArray* out) {
  DyingStream* dying = (DyingStream*)stream->private_data;
  const int code = WorkingGetNext(&dying->working, out);
  if (out->release == NULL) return code;
  dying->x = ((WorkingColumns*)out->private_data)->x;
  dying->n_rows = (int32_t)out->length;
  return code;
}
static void ReleaseDying(struct ArrowArrayStream* stream) {
  DyingStream* dying = (DyingStream*)stream->private_data;
  int32_t i;
  for (i = 0; dying->x != NULL && i < dying->n_rows; ++i) dying->x[i] = 0;
  dying->working.release(&dying->working);
  free(dying);
  stream->release = NULL;
}
static cf_status CF_CALL OpenDying(const cf_call* call, const cf_arg* args, size_t n_args,
                                   const cf_source_input* input, struct ArrowArrayStream* out) {
  const cf_status status = WorkingOpen(call, args, n_args, input, out);
  DyingStream* dying;
  if (status != CF_OK) return status;
  dying = (DyingStream*)calloc(1, sizeof *dying);
  if (dying == NULL) abort();
  dying->working = *out;
  out->get_next = NextOfDying;
  out->release = ReleaseDying;
  out->private_data = dying;
  return status;
}
static void LetArraysDie(cf_source* source) { source->open = OpenDying; }

static __thread const cf_host* shown;
static int32_t CF_CALL GoOn(const cf_call* call, double done) {
  (void)shown->progress(call, done);
  return 0;
}
static cf_status CF_CALL OpenDeaf(const cf_call* call, const cf_arg* args, size_t n_args,
                                  const cf_source_input* input, struct ArrowArrayStream* out) {
  cf_host host = *call->host;
  cf_call deaf = *call;
  cf_status status;
  shown = call->host;
  host.progress = GoOn;
  deaf.host = &host;
  status = WorkingOpen(&deaf, args, n_args, input, out);
  if (status == CF_OK) ((WorkingStream*)out->private_data)->call = call;
  return status;
}
static void IgnoreCancel(cf_source* source) { source->open = OpenDeaf; }

static cf_status CF_CALL OpenOrRefuse(const cf_call* call, const cf_arg* args, size_t n_args,
                                      const cf_source_input* input, struct ArrowArrayStream* out) {
  FILE* file = fopen(input->location, "rb");
  if (file == NULL) return FailBecause(call, CF_E_UNSUPPORTED_DATA, "it cannot be opened");
  fclose(file);
  return WorkingOpen(call, args, n_args, input, out);
}
static void SayWrongCode(cf_source* source) { source->open = OpenOrRefuse; }

/* ---- sniffs ---------------------------------------------------------------------------------- */

static cf_status CF_CALL SniffAny(const cf_call* call, const cf_source_input* input,
                                  int32_t* sure) {
  (void)call, (void)input;
  *sure = CF_SNIFF_CONTENT;
  return CF_OK;
}
static void SniffAnything(cf_source* source) { source->sniff = SniffAny; }

static cf_status CF_CALL SniffOpened(const cf_call* call, const cf_source_input* input,
                                     int32_t* sure) {
  FILE* file = fopen(input->location, "rb");
  if (file != NULL) fclose(file);
  return WorkingSniff(call, input, sure);
}
static void OpenToSniff(cf_source* source) { source->sniff = SniffOpened; }

static const Defect kDefects[] = {
    {"bad.source_length_lies", "A column says that it has fewer entries than the array.",
     .spoil = ShortenColumn},
    {"bad.source_validity_lies",
     "A column counts missing entries, and has no bitmap that says which.", .spoil = CountMissing},
    {"bad.source_code_out_of_range", "A category has a code that is not a level.",
     .spoil = MakeCodeSeven},
    {"bad.source_offsets_fall", "The offsets of the levels go back.", .spoil = RaiseOffset},
    {"bad.source_released_twice", "After its release the stream does not say that it was released.",
     .change = ReleaseTwice},
    {"bad.source_arrays_die", "The release of the stream clears what its array shows.",
     .change = LetArraysDie},
    {"bad.source_wrong_code", "A file that is not there is reported as bad data.",
     .change = SayWrongCode},
    {"bad.source_sniffs_anything", "It is sure of every file.", .change = SniffAnything},
    {"bad.source_sniff_opens", "It opens the file to find out what it is.", .change = OpenToSniff},
    {"bad.source_differs_by_threads", "With more threads it gives other numbers.",
     .spoil = AddByThreads},
    {"bad.source_loses_entries",
     "Of a column whose type was asked for, entries go without an error.", .reread = LoseHinted},
    {"bad.source_crashes_when_cut", "It ends the process if the file ends too early.",
     .before = AbortOnCut},
    {"bad.source_trusts_codes", "It ends the process if the file has a code that is not a level.",
     .before = AbortOnCodes},
    {"bad.source_ignores_cancel", "It goes on when the host has said stop.",
     .change = IgnoreCancel},
    {"bad.source_leaks_descriptor", "It leaves the file open.", .before = LeaveOpen},
    {"bad.source_crashes_at_exit",
     "After a read, a handler of exit() works on memory that is gone.", .before = AbortAtExit},
    {"bad.source_shares_state", "Reads of several threads count in one variable.",
     .spoil = CountInOnePlace},
    {"bad.source_starts_threads", "It reads on a thread more than it may.", .before = StartThread},
};

#include "sources.manifest.h"

const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t host_abi_minor, const cf_host* host) {
  enum { kDefectCount = sizeof(kDefects) / sizeof(kDefects[0]) };
  static cf_source sources[kDefectCount];
  static const cf_source* list[kDefectCount];
  cf_plugin* plugin = EmptyPlugin("bad.sources");
  size_t i;
  (void)host_abi_minor, (void)host;
  for (i = 0; i < kDefectCount; ++i) {
    FillSource(&sources[i], kDefects[i].id);
    sources[i].info.doc = kDefects[i].what;
    sources[i].info.data = (void*)(uintptr_t)&kDefects[i];
    sources[i].open = BrokenOpen;
    if (kDefects[i].change != NULL) kDefects[i].change(&sources[i]);
    list[i] = &sources[i];
  }
  plugin->n_sources = kDefectCount;
  plugin->sources = list;
  return plugin;
}
