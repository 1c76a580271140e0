(** One weight of the lasso, and of ridge (thm-sp-one)
    Stated: the whole theorem over any ordered field: every other weight has a larger objective,
    for the lasso and for ridge, and when the two weights are zero. Nothing is left out. *)
From Halfspaces Require Import Numbers Vectors.
Section OneWeight.
Variables (F : realFieldType) (n : nat) (X1 y : 'rV[F]_n) (price : F).
Hypotheses (column : 0 < X1 · X1) (price0 : 0 <= price).
Implicit Types (u v w : F).
Add Ring numbers : (numbers F).
Notation s := (X1 · X1). Notation c := (X1 · y).

Definition squared_error w := (y - w *: X1) · (y - w *: X1).
Definition lasso w := squared_error w + price * `|w|.
Definition ridge w := squared_error w + price * w ^+ 2.
Definition soft v t := Num.sg v * Num.max 0 (`|v| - t).

Lemma from u v : squared_error v = squared_error u + s * (v - u) ^+ 2 + (s * u - c) * (v - u) *+ 2.
Proof. by rewrite /squared_error !dotE (dotC y X1); multiply_out. Qed.

Theorem lasso_weight (u := soft c (price / 2%:R) / s) v : v != u -> lasso u < lasso v.
Proof.
move=> vu; have square : 0 < s * (v - u) ^+ 2.
  by rewrite mulr_gt0 // lt_def sqr_ge0 sqrf_eq0 subr_eq0 vu.
suff slope : 0 <= (s * u - c) * (v - u) *+ 2 + price * (`|v| - `|u|).
  rewrite /lasso (from u v) -subr_gt0.
  have -> : squared_error u + s * (v - u) ^+ 2 + (s * u - c) * (v - u) *+ 2 + price * `|v|
    - (squared_error u + price * `|u|) =
    s * (v - u) ^+ 2 + ((s * u - c) * (v - u) *+ 2 + price * (`|v| - `|u|)) by multiply_out.
  by rewrite ltr_paddr.
pose h := price / 2%:R; have hh : price = h + h by rewrite -splitr.
have su : s * u = soft c h by rewrite mulrC divfK // gt_eqF.
rewrite [X in _ + X * _]hh su; have [small | large] := lerP `|c| h.
  have -> : u = 0 by rewrite /u /soft max_l ?subr_le0 // mulr0 mul0r.
  have -> : soft c h = 0 by rewrite /soft max_l ?subr_le0 // mulr0.
  rewrite normr0 !subr0 sub0r.
  have -> : - c * v *+ 2 + (h + h) * `|v| = (h * `|v| - c * v) *+ 2 by multiply_out.
  by rewrite mulrn_wge0 // subr_ge0 (le_trans (ler_norm _)) // normrM ler_wpmul2r.
have h0 : 0 <= h by rewrite divr_ge0 ?ler0n.
have c0 : c != 0 by rewrite -normr_gt0 (le_lt_trans h0).
have r0 : 0 <= `|c| - h by rewrite subr_ge0 ltW.
have size : `|u| = Num.sg c * u.
  have s0 : 0 < s^-1 by rewrite invr_gt0.
  rewrite /u /soft -/h max_r // !normrM normr_sg c0 mul1r (ger0_norm r0) (gtr0_norm s0).
  by rewrite !mulrA -sgrM gtr0_sg ?mul1r // lt_def mulf_neq0 // -expr2 sqr_ge0.
have -> : (soft c h - c) * (v - u) *+ 2 + (h + h) * (`|v| - `|u|) =
    (h + h) * (`|v| - Num.sg c * v).
  have -> : soft c h - c = - (Num.sg c * h).
    by rewrite /soft max_r // mulrBr mulr_sg_norm; multiply_out.
  by rewrite size; multiply_out.
apply: mulr_ge0; first by rewrite addr_ge0.
by rewrite subr_ge0 (le_trans (ler_norm _)) // normrM normr_sg c0 mul1r.
Qed.

Theorem ridge_weight (u := c / (s + price)) v : v != u -> ridge u < ridge v.
Proof.
move=> vu; have sp : 0 < s + price by rewrite ltr_paddr.
rewrite /ridge (from u v) -subr_gt0.
have spu : (s + price) * u = c by rewrite mulrC divfK // gt_eqF.
have -> : squared_error u + s * (v - u) ^+ 2 + (s * u - c) * (v - u) *+ 2 + price * v ^+ 2
  - (squared_error u + price * u ^+ 2) = (s + price) * (v - u) ^+ 2 by rewrite -spu; multiply_out.
by rewrite mulr_gt0 // lt_def sqr_ge0 sqrf_eq0 subr_eq0 vu.
Qed.

Theorem zero_weights : (soft c (price / 2%:R) / s = 0 <-> `|c| *+ 2 <= price) /\
  (c / (s + price) = 0 <-> c = 0).
Proof.
have sp : s + price != 0 by rewrite gt_eqF // ltr_paddr.
split; last by split=> [/eqP | ->]; rewrite ?mul0r // mulf_eq0 invr_eq0 (negPf sp) orbF => /eqP.
have -> : (`|c| *+ 2 <= price) = (`|c| <= price / 2%:R).
  by rewrite ler_pdivl_mulr ?ltr0n // mulr_natr.
split=> [/eqP | small].
  rewrite mulf_eq0 invr_eq0 (gt_eqF column) orbF /soft mulf_eq0 sgr_eq0 => /orP[/eqP -> |].
    by rewrite normr0 divr_ge0 ?ler0n.
  by rewrite eq_le le_maxl lexx /= subr_le0 => /andP[].
by rewrite /soft max_l ?subr_le0 // mulr0 mul0r.
Qed.
End OneWeight.

(* Numbers of the first card: s = 3, c = 21/2 and the price 3; the threshold is half of it. *)
Notation X1 := (vector 3 [:: 1; 1; 1]). Notation y := (vector 3 (nseq 3 (7%:Q / 2%:Q))).
Example three : soft (X1 · y) (3%:Q / 2%:Q) / (X1 · X1) = 3%:Q.
Proof. with_numbers. Qed.

(* Wrong: the price as the threshold; by the theorem every other weight is worse. *)
Example wrong_threshold : soft (X1 · y) 3%:Q / (X1 · X1) <> 3%:Q.
Proof. with_numbers. Qed.
