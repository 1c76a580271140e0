(** Novikoff's theorem (thm-novikoff)
    Stated: the bound for every list of examples, in any order and with repetitions, over any
    ordered field, as the rational or the real numbers; the first theorem from any start w0.
    It counts the updates of the algorithm itself. R is any number with x · x <= R^2
    for all examples, where the text has the maximum of their lengths.
    Not stated here, but in "The perceptron stops": that a pass without an update comes. *)
From Halfspaces Require Import Numbers Vectors.
Section Perceptron. Variables (F : realFieldType) (d : nat).
Implicit Types (w x : 'rV[F]_d) (y gamma R : F) (examples : seq ('rV[F]_d * F)).
Add Ring numbers : (numbers F).
(* One step of the algorithm, and a run, which ends with w and the number of its updates. *)
Definition update (state : 'rV[F]_d * nat) (example : 'rV[F]_d * F) :=
  let: (w, t) := state in let: (x, y) := example in
  if y * (w · x) <= 0 then (w + y *: x, t.+1) else (w, t).
Definition perceptron w0 examples := foldl update (w0, 0%N) examples.
(* Each example has the label 1 or -1, room gamma on its own side of w, and x · x at most R2. *)
Definition keeps_room w gamma R2 examples := forall x y, (x, y) \in examples ->
  [/\ y = 1 \/ y = -1, gamma <= y * (w · x) & x · x <= R2].
(* "Along" and "Length" of the proof below, after any list of examples. *)
Theorem race_of_two_lengths w_star gamma R2 w0 examples : keeps_room w_star gamma R2 examples ->
  let: (w, t) := perceptron w0 examples in
  w0 · w_star + t%:R * gamma <= w · w_star /\ w · w <= w0 · w0 + t%:R * R2.
Proof.
rewrite /perceptron; elim/last_ind: examples => [|examples [x y] before] room.
  by rewrite /= !mul0r !addr0.
have /before : keeps_room w_star gamma R2 examples.
  by move=> x' y' seen; apply: room; rewrite mem_rcons inE seen orbT.
have [|sign margin radius] := room x y; first by rewrite mem_rcons mem_head.
rewrite foldl_rcons /update; case: (foldl _ _ _) => w_old t_old [along length].
case: ifP => // mistake; rewrite mulrSr !mulrDl !mul1r !addrA; split.
  by rewrite !dotE (dotC x); apply: ler_add.
have square : y * y = 1 by case: sign => ->; rewrite ?mulrNN mulr1.
have -> : (w_old + y *: x) · (w_old + y *: x) =
    w_old · w_old + x · x * (y * y) + (y * (w_old · x)) *+ 2.
  by rewrite !dotE (dotC x w_old); multiply_out.
by rewrite square mulr1 -[leRHS]addr0; apply: ler_add; [apply: ler_add | rewrite mulrn_wle0].
Qed.
(* "Together", multiplied by t so that no root is needed, for a w_star of any length. *)
Theorem with_any_length w_star gamma R2 examples :
  0 <= R2 -> 0 < gamma -> keeps_room w_star gamma R2 examples ->
  (perceptron 0 examples).2%:R <= R2 * (w_star · w_star) / gamma ^+ 2.
Proof.
move=> R2_nonnegative gamma_positive room; have := race_of_two_lengths 0 room.
case: (perceptron 0 examples) => w t; rewrite !dot0l !add0r => -[along length] /=.
rewrite ler_pdivl_mulr ?exprn_gt0 //; have [-> | t_positive] := posnP t.
  by rewrite mul0r mulr_ge0 ?dot_ge0.
rewrite -(@ler_pmul2l _ t%:R) ?ltr0n // [leRHS]mulrA.
apply: le_trans (ler_wpmul2r (dot_ge0 _) length).
apply: le_trans (cauchy_schwarz w w_star).
have -> : t%:R * (t%:R * gamma ^+ 2) = (t%:R * gamma) ^+ 2 by multiply_out.
by rewrite ler_pexpn2r // nnegrE ?(le_trans _ along) // mulr_ge0 ?ler0n // ltW.
Qed.
Theorem novikoff w_star gamma R examples :
  w_star · w_star = 1 -> 0 < gamma -> keeps_room w_star gamma (R ^+ 2) examples ->
  (perceptron 0 examples).2%:R <= R ^+ 2 / gamma ^+ 2.
Proof. by move=> unit positive /(with_any_length (sqr_ge0 R) positive); rewrite unit mulr1. Qed.
End Perceptron.
(* The four points of the text, and a separator of length 1 with rational entries. *)
Definition points d (data : seq (seq rat * rat)) := [seq (vector d e.1, e.2) | e <- data].
Definition four : seq (seq rat * rat) :=
  [:: ([:: -1; 0], -1); ([:: 1; 2%:Q], -1); ([:: 2%:Q; 1], 1); ([:: 1; 0], 1)].
Example the_hypotheses_hold :
  let w_star := vector 2 [:: 3%:Q / 5%:Q; - (4%:Q / 5%:Q)] in let gamma := 2%:Q / 5%:Q in
  [/\ w_star · w_star = 1, 0 < gamma & keeps_room w_star gamma ((9%:Q / 4%:Q) ^+ 2) (points 2 four)].
Proof. split; [with_numbers | with_numbers |].
move=> x y; rewrite !inE => /or4P[] /eqP[-> ->]; with_numbers.
Qed.
(* The same run with lists of numbers, which Coq computes. *)
Definition by_lists d (state : seq rat * nat) (e : seq rat * rat) :=
  let: (w, t) := state in let: (x, y) := e in
  if y * products d w x <= 0 then (mkseq (fun j => nth 0 w j + y * nth 0 x j) d, t.+1) else (w, t).
Lemma computed d w t data : foldl update (vector d w, t) (points d data) =
  let: (v, k) := foldl (by_lists d) (w, t) data in (vector d v, k).
Proof. elim: data w t => [|[x y] data later] w t //=.
by rewrite vector_dot; case: ifP => _; rewrite ?vectorD later.
Qed.
(* So `perceptron` is not a definition that never updates: twelve examples, five updates. *)
Example five_updates : (perceptron 0 (points 2 (four ++ four ++ four))).2 = 5%N.
Proof. by rewrite /perceptron vector0 computed; vm_compute. Qed.
(* Wrong versions: the bound for another start, and those of the card, at its numbers. *)
Example wrong_from_any_start : let examples := points 1 (nseq 20 ([:: 1], 1)) in
  keeps_room (vector 1 [:: 1]) 1 (1 ^+ 2) examples /\
  ~ (perceptron (vector 1 [:: -10%:Q]) examples).2%:R <= 1 ^+ 2 / 1 ^+ 2 :> rat.
Proof. split; last by rewrite /perceptron computed; vm_compute.
move=> x y; rewrite /points map_nseq mem_nseq => /eqP[-> ->]; with_numbers.
Qed.
Local Notation w := (vector 1 [:: 1]). Local Notation x := (vector 1 [:: 1]).
Example the_card_s_numbers : w · w <= 1 /\ -1 * (w · x) <= 0 /\ x · x <= 1 /\
  ~ (w + 1 *: x) · (w + 1 *: x) <= 2%:Q /\ ~ (w + - -1 *: x) · (w + - -1 *: x) <= 2%:Q.
Proof. with_numbers. Qed.
