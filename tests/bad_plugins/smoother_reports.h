/* The capabilities of the smoother that are about a model alone. */
#ifndef CROSSFOLD_TESTS_SMOOTHER_REPORTS_H
#define CROSSFOLD_TESTS_SMOOTHER_REPORTS_H

#include "smoother_capabilities.h"

/* ---- serialize ------------------------------------------------------------------------------- */

/* At the begin of a saved model; then come widths, is_category, rows and a checksum. */
typedef struct SavedHead {
  char magic[8];
  int64_t n_rows, n_features, n_classes, shape, power, n_widths;
  double width;
} SavedHead;

static inline uint64_t HashOf(const unsigned char* bytes, size_t n) {
  uint64_t hash = UINT64_C(14695981039346656037); /* FNV-1a */
  size_t i;
  for (i = 0; i < n; ++i) hash = (hash ^ bytes[i]) * UINT64_C(1099511628211);
  return hash;
}

/* Bytes of a model without its checksum; 0 = no model can have such sizes. */
static inline size_t SavedSize(const SavedHead* head) {
  const int64_t most = INT64_C(1) << 30;
  double size;
  if (head->n_rows < 1 || head->n_rows > most || head->n_features < 0 || head->n_features > most ||
      head->n_widths < 0 || head->n_widths > most) {
    return 0;
  }
  size = (double)sizeof(SavedHead) +
         8.0 * ((double)head->n_widths + (double)head->n_features +
                (double)head->n_rows * (double)RecordSize(head->n_features));
  return size > 1e15 ? 0 : (size_t)size;
}

static inline cf_status WriteAll(const cf_writer* writer, const void* bytes, size_t n) {
  size_t done = 0;
  while (done < n) {
    const int64_t taken =
        writer->write(writer->stream, (const unsigned char*)bytes + done, n - done);
    if (taken <= 0) return CF_E_INTERNAL;
    done += (size_t)taken;
  }
  return CF_OK;
}

static inline cf_status CF_CALL SmootherSave(const cf_call* call, const cf_model* model,
                                             const cf_writer* writer) {
  const Smoother* s = (const Smoother*)model;
  SavedHead head = {{'S', 'M', 'O', 'O', 'T', 'H', 'E', 'R'},
                    s->n_rows,
                    s->n_features,
                    s->n_classes,
                    s->shape,
                    s->power,
                    s->n_widths,
                    s->width};
  const size_t size = SavedSize(&head);
  unsigned char *bytes = (unsigned char*)malloc(size), *end = bytes;
  uint64_t hash;
  cf_status status;
  if (bytes == NULL) return FailBecause(call, CF_E_OUT_OF_MEMORY, "out of memory");
  memcpy(end, &head, sizeof(head)), end += sizeof(head);
  if (s->n_widths > 0) memcpy(end, s->widths, (size_t)s->n_widths * 8);
  end += s->n_widths * 8;
  memcpy(end, s->is_category, (size_t)s->n_features * 8), end += s->n_features * 8;
  memcpy(end, s->rows, size - (size_t)(end - bytes));
  hash = HashOf(bytes, size);
  status = WriteAll(writer, bytes, size);
  if (status == CF_OK) status = WriteAll(writer, &hash, sizeof(hash));
  free(bytes);
  return status == CF_OK ? CF_OK : FailBecause(call, status, "cannot write the model");
}

/* All that the reader has, or NULL. */
static inline unsigned char* ReadAll(const cf_reader* reader, size_t* n) {
  size_t room = 4096;
  unsigned char* bytes = (unsigned char*)malloc(room);
  *n = 0;
  while (bytes != NULL) {
    const int64_t given = reader->read(reader->stream, bytes + *n, room - *n);
    if (given < 0) break;
    if (given == 0) return bytes;
    *n += (size_t)given;
    if (*n == room) {
      unsigned char* more = (unsigned char*)realloc(bytes, room *= 2);
      if (more == NULL) break;
      bytes = more;
    }
  }
  free(bytes);
  return NULL;
}

/* The model in these bytes, or NULL. */
static inline Smoother* Parse(const unsigned char* bytes, size_t n) {
  SavedHead head;
  uint64_t hash;
  size_t size;
  Smoother* s;
  if (n < sizeof(head) + sizeof(hash)) return NULL;
  memcpy(&head, bytes, sizeof(head));
  memcpy(&hash, bytes + n - sizeof(hash), sizeof(hash));
  size = SavedSize(&head);
  if (memcmp(head.magic, "SMOOTHER", 8) != 0 || size == 0 || size + sizeof(hash) != n ||
      hash != HashOf(bytes, size)) {
    return NULL;
  }
  s = (Smoother*)calloc(1, sizeof(Smoother));
  if (s == NULL) return NULL;
  s->n_rows = head.n_rows, s->n_features = head.n_features, s->n_classes = head.n_classes;
  s->shape = head.shape, s->power = head.power, s->width = head.width;
  s->n_widths = head.n_widths;
  bytes += sizeof(head);
  s->widths = (double*)CopyOf(bytes, s->n_widths, 8), bytes += s->n_widths * 8;
  s->is_category = (int64_t*)CopyOf(bytes, s->n_features, 8), bytes += s->n_features * 8;
  s->rows = (double*)CopyOf(bytes, s->n_rows * RecordSize(s->n_features), 8);
  if (s->widths != NULL && s->is_category != NULL && s->rows != NULL) return s;
  FreeSmoother(s);
  return NULL;
}

static inline cf_status CF_CALL SmootherLoad(const cf_call* call, const cf_reader* reader,
                                             cf_model** out) {
  size_t n = 0;
  unsigned char* bytes = ReadAll(reader, &n);
  *out = bytes == NULL ? NULL : (cf_model*)Parse(bytes, n);
  free(bytes);
  return *out != NULL ? CF_OK : FailBecause(call, CF_E_BAD_BLOB, "this is not a saved smoother");
}

/* ---- what a model tells ---------------------------------------------------------------------- */

/* Half the range of each feature: the same in whatever order columns and rows are. */
static inline cf_status CF_CALL SmootherImportance(const cf_call* call, const cf_model* model,
                                                   double* out, size_t n_features) {
  const Smoother* s = (const Smoother*)model;
  int64_t i, j;
  if ((int64_t)n_features != s->n_features) {
    return FailBecause(call, CF_E_INVALID_ARGUMENT, "another number of features");
  }
  for (j = 0; j < s->n_features; ++j) {
    double lo = INFINITY, hi = -INFINITY;
    for (i = 0; i < s->n_rows; ++i) {
      const double entry = EntriesOf(RecordAt(s, i))[j];
      if (entry < lo) lo = entry;
      if (entry > hi) hi = entry;
    }
    out[j] = lo <= hi ? hi / 2 - lo / 2 : 0;
  }
  return CF_OK;
}

static inline cf_status CF_CALL SmootherCheck(const cf_call* call, const cf_arg* args,
                                              size_t n_args, const cf_shape* shape) {
  (void)args, (void)n_args;
  if (shape->n_rows < 1) return FailBecause(call, CF_E_UNSUPPORTED_DATA, "there are no rows");
  return RefuseWidth(call, shape->n_features);
}

static inline uint64_t CF_CALL SmootherBytes(const cf_info* self, const cf_model* model) {
  (void)self;
  const Smoother* s = (const Smoother*)model;
  return sizeof(Smoother) +
         8 * (uint64_t)(s->n_widths + s->n_features + s->n_rows * RecordSize(s->n_features));
}

static inline cf_status CF_CALL SmootherFitBytes(const cf_call* call, const cf_arg* args,
                                                 size_t n_args, const cf_shape* shape,
                                                 uint64_t* bytes) {
  (void)call, (void)args, (void)n_args;
  *bytes = sizeof(Smoother) +
           8 * (uint64_t)(shape->n_features + shape->n_rows * RecordSize(shape->n_features));
  return CF_OK;
}

static inline cf_status CF_CALL SmootherExport(const cf_call* call, const cf_model* model,
                                               size_t format, const cf_writer* writer) {
  const Smoother* s = (const Smoother*)model;
  char text[96];
  (void)format;
  snprintf(text, sizeof(text), "%lld rows of %lld features\n", (long long)s->n_rows,
           (long long)s->n_features);
  return WriteAll(writer, text, strlen(text)) == CF_OK
             ? CF_OK
             : FailBecause(call, CF_E_INTERNAL, "cannot write the text");
}

static inline cf_status CF_CALL SmootherFitFrom(const cf_call* call, const cf_arg* args,
                                                size_t n_args, const cf_table* train,
                                                const cf_model* start, cf_model** out) {
  (void)start;
  return SmootherFit(call, args, n_args, train, out);
}

/* ---- validation ------------------------------------------------------------------------------ */

/* Adds up what the model gets wrong, in thousandths: sums of whole numbers are exact in any order.
 * Negative = it could not be asked. */
static inline double LossOf(const cf_call* call, const Smoother* s, const cf_table* rows) {
  double loss = 0, value = 0;
  double* shares = (double*)call->host->scratch(call, (size_t)(s->n_classes + 1) * sizeof(double),
                                                sizeof(double));
  int64_t i;
  if (shares == NULL) return -1;
  for (i = 0; i < rows->n_rows; ++i) {
    const int64_t row = RowOf(rows, i);
    const double target = ReadEntry(rows->target, row);
    const double weight = rows->weights == NULL ? 1 : rows->weights[i];
    cf_table one = *rows;
    cf_prediction out;
    double wrong;
    memset(&out, 0, sizeof(out));
    out.struct_size = sizeof(out);
    out.n_rows = one.n_rows = 1;
    out.n_classes = s->n_classes;
    one.rows = &row;
    if (s->n_classes > 0) {
      out.probabilities = shares;
    } else {
      out.values = &value;
    }
    if (Ask(call, s, s->width, &one, &out) != CF_OK) return -1;
    wrong = s->n_classes > 0 ? 1 - shares[(int64_t)target] : fabs(value - target);
    loss += floor(1000 * weight * (wrong < 1 ? wrong : 1));
  }
  return loss;
}

/* Widens the model by the share that it gets wrong. */
static inline cf_status CF_CALL SmootherFitValidated(const cf_call* call, const cf_arg* args,
                                                     size_t n_args, const cf_table* train,
                                                     const cf_table* validation, cf_model** out) {
  const cf_status status = SmootherFit(call, args, n_args, train, out);
  Smoother* s = (Smoother*)*out;
  double loss;
  if (status != CF_OK) return status;
  loss = LossOf(call, s, validation);
  if (loss < 0) {
    FreeSmoother(s);
    *out = NULL;
    return FailBecause(call, CF_E_OUT_OF_MEMORY, "out of memory");
  }
  s->width *= 1 + loss / 10000;
  return CF_OK;
}

/* A graph with these inputs and without operators, which is enough for what can be checked without
 * running it. */
static inline cf_status WriteGraph(const cf_writer* writer, int64_t n_inputs) {
  static const char kEnd[] = "],\"output\":[{\"name\":\"label\"},{\"name\":\"value\"}]}";
  cf_status status = WriteAll(writer, "{\"input\":[", 10);
  int64_t j;
  for (j = 0; j < n_inputs && status == CF_OK; ++j) {
    char text[32];
    snprintf(text, sizeof(text), "%s{\"name\":\"x%d\"}", j > 0 ? "," : "", (int)j);
    status = WriteAll(writer, text, strlen(text));
  }
  return status == CF_OK ? WriteAll(writer, kEnd, strlen(kEnd)) : status;
}

static inline cf_status CF_CALL SmootherGraph(const cf_call* call, const cf_model* model,
                                              const cf_table* columns, const cf_writer* writer) {
  (void)call, (void)model;
  return WriteGraph(writer, columns->n_features);
}

#endif
