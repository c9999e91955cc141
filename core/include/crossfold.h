/* crossfold.h: Crossfold for programs that are not written in C++, in libcrossfold.so. C99, no
 * dependency; small enough to bind by hand from any language with a foreign function interface.
 * docs/embedding.md shows it from C and from Python.
 *
 * Rules that hold for every struct and call below:
 *  - Objects are opaque handles. The caller that makes an object destroys it, in any order; an
 *    object keeps alive what it needs of another one (a model its plugins, a result its
 *    dataset). NULL may be destroyed. A handle of another kind, or one that was destroyed, is
 *    reported as an invalid argument; destroying it again does nothing, unless a new object has
 *    its address by then.
 *  - A call that can fail returns a crossfold_status. If it is not CROSSFOLD_OK, the outputs are
 *    NULL or unchanged, and crossfold_last_error() gives the reason on one line: "cannot
 *    <attempt> '<subject>': <finding>; <way out>".
 *  - A struct begins with struct_size, which the caller sets to its sizeof before every call,
 *    also if the struct is an output: an older or newer library reads and writes only the fields
 *    that both know. Fields are only ever appended.
 *  - Strings are UTF-8 and end in NUL. Strings and arrays that a call returns belong to the
 *    object they come from and live as long as it, unless said otherwise. JSON is RFC 8259;
 *    numbers have a decimal point in every locale.
 *  - Rows, repeats, folds, learners and classes count from 0.
 *  - No exception leaves a call. Nothing prints, exits, changes a signal handler, the locale,
 *    the working directory, the environment or the floating-point environment.
 *  - Threads: a context serves one call at a time; a second call, from another thread or from a
 *    callback, gets CROSSFOLD_BUSY and touches nothing. All other objects never change: any
 *    number of threads and contexts may use them at the same time. Calls without a context may
 *    be made from any thread at any time. A run uses threads of its own and ends all work before
 *    it returns.
 *  - After fork() without exec() the child must not call the library. When main has ended
 *    (atexit, static destructors) objects may be destroyed, but nothing may be run: plugins
 *    destroy their own static objects then. The library stays in memory after dlclose(), and so
 *    do plugins. */
#ifndef CROSSFOLD_H
#define CROSSFOLD_H

#include "crossfold_c/comparison.h"
#include "crossfold_c/context.h"
#include "crossfold_c/curve.h"
#include "crossfold_c/dataset.h"
#include "crossfold_c/experiment.h"
#include "crossfold_c/model.h"
#include "crossfold_c/status.h"

#endif
