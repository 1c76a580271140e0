"""The proofs that carry the chapters, to be put in order; kit.py says how."""

from mlcore.book.proofs_in_order.kit import Line, Proof, Slip

novikoff = Proof(
    r"Let $w_*$ have length 1 and $y_i\,w_*\cdot x_i\ge\gamma>0$, and let $\lVert "
    r"x_i\rVert\le R$ for every $i$. The perceptron, started at 0, makes at most "
    r"$R^2/\gamma^2$ updates.",
    a=Line(r"At the start $w\cdot w_*=0$ and $\lVert w\rVert^2=0$."),
    b=Line(r"An update on example $i$ adds $y_i\,w_*\cdot x_i\ge\gamma$ to $w\cdot w_*$."),
    c=Line(r"So after $t$ updates $w^{(t)}\cdot w_*\ge t\gamma$.", "ab"),
    d=Line(
        r"An update on example $i$ adds $2y_i\,w\cdot x_i+\lVert x_i\rVert^2$ to $\lVert "
        r"w\rVert^2$, which is at most $R^2$, because the example was a mistake."
    ),
    e=Line(r"So after $t$ updates $\lVert w^{(t)}\rVert^2\le tR^2$.", "ad"),
    f=Line(
        r"$w^{(t)}\cdot w_*\le\lVert w^{(t)}\rVert$, by Cauchy and Schwarz, and because "
        r"$w_*$ has length 1."
    ),
    g=Line(r"Together, $t\gamma\le\sqrt t\,R$.", "cef"),
    h=Line(
        r"For $t\ge1$ square this, and divide by $t\gamma^2$: $t\le R^2/\gamma^2$.", "g"
    ),
    p=Slip(
        r"An update adds $\lVert x_i\rVert^2$ to $\lVert w\rVert^2$, because $x_i$ is "
        r"orthogonal to $w$.",
        "A mistake has a margin of zero or less; only with a margin of exactly zero are "
        "the two orthogonal.",
    ),
    q=Slip(
        "Each update leaves one mistake fewer, so there are at most $n$ of them.",
        "An update helps its own example, and may make mistakes of others.",
    ),
)

normal_equations = Proof(
    r"Let $S(w)=\lVert y-Xw\rVert^2$. If $X^\top Xw=X^\top y$, then $w$ is a minimizer of "
    r"$S$, and $w+v$ is one exactly if $Xv=0$.",
    1,
    a=Line(
        r"For every $v$ we have $S(w+v)=S(w)+2\,v^\top X^\top(Xw-y)+\lVert Xv\rVert^2$."
    ),
    b=Line(r"The normal equations say that $X^\top(Xw-y)=0$."),
    c=Line(r"So $S(w+v)=S(w)+\lVert Xv\rVert^2$ for this $w$ and every $v$.", "ab"),
    d=Line(r"A squared length is never negative, and zero only for the zero vector."),
    e=Line(r"So $S(w+v)\ge S(w)$ for every $v$: $w$ is a minimizer.", "cd"),
    f=Line(
        r"And $w+v$ reaches this minimum exactly if $\lVert Xv\rVert^2=0$, that is, if "
        r"$Xv=0$.",
        "cde",
    ),
    p=Slip(
        r"Whatever $w$ is, $S(w+v)=S(w)+\lVert Xv\rVert^2$.",
        r"For another $w$ there is the term $2\,v^\top X^\top(Xw-y)$, too.",
    ),
    q=Slip(
        r"$\lVert Xv\rVert^2=0$ only for $v=0$, so the minimizer is the only one.",
        "That needs linearly independent columns, of which the claim says nothing.",
    ),
)

log_loss = Proof(
    r"The mean log loss $L(w)=\frac1n\sum_i\ell(y_i\,w\cdot x_i)$ with "
    r"$\ell(z)=\ln(1+e^{-z})$ is convex.",
    2,
    a=Line(r"The derivative is $\ell'(z)=-\sigma(-z)$ with $\sigma(z)=1/(1+e^{-z})$."),
    b=Line(r"The second one is $\ell''(z)=\sigma(z)\,\sigma(-z)$.", "a"),
    c=Line(r"Both factors are positive, so $\ell$ is convex.", "b"),
    d=Line(r"Along a line $w+\tau v$ every margin is an affine function of $\tau$."),
    e=Line(
        r"A convex function of an affine one is convex, so along the line each example's "
        r"loss is a convex function of $\tau$.",
        "cd",
    ),
    f=Line("A mean of convex functions is convex, so $L$ is convex along the line.", "e"),
    g=Line(
        "The line was any one, and a function that is convex along every line is convex.",
        "f",
    ),
    p=Slip(
        r"$\ell'<0$ everywhere, so $\ell$ is convex.",
        r"A falling function need not be convex: $-\arctan z$ falls, and is not.",
    ),
    q=Slip(
        r"Since $\ell''>0$, $L$ is strictly convex, and has exactly one minimum.",
        r"Where all $v\cdot x_i$ are zero, $L$ is constant along $v$; and on separable "
        "data it has no minimum.",
    ),
)

stochastic_step = Proof(
    r"Let $J=\frac1n\sum_iJ_i$, let $i$ be drawn uniformly, and $w^{(1)}=w-\eta\,\nabla "
    r"J_i(w)$. Then $\E\,w^{(1)}=w-\eta\,\nabla J(w)$.",
    3,
    a=Line(
        r"The gradient of a sum is the sum of the gradients, so $\nabla "
        r"J(w)=\frac1n\sum_i\nabla J_i(w)$."
    ),
    b=Line(
        r"Each $i$ is drawn with the probability $\frac1n$, so $\E\,\nabla "
        r"J_i(w)=\sum_i\frac1n\nabla J_i(w)$."
    ),
    c=Line(r"So $\E\,\nabla J_i(w)=\nabla J(w)$.", "ab"),
    d=Line(
        r"$w$ and $\eta$ do not depend on the draw, so $\E\,w^{(1)}=w-\eta\,\E\,\nabla "
        r"J_i(w)$."
    ),
    e=Line(r"Put one into the other: $\E\,w^{(1)}=w-\eta\,\nabla J(w)$.", "cd"),
    p=Slip(
        r"For large $n$, $\nabla J_i(w)$ is nearly $\nabla J(w)$, by the law of large "
        "numbers.",
        "That law is about the mean of many draws; one gradient may point anywhere.",
    ),
    q=Slip(
        r"So $\E\,J(w^{(1)})=J\bigl(w-\eta\,\nabla J(w)\bigr)$.",
        "The mean of $J$ is not $J$ at the mean; for a convex $J$ it is at least as large.",
    ),
)

duality_gap = Proof(
    r"Let $0\le a_i\le C$, $\sum_ia_iy_i=0$ and $v=\sum_ia_iy_ix_i$. Then all $w$, $b$ and "
    r"$\xi_i\ge0$ with $z_i=y_i(w\cdot x_i+b)\ge1-\xi_i$ have $\frac12\lVert "
    r"w\rVert^2+C\sum_i\xi_i\ge\sum_ia_i-\frac12\lVert v\rVert^2$.",
    4,
    a=Line(r"$C\,\xi_i\ge a_i\xi_i$, because $a_i\le C$ and $\xi_i\ge0$."),
    b=Line(r"$a_i\xi_i\ge a_i(1-z_i)$, because $a_i\ge0$ and $\xi_i\ge1-z_i$."),
    c=Line(r"Summed up, $C\sum_i\xi_i\ge\sum_ia_i-\sum_ia_iz_i$.", "ab"),
    d=Line(r"$\sum_ia_iz_i=w\cdot v+b\sum_ia_iy_i=w\cdot v$, because the $a_iy_i$ cancel."),
    e=Line(
        r"$\frac12\lVert w\rVert^2-w\cdot v=\frac12\lVert w-v\rVert^2-\frac12\lVert "
        r"v\rVert^2$."
    ),
    f=Line(
        r"A squared length is not negative, so $\frac12\lVert w\rVert^2-w\cdot "
        r"v\ge-\frac12\lVert v\rVert^2$.",
        "e",
    ),
    g=Line(
        r"Together, $\frac12\lVert w\rVert^2+C\sum_i\xi_i\ge\sum_ia_i+\frac12\lVert "
        r"w\rVert^2-w\cdot v\ge\sum_ia_i-\frac12\lVert v\rVert^2$.",
        "cdf",
    ),
    p=Slip(
        r"$a_i\xi_i=a_i(1-z_i)$, since each slack is $1-z_i$.",
        r"Where $z_i>1$ the slack is at least 0, and $1-z_i$ is negative.",
    ),
    q=Slip(
        r"$\sum_ia_iz_i=w\cdot v$, whatever the weights are.",
        r"There is $b\sum_ia_iy_i$, too, which is zero only if the $a_iy_i$ cancel.",
    ),
    r=Slip(
        r"Since $w=v$, we have $\frac12\lVert w\rVert^2-w\cdot v=-\frac12\lVert "
        r"v\rVert^2$.",
        "$w$ is any vector; it need not be the $v$ that belongs to the weights.",
    ),
)

one_street = Proof(
    r"All minimizers of $J(w,b)=\frac\lambda2\lVert w\rVert^2+\frac1n\sum_i\max(0,1-z_i)$ "
    r"with $\lambda>0$ have the same $w$.",
    5,
    a=Line(
        r"Let $(w,b)$ and $(w',b')$ be minimizers, $m$ the minimum, and $(\bar w,\bar b)$ "
        "the point half-way between them."
    ),
    b=Line(
        "The hinge loss is convex, so at the point half-way the mean loss is at most the "
        "mean of those at the two.",
        "a",
    ),
    c=Line(
        r"$\lVert\bar w\rVert^2=\frac12\lVert w\rVert^2+\frac12\lVert "
        r"w'\rVert^2-\frac14\lVert w-w'\rVert^2$.",
        "a",
    ),
    d=Line(r"So $J(\bar w,\bar b)\le m-\frac\lambda8\lVert w-w'\rVert^2$.", "bc"),
    e=Line(r"But $J(\bar w,\bar b)\ge m$: nothing is below the minimum.", "a"),
    f=Line(
        r"So $\frac\lambda8\lVert w-w'\rVert^2\le0$, and since $\lambda>0$, $w=w'$.", "de"
    ),
    p=Slip(
        "The hinge loss is strictly convex, so half-way the mean loss is smaller than at "
        "either of the two.",
        "It is made of two straight pieces; only the penalty is strictly convex.",
    ),
    q=Slip(
        "In the same way $b=b'$.",
        "The penalty has no $b$ in it; there are data with many optimal $b$.",
    ),
)

adaboost = Proof(
    r"Let $D_{t+1}(i)=D_t(i)\,e^{-\alpha_ty_ih_t(x_i)}/Z_t$, where $Z_t$ makes the sum 1, "
    r"and $F=\sum_{t\le T}\alpha_th_t$. Then the examples with $y_iF(x_i)\le0$ have "
    r"together at most the weight $\prod_tZ_t$ under $D_1$.",
    6,
    a=Line(
        r"Used $T$ times, the rule for the weights says "
        r"$D_{T+1}(i)=D_1(i)\prod_te^{-\alpha_ty_ih_t(x_i)}\big/\prod_tZ_t$."
    ),
    b=Line(r"The product of these exponentials is $e^{-y_iF(x_i)}$."),
    c=Line(r"So $D_1(i)\,e^{-y_iF(x_i)}=D_{T+1}(i)\prod_tZ_t$.", "ab"),
    d=Line(r"The weights $D_{T+1}(i)$ have the sum 1."),
    e=Line(r"So $\sum_iD_1(i)\,e^{-y_iF(x_i)}=\prod_tZ_t$.", "cd"),
    f=Line(
        r"$e^{-y_iF(x_i)}$ is at least 1 where $y_iF(x_i)\le0$, and positive elsewhere."
    ),
    g=Line(
        r"So the sum of $D_1(i)$ over those examples is at most "
        r"$\sum_iD_1(i)\,e^{-y_iF(x_i)}$.",
        "f",
    ),
    h=Line(r"Together, it is at most $\prod_tZ_t$.", "eg"),
    p=Slip(
        r"A vote errs only where all of its rules err, so the errors multiply.",
        "It errs where the rules that are wrong have together at least half of the say.",
    ),
    q=Slip(
        r"All $D_{T+1}(i)$ are $\frac1n$.",
        "At most the first weights are uniform; later ones prefer what was wrong.",
    ),
)

ceiling = Proof(
    r"Let $F=\sum_t\alpha_th_t$ with $\alpha_t\ge0$ and $A=\sum_t\alpha_t>0$, let $D$ be a "
    r"distribution on the examples, and let no rule have under $D$ a larger edge "
    r"$\sum_iD(i)\,y_ih(x_i)$ than $r$. Then $\min_iy_iF(x_i)/A\le r$.",
    7,
    a=Line(
        r"The smallest number is at most any weighted mean: "
        r"$\min_iy_iF(x_i)/A\le\sum_iD(i)\,y_iF(x_i)/A$."
    ),
    b=Line(
        r"Exchange the sums: $\sum_iD(i)\,y_iF(x_i)=\sum_t\alpha_t\sum_iD(i)\,y_ih_t(x_i)$."
    ),
    c=Line(r"Each inner sum is the edge of $h_t$ under $D$, which is at most $r$.", "b"),
    d=Line(
        r"Since $\alpha_t\ge0$ and $\sum_t\alpha_t=A$, the mean $\sum_iD(i)\,y_iF(x_i)/A$ "
        "is at most $r$.",
        "bc",
    ),
    e=Line(r"So $\min_iy_iF(x_i)/A\le r$.", "ad"),
    p=Slip(
        r"Each inner sum is the edge of $h_t$ in round $t$ of AdaBoost.",
        "There is only one $D$ here, the same for all rules, and no round.",
    ),
    q=Slip(
        r"The mean over $t$ is at most the smallest edge of the rules.",
        "A mean is at most the largest, and at least the smallest.",
    ),
)

soft_threshold = Proof(
    r"Let $s=\lVert X_1\rVert^2>0$, $c=X_1\cdot y\ge0$ and $\lambda\ge0$. Then "
    r"$f(w)=\lVert y-wX_1\rVert^2+\lambda\lvert w\rvert$ is least at "
    r"$w=\max(0,c-\lambda/2)/s$, and nowhere else.",
    8,
    a=Line(r"$f(w)=\lVert y\rVert^2-2cw+sw^2+\lambda\lvert w\rvert$ for every $w$."),
    b=Line(
        r"For $w<0$, $f(w)>f(0)$, because $-2cw\ge0$, $\lambda\lvert w\rvert\ge0$ and "
        "$sw^2>0$.",
        "a",
    ),
    c=Line(r"For $w\ge0$, $f(w)=\lVert y\rVert^2+sw^2-2(c-\lambda/2)\,w$.", "a"),
    d=Line(
        r"With $m=(c-\lambda/2)/s$ this is $\lVert y\rVert^2+s(w-m)^2-sm^2$, the nearer "
        "$w$ to $m$ the less.",
        "c",
    ),
    e=Line(
        r"Of all $w\ge0$ the nearest to $m$ is $m$ itself if $m\ge0$, and 0 otherwise: it "
        r"is $\max(0,m)$.",
        "d",
    ),
    f=Line(
        r"So $f$ is least at $\max(0,m)=\max(0,c-\lambda/2)/s$, and nowhere else.", "bde"
    ),
    p=Slip(
        r"Set $f'(w)=2sw-2c+\lambda$ to zero: $f$ is least at $w=m$, whatever its sign.",
        r"For $w<0$ the slope of $\lambda\lvert w\rvert$ is $-\lambda$, not $\lambda$.",
    ),
    q=Slip(
        r"At $w=0$ the derivative of $f$ is $-2c$, so 0 is the minimum only for $c=0$.",
        r"$\lambda\lvert w\rvert$ has a corner at 0, with the slope $-\lambda$ to the left "
        r"and $\lambda$ to the right.",
    ),
)

kesler = Proof(
    r"Let example $i$ have the class $k_i$, let $W=(w_1,\dots,w_K)$, and let $Z_{il}$, for "
    r"$l\ne k_i$, have $x_i$ in block $k_i$, $-x_i$ in block $l$ and zeros elsewhere. The "
    r"linear machine is right on all examples, without a tie, exactly if $W\cdot Z_{il}>0$ "
    "for all of them.",
    9,
    a=Line(
        r"A product with $Z_{il}$ meets two blocks: $W\cdot Z_{il}=w_{k_i}\cdot "
        r"x_i-w_l\cdot x_i$."
    ),
    b=Line(
        r"So $W\cdot Z_{il}>0$ exactly if class $k_i$ has a larger score at $x_i$ than "
        "class $l$.",
        "a",
    ),
    c=Line(
        "The machine chooses a class with the largest score; it is right at $x_i$, without "
        r"a tie, exactly if $k_i$ has a larger score than every $l\ne k_i$."
    ),
    d=Line(
        r"So it is right at $x_i$ exactly if $W\cdot Z_{il}>0$ for every $l\ne k_i$.", "bc"
    ),
    e=Line(
        r"Over all examples: it is right on all exactly if $W\cdot Z_{il}>0$ for all $i$ "
        r"and all $l\ne k_i$.",
        "d",
    ),
    p=Slip(
        r"It is right at $x_i$ exactly if $w_{k_i}\cdot x_i>0$, and $w_l\cdot x_i<0$ for "
        r"every $l\ne k_i$.",
        "That is what one-versus-rest asks for, and more than is needed: only differences "
        "of scores decide.",
    ),
    q=Slip(
        r"It is right at $x_i$ exactly if $\sum_lW\cdot Z_{il}>0$.",
        "A sum may be positive although one of its terms is not: another class wins.",
    ),
)

widest_street = Proof(
    r"Let both labels occur, and let $(w,b)$ have the shortest $w$ of all with "
    r"$z_i=y_i(w\cdot x_i+b)\ge1$ for every $i$. Then its margin, the smallest distance "
    r"$z_i/\lVert w\rVert$, is $1/\lVert w\rVert$, and no separating hyperplane has a "
    "larger one.",
    10,
    a=Line(r"$w\ne0$, because both labels occur and all $z_i\ge1$."),
    b=Line(
        r"The smallest $z_i$ is 1; otherwise $(w,b)$ divided by it would be shorter, and "
        r"still have all $z_i\ge1$.",
        "a",
    ),
    c=Line(r"So the margin of $(w,b)$ is $1/\lVert w\rVert$.", "ab"),
    d=Line(r"Let $(w',b')$ be any separating hyperplane, and $\gamma'>0$ its margin."),
    e=Line(
        r"Divide $(w',b')$ by $\gamma'\lVert w'\rVert$: the hyperplane is the same, the "
        r"vector now has the length $1/\gamma'$, and all $z_i\ge1$.",
        "d",
    ),
    f=Line(r"$(w,b)$ is the shortest of these, so $\lVert w\rVert\le1/\gamma'$.", "e"),
    g=Line(
        r"So $\gamma'\le1/\lVert w\rVert$: no separating hyperplane has a larger margin "
        "than $(w,b)$.",
        "cf",
    ),
    p=Slip(
        r"All $z_i$ are 1, because $w$ is the shortest.",
        r"Only the nearest examples have $z_i=1$; the others may be far away.",
    ),
    q=Slip(
        r"Divide $(w',b')$ by $\lVert w'\rVert$: then the length is 1, and all $z_i\ge1$.",
        r"With the length 1 the $z_i$ are distances, of which one knows only that they are "
        r"at least $\gamma'$.",
    ),
)
