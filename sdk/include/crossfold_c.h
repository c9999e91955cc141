/* crossfold_c.h: a Crossfold plugin in C99 without its tables.
 *
 * It is crossfold_plugin.h, functions for what every author writes, and one macro at the end of the
 * file that writes the manifest, the tables and the entry. A learner is a struct and two functions:
 *
 *   #include <crossfold_c.h>
 *
 *   struct cf_model {  // what training keeps; yours
 *     double* means;
 *   };
 *   static const cf_param kShrink = CF_REAL("shrink", 0.0, 0.0, 1.0, "How far the means move.");
 *
 *   static cf_status fit(const cf_call* call, cf_args args, const cf_table* train, cf_model*
 * model); static cf_status predict(const cf_call* call, const cf_model* model, const cf_table*
 * rows, cf_prediction* out);
 *
 *   CF_LEARNER_PLUGIN("org.example.nearest", "1.0.0", "Example Org", "MIT", "nearest mean",
 *                     "The class whose mean is nearest.", CF_DET_SEEDED | CF_DET_THREADS,
 *                     CF_CLASSIFIER(CF_ACCEPTS_NUMERIC, fit, predict), &kShrink)
 *
 * fit() gets a model of zeros and fills it; after a failure, and when the host is done with it, it
 * is freed with all memory that it owns. predict() is called with as many features and classes as
 * fit() was, and writes out->labels[i] (a classifier) or out->values[i] (a regressor) for every row
 * i below rows->n_rows. The host refuses data that the plugin does not accept before any call.
 *
 * Reading: train->n_rows, train->n_features, train->features[j].name and
 *   cf_x(table, i, j)      feature j of row i; a category gives its code, a missing entry NaN
 *   cf_label(train, i)     class of row i, 0 <= label < cf_n_classes(train)
 *   cf_target(train, i)    target of row i, in regression
 *   cf_weight(train, i)    1 if there are no weights
 * Arguments, by their declaration: cf_real(args, &kShrink), cf_int, cf_bool, cf_choice, cf_text.
 * Memory, zeroed; NULL = there is none, which is reported: return CF_E_OUT_OF_MEMORY then.
 *   cf_doubles(call, n), cf_scratch(call, n, size)                      until the call returns
 *   cf_keep_doubles(call, model, n), cf_keep(call, model, n, size)      as long as the model
 *   cf_own(call, model, thing, release)      thing of another library, which goes with the model
 * Failing: return cf_fail(call, CF_E_NUMERIC, "feature '%s' is constant", name);
 * Randomness: cf_uniform(call), cf_below(call, n), which the seed of the call determines.
 * Long loops: if (cf_progress(call, done) != CF_OK) return CF_E_CANCELLED;
 *
 * Transforms, splitters and metrics work in the same way: see the macros at the end. A capability
 * is a table of crossfold_plugin/capability.h that a function like cf_learner.get_capability
 * returns; CF_LEARNER takes it. Plugins of several components write the tables of
 * crossfold_plugin.h themselves, and may use the functions. The functions are also C++11; the
 * macros need C99 or C++20.
 */
#ifndef CROSSFOLD_C_H
#define CROSSFOLD_C_H

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crossfold_plugin.h"

/* ---- failing -------------------------------------------------------------------------------- */

/* Tells the host why the call fails, as printf() would write it, and returns `code`. Use %lld and
 * %s: %g writes a decimal comma in some locales. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
static inline cf_status
cf_fail(const cf_call* call, cf_status code, const char* format, ...) {
  char text[512];
  va_list values;
  va_start(values, format);
  vsnprintf(text, sizeof(text), format, values);
  va_end(values);
  return call->host->fail(call, code, text);
}

/* Says how far the call is, 0 to 1. Anything but CF_OK is to be returned at once. */
static inline cf_status cf_progress(const cf_call* call, double done) {
  if (call->host->progress(call, done) == 0) return CF_OK;
  return cf_fail(call, CF_E_CANCELLED, "cancelled");
}

/* ---- reading -------------------------------------------------------------------------------- */

/* Place of row i of the view in every column. */
static inline int64_t cf_entry(const cf_table* table, int64_t i) {
  return table->rows != NULL ? table->rows[i] : i;
}

/* Feature j of row i: a category gives its code, a missing entry NaN. */
static inline double cf_x(const cf_table* table, int64_t i, int64_t j) {
  const cf_column* column = &table->features[j];
  const int64_t at = cf_entry(table, i);
  if (column->validity != NULL) {
    const int64_t bit = at + column->validity_offset;
    if (((column->validity[bit / 8] >> (bit % 8)) & 1) == 0) return NAN;
  }
  switch (column->dtype) {
    case CF_F64:
      return ((const double*)column->data)[at];
    case CF_F32:
      return ((const float*)column->data)[at];
    case CF_I32:
      return ((const int32_t*)column->data)[at];
    case CF_I64:
      return (double)((const int64_t*)column->data)[at];
    case CF_BOOL8:
      return ((const uint8_t*)column->data)[at] != 0 ? 1.0 : 0.0;
    case CF_CAT32: {
      const int32_t code = ((const int32_t*)column->data)[at];
      return code < 0 ? (double)NAN : (double)code;
    }
    default:
      return NAN;
  }
}

/* Classes of the whole dataset; 0 in regression. */
static inline int64_t cf_n_classes(const cf_table* train) {
  return train->target->dtype == CF_CAT32 ? train->target->n_levels : 0;
}

/* Class of row i. REQUIRES: a classification. */
static inline int32_t cf_label(const cf_table* train, int64_t i) {
  return ((const int32_t*)train->target->data)[cf_entry(train, i)];
}

/* Target of row i. REQUIRES: a regression. */
static inline double cf_target(const cf_table* train, int64_t i) {
  return ((const double*)train->target->data)[cf_entry(train, i)];
}

static inline double cf_weight(const cf_table* train, int64_t i) {
  return train->weights != NULL ? train->weights[i] : 1.0;
}

/* ---- parameters ----------------------------------------------------------------------------- */

/* What these macros give initialises a `static const cf_param`; its address stands in the macro at
 * the end of the file, and reads the argument. Other types, flags and units: write the struct. */
#define CF_REAL(name, value, low, high, doc)                                                     \
  {                                                                                              \
    sizeof(cf_param), 0, name, doc, CF_P_REAL, 0, {CF_P_REAL, 0, {.r = value}}, low, high, 0, 0, \
        NULL, 0, NULL, NULL                                                                      \
  }
#define CF_INT(name, value, low, high, doc)                                                        \
  {                                                                                                \
    sizeof(cf_param), 0, name, doc, CF_P_INT, 0, {CF_P_INT, 0, {.i = value}}, 0.0, 0.0, low, high, \
        NULL, 0, NULL, NULL                                                                        \
  }
#define CF_BOOL(name, value, doc)                                                               \
  {                                                                                             \
    sizeof(cf_param), 0, name, doc, CF_P_BOOL, 0, {CF_P_BOOL, 0, {.i = value}}, 0.0, 0.0, 0, 0, \
        NULL, 0, NULL, NULL                                                                     \
  }
/* `choices` is a static array of strings, `value` the index of the default. */
#define CF_CHOICE(name, value, choices, doc)                                                     \
  {                                                                                              \
    sizeof(cf_param), 0, name, doc, CF_P_CHOICE, 0, {CF_P_CHOICE, 0, {.i = value}}, 0.0, 0.0, 0, \
        0, choices, sizeof(choices) / sizeof(*(choices)), NULL, NULL                             \
  }
/* `value` is a string literal. */
#define CF_TEXT(name, value, doc)                                                                \
  {                                                                                              \
    sizeof(cf_param), 0, name, doc, CF_P_STRING, 0,                                              \
        {CF_P_STRING, 0, {.s = {value, sizeof(value) - 1}}}, 0.0, 0.0, 0, 0, NULL, 0, NULL, NULL \
  }

/* The arguments of a call. */
typedef struct cf_args {
  const cf_arg* items;
  size_t n;
} cf_args;

/* The argument of a parameter; its default if the component does not declare it. */
static inline const cf_value* cf_value_of(cf_args args, const cf_param* param) {
  size_t i;
  for (i = 0; i < args.n; ++i) {
    if (strcmp(args.items[i].name, param->name) == 0) return &args.items[i].value;
  }
  return &param->def;
}
static inline double cf_real(cf_args args, const cf_param* param) {
  return cf_value_of(args, param)->u.r;
}
static inline int64_t cf_int(cf_args args, const cf_param* param) {
  return cf_value_of(args, param)->u.i;
}
static inline int cf_bool(cf_args args, const cf_param* param) {
  return cf_value_of(args, param)->u.i != 0;
}
/* The index into the choices. */
static inline int64_t cf_choice(cf_args args, const cf_param* param) {
  return cf_value_of(args, param)->u.i;
}
/* Borrowed until the call returns. */
static inline const char* cf_text(cf_args args, const cf_param* param) {
  return cf_value_of(args, param)->u.s.p;
}

/* ---- memory --------------------------------------------------------------------------------- */

static inline void* cf_c_checked(const cf_call* call, void* memory) {
  if (memory == NULL) cf_fail(call, CF_E_OUT_OF_MEMORY, "out of memory");
  return memory;
}

/* n zeroed objects of `size` bytes until the call returns. */
static inline void* cf_scratch(const cf_call* call, int64_t n, size_t size) {
  const size_t count = n > 0 ? (size_t)n : 1;
  const int fits = n >= 0 && count <= SIZE_MAX / size;
  return cf_c_checked(call, fits ? call->host->scratch(call, count * size, 16) : NULL);
}
static inline double* cf_doubles(const cf_call* call, int64_t n) {
  return (double*)cf_scratch(call, n, sizeof(double));
}

/* Stands before every model in memory. */
typedef struct cf_c_thing cf_c_thing;
typedef struct cf_c_head {
  int64_t n_features, n_classes; /* of fit() */
  cf_c_thing* things;            /* what the model owns */
  void* unused;                  /* so that the model behind it is aligned for everything */
} cf_c_head;
struct cf_c_thing {
  cf_c_thing* next;
  void* memory;
  void (*release)(void*);
};

static inline cf_c_head* cf_c_head_of(const cf_model* model) { return (cf_c_head*)model - 1; }

/* release(thing) follows when the model is freed, or now if there is no memory. */
static inline cf_status cf_own(const cf_call* call, cf_model* model, void* thing,
                               void (*release)(void*)) {
  cf_c_thing* owned = (cf_c_thing*)cf_c_checked(call, malloc(sizeof(cf_c_thing)));
  if (owned == NULL) {
    release(thing);
    return CF_E_OUT_OF_MEMORY;
  }
  owned->next = cf_c_head_of(model)->things;
  owned->memory = thing;
  owned->release = release;
  cf_c_head_of(model)->things = owned;
  return CF_OK;
}

/* n zeroed objects of `size` bytes, which are freed with the model. */
static inline void* cf_keep(const cf_call* call, cf_model* model, int64_t n, size_t size) {
  void* memory = cf_c_checked(call, n >= 0 ? calloc(n > 0 ? (size_t)n : 1, size) : NULL);
  if (memory == NULL || cf_own(call, model, memory, free) != CF_OK) return NULL;
  return memory;
}
static inline double* cf_keep_doubles(const cf_call* call, cf_model* model, int64_t n) {
  return (double*)cf_keep(call, model, n, sizeof(double));
}

/* A model of zeros, for rows as in `like`. fit() is given one; a function that loads models makes
 * its own, with size = sizeof(struct cf_model). */
static inline cf_model* cf_new_model(const cf_call* call, size_t size, int64_t n_features,
                                     int64_t n_classes) {
  cf_c_head* head = (cf_c_head*)cf_c_checked(call, calloc(1, sizeof(cf_c_head) + size));
  if (head == NULL) return NULL;
  head->n_features = n_features;
  head->n_classes = n_classes;
  return (cf_model*)(head + 1);
}

static inline void CF_CALL cf_destroy(const cf_info* self, cf_model* model) {
  cf_c_thing *thing, *next;
  (void)self;
  if (model == NULL) return;
  for (thing = cf_c_head_of(model)->things; thing != NULL; thing = next) {
    next = thing->next;
    thing->release(thing->memory);
    free(thing);
  }
  free(cf_c_head_of(model));
}

/* ---- randomness: equal seeds of the call give equal numbers -----------------------------------
 */

/* Uniform over 0 .. n-1, without bias: draws from the last, incomplete block are thrown away. */
static inline int64_t cf_below(const cf_call* call, int64_t n) {
  const uint64_t limit = UINT64_MAX - UINT64_MAX % (uint64_t)n;
  uint64_t drawn;
  do {
    call->host->random_u64(call, &drawn, 1);
  } while (drawn >= limit);
  return (int64_t)(drawn % (uint64_t)n);
}

/* Uniform over [0, 1): one of 2^53 numbers. */
static inline double cf_uniform(const cf_call* call) {
  uint64_t drawn;
  call->host->random_u64(call, &drawn, 1);
  return (double)(drawn >> 11) * (1.0 / 9007199254740992.0);
}

#include "crossfold_plugin/c_tables.h"

#endif
