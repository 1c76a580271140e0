"""The cases of the page *Cases*: cases from three chapters, each with a new story."""

from halfspaces.exercises import features, logistic, svm
from halfspaces.exercises.cases import case, with_names


@case
def birds(source=50):
    measures = [f"measure {k} of the song (ms)" for k in range(1, 13)]
    return with_names(svm.groups, source, ["ring (number)", *measures])


@case
def plots(source=50):
    names = ["water in the soil (%)", "clay in the soil (%)", "slope (degrees)"]
    return with_names(features.curve, source, names)


@case
def wells(source=50):
    names = [f"light let through at {k} nm (%)" for k in range(200, 950, 50)]
    return with_names(logistic.costs, source, names)
