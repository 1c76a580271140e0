(** The training error of AdaBoost (thm-adaboost)
    Stated: both inequalities up to the product, its factors squared, for any rules with errors
    between 0 and 1, and the weights that the algorithm computes. An ordered field has no
    logarithm: a round brings the number a = e^alpha > 0 itself, with a^2 = (1 - e)/e, and a
    mistake of the vote, y F <= 0, is a loss e^(-y F) of at least 1. Not stated: the last
    inequality, which needs the exponential function; SymPy's card has it. *)
From Halfspaces Require Import Numbers Vectors.
Section AdaBoost.
Variables (F : realFieldType) (n : nat).
Implicit Types (D : 'I_n -> F) (correct : 'I_n -> bool) (rounds : seq (('I_n -> bool) * F)).
Add Ring numbers : (numbers F).

(* A round is given by the examples that its rule gets correct, and by the number e^alpha. *)
Definition error D correct := \sum_(i | ~~ correct i) D i.
Definition factor (round : ('I_n -> bool) * F) i := if round.1 i then round.2^-1 else round.2.
Definition Z D round := \sum_i D i * factor round i.
Definition next D round i := D i * factor round i / Z D round.

Fixpoint run D rounds := if rounds is (correct, a) :: later then
  [/\ 0 < error D correct < 1, 0 < a,
      a ^+ 2 = (1 - error D correct) / error D correct &
      run (next D (correct, a)) later]
  else True.
Fixpoint errors D rounds := if rounds is round :: later then
  error D round.1 :: errors (next D round) later else [::].
Fixpoint product D rounds := if rounds is round :: later then
  Z D round * product (next D round) later else 1.
Definition loss rounds i := \prod_(round <- rounds) factor round i.

Lemma Z_squared D correct a (e := error D correct) : \sum_i D i = 1 -> 0 < e < 1 ->
  0 < a -> a ^+ 2 = (1 - e) / e ->
  [/\ 0 < Z D (correct, a) & Z D (correct, a) ^+ 2 = 1 - (1 - e *+ 2) ^+ 2].
Proof.
move=> total /andP[e0 e1] a0 square.
have sum : Z D (correct, a) = (1 - e) * a^-1 + e * a.
  rewrite /Z (bigID correct) /= /factor /=.
  have -> : 1 - e = \sum_(i | correct i) D i by rewrite -total (bigID correct) /= addrK.
  rewrite !mulr_suml; congr (_ + _); apply: eq_bigr => i; first by move=> ->.
  by move/negPf => ->.
have cancel : e * a = (1 - e) * a^-1.
  apply: (mulIf (lt0r_neq0 a0)); rewrite -mulrA -expr2 square mulfVK ?gt_eqF //.
  by rewrite mulrC divfK // gt_eqF.
have Z2 : Z D (correct, a) = (e * a) *+ 2 by rewrite sum -cancel mulr2n.
split; first by rewrite Z2 pmulrn_lgt0 // mulr_gt0.
rewrite Z2; have -> : (e * a *+ 2) ^+ 2 = (e * (a ^+ 2 * e)) *+ 4.
  by rewrite (mulrnA _ 2 2); multiply_out.
rewrite square divfK ?gt_eqF // (mulrnA _ 2 2); multiply_out.
Qed.

Lemma next_sum D round : 0 < Z D round -> \sum_i next D round i = 1.
Proof. by move=> Z0; rewrite -mulr_suml divff // gt_eqF. Qed.

Lemma loss_gt0 D rounds i : run D rounds -> 0 < loss rounds i.
Proof.
elim: rounds D => [|[correct a] later IH] D /=; first by rewrite /loss big_nil ltr01.
move=> [_ a0 _ /IH positive]; rewrite /loss big_cons mulr_gt0 // /factor /=.
by case: ifP; rewrite ?invr_gt0.
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
rewrite -IH ?next_sum // mulr_sumr; apply: eq_bigr => i _; rewrite /loss big_cons /next.
by rewrite [RHS]mulrA [Z _ _ * _]mulrC divfK ?mulrA // gt_eqF.
Qed.

Theorem product_squared D rounds : \sum_i D i = 1 -> run D rounds ->
  product D rounds ^+ 2 = \prod_(e <- errors D rounds) (1 - (1 - e *+ 2) ^+ 2).
Proof.
elim: rounds D => [|[correct a] later IH] D total /=; first by rewrite big_nil expr1n.
move=> [between a0 square runs]; have [Z0 Z2] := Z_squared total between a0 square.
by rewrite exprMn Z2 IH ?next_sum // big_cons.
Qed.
End AdaBoost.

(* Five equal weights, a rule with one mistake, a = 2; wrong: the two factors exchanged. *)
Definition D (i : 'I_5) : rat := 1 / 5%:Q.
Definition rule (i : 'I_5) := i != ord0.
Ltac sums := rewrite /Z /error ?(bigID rule) /=; rewrite ?(big_mkcond, big_ord_recl, big_ord0) /=.
Example one_round : run D [:: (rule, 2%:Q)].
Proof. by rewrite /= /error big_mkcond !big_ord_recl big_ord0; vm_compute. Qed.

Example wrong_exchanged : Z D (rule, 2%:Q) ^+ 2 = 16%:Q / 25%:Q /\ Z D (rule, 1 / 2%:Q) ^+ 2 <> 16%:Q / 25%:Q.
Proof. rewrite /Z !big_ord_recl !big_ord0; with_numbers. Qed.
