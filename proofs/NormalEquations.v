(** The normal equations (thm-normal-equations)
    Stated: the whole theorem, both directions, for any number of examples and features, over
    any ordered field. The matrix X is given by its rows x_i, so X'X w is the sum of the
    (w . x_i) x_i, and Xv = 0 says that every v . x_i is 0. Nothing is left out. *)
From Halfspaces Require Import Numbers Vectors.
Section LeastSquares.
Variables (F : realFieldType) (d n : nat) (x : 'I_n -> 'rV[F]_d) (y : 'I_n -> F).
Implicit Types (w v : 'rV[F]_d).
Add Ring numbers : (numbers F).

Definition sum_of_squares w := \sum_i (y i - w · x i) ^+ 2.
Definition normal w := \sum_i (w · x i) *: x i = \sum_i y i *: x i.
Definition minimizes w := forall v, sum_of_squares w <= sum_of_squares v.

Definition half_gradient w := \sum_i (w · x i) *: x i - \sum_i y i *: x i.
Lemma a_step w v :
  sum_of_squares (w + v) = sum_of_squares w + (v · half_gradient w) *+ 2 + \sum_i (v · x i) ^+ 2.
Proof.
have -> : v · half_gradient w = \sum_i (v · x i) * (w · x i - y i).
  rewrite /half_gradient -sumrB dot_sum; apply: eq_bigr => i _.
  by rewrite !dotE; multiply_out.
rewrite -mulr_natr mulr_suml -!big_split; apply: eq_bigr => i _ /=.
by rewrite mulr_natr !dotE; multiply_out.
Qed.

Theorem normal_equations w : minimizes w <-> normal w.
Proof.
have -> : normal w <-> half_gradient w = 0.
  by rewrite /normal /half_gradient; split=> /eqP; [| rewrite subr_eq0 => /eqP] => // /eqP ->; rewrite subrr.
split=> [least | zero v]; last first.
  rewrite -(subrK w v) addrC a_step zero dot0r mul0rn addr0 ler_addl.
  by apply: sumr_ge0 => i _; rewrite sqr_ge0.
set g := half_gradient w; apply/eqP; rewrite -dot_eq0 eq_le dot_ge0 andbT leNgt.
apply/negP => gg; pose q := \sum_i (g · x i) ^+ 2.
have q0 : 0 <= q by apply: sumr_ge0 => i _; rewrite sqr_ge0.
have [e e0 eq] : exists2 e, 0 < e & e * q = g · g - e * (g · g).
  exists ((g · g) / (g · g + q)); first by rewrite divr_gt0 // ltr_paddr.
  by apply/eqP; rewrite eq_sym subr_eq -mulrDr [q + _]addrC divfK // gt_eqF // ltr_paddr.
have := least (w + (- e) *: g); rewrite a_step -addrA ler_addl leNgt => /negP; apply.
have -> : \sum_i ((- e *: g) · x i) ^+ 2 = e * (e * q).
  by rewrite !mulr_sumr; apply: eq_bigr => i _; rewrite dotE; multiply_out.
rewrite eq dotZl -/g -oppr_gt0.
have -> : - ((- e * (g · g)) *+ 2 + e * (g · g - e * (g · g))) = e * (g · g) + e * e * (g · g).
  by multiply_out.
by rewrite addr_gt0 ?mulr_gt0.
Qed.

Theorem all_minimizers w v : normal w -> (minimizes (w + v) <-> forall i, v · x i = 0).
Proof.
move=> normal_w; have step : sum_of_squares (w + v) = sum_of_squares w + \sum_i (v · x i) ^+ 2.
  by rewrite a_step /half_gradient normal_w subrr dot0r mul0rn addr0.
have square0 i : 0 <= (v · x i) ^+ 2 by rewrite sqr_ge0.
split=> [least i | zero u]; last first.
  rewrite step big1 => [|i _]; last by rewrite zero expr0n.
  by rewrite addr0; move/normal_equations: normal_w; apply.
have := least w; rewrite step -[leRHS]addr0 ler_add2l => low.
have /eqP : \sum_i (v · x i) ^+ 2 = 0 by apply/eqP; rewrite eq_le low sumr_ge0.
by rewrite psumr_eq0 // => /allP /(_ i (mem_index_enum i)); rewrite sqrf_eq0 => /eqP.
Qed.
End LeastSquares.

(* One example, and the wrong versions of the card at its numbers: 16, 28 and -8 for 40. *)
Notation x := (fun _ : 'I_1 => vector 1 [:: 2%:Q]). Notation y := (fun _ : 'I_1 => -1 : rat).
Notation w := (vector 1 [:: 1]). Notation v := (vector 1 [:: 2%:Q]).
Example a_solution : normal x y (vector 1 [:: - (1 / 2%:Q)]).
Proof. rewrite /normal !big_ord_recl !big_ord0 !addr0 vector_dot; congr (_ *: _); with_numbers. Qed.

Example the_card (square : rat := 16%:Q) (mixed : rat := 12%:Q) :
  let added := sum_of_squares x y (w + 1 *: v) - sum_of_squares x y w in
  [/\ added = square + mixed *+ 2, added <> square & added <> square + mixed] /\
  added <> square - mixed *+ 2.
Proof. rewrite /sum_of_squares !big_ord_recl !big_ord0; with_numbers. Qed.
