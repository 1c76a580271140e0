(** Certificates, and Gordan's theorem (thm-certificate)
    Stated: the theorem, and its converse, which the text quotes from Gordan: there is always a
    separator or a certificate. Over any ordered field, so rational data have a rational one.
    Here z_i stands for y_i x_i, a vector of any length. Nothing is left out. *)
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
move=> a0 [i ai0] p0; have ap0 j : 0 <= a j * p j by rewrite mulr_ge0 // ltW.
rewrite lt_def sumr_ge0 // andbT psumr_eq0 //; apply/allPn; exists i; first exact: mem_index_enum.
by rewrite mulf_neq0 // gt_eqF.
Qed.

Theorem certificate n (z : 'I_n -> 'rV[F]_d) a w : certifies z a -> ~ separates z w.
Proof.
move=> [a0 some zero] right; have := positive_sum a0 some right.
have -> : \sum_i a i * (w · z i) = w · (\sum_i a i *: z i).
  by rewrite dot_sum; apply: eq_bigr => i _; rewrite dotE.
by rewrite zero dot0r ltxx.
Qed.

Lemma small_enough n (p q : 'I_n -> F) : (forall i, 0 < p i) ->
  exists2 e, 0 < e & forall f, 0 < f <= e -> forall i, 0 < p i + f * q i.
Proof.
elim: n p q => [|n before] p q p0; first by exists 1 => // f _ [].
have [e e0 good] := before (p \o lift ord0) (q \o lift ord0) (fun i => p0 _).
have q1 : 0 < 1 + `|q ord0| by rewrite ltr_paddr.
exists (Num.min e (p ord0 / (1 + `|q ord0|))); first by rewrite lt_minr e0 divr_gt0.
move=> f; rewrite le_minr => /and3P[f0 fe]; rewrite ler_pdivl_mulr // mulrDr mulr1 => small i.
case: (unliftP ord0 i) => [j -> | ->]; first by apply: good; rewrite f0.
have low : 0 <= f * (q ord0 + `|q ord0|).
  by rewrite pmulr_rge0 // -ler_subl_addr sub0r ler_oppl -normrN ler_norm.
rewrite -subr_ge0 in small.
have -> : p ord0 + f * q ord0 =
    (p ord0 - (f + f * `|q ord0|)) + f * (q ord0 + `|q ord0|) + f by multiply_out.
by rewrite ltr_paddl // addr_ge0.
Qed.

Theorem gordan n (z : 'I_n -> 'rV[F]_d) : (exists w, separates z w) \/ (exists a, certifies z a).
Proof.
elim: n z => [|n before] z; first by left; exists 0 => -[].
pose with_first c (a : 'I_n -> F) i := oapp a c (unlift ord0 i).
have sum c a : \sum_i with_first c a i *: z i = c *: z ord0 + \sum_i a i *: z (lift ord0 i).
  rewrite big_ord_recl /with_first unlift_none; congr (_ + _).
  by apply: eq_bigr => j _; rewrite liftK.
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
    have := small e; rewrite e0 lexx => /(_ isT j); congr (0 < _).
    by rewrite /u /turned !dotE; multiply_out.
  have -> : (u + e *: z ord0) · z ord0 = e * (z ord0 · z ord0).
    by rewrite /u !dotE; multiply_out.
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
split=> //; first by exists ord0.
rewrite !big_ord_recl big_ord0 vector0 /xor /= !vectorZ !vectorS.
by rewrite (_ : mkseq _ 3 = nseq 3 0); [apply/rowP=> -[[|[|[|//]]] j3]; rewrite !mxE | apply/eqP; vm_compute].
Qed.

Notation same := (fun _ : 'I_2 => vector 1 [:: 1]).
Example wrong_any_sign (a := fun i : 'I_2 => if i == ord0 then 1 else -1) :
  \sum_i a i *: same i = 0 /\ separates same (vector 1 [:: 1]).
Proof. by split=> [|i]; [rewrite !big_ord_recl big_ord0 addr0 -scalerDl scale0r | with_numbers]. Qed.
