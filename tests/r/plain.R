# What the functions predict in plain R: Rscript plain.R FOLDER [SEED...] prints a line "CASE FOLD ENTRY..." for
# each fold of the files of FOLDER: rows i with i %% 5 == fold, from 0, are predicted from the others. There is a
# seed for each fold, which is 100 + fold by default.
arguments <- commandArgs(TRUE)
seeds <- if (length(arguments) > 1) as.integer(arguments[-1]) else 100:104
read <- function(name) read.csv(file.path(arguments[[1]], name), stringsAsFactors = TRUE, na.strings = c("", "?", "NA"))
iris <- read("iris.csv")
two <- droplevels(iris[iris$class != "setosa", ])
penguins <- read("penguins.csv")
diabetes <- read("diabetes_regr.csv")

case <- function(name, data, predict_fold) {
  for (fold in 0:4) {
    tested <- (seq_len(nrow(data)) - 1) %% 5 == fold
    set.seed(seeds[[fold + 1]])
    found <- predict_fold(data[!tested, ], data[tested, ])
    if (is.factor(found)) found <- as.character(found)
    if (is.numeric(found)) found <- sprintf("%.17g", found)
    cat(name, fold, gsub(" ", "_", found), "\n")
  }
}

case("rpart", iris, function(train, test) {
  predict(rpart::rpart(class ~ ., train), test, type = "class")
})
case("rpart settings", iris, function(train, test) {
  predict(rpart::rpart(class ~ ., train, cp = 0.2, method = "class"), test, type = "class")
})
case("rpart missing", penguins, function(train, test) {
  predict(rpart::rpart(species ~ ., train), test, type = "class")
})
case("rpart regression", diabetes, function(train, test) {
  predict(rpart::rpart(target ~ ., train), test)
})
case("rpart probabilities", iris, function(train, test) {
  as.vector(t(predict(rpart::rpart(class ~ ., train), test, type = "prob")))
})
case("nnet", iris, function(train, test) {
  predict(nnet::nnet(class ~ ., train, size = 3, trace = FALSE), test, type = "class")
})
case("nnet probabilities", two, function(train, test) {
  second <- predict(nnet::nnet(class ~ ., train, size = 3, trace = FALSE), test, type = "raw")
  rbind(1 - as.vector(second), as.vector(second))
})
case("multinom", iris, function(train, test) {
  predict(nnet::multinom(class ~ ., train, trace = FALSE), test)
})
case("multinom probabilities", two, function(train, test) {
  second <- predict(nnet::multinom(class ~ ., train, trace = FALSE), test, type = "probs")
  rbind(1 - second, second)
})
case("glmnet", iris, function(train, test) {
  model <- glmnet::glmnet(as.matrix(train[1:4]), train$class, family = "multinomial")
  as.vector(predict(model, as.matrix(test[1:4]), s = 0.01, type = "class"))
})
case("glmnet probabilities", two, function(train, test) {
  model <- glmnet::glmnet(as.matrix(train[1:4]), train$class, family = "binomial")
  second <- as.vector(predict(model, as.matrix(test[1:4]), s = 0.01, type = "response"))
  rbind(1 - second, second)
})
case("glmnet multinomial probabilities", iris, function(train, test) {
  model <- glmnet::glmnet(as.matrix(train[1:4]), train$class, family = "multinomial")
  as.vector(t(predict(model, as.matrix(test[1:4]), s = 0.01, type = "response")[, , 1]))
})
case("glmnet regression", diabetes, function(train, test) {
  features <- names(train) != "target"
  model <- glmnet::glmnet(as.matrix(train[features]), train$target)
  as.vector(predict(model, as.matrix(test[features]), s = 0.5))
})
case("cv.glmnet", two, function(train, test) {
  model <- glmnet::cv.glmnet(as.matrix(train[1:4]), train$class, family = "binomial")
  as.vector(predict(model, as.matrix(test[1:4]), type = "class"))
})
case("randomForest", iris, function(train, test) {
  predict(randomForest::randomForest(class ~ ., train, ntree = 50), test)
})
case("randomForest probabilities", iris, function(train, test) {
  as.vector(t(predict(randomForest::randomForest(class ~ ., train, ntree = 50), test, type = "prob")))
})
case("randomForest matrix", iris, function(train, test) {
  predict(randomForest::randomForest(as.matrix(train[1:4]), train$class, ntree = 50), as.matrix(test[1:4]))
})
case("svm", iris, function(train, test) predict(e1071::svm(class ~ ., train), test))
case("svm probabilities", iris, function(train, test) {
  model <- e1071::svm(class ~ ., train, probability = TRUE)
  as.vector(t(attr(predict(model, test, probability = TRUE), "probabilities")[, levels(iris$class)]))
})
case("naiveBayes", iris, function(train, test) predict(e1071::naiveBayes(class ~ ., train), test))
case("lda", iris, function(train, test) predict(MASS::lda(class ~ ., train), test)$class)
case("lda probabilities", iris, function(train, test) {
  as.vector(t(predict(MASS::lda(class ~ ., train), test)$posterior))
})
case("lm", diabetes, function(train, test) predict(lm(target ~ ., train), test))
case("lm formula", diabetes, function(train, test) predict(lm(target ~ poly(bmi, 2) + sex, train), test))
case("glm", two, function(train, test) {
  model <- suppressWarnings(glm(class ~ petal.length..cm., binomial, train))
  levels(two$class)[1 + (predict(model, test, type = "response") > 0.5)]
})
case("lm weights", diabetes, function(train, test) {
  predict(lm(target ~ ., train, weights = seq_len(nrow(train))), test)
})
