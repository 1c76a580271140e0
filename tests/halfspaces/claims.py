"""Claims for `prove`, in a table for each verdict.

A claim is `left == right` or `left >= right`, followed by `if` and its hypotheses.  A
semicolon or a new line ends it; an indented line continues it.

REFUTED    `prove` must find numbers that refute these claims
PROVED     `prove` must prove these claims
UNDECIDED  `prove` must leave these claims undecided: some are false or undefined at numbers
           that it does not try, some are true but too hard or too large for it
INVALID    `prove` must reject these claims with the message

slow_claims.py has more claims of the same kinds.
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
# derivatives of functions of a trace that SymPy takes for 0
Derivative(p + Trace(A) / 10**12, A) == ZeroMatrix(d, d)
Derivative(sin(Trace(A) / 10**12), A) == ZeroMatrix(d, d)
# derivatives: jumps, kinks, ranges of an index, factors
Derivative(Piecewise((0, z < 0), (z + 1, True)), z) == Piecewise((0, z < 0), (1, True))
Derivative(Piecewise((z, z < 1), (z + q, True)), z) == 1;  Derivative(p * q, p, q) == p + q
Derivative(Abs(z), z) == sign(z);  Derivative(Max(0, 1 - z), z) == -Heaviside(1 - z)
Derivative(Min(1, z), z) == Heaviside(1 - z);  Derivative(square, w[k]) == w[k]
Derivative(square, w[k], w[l]) == 2 + 0 * w[k];  Derivative(f.T * A * f, f) == A * f
Derivative(total(score**2, i), w[k]) == 2 * total(score, i)
Derivative(Trace(A * B), A) == B
# sums: limits
z * total(total(x[i, j], j), i) == z * total(up_to(x[i, j], Max(1, d - 6), d, j), i)
z * total(total(x[i, j], j), i) == z * total(up_to(x[i, j], 0, d, j), i)
z * total(total(x[i, j], j), i) == z * up_to(total(x[i, j], j), Max(1, n - 6), n)
Sum(i * s[i] / (i - 7), (i, 1, n)) - 7 * Sum(s[i] / (i - 7), (i, 1, n)) == S
up_to(s[i], 0, n) == S;  up_to(s[i], 1, n - 1) == S;  up_to(s[i + 1], 1, n) == S
up_to(s[i], 1, d) == S;  up_to(s[i], 1, Min(n, 6)) == S
up_to(s[2 * i], 1, n) == up_to(s[i], 1, 2 * n)
up_to(s[i], 1, e) == s[1] + up_to(s[i], 2, e)
# sums: products and nesting
total(total(s[i] * v[j], j), i) == total(s[i] * v[i], i);  S**2 == S2
total(total(x[i, j], j), i) == Sum(x[j, i], (j, 1, d), (i, 1, n))
total(total(x[i, j] * w[j], j)**2, i) == total(total(x[i, j]**2 * w[j]**2, j), i)
Sum(s[i] * s[l], (l, 1, i), (i, 1, n)) == S**2 / 2;  total(Max(0, s[i]), i) == Max(0, S)
# claims that hold for some sizes
(n - 1) * (n - 2) * (n - 3) * p == (n - 1) * (n - 2) * (n - 3) * q;  Max(n, 3) * p == 3 * p
p * n / (n - 7) - 7 * p / (n - 7) == p;  Min(n, 4) * p == n * p;  S == s[1] + s[n]
# polynomials, powers and functions that agree at some numbers
z**3 == z;  z**7 + 5 * z**3 + 4 * z == 5 * z**5 + z**3 + 4 * z;  z**t == z**(t + 2)
z**e == z**(2 * e);  (-1)**(t * (t + 1) / 2) * p == p;  z + Rational(1, 10**12) == z
sin(pi * z) == 0 * 1 + sin(2 * pi * z);  cos(2 * pi * z) == cos(4 * pi * z)
cos(pi * z) == 1 - 2 * z**2
# roots, logarithms, absolute values, kinks, steps
sqrt(z**2) == z;  (z**2)**Rational(3, 2) == z**3;  Abs(p + q) == Abs(p) + Abs(q)
Max(p + q, p) == p + Min(q, 0);  sign(p)**2 * q == q;  Heaviside(z) + Heaviside(-z) == 1
floor(p + q) == floor(p) + floor(q);  floor(2 * z) == 2 * floor(z)
# labels and indicators
y[i]**3 * z == z if signs(y);  total((y[i] - s[i])**2, i) == total((1 - y[i] * s[i])**2, i)
exp(z * total(g[i], i)) == 1 + total(g[i], i) * (exp(z) - 1) if zero_or_one(g)
g[1] * total(g[i], i) == g[1] if zero_or_one(g);  1 / g[i] == g[i] if zero_or_one(g)
# factors that may be zero, and hypotheses in the wrong direction or too weak
(p**2 - q**2) / (p - q) == p + q;  score / square + b == (score + b * square) / square
p * z + q == q if p * q == 0;  z * p == z * q if p**2 == q**2;  square == p if square == q
S == p * n if s[1] == p;  p == q if p * z == q * z;  p >= q if q >= p;  S >= z if s[i] >= z
S >= n * z if s[1] >= z;  p * z >= q * z if p >= q
# inequalities
z**2 + 1 >= 2 * z + tiny;  p * q >= 0;  z**2 >= z;  z**4 >= z**2;  S2 >= S**2
Abs(p) - Abs(q) >= Abs(p - q);  7 * a >= n * a;  n * S2 >= S**2 + a;  exp(z) >= 1 + 2 * z
(z**2 - 4)**2 >= 1;  z**4 - z**2 + half >= half
# integers: factorials, binomial coefficients, parity
m**2 == Abs(m);  KroneckerDelta(m, o) == KroneckerDelta(m, -o)
m * (m - 1) * (m - 2) * (m + 1) * (m + 2) * p
    == m * (m - 1) * (m - 2) * (m + 1) * (m + 2) * q
total(KroneckerDelta(i, l) * s[i], i) == s[l]
# integrals; the name of a summation index under an integral
Integral((1 - z)**t, (z, 0, 1)) == 1 / t
Integral(total(z * s[i], i), (z, 0, s[i])) == total(s[i]**3, i) / 2
# matrices
A * B == B * A;  X.T * X * f == f;  A[0, 0] * (p + 1) == A[0, 0] * p + A[0, 1]
X * Inverse(X.T * X) * X.T == Identity(n) if invertible(X.T * X)
A * (Inverse(A) * f + f) == f + A * f;  Matrix([p, q]) == Matrix([p, q + tiny * p])
A * A == Identity(d) if invertible(A)
# hypotheses with the wrong index, relation or sign
z**3 == 8 if z**2 == 4;  s[0] * z == p * z if s[i] == p;  p * r >= q * z if p >= q, r >= z
up_to(s[i], 1, n + 1) == (n + 1) * p if s[i] == p;  Min(p, q) >= z if p >= z
total(x[i, j], i) == 1 if total(x[i, j], j) == 1;  z / p + q == q * (1 + z / p) if p >= 0
n * total(s[i] * v[i], i) >= S * V if s[i] >= v[i]
z / (p + q) == z / p + z / q if p != 0, q != 0, p + q != 0
z / (p**2 - q**2) + 1 == (z + 1) / (p**2 - q**2) if p != q
z * log(p) + z == z * (1 + log(p)) if 0 < p * q
# branches
sqrt(z) * sqrt(1 / z) == 1;  z**a * z**c == z**(a + c);  asin(sin(z)) == z;  0**e * p == p
atan(1 / z) + atan(z) == pi / 2;  z + pi * p / 10**40 == z;  p * sign(z)**2 == p
""")

UNDECIDED = table("""\
# SymPy raises an exception
Derivative(Trace(A**(-2)), A) == A;  Derivative(total(Trace(i * A), i), A) == A
log(cosh(exp(p)) - sinh(exp(p))) == -exp(p)
# SymPy drops a factor; the derivative by a label
Derivative(binomial(d, 20) * S2 * f.T * f, s[m]) == ZeroMatrix(1, 1)
Derivative(y[i]**3, y[i]) == 3 if signs(y)
# a subexpression is undefined at numbers that are rarely tried
q * (1 + 1 / (n - 20)) == q + q / (n - 20) if p / (n - 20) != 0
total(i * s[i] / (i - 7), i) - 7 * total(s[i] / (i - 7), i) == S if s[i] / (i - 7) != 0
p * n / (n - 4) - 4 * p / (n - 4) == p;  z**3 / (z**2 - 3) - 3 * z / (z**2 - 3) == z
z * exp(z) / (exp(z) - 2) - 2 * z / (exp(z) - 2) == z
a * sqrt(a) / (sqrt(a) - 7) - 7 * a / (sqrt(a) - 7) == a
sqrt(z + 17) * (1 + sqrt(z + 17)) == sqrt(z + 17) + z + 17
log(500 - z**2) * (1 + q) == log(500 - z**2) + q * log(500 - z**2)
11 * Sum(s[i] / (i - 11), (i, 1, n)) == Sum(11 * s[i] / (i - 11), (i, 1, n))
z / sin(z + Rational(1, 7)) + z == z * (1 + 1 / sin(z + Rational(1, 7)))
# derivatives at a kink or in a range that is rarely tried
Derivative(Abs(z - 11), z) == sign(z - 11);  Derivative(m**2, m) == 2 * m
Derivative(Max(0, 17 - z), z) == -Heaviside(17 - z)
# sums that may end before their first index, or are infinite; integrals through a pole
p * up_to(i, 1, m) == m * (m + 1) / 2 * p;  p * up_to(1 / i**2, 1, oo) == p * pi**2 / 6
up_to(p, 1, n / 2) == n * p / 2;  Integral(1 / z**2, (z, -a, a)) == -2 / a
# true at all small numbers
50 * a >= n * a;  1000 + z >= z**2 / 1000 + z;  Min(N, 50) == N;  99 >= Abs(z) if 99 >= z
# false where a number is above 20, or N = 12: signs and names of summation indices
10**6 * a >= a * up_to(i * 2**i, 0, n)
w[k] + q * (1 + 1 / (total(v[l] * F[l], l) - 10**6))
    == w[k] + q + q / (total(v[l] * F[l], l) - 10**6) if total(v[k] * F[j], k) != 10**6
# absolute values in a sum that differ in sign
Abs(S) + 1000 >= total(Abs(s[i]), i)
# an equation divided by zero, and a power of zero that is not zero
p + 1000 >= 0 if p * q == 0;  excess(p) >= excess(q) if p * z == q * z
q * (1 + 1 / p) == q + q / p if p**((N - 12)**2) != 0
# SymPy says that atan of an integer is not 0; an index without a value
q * (1 + 1 / p) == q + q / p if p == atan(m - 20)
z * s[floor(Heaviside(z - 20))] + z == z * (s[floor(Heaviside(z - 20))] + 1)
# derivatives with respect to an entry outside the sum
p * up_to(Derivative(total(w[j], j), w[k]), 1, n, k) == n * p
Sum(Derivative(up_to(s[i], 1, t), s[m]), (t, 1, n)) == n
# a derivative with respect to a letter on which another depends, a power of zero
Derivative(p * q, p) == p**2 if q == p**2;  z * 0**(20 - m) + q == q if 20 >= m
z * (0**(m + 20) + 1) == z + z * 0**(m + 20) if p != q
q * p**(20 - m) + z == z if 20 >= m if p == 0
q * sign(total(s[i], i)**2) == q if total(s[i], i) == Rational(3, 2)**a - 2
# a power of a fraction that is an integer; an index of a derivative that is also a size
q * (1 + 1 / ((N + half)**a - 2)) == q + q / ((N + half)**a - 2)
q * (1 + 1 / (c**a - 2)) == q + q / (c**a - 2) if c == t + half
Derivative(S, s[t]) + up_to(p, 1, t) == 1 + t * p;  p * Derivative(Trace(A), A[0, 1]) == 0
# false where t N = 201: SymPy takes the value at 1 to be the minimum
1 / (t * N) >= Rational(1, 200);  3 / (t * N**2) >= Rational(1, 5000)
sqrt(1 / (t * N) - Rational(1, 200)) * (q + 1)
    == q * sqrt(1 / (t * N) - Rational(1, 200)) + sqrt(1 / (t * N) - Rational(1, 200))
Derivative(Abs(z * (1 / (t * N) - Rational(1, 200))), z)
    == sign(z) * (1 / (t * N) - Rational(1, 200)) if z != 0
# an even number divided by an odd one may be an integer, or not
q * sign(p)**2 == q if p == factorial(t + 1) / 3 - 159667200
(z + 20)**(2**t / 6) * (q + 1) == (z + 20)**(2**t / 6) + q * (z + 20)**(2**t / 6)
z * s[2**t / 6] + z == z * (s[2**t / 6] + 1)
# a binomial is not negative, and a power of an irrational number may be an integer
p >= p + binomial(m, 21) if m >= 0
sqrt(a - binomial(m, 21)) * (q + 1)
    == q * sqrt(a - binomial(m, 21)) + sqrt(a - binomial(m, 21)) if m >= 0
q * (1 + 1 / ((m + sqrt(3))**N - 3**20)) == q + q / ((m + sqrt(3))**N - 3**20)
# a power of a zero that only simplify finds, with an exponent that may be 0
z * (1 / (p**2 + 1) + p**2 / (p**2 + 1) - 1)**(20 - m) + r == r if 20 >= m
# a hypothesis that never holds
z * z + z == z * (z + 1) if z != z
# true: powers and signs of a zero that SymPy does not see, numbers that it cannot compare
z >= z + (sin(z)**2 + cos(z)**2 - 1)**2;  sign(sin(z)**2 + cos(z)**2 - 1) + z == z
# true, but too steep, too large to evaluate or of a kind that prove does not know
Derivative(sin(10**99 * z), z) == 10**99 * cos(10**99 * z);  up_to(p, 1, 10**9) == 10**9 * p
Derivative(exp(10**25 * z), z) == 10**25 * exp(10**25 * z)
Derivative(exp(z / 10**9), z) == exp(z / 10**9) / 10**9
z**10**9 * (1 + p) == z**10**9 * p + z**10**9;  UnevaluatedExpr(p + 1) * q == p * q + q
Derivative(sign(z), z) == 0 if z != 0;  Integral(Derivative(p * q**2, q), (q, 0, 1)) == p
binomial(2**(4 * N), 2**(2 * N)) * (p + 1)
    == binomial(2**(4 * N), 2**(2 * N)) * p + binomial(2**(4 * N), 2**(2 * N))
Derivative(z**2 * A, z) == 2 * z * A;  (z**a * log(z) + 1)**2 >= 0 if z < 0
""")

PROVED = table("""\
# large exponentials, numbers near 0 or 1, and derivatives that SymPy gets wrong
z / (exp(exp(p * q)) - 2) + z == z * (1 + 1 / (exp(exp(p * q)) - 2)) if exp(exp(p * q)) != 2
log(1 - 1/(1 + exp(-p * q * r))) == -log(1 + exp(p * q * r))
Derivative(exp(exp(z)), z) == exp(z) * exp(exp(z))
Derivative(Trace(A) + p, A) == Identity(d)
Derivative(Trace(A.T * A) + Trace(A * B), A) == 2 * A + B.T
Derivative((Trace(f * f.T) - 1)**2, f) == 4 * (Trace(f * f.T) - 1) * f
# polynomials, fractions, functions
p**4 - q**4 == (p - q) * (p + q) * (p**2 + q**2);  1 / a - 1 / (a + c) == c / (a * (a + c))
(p**2 - q**2) / (p - q) == p + q if p != q;  z * z / (z - 7) - 7 * z / (z - 7) == z if z < 7
z**3 / (z**2 - 3) - 3 * z / (z**2 - 3) == z if z**2 != 3;  sin(z)**2 == 1 - cos(z)**2
p / (1 - q) - p * q / (1 - q) == p if q**2 < 1;  log(1 + exp(z)) == z + log(1 + exp(-z))
exp(exp(z) * log(a)) == a**exp(z);  log(a**2) * p == 2 * p * log(a);  p == -q if p + q == 0
(a - c) / (sqrt(a) + sqrt(c)) == sqrt(a) - sqrt(c);  Max(p, q) + Min(p, q) == p + q
Max(p, q) == (p + q + Abs(p - q)) / 2;  p * z + q == q if p == 0
p * s[1] * z + q == q if p * s[1] == 0;  p**2 + p * q == p if p + q == 1
1 / (z * (1 - z)) == 1 / z + 1 / (1 - z) if 0 < z, z < 1
sqrt(z + 17) * (1 + sqrt(z + 17)) == sqrt(z + 17) + z + 17 if z >= -17
# derivatives and integrals
Derivative(z**t, z) == t * z**(t - 1);  Derivative(10**60 * z**3, z) == 3 * 10**60 * z**2
Derivative(sin(10**25 * z), z) == 10**25 * cos(10**25 * z)
Derivative(sigma, z) == sigma * (1 - sigma);  Derivative(Abs(z), z) == sign(z) if z != 0
Derivative(Max(0, 1 - z), z) == -Heaviside(1 - z) if z != 1
Derivative(Max(p, q), p) == Heaviside(p - q) if p != q;  Derivative(p**2 * q, p, q) == 2 * p
Derivative(square, w[k], w[l]) == 2 * KroneckerDelta(k, l)
Derivative(total(score**2, i), w[k]) == 2 * total(score * x[i, k], i)
Derivative(sqrt(square), w[k]) == w[k] / sqrt(square) if square != 0
Derivative(f.T * A * f, f) == (A + A.T) * f;  Derivative(Trace(A * B), A) == B.T
Integral(exp(-z), (z, 0, p)) == 1 - exp(-p);  Integral((1 - z)**t, (z, 0, 1)) == 1 / (t + 1)
Integral(1 / (1 + exp(-z)), (z, 0, p)) == log(1 + exp(p)) - log(2)
# sums
total(p * s[i] + v[i], i) == p * S + V;  total(p, i) == n * p
total(total(s[i] * v[j], j), i) == S * total(v[j], j);  up_to(s[i + 1], 0, n - 1) == S
Sum(x[i, j], (i, 1, n), (j, 1, d)) == Sum(x[i, j], (j, 1, d), (i, 1, n))
total((s[i] - S / n)**2, i) == S2 - S**2 / n;  up_to(s[i - 1], 2, n + 1) == S
S == s[n] + up_to(s[i], 1, n - 1);  up_to(s[i], 0, n) == s[0] + S
up_to(s[i] - s[i - 1], 1, n) == s[n] - s[0];  p * up_to(2**(-i), 1, n) == p * (1 - 2**(-n))
p * total(i**2, i) == p * n * (n + 1) * (2 * n + 1) / 6
up_to(s[i], 1, 3) == s[1] + s[2] + s[3];  total(1 / i, i) * p == total(p / i, i)
Sum((s[i] - s[l])**2, (i, 1, n), (l, 1, n)) == 2 * n * S2 - 2 * S**2
total(p / (n - i + 1), i) == p * total(1 / (n + 1 - i), i)
total(total(D[i] * v[l], l), i).subs(d, n) == V if total(D[i], i) == 1
total(D[i] * (s[i] - p)**2, i) == total(D[i] * s[i]**2, i) - p**2
    if total(D[i], i) == 1, total(D[i] * s[i], i) == p
total(s[i] * total(x[i, j], j), i) == S if total(x[i, j], j) == 1
total(v[i] * s[i], i) == V if s[i] == 1
# labels and indicators
total((y[i] - s[i])**2, i) == total((1 - y[i] * s[i])**2, i) if signs(y)
y[i]**3 * z == y[i] * z if signs(y);  Abs(y[i] * z) == Abs(z) if signs(y)
total(g[i]**2, i) == total(g[i]**3, i) if zero_or_one(g)
total(D[i] * exp(-z * (1 - 2 * g[i])), i)
    == exp(z) * total(D[i] * g[i], i) + exp(-z) * total(D[i] * (1 - g[i]), i)
    if zero_or_one(g)
# geometry
total((w[j] - a * v[j])**2, j) == square - 2 * a * total(w[j] * v[j], j) + a**2
    if unit(v, j)
score / sqrt(square) + b / sqrt(square) == (score + b) / sqrt(square) if square != 0
square * length - score**2 == total(total((w[j] * x[i, l] - w[l] * x[i, j])**2, l), j) / 2
score / (square + b**2) * square == score - b**2 * score / (square + b**2) if square != 0
# integers
binomial(N, t) == binomial(N - 1, t) + binomial(N - 1, t - 1)
# matrices
(A + B) * (A - B) == A * A - A * B + B * A - B * B;  Trace(A.T) == Trace(A)
Trace(2 * A * B + C) == 2 * Trace(B * A) + Trace(C)
A * (Inverse(A) * f + f) == f + A * f if invertible(A)
Inverse(A * B) == Inverse(B) * Inverse(A) if invertible(A), invertible(B)
X.T * X * f + f == f if perpendicular(X, f);  z * (sin(z)**2 + cos(z)**2 - 1)**2 + z == z
Trace(A) == Trace(B) + d if A == B + Identity(d)
Matrix([z * (z + 1), p]) == Matrix([z**2 + z, p])
Max(0, cosh(z) + sinh(z) - exp(z)) + z == z
# inequalities
p**2 + p * q + q**2 >= 2 * p * q + Abs(p * q);  p**2 + q**2 + r**2 >= p * q + q * r + r * p
a + c >= 2 * sqrt(a * c);  Abs(p) + Abs(q) >= Abs(p + q);  Abs(p - q) >= Abs(p) - Abs(q)
Max(p, q) >= (p + q) / 2;  Max(0, 1 - z) >= 1 - z;  exp(z) >= 1 + z;  a - 1 >= log(a)
1 >= 4 * sigma * (1 - sigma);  p * z >= q * z if p >= q, z >= 0;  p**2 >= 1 if p >= 1
u * p**2 + (1 - u) * q**2 >= (u * p + (1 - u) * q)**2 if 1 >= u;  a >= a * z if 1 >= z
2 * p + q >= 2 * z + r if p >= z, q >= r;  1 >= p**2 if 1 >= p, p >= -1;  n * S2 >= S**2
z >= z**2 if z < Rational(1, 1000), 0 < z;  1 / a >= 1 / c if c >= a
S >= n * z if s[i] >= z;  total(s[i]**2, i) >= 2 * S - n;  square * length >= score**2
total(F[i] * s[i], i) >= z * total(F[i], i) if s[i] >= z
a * total(F[i], i) >= total(F[i]**2, i) if a >= F[i]
mu * square / 2 + length / (2 * mu) >= score
square + a**2 >= total((w[j] + y[i] * x[i, j])**2, j)
    if signs(y), 0 >= y[i] * score, a**2 >= length
total((w[j] + y[i] * x[i, j]) * v[j], j) >= (t + 1) * a
    if total(w[j] * v[j], j) >= t * a, y[i] * total(x[i, j] * v[j], j) >= a
# hypotheses: for each index, equations, products, roots
sqrt(z**2 + 5) == 3 if z**2 == 4;  z * log(p * q) + z == z * (1 + log(p * q)) if 0 < p * q
total(total(x[i, j], j)**2, i) == n if total(x[i, k], k) == 1;  Abs(z) * sign(z) == z
total(p / (s[i] + 1), i) * 2 == total(2 * p / (s[i] + 1), i) if -1 < s[i];  t**2 >= t
z / (2 - y[i]) * q + q == q * (1 + z / (2 - y[i])) if signs(y);  p**3 >= q**3 if p >= q
z / y[i] + q * z == z * (1 / y[i] + q) if signs(y);  sqrt(a) >= c if a >= c**2
z / (p + q) + z == z * (1 + 1 / (p + q)) if p**2 != q**2;  a >= sqrt(c) if a**2 >= c
p / (1 + total(D[i], i)) + p == p * (1 + 1 / (1 + total(D[i], i)));  z >= -1 if 1 >= z**2
p * r >= q * z if p >= q, r >= z, q >= 0, z >= 0;  Min(p, q) >= z if p >= z, q >= z
total(s[i] * v[i], i) >= 0 if s[i] >= 0, v[i] >= 0;  up_to(F[i], 1, e) + e * F[m] >= F[m]
u * Max(p, q) >= u * p;  z**6 - 3 * z**2 + 2 >= 0;  exp(z) + exp(-z) >= 2
p * q >= 0 if q != 0, 0 < p / q;  sqrt(square) * sqrt(length) >= score
""")

INVALID = {  # message: claims
    r"needed: \$p<1\$; labels": "z * (z + p) == z**2 + z * p if p < 1, signs(y)",
    r"not needed: \$q\\ge 0\$$": "z**2 + p >= z**2 if p >= 0, q >= 0",
    "must be numbers; got A": "A * f == f if A != ZeroMatrix(d, d)",
    "must be numbers; got A, B": "Trace(A) >= Trace(B) if A >= B",
    "one shape; got A, 0": "A * f == f if A == 0",
    "matrix must be square; got X": "X * f + 0 * X * f == f if invertible(X)",
    "look like a formula or an entry": """
Symbol('T', real=True) * Trace(A) == Trace(A.T);  p**Symbol('T', even=True) == q
total(Symbol('s_i', real=True), i) == n * Symbol('s_i', real=True)
Symbol('p^2', real=True) * (z + 1) == Symbol('p^2', real=True) * z
Derivative(z * S, Symbol('s1', real=True)) == 0;  Symbol('sin', real=True) * (z + q) == z
Symbol('pi', real=True) * (z + q) == z;  Symbol('zabs', real=True) * (z + q) == z
Symbol('pQ', real=True) * (z + q) == z;  Wild('z', real=True) * (p + q) == p
IndexedBase('log', real=True)[i] * p == p * S;  exp(z) * (e + 1) == e * exp(z) + exp(z)
Symbol('theta', real=True) * (z + 1) == Heaviside(z)
Symbol('delta', real=True) * p == KroneckerDelta(m, o)
""",
    "two letters must not share a name": """
z + Symbol('z') == 2 * z;  p * Sum(n, (Symbol('n', integer=True), 1, n)) == p * n**2
Symbol('x1', real=True) + Symbol('x_1', real=True) == p
Symbol('s', real=True) * S == p * S;  p * q == q if Sum(s[p], (p, 1, n)) == 2
p * total(s[i, j], j) == p
    if Sum(s[i, Symbol('i', even=True)], (Symbol('i', even=True), 1, n)) == 1
Sum(s[i], (i, 1, n), (n, 1, d)) == p if s[i] == p
""",
    "must contain exact numbers": "z + 0.5 == z;  z * q == 10**20 * z if p == 0.1",
    "must have the indices 1": """
z * y[0]**2 + total(y[i], i) == z + total(y[i], i) if signs(y)
p + S >= q if signs(y), p * y[0]**2 + S == q;  S + total(s[j]**2, j) == S + 1 if unit(s, j)
g[2] * g[i]**2 == g[2] * g[i] if zero_or_one(g);  up_to(y[i]**2, 0, n) == n + 1 if signs(y)
z * y[e]**2 + up_to(y[i], 1, e) == z + up_to(y[i], 1, e) if signs(y)
up_to(y[i]**2, 1, n + 1) == n + 1 if signs(y)
""",
    "may be left unevaluated": """
Mul(p, q, 1 / p, evaluate=False) == q;  z == p if Add(p, q, -p, evaluate=False) == 1
""",
    "are not printed": "KroneckerDelta(m, o, (1, 3)) == KroneckerDelta(m, o)",
    "m must run from 1": "(m - 1) * F[m] + up_to(F[i], 0, n) >= up_to(F[i], 0, n)",
    r"run from 1 .*\(1, n - 1\)": "(n - 1 - m) * F[m] + up_to(F[i], 1, n - 1) >= 0",
    "an index in given": "k * total(s[j], j) == k * d * (d + 1) / 2 if s[k] == k",
    "index twice": "Sum(v[i], (i, 1, n), (i, 1, d)) == d * V",
    "prints it as 1": "Trace(OneMatrix(n, n)) * z == n * z",
    "letters or 1": "Trace(MatrixSymbol('V', 2, 2)) + z == p",
    "h must be declared": "up_to(p * even, 1, even) == p * even**2",
    "u must be declared": "Symbol('u') * (z + 1) == Symbol('u') * z + Symbol('u')",
    "must differ as written": "z**2 == z * z",
    "must contain a symbol": "2 * log(2) == log(4)",
    "must be an array; got p": "z == p if signs(p)",
    "may end before it starts": "z == p if up_to(p, 1, m) == q",
}
