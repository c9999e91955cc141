/* Libraries whose file is wrong: one for each defect. CMakeLists.txt gives its name as DEFECT and
 * defines that name in capitals. */
#include "smoother.h"

#if defined(BROKEN_MANIFEST) /* it is cut off */
CF_MANIFEST("{\"crossfold\":1,\"id\":\"bad.broken");
#elif defined(MANIFEST_OF_ABI_2) /* built for a later version of the boundary, and says so */
CF_MANIFEST("{\"crossfold\":2,\"id\":\"bad." DEFECT "\"}");
#elif defined(REPEATS_ID)        /* two components have one id */
CF_MANIFEST("{\"crossfold\":1,\"id\":\"bad." DEFECT
            "\",\"version\":\"1.0.0\",\"learners\":"
            "[\"bad." DEFECT "\",\"bad." DEFECT "\"]}");
#elif !defined(NO_MANIFEST)
CF_MANIFEST(WORKING_MANIFEST("bad." DEFECT));
#endif

#if defined(EXPORTS_MORE) /* a function beside the entry function */
CF_EXPORT int smoother_version(void);
int smoother_version(void) { return 1; }
#elif defined(EXPORTS_V2) /* only the entry function of a later major version */
CF_EXPORT const void* crossfold_plugin_v2(void);
const void* crossfold_plugin_v2(void) { return NULL; }
#endif

#if defined(MISSING_SYMBOL) /* a function that nobody has */
int crossfold_tests_nobody_has_this(void);
static void Break(SmootherParts* parts) {
  parts->learner.info.process_flags = (uint32_t)crossfold_tests_nobody_has_this();
}
#elif !defined(EXPORTS_V2) && !defined(NO_ENTRY)
static void Break(SmootherParts* parts) { (void)parts; }
#endif

#if !defined(EXPORTS_V2) && !defined(NO_ENTRY)
const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t host_abi_minor, const cf_host* host) {
  (void)host_abi_minor, (void)host;
  return EnterSmoother("bad." DEFECT, Break);
}
#endif
