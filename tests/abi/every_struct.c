/* Every struct of the boundary, reachable from a function of a library: what abidiff compares. */
#include <crossfold_plugin.h>
#if __has_include(<crossfold_plugin/folder.h>)
#include <crossfold_plugin/folder.h>
#endif

#define USE(name)                  \
  void use_##name(const name* it); \
  void use_##name(const name* it) { (void)it; }

USE(cf_arg)
USE(cf_call)
USE(cf_cap_accumulate)
USE(cf_cap_check)
USE(cf_cap_cross_predict)
USE(cf_cap_export)
USE(cf_cap_fit_path)
USE(cf_cap_importance)
USE(cf_cap_incremental)
USE(cf_cap_memory)
USE(cf_cap_prepare)
USE(cf_cap_proba)
USE(cf_cap_resample)
USE(cf_cap_serialize)
USE(cf_cap_synthesize)
USE(cf_cap_warm_start)
USE(cf_cap_write)
USE(cf_column)
USE(cf_column_hint)
USE(cf_column_sink)
USE(cf_cross_sink)
USE(cf_host)
USE(cf_info)
USE(cf_learner)
USE(cf_metric)
USE(cf_metric_input)
USE(cf_param)
USE(cf_plugin)
USE(cf_prediction)
USE(cf_prediction_view)
USE(cf_reader)
USE(cf_row_sink)
USE(cf_setting)
USE(cf_shape)
USE(cf_source)
USE(cf_source_input)
USE(cf_split_input)
USE(cf_split_sink)
USE(cf_splitter)
USE(cf_table)
USE(cf_transform)
USE(cf_value)
USE(cf_writer)

/* Newer than the headers of the release. */
#ifdef CF_CAP_FIT_MEMORY
USE(cf_cap_fit_memory)
#endif
#ifdef CF_CAP_ONNX
USE(cf_cap_onnx)
#endif
#ifdef CF_CAP_VALIDATION
USE(cf_cap_validation)
#endif
#ifdef CF_FACTORY_FOLDERS
USE(cf_folders)
#endif
