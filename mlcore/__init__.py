"""The algorithms of the book Halfspaces, from first principles.

One family of algorithms is one file: `from mlcore.perceptron import perceptron`.
"""

__version__ = "1.0.0"
