(** The optimal w is unique, and b often (thm-sv-unique)
    Stated: all minimizers have the same w; and the same b, the printed one, if the conditions
    hold with some weight between 0 and C. Not stated: that there is a minimizer, which the text
    proves with limits, and that the optimal b form a bounded closed interval. *)
From Halfspaces Require Import Numbers Vectors SoftMargin Optimal.
Section Unique.
Variables (F : realFieldType) (d n : nat) (x : 'I_n -> 'rV[F]_d) (y : 'I_n -> F) (C : F).
Implicit Types (w : 'rV[F]_d) (b : F) (a : 'I_n -> F).
Add Ring numbers : (numbers F).
Notation z := (z x y). Notation hinge := (hinge x y).
Notation J w b := (objective C w (hinge w b)).
Notation minimizes := (minimizes x y C). Notation conditions := (conditions x y C).

Theorem one_w w b w' b' : 0 <= C -> minimizes w b -> minimizes w' b' -> w = w'.
Proof.
move=> C0 least least'; pose h : F := 2%:R^-1.
have hh : h + h = 1 by rewrite [RHS]splitr !mul1r.
have h0 : 0 < h by rewrite invr_gt0 ltr0n.
pose m := h *: w + h *: w'; pose c := h * b + h * b'.
have same : J w' b' = J w b by apply/eqP; rewrite eq_le least least'.
have convex i : hinge m c i <= h * hinge w b i + h * hinge w' b' i.
  have [[p s] [p' s']] := (hinge_allowed x y w b i, hinge_allowed x y w' b' i).
  rewrite {1}/hinge le_maxl addr_ge0 ?mulr_ge0 ?(ltW h0) //=.
  have -> : 1 - z m c i = h * (1 - z w b i) + h * (1 - z w' b' i).
    by rewrite -{1}hh /z /m /c !dotE; multiply_out.
  by apply: ler_add; rewrite ler_pmul2l // ler_subl_addr -ler_subl_addl.
have losses : \sum_i hinge m c i <= h * (\sum_i hinge w b i) + h * (\sum_i hinge w' b' i).
  by rewrite !mulr_sumr -big_split /=; apply: ler_sum => i _; apply: convex.
have lengths : (m · m) * h = h * ((w · w) * h) + h * ((w' · w') * h) - h * h * h * ((w - w') · (w - w')).
  rewrite -[h * (_ * h)]mulr1 -[h * (w' · w' * h)]mulr1 -hh.
  by rewrite /m !dotE (dotC w' w); multiply_out.
have below : J m c <= h * J w b + h * J w' b' - h * h * h * ((w - w') · (w - w')).
  rewrite /objective -/h lengths; have := ler_wpmul2l C0 losses; rewrite -subr_ge0 => more.
  rewrite -subr_ge0; congr (0 <= _) : more.
  move: (\sum_i _) (\sum_i _) (\sum_i _) (_ · _ : F) (_ · _ : F) (_ · _ : F) => *; multiply_out.
have := le_trans (least m c) below; rewrite same -mulrDl hh mul1r ler_subr_addl.
rewrite -[leRHS]add0r ler_add2r => small; have h3 : 0 < h * h * h by rewrite !mulr_gt0.
by apply/eqP; rewrite -subr_eq0 -dot_eq0 eq_le dot_ge0 andbT -(pmulr_rle0 _ h3).
Qed.

Theorem one_b w b a i w' b' : admissible y C a -> conditions w b a -> 0 < a i < C ->
  y i = 1 \/ y i = -1 -> minimizes w' b' -> b' = y i - w' · x i.
Proof.
move=> fair good /andP[ai0 aiC] sign least; have best := conditions_suffice fair good.
have equal : J w' b' = bound x y a.
  by rewrite -(gap_zero_iff_conditions x w b fair).2 //; apply/eqP; rewrite eq_le least best.
have [_ /(_ i)[zero full]] := (gap_zero_iff_conditions x w' b' fair).1 equal.
case: (ltgtP (z w' b' i) 1) => [/full ac | /zero az | ]; last 1 first.
  have square : y i * y i = 1 by case: sign => ->; rewrite ?mulrNN mulr1.
  by rewrite /z => at_one; rewrite -[y i]mulr1 -at_one mulrA square mul1r addrC addKr.
  by move: aiC; rewrite ac ltxx.
by move: ai0; rewrite az ltxx.
Qed.
End Unique.

(* The four points of the text have weights between 0 and 2/5, so their b is unique. *)
Example four_points w b : minimizes x4 y4 (2%:Q / 5%:Q) w b -> b = 1 - w · x4 ord0.
Proof.
move=> least; have [fair good] := by_hand; have inside : 0 < a4 ord0 < 2%:Q / 5%:Q by vm_compute.
exact: one_b fair good inside (or_introl erefl) least.
Qed.

(* Wrong: b is always unique. Two points of the text, both weights C, and b = 1/2 or b = -1/2. *)
Definition x2 (i : 'I_2) := vector 1 (nth [::] [:: [:: 1]; [:: -1]] i).
Definition y2 (i : 'I_2) : rat := nth 0 [:: 1; -1] i.
Example wrong_two_b b : b = 1 / 2%:Q \/ b = - (1 / 2%:Q) ->
  minimizes x2 y2 (1 / 4%:Q) (vector 1 [:: 1 / 2%:Q]) b.
Proof.
move=> two; apply: (@conditions_suffice _ _ _ _ _ _ _ _ (fun=> 1 / 4%:Q)); split.
  by case=> -[|[|//]].
  by rewrite !big_ord_recl big_ord0; vm_compute.
  rewrite /v !big_ord_recl big_ord0 addr0 /x2 /= !vectorZ !vectorS; with_numbers.
by case: two => -> [[|[|//]] i2]; rewrite /z /x2 vector_dot; split=> h; apply/eqP; move: h;
  apply/implyP; vm_compute.
Qed.
