# A learner for tests: parameters are R code for its functions.
source(Sys.getenv("CROSSFOLD_R_MODULE"))
run <- function(code, where) eval(parse(text = code, encoding = "UTF-8"), where)
crossfold_learner(
  fit = function(x, y, weights, validation, context, fit = "NULL", predict = "NULL", proba = "NULL",
                 importance = "NULL", settings = NULL) {
    list(value = run(fit, environment()), predict = predict, proba = proba, importance = importance)
  },
  predict = function(model, x) run(model$predict, environment()),
  proba = function(model, x) run(model$proba, environment()),
  importance = function(model) run(model$importance, environment()),
  packages = strsplit(Sys.getenv("TEST_PACKAGES"), " ")[[1L]],
  environment = c(data = "7")
)
