# Run by R CMD check, and by the tests of the project (tests/capi/r_test.sh).
library(mercer)

refused <- function(expression, words) {
  message <- tryCatch({ expression; "no error" }, error = conditionMessage)
  if (!grepl(words, message, fixed = TRUE)) stop("expected '", words, "', got '", message, "'")
}

# Classes: the formula, predictions of all types, factors in their order.
model <- mercer(Species ~ ., iris, C = 10, kernel = "rbf(gamma=0.5)", proba = TRUE)
p <- predict(model, iris)
stopifnot(is.factor(p), identical(levels(p), levels(iris$Species)), mean(p == iris$Species) > 0.95)
q <- predict(model, iris[1:3, ], type = "probability")
stopifnot(all(dim(q) == c(3, 3)), identical(colnames(q), levels(iris$Species)), all(abs(rowSums(q) - 1) < 1e-9))
stopifnot(ncol(predict(model, iris[1:3, ], type = "score")) == 3)

# Numbers: least squares with the linear kernel is lm(), with factors and interactions as there.
cars <- transform(mtcars, gear = factor(gear))
a <- lm(mpg ~ wt * gear + hp, cars)
b <- mercer(mpg ~ wt * gear + hp, cars, method = "ols", kernel = "linear", bias = "free")
stopifnot(max(abs(predict(a, cars) - predict(b, cars))) < 1e-6)
stopifnot(identical(names(predict(b, cars[1:2, ])), rownames(cars)[1:2]))

# The kernel matrix against its formula.
x <- as.matrix(iris[1:5, 1:4])
K <- kernel_matrix("rbf(gamma=0.3)", x)
stopifnot(max(abs(K - exp(-0.3 * as.matrix(dist(x))^2))) < 1e-12)
stopifnot(all(dim(kernel_matrix("linear", x, x[1:2, ])) == c(5, 2)))

# A Gaussian process has variances; matrices in place of a formula; several targets.
g <- mercer(x = cbind(a = cars$wt), y = cars$mpg, method = "gp", kernel = "rbf(gamma=1)")
stopifnot(all(predict(g, cbind(c(2, 40)), type = "variance") > 0))
m <- mercer(cbind(mpg, hp) ~ wt + qsec, cars, method = "ridge", kernel = "linear")
stopifnot(all(dim(predict(m, cars)) == c(nrow(cars), 2)))

# Rows with missing values are left out of the fit; automatic selection; subsets and weights.
air <- mercer(Ozone ~ ., airquality, weights = Temp, subset = Month > 5)
stopifnot(inherits(air, "mercer"), length(predict(air, airquality[1:2, ])) == 2, !is.null(air$na.action))
refused(predict(air, airquality), "missing values")

# Texts, logicals, class weights by name, clusters without a target.
d <- data.frame(a = c(1:20, 31:50) / 10, sex = rep(c("f", "m"), 20), y = rep(c(FALSE, TRUE), each = 20))
t <- mercer(y ~ a + sex, d, method = "svm", class_weight = c("TRUE" = 2))
stopifnot(identical(levels(predict(t, d)), c("FALSE", "TRUE")))
k <- mercer(cbind(d$a), method = "kmeans", kernel = "linear", clusters = 2)
stopifnot(nlevels(predict(k, cbind(d$a))) == 2)

# Files and saveRDS() keep the model, bit for bit.
file <- tempfile(fileext = ".mercer")
mercer_save(model, file)
from_file <- mercer_load(file)
stopifnot(identical(unname(predict(from_file, as.matrix(iris[, 1:4]), type = "score")), unname(predict(model, iris, type = "score"))))
rds <- tempfile()
saveRDS(model, rds)
stopifnot(identical(predict(readRDS(rds), iris, type = "score"), predict(model, iris, type = "score")))

# What is printed.
stopifnot(any(grepl("svm, kernel rbf(gamma=0.5)", capture.output(print(model)), fixed = TRUE)))
stopifnot(any(grepl("converged +TRUE|converged +true", capture.output(print(summary(model))))))

# Errors say what is wrong.
refused(mercer(Species ~ ., iris, kernel = "rbff"), "did you mean 'rbf'")
refused(mercer(Species ~ ., iris, kernl = "rbf"), "did you mean 'kernel'")
refused(mercer(Species ~ ., iris, C = -1), "C must be")
refused(mercer(iris[, 1:4], iris$Species, NULL, 5), "options have names")
refused(mercer(as.matrix(iris), iris$Species), "must be numbers")
refused(predict(model), "newdata")
refused(predict(model, iris[1:2, 1:3]), "Petal.Width")
refused(predict(b, cars, type = "probability"), "no probabilities")
refused(predict(from_file, cbind(1, 2)), "4 columns")
refused(mercer_load("there/is/none.mercer"), "none.mercer")
cat("R: all as expected\n")
