/* What every other header of the C API builds on: status codes and handles.
 * Part of crossfold.h, where the rules stand. C99. */
#ifndef CROSSFOLD_C_STATUS_H
#define CROSSFOLD_C_STATUS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CROSSFOLD_API __attribute__((visibility("default")))

/* The structs of the Arrow C data interface; crossfold/arrow_abi.h declares them. */
struct ArrowSchema;
struct ArrowArray;

/* What a call came to. */
typedef int32_t crossfold_status;
enum {
  CROSSFOLD_OK = 0,
  CROSSFOLD_INVALID_ARGUMENT = 1, /* an option, a parameter, a name, a NULL */
  CROSSFOLD_BAD_DATA = 2,         /* the content of a file or a table */
  CROSSFOLD_BAD_PLUGIN = 3,       /* a plugin that cannot be loaded or breaks its contract */
  CROSSFOLD_IO = 4,               /* a file that cannot be read or written */
  CROSSFOLD_CANCELLED = 5,        /* the host asked to stop */
  CROSSFOLD_FAILED = 6,           /* a fit or prediction that failed */
  CROSSFOLD_OUT_OF_MEMORY = 7,
  CROSSFOLD_BUSY = 8,    /* the context is in another call; there is no text for this */
  CROSSFOLD_INTERNAL = 9 /* a defect of the library */
};

/* Plugins, defaults and callbacks of a host. */
typedef struct crossfold_context crossfold_context;
/* Named columns of equal length, and which of them is the target, a weight, a group. */
typedef struct crossfold_dataset crossfold_dataset;
/* Which rows train and which test, split by split. */
typedef struct crossfold_splits crossfold_splits;
/* What an experiment found. */
typedef struct crossfold_result crossfold_result;
/* A fitted pipeline. */
typedef struct crossfold_model crossfold_model;
/* What a model predicted for some rows. */
typedef struct crossfold_prediction crossfold_prediction;

/* MAJOR.MINOR.PATCH of the library. Lives for ever. */
CROSSFOLD_API const char* crossfold_version(void);
/* "invalid argument" for CROSSFOLD_INVALID_ARGUMENT, and so on. Lives for ever. */
CROSSFOLD_API const char* crossfold_status_name(crossfold_status status);

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif
