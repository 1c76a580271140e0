(** Lower bounds for the soft margin (thm-sv-bound)
    Stated: the bound from any admissible weights, for any slacks that satisfy the constraints;
    the gap as a sum of three terms that are never negative; and that the gap is zero exactly if
    all three are. Over any ordered field. Not stated: the sentence without a bias. *)
From Halfspaces Require Import Numbers Vectors.
Section SoftMargin.
Variables (F : realFieldType) (d n : nat) (x : 'I_n -> 'rV[F]_d) (y : 'I_n -> F) (C : F).
Implicit Types (w : 'rV[F]_d) (b : F) (a xi : 'I_n -> F).
Add Ring numbers : (numbers F).

Definition z w b i := y i * (w · x i + b).
Definition allowed w b xi := forall i, 0 <= xi i /\ 1 - xi i <= z w b i.
Definition hinge w b i := Num.max 0 (1 - z w b i).
Definition objective w xi := (w · w) / 2%:R + C * \sum_i xi i.
Definition admissible a := (forall i, 0 <= a i <= C) /\ \sum_i a i * y i = 0.
Definition v a := \sum_i (a i * y i) *: x i.
Definition bound a := \sum_i a i - (v a · v a) / 2%:R.

Lemma sum_of_products w b a : \sum_i a i * y i = 0 -> \sum_i a i * z w b i = w · v a.
Proof.
move=> balanced; transitivity (\sum_i (a i * y i * (w · x i) + a i * y i * b)).
  by apply: eq_bigr => i _; rewrite /z; multiply_out.
rewrite big_split /= -mulr_suml balanced mul0r addr0 dot_sum.
by apply: eq_bigr => i _; rewrite dotE.
Qed.

Theorem gap w b xi a : \sum_i a i * y i = 0 ->
  objective w xi - bound a = ((w - v a) · (w - v a)) / 2%:R
    + \sum_i a i * (z w b i - 1 + xi i) + \sum_i (C - a i) * xi i.
Proof.
move=> balanced.
have two : 2%:R^-1 + 2%:R^-1 = 1 :> F by rewrite [RHS]splitr !mul1r.
have -> : \sum_i a i * (z w b i - 1 + xi i) =
    (w · v a) * (2%:R^-1 + 2%:R^-1) - \sum_i a i + \sum_i a i * xi i.
  rewrite two mulr1 -(sum_of_products w b balanced) -sumrB -big_split.
  by apply: eq_bigr => i _ /=; multiply_out.
have -> : \sum_i (C - a i) * xi i = C * (\sum_i xi i) - \sum_i a i * xi i.
  by rewrite mulr_sumr -sumrB; apply: eq_bigr => i _ /=; multiply_out.
by rewrite /objective /bound !dotE (dotC (v a) w); multiply_out.
Qed.
Lemma no_term_is_negative w b xi a : allowed w b xi -> admissible a ->
  [/\ 0 <= ((w - v a) · (w - v a)) / 2%:R, forall i, 0 <= a i * (z w b i - 1 + xi i)
    & forall i, 0 <= (C - a i) * xi i].
Proof.
move=> all_allowed [box _]; split=> [|i|i]; first by rewrite divr_ge0 ?dot_ge0 ?ler0n.
  have /andP[a0 _] := box i; have [_ slack] := all_allowed i.
  by rewrite mulr_ge0 // -addrA [- 1 + _]addrC -[xi i - 1]opprB subr_ge0.
have /andP[_ aC] := box i; have [xi0 _] := all_allowed i.
by rewrite mulr_ge0 // subr_ge0.
Qed.

Theorem lower_bound w b xi a : allowed w b xi -> admissible a -> bound a <= objective w xi.
Proof.
move=> fits fair; have [square held room] := no_term_is_negative fits fair.
by rewrite -subr_ge0 (gap w b xi fair.2) !addr_ge0 ?sumr_ge0.
Qed.
Lemma hinge_allowed w b : allowed w b (hinge w b).
Proof.
move=> i; split; rewrite /hinge; first by rewrite le_maxr lexx.
by rewrite ler_subl_addr -ler_subl_addl le_maxr lexx orbT.
Qed.

Theorem zero_gap w b xi a : allowed w b xi -> admissible a ->
  objective w xi = bound a <->
  [/\ w = v a, forall i, a i * (z w b i - 1 + xi i) = 0 & forall i, (C - a i) * xi i = 0].
Proof.
move=> fits fair; have [square held room] := no_term_is_negative fits fair.
split=> [/eqP | [wv no_held no_room]].
  rewrite -subr_eq0 (gap w b xi fair.2) !paddr_eq0 ?addr_ge0 ?sumr_ge0 //.
  rewrite mulf_eq0 invr_eq0 pnatr_eq0 orbF dot_eq0 subr_eq0 !psumr_eq0 //.
  move=> /andP[/andP[/eqP wv /allP no_held] /allP no_room].
  by split=> // i; apply/eqP; [apply: no_held | apply: no_room]; rewrite mem_index_enum.
apply/eqP; rewrite -subr_eq0 (gap w b xi fair.2) wv subrr dot0l mul0r add0r -wv.
by rewrite !big1 ?addr0.
Qed.
End SoftMargin.
(* Numbers that satisfy all hypotheses are in the next proof, at four points of the text. *)
(* The card's numbers: the gap is 11, and without the square or the last products 9 or 2. *)
Notation x1 := (fun _ : 'I_1 => vector 1 [:: 3%:Q]). Notation y1 := (fun _ : 'I_1 => -1 : rat).
Notation w1 := (vector 1 [:: 2%:Q]). Notation xi1 := (fun _ : 'I_1 => 3%:Q).
Example the_card : let both := objective 3%:Q w1 xi1 in let square := (w1 · w1) / 2%:Q in
  let room := \sum_i (3%:Q - 0) * xi1 i in
  [/\ bound x1 y1 (fun=> 0) = 0, both = square + room & both <> room] /\ both <> square.
Proof. rewrite /= /objective /bound /v !big_ord_recl !big_ord0 !mul0r !scale0r !addr0 dot0l; with_numbers. Qed.
(* Wrong: weights that are not balanced. The objective is 0, and its supposed bound 1/2. *)
Example wrong_unbalanced (x := fun _ : 'I_1 => vector 1 [:: 1]) (y := fun _ : 'I_1 => 1 : rat) :
  let w := vector 1 [:: 0] in let xi : 'I_1 -> rat := fun=> 0 in
  allowed x y w 1 xi /\ ~ bound x y (fun=> 1) <= objective 1 w xi.
Proof. split; first by move=> i; rewrite /z vector_dot.
rewrite /bound /objective /v !big_ord_recl !big_ord0 !addr0 !mul1r scale1r; with_numbers. Qed.
