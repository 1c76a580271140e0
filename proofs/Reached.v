(** The bound of Novikoff is reached (ex-reach-bound)
    Stated: on any list of examples that are perpendicular to each other, have one length R and
    the label +1, the first pass ends with the sum u of the examples, and the number of updates
    is the number of examples. If the list is not empty, u classifies all of them correctly, so
    no update follows, and the squared margin along u makes R^2 / gamma^2 this number. Squares
    avoid the root of u · u. Not stated: that no margin is larger; it follows, because Novikoff's
    bound would be below the number of updates. *)
From Halfspaces Require Import Numbers Vectors Novikoff.
Section Reached.
Variables (F : realFieldType) (d : nat) (R : F).
Hypothesis R0 : 0 < R.
Implicit Types (w x u : 'rV[F]_d) (xs others : seq 'rV[F]_d).

Fixpoint perpendicular xs := if xs is x :: others then
  [/\ x · x = R ^+ 2, {in others, forall x', x · x' = 0} & perpendicular others] else True.
Notation examples xs := [seq (x, 1) | x <- xs].
Notation added xs := (\sum_(x <- xs) x).

Lemma run w t xs : perpendicular xs -> {in xs, forall x, w · x = 0} ->
  foldl update (w, t) (examples xs) = (w + added xs, (t + size xs)%N).
Proof.
elim: xs w t => [|x xs later] w t /=; first by rewrite big_nil addr0 addn0.
move=> [length apart others] zero; rewrite zero ?mem_head // mulr0 lexx scale1r later //.
  by rewrite big_cons addrA addSnnS.
by move=> x' seen; rewrite dotE apart // zero ?addr0 // inE seen orbT.
Qed.

Theorem one_update_for_each_example xs : perpendicular xs ->
  perceptron 0 (examples xs) = (added xs, size xs).
Proof. by move=> apart; rewrite /perceptron run ?add0r // => x _; rewrite dot0l. Qed.

Lemma along xs x : perpendicular xs -> x \in xs -> added xs · x = R ^+ 2.
Proof.
have none v others : {in others, forall x', v · x' = 0} -> v · added others = 0.
  move=> zero; rewrite (big_morph (dot v) (id1 := 0) (op1 := +%R)) => [|a b|]; rewrite ?dotE //.
  by rewrite big1_seq // => x' /andP[_ /zero].
elim: xs => //= x' others later [length apart rest]; rewrite big_cons dotE inE.
move=> /orP[/eqP -> | seen]; first by rewrite length dotC none ?addr0 // => z /apart; rewrite dotC.
by rewrite apart // add0r later.
Qed.

Theorem the_bound_is_this_number xs (u := added xs) : perpendicular xs -> xs != [::] ->
  (forall x, x \in xs -> 0 < u · x) /\
  forall x, x \in xs -> R ^+ 2 / ((u · x) ^+ 2 / (u · u)) = (size xs)%:R.
Proof.
move=> apart some; have R2 : 0 < R ^+ 2 by rewrite exprn_gt0.
have uu : u · u = (size xs)%:R * R ^+ 2.
  rewrite {2}/u (big_morph (dot u) (id1 := 0) (op1 := +%R)) => [|a b|]; rewrite ?dotE //.
  rewrite (eq_big_seq (fun=> R ^+ 2)) => [|x seen]; last exact: along.
  by rewrite big_const_seq count_predT iter_addr_0 mulr_natl.
split=> x seen; rewrite along // uu; move: (R ^+ 2) R2 => r r0.
have r2 : r ^+ 2 != 0 by rewrite expf_neq0 // gt_eqF.
by apply: (mulIf r2); rewrite invf_div -mulrA divfK // mulrCA -expr2.
Qed.
End Reached.

(* Four examples of length 7: four updates, and R^2 / gamma^2 = 4. *)
Example four_examples : perpendicular 7%:Q [seq vector 4 e | e <-
  [:: [:: 7%:Q; 0; 0; 0]; [:: 0; 7%:Q; 0; 0]; [:: 0; 0; 7%:Q; 0]; [:: 0; 0; 0; 7%:Q]]].
Proof.
rewrite /=; do !split; try (by with_numbers); move=> x; rewrite ?inE //;
  by do ?[case/orP]; move/eqP => ->; with_numbers.
Qed.
