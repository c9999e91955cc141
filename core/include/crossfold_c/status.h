/* Status codes and handles, which all other headers of the C API use.
 * This is a part of crossfold.h, which states the rules. C99. */
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

/* The result of a call. */
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
  CROSSFOLD_BUSY = 8,    /* the context is in another call; there is no message for this */
  CROSSFOLD_INTERNAL = 9 /* a defect of the library */
};

/* Plugins, defaults and callbacks of a host. */
typedef struct crossfold_context crossfold_context;
/* Named columns of equal length, some of which are the target, weights or groups. */
typedef struct crossfold_dataset crossfold_dataset;
/* The training and test rows of each split. */
typedef struct crossfold_splits crossfold_splits;
/* The results of an experiment. */
typedef struct crossfold_result crossfold_result;
/* The learners of a result, compared in pairs. */
typedef struct crossfold_comparison crossfold_comparison;
/* A curve of a result as a table of numbers. */
typedef struct crossfold_curve crossfold_curve;
/* A fitted pipeline. */
typedef struct crossfold_model crossfold_model;
/* The predictions of a model for some rows. */
typedef struct crossfold_prediction crossfold_prediction;

/* Returns MAJOR.MINOR.PATCH of the library. The string lives for ever. */
CROSSFOLD_API const char* crossfold_version(void);
/* Returns "invalid argument" for CROSSFOLD_INVALID_ARGUMENT, and so on. It lives for ever. */
CROSSFOLD_API const char* crossfold_status_name(crossfold_status status);

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif
