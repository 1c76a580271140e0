"""The algorithms of the book Halfspaces, from first principles: `from mlcore.perceptron import perceptron`."""

__version__ = "1.0.0"
