"""Claims for `prove`, in a table for each verdict.

A claim is `left == right` or `left >= right`, followed by `if` and its hypotheses.  A
semicolon or a new line ends it; an indented line continues it.

REFUTED    `prove` must find numbers that refute these claims
PROVED     `prove` must prove these claims
UNDECIDED  `prove` must leave these claims undecided: some are false or undefined at numbers
           that it does not try, some are true but too hard or too large for it
OPEN       true claims that `prove` should decide; a test limits their number
"""
# ruff: noqa: F401, F403, F405

import ast
import re

import sympy as sp

from halfspaces.proofs import *
from halfspaces.symbols import b_, d_, i_, j_, k_, l_, n_, total, w_, x_, y_

HYPOTHESES = {ast.Eq: equation, ast.GtE: not_less, ast.Lt: less, ast.NotEq: unequal}


def table(text: str) -> list[str]:
    """Split text into claims."""
    claims = re.split(r";|\n(?! )", re.sub("#.*", "", text))
    return [" ".join(claim.split()) for claim in claims if claim.strip()]


def parse(claim: str) -> tuple:
    """Return (left, right, relation, hypotheses) of a claim."""
    first, *given = ast.parse(f"[{claim.replace(' if ', ', ')}]", mode="eval").body.elts
    left, right, kind = sides(first)
    relation = {ast.Eq: "=", ast.GtE: ">="}[kind]
    return sp.sympify(left), sp.sympify(right), relation, [*map(hypothesis, given)]


def hypothesis(node: ast.expr):
    if isinstance(node, ast.Call):  # such as signs(y)
        return value(node)
    left, right, kind = sides(node)
    return HYPOTHESES[kind](left, right)


def sides(node: ast.Compare) -> tuple:
    """Return (left, right, class of the relation) of a comparison."""
    return value(node.left), value(node.comparators[0]), type(node.ops[0])


def value(node: ast.expr):
    return eval(compile(ast.Expression(node), "claim", "eval"), NAMES)


# ----------------------------------------------------------------- names in the claims

p, q, r, z = sp.symbols("p q r z", real=True)
a, c, mu = sp.symbols("a c mu", positive=True)
u = sp.Symbol("u", nonnegative=True)
m, o = sp.symbols("m o", integer=True)
t, N = sp.symbols("t N", integer=True, positive=True)
e = sp.Symbol("e", integer=True, nonnegative=True)
even = sp.Symbol("h", even=True)
s, v, g = (sp.IndexedBase(name, real=True) for name in "svg")
D, F = sp.IndexedBase("D", positive=True), sp.IndexedBase("F", nonnegative=True)
A, B, C = (sp.MatrixSymbol(name, d_, d_) for name in "ABC")
X, f = sp.MatrixSymbol("X", n_, d_), sp.MatrixSymbol("f", d_, 1)
P, Q = sp.MatrixSymbol("P", 1, 1), sp.MatrixSymbol("Q", 1, 1)
half, tiny = sp.Rational(1, 2), sp.Rational(1, 10**9)
score, square = total(w_[j_] * x_[i_, j_], j_), total(w_[j_] ** 2, j_)
length = total(x_[i_, j_] ** 2, j_)
S, V, S2 = total(s[i_], i_), total(v[i_], i_), total(s[i_] ** 2, i_)
sigma = 1 / (1 + sp.exp(-z))


def excess(number):
    """Return how far a number exceeds 20, or 0; `prove` tries no such numbers."""
    return sp.Max(0, number - 20)


def up_to(term, first, last, index=i_):
    return sp.Sum(term, (index, first, last))


NAMES = vars(sp) | {name.rstrip("_"): value for name, value in globals().items()}

REFUTED = table("""\
# derivatives: jumps, kinks, ranges of an index, factors
Derivative(Piecewise((0, z < 0), (z + 1, True)), z) == Piecewise((0, z < 0), (1, True))
Derivative(Piecewise((z, z < 1), (z + q, True)), z) == 1
Derivative(Abs(z), z) == sign(z);  Derivative(Max(0, z), z) == Heaviside(z)
Derivative(Max(0, 1 - z), z) == -Heaviside(1 - z)
Derivative(Max(p, q), p) == Heaviside(p - q);  Derivative(Min(1, z), z) == Heaviside(1 - z)
Derivative(z**2, z) == z;  Derivative(z**3, (z, 2)) == 3 * z**2
Derivative(exp(-z), z) == exp(-z);  Derivative(log(a), a) == 1 / a**2
Derivative(sqrt(a), a) == 1 / sqrt(a);  Derivative(sin(z), z) == -cos(z)
Derivative(sigma, z) == sigma * (1 + sigma);  Derivative(p * q, p, q) == p + q
Derivative(square, w[k]) == w[k];  Derivative(square, w[k], w[l]) == 2 + 0 * w[k]
Derivative(score, w[k]) == x[i, k] * w[k]
Derivative(total(score**2, i), w[k]) == 2 * total(score, i)
Derivative(f.T * A * f, f) == 2 * A * f;  Derivative(f.T * A * f, f) == A * f
Derivative(Trace(A * B), A) == B
# sums: limits
z * total(total(x[i, j], j), i) == z * total(up_to(x[i, j], Max(1, d - 6), d, j), i)
z * total(total(x[i, j], j), i) == z * total(up_to(x[i, j], 0, d, j), i)
z * total(total(x[i, j], j), i) == z * up_to(total(x[i, j], j), Max(1, n - 6), n)
Sum(i * s[i] / (i - 7), (i, 1, n)) - 7 * Sum(s[i] / (i - 7), (i, 1, n)) == S
up_to(s[i], 0, n) == S;  up_to(s[i], 1, n - 1) == S;  up_to(s[i], 2, n) == S
up_to(s[i], 1, n + 1) == S;  up_to(s[i], 0, n - 1) == S;  up_to(s[i + 1], 1, n) == S
up_to(s[i - 1], 1, n) == S;  up_to(s[i + 1], 0, n) == S;  up_to(s[n - i], 1, n) == S
up_to(s[i], 1, d) == S;  up_to(s[i], 1, Min(n, 6)) == S
up_to(s[2 * i], 1, n) == up_to(s[i], 1, 2 * n);  up_to(s[i + 1] - s[i], 1, n) == s[n] - s[1]
up_to(s[i + 1] - s[i], 1, n - 1) == s[n] - s[2]
up_to(s[i + 1] - s[i], 0, n - 1) == s[n] - s[1]
z * up_to(2**(-i), 1, n) == z * (1 - 2**(1 - n))
z * up_to(2**(-i), 0, n) == z * (1 - 2**(-n))
p * total(i, i) == p * n * (n - 1) / 2;  p * total(i**2, i) == p * n * (n + 1) / 2
p * total(i**3, i) == p * total(i, i)**3;  total(p, i) == p;  total(p, i) == d * p
total(p * i, i) == n * p;  up_to(p, 0, n) == n * p;  up_to(p, 0, e - 1) == (e + 1) * p
up_to(s[i], 1, e) == s[1] + up_to(s[i], 2, e)
p * up_to(i, 1, e - 1) == p * e * (e + 1) / 2
# sums: products and nesting
total(total(s[i] * v[j], j), i) == total(s[i] * v[i], i)
total(total(x[i, j], j), i) == Sum(x[j, i], (j, 1, d), (i, 1, n))
total(total(x[i, j] * w[j], j)**2, i) == total(total(x[i, j]**2 * w[j]**2, j), i)
S * V == total(s[i] * v[i], i);  S**2 == S2
total(s[i] * v[i], i)**2 == total(s[i]**2 * v[i]**2, i)
total(1 / D[i], i) == 1 / total(D[i], i);  total(D[i]**2, i) == total(D[i], i)**2
sqrt(total(D[i]**2, i)) == total(D[i], i);  exp(S) == total(exp(s[i]), i)
log(total(D[i], i)) == total(log(D[i]), i)
Sum(s[i] * s[l], (l, 1, i), (i, 1, n)) == S**2 / 2
Sum(s[l], (l, 1, i), (i, 1, n)) == n * S
Sum(s[i] * s[l], (l, 1, i), (i, 1, n)) == (S**2 - S2) / 2
Sum(s[i] * v[l], (l, 1, i), (i, 1, n)) == Sum(s[l] * v[i], (l, 1, i), (i, 1, n))
total(s[i] * total(v[l], l), i) == n * S * V;  total(Abs(s[i]), i) == Abs(S)
total(Max(0, s[i]), i) == Max(0, S)
# claims that hold for some sizes
(n - 1) * p == 0 * n + (n - 1) * q;  (n - 1) * (n - 2) * p == (n - 1) * (n - 2) * q
(n - 1) * (n - 2) * (n - 3) * p == (n - 1) * (n - 2) * (n - 3) * q
p * n / (n - 7) - 7 * p / (n - 7) == p
Max(n, 3) * p == 3 * p;  Min(n, 4) * p == n * p;  d * square == square;  n * S == S
S / n == S / d;  S == n * s[1];  S == s[1] + s[n];  square * n == total(square, k)
# polynomials, powers and functions that agree at some numbers
z**3 == z;  z**2 == z;  z**5 == z;  p**3 * q == p * q**3
z**7 + 5 * z**3 + 4 * z == 5 * z**5 + z**3 + 4 * z;  z**t == z;  z**t == z**(t + 2)
z**e == z**(2 * e);  (-1)**t * p == p;  (-1)**t * p == -p;  (-1)**(t * (t + 1) / 2) * p == p
sin(z) == z;  sin(pi * z) == 0 * 1 + sin(2 * pi * z);  cos(pi * z) == 1 - 2 * z**2
cos(2 * pi * z) == cos(4 * pi * z);  sin(p + q) == sin(p) + sin(q);  sin(z)**2 == cos(z)**2
exp(p + q) == exp(p) + exp(q);  exp(p * q) == exp(p) * exp(q);  exp(-z) == -exp(z)
sigma == 1 - sigma;  log(1 + exp(z)) == log(1 + exp(-z)) - z;  (p + q)**2 == p**2 + q**2
(p + q)**t == p**t + q**t;  1 / (a + c) == 1 / a + 1 / c;  a / (a + c) == 1 + a / c
a**c == c**a;  p - (q - z) == p - q - z;  z + Rational(1, 10**12) == z
# roots, logarithms, absolute values, kinks, steps
sqrt(z**2) == z;  log(z**2 + 1) == 2 * log(Abs(z) + 1);  sqrt(p**2 + q**2) == p + q
sqrt(a + c) == sqrt(a) + sqrt(c);  sqrt((a - c)**2) == a - c;  log(a + c) == log(a) + log(c)
log(a * c) == log(a) * log(c);  log(a)**2 == 2 * log(a);  (z**2)**Rational(3, 2) == z**3
Abs(p + q) == Abs(p) + Abs(q);  Abs(p - q) == Abs(p) - Abs(q);  Abs(z)**3 == z**3
Max(p, q) + Min(p, q) == 2 * p;  Max(p, q) == (p + q - Abs(p - q)) / 2
Max(0, z)**2 == z**2;  Max(0, z) + Max(0, -z) == z;  Max(p + q, p) == p + Min(q, 0)
sign(p) * p == p;  sign(p)**2 * q == q;  sign(p * q) == sign(p) + sign(q)
sign(p - q) == sign(p) - sign(q);  Heaviside(z) + Heaviside(-z) == 1;  floor(z) == z
floor(p + q) == floor(p) + floor(q);  floor(2 * z) == 2 * floor(z);  Mod(m, 2) == Mod(m, 4)
Mod(z, 1) + Mod(-z, 1) == 1;  Piecewise((p, p > q), (q, True)) == Max(p, q) + Min(p, 0)
# labels and indicators
y[i]**3 * z == z if signs(y);  total(y[i], i) == n if signs(y)
total(y[i] * s[i], i) == S if signs(y)
total((y[i] - s[i])**2, i) == total((1 - y[i] * s[i])**2, i)
total(y[i], i)**2 == n if signs(y);  exp(z * y[i]) == y[i] * exp(z) if signs(y)
exp(z * total(y[i], i)) == exp(z) * total(y[i], i) if signs(y)
total(g[i], i)**2 == total(g[i]**2, i) if zero_or_one(g)
exp(z * total(g[i], i)) == 1 + total(g[i], i) * (exp(z) - 1) if zero_or_one(g)
exp(z * g[i]) == 1 + g[i] * exp(z) if zero_or_one(g)
g[1] * total(g[i], i) == g[1] if zero_or_one(g)
1 / g[i] == g[i] if zero_or_one(g)
# factors that may be zero, and hypotheses in the wrong direction or too weak
(p**2 - q**2) / (p - q) == p + q
score / square + b == (score + b * square) / square;  p * z + q == q if p * q == 0
z * p == z * q if p**2 == q**2;  square == p if square == q;  S == p * n if s[1] == p
p == q if p * z == q * z;  Abs(p) == q if p**2 == q**2;  p >= q if q >= p
p**2 >= q**2 if p >= q;  p >= q**2 if p >= q;  a >= a**2 if a >= 1;  a**2 >= a if 1 >= a
S >= n * z if s[1] >= z;  S >= z if s[i] >= z;  p * q >= 0 if p >= 0
p * q >= 0 if p >= 0, 0 >= q;  p * z >= q * z if p >= q;  1 / a >= 1 / c if a >= c
# inequalities
2 * p * q >= p**2 + q**2;  2 * z >= z**2 + 1;  z**2 + 1 >= 2 * z + tiny
p**2 + q**2 >= 2 * p * q + tiny;  p * q >= 0;  z**3 >= 0;  z**2 >= z;  z**4 >= z**2;  a >= c
a * c >= a + c;  p >= Abs(p);  Abs(p + q) >= Abs(p) + Abs(q);  Abs(p) - Abs(q) >= Abs(p - q)
Abs(p) * Abs(q) >= p**2;  Max(p, q) >= p + q;  Max(0, 1 - z) >= Max(0, -z) + 1;  S**2 >= S2
S2 >= S**2;  total(s[i] * v[i], i) >= S * V
total(s[i] * v[i], i)**2 >= S2 * total(v[i]**2, i);  7 * a >= n * a;  n * S2 >= S**2 + a
exp(z) >= 1 + 2 * z;  1 + z >= exp(z);  log(a) >= a - 1;  sqrt(a * c) >= (a + c) / 2
sqrt(a + c) >= sqrt(a) + sqrt(c);  1 / (1 + z**2) >= 1;  sigma >= half;  sin(z) >= z
p**2 + q**2 + r**2 >= p * q + q * r + r * p + tiny;  (z**2 - 4)**2 >= 1
z**4 - z**2 + half >= half;  total(D[i], i)**2 >= n * total(D[i]**2, i)
square >= score**2 / length
# integers: factorials, binomial coefficients, parity
binomial(N, t) == binomial(N - 1, t) + binomial(N - 1, t + 1)
binomial(N, t) == binomial(N, N - t + 1);  t * binomial(N, t) == N * binomial(N, t - 1)
binomial(2 * N, 2) == 2 * binomial(N, 2);  binomial(N + t, t) == binomial(N + t, t + 1)
factorial(t) == t * factorial(t);  factorial(2 * t) == 2 * factorial(t)
factorial(e + 1) == e * factorial(e);  gamma(t + 1) == gamma(t);  m**2 == Abs(m)
m * (m - 1) * (m - 2) * (m + 1) * (m + 2) * p
    == m * (m - 1) * (m - 2) * (m + 1) * (m + 2) * q
KroneckerDelta(m, o) == KroneckerDelta(m, -o)
total(KroneckerDelta(i, l) * s[i], i) == s[l]
# integrals
Integral(z, (z, 0, p)) == p**2;  Integral(exp(-z), (z, 0, p)) == exp(-p)
Integral(cos(z), (z, p, q)) == sin(p) - sin(q);  Integral((1 - z)**t, (z, 0, 1)) == 1 / t
# the name and the sign of a summation index under an integral or a derivative
Integral(total(z * s[i], i), (z, 0, s[i])) == total(s[i]**3, i) / 2
Integral(total(z * s[i], i), (z, 0, v[i])) == total(s[i] * v[i]**2, i) / 2
# matrices
A * B == B * A;  A * B * f == B * A * f;  (A + B) * (A - B) == A * A - B * B
(A + B)**2 == A**2 + 2 * A * B + B**2;  (A * B).T == A.T * B.T;  A.T == A
A * A.T == A.T * A;  X.T * X * f == f;  A * f == B * f;  Trace(A * B) == Trace(A) * Trace(B)
Trace(A * B * C) == Trace(A * C * B)
Inverse(A + B) * f == Inverse(A) * f + Inverse(B) * f
    if invertible(A), invertible(B), invertible(A + B)
Inverse(A * B) == Inverse(A) * Inverse(B) if invertible(A), invertible(B)
A * Inverse(B) == Inverse(B) * A if invertible(B)
X * Inverse(X.T * X) * X.T == Identity(n) if invertible(X.T * X);  X.T * X == A
A[0, 0] * (p + 1) == A[0, 0] * p + A[0, 1]
Matrix([p, q]) == Matrix([p, q + tiny * p])
Matrix([[p, q]]) * Matrix([p, q]) == Matrix([p**2 - q**2]);  f.T * f * (f.T * f) == f.T * f
A * A == Identity(d) if invertible(A)
# hypotheses with the wrong index, relation or sign
p == sqrt(q) if p**2 == q, q >= 0;  z**3 == 8 if z**2 == 4;  s[0] * z == p * z if s[i] == p
s[n + 1] * z == p * z if s[i] == p;  up_to(s[i], 1, n + 1) == (n + 1) * p if s[i] == p
up_to(s[i], 0, n) == (n + 1) * p if s[i] == p
total(x[i, j], i) == 1 if total(x[i, j], j) == 1;  y[i] * total(y[l], l) == d if y[i] == 1
total(F[i] * s[i], i) >= 0 if S >= 0;  n * total(s[i] * v[i], i) >= S * V if s[i] >= v[i]
p * r >= q * r if p >= q, r >= -1;  p * r >= q * z if p >= q, r >= z
p >= sqrt(c) if p**2 >= c;  p >= 1 if p**2 >= 1;  Min(p, q) >= z if p >= z
Max(p, q) * r >= p * r;  1 >= z if p >= z;  S >= n + 1 if s[i] >= 1
z / p + q == q * (1 + z / p) if p >= 0
z / (p + q) == z / p + z / q if p != 0, q != 0, p + q != 0
z / (p**2 - q**2) + 1 == (z + 1) / (p**2 - q**2) if p != q
z * log(p) + z == z * (1 + log(p)) if 0 < p * q;  z / (1 - y[i]) + q == q + z if signs(y)
z / g[i] + q == q + z if zero_or_one(g)
Trace(Inverse(A) * B) == Trace(B) * Trace(Inverse(A)) if invertible(A)
Inverse(A) * f == A * f if invertible(A)
# branches
sqrt(p) * sqrt(q) == sqrt(p * q);  sqrt(z) * sqrt(1 / z) == 1
sqrt(z**2 - 1) == sqrt(z - 1) * sqrt(z + 1);  z**a * z**c == z**(a + c)
(p * q)**a == p**a * q**a;  log(p * q) == log(p) + log(q);  log(z)**2 == log(z**2)**2 / 4
asin(sin(z)) == z;  atan(tan(z)) == z;  atan(1 / z) + atan(z) == pi / 2
0**e * p == p;  ceiling(z) - floor(z) == 1;  z + pi * p / 10**40 == z
p * sign(z)**2 == p
""")

UNDECIDED = table("""\
# a subexpression is undefined at numbers that are rarely tried
q * (1 + 1 / (n - 20)) == q + q / (n - 20) if p / (n - 20) != 0
total(i * s[i] / (i - 7), i) - 7 * total(s[i] / (i - 7), i) == S if s[i] / (i - 7) != 0
p * n / (n - 4) - 4 * p / (n - 4) == p;  z**3 / (z**2 - 3) - 3 * z / (z**2 - 3) == z
z**3 / (z**2 - z - 1) - z**2 / (z**2 - z - 1) - z / (z**2 - z - 1) == z
z * p**2 / (p**2 + q**2 - 7) + z * q**2 / (p**2 + q**2 - 7) - 7 * z / (p**2 + q**2 - 7) == z
z * exp(z) / (exp(z) - 2) - 2 * z / (exp(z) - 2) == z
a * log(a) / (log(a) - 1) - a / (log(a) - 1) == a
a * sqrt(a) / (sqrt(a) - 7) - 7 * a / (sqrt(a) - 7) == a
sqrt(z + 17) * (1 + sqrt(z + 17)) == sqrt(z + 17) + z + 17
sqrt(17 - z) * (1 + sqrt(17 - z)) == sqrt(17 - z) + 17 - z
log(500 - z**2) * (1 + q) == log(500 - z**2) + q * log(500 - z**2)
q * (z + 17) * gamma(z + 17) == q * gamma(z + 18)
11 * Sum(s[i] / (i - 11), (i, 1, n)) == Sum(11 * s[i] / (i - 11), (i, 1, n))
z / sin(z + Rational(1, 7)) + z == z * (1 + 1 / sin(z + Rational(1, 7)))
# derivatives at a kink or in a range that is rarely tried
Derivative(Abs(z - 11), z) == sign(z - 11)
Derivative(Max(0, 17 - z), z) == -Heaviside(17 - z)
Derivative(Max(0, z - 17), z) == Heaviside(z - 17)
Derivative(Max(0, 17 - score), w[k]) == -x[i, k] * Heaviside(17 - score)
Derivative(Abs(z**2 - 3), z) == 2 * z * sign(z**2 - 3);  Derivative(m**2, m) == 2 * m
# sums that may end before their first index, or are infinite; integrals through a pole
p * up_to(i, 1, m) == m * (m + 1) / 2 * p;  up_to(p, 1, m) == m * p
up_to(p, m, o) == (o - m + 1) * p;  p * up_to(1 / i**2, 1, oo) == p * pi**2 / 6
up_to(z**i, 0, oo) == 1 / (1 - z);  up_to(p, 1, n / 2) == n * p / 2
Integral(1 / z**2, (z, -a, a)) == -2 / a
Integral(1 / (2 + cos(z)), (z, 0, p)) == 2 * sqrt(3) * atan(tan(p / 2) / sqrt(3)) / 3
# true at all small numbers
50 * a >= n * a;  1000 + z >= z**2 / 1000 + z;  Min(N, 50) == N
floor(z / 100) * p == floor(z / 101) * p
# false where a number is above 20, or N = 12: signs and names of summation indices
p + p * up_to(excess(i), 0, n) == p;  10**6 * a >= a * up_to(i * 2**i, 0, n)
excess(n) * up_to(Abs(t - 2) * s[t - 2], 1, n, t)
    == excess(n) * up_to((t - 2) * s[t - 2], 1, n, t)
excess(n) * up_to(p**even, 1, n, even) == excess(n) * n if p == -1
v[i] + up_to(p * excess(i), 1, n) == v[i] + up_to(s[i] * excess(i), 1, n) if p == s[i]
total(Max(0, total(g[i, j], j) - 1000), i) == n * Max(0, up_to(v[m, m], 1, n, m) - 1000)
    if total(s[i, j], j) == up_to(v[i, m], 1, n, m), total(g[i, j], j) == total(s[i, j], j)
s[k] + 10**6 >= total(D[l] * v[l], l) if s[j] >= total(v[k] * D[j], k)
w[k] + q * (1 + 1 / (total(v[l] * F[l], l) - 10**6))
    == w[k] + q + q / (total(v[l] * F[l], l) - 10**6) if total(v[k] * F[j], k) != 10**6
# absolute values in a sum that differ in sign
Abs(S) + 1000 >= total(Abs(s[i]), i);  Max(0, S) + 1000 >= total(Max(0, s[i]), i)
# an equation divided by zero, and a power of zero that is not zero
p + 1000 >= 0 if p * q == 0;  excess(p) >= excess(q) if p * z == q * z
q * (1 + 1 / p) == q + q / p if p**((N - 12)**2) != 0
# SymPy says that atan of an integer is not 0; an index without a value
q * (1 + 1 / atan(m - 20)) == q + q / atan(m - 20)
q * (1 + 1 / p) == q + q / p if p == atan(m - 20)
z * s[floor(Heaviside(z - 20))] + z == z * (s[floor(Heaviside(z - 20))] + 1)
# derivatives with respect to an entry outside the sum
Derivative(up_to(up_to(KroneckerDelta(m, 20), 1, N, m) * s[t], 0, n, t), s[0]) == 0
Derivative(up_to(s[i], 1, (N - 12)**2), s[1]) == 1
p * up_to(Derivative(total(w[j], j), w[k]), 1, n, k) == n * p
p * up_to(Derivative(total(w[j], j), w[k]), 0, d, k) == (d + 1) * p
Sum(Derivative(up_to(s[i], 1, t), s[m]), (t, 1, n)) == n
Sum(Derivative(up_to(s[i], 1, t), s[1]), (t, 0, n)) == n + 1
# a derivative with respect to a letter on which another depends, a power of zero
Derivative(p * q, p) == p**2 if q == p**2
z * (0**(m + 20) + 1) == z + z * 0**(m + 20) if p != q
z * 0**(20 - m) + q == q if 20 >= m;  q * p**(20 - m) + z == z if 20 >= m if p == 0
q * (1 + 1 / (Rational(3, 2)**a - 2)) == q + q / (Rational(3, 2)**a - 2)
q * sign(total(s[i], i)**2) == q if total(s[i], i) == Rational(3, 2)**a - 2
# a power of a fraction that is an integer; an index of a derivative that is also a size
q * (1 + 1 / ((N + half)**a - 2)) == q + q / ((N + half)**a - 2)
q * (1 + 1 / (c**a - 2)) == q + q / (c**a - 2) if c == t + half
Derivative(S, s[t]) + up_to(p, 1, t) == 1 + t * p
q + s[t] + S >= excess(t) * (t - n) + s[t] + S if q >= up_to(F[l], 1, t, l)
p * Derivative(Trace(A), A[0, 1]) == 0
# an inner sum with an outer index that is declared positive, from 0 or -1
excess(n) * up_to(v[t] * up_to(0**l, t, n, l), 0, n, t) == 0
excess(n) * up_to(up_to(Abs(l), t, n, l) + p * t, -1, n, t)
    == excess(n) * up_to(up_to(l, t, n, l) + p * t, -1, n, t)
# false where t N = 201 or n d = 225: SymPy takes the value at 1 to be the minimum
1 / (t * N) >= Rational(1, 200);  1 / (n * d) >= Rational(1, 200)
3 / (t * N**2) >= Rational(1, 5000);  p**2 / (n * d) >= p**2 / 200
sqrt(1 / (t * N) - Rational(1, 200)) * (q + 1)
    == q * sqrt(1 / (t * N) - Rational(1, 200)) + sqrt(1 / (t * N) - Rational(1, 200))
log(1 / (t * N) - Rational(1, 200)) * (q + 1)
    == q * log(1 / (t * N) - Rational(1, 200)) + log(1 / (t * N) - Rational(1, 200))
Max(p, Rational(1, 200)) + q == p + q if p == 1 / (t * N)
Abs(p - Rational(1, 200)) == p - Rational(1, 200) if p == 1 / (t * N)
total(Max(s[i], Rational(1, 200)), i) == S if s[i] == 1 / (t * N)
Derivative(Abs(z * (1 / (t * N) - Rational(1, 200))), z)
    == sign(z) * (1 / (t * N) - Rational(1, 200)) if z != 0
# an even number divided by an odd one may be an integer, or not
q * sign(p)**2 == q if p == factorial(t + 1) / 3 - 159667200
(z + 20)**(2**t / 6) * (q + 1) == (z + 20)**(2**t / 6) + q * (z + 20)**(2**t / 6)
Derivative((z + 20)**(2**t / 6), z) == 2**t / 6 * (z + 20)**(2**t / 6 - 1)
z * s[2**t / 6] + z == z * (s[2**t / 6] + 1)
# a binomial is not negative, and a power of an irrational number may be an integer
p >= p + binomial(m, 21) if m >= 0
q * (1 + 1 / (1 - binomial(m, 21))) == q + q / (1 - binomial(m, 21)) if m >= 0
sqrt(a - binomial(m, 21)) * (q + 1)
    == q * sqrt(a - binomial(m, 21)) + sqrt(a - binomial(m, 21)) if m >= 0
q * (1 + 1 / ((m + sqrt(3))**N - 3**20)) == q + q / ((m + sqrt(3))**N - 3**20)
q * sign(p)**2 == q if p == (-sqrt(2))**t - 1024
# a power of a zero that only simplify finds, with an exponent that may be 0
z * (sin(q)**2 + cos(q)**2 - 1)**(20 - m) + r == r if 20 >= m
z * (1 / (p**2 + 1) + p**2 / (p**2 + 1) - 1)**(20 - m) + r == r if 20 >= m
# hypotheses that hold at irrational numbers only, are not repaired, or never hold
p**4 == 4 if p**2 == 2;  p**2 + q**2 == 25 if p**2 + q**2 - 25 == 0
z * z + z == z * (z + 1) if z != z
q * (1 + 1 / p) == q + q / p if (sin(z)**2 + cos(z)**2 - 1)**2 != 0
# true: powers and signs of a zero that SymPy does not see, numbers that it cannot compare
z >= z + (sin(z)**2 + cos(z)**2 - 1)**2;  sign(sin(z)**2 + cos(z)**2 - 1) + z == z
sign(exp(z) - cosh(z) - sinh(z)) >= 0 * z;  log(exp(100 * z) + 1) >= 100 * z
# true, but too steep, too large to evaluate or of a kind that prove does not know
Derivative(sin(10**99 * z), z) == 10**99 * cos(10**99 * z)
Derivative(exp(10**25 * z), z) == 10**25 * exp(10**25 * z)
Derivative(exp(z / 10**9), z) == exp(z / 10**9) / 10**9
up_to(p, 1, 10**9) == 10**9 * p;  z**10**9 * (1 + p) == z**10**9 * p + z**10**9
Derivative(exp(exp(z)), z) == exp(z) * exp(exp(z));  UnevaluatedExpr(p + 1) * q == p * q + q
Derivative(sign(z), z) == 0 if z != 0;  Derivative(Max(0, z)**2, z) == 2 * Max(0, z)
Integral(Derivative(p * q**2, q), (q, 0, 1)) == p
binomial(2**(4 * N), 2**(2 * N)) * (p + 1)
    == binomial(2**(4 * N), 2**(2 * N)) * p + binomial(2**(4 * N), 2**(2 * N))
Derivative(z**2 * A, z) == 2 * z * A;  (z**a * log(z) + 1)**2 >= 0 if z < 0
""")

PROVED = table("""\
# polynomials, fractions, functions
z * (z + 1) == z**2 + z;  (p + q)**3 == p**3 + 3 * p**2 * q + 3 * p * q**2 + q**3
p**4 - q**4 == (p - q) * (p + q) * (p**2 + q**2);  1 / a - 1 / (a + c) == c / (a * (a + c))
(a**2 - c**2) / (a + c) == a - c;  z / (1 + z**2) + z**3 / (1 + z**2) == z
(p**2 - q**2) / (p - q) == p + q if p != q
z**3 / (z**2 - 3) - 3 * z / (z**2 - 3) == z if z**2 != 3
z**2 / (z - 7) - 7 * z / (z - 7) == z if z != 7
z * z / (z - 7) - 7 * z / (z - 7) == z if z < 7
p / (1 - q) - p * q / (1 - q) == p if q**2 < 1;  sin(z)**2 == 1 - cos(z)**2
sin(2 * z) == 2 * sin(z) * cos(z);  exp(p) * exp(q) == exp(p + q)
1 - sigma == 1 / (1 + exp(z));  log(1 + exp(z)) == z + log(1 + exp(-z))
exp(exp(z) * log(a)) == a**exp(z)
log(a * c) == log(a) + log(c);  log(a / c) == log(a) - log(c)
log(a**2) * p == 2 * p * log(a);  log(exp(z) + 1) - log(exp(z)) == log(1 + exp(-z))
(sqrt(a) - sqrt(c))**2 == a + c - 2 * sqrt(a * c)
(a - c) / (sqrt(a) + sqrt(c)) == sqrt(a) - sqrt(c);  Max(p, q) + Min(p, q) == p + q
Max(p, q) == (p + q + Abs(p - q)) / 2;  Max(0, z) - Max(0, -z) == z
2 * Max(0, z) == z + Abs(z);  cosh(z)**2 == 1 + sinh(z)**2;  p == -q if p + q == 0
p**2 + z == 4 - q + z if p**2 + q == 4;  p * z + q == q if p == 0
p**2 + p * q == p if p + q == 1
sqrt(z + 17) * (1 + sqrt(z + 17)) == sqrt(z + 17) + z + 17 if z >= -17
1 / (z * (1 - z)) == 1 / z + 1 / (1 - z) if 0 < z, z < 1
# derivatives and integrals
Derivative(z**3, z) == 3 * z**2;  Derivative(z**t, z) == t * z**(t - 1)
z * Derivative(z**e, z) == e * z**e
Derivative(sin(10**25 * z), z) == 10**25 * cos(10**25 * z)
Derivative(10**60 * z**3, z) == 3 * 10**60 * z**2
Derivative(log(1 + exp(-z)), z) == -1 / (1 + exp(z))
Derivative(sigma, z) == sigma * (1 - sigma);  Derivative(sqrt(a), a) == 1 / (2 * sqrt(a))
Derivative(a * log(a), a) == 1 + log(a)
Derivative(sqrt(1 + z**2), z) == z / sqrt(1 + z**2)
Derivative(Abs(z), z) == sign(z) if z != 0
Derivative(Max(0, z), z) == Heaviside(z) if z != 0
Derivative(Max(0, 1 - z), z) == -Heaviside(1 - z) if z != 1
Derivative(Max(p, q), p) == Heaviside(p - q) if p != q;  Derivative(p**2 * q, p, q) == 2 * p
Derivative(square, w[k]) == 2 * w[k]
Derivative(square, w[k], w[l]) == 2 * KroneckerDelta(k, l)
Derivative(score**2, w[k]) == 2 * score * x[i, k]
Derivative(total(score**2, i), w[k]) == 2 * total(score * x[i, k], i)
Derivative(sqrt(square + 1), w[k]) == w[k] / sqrt(square + 1)
Derivative(sqrt(square), w[k]) == w[k] / sqrt(square) if square != 0
Derivative(f.T * A * f, f) == (A + A.T) * f;  Derivative(Trace(A * B), A) == B.T
Integral(z, (z, 0, p)) == p**2 / 2;  Integral(exp(-z), (z, 0, p)) == 1 - exp(-p)
Integral((1 - z)**t, (z, 0, 1)) == 1 / (t + 1)
Integral(cos(z), (z, p, q)) == sin(q) - sin(p)
Integral(1 / (1 + exp(-z)), (z, 0, p)) == log(1 + exp(p)) - log(2)
# sums
total(s[i] + v[i], i) == S + V;  total(p * s[i], i) == p * S;  total(p, i) == n * p
total(total(s[i] * v[j], j), i) == S * total(v[j], j)
Sum(x[i, j], (i, 1, n), (j, 1, d)) == Sum(x[i, j], (j, 1, d), (i, 1, n))
total((s[i] - p)**2, i) == S2 - 2 * p * S + n * p**2
total((s[i] - S / n)**2, i) == S2 - S**2 / n;  up_to(s[i + 1], 0, n - 1) == S
up_to(s[i - 1], 2, n + 1) == S;  S == s[n] + up_to(s[i], 1, n - 1)
S == s[1] + up_to(s[i], 2, n);  up_to(s[i], 0, n) == s[0] + S
up_to(s[i + 1] - s[i], 1, n - 1) == s[n] - s[1]
up_to(s[i] - s[i - 1], 1, n) == s[n] - s[0]
p * up_to(2**(-i), 1, n) == p * (1 - 2**(-n))
p * total(i, i) == p * n * (n + 1) / 2
p * total(i**2, i) == p * n * (n + 1) * (2 * n + 1) / 6
up_to(s[i], 1, 3) == s[1] + s[2] + s[3]
Sum((s[i] - s[l])**2, (i, 1, n), (l, 1, n)) == 2 * n * S2 - 2 * S**2
total(1 / i, i) * p == total(p / i, i)
total(p / (n - i + 1), i) == p * total(1 / (n + 1 - i), i)
total(total(D[i] * v[l], l), i).subs(d, n) == V if total(D[i], i) == 1
total(D[i] * (s[i] - p)**2, i) == total(D[i] * s[i]**2, i) - p**2
    if total(D[i], i) == 1, total(D[i] * s[i], i) == p
total(s[i] * total(x[i, j], j), i) == S if total(x[i, j], j) == 1
total(v[i] * s[i], i) == V if s[i] == 1;  log(a) * total(D[i], i) == total(D[i] * log(a), i)
total(log(a**2 * exp(s[i])), i) == 2 * n * log(a) + S
# labels and indicators
total((y[i] - s[i])**2, i) == total((1 - y[i] * s[i])**2, i) if signs(y)
total(y[i]**2, i) == n if signs(y);  y[i]**3 * z == y[i] * z if signs(y)
Abs(y[i] * z) == Abs(z) if signs(y)
exp(z * g[i]) == 1 - g[i] + g[i] * exp(z) if zero_or_one(g)
total(g[i]**2, i) == total(g[i]**3, i) if zero_or_one(g)
total(s[i] * exp(z * g[i]), i) == total(s[i] * (1 - g[i] + g[i] * exp(z)), i)
    if zero_or_one(g)
total(D[i] * exp(-z * (1 - 2 * g[i])), i)
    == exp(z) * total(D[i] * g[i], i) + exp(-z) * total(D[i] * (1 - g[i]), i)
    if zero_or_one(g)
# geometry
total((w[j] - a * v[j])**2, j) == square - 2 * a * total(w[j] * v[j], j) + a**2
    if unit(v, j)
total((w[j] + y[i] * x[i, j])**2, j) == square + 2 * y[i] * score + length if signs(y)
score / sqrt(square) + b / sqrt(square) == (score + b) / sqrt(square) if square != 0
square * length - score**2 == total(total((w[j] * x[i, l] - w[l] * x[i, j])**2, l), j) / 2
score / (square + b**2) * square == score - b**2 * score / (square + b**2) if square != 0
# integers
binomial(N, t) == binomial(N - 1, t) + binomial(N - 1, t - 1)
t * binomial(N, t) == N * binomial(N - 1, t - 1)
factorial(t + 1) == (t + 1) * factorial(t);  z**(t + 1) == z * z**t
# matrices
(A + B) * (A - B) == A * A - A * B + B * A - B * B;  Trace(A * B) == Trace(B * A)
Trace(2 * A * B + C) == 2 * Trace(B * A) + Trace(C);  Trace(A.T) == Trace(A)
A * (Inverse(A) * f + f) == f + A * f if invertible(A)
Inverse(A * B) == Inverse(B) * Inverse(A) if invertible(A), invertible(B)
(A * f + f).T * (A * f + f) == f.T * A.T * A * f + f.T * A.T * f + f.T * A * f + f.T * f
X.T * X * f + f == f if perpendicular(X, f)
A * f == B * f + f if A == B + Identity(d)
Trace(A) == Trace(B) + d if A == B + Identity(d)
Matrix([z * (z + 1), p]) == Matrix([z**2 + z, p])
z * (sin(z)**2 + cos(z)**2 - 1)**2 + z == z;  Max(0, cosh(z) + sinh(z) - exp(z)) + z == z
# inequalities
z**2 + 1 >= 2 * z;  p**2 + q**2 >= 2 * p * q;  p**2 + q**2 >= -2 * p * q
p**2 + p * q + q**2 >= 2 * p * q + Abs(p * q);  p**2 + q**2 + r**2 >= p * q + q * r + r * p
a + c >= 2 * sqrt(a * c);  a + 1 / a >= 2;  a / c + c / a >= 2
Abs(p) + Abs(q) >= Abs(p + q);  Abs(p - q) >= Abs(p) - Abs(q);  Abs(p) * Abs(q) >= p * q
Max(p, q) >= (p + q) / 2;  Max(0, 1 - z) >= 1 - z;  p >= Min(p, q);  exp(z) >= 1 + z
a - 1 >= log(a);  1 >= sigma;  1 >= 4 * sigma * (1 - sigma)
u * p**2 + (1 - u) * q**2 >= (u * p + (1 - u) * q)**2 if 1 >= u
p * z >= q * z if p >= q, z >= 0;  p >= r if p >= q, q >= r
2 * p + q >= 2 * z + r if p >= z, q >= r;  p * q >= 0 if p >= 0, q >= 0
1 >= p**2 if 1 >= p, p >= -1;  p**2 >= 1 if p >= 1;  a >= a * z if 1 >= z
z >= z**2 if z < Rational(1, 1000), 0 < z;  1 / a >= 1 / c if c >= a
4 * z * (1 - z) >= 0 if z >= 0, 1 >= z;  1 >= 4 * z * (1 - z);  S >= n * z if s[i] >= z
total(s[i]**2, i) >= 2 * S - n;  total(D[i], i) >= 0
total(F[i] * s[i], i) >= z * total(F[i], i) if s[i] >= z
a * total(F[i], i) >= total(F[i]**2, i) if a >= F[i];  n * S2 >= S**2
square * length >= score**2;  square / 2 + length / 2 >= score
mu * square / 2 + length / (2 * mu) >= score
square + a**2 >= total((w[j] + y[i] * x[i, j])**2, j)
    if signs(y), 0 >= y[i] * score, a**2 >= length
total((w[j] + y[i] * x[i, j]) * v[j], j) >= (t + 1) * a
    if total(w[j] * v[j], j) >= t * a, y[i] * total(x[i, j] * v[j], j) >= a
# hypotheses: for each index, equations, products, roots
sqrt(z**2 + 5) == 3 if z**2 == 4;  p * q * z == z if p * q == 1
z * total(x[i, j], j) == z if total(x[i, j], j) == 1
total(total(x[i, j], j)**2, i) == n if total(x[i, k], k) == 1
total(p / (s[i] + 1), i) * 2 == total(2 * p / (s[i] + 1), i) if -1 < s[i]
z * log(p * q) + z == z * (1 + log(p * q)) if 0 < p * q
z * sqrt(p - q) + z == z * (1 + sqrt(p - q)) if p >= q
z / (2 - y[i]) * q + q == q * (1 + z / (2 - y[i])) if signs(y)
z / y[i] + q * z == z * (1 / y[i] + q) if signs(y)
z / (p + q) + z == z * (1 + 1 / (p + q)) if p**2 != q**2
p / (1 + total(D[i], i)) + p == p * (1 + 1 / (1 + total(D[i], i)));  Abs(z) * sign(z) == z
p * r >= q * z if p >= q, r >= z, q >= 0, z >= 0;  p**2 >= q**2 if p >= q, q >= 0
p**3 >= q**3 if p >= q;  sqrt(a) >= sqrt(c) if a >= c;  sqrt(a) >= c if a >= c**2
a >= sqrt(c) if a**2 >= c;  1 >= u if 1 >= u**2;  z >= -1 if 1 >= z**2
1 >= Abs(p) if 1 >= p**2;  S >= n if s[i] >= 1
total(s[i] * v[i], i) >= 0 if s[i] >= 0, v[i] >= 0;  Min(p, q) >= z if p >= z, q >= z
up_to(F[i], 1, e) + e * F[m] >= F[m]
u * Max(p, q) >= u * p;  z**2 - 3 * z + 3 >= 0;  z**6 - 3 * z**2 + 2 >= 0
exp(z) + exp(-z) >= 2;  t**2 >= t;  p * q >= 0 if q != 0, 0 < p / q
sqrt(square) * sqrt(length) >= score
""")

OPEN = table("""\
Integral(z, (z, 0, p), (p, 0, q)) == q**3 / 6;  log(z * z) == 2 * log(z) if 0 < z
total(score**2, i) == total(total(w[j] * w[k] * total(x[i, j] * x[i, k], i), j), k)
total(s[i] / (s[i] - 7), i) - 7 * total(1 / (s[i] - 7), i) == n if s[i] != 7
Derivative(Max(0, 1 - z)**2, z) == -2 * Max(0, 1 - z) if z != 1;  P * Q == Q * P
Trace(A * B) == p if A == B, Trace(A * A) == p
gamma(t + 1) == factorial(t);  S2 >= s[1]**2;  1 >= sin(z)**2
""")
