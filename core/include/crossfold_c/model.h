/* Fitted models and what they predict.
 * This is a part of crossfold.h, which states the rules. C99. */
#ifndef CROSSFOLD_C_MODEL_H
#define CROSSFOLD_C_MODEL_H

#include "crossfold_c/dataset.h"
#include "crossfold_c/experiment.h"
#include "crossfold_c/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- models -------------------------------------------------------------------------------- */

/* Fits a learner (JSON as above) on all rows. */
CROSSFOLD_API crossfold_status crossfold_model_fit(crossfold_context* context,
                                                   const crossfold_dataset* dataset,
                                                   const char* learner, uint64_t seed,
                                                   crossfold_model** model);
/* Makes or replaces a file; if it is interrupted, the old file stays. */
CROSSFOLD_API crossfold_status crossfold_model_save(crossfold_context* context,
                                                    const crossfold_model* model, const char* path);
/* Reads what crossfold_model_save() wrote, or model:save in Lua: also models of ensembles
 * (cf.voting, cf.bagging, cf.stacking) and of cf.calibration, cf.threshold and cf.minimum_cost.
 * Load files from sources that you trust. */
CROSSFOLD_API crossfold_status crossfold_model_load(crossfold_context* context, const char* path,
                                                    crossfold_model** model);
/* Describes the training data of the model. Its features are the columns that predictions need. */
CROSSFOLD_API crossfold_status crossfold_model_describe(const crossfold_model* model,
                                                        crossfold_data_info* info);
/* Returns the learner of the model, such as "standardize|knn{k=5}" or "voting{knn, naive_bayes}".
 */
CROSSFOLD_API const char* crossfold_model_learner(const crossfold_model* model);
/* Predicts all rows of a dataset, whose columns are found by name. */
CROSSFOLD_API crossfold_status crossfold_model_predict(crossfold_context* context,
                                                       const crossfold_model* model,
                                                       const crossfold_dataset* dataset,
                                                       crossfold_prediction** prediction);
CROSSFOLD_API void crossfold_model_destroy(crossfold_model* model);

/* Gets the arrays of a prediction. */
CROSSFOLD_API crossfold_status crossfold_prediction_get(const crossfold_prediction* prediction,
                                                        crossfold_predictions* predictions);
CROSSFOLD_API void crossfold_prediction_destroy(crossfold_prediction* prediction);

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif
