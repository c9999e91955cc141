# A learner for tests that takes neither weights nor a context, and has no `predict`.
source(Sys.getenv("CROSSFOLD_R_MODULE"))
crossfold_learner(
  fit = function(x, y, k) NULL,
  proba = function(model, x) data.frame(c = 0.5, a = rep(0.5, nrow(x)))
)
