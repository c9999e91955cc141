// What the name of a column says about its values.
#pragma once

#include <string_view>

namespace crossfold {

// Whether it is a usual name of an id: "id", "customer_id", "CustomerID", "uuid".
bool IsNamedId(std::string_view name);
// Whether it is a usual name of codes, which only look like numbers: "zip", "PostalCode", "plz",
// "phone_number".
bool IsNamedCode(std::string_view name);

}  // namespace crossfold
