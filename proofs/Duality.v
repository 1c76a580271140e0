(** Optimal, if and only if the gap is zero (thm-svm-optimal)
    Stated: "only if", so that both directions are checked. A minimizer (w, b, xi) of the soft
    margin has admissible weights with gap zero; and (w, b) is a minimizer of J exactly if there
    are admissible weights that satisfy the printed conditions. Over any ordered field. Not
    stated: that there is a minimizer, which the text proves with limits. *)
From Halfspaces Require Import Numbers Vectors SoftMargin Optimal Directions Multipliers.
Section Duality.
Variables (F : realFieldType) (d n : nat) (x : 'I_n -> 'rV[F]_d) (y : 'I_n -> F) (C : F).
Implicit Types (w : 'rV[F]_d) (b : F) (a xi p k : 'I_n -> F).
Add Ring numbers : (numbers F).
Notation room := (room x y).

Theorem gap_zero_at_a_minimizer w b xi : minimizes_with_slack x y C w b xi ->
  exists2 a, admissible y C a & objective C w xi = bound x y a.
Proof.
move=> best; have [fits _] := best.
have [[u [c [s [t better]]]] | ] := direction_or_multipliers x y C w b xi.
  by case: (no_improving_direction best better).
move=> [p [k [rest [top [[p0 k0 rest0 top0] [wE pk balance at_zero] some]]]]].
(* A sum of terms that are not negative is zero, so each term is: complementary slackness. *)
have room0 i : 0 <= room w b xi i.
  by have [_ margin] := fits i; rewrite /room -addrA [- 1 + _]addrC -[xi i - 1]opprB subr_ge0.
have pr0 i : 0 <= p i * room w b xi i by rewrite mulr_ge0.
have kx0 i : 0 <= k i * xi i by have [xi0 _] := fits i; rewrite mulr_ge0.
move/eqP: at_zero; rewrite !paddr_eq0 ?addr_ge0 ?sumr_ge0 // !psumr_eq0 //.
move=> /andP[/andP[/allP held /allP full] /eqP rest_0].
have {}top0 : 0 < top.
  rewrite lt_def top0 andbT; apply/eqP => top_0; apply: some.
  have both i : (p i == 0) && (k i == 0) by rewrite -paddr_eq0 // pk top_0 mul0r.
  by split=> // i; have /andP[/eqP pi /eqP ki] := both i.
(* Each weight is the multiplier of a margin, divided by the multiplier of the objective. *)
pose a i := p i / top; have top_a i : p i = top * a i by rewrite mulrC divfK // gt_eqF.
have rest_a i : C - a i = k i / top.
  rewrite /a -{1}[C](mulKf (lt0r_neq0 top0)) -(pk i) mulrDr (mulrC _ (p i)).
  by rewrite addrAC subrr add0r mulrC.
have fair : admissible y C a.
  split=> [i|]; first by rewrite -[_ <= C]subr_ge0 rest_a !divr_ge0 ?p0 ?k0 ?(ltW top0).
  apply: (mulfI (lt0r_neq0 top0)); rewrite mulr0 mulr_sumr -[RHS]balance.
  by apply: eq_bigr => i _; rewrite mulrA -top_a.
exists a => //; apply/(zero_gap fits fair); split=> [|i|i].
- apply: (scalerI (lt0r_neq0 top0)); rewrite -wE scaler_sumr.
  by apply: eq_bigr => i _; rewrite scalerA mulrA -top_a.
- have := held i (mem_index_enum i); rewrite /= top_a -mulrA mulf_eq0 (gt_eqF top0).
  by move/eqP.
- by rewrite rest_a mulrAC; have /eqP -> := full i (mem_index_enum i); rewrite mul0r.
Qed.

Theorem optimal_iff_conditions w b : 0 <= C ->
  minimizes x y C w b <-> exists2 a, admissible y C a & conditions x y C w b a.
Proof.
move=> C0; split=> [least | [a fair good]]; last exact: conditions_suffice fair good.
have best : minimizes_with_slack x y C w b (hinge x y w b).
  split=> [|w' b' xi' fits]; first exact: hinge_allowed.
  apply: le_trans (least w' b') _; rewrite ler_add2l ler_wpmul2l //; apply: ler_sum => i _.
  have [xi0 margin] := fits i; rewrite le_maxl xi0 /=.
  by rewrite ler_subl_addr -ler_subl_addl.
have [a fair equal] := gap_zero_at_a_minimizer best; exists a => //.
exact/(gap_zero_iff_conditions x w b fair).
Qed.
End Duality.

(* The four points of the text at their minimum.  Wrong: any (w, b) has such weights. *)
Example four_points : minimizes x4 y4 (2%:Q / 5%:Q) w4 (- (3%:Q / 5%:Q)).
Proof. by have [fair good] := by_hand; apply/optimal_iff_conditions => //; exists a4. Qed.
Example wrong_at_zero : ~ minimizes x4 y4 (2%:Q / 5%:Q) 0 0.
Proof.
move=> /optimal_iff_conditions[] // a _ [/rowP /(_ ord0) zero cases].
have all_C i : a i = 2%:Q / 5%:Q by apply: (cases i).2; rewrite /z dot0l addr0 mulr0.
by move: zero; rewrite /v !big_ord_recl big_ord0 !all_C !mxE; vm_compute.
Qed.
