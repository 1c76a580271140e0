(** The training error of AdaBoost (thm-adaboost)
    Stated: the first inequality; the mean loss is the product of the Z; this product is positive,
    and its square is the product of the 1 - r^2; for any rules, with the weights of the
    algorithm. An ordered field has no logarithm: each round has a number a = e^alpha > 0 with
    a^2 = (1 - e)/e, and a mistake of the vote, y F <= 0, is a loss e^(-y F) of at least 1.
    Not stated: the last inequality, which SymPy's card has for one squared factor; and that a
    exists, which may need a root. The example is one round, not a whole run. *)
From Halfspaces Require Import Numbers Vectors.
Section AdaBoost.
Variables (F : realFieldType) (n : nat).
Implicit Types (D : 'I_n -> F) (correct : 'I_n -> bool) (rounds : seq (('I_n -> bool) * F)).
Add Ring numbers : (numbers F).
(* A round is given by the examples that its rule gets correct, and by the number e^alpha. *)
Definition weighted_error D correct := \sum_(i | ~~ correct i) D i.
Definition factor (round : ('I_n -> bool) * F) i := if round.1 i then round.2^-1 else round.2.
Definition Z D round := \sum_i D i * factor round i.
Definition next_weights D round i := D i * factor round i / Z D round.

Fixpoint run D rounds := if rounds is (correct, a) :: later then let e := weighted_error D correct in
  [/\ 0 < e < 1, 0 < a, a ^+ 2 = (1 - e) / e & run (next_weights D (correct, a)) later] else True.
Fixpoint errors D rounds := if rounds is round :: later then
  weighted_error D round.1 :: errors (next_weights D round) later else [::].
Fixpoint product D rounds := if rounds is round :: later then
  Z D round * product (next_weights D round) later else 1.
Definition loss rounds i := \prod_(round <- rounds) factor round i.

Lemma Z_squared D correct a (e := weighted_error D correct) : \sum_i D i = 1 -> 0 < e < 1 ->
  0 < a -> a ^+ 2 = (1 - e) / e ->
  [/\ 0 < Z D (correct, a) & Z D (correct, a) ^+ 2 = 1 - (1 - e *+ 2) ^+ 2].
Proof.
move=> total /andP[e0 e1] a0 square.
have sum : Z D (correct, a) = (1 - e) * a^-1 + e * a.
  rewrite /Z (bigID correct) /= /factor /=.
  have -> : 1 - e = \sum_(i | correct i) D i by rewrite -total (bigID correct) /= addrK.
  rewrite !mulr_suml; congr (_ + _); apply: eq_bigr => i; [by move=> -> | by move/negPf => ->].
have cancel : e * a = (1 - e) * a^-1.
  apply: (mulIf (lt0r_neq0 a0)); rewrite -mulrA -expr2 square mulfVK ?gt_eqF //.
  by rewrite mulrC divfK // gt_eqF.
rewrite sum -cancel; split; first by rewrite addr_gt0 ?mulr_gt0.
have -> : (e * a + e * a) ^+ 2 = (e * (a ^+ 2 * e) *+ 2) *+ 2 by multiply_out.
rewrite square divfK ?gt_eqF //; multiply_out.
Qed.
Lemma next_sum D round : 0 < Z D round -> \sum_i next_weights D round i = 1.
Proof. by move=> Z0; rewrite -mulr_suml divff // gt_eqF. Qed.

Lemma loss_gt0 D rounds i : run D rounds -> 0 < loss rounds i.
Proof.
elim: rounds D => [|[correct a] later IH] D /=; first by rewrite /loss big_nil ltr01.
by move=> [_ a0 _ /IH p]; rewrite /loss big_cons mulr_gt0 // /factor; case: ifP; rewrite ?invr_gt0.
Qed.

Theorem training_error D rounds : (forall i, 0 < D i) -> run D rounds ->
  \sum_(i | 1 <= loss rounds i) D i <= \sum_i D i * loss rounds i.
Proof.
move=> D0 runs; rewrite [leRHS](bigID (fun i => 1 <= loss rounds i)) /= -[leLHS]addr0.
have positive i : 0 < loss rounds i by apply: loss_gt0 runs.
apply: ler_add; first by apply: ler_sum => i mistake; rewrite ler_pmulr.
by apply: sumr_ge0 => i _; rewrite ltW // mulr_gt0.
Qed.

Theorem loss_is_the_product D rounds : \sum_i D i = 1 -> run D rounds ->
  \sum_i D i * loss rounds i = product D rounds.
Proof.
elim: rounds D => [|[correct a] later IH] D total /=.
  by move=> _; rewrite -[RHS]total; apply: eq_bigr => i _; rewrite /loss big_nil mulr1.
move=> [between a0 square runs]; have [Z0 _] := Z_squared total between a0 square.
rewrite -IH ?next_sum // mulr_sumr; apply: eq_bigr => i _; rewrite /loss big_cons /next_weights.
by rewrite [RHS]mulrA [Z _ _ * _]mulrC divfK ?mulrA // gt_eqF.
Qed.

Theorem product_squared D rounds : \sum_i D i = 1 -> run D rounds ->
  0 < product D rounds /\ product D rounds ^+ 2 = \prod_(e <- errors D rounds) (1 - (1 - e *+ 2) ^+ 2).
Proof.
elim: rounds D => [|[correct a] later IH] D total /=; first by rewrite big_nil expr1n ltr01.
move=> [between a0 square runs]; have [Z0 Z2] := Z_squared total between a0 square.
by have [p0 p2] := IH _ (next_sum Z0) runs; rewrite mulr_gt0 // exprMn Z2 p2 big_cons.
Qed.
End AdaBoost.

(* Five equal weights, a rule with one mistake, a = 2.  Wrong: the two factors exchanged. *)
Definition D (i : 'I_5) : rat := 1 / 5%:Q.
Definition rule (i : 'I_5) := i != ord0.
Example one_round : [/\ forall i, 0 < D i, \sum_i D i = 1 & run D [:: (rule, 2%:Q)]].
Proof.
split=> //; first by rewrite !big_ord_recl big_ord0; vm_compute.
by rewrite /= /weighted_error big_mkcond !big_ord_recl big_ord0; vm_compute.
Qed.
Example wrong_exchanged (right_side := 16%:Q / 25%:Q) :
  Z D (rule, 2%:Q) ^+ 2 = right_side /\ Z D (rule, 1 / 2%:Q) ^+ 2 <> right_side.
Proof. rewrite /Z !big_ord_recl !big_ord0; with_numbers. Qed.
