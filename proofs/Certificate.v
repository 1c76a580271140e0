(** Certificates, and Gordan's theorem (thm-certificate)
    Stated: the theorem, and its converse, which the text quotes from Gordan: there is always a
    separator or a certificate. Over any ordered field, so rational data have a rational one.
    Here z_i is y_i x_i, a vector with any number of entries. Nothing is left out. *)
From Halfspaces Require Import Numbers Vectors.
Section Certificate.
Variables (F : realFieldType) (d : nat).
Add Ring numbers : (numbers F).
Definition separates n (z : 'I_n -> 'rV[F]_d) w := forall i, 0 < w · z i.
Definition certifies n (z : 'I_n -> 'rV[F]_d) (a : 'I_n -> F) :=
  [/\ forall i, 0 <= a i, exists i, a i != 0 & \sum_i a i *: z i = 0].

Lemma positive_sum n (a p : 'I_n -> F) :
  (forall i, 0 <= a i) -> (exists i, a i != 0) -> (forall i, 0 < p i) -> 0 < \sum_i a i * p i.
Proof.
move=> a0 [i ai0] p0; rewrite (bigD1 i) //= ltr_paddr //; last by rewrite mulr_gt0 // lt_def ai0 a0.
by apply: sumr_ge0 => j _; rewrite mulr_ge0 // ltW.
Qed.

Theorem certificate n (z : 'I_n -> 'rV[F]_d) a w : certifies z a -> ~ separates z w.
Proof.
move=> [a0 some zero] right; have := positive_sum a0 some right.
have -> : \sum_i a i * (w · z i) = w · (\sum_i a i *: z i).
  by rewrite dot_sum; apply: eq_bigr => i _; rewrite dotE.
by rewrite zero dot0r ltxx.
Qed.

Lemma small_enough n (p q : 'I_n -> F) :
  (forall i, 0 < p i) -> exists2 e, 0 < e & forall i, 0 < p i + e * q i.
Proof.
move=> p0; pose S := \sum_i `|q i| / p i.
have term i : 0 <= `|q i| / p i by rewrite divr_ge0 // ltW.
have S1 : 0 < 1 + S by rewrite ltr_paddr // sumr_ge0.
exists (1 + S)^-1 => [|i]; first by rewrite invr_gt0.
rewrite -(pmulr_rgt0 _ S1) mulrDr mulVKf ?gt_eqF // mulrDl mul1r -addrA ltr_paddr //.
rewrite -ler_subl_addr sub0r (le_trans (ler_norm _)) // normrN -ler_pdivr_mulr //.
by rewrite /S (bigD1 i) //= ler_addl sumr_ge0.
Qed.

Theorem gordan n (z : 'I_n -> 'rV[F]_d) : (exists w, separates z w) \/ (exists a, certifies z a).
Proof.
elim: n z => [|n before] z; first by left; exists 0 => -[].
pose with_first c (a : 'I_n -> F) i := oapp a c (unlift ord0 i).
have sum c a : \sum_i with_first c a i *: z i = c *: z ord0 + \sum_i a i *: z (lift ord0 i).
  by rewrite big_ord_recl /with_first unlift_none; congr (_ + _); apply: eq_bigr => j _; rewrite liftK.
have nonneg c a : 0 <= c -> (forall i, 0 <= a i) -> forall i, 0 <= with_first c a i.
  by move=> c0 a0 i; rewrite /with_first; case: unlift.
have [z0 | z0] := eqVneq (z ord0) 0.
  right; exists (with_first 1 (fun=> 0)); split; first by apply: nonneg => *; rewrite ?ler01 ?lexx.
    by exists ord0; rewrite /with_first unlift_none oner_neq0.
  by rewrite sum z0 scaler0 add0r big1 // => j _; rewrite scale0r.
have [[w right_] | [a [a0 [i ai0] zero]]] := before (z \o lift ord0); last first.
  right; exists (with_first 0 a); split; first by apply: nonneg => *; rewrite ?ler01 ?lexx.
    by exists (lift ord0 i); rewrite /with_first liftK.
  by rewrite sum zero scale0r addr0.
have [s0 | s0] := ltP 0 (w · z ord0).
  by left; exists w => i; case: (unliftP ord0 i) => [j -> | -> //]; apply: right_.
pose turned j := (w · z (lift ord0 j)) *: z ord0 + (- (w · z ord0)) *: z (lift ord0 j).
have [[v good] | [a [a0 some zero]]] := before turned.
  pose u := (v · z ord0) *: w + (- (w · z ord0)) *: v.
  have [e e0 small] := small_enough (fun j => z ord0 · z (lift ord0 j)) good.
  left; exists (u + e *: z ord0) => i; case: (unliftP ord0 i) => [j -> | ->].
    have := small j; congr (0 < _).
    by rewrite /u /turned !dotE; multiply_out.
  have -> : (u + e *: z ord0) · z ord0 = e * (z ord0 · z ord0) by rewrite /u !dotE; multiply_out.
  by rewrite mulr_gt0 // lt_def dot_eq0 z0 dot_ge0.
pose c := \sum_j a j * (w · z (lift ord0 j)).
right; exists (with_first c (fun j => a j * (- (w · z ord0)))); split.
    by apply: nonneg => [|j]; [apply: sumr_ge0 => j _ | ]; rewrite mulr_ge0 ?oppr_ge0 // ltW ?right_.
  by exists ord0; rewrite /with_first unlift_none gt_eqF // positive_sum.
rewrite sum -[RHS]zero /c scaler_suml -big_split.
by apply: eq_bigr => j _; rewrite /turned scalerDr !scalerA.
Qed.
End Certificate.

(* XOR has a certificate.  Wrong: weights of any sign, and weights that are all zero. *)
Definition xor (i : 'I_4) :=
  vector 3 (nth [::] [:: [:: 0; 0; 1]; [:: 1; 1; 1]; [:: 0; -1; -1]; [:: -1; 0; -1]] i).
Example xor_is_certified : certifies xor (fun=> 1).
Proof.
split=> //; [by exists ord0 | rewrite !big_ord_recl big_ord0 vector0 /xor /= !vectorZ !vectorS].
by rewrite (_ : mkseq _ 3 = nseq 3 0); [apply/rowP=> -[[|[|[|//]]] j3]; rewrite !mxE | apply/eqP; vm_compute].
Qed.
Notation same := (fun _ : 'I_2 => vector 1 [:: 1]).
Example wrong_weights (a := fun i : 'I_2 => if i == ord0 then 1 else -1) :
  [/\ separates same (vector 1 [:: 1]), \sum_i a i *: same i = 0 & \sum_i 0 *: same i = 0].
Proof.
split=> [i||]; [with_numbers | | by rewrite big1 // => i _; rewrite scale0r].
by rewrite !big_ord_recl big_ord0 addr0 -scalerDl scale0r.
Qed.
