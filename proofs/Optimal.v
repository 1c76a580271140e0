(** The conditions of Karush, Kuhn and Tucker are enough (thm-svm-optimal)
    Stated: for admissible weights the gap is zero exactly under the printed conditions, and
    then (w, b) is a minimizer. The objective is the sum form, which is J divided by lambda.
    Not stated here: "only if"; the card "Optimal, if and only if the gap is zero" has it. *)
From Halfspaces Require Import Numbers Vectors SoftMargin.
Section Optimal.
Variables (F : realFieldType) (d n : nat) (x : 'I_n -> 'rV[F]_d) (y : 'I_n -> F) (C : F).
Implicit Types (w : 'rV[F]_d) (b : F) (a : 'I_n -> F).
Add Ring numbers : (numbers F).
Notation z := (z x y). Notation hinge := (hinge x y).
Notation J w b := (objective C w (hinge w b)).

Definition conditions w b a := w = v x y a /\
  forall i, (1 < z w b i -> a i = 0) /\ (z w b i < 1 -> a i = C).
Definition minimizes w b := forall w' b', J w b <= J w' b'.

Theorem gap_zero_iff_conditions w b a : admissible y C a ->
  J w b = bound x y a <-> conditions w b a.
Proof.
move=> fair; rewrite (zero_gap (hinge_allowed x y w b) fair) /conditions /hinge.
split=> [[wv held room] | [wv cases]].
  split=> // i; split=> [above | below].
    have := held i; rewrite max_l ?subr_le0 ?ltW // addr0 => /eqP.
    by rewrite mulf_eq0 subr_eq0 (gt_eqF above) orbF => /eqP.
  have := room i; rewrite max_r ?subr_ge0 ?ltW // => /eqP.
  by rewrite mulf_eq0 !subr_eq0 (gt_eqF below) orbF => /eqP.
split=> // i; have [zero full] := cases i; case: (ltgtP (z w b i) 1) => at_z.
  by rewrite max_r ?subr_ge0 ?ltW // addrA subrK subrr mulr0.
  by rewrite zero // mul0r.
  by rewrite at_z subrr maxxx addr0 mulr0.
  by rewrite full // subrr mul0r.
  by rewrite max_l ?subr_le0 ?ltW // mulr0.
  by rewrite at_z subrr maxxx mulr0.
Qed.

Theorem conditions_suffice w b a : admissible y C a -> conditions w b a -> minimizes w b.
Proof.
move=> fair /(gap_zero_iff_conditions w b fair) equal w' b'; rewrite equal.
exact: lower_bound (hinge_allowed x y w' b') fair.
Qed.
End Optimal.

(* The four points of the text, solved by hand. *)
Definition x4 (i : 'I_4) := vector 2 (nth [::] [:: [:: 2%:Q; 1]; [:: 2%:Q; -1]; [:: 0; 0]; [:: -1; 1]] i).
Definition y4 (i : 'I_4) : rat := nth 0 [:: 1; 1; -1; -1] i.
Definition a4 (i : 'I_4) : rat := nth 0 [:: 1 / 5%:Q; 1 / 5%:Q; 2%:Q / 5%:Q; 0] i.
Notation w4 := (vector 2 [:: 4%:Q / 5%:Q; 0]).
Example by_hand : admissible y4 (2%:Q / 5%:Q) a4 /\
  conditions x4 y4 (2%:Q / 5%:Q) w4 (- (3%:Q / 5%:Q)) a4.
Proof.
split; split.
  by case=> -[|[|[|[|//]]]].
  rewrite !big_ord_recl big_ord0; with_numbers.
  rewrite /v !big_ord_recl big_ord0 addr0 /x4 /= !vectorZ !vectorS; with_numbers.
by case=> -[|[|[|[|//]]]] i4; rewrite /z /x4 vector_dot; split=> h; apply/eqP; move: h;
  apply/implyP; vm_compute.
Qed.
