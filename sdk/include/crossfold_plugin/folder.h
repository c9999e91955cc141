/* Plugins that are folders: "NAME.crossfold/" with a file crossfold.json and a program in any
 * language. A host does not run such a program itself: it hands the folder to the bundled plugin
 * `exec`, which offers this table as a factory (cf_plugin.get_factory) and makes a cf_plugin of the
 * folder. From there on the folder is a plugin like any other. docs/languages.md describes
 * crossfold.json and what the program and `exec` say to each other. C99. */
#ifndef CROSSFOLD_PLUGIN_FOLDER_H
#define CROSSFOLD_PLUGIN_FOLDER_H

#include "crossfold_plugin.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CF_FACTORY_FOLDERS "crossfold.folders/1"
#define CF_FOLDER_SUFFIX ".crossfold"       /* of the folder's name */
#define CF_FOLDER_MANIFEST "crossfold.json" /* in the folder */

typedef struct cf_folders {
  uint32_t struct_size, reserved; /* 0 */
  /* [any] Makes a plugin of the folder. `path` is absolute, `manifest` the JSON of its
   * crossfold.json. Starts the folder's program once, because the version of its interpreter and of
   * its packages are a part of the component's version; the process stays for the first fit.
   * ENSURES: the tables are valid for the life of the process. NULL = the folder cannot be used,
   * and why was logged with host->log. */
  const cf_plugin*(CF_CALL* open)(const cf_host* host, const char* path, const char* manifest);
} cf_folders;

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif
