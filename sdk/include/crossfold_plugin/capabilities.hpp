// Capabilities of C++ components. The SDK finds them by the functions that a component has. Each
// header of capability/ names the functions and the law:
//
//   PredictProba             crossfold.proba/1           predict.hpp
//   PredictScores            crossfold.scores/1          predict.hpp
//   Check                    crossfold.check/1           check.hpp
//   FitPath, PredictAt       crossfold.fit-path/1        fit_path.hpp
//   Prepared, Prepare        crossfold.prepare/1         prepare.hpp
//   CrossPredict             crossfold.cross-predict/1   cross_predict.hpp
//   AddRows, RemoveRows      crossfold.incremental/1     incremental.hpp
//   Save, Load               crossfold.serialize/1       serialize.hpp
//   Importance               crossfold.importance/1      importance.hpp
//   FitFrom                  crossfold.warm-start/1      warm_start.hpp
//   FitValidated             crossfold.validation/1      validation.hpp
//   Bytes                    crossfold.memory/1          memory.hpp
//   FitBytes                 crossfold.fit-memory/1      fit_memory.hpp
//   Export                   crossfold.export/1          export.hpp
//   AddOnnx                  crossfold.onnx/1            onnx.hpp
//   Resample (transforms)    crossfold.resample/1        resample.hpp
//   Synthesize (transforms)  crossfold.synthesize/1      synthesize.hpp
//   Begin, Add, Finish       crossfold.accumulate/1      metric.hpp (metrics)
//   kInfo.least_rows         crossfold.test-size/1       metric.hpp (metrics)
//
// A function of such a name with different arguments does not compile, so a capability is never
// lost silently.
#pragma once

#include <string_view>

#include "crossfold_plugin/capability.h"
#include "crossfold_plugin/capability/check.hpp"
#include "crossfold_plugin/capability/cross_predict.hpp"
#include "crossfold_plugin/capability/export.hpp"
#include "crossfold_plugin/capability/fit_memory.hpp"
#include "crossfold_plugin/capability/fit_path.hpp"
#include "crossfold_plugin/capability/importance.hpp"
#include "crossfold_plugin/capability/incremental.hpp"
#include "crossfold_plugin/capability/memory.hpp"
#include "crossfold_plugin/capability/onnx.hpp"
#include "crossfold_plugin/capability/predict.hpp"
#include "crossfold_plugin/capability/prepare.hpp"
#include "crossfold_plugin/capability/resample.hpp"
#include "crossfold_plugin/capability/serialize.hpp"
#include "crossfold_plugin/capability/synthesize.hpp"
#include "crossfold_plugin/capability/validation.hpp"
#include "crossfold_plugin/capability/warm_start.hpp"

namespace crossfold::plugin::internal {

// True if T has a function of that name (not overloaded), whatever its arguments.
template <class T>
concept NamesCheck = ChecksData<T> || requires {
  &T::Check;
};
template <class T>
concept NamesFitPath = FitsPath<T> || requires {
  &T::FitPath;
};
template <class T>
concept NamesPrepare = requires {
  typename T::Prepared;
}
|| requires { &T::Prepare; };
template <class T>
concept NamesCrossPredict = CrossPredicts<T> || requires {
  &T::CrossPredict;
};
template <class T>
concept NamesAddRows = AddsRows<T> || requires {
  &T::AddRows;
};
template <class T>
concept NamesSave = Serializes<T> || requires {
  &T::Save;
};
template <class T>
concept NamesImportance = TellsImportance<T> || requires {
  &T::Importance;
};
template <class T>
concept NamesFitFrom = FitsFrom<T> || requires {
  &T::FitFrom;
};
template <class T>
concept NamesFitValidated = FitsValidated<T> || requires {
  &T::FitValidated;
};
template <class T>
concept NamesBytes = TellsBytes<T> || requires {
  &T::Bytes;
};
template <class T>
concept NamesFitBytes = TellsFitBytes<T> || requires {
  &T::FitBytes;
};
template <class T>
concept NamesPredictScores = PredictsScores<T> || requires {
  &T::PredictScores;
};
template <class T>
concept NamesExport = Exports<T> || requires {
  &T::Export;
};
template <class T>
concept NamesAddOnnx = AddsOnnx<T> || requires {
  &T::AddOnnx;
};
template <class T>
concept NamesResample = Resamples<T> || requires {
  &T::Resample;
};
template <class T>
concept NamesSynthesize = Synthesizes<T> || requires {
  &T::Synthesize;
};

template <class L>
const void* CF_CALL LearnerCapability(const cf_info*, const char* id) {
  const std::string_view wanted = id;
  if constexpr (PredictsProbabilities<L>) {
    if (wanted == CF_CAP_PROBA) return ProbaTable<L>();
  }
  if constexpr (NamesPredictScores<L>) {
    if (wanted == CF_CAP_SCORES) return ScoresTable<L>();
  }
  if constexpr (NamesCheck<L>) {
    if (wanted == CF_CAP_CHECK) return CheckTable<L>();
  }
  if constexpr (NamesFitPath<L>) {
    if (wanted == CF_CAP_FIT_PATH) return FitPathTable<L>();
  }
  if constexpr (NamesPrepare<L>) {
    if (wanted == CF_CAP_PREPARE) return PrepareCalls<L>::Table();
  }
  if constexpr (NamesCrossPredict<L>) {
    if (wanted == CF_CAP_CROSS_PREDICT) return CrossPredictTable<L>();
  }
  if constexpr (NamesAddRows<L>) {
    if (wanted == CF_CAP_INCREMENTAL) return IncrementalTable<L>();
  }
  if constexpr (NamesSave<L>) {
    if (wanted == CF_CAP_SERIALIZE) return SerializeTable<L>();
  }
  if constexpr (NamesImportance<L>) {
    if (wanted == CF_CAP_IMPORTANCE) return ImportanceTable<L>();
  }
  if constexpr (NamesFitFrom<L>) {
    if (wanted == CF_CAP_WARM_START) return WarmStartTable<L>();
  }
  if constexpr (NamesFitValidated<L>) {
    if (wanted == CF_CAP_VALIDATION) return ValidationTable<L>();
  }
  if constexpr (NamesBytes<L>) {
    if (wanted == CF_CAP_MEMORY) return MemoryTable<L>();
  }
  if constexpr (NamesFitBytes<L>) {
    if (wanted == CF_CAP_FIT_MEMORY) return FitMemoryTable<L>();
  }
  if constexpr (NamesExport<L>) {
    if (wanted == CF_CAP_EXPORT) return ExportTable<L>();
  }
  if constexpr (NamesAddOnnx<L>) {
    if (wanted == CF_CAP_ONNX) return OnnxTable<L>();
  }
  return nullptr;
}

template <class T>
const void* CF_CALL TransformCapability(const cf_info*, const char* id) {
  const std::string_view wanted = id;
  if constexpr (NamesCheck<T>) {
    if (wanted == CF_CAP_CHECK) return CheckTable<T>();
  }
  if constexpr (NamesSave<T>) {
    if (wanted == CF_CAP_SERIALIZE) return SerializeTable<T>();
  }
  if constexpr (NamesResample<T>) {
    if (wanted == CF_CAP_RESAMPLE) return ResampleTable<T>();
  }
  if constexpr (NamesSynthesize<T>) {
    static_assert(NamesResample<T>, "Synthesize needs a Resample that chooses the rows");
    if (wanted == CF_CAP_SYNTHESIZE) return SynthesizeTable<T>();
  }
  if constexpr (NamesExport<T>) {
    if (wanted == CF_CAP_EXPORT) return ExportTable<T>();
  }
  if constexpr (NamesAddOnnx<T>) {
    if (wanted == CF_CAP_ONNX) return OnnxTable<T>();
  }
  return nullptr;
}

// Finds the capabilities of metrics.
template <class T>
const void* CF_CALL CheckCapability(const cf_info*, const char* id) {
  if constexpr (NamesCheck<T>) {
    if (std::string_view(id) == CF_CAP_CHECK) return CheckTable<T>();
  }
  (void)id;
  return nullptr;
}

}  // namespace crossfold::plugin::internal
