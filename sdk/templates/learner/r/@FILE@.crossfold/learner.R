# @NAME@: predicts the class whose mean of the training rows is nearest (nearest centroid).
source("crossfold_learner.R")

# The model: a matrix with a row for each class that has training rows.
fit <- function(x, y, weights, shrink) {
  if (is.null(weights)) weights <- rep(1, nrow(x))
  used <- weights > 0
  if (!any(used)) crossfold_error("unsupported_data", "all weights are 0")
  x <- as.matrix(x)[used, , drop = FALSE]
  weights <- weights[used]
  means <- rowsum(x * weights, y[used]) / as.vector(rowsum(weights, y[used]))
  middle <- colSums(x * weights) / sum(weights)
  if (!all(is.finite(middle))) crossfold_error("numeric", "a feature has no mean")
  (1 - shrink) * means + shrink * rep(middle, each = nrow(means))
}

# Squared distances; ties go to the class that comes first.
predict_classes <- function(model, x) {
  x <- as.matrix(x)
  distances <- apply(model, 1, function(mean) rowSums((x - rep(mean, each = nrow(x)))^2))
  distances <- matrix(distances, nrow = nrow(x))
  if (any(rowSums(is.finite(distances)) == 0)) {
    crossfold_error("numeric", "a row is too far from all means")
  }
  rownames(model)[max.col(-distances, "first")]
}

crossfold_learner(fit, predict_classes)
