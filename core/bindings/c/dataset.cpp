#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "analysis/facts/data_notes.h"
#include "arrow/category_levels.h"
#include "bindings/c/guarded_call.h"
#include "bindings/c/json_arguments.h"
#include "crossfold/arrow.h"
#include "crossfold/read_data.h"
#include "crossfold_plugin/data.h"
#include "engine/data/column_checks.h"

// The types are those of plugins.
static_assert(int{CROSSFOLD_F64} == CF_F64 && int{CROSSFOLD_F32} == CF_F32 &&
              int{CROSSFOLD_I32} == CF_I32 && int{CROSSFOLD_I64} == CF_I64 &&
              int{CROSSFOLD_BOOL8} == CF_BOOL8 && int{CROSSFOLD_CAT32} == CF_CAT32);

namespace crossfold::c_api {
namespace {

bool IsLent(const crossfold_column* column) {
  return column != nullptr && column->struct_size >= sizeof(crossfold_column) &&
         column->release != nullptr;
}

// Returns the columns that a call was lent and has not passed on, in order.
class LentColumns {
 public:
  LentColumns(const crossfold_column* const* columns, std::size_t n) : columns_(columns), n_(n) {}
  ~LentColumns() {
    for (; columns_ != nullptr && next_ < n_; ++next_) {
      if (IsLent(columns_[next_])) columns_[next_]->release(columns_[next_]->release_user);
    }
  }
  // Leaves them to the caller.
  void Keep() { next_ = n_; }
  LentColumns(const LentColumns&) = delete;
  LentColumns& operator=(const LentColumns&) = delete;

  // The object that returns the next column when it is not used any more; null if it is not lent.
  std::shared_ptr<const void> Next() {
    const crossfold_column* column = columns_[next_++];
    if (!IsLent(column)) return nullptr;
    const auto give_back = [release = column->release, user = column->release_user](const void*) {
      release(user);
    };
    // An object that is not null; if this throws, the column has been returned.
    return {static_cast<const void*>(this), give_back};
  }

 private:
  const crossfold_column* const* columns_;
  std::size_t n_, next_ = 0;
};

std::size_t EntrySizeOf(std::int32_t dtype) {
  switch (dtype) {
    case CROSSFOLD_F64:
    case CROSSFOLD_I64:
      return 8;
    case CROSSFOLD_F32:
    case CROSSFOLD_I32:
    case CROSSFOLD_CAT32:
      return 4;
    case CROSSFOLD_BOOL8:
      return 1;
    default:
      return 0;
  }
}

// Copies of a column's buffers, 8-byte aligned.
struct Copies {
  std::vector<std::uint64_t> entries;
  std::vector<std::uint8_t> validity;
};

void CopyBuffers(const crossfold_column& given, Column& column) {
  const auto n = static_cast<std::size_t>(column.n_rows);
  const std::size_t bytes = n * EntrySizeOf(given.dtype);
  if (n == 0 || bytes == 0 || given.data == nullptr || given.validity_offset < 0) return;
  auto copies = std::make_shared<Copies>();
  copies->entries.resize((bytes + 7) / 8);
  std::memcpy(copies->entries.data(), given.data, bytes);
  column.data = copies->entries.data();
  if (given.validity != nullptr) {
    const std::size_t n_bits = static_cast<std::size_t>(given.validity_offset) + n;
    copies->validity.assign(given.validity, given.validity + (n_bits + 7) / 8);
    column.validity = copies->validity.data();
  }
  column.owner = std::move(copies);
}

Column ReadColumn(const crossfold_column& given, std::int64_t n_rows,
                  std::shared_ptr<const void> lender, const std::string& attempt) {
  Column column;
  column.name = NotNull(given.name, attempt.c_str(), "name");
  column.dtype = given.dtype;
  column.n_rows = n_rows;
  column.data = given.data;
  column.validity = given.validity;
  column.validity_offset = given.validity_offset;
  column.ordered = given.ordered != 0;
  if (given.n_levels > 0) NotNull(given.levels, attempt.c_str(), "levels");
  for (std::size_t i = 0; i < given.n_levels; ++i) {
    column.levels.emplace_back(NotNull(given.levels[i], attempt.c_str(), "levels"));
  }
  if (lender) {
    column.owner = std::move(lender);
  } else {
    CopyBuffers(given, column);
  }
  return column;
}

std::vector<Column> ReadColumns(LentColumns& lent, const crossfold_column* const* columns,
                                std::size_t n, std::int64_t n_rows, const std::string& attempt) {
  constexpr std::int64_t kMostRows = std::numeric_limits<std::int64_t>::max() / 16;
  if (n_rows < 0 || n_rows > kMostRows) {
    throw Error(ErrorKind::kInvalidArgument,
                attempt + ": " + std::to_string(n_rows) + " is not a number of rows");
  }
  std::vector<Column> read;
  for (std::size_t i = 0; i < n; ++i) {
    crossfold_column given{};
    if (!ReadStruct(columns[i], given)) {
      throw Error(ErrorKind::kInvalidArgument,
                  attempt + ": column " + std::to_string(i + 1) +
                      " is NULL or has a struct_size that is too small; set it to "
                      "sizeof(crossfold_column)");
    }
    read.push_back(ReadColumn(given, n_rows, lent.Next(), attempt));
  }
  return read;
}

// The columns that a failed call has not consumed.
template <class T>
void ReleaseIfThere(T* part) {
  if (part != nullptr && part->release != nullptr) part->release(part);
}

std::unique_ptr<crossfold_dataset> NewDataset(std::shared_ptr<const Dataset> data) {
  auto made = std::make_unique<crossfold_dataset>();
  for (const cf_column& feature : data->features()) made->features.push_back(feature.name);
  made->data = std::move(data);
  return made;
}

// The same with notes on columns whose types nobody named.
std::unique_ptr<crossfold_dataset> NewDataset(std::shared_ptr<const Dataset> data,
                                              const PluginHost& plugins) {
  return NewDataset(WithDataNotes(
      std::move(data), {}, [](const Column&) { return false; }, plugins.log()));
}

}  // namespace
}  // namespace crossfold::c_api

using namespace crossfold;
using namespace crossfold::c_api;

crossfold_status crossfold_dataset_create(crossfold_context* context, const char* name,
                                          const crossfold_column* const* columns, size_t n_columns,
                                          int64_t n_rows, const char* roles,
                                          crossfold_dataset** dataset) {
  LentColumns lent(columns, n_columns);
  constexpr const char* kAttempt = "cannot make a dataset";
  const crossfold_status status = CallToMake(context, dataset, kAttempt, "dataset", [&] {
    const std::string attempt =
        std::string(kAttempt) + " '" + NotNull(name, kAttempt, "name") + "'";
    if (n_columns > 0) NotNull(columns, attempt.c_str(), "columns");
    const DataRequest read = ReadDataRequest(roles, attempt);
    std::vector<Column> made = ReadColumns(lent, columns, n_columns, n_rows, attempt);
    CheckColumns(made, attempt);
    SettleInfiniteEntries(made, read.infinite, attempt);
    return NewDataset(Dataset::Create(name, std::move(made), read.roles), *context->plugins);
  });
  if (status == CROSSFOLD_BUSY) lent.Keep();
  return status;
}

crossfold_status crossfold_dataset_read(crossfold_context* context, const char* location,
                                        const char* options, const crossfold_model* like,
                                        crossfold_dataset** dataset) {
  constexpr const char* kAttempt = "cannot read data";
  return CallToMake(context, dataset, kAttempt, "dataset", [&] {
    const std::string attempt =
        std::string("cannot read '") + NotNull(location, kAttempt, "location") + "'";
    ReadRequest request = ReadOptionsOf(options, location, attempt, *context->plugins);
    if (like != nullptr)
      request.like = Alive(like, attempt.c_str(), "model")->model->outline().columns();
    request.threads = context->options.workers;
    return NewDataset(ReadData(*context->plugins, location, request));
  });
}

crossfold_status crossfold_dataset_import_arrow(crossfold_context* context, const char* name,
                                                ArrowSchema* schema, ArrowArray* array,
                                                const char* roles, crossfold_dataset** dataset) {
  if (dataset != nullptr) *dataset = nullptr;
  const crossfold_status status = Call(context, [&] {
    constexpr const char* kAttempt = "cannot import a dataset";
    NotNull(schema, kAttempt, "schema");
    NotNull(array, kAttempt, "array");
    NotNull(dataset, kAttempt, "dataset");
    const DataRequest read = ReadDataRequest(
        roles, std::string("cannot import '") + NotNull(name, kAttempt, "name") + "'");
    *dataset = HandOut(
        NewDataset(ImportArrow(schema, array, name, read.roles, read.infinite), *context->plugins));
  });
  if (status != CROSSFOLD_OK && status != CROSSFOLD_BUSY) {
    ReleaseIfThere(schema);
    ReleaseIfThere(array);
  }
  return status;
}

crossfold_status crossfold_dataset_export_arrow(crossfold_context* context,
                                                const crossfold_dataset* dataset,
                                                ArrowSchema* schema, ArrowArray* array) {
  return Call(context, [&] {
    constexpr const char* kAttempt = "cannot export a dataset";
    Alive(dataset, kAttempt, "dataset");
    NotNull(schema, kAttempt, "schema");
    NotNull(array, kAttempt, "array");
    ExportArrow(dataset->data, schema, array);
  });
}

void crossfold_dataset_destroy(crossfold_dataset* dataset) { Destroy(dataset); }

crossfold_status crossfold_dataset_describe(const crossfold_dataset* dataset,
                                            crossfold_data_info* info) {
  return Quietly([&] {
    if (!IsAlive(dataset)) return crossfold_status{CROSSFOLD_INVALID_ARGUMENT};
    const Dataset& data = *dataset->data;
    crossfold_data_info filled{};
    filled.task = TaskOf(data.task());
    filled.name = data.name().c_str();
    filled.n_rows = data.num_rows();
    filled.features = dataset->features.data();
    filled.n_features = dataset->features.size();
    filled.classes = data.class_name_pointers().data();
    filled.n_classes = data.class_name_pointers().size();
    filled.content_hash = data.content_hash().c_str();
    const std::string& positive = data.roles().positive;
    filled.positive = positive.empty() ? nullptr : positive.c_str();
    return WriteStruct(filled, info, kFirstDataInfo);
  });
}

crossfold_status crossfold_order_levels(const char* const* levels, size_t n_levels,
                                        size_t* places) {
  return Quietly([&] {
    if (n_levels > 0 && (levels == nullptr || places == nullptr)) {
      return crossfold_status{CROSSFOLD_INVALID_ARGUMENT};
    }
    LevelSet found;
    for (size_t i = 0; i < n_levels; ++i) {
      if (levels[i] == nullptr || found.CodeOf(levels[i]) != static_cast<std::int32_t>(i)) {
        return crossfold_status{CROSSFOLD_INVALID_ARGUMENT};
      }
    }
    const std::vector<std::int32_t> order = OrderLevels(found, {}).code_of_found;
    std::ranges::copy(order, places);
    return crossfold_status{CROSSFOLD_OK};
  });
}
