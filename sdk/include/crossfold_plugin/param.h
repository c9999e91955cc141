/* Parameters as data, and what every component says about itself.
 * Part of crossfold_plugin.h, where the rules of the boundary stand. C99. */
#ifndef CROSSFOLD_PLUGIN_PARAM_H
#define CROSSFOLD_PLUGIN_PARAM_H

#include "crossfold_plugin/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- parameters: declared, so that a whole grid is checked before anything runs ------------- */

enum {
  CF_P_REAL = 1, /* finite, whatever the range says */
  CF_P_INT = 2,
  CF_P_BOOL = 3,   /* u.i is 0 or 1 */
  CF_P_CHOICE = 4, /* u.i is the index into choices; "true" and "false" mean the booleans */
  CF_P_STRING = 5, /* u.s */
  CF_P_INT_LIST = 6,
  CF_P_REAL_LIST = 7,
  CF_P_STRING_LIST = 8
};
/* cf_param.flags. Other bits: see "Unknown bits" in crossfold_plugin.h. */
enum {
  CF_PF_LOG = 1u,     /* searched on a logarithmic scale */
  CF_PF_LO_OPEN = 2u, /* the lower bound itself is not allowed */
  CF_PF_HI_OPEN = 4u,
  CF_PF_NULLABLE = 8u,             /* "none" is a value */
  CF_PF_SUBMODEL = 16u,            /* one fit serves all values: see crossfold.fit-path/1 */
  CF_PF_NO_EFFECT_ON_RESULT = 32u, /* verbosity and the like: not part of a cell's identity */
  CF_PF_DEPRECATED = 64u,
  CF_PF_PREPARE = 128u, /* the prepared structure depends on it: see crossfold.prepare/1 */
  /* In CF_MAY_BE_IGNORED. The string (CF_P_STRING) is a JSON object. Hosts that know the bit check
   * that, also take tables and single entries by dotted names ("settings.max_depth"), and pass the
   * object with sorted names and without blanks. */
  CF_PF_OBJECT = 0x10000u
};

/* Fixed layout. */
typedef struct cf_value {
  int32_t type;    /* CF_P_... */
  int32_t is_null; /* 1 = "none"; u is then zero */
  union {
    double r;
    int64_t i;
    struct {
      const char* p; /* NUL-terminated; n does not count the NUL */
      size_t n;
    } s;
    struct {
      const int64_t* p;
      size_t n;
    } il;
    struct {
      const double* p;
      size_t n;
    } rl;
    struct {
      const char* const* p; /* n NUL-terminated strings */
      size_t n;
    } sl;
  } u;
} cf_value;

typedef struct cf_param {
  uint32_t struct_size;
  uint32_t flags;   /* CF_PF_... */
  const char* name; /* [a-z][a-z0-9_]*; the identity: never renamed, never reused */
  const char* doc;  /* one sentence */
  int32_t type;     /* CF_P_...; a host refuses a component with a type that it does not know */
  int32_t reserved; /* 0 */
  cf_value def;     /* the default */
  double lo, hi;    /* CF_P_REAL and elements of CF_P_REAL_LIST; may be infinite */
  int64_t ilo, ihi; /* CF_P_INT and elements of CF_P_INT_LIST */
  const char* const* choices;
  size_t n_choices;
  const char* active_if; /* NULL, or "distance=minkowski" / "kernel=rbf,poly": the value matters
                            only then */
  const char* unit;      /* NULL = none */
} cf_param;

/* Fixed layout. A call gets every declared parameter exactly once, in the order of the
 * declaration, defaults filled in, type and range already checked. */
typedef struct cf_arg {
  const char* name;
  cf_value value;
} cf_arg;

/* ---- what every component says about itself ------------------------------------------------- */

enum {
  CF_DET_SEEDED = 1u,    /* same seed, data, machine and one thread: same bytes */
  CF_DET_THREADS = 2u,   /* also for any number of threads */
  CF_DET_ROW_ORDER = 4u, /* the result does not depend on the order of the training rows */
  CF_DET_UNSEEDED = 8u   /* the seed does not matter: any two give the same bytes */
};
/* Which calls a host may make at the same time. A host refuses a component with another value. */
enum {
  /* One call at a time into all components of this library that declare it: every function, also
   * destroy() and bytes(). One host keeps to this; a process may hold two hosts, so a library that
   * has process-wide state locks it itself. */
  CF_MT_NONE = 0,
  /* An object is a model, a prepared structure, an accumulator or a stream. Calls on different
   * objects, and calls without an object (fit, split, score), run at the same time; calls on one
   * object come one after the other. So no prepared structure is shared between threads. */
  CF_MT_OBJECTS = 1,
  /* Also at the same time: any calls that take one object as const (predict, apply, save, ...),
   * and any use of one prepared structure. */
  CF_MT_PREDICT = 2
};
/* cf_info.process_flags. Other bits: see "Unknown bits" in crossfold_plugin.h. */
enum {
  CF_USES_THREADS = 1u,
  CF_USES_OPENMP = 2u,
  CF_NOT_FORK_SAFE = 4u,
  CF_WANTS_CHILD_PROCESS = 8u
};

/* Fixed layout: a component grows at its own end, not here. */
typedef struct cf_info cf_info;
struct cf_info {
  const char* id;      /* "org.example.ridge": [a-z0-9_.-]+, unique and stable */
  const char* version; /* changes whenever the component's results may change */
  const char* title;   /* a few words */
  const char* doc;     /* a few sentences */
  const char* source;  /* the paper or book that defines the method; NULL = none */
  const cf_param* const* params;
  size_t n_params;
  uint32_t determinism;   /* CF_DET_... */
  uint32_t process_flags; /* CF_USES_... */
  int32_t threading;      /* CF_MT_... */
  int32_t reserved;       /* 0 */
  void* data;             /* the plugin's, for functions that serve many components; or NULL */
};

typedef struct cf_model cf_model; /* opaque; owned by the plugin; released with destroy() */

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif
