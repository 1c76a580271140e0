(** An improving direction, or multipliers (thm-svm-optimal)
    Stated: each (w, b, xi) has an improving direction or multipliers p (margins), k (slacks),
    rest (step) and top (objective) that balance; all are at least 0, and one is positive. It is
    Gordan's theorem for the vectors `requirement`; another card defines `improves`. *)
From Halfspaces Require Import Numbers Vectors SoftMargin Certificate Directions.
Section Multipliers.
Variables (F : realFieldType) (d n : nat) (x : 'I_n -> 'rV[F]_d) (y : 'I_n -> F) (C : F).
Implicit Types (w u : 'rV[F]_d) (b c t : F) (xi p k : 'I_n -> F) (s : 'rV[F]_n).
Add Ring numbers : (numbers F).
Notation room := (room x y).

Lemma gordan_over (T : finType) l (q : T -> 'rV[F]_l) :
  (exists g, forall i, 0 < g · q i) \/
  exists m : T -> F, [/\ forall i, 0 <= m i, exists i, m i != 0 & forall g, \sum_i m i * (g · q i) = 0].
Proof.
have [[g right] | [m [m0 [i mi] zero]]] := gordan (fun j : 'I_#|T| => q (enum_val j)).
  by left; exists g => i; have := right (enum_rank i); rewrite /= enum_rankK.
right; exists (fun i => m (enum_rank i)); split=> [j | | g]; first exact: m0.
  by exists (enum_val i); rewrite /= enum_valK.
rewrite (reindex (enum_val : 'I_#|T| -> T)) /=; last exact/onW_bij/enum_val_bij.
by rewrite -[RHS](dot0r g) -zero dot_sum; apply: eq_bigr => j _; rewrite enum_valK dotE.
Qed.

Definition requirement w b xi (i : 'I_n + ('I_n + bool)) := match i with
  | inl i => joined (y i *: x i) (delta_mx 0 i) (y i) (room w b xi i)
  | inr (inl i) => joined 0 (delta_mx 0 i) 0 (xi i)
  | inr (inr true) => joined 0 0 0 1
  | inr (inr false) => joined (- w) (const_mx (- C)) 0 0
  end.
Lemma requirement_dot w b xi u s c t i : joined u s c t · requirement w b xi i = match i with
  | inl i => y i * (u · x i + c) + s 0 i + t * room w b xi i
  | inr (inl i) => s 0 i + t * xi i
  | inr (inr true) => t
  | inr (inr false) => - (w · u + C * \sum_(j < n) s 0 j)
  end.
Proof.
have entry i' : s · delta_mx 0 i' = s 0 i'.
  rewrite /dot (bigD1 i') //= !mxE !eqxx mulr1 big1 ?addr0 // => j ji.
  by rewrite mxE (negPf ji) andbF mulr0.
have every e : s · const_mx e = e * \sum_(j < n) s 0 j.
  by rewrite mulr_sumr; apply: eq_bigr => j _; rewrite mxE mulrC.
case: i => [i | [i | []]] /=; rewrite joined_dot ?entry ?every ?(dotC w) !dotE
  ?(mul0r, mulr0, add0r, addr0, mulr1) //; last by rewrite opprD mulNr.
by rewrite (mulrC c) [_ + s 0 i + _]addrAC (mulrDr (y i)).
Qed.

Definition balanced w b xi p k rest top :=
  [/\ \sum_i (p i * y i) *: x i = top *: w, forall i, p i + k i = top * C, \sum_i p i * y i = 0
    & \sum_i p i * room w b xi i + \sum_i k i * xi i + rest = 0].
Definition nonnegative p k (rest top : F) :=
  [/\ forall i, 0 <= p i, forall i, 0 <= k i, 0 <= rest & 0 <= top].
Theorem direction_or_multipliers w b xi :
  (exists u c (s : 'I_n -> F) t, improves x y C w b xi u c s t) \/
  exists p k rest top, [/\ nonnegative p k rest top, balanced w b xi p k rest top
    & ~ [/\ forall i, p i = 0, forall i, k i = 0, rest = 0 & top = 0]].
Proof.
have [[v right] | [m [m0 [j mj] zero]]] := gordan_over (requirement w b xi).
  left; have [u [s [c [t vE]]]] := parts v; subst v; exists u, c, (s 0), t.
  have value i := eq_ind _ (fun e => 0 < e) (right i) _ (requirement_dot w b xi u s c t i).
  by split=> [||i|i]; [have := value (inr (inr true)) | have := value (inr (inr false));
    rewrite oppr_gt0 | have := value (inl i) | have := value (inr (inl i))].
right; pose p i : F := m (inl i); pose k i : F := m (inr (inl i)).
pose rest : F := m (inr (inr true)); pose top : F := m (inr (inr false)).
have sum u s c t : \sum_i p i * (y i * (u · x i + c) + s 0 i + t * room w b xi i) +
    (\sum_i k i * (s 0 i + t * xi i) + (rest * t - top * (w · u + C * \sum_j s 0 j))) = 0.
  have := zero (joined u s c t); under eq_bigr do rewrite requirement_dot.
  by rewrite !big_sumType big_bool /= mulrN.
pose U := \sum_i (p i * y i) *: x i - top *: w; pose S i := p i + k i - top * C.
pose B := \sum_i p i * y i; pose T := \sum_i p i * room w b xi i + \sum_i k i * xi i + rest.
have parts u s c t : u · U + \sum_i s 0 i * S i + c * B + t * T = 0.
  rewrite -[RHS](sum u s c t).
  have -> : \sum_i p i * (y i * (u · x i + c) + s 0 i + t * room w b xi i) =
      u · (\sum_i (p i * y i) *: x i) + \sum_i s 0 i * p i + c * B + t * \sum_i p i * room w b xi i.
    rewrite dot_sum !mulr_sumr -!big_split; apply: eq_bigr => i _ /=.
    by rewrite dotE; move: (p i) (room _ _ _ i) => *; multiply_out.
  have -> : \sum_i k i * (s 0 i + t * xi i) = \sum_i s 0 i * k i + t * \sum_i k i * xi i.
    by rewrite mulr_sumr -big_split; apply: eq_bigr => i _ /=; move: (k i) => *; multiply_out.
  have -> : \sum_i s 0 i * S i = \sum_i s 0 i * p i + \sum_i s 0 i * k i - top * (C * \sum_i s 0 i).
    rewrite !mulr_sumr -big_split -sumrB; apply: eq_bigr => i _ /=; rewrite /S; multiply_out.
  rewrite /U /T !dotE (dotC u w); move: (\sum_i (p i * y i) *: x i) (\sum_i s 0 i) => *; multiply_out.
have square i' : 0 <= (\row_j S j) 0 i' * S i' by rewrite mxE -expr2 sqr_ge0.
have /eqP := parts U (\row_j S j) B T; rewrite -!expr2.
rewrite !paddr_eq0 ?addr_ge0 ?dot_ge0 ?sumr_ge0 ?sqr_ge0 // dot_eq0 psumr_eq0 // !sqrf_eq0 subr_eq0.
move=> /andP[/andP[/andP[/eqP u0 /allP s0] /eqP b0] /eqP t0].
exists p, k, rest, top; split; [by split=> *; apply: m0 | split=> // i |].
  by have := s0 i (mem_index_enum i); rewrite mxE -expr2 sqrf_eq0 subr_eq0 => /eqP.
case=> p0 k0 rest0 top0; case/negP: mj; apply/eqP; case: j => [i | [i | []]];
  [exact: p0 | exact: k0 | exact: rest0 | exact: top0].
Qed.
End Multipliers.
