/* A source with no defect: files of the letters NUMBERS1, the number of rows as four bytes, that
 * many doubles x, and that many codes of a category, four bytes each. The bad sources start from it
 * and break it in one place. */
#ifndef CROSSFOLD_TESTS_WORKING_SOURCE_H
#define CROSSFOLD_TESTS_WORKING_SOURCE_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "working_plugin.h"

enum { kMagicBytes = 8, kHeaderBytes = 12, kLevels = 2 };

/* The columns, and the array that shows them: one block of memory for each. */
typedef struct WorkingColumns {
  int32_t n_rows;
  double* x;
  int32_t* codes;
  int32_t offsets[kLevels + 1]; /* of "noyes" */
  struct ArrowArray fields[2], levels, *children[2];
  const void *no_buffers[1], *x_buffers[2], *code_buffers[2], *level_buffers[3];
} WorkingColumns;

typedef struct WorkingStream {
  const cf_call* call;
  WorkingColumns* columns; /* NULL = they have been given */
} WorkingStream;

static inline void WorkingFree(WorkingColumns* columns) {
  if (columns == NULL) return;
  free(columns->x);
  free(columns->codes);
  free(columns);
}

/* ---- the file -------------------------------------------------------------------------------- */

/* Allocates, and reads n entries, some at a time. */
static inline cf_status WorkingRead(const cf_call* call, FILE* file, void** out, int32_t n,
                                    size_t size) {
  const int32_t step = 8;
  int32_t i;
  char* entries = (char*)malloc((size_t)n * size + 1);
  *out = entries;
  if (entries == NULL) return FailBecause(call, CF_E_OUT_OF_MEMORY, "there is no memory");
  for (i = 0; i < n; i += step) {
    const size_t wanted = (size_t)(n - i < step ? n - i : step);
    if (call->host->progress(call, (double)i / n) != 0) {
      return FailBecause(call, CF_E_CANCELLED, "cancelled");
    }
    if (fread(entries + (size_t)i * size, size, wanted, file) != wanted) {
      return FailBecause(call, CF_E_UNSUPPORTED_DATA, "the file ends too early");
    }
  }
  return CF_OK;
}

static inline cf_status WorkingReadAll(const cf_call* call, FILE* file, WorkingColumns* columns) {
  char magic[kMagicBytes];
  int32_t i;
  long size;
  cf_status status;
  if (fseek(file, 0, SEEK_END) != 0 || (size = ftell(file)) < 0) {
    return FailBecause(call, CF_E_IO, "its size is unknown");
  }
  rewind(file);
  if (fread(magic, 1, kMagicBytes, file) != kMagicBytes ||
      memcmp(magic, "NUMBERS1", kMagicBytes) != 0 ||
      fread(&columns->n_rows, sizeof columns->n_rows, 1, file) != 1) {
    return FailBecause(call, CF_E_UNSUPPORTED_DATA, "it does not begin with NUMBERS1");
  }
  if (columns->n_rows < 0 || size != kHeaderBytes + 12L * columns->n_rows) {
    return FailBecause(call, CF_E_UNSUPPORTED_DATA, "its size is not that of its rows");
  }
  status = WorkingRead(call, file, (void**)&columns->x, columns->n_rows, sizeof(double));
  if (status != CF_OK) return status;
  status = WorkingRead(call, file, (void**)&columns->codes, columns->n_rows, sizeof(int32_t));
  if (status != CF_OK) return status;
  for (i = 0; i < columns->n_rows; ++i) {
    if (columns->codes[i] < 0 || columns->codes[i] >= kLevels) {
      return FailBecause(call, CF_E_UNSUPPORTED_DATA, "a code is neither 0 nor 1");
    }
  }
  return CF_OK;
}

/* ---- the stream ------------------------------------------------------------------------------ */

typedef struct WorkingSchema {
  struct ArrowSchema fields[2], levels, *children[2];
} WorkingSchema;

static inline void WorkingReleaseField(struct ArrowSchema* schema) { schema->release = NULL; }

static inline void WorkingReleaseSchema(struct ArrowSchema* schema) {
  free(schema->private_data);
  schema->release = NULL;
}

static inline int WorkingGetSchema(struct ArrowArrayStream* stream, struct ArrowSchema* out) {
  WorkingSchema* schema = calloc(1, sizeof *schema);
  (void)stream;
  memset(out, 0, sizeof *out);
  if (schema == NULL) return ENOMEM;
  schema->fields[0].format = "g";
  schema->fields[0].name = "x";
  schema->fields[0].flags = ARROW_FLAG_NULLABLE;
  schema->fields[1].format = "i";
  schema->fields[1].name = "kind";
  schema->fields[1].dictionary = &schema->levels;
  schema->levels.format = "u";
  schema->levels.name = "";
  schema->fields[0].release = schema->fields[1].release = WorkingReleaseField;
  schema->levels.release = WorkingReleaseField;
  schema->children[0] = &schema->fields[0];
  schema->children[1] = &schema->fields[1];
  out->format = "+s";
  out->name = "";
  out->n_children = 2;
  out->children = schema->children;
  out->release = WorkingReleaseSchema;
  out->private_data = schema;
  return 0;
}

static inline void WorkingReleaseChild(struct ArrowArray* array) { array->release = NULL; }

static inline void WorkingReleaseArray(struct ArrowArray* array) {
  WorkingFree((WorkingColumns*)array->private_data);
  array->release = NULL;
}

static inline void WorkingFill(struct ArrowArray* array, int64_t length, int64_t n_buffers,
                               const void** buffers) {
  memset(array, 0, sizeof *array);
  array->length = length;
  array->n_buffers = n_buffers;
  array->buffers = buffers;
  array->release = WorkingReleaseChild;
}

static inline int WorkingGetNext(struct ArrowArrayStream* stream, struct ArrowArray* out) {
  WorkingStream* state = (WorkingStream*)stream->private_data;
  WorkingColumns* c = state->columns;
  memset(out, 0, sizeof *out);
  if (c == NULL) return 0;
  state->columns = NULL;
  c->offsets[1] = 2, c->offsets[2] = 5;
  c->x_buffers[1] = c->x;
  c->code_buffers[1] = c->codes;
  c->level_buffers[1] = c->offsets;
  c->level_buffers[2] = "noyes";
  WorkingFill(&c->fields[0], c->n_rows, 2, c->x_buffers);
  WorkingFill(&c->fields[1], c->n_rows, 2, c->code_buffers);
  WorkingFill(&c->levels, kLevels, 3, c->level_buffers);
  c->fields[1].dictionary = &c->levels;
  c->children[0] = &c->fields[0];
  c->children[1] = &c->fields[1];
  WorkingFill(out, c->n_rows, 1, c->no_buffers);
  out->n_children = 2;
  out->children = c->children;
  out->release = WorkingReleaseArray;
  out->private_data = c;
  return 0;
}

static inline const char* WorkingGetLastError(struct ArrowArrayStream* stream) {
  (void)stream;
  return NULL;
}

static inline void WorkingReleaseStream(struct ArrowArrayStream* stream) {
  WorkingStream* state = (WorkingStream*)stream->private_data;
  WorkingFree(state->columns);
  free(state);
  stream->release = NULL;
}

/* ---- the table ------------------------------------------------------------------------------- */

static inline cf_status CF_CALL WorkingSniff(const cf_call* call, const cf_source_input* input,
                                             int32_t* sure) {
  const size_t length = strlen(input->location);
  (void)call;
  *sure = CF_SNIFF_NO;
  if (length >= 8 && strcmp(input->location + length - 8, ".numbers") == 0) *sure = CF_SNIFF_NAME;
  if (input->n_head >= kMagicBytes && memcmp(input->head, "NUMBERS1", kMagicBytes) == 0) {
    *sure = CF_SNIFF_CONTENT;
  }
  return CF_OK;
}

static inline cf_status CF_CALL WorkingOpen(const cf_call* call, const cf_arg* args, size_t n_args,
                                            const cf_source_input* input,
                                            struct ArrowArrayStream* out) {
  cf_status status = CF_OK;
  WorkingStream* stream;
  WorkingColumns* columns;
  FILE* file = fopen(input->location, "rb");
  (void)args, (void)n_args;
  if (file == NULL) return FailBecause(call, CF_E_IO, "it cannot be opened");
  stream = (WorkingStream*)calloc(1, sizeof *stream);
  columns = (WorkingColumns*)calloc(1, sizeof *columns);
  if (stream == NULL || columns == NULL) {
    status = FailBecause(call, CF_E_OUT_OF_MEMORY, "there is no memory");
  }
  if (status == CF_OK) status = WorkingReadAll(call, file, columns);
  fclose(file);
  if (status != CF_OK) {
    WorkingFree(columns);
    free(stream);
    return status;
  }
  stream->call = call;
  stream->columns = columns;
  out->get_schema = WorkingGetSchema;
  out->get_next = WorkingGetNext;
  out->get_last_error = WorkingGetLastError;
  out->release = WorkingReleaseStream;
  out->private_data = stream;
  return CF_OK;
}

static inline void FillSource(cf_source* source, const char* id) {
  static const char* const endings[] = {"numbers"};
  source->struct_size = sizeof(cf_source);
  source->promises = CF_SOURCE_READS_ONE_FILE;
  source->info.id = id;
  source->info.version = "1.0.0";
  source->info.title = "Numbers";
  source->info.doc = "A column of numbers and one of two levels.";
  source->info.threading = CF_MT_PREDICT;
  source->info.determinism = CF_DET_SEEDED | CF_DET_THREADS | CF_DET_UNSEEDED;
  source->endings = endings;
  source->n_endings = 1;
  source->sniff = WorkingSniff;
  source->open = WorkingOpen;
}

#endif
