// Reading files of LIBSVM and SVMlight: a label, then index:value pairs with ascending indices from
// 1. What a line does not name is 0.
//   https://www.csie.ntu.edu.tw/~cjlin/libsvm/
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "crossfold/cancel_token.h"
#include "crossfold/dataset.h"

namespace crossfold {

struct LibsvmOptions {
  // kClassification: labels are class names, sorted by value (+1, 1 and 1.0 are one class).
  Task task = Task::kClassification;
  std::int64_t n_features = 0;  // at least; 0 = the largest index
  // Of all features as dense columns, and of a text that was compressed.
  std::int64_t most_bytes = std::int64_t{4} << 30;
  int threads = 0;                      // 0 = one a core; the dataset is the same for any number
  bool memory_map = true;               // as in CsvOptions
  const CancelToken* cancel = nullptr;  // checked at each part of the text; may be null
};

// Features f1, f2, ... of type f64 and the target "target". # begins a comment. Throws Error (kIo,
// kBadData, kInvalidArgument), such as
//   cannot read 'a.svm': line 3: index 2 does not come behind 4; indices must ascend
std::shared_ptr<const Dataset> ReadLibsvm(const std::filesystem::path& path,
                                          const LibsvmOptions& options);

// The same for text in memory; `name` stands for the file in messages and names the dataset.
std::shared_ptr<const Dataset> ParseLibsvm(std::string_view text, const std::string& name,
                                           const LibsvmOptions& options);

}  // namespace crossfold
