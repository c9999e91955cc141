/* A program in C that compares learners on columns that it has in memory, and predicts a new row.
 *   c_host PLUGIN_FOLDER < FILE
 * FILE has four numbers and a class on each line, and a header. */
#include <crossfold.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kColumns = 4, kMostRows = 1000, kClasses = 3 };

static double numbers[kColumns][kMostRows];
static int32_t species[kMostRows];
static const char* const kNames[kColumns] = {"sepal length", "sepal width", "petal length",
                                             "petal width"};
static const char* const kSpecies[kClasses] = {"setosa", "versicolor", "virginica"};

/* Returns the number of rows. */
static int64_t ReadRows(void) {
  char line[256], name[64];
  int64_t n = 0;
  double x[kColumns];
  if (fgets(line, sizeof line, stdin) == NULL) return 0;
  while (n < kMostRows && fgets(line, sizeof line, stdin) != NULL) {
    if (sscanf(line, "%lf,%lf,%lf,%lf,%63s", &x[0], &x[1], &x[2], &x[3], name) != 5) continue;
    for (int c = 0; c < kColumns; ++c) numbers[c][n] = x[c];
    for (int k = 0; k < kClasses; ++k) {
      if (strcmp(name, kSpecies[k]) == 0) species[n] = k;
    }
    ++n;
  }
  return n;
}

//###begin callbacks
static void Log(void* user, int32_t level, const char* message) {
  (void)user;
  if (level >= 2) fprintf(stderr, "c_host: %s\n", message);
}

/* Not 0 would stop the run. */
static int32_t Progress(void* user, uint64_t finished, uint64_t total) {
  (void)total;
  *(uint64_t*)user = finished;
  return 0;
}
//###end callbacks

static int Fail(const crossfold_context* context) {
  fprintf(stderr, "%s\n", crossfold_last_error(context));
  return 1;
}

/* Static memory needs nobody to give it back. */
static void KeepForEver(void* user) { (void)user; }

//###begin dataset
static crossfold_status MakeDataset(crossfold_context* context, int64_t n_rows,
                                    crossfold_dataset** dataset) {
  crossfold_column columns[kColumns + 1];
  const crossfold_column* pointers[kColumns + 1];
  memset(columns, 0, sizeof columns);
  for (int c = 0; c <= kColumns; ++c) {
    columns[c].struct_size = sizeof(crossfold_column);
    columns[c].release = KeepForEver; /* lent: nothing is copied */
    pointers[c] = &columns[c];
  }
  for (int c = 0; c < kColumns; ++c) {
    columns[c].name = kNames[c];
    columns[c].dtype = CROSSFOLD_F64;
    columns[c].data = numbers[c];
  }
  columns[kColumns].name = "species";
  columns[kColumns].dtype = CROSSFOLD_CAT32;
  columns[kColumns].data = species;
  columns[kColumns].levels = kSpecies;
  columns[kColumns].n_levels = kClasses;
  return crossfold_dataset_create(context, "flowers", pointers, kColumns + 1, n_rows,
                                  "{\"target\": \"species\"}", dataset);
}
//###end dataset

//###begin experiment
static const char kExperiment[] =
    "{ \"learners\": { \"knn\": [ \"standardize\", { \"id\": \"knn\", \"params\": { \"k\": 5 } } ],"
    "                  \"bayes\": \"naive_bayes\", \"floor\": \"featureless\" },"
    "  \"splitter\": { \"id\": \"kfold\", \"params\": { \"folds\": 10 } },"
    "  \"metrics\": [ \"accuracy\", \"log_loss\" ], \"seed\": 42 }";

static int Compare(crossfold_context* context, const crossfold_dataset* dataset) {
  crossfold_result* result = NULL;
  if (crossfold_evaluate(context, dataset, NULL, kExperiment, &result) != CROSSFOLD_OK) {
    return Fail(context);
  }
  crossfold_result_info info = {.struct_size = sizeof info};
  crossfold_result_describe(result, &info);
  for (size_t i = 0; i < info.n_summaries; ++i) {
    crossfold_summary row = {.struct_size = sizeof row};
    crossfold_result_summary(result, i, &row);
    printf("%s %s mean %.17g sd %.17g\n", info.learners[row.learner], info.metrics[row.metric],
           row.mean, row.sd);
  }
  crossfold_result_destroy(result);
  return 0;
}
//###end experiment

//###begin model
static int Predict(crossfold_context* context, const crossfold_dataset* dataset) {
  crossfold_model* model = NULL;
  crossfold_prediction* prediction = NULL;
  if (crossfold_model_fit(context, dataset, "\"knn{k=5}\"", 1, &model) != CROSSFOLD_OK ||
      crossfold_model_predict(context, model, dataset, &prediction) != CROSSFOLD_OK) {
    crossfold_model_destroy(model);
    return Fail(context);
  }
  crossfold_predictions rows = {.struct_size = sizeof rows};
  crossfold_prediction_get(prediction, &rows);
  printf("row 70: %s\n", kSpecies[rows.labels[70]]);
  crossfold_prediction_destroy(prediction);
  crossfold_model_destroy(model);
  return 0;
}
//###end model

int main(int argc, char** argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: c_host PLUGIN_FOLDER < FILE\n");
    return 2;
  }
  //###begin context
  uint64_t finished = 0;
  const char* const paths[] = {argv[1]};
  crossfold_options options = {.struct_size = sizeof options};
  options.plugin_paths = paths;
  options.n_plugin_paths = 1;
  options.user = &finished;
  options.log = Log;
  options.progress = Progress;
  crossfold_context* context = NULL;
  if (crossfold_context_create(&options, &context) != CROSSFOLD_OK) return Fail(context);
  //###end context
  crossfold_dataset* dataset = NULL;
  int status = 0;
  if (MakeDataset(context, ReadRows(), &dataset) != CROSSFOLD_OK) {
    status = Fail(context);
  } else {
    status = Compare(context, dataset);
    if (status == 0) status = Predict(context, dataset);
    printf("cells: %llu\n", (unsigned long long)finished);
  }
  crossfold_dataset_destroy(dataset);
  crossfold_context_destroy(context);
  return status;
}
