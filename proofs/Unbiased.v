(** One stochastic step is unbiased (thm-unbiased)
    Stated: the second claim, that the expectation of the step over a uniform i, which is the
    mean over the n examples, is the step of gradient descent; for any gradients, over any
    ordered field. The first claim, about the expectation of the gradient, is true by the
    definition of `full_gradient`. Not stated: that the gradient of a mean is the mean of the
    gradients, shown by SymPy for the log loss. *)
From Halfspaces Require Import Numbers Vectors.
Section Unbiased.
Variables (F : realFieldType) (d n : nat) (gradient : 'I_n -> 'rV[F]_d -> 'rV[F]_d).
Implicit Types (w : 'rV[F]_d) (eta : F).

Definition mean (f : 'I_n -> 'rV[F]_d) := n%:R^-1 *: \sum_i f i.
Definition full_gradient w := mean (fun i => gradient i w).
Definition step eta w i := w - eta *: gradient i w.

Theorem unbiased eta w : (0 < n)%N -> mean (step eta w) = w - eta *: full_gradient w.
Proof.
move=> n0; have n1 : n%:R != 0 :> F by rewrite pnatr_eq0 -lt0n.
rewrite /mean /step sumrB sumr_const card_ord scalerBr -scaler_nat scalerA mulVf // scale1r.
by rewrite -scaler_sumr /full_gradient /mean !scalerA mulrC.
Qed.
End Unbiased.

(* Two gradients, 1 and 3; the sum for the mean, and the other sign, are wrong. *)
Definition two (i : 'I_2) (w : 'rV[rat]_1) := vector 1 [:: nth 0 [:: 1; 3%:Q] i].
Ltac by_entry := move=> /rowP /(_ ord0);
  rewrite /full_gradient /mean /step !(big_ord_recl, big_ord0) !mxE; apply/eqP; vm_compute; exact isT.

Example wrong_sum : ~ mean (step two 1 0) = 0 - 1 *: \sum_i two i 0.
Proof. by_entry. Qed.
Example wrong_sign : ~ mean (step two 1 0) = 0 + 1 *: full_gradient two 0.
Proof. by_entry. Qed.
