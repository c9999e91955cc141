# Leave-one-out of nearest neighbours with the package class. usage: Rscript knn_cv.R DATA.csv K
library(class)
arguments <- commandArgs(trailingOnly = TRUE)
data <- read.csv(arguments[1])
x <- as.matrix(data[, !(names(data) %in% c("class", "fold", "outer"))])
y <- factor(data$class)
set.seed(1)  # it draws among equal votes
began <- Sys.time()
label <- knn.cv(x, y, k = as.integer(arguments[2]))
accuracy <- mean(label == y)
cat(sprintf("seconds %.9f\n", as.numeric(difftime(Sys.time(), began, units = "secs"))))
cat(sprintf("score accuracy all %.17g\n", accuracy))
