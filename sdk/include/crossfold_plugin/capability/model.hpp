// The models that cf_model* points to: C++ objects on the heap, which the plugin makes and deletes.
#pragma once

#include <utility>

#include "crossfold_plugin/param.h"

namespace crossfold::plugin::internal {

template <class T>
cf_model* NewModel(T&& model) {
  return reinterpret_cast<cf_model*>(new T(std::move(model)));
}
template <class T>
const T& ModelOf(const cf_model* model) {
  return *reinterpret_cast<const T*>(model);
}
template <class T>
T& MutableModelOf(cf_model* model) {
  return *reinterpret_cast<T*>(model);
}
template <class T>
void CF_CALL DestroyModel(const cf_info*, cf_model* model) {
  delete reinterpret_cast<T*>(model);
}

}  // namespace crossfold::plugin::internal
