(** The perceptron stops, and separates (thm-novikoff)
    Stated: the last sentences of the theorem. The rule goes over passes, each of them all the
    examples in any order and any number; after some pass it is right everywhere. F is now an
    Archimedean field, as the rational and the real numbers are: in a larger one the bound
    could exceed every whole number. *)
From Halfspaces Require Import Numbers Vectors Novikoff.

Section Perceptron.
Variables (F : archiFieldType) (d : nat).

Lemma a_pass (state : 'rV[F]_d * nat) examples : let after := foldl update state examples in
  (state.2 <= after.2)%N /\
  (after.2 = state.2 -> forall x y, (x, y) \in examples -> 0 < y * (state.1 · x)).
Proof.
elim: examples state => [|[x y] examples later] [w t] //=.
case: ifP => mistake; last first.
  have [more clean] := later (w, t); split=> // /clean right x' y'.
  by rewrite inE => /orP[/eqP[-> ->] | /right //]; rewrite ltNge mistake.
have [more _] := later (w + y *: x, t.+1); split=> [|same]; first exact: ltnW.
by move: more; rewrite same ltnn.
Qed.
Fixpoint stream (passes : nat -> seq ('rV[F]_d * F)) k :=
  if k is j.+1 then stream passes j ++ passes j else [::].

Theorem it_stops w_star gamma R examples
    (passes : nat -> seq ('rV[F]_d * F)) : w_star · w_star = 1 -> 0 < gamma ->
  keeps_room w_star gamma R examples -> (forall k, passes k =i examples) ->
  exists k, forall x y, (x, y) \in examples -> 0 < y * ((perceptron 0 (stream passes k)).1 · x).
Proof.
move=> unit gamma0 room same.
pose after k := perceptron 0 (stream passes k).
have next k : after k.+1 = foldl update (after k) (passes k) by rewrite /after /perceptron foldl_cat.
have bounded k : (after k).2%:R <= R ^+ 2 / gamma ^+ 2.
  apply: novikoff unit gamma0 _ => x y seen; apply: room.
  elim: k seen => //= k before; rewrite mem_cat => /orP[/before //|]; by rewrite same.
pose N := Num.bound (R ^+ 2 / gamma ^+ 2).
have [/existsP[k /eqP clean] | never] := boolP [exists k : 'I_N, (after k.+1).2 == (after k).2].
  exists k => x y seen; have [_] := a_pass (after k) (passes k); rewrite -next => right.
  by apply: right; rewrite ?same.
have many k : (k <= N)%N -> (k <= (after k).2)%N.
  elim: k => // k before kN; apply: leq_ltn_trans (before (ltnW kN)) _.
  have [grows _] := a_pass (after k) (passes k); rewrite next ltn_neqAle grows andbT eq_sym -next.
  by have := never; rewrite negb_exists => /forallP /(_ (Ordinal kN)).
have := le_lt_trans (bounded N) (archi_boundP (divr_ge0 (sqr_ge0 R) (sqr_ge0 gamma))).
by rewrite ltr_nat ltnNge many.
Qed.
End Perceptron.
