(** The perceptron stops, and separates (thm-novikoff)
    Stated: the last sentence of the theorem. The rule goes over passes, each of them all the
    examples in any order, each at least once. Some pass is clean, which means without an update,
    and after a clean pass w is right everywhere. F is now an Archimedean field, as the rational
    and the real numbers are: in a larger one the bound could exceed every whole number. *)
From Halfspaces Require Import Numbers Vectors Novikoff.

Section Perceptron.
Variables (F : archiFieldType) (d : nat).

Lemma a_clean_pass (state : 'rV[F]_d * nat) examples : let after := foldl update state examples in
  (state.2 <= after.2)%N /\
  (after.2 = state.2 ->
    after = state /\ forall x y, (x, y) \in examples -> 0 < y * (state.1 · x)).
Proof.
elim: examples state => [|[x y] examples later] [w t] //=.
case: ifP => mistake; last first.
  have [more clean] := later (w, t); split=> // /clean[-> right]; split=> // x' y'.
  by rewrite inE => /orP[/eqP[-> ->] | /right //]; rewrite ltNge mistake.
have [more _] := later (w + y *: x, t.+1); split=> [|same]; first exact: ltnW.
by move: more; rewrite same ltnn.
Qed.
Fixpoint stream (passes : nat -> seq ('rV[F]_d * F)) k :=
  if k is j.+1 then stream passes j ++ passes j else [::].

Theorem it_stops w_star gamma R examples
    (passes : nat -> seq ('rV[F]_d * F)) : w_star · w_star = 1 -> 0 < gamma ->
  keeps_room w_star gamma (R ^+ 2) examples -> (forall k, passes k =i examples) ->
  let after k := perceptron 0 (stream passes k) in
  (exists k, (after k.+1).2 = (after k).2) /\
  forall k, (after k.+1).2 = (after k).2 ->
    after k.+1 = after k /\ forall x y, (x, y) \in examples -> 0 < y * ((after k).1 · x).
Proof.
move=> unit gamma0 room same after.
have next k : after k.+1 = foldl update (after k) (passes k) by rewrite /after /perceptron foldl_cat.
split=> [|k clean]; last first.
  have [_] := a_clean_pass (after k) (passes k); rewrite -next => /(_ clean)[stays right].
  by split=> // x y seen; apply: right; rewrite same.
have bounded k : (after k).2%:R <= R ^+ 2 / gamma ^+ 2.
  apply: novikoff unit gamma0 _ => x y seen; apply: room.
  elim: k seen => //= k before; rewrite mem_cat => /orP[/before //|]; by rewrite same.
pose N := Num.bound (R ^+ 2 / gamma ^+ 2).
have [/existsP[k /eqP clean] | never] := boolP [exists k : 'I_N, (after k.+1).2 == (after k).2].
  by exists k.
have many k : (k <= N)%N -> (k <= (after k).2)%N.
  elim: k => // k before kN; apply: leq_ltn_trans (before (ltnW kN)) _.
  have [grows _] := a_clean_pass (after k) (passes k); rewrite next ltn_neqAle grows andbT eq_sym -next.
  by have := never; rewrite negb_exists => /forallP /(_ (Ordinal kN)).
have := le_lt_trans (bounded N) (archi_boundP (divr_ge0 (sqr_ge0 R) (sqr_ge0 gamma))).
by rewrite ltr_nat ltnNge many.
Qed.
End Perceptron.

(* The four points of the text, over and over: the third pass is clean. *)
Notation after := (fun k => perceptron 0 (stream (fun=> points 2 four) k)).
Example the_third_pass_is_clean : [/\ (after 1%N).2 = 3%N, (after 2%N).2 = 5%N & (after 3%N).2 = 5%N].
Proof.
have lists k : stream (fun=> points 2 four) k = points 2 (iter k (cat^~ four) [::]).
  by elim: k => //= k ->; rewrite /points map_cat.
by rewrite /perceptron !lists vector0 !computed; split; vm_compute.
Qed.

(* Wrong, without room: one point with both labels, for which no w is right. *)
Example wrong_without_room (w : 'rV[rat]_1) (examples := points 1 [:: ([:: 1], 1); ([:: 1], -1)]) :
  ~ forall x y, (x, y) \in examples -> 0 < y * (w · x).
Proof.
move=> right; pose x := vector 1 [:: 1]; have [] : 0 < 1 * (w · x) /\ 0 < -1 * (w · x).
  by split; apply: right; rewrite !inE eqxx ?orbT.
by rewrite mul1r mulN1r oppr_gt0 => /lt_trans below /below; rewrite ltxx.
Qed.
