(** A minimizer has no improving direction (thm-svm-optimal)
    Stated: at a minimizer of the soft margin no direction lowers the objective to first order
    and moves strictly inside every constraint. The direction of (w, b, xi) is (u, c, s) / t with
    t > 0, and a full step along it satisfies all constraints. The text uses subgradients
    instead. Not stated here: that every minimizer therefore has weights; other cards have it. *)
From Halfspaces Require Import Numbers Vectors SoftMargin.
Section Directions.
Variables (F : realFieldType) (d n : nat) (x : 'I_n -> 'rV[F]_d) (y : 'I_n -> F) (C : F).
Implicit Types (w u : 'rV[F]_d) (b c t g q : F) (xi s : 'I_n -> F) (r : 'rV[F]_n).
Add Ring numbers : (numbers F).

Definition room w b xi i := z x y w b i - 1 + xi i.
Definition minimizes_with_slack w b xi := allowed x y w b xi /\
  forall w' b' xi', allowed x y w' b' xi' -> objective C w xi <= objective C w' xi'.
Definition slope w u s := w · u + C * \sum_i s i.
Definition improves w b xi u c s t := [/\ 0 < t, slope w u s < 0,
  forall i, 0 < y i * (u · x i + c) + s i + t * room w b xi i & forall i, 0 < s i + t * xi i].

(* The step size h is at most 1 / t, so the constraints hold; q is the squared length of u, and
   h is so small that the squared term of the objective is less than half of the first. *)
Lemma step_size g t q : 0 < g -> 0 < t -> 0 <= q ->
  exists2 h : F, 0 < h & 0 <= 1 - h * t /\ h * q = g - h * t * g.
Proof.
move=> g0 t0 q0; have p0 : 0 < g * t + q by rewrite ltr_paddr // mulr_gt0.
have [e e0 eE] : exists2 e : F, 0 < e & e * (g * t + q) = 1.
  by exists (g * t + q)^-1; rewrite ?invr_gt0 ?mulVf ?gt_eqF.
exists (g * e); [exact: mulr_gt0 | split].
  have -> : 1 - g * e * t = e * q by rewrite -eE; multiply_out.
  by rewrite mulr_ge0 // ltW.
have -> : g * e * q = g * (e * (g * t + q)) - g * e * t * g by multiply_out.
by rewrite eE mulr1.
Qed.

Theorem no_improving_direction w b xi u c s t :
  minimizes_with_slack w b xi -> ~ improves w b xi u c s t.
Proof.
move=> [fits least] [t0 lower inside above].
have [half halves [half0 halfE]] : exists2 a : F, a + a = 1 & 0 < a /\ 2%:R^-1 = a.
  by exists 2%:R^-1; rewrite ?invr_gt0 ?ltr0n // [RHS]splitr !mul1r.
have [g gE] : exists g, slope w u s = - g by exists (- slope w u s); rewrite opprK.
rewrite gE oppr_lt0 in lower; have [h h0 [ht hu]] := step_size lower t0 (dot_ge0 u).
have fits' : allowed x y (w + h *: u) (b + h * c) (fun i => xi i + h * s i).
  move=> i; have [xi0 margin] := fits i; split.
    have -> : xi i + h * s i = xi i * (1 - h * t) + h * (s i + t * xi i) by multiply_out.
    by rewrite addr_ge0 // mulr_ge0 // ltW.
  have room0 : 0 <= room w b xi i by rewrite /room -addrA [- 1 + _]addrC -[xi i - 1]opprB subr_ge0.
  rewrite -subr_ge0.
  have -> : z x y (w + h *: u) (b + h * c) i - (1 - (xi i + h * s i)) =
      room w b xi i * (1 - h * t) + h * (y i * (u · x i + c) + s i + t * room w b xi i).
    by rewrite /room /z !dotE; multiply_out.
  by rewrite addr_ge0 // mulr_ge0 // ltW.
have := least _ _ _ fits'; rewrite leNgt => /negP; apply; rewrite -subr_gt0.
have -> : objective C w xi - objective C (w + h *: u) (fun i => xi i + h * s i) =
    - h * ((w · u) * (half + half) + C * (\sum_i s i) + half * (h * (u · u))).
  rewrite /objective big_split -mulr_sumr /= !dotE (dotC u w) halfE.
  move: (\sum_i s i) (\sum_i xi i) => *; multiply_out.
rewrite halves mulr1 -/(slope w u s) gE hu.
have -> : - h * (- g + half * (g - h * t * g)) =
    h * (half * (g + h * t * g)) + h * g * (1 - (half + half)) by multiply_out.
by rewrite halves subrr mulr0 addr0 !mulr_gt0 // addr_gt0 // !mulr_gt0.
Qed.

(* A direction as one vector; its products are sums over the four parts. *)
Definition joined u r c t : 'rV_(d + (n + (1 + 1))) :=
  row_mx u (row_mx r (row_mx (const_mx c) (const_mx t))).
Lemma joined_dot u r c t u' r' c' t' :
  joined u r c t · joined u' r' c' t' = u · u' + r · r' + c * c' + t * t'.
Proof.
have split_dot l l' (e e' : 'rV[F]_l) (f f' : 'rV_l') :
    row_mx e f · row_mx e' f' = e · e' + f · f'.
  by rewrite /dot big_split_ord /=; congr (_ + _); apply: eq_bigr => j _; rewrite ?row_mxEl ?row_mxEr.
have one e e' : (const_mx e : 'rV[F]_1) · const_mx e' = e * e' by rewrite /dot big_ord1 !mxE.
by rewrite !split_dot !one !addrA.
Qed.
Lemma parts (p : 'rV_(d + (n + (1 + 1)))) : exists u r c t, p = joined u r c t.
Proof.
pose tail := rsubmx (rsubmx p).
exists (lsubmx p), (lsubmx (rsubmx p)), (lsubmx tail 0 0), (rsubmx tail 0 0).
have one (e : 'rV[F]_1) : const_mx (e 0 0) = e by apply/rowP => j; rewrite !mxE ord1.
by rewrite /joined !one !hsubmxK.
Qed.
End Directions.
