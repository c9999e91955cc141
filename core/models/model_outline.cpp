#include "models/model_outline.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "crossfold/error.h"
#include "engine/run/table_schema.h"
#include "models/aligned_rows.h"

namespace crossfold {
namespace {

Column EmptyColumn(const ColumnDeclaration& declared) {
  Column column;
  column.name = declared.name;
  column.dtype = declared.dtype;
  column.levels = declared.levels;
  column.ordered = declared.ordered;
  return column;
}

}  // namespace

ModelOutline OutlineOf(const DataView& train, std::uint64_t seed) {
  const Dataset& data = *train.data;
  const Column& target = data.column(data.roles().target);
  ModelOutline outline;
  TrainingFacts& facts = outline.training;
  facts.dataset = data.name();
  facts.content_hash = data.content_hash();
  facts.n_rows = train.num_rows();
  facts.task = data.task();
  facts.target = {target.name, target.dtype, target.ordered, target.levels};
  facts.class_names.assign(data.class_names().begin(), data.class_names().end());
  const TableSchema schema(data.features());
  outline.features.assign(schema.features().begin(), schema.features().end());
  outline.seed = seed;
  return outline;
}

std::shared_ptr<const Dataset> EmptyData(const ModelOutline& outline) {
  const TrainingFacts& training = outline.training;
  std::vector<Column> columns;
  for (const ColumnDeclaration& feature : outline.features) columns.push_back(EmptyColumn(feature));
  columns.push_back(EmptyColumn(training.target));
  Roles roles;
  roles.target = training.target.name;
  auto data = Dataset::Create(training.dataset, std::move(columns), roles);
  const auto names = data->class_names();
  if (data->task() != training.task ||
      !std::equal(names.begin(), names.end(), training.class_names.begin(),
                  training.class_names.end())) {
    throw Error(ErrorKind::kBadData, "cannot make dataset '" + training.dataset +
                                         "': the classes are not those of its target");
  }
  return data;
}

void CheckFeatureNames(const ModelOutline& outline, const Dataset& data,
                       const std::string& attempt) {
  const auto present = data.features();
  for (std::size_t j = 0; j < outline.features.size(); ++j) {
    const std::string& name = outline.features[j].name;
    if (j < present.size() && name == present[j].name)
      continue;  // the usual case, without a search
    FindFeature(name, data, attempt);
  }
}

}  // namespace crossfold
