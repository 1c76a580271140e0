"""More claims for `prove`, tested in the slow part, in tables as in claims.py."""

from tests.halfspaces.claims import table

REFUTED = table("""\
# derivatives: jumps, kinks, ranges of an index, factors
Derivative(Max(0, z), z) == Heaviside(z);  Derivative(Max(p, q), p) == Heaviside(p - q)
Derivative(z**2, z) == z;  Derivative(z**3, (z, 2)) == 3 * z**2
Derivative(exp(-z), z) == exp(-z);  Derivative(log(a), a) == 1 / a**2
Derivative(sqrt(a), a) == 1 / sqrt(a);  Derivative(sin(z), z) == -cos(z)
Derivative(sigma, z) == sigma * (1 + sigma);  Derivative(score, w[k]) == x[i, k] * w[k]
Derivative(f.T * A * f, f) == 2 * A * f
# sums: limits
up_to(s[i], 2, n) == S;  up_to(s[i], 1, n + 1) == S;  up_to(s[i], 0, n - 1) == S
up_to(s[i - 1], 1, n) == S;  up_to(s[i + 1], 0, n) == S;  up_to(s[n - i], 1, n) == S
up_to(s[i + 1] - s[i], 1, n) == s[n] - s[1]
up_to(s[i + 1] - s[i], 1, n - 1) == s[n] - s[2]
up_to(s[i + 1] - s[i], 0, n - 1) == s[n] - s[1]
z * up_to(2**(-i), 1, n) == z * (1 - 2**(1 - n))
z * up_to(2**(-i), 0, n) == z * (1 - 2**(-n));  p * total(i, i) == p * n * (n - 1) / 2
p * total(i**2, i) == p * n * (n + 1) / 2;  p * total(i**3, i) == p * total(i, i)**3
total(p, i) == p;  total(p, i) == d * p;  total(p * i, i) == n * p;  up_to(p, 0, n) == n * p
up_to(p, 0, e - 1) == (e + 1) * p;  p * up_to(i, 1, e - 1) == p * e * (e + 1) / 2
# sums: products and nesting
S * V == total(s[i] * v[i], i);  total(s[i] * v[i], i)**2 == total(s[i]**2 * v[i]**2, i)
total(1 / D[i], i) == 1 / total(D[i], i);  total(D[i]**2, i) == total(D[i], i)**2
sqrt(total(D[i]**2, i)) == total(D[i], i);  exp(S) == total(exp(s[i]), i)
log(total(D[i], i)) == total(log(D[i]), i);  Sum(s[l], (l, 1, i), (i, 1, n)) == n * S
Sum(s[i] * s[l], (l, 1, i), (i, 1, n)) == (S**2 - S2) / 2
Sum(s[i] * v[l], (l, 1, i), (i, 1, n)) == Sum(s[l] * v[i], (l, 1, i), (i, 1, n))
total(s[i] * total(v[l], l), i) == n * S * V;  total(Abs(s[i]), i) == Abs(S)
# claims that hold for some sizes
(n - 1) * p == 0 * n + (n - 1) * q
d * square == square;  n * S == S;  S / n == S / d;  S == n * s[1]
square * n == total(square, k)
# polynomials, powers and functions that agree at some numbers
z**2 == z;  z**5 == z;  p**3 * q == p * q**3;  z**t == z;  (-1)**t * p == p
(-1)**t * p == -p;  sin(z) == z;  sin(p + q) == sin(p) + sin(q);  sin(z)**2 == cos(z)**2
exp(p + q) == exp(p) + exp(q);  exp(p * q) == exp(p) * exp(q);  exp(-z) == -exp(z)
sigma == 1 - sigma;  log(1 + exp(z)) == log(1 + exp(-z)) - z;  (p + q)**2 == p**2 + q**2
(p + q)**t == p**t + q**t;  1 / (a + c) == 1 / a + 1 / c;  a / (a + c) == 1 + a / c
a**c == c**a;  p - (q - z) == p - q - z
# roots, logarithms, absolute values, kinks, steps
log(z**2 + 1) == 2 * log(Abs(z) + 1);  sqrt(p**2 + q**2) == p + q
sqrt(a + c) == sqrt(a) + sqrt(c);  sqrt((a - c)**2) == a - c;  log(a + c) == log(a) + log(c)
log(a * c) == log(a) * log(c);  log(a)**2 == 2 * log(a);  Abs(p - q) == Abs(p) - Abs(q)
Abs(z)**3 == z**3;  Max(p, q) + Min(p, q) == 2 * p;  Max(p, q) == (p + q - Abs(p - q)) / 2
Max(0, z)**2 == z**2;  Max(0, z) + Max(0, -z) == z;  sign(p) * p == p
sign(p * q) == sign(p) + sign(q);  sign(p - q) == sign(p) - sign(q);  floor(z) == z
Mod(m, 2) == Mod(m, 4);  Mod(z, 1) + Mod(-z, 1) == 1
Piecewise((p, p > q), (q, True)) == Max(p, q) + Min(p, 0)
# labels and indicators
total(y[i], i) == n if signs(y);  total(y[i] * s[i], i) == S if signs(y)
total(y[i], i)**2 == n if signs(y);  exp(z * y[i]) == y[i] * exp(z) if signs(y)
exp(z * total(y[i], i)) == exp(z) * total(y[i], i) if signs(y)
total(g[i], i)**2 == total(g[i]**2, i) if zero_or_one(g)
exp(z * g[i]) == 1 + g[i] * exp(z) if zero_or_one(g)
# factors that may be zero, and hypotheses in the wrong direction or too weak
Abs(p) == q if p**2 == q**2;  p**2 >= q**2 if p >= q;  p >= q**2 if p >= q
a >= a**2 if a >= 1;  a**2 >= a if 1 >= a;  p * q >= 0 if p >= 0
p * q >= 0 if p >= 0, 0 >= q;  1 / a >= 1 / c if a >= c
# inequalities
2 * p * q >= p**2 + q**2;  2 * z >= z**2 + 1;  p**2 + q**2 >= 2 * p * q + tiny;  z**3 >= 0
a >= c;  a * c >= a + c;  p >= Abs(p);  Abs(p + q) >= Abs(p) + Abs(q)
Abs(p) * Abs(q) >= p**2;  Max(p, q) >= p + q;  Max(0, 1 - z) >= Max(0, -z) + 1;  S**2 >= S2
total(s[i] * v[i], i) >= S * V;  total(s[i] * v[i], i)**2 >= S2 * total(v[i]**2, i)
1 + z >= exp(z);  log(a) >= a - 1;  sqrt(a * c) >= (a + c) / 2
sqrt(a + c) >= sqrt(a) + sqrt(c);  1 / (1 + z**2) >= 1;  sigma >= half;  sin(z) >= z
p**2 + q**2 + r**2 >= p * q + q * r + r * p + tiny
total(D[i], i)**2 >= n * total(D[i]**2, i);  square >= score**2 / length
# integers: factorials, binomial coefficients, parity
binomial(N, t) == binomial(N - 1, t) + binomial(N - 1, t + 1)
binomial(N, t) == binomial(N, N - t + 1);  t * binomial(N, t) == N * binomial(N, t - 1)
binomial(2 * N, 2) == 2 * binomial(N, 2);  binomial(N + t, t) == binomial(N + t, t + 1)
factorial(t) == t * factorial(t);  factorial(2 * t) == 2 * factorial(t)
factorial(e + 1) == e * factorial(e);  gamma(t + 1) == gamma(t)
# integrals
Integral(z, (z, 0, p)) == p**2;  Integral(exp(-z), (z, 0, p)) == exp(-p)
Integral(cos(z), (z, p, q)) == sin(p) - sin(q)
# the name and the sign of a summation index under an integral or a derivative
Integral(total(z * s[i], i), (z, 0, v[i])) == total(s[i] * v[i]**2, i) / 2
# matrices
A * B * f == B * A * f;  (A + B) * (A - B) == A * A - B * B
(A + B)**2 == A**2 + 2 * A * B + B**2;  (A * B).T == A.T * B.T;  A.T == A
A * A.T == A.T * A;  A * f == B * f;  Trace(A * B) == Trace(A) * Trace(B)
Trace(A * B * C) == Trace(A * C * B)
Inverse(A + B) * f == Inverse(A) * f + Inverse(B) * f
    if invertible(A), invertible(B), invertible(A + B)
Inverse(A * B) == Inverse(A) * Inverse(B) if invertible(A), invertible(B)
A * Inverse(B) == Inverse(B) * A if invertible(B);  X.T * X == A
Matrix([[p, q]]) * Matrix([p, q]) == Matrix([p**2 - q**2]);  f.T * f * (f.T * f) == f.T * f
# hypotheses with the wrong index, relation or sign
p == sqrt(q) if p**2 == q, q >= 0;  s[n + 1] * z == p * z if s[i] == p
up_to(s[i], 0, n) == (n + 1) * p if s[i] == p;  y[i] * total(y[l], l) == d if y[i] == 1
total(F[i] * s[i], i) >= 0 if S >= 0;  p * r >= q * r if p >= q, r >= -1
p >= sqrt(c) if p**2 >= c;  p >= 1 if p**2 >= 1;  Max(p, q) * r >= p * r;  1 >= z if p >= z
S >= n + 1 if s[i] >= 1;  z / (1 - y[i]) + q == q + z if signs(y)
z / g[i] + q == q + z if zero_or_one(g)
Trace(Inverse(A) * B) == Trace(B) * Trace(Inverse(A)) if invertible(A)
Inverse(A) * f == A * f if invertible(A)
# branches
sqrt(p) * sqrt(q) == sqrt(p * q);  sqrt(z**2 - 1) == sqrt(z - 1) * sqrt(z + 1)
(p * q)**a == p**a * q**a;  log(p * q) == log(p) + log(q);  log(z)**2 == log(z**2)**2 / 4
atan(tan(z)) == z;  ceiling(z) - floor(z) == 1
""")

UNDECIDED = table("""\
# numbers near 0 or 1, and numbers too large to compare
-log(1 - 1/(1 + exp(-score - b))) >= score + b;  sign(1 - tanh(z**3)) * q == q
Derivative(log(1 - 1/(1 + exp(-score))), w[k]) == -x[i, k] / (1 + exp(-score))
Derivative(exp(binomial(d, 20) * Trace(A)), A) == ZeroMatrix(d, d)
log(1 - erf(5 * p)) == log(erfc(5 * p))
# derivatives at a kink that is rarely tried, or of an entry outside the sum; steep ones
Derivative(Max(0, 17 - score), w[k]) == -x[i, k] * Heaviside(17 - score)
Derivative(up_to(up_to(KroneckerDelta(m, 20), 1, N, m) * s[t], 0, n, t), s[0]) == 0
Derivative(up_to(s[i], 1, (N - 12)**2), s[1]) == 1
# an integral that SymPy evaluates wrong
Integral(1 / (2 + cos(z)), (z, 0, p)) == 2 * sqrt(3) * atan(tan(p / 2) / sqrt(3)) / 3
# false where a number is above 20, or N = 12: signs and names of summation indices
p + p * up_to(excess(i), 0, n) == p
excess(n) * up_to(Abs(t - 2) * s[t - 2], 1, n, t)
    == excess(n) * up_to((t - 2) * s[t - 2], 1, n, t)
excess(n) * up_to(p**even, 1, n, even) == excess(n) * n if p == -1
v[i] + up_to(p * excess(i), 1, n) == v[i] + up_to(s[i] * excess(i), 1, n) if p == s[i]
total(Max(0, total(g[i, j], j) - 1000), i) == n * Max(0, up_to(v[m, m], 1, n, m) - 1000)
    if total(s[i, j], j) == up_to(v[i, m], 1, n, m), total(g[i, j], j) == total(s[i, j], j)
s[k] + 10**6 >= total(D[l] * v[l], l) if s[j] >= total(v[k] * D[j], k)
q + s[t] + S >= excess(t) * (t - n) + s[t] + S if q >= up_to(F[l], 1, t, l)
# an inner sum with an outer index that is declared positive, from 0 or -1
excess(n) * up_to(v[t] * up_to(0**l, t, n, l), 0, n, t) == 0
excess(n) * up_to(up_to(Abs(l), t, n, l) + p * t, -1, n, t)
    == excess(n) * up_to(up_to(l, t, n, l) + p * t, -1, n, t)
# false where t N = 201; a power of an irrational number that is an integer, or of zero
Max(p, Rational(1, 200)) + q == p + q if p == 1 / (t * N)
total(Max(s[i], Rational(1, 200)), i) == S if s[i] == 1 / (t * N)
q * sign(p)**2 == q if p == (-sqrt(2))**t - 1024
z * (sin(q)**2 + cos(q)**2 - 1)**(20 - m) + r == r if 20 >= m
# a hypothesis that holds at irrational numbers only
p**4 == 4 if p**2 == 2
# true, but a sign is not seen, or numbers cannot be compared
sign(exp(z) - cosh(z) - sinh(z)) >= 0 * z;  log(exp(100 * z) + 1) >= 100 * z
# a subexpression is undefined at numbers that are rarely tried
z**3 / (z**2 - z - 1) - z**2 / (z**2 - z - 1) - z / (z**2 - z - 1) == z
z * p**2 / (p**2 + q**2 - 7) + z * q**2 / (p**2 + q**2 - 7) - 7 * z / (p**2 + q**2 - 7) == z
a * log(a) / (log(a) - 1) - a / (log(a) - 1) == a
sqrt(17 - z) * (1 + sqrt(17 - z)) == sqrt(17 - z) + 17 - z
q * (z + 17) * gamma(z + 17) == q * gamma(z + 18)
# derivatives at a kink or in a range that is rarely tried
Derivative(Max(0, z - 17), z) == Heaviside(z - 17)
Derivative(Abs(z**2 - 3), z) == 2 * z * sign(z**2 - 3)
# sums that may end before their first index, or are infinite; integrals through a pole
up_to(p, 1, m) == m * p;  up_to(p, m, o) == (o - m + 1) * p
up_to(z**i, 0, oo) == 1 / (1 - z)
# true at all small numbers
floor(z / 100) * p == floor(z / 101) * p
# absolute values in a sum that differ in sign
Max(0, S) + 1000 >= total(Max(0, s[i]), i)
# SymPy says that atan of an integer is not 0; an index without a value
q * (1 + 1 / atan(m - 20)) == q + q / atan(m - 20)
# derivatives with respect to an entry outside the sum
p * up_to(Derivative(total(w[j], j), w[k]), 0, d, k) == (d + 1) * p
Sum(Derivative(up_to(s[i], 1, t), s[1]), (t, 0, n)) == n + 1
# a derivative with respect to a letter on which another depends, a power of zero
q * (1 + 1 / (Rational(3, 2)**a - 2)) == q + q / (Rational(3, 2)**a - 2)
# false where t N = 201 or n d = 225: SymPy takes the value at 1 to be the minimum
1 / (n * d) >= Rational(1, 200);  p**2 / (n * d) >= p**2 / 200
log(1 / (t * N) - Rational(1, 200)) * (q + 1)
    == q * log(1 / (t * N) - Rational(1, 200)) + log(1 / (t * N) - Rational(1, 200))
Abs(p - Rational(1, 200)) == p - Rational(1, 200) if p == 1 / (t * N)
# an even number divided by an odd one may be an integer, or not
Derivative((z + 20)**(2**t / 6), z) == 2**t / 6 * (z + 20)**(2**t / 6 - 1)
# a binomial is not negative, and a power of an irrational number may be an integer
q * (1 + 1 / (1 - binomial(m, 21))) == q + q / (1 - binomial(m, 21)) if m >= 0
# hypotheses that hold at irrational numbers only, are not repaired, or never hold
p**2 + q**2 == 25 if p**2 + q**2 - 25 == 0
q * (1 + 1 / p) == q + q / p if (sin(z)**2 + cos(z)**2 - 1)**2 != 0
# true, but too steep, too large to evaluate or of a kind that prove does not know
Derivative(Max(0, z)**2, z) == 2 * Max(0, z)
# true, and could be decided
Integral(z, (z, 0, p), (p, 0, q)) == q**3 / 6;  log(z * z) == 2 * log(z) if 0 < z
total(score**2, i) == total(total(w[j] * w[k] * total(x[i, j] * x[i, k], i), j), k)
total(s[i] / (s[i] - 7), i) - 7 * total(1 / (s[i] - 7), i) == n if s[i] != 7
Derivative(Max(0, 1 - z)**2, z) == -2 * Max(0, 1 - z) if z != 1;  P * Q == Q * P
Trace(A * B) == p if A == B, Trace(A * A) == p;  gamma(t + 1) == factorial(t)
S2 >= s[1]**2;  1 >= sin(z)**2
""")

PROVED = table("""\
# polynomials, fractions, functions
z * (z + 1) == z**2 + z;  (p + q)**3 == p**3 + 3 * p**2 * q + 3 * p * q**2 + q**3
(a**2 - c**2) / (a + c) == a - c;  z / (1 + z**2) + z**3 / (1 + z**2) == z
z**2 / (z - 7) - 7 * z / (z - 7) == z if z != 7;  sin(2 * z) == 2 * sin(z) * cos(z)
exp(p) * exp(q) == exp(p + q);  1 - sigma == 1 / (1 + exp(z))
log(a * c) == log(a) + log(c);  log(a / c) == log(a) - log(c)
log(exp(z) + 1) - log(exp(z)) == log(1 + exp(-z))
(sqrt(a) - sqrt(c))**2 == a + c - 2 * sqrt(a * c);  Max(0, z) - Max(0, -z) == z
2 * Max(0, z) == z + Abs(z);  cosh(z)**2 == 1 + sinh(z)**2
p**2 + z == 4 - q + z if p**2 + q == 4
# derivatives and integrals
Derivative(z**3, z) == 3 * z**2;  z * Derivative(z**e, z) == e * z**e
Derivative(log(1 + exp(-z)), z) == -1 / (1 + exp(z))
Derivative(sqrt(a), a) == 1 / (2 * sqrt(a));  Derivative(a * log(a), a) == 1 + log(a)
Derivative(sqrt(1 + z**2), z) == z / sqrt(1 + z**2)
Derivative(Max(0, z), z) == Heaviside(z) if z != 0;  Derivative(square, w[k]) == 2 * w[k]
Derivative(score**2, w[k]) == 2 * score * x[i, k]
Derivative(sqrt(square + 1), w[k]) == w[k] / sqrt(square + 1)
Integral(z, (z, 0, p)) == p**2 / 2;  Integral(cos(z), (z, p, q)) == sin(q) - sin(p)
# sums
total(s[i] + v[i], i) == S + V;  total(p * s[i], i) == p * S
total((s[i] - p)**2, i) == S2 - 2 * p * S + n * p**2;  S == s[1] + up_to(s[i], 2, n)
up_to(s[i + 1] - s[i], 1, n - 1) == s[n] - s[1];  p * total(i, i) == p * n * (n + 1) / 2
log(a) * total(D[i], i) == total(D[i] * log(a), i)
total(log(a**2 * exp(s[i])), i) == 2 * n * log(a) + S
# labels and indicators
total(y[i]**2, i) == n if signs(y)
exp(z * g[i]) == 1 - g[i] + g[i] * exp(z) if zero_or_one(g)
total(s[i] * exp(z * g[i]), i) == total(s[i] * (1 - g[i] + g[i] * exp(z)), i)
    if zero_or_one(g)
# geometry
total((w[j] + y[i] * x[i, j])**2, j) == square + 2 * y[i] * score + length if signs(y)
# integers
t * binomial(N, t) == N * binomial(N - 1, t - 1)
factorial(t + 1) == (t + 1) * factorial(t);  z**(t + 1) == z * z**t
# matrices
Trace(A * B) == Trace(B * A)
(A * f + f).T * (A * f + f) == f.T * A.T * A * f + f.T * A.T * f + f.T * A * f + f.T * f
A * f == B * f + f if A == B + Identity(d)
# inequalities
z**2 + 1 >= 2 * z;  p**2 + q**2 >= 2 * p * q;  p**2 + q**2 >= -2 * p * q;  a + 1 / a >= 2
a / c + c / a >= 2;  Abs(p) * Abs(q) >= p * q;  p >= Min(p, q);  1 >= sigma
p >= r if p >= q, q >= r;  p * q >= 0 if p >= 0, q >= 0
4 * z * (1 - z) >= 0 if z >= 0, 1 >= z;  1 >= 4 * z * (1 - z);  total(D[i], i) >= 0
square / 2 + length / 2 >= score
# hypotheses: for each index, equations, products, roots
p * q * z == z if p * q == 1;  z * total(x[i, j], j) == z if total(x[i, j], j) == 1
z * sqrt(p - q) + z == z * (1 + sqrt(p - q)) if p >= q;  p**2 >= q**2 if p >= q, q >= 0
sqrt(a) >= sqrt(c) if a >= c;  1 >= u if 1 >= u**2;  1 >= Abs(p) if 1 >= p**2
S >= n if s[i] >= 1;  z**2 - 3 * z + 3 >= 0
""")
