(** A vacuous theorem, which Coq accepts (coq-vacuous)
    The first attempt at Novikoff's theorem, and the proof that nothing satisfies its
    hypotheses. They speak of a run without end, which the theorem itself excludes. F is
    Archimedean: in a larger field the bound could exceed every whole number. *)
From Halfspaces Require Import Numbers Vectors Novikoff.
Section Vacuous.
Variables (F : archiFieldType) (d : nat) (w x : nat -> 'rV[F]_d) (y : nat -> F).
Variables (w_star : 'rV[F]_d) (gamma R : F).
Hypotheses (start : w 0%N = 0) (unit_length : w_star · w_star = 1) (positive : 0 < gamma).
Hypothesis mistake : forall t, y t * (w t · x t) <= 0.
Hypothesis step : forall t, w t.+1 = w t + y t *: x t.
Hypothesis label : forall t, y t = 1 \/ y t = -1.
Hypothesis margin : forall t, gamma <= y t * (w_star · x t).
Hypothesis radius : forall t, x t · x t <= R ^+ 2.

Theorem at_most_so_many_updates k : k%:R <= R ^+ 2 / gamma ^+ 2.
Proof.
pose examples := [seq (x t, y t) | t <- iota 0 k].
have room : keeps_room w_star gamma (R ^+ 2) examples by move=> _ _ /mapP[t _ [-> ->]].
have run : perceptron 0 examples = (w k, k).
  rewrite /perceptron /examples -start; elim: k {examples room} => // k run.
  by rewrite -[X in iota _ X]addn1 iotaD map_cat foldl_cat run /= mistake step.
by have := novikoff unit_length positive room; rewrite run.
Qed.

Theorem but_there_is_no_such_run : False.
Proof.
have := archi_boundP (divr_ge0 (sqr_ge0 R) (sqr_ge0 gamma)).
by rewrite ltNge at_most_so_many_updates.
Qed.
End Vacuous.
