#include <memory>
#include <string>

#include "arrow/arrow_stream.h"
#include "arrow/arrow_struct.h"
#include "crossfold/arrow.h"
#include "crossfold/error.h"
#include "engine/text/shown_text.h"

namespace crossfold {
namespace {

std::string ImportAttempt(const std::string& name) {
  return "cannot import '" + Shown(name) + "': ";
}

}  // namespace

std::shared_ptr<const Dataset> ImportArrow(ArrowSchema* schema, ArrowArray* array,
                                           const std::string& name, const Roles& roles) {
  const std::string attempt = ImportAttempt(name);
  const bool was_released = schema->release == nullptr || array->release == nullptr;
  const Taken<ArrowSchema> types(schema);
  Taken<ArrowArray> taken(array);  // until there is memory to keep it
  const TakenArray entries = std::make_shared<const Taken<ArrowArray>>(taken.source());
  if (was_released) {
    throw Error(ErrorKind::kInvalidArgument,
                attempt + "its schema or array has been released already");
  }
  const ArrowFields fields(types.value(), attempt, {});
  return Dataset::Create(name, fields.ColumnsOf(entries),
                         WithFoundRoles(roles, fields.FindRoles()));
}

std::shared_ptr<const Dataset> ImportArrowStream(ArrowArrayStream* stream, const std::string& name,
                                                 const Roles& roles) {
  ArrowColumns read = ReadArrowStream(stream, {.attempt = ImportAttempt(name)});
  return Dataset::Create(name, std::move(read.columns), WithFoundRoles(roles, read.roles));
}

}  // namespace crossfold
