-- Computes the parts of the error over models of several training sets.
local class_codes = require "crossfold.stats.class_codes"
local native = require "crossfold.native"
local options = require "crossfold.options"

local bias_variance = {}

-- Every model predicts every row: a hole would shift the rows after it.
local function check_predictions(truth, predictions)
  options.list("bias_variance: option 'truth'", truth)
  options.list("bias_variance: option 'predictions'", predictions)
  for l, list in ipairs(predictions) do
    if type(list) ~= "table" then
      native.fail("bias_variance: the predictions of model %d must be a list, got a %s", l, type(list))
    end
    for i = 1, #truth do
      if list[i] == nil then
        native.fail("bias_variance: model %d has no prediction of row %d; every model must predict the same rows", l, i)
      end
    end
  end
end

local function zero_one(o)
  local lists = table.move(o.predictions, 1, #o.predictions, 2, { o.truth })
  local codes = class_codes.of("bias_variance", lists)
  local encoded = {}
  for l, list in ipairs(o.predictions) do encoded[l] = codes:encode(list) end
  local result = native.stats_zero_one_parts(codes:encode(o.truth), encoded)
  for _, row in ipairs(result.per_row) do row.main = codes:decode(row.main) end
  return result
end

local declared = options.declare("stats.bias_variance", {
  truth = { "table!", is = "any[]", doc = "The true class or value of each row." },
  predictions = { "table!", is = "any[][]", doc = "The predictions of each model for all rows." },
  loss = { "string", "zero_one", names = { "squared", "zero_one" }, doc = "The loss whose mean is decomposed." },
})

function bias_variance.bias_variance(given)
  local o = options.check("bias_variance", given, declared)
  local parts_of = {
    zero_one = zero_one,
    squared = function() return native.stats_squared_parts(o.truth, o.predictions) end,
  }
  options.place_of("bias_variance: unknown loss", o.loss, declared.loss.names)
  check_predictions(o.truth, o.predictions)
  local result = parts_of[o.loss](o)
  result.loss = o.loss
  return result
end

return bias_variance
