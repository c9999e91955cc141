// The places of the classes of a dataset, by name.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "crossfold/dataset.h"

namespace crossfold::lua {

using ClassPlaces = std::unordered_map<std::string_view, std::int32_t>;

// Valid as long as the dataset.
inline ClassPlaces PlacesOfClasses(const Dataset& data) {
  ClassPlaces places;
  for (const std::string& name : data.class_names()) {
    places.emplace(name, static_cast<std::int32_t>(places.size()));
  }
  return places;
}

}  // namespace crossfold::lua
