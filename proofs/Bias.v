(** The perceptron with a bias (thm-bias)
    Stated: the bound for the examples with a constant c > 0 appended, in any order and with
    repetitions, and its last sentence, for c = R0 > 0 and both classes. R0 is any number that
    no length exceeds, over any ordered field. It follows from `with_any_length`, in the
    card of Novikoff's theorem, for separators of any length, because a root need not exist in the field.
    Not stated: which constant makes the bound smallest, which the card of SymPy shows. *)
From Halfspaces Require Import Numbers Vectors Novikoff.
Section Bias.
Variables (F : realFieldType) (d : nat).
Implicit Types (w x : 'rV[F]_d) (b c gamma R : F) (examples : seq ('rV[F]_d * F)).
Add Ring numbers : (numbers F).

Definition with_constant c x : 'rV[F]_(d + 1) := row_mx x (const_mx c).
Definition longer c examples := [seq (with_constant c e.1, e.2) | e <- examples].
Definition separates w b gamma R examples := forall x y, (x, y) \in examples ->
  [/\ y = 1 \/ y = -1, gamma <= y * (w · x + b) & x · x <= R ^+ 2].

Lemma product b c w x : with_constant b w · with_constant c x = w · x + b * c.
Proof.
rewrite /dot big_split_ord big_ord1 /= !row_mxEr !mxE; congr (_ + _).
by apply: eq_bigr => j _; rewrite !row_mxEl.
Qed.

Theorem bias w_star b gamma R0 c examples : w_star · w_star = 1 -> 0 < gamma -> 0 < c ->
  separates w_star b gamma R0 examples ->
  (perceptron 0 (longer c examples)).2%:R <=
    (R0 ^+ 2 + c ^+ 2) * (1 + b ^+ 2 / c ^+ 2) / gamma ^+ 2.
Proof.
move=> unit gamma0 c0 right.
have room : keeps_room (with_constant (b / c) w_star) gamma (R0 ^+ 2 + c ^+ 2) (longer c examples).
  move=> _ _ /mapP[[x y] /right[sign margin radius] [-> ->]].
  by rewrite !product divfK ?gt_eqF // -expr2 ler_add2r.
have := with_any_length (addr_ge0 (sqr_ge0 R0) (sqr_ge0 c)) gamma0 room.
by rewrite product unit -expr2 expr_div_n.
Qed.

Lemma score w x R0 : w · w = 1 -> 0 <= R0 -> x · x <= R0 ^+ 2 -> `|w · x| <= R0.
Proof.
move=> unit R0_0 radius; rewrite -(@ler_pexpn2r _ 2) ?nnegrE // real_normK ?num_real //.
by apply: le_trans (cauchy_schwarz w x) _; rewrite unit mul1r.
Qed.
Theorem both_classes w_star b gamma R0 examples x1 x2 :
  w_star · w_star = 1 -> 0 < gamma -> 0 < R0 -> separates w_star b gamma R0 examples ->
  (x1, 1) \in examples -> (x2, -1) \in examples ->
  (perceptron 0 (longer R0 examples)).2%:R <= (2%:R * R0 / gamma) ^+ 2.
Proof.
move=> unit gamma0 R0_0 right /right[_ above radius1] /right[_ below radius2].
apply: le_trans (bias unit gamma0 R0_0 right) _.
have b_small : b ^+ 2 <= R0 ^+ 2.
  rewrite -[b ^+ 2]real_normK ?num_real // ler_pexpn2r ?nnegrE ?(ltW R0_0) // ler_norml.
  have := score unit (ltW R0_0) radius1; have := score unit (ltW R0_0) radius2.
  rewrite !ler_norml => /andP[low _] /andP[_ high]; apply/andP; split.
    have := le_trans (ltW gamma0) above; rewrite mul1r -ler_subl_addl sub0r.
    by apply: le_trans; rewrite ler_opp2.
  have := le_trans (ltW gamma0) below; rewrite mulN1r oppr_ge0 addrC -ler_subr_addr sub0r.
  by move/le_trans; apply; rewrite ler_oppl.
rewrite expr_div_n ler_pmul2r ?invr_gt0 ?exprn_gt0 //.
have -> : (2%:R * R0) ^+ 2 = (R0 ^+ 2 + R0 ^+ 2) * (1 + 1) by multiply_out.
by rewrite ler_pmul2l ?addr_gt0 ?exprn_gt0 // ler_add2l ler_pdivr_mulr ?exprn_gt0 // mul1r.
Qed.
End Bias.

(* The two points of the text, in units of 0.005: with c = R0, nine updates of the 50 allowed. *)
Definition two : seq (seq rat * rat) := [:: ([:: 2%:Q], 1); ([:: 1], -1)].
Definition passes k := flatten (nseq k two).
Lemma separated k : separates (vector 1 [:: 1]) (- (3%:Q / 2%:Q)) (1 / 2%:Q) 2%:Q (points 1 (passes k)).
Proof.
elim: k => // k before x y; rewrite !inE => /or3P[/eqP[-> ->] | /eqP[-> ->] | /before //]; with_numbers.
Qed.
Lemma listed c data : all (fun e => size e.1 == 1%N) data ->
  longer c (points 1 data) = points 2 [seq (rcons e.1 c, e.2) | e <- data].
Proof.
rewrite /longer /points -!map_comp => /allP one; apply/eq_in_map => -[x y] /one /= /eqP size1.
congr pair; apply/rowP => j; rewrite !mxE nth_rcons size1.
by case: splitP => k ->; rewrite !mxE ord1.
Qed.
Example nine_updates : (perceptron 0 (longer 2%:Q (points 1 (passes 6)))).2 = 9%N /\
  (2%:Q ^+ 2 + 2%:Q ^+ 2) * (1 + (- (3%:Q / 2%:Q)) ^+ 2 / 2%:Q ^+ 2) / (1 / 2%:Q) ^+ 2 = 50%:Q.
Proof. by split; [rewrite listed // /perceptron vector0 computed; vm_compute | with_numbers]. Qed.
(* Wrong: the last sentence for another constant, and for one class only. *)
Example wrong_constant :
  ~ (perceptron 0 (longer 8%:Q (points 1 (passes 36)))).2%:R <= (2%:Q * 2%:Q / (1 / 2%:Q)) ^+ 2.
Proof. by rewrite listed // /perceptron vector0 computed; vm_compute. Qed.
Example wrong_class (examples := points 1 [:: ([:: 1], 1)]) :
  separates (vector 1 [:: 1]) 10%:Q 11%:Q 1 examples /\
  ~ (perceptron 0 (longer 1 examples)).2%:R <= (2%:Q * 1 / 11%:Q) ^+ 2.
Proof.
split; last by rewrite listed // /perceptron vector0 computed; vm_compute.
move=> x y; rewrite inE => /eqP[-> ->]; with_numbers.
Qed.
