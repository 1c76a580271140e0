(** Kesler's vectors (mc-kesler)
    Stated: a linear machine gives the own class of every example the largest score, and no
    other, exactly if all products with Kesler's vectors are positive; and their squared length.
    The long vector is kept as its K parts, and x has the constant already. Not stated: the
    count of updates, which is Novikoff's bound for the long vectors with this length. *)
From Halfspaces Require Import Numbers Vectors.
Section Kesler.
Variables (F : realFieldType) (d K : nat).
Implicit Types (v : 'I_K -> 'rV[F]_d) (x : 'rV[F]_d) (c k : 'I_K).

Definition long_dot v (z : 'I_K -> 'rV[F]_d) := \sum_k v k · z k.
Definition kesler x c k : 'I_K -> 'rV[F]_d :=
  fun l => if l == c then x else if l == k then - x else 0.

Lemma product v x c k : k != c -> long_dot v (kesler x c k) = v c · x - v k · x.
Proof.
move=> kc; rewrite /long_dot /kesler (bigD1 c) //= eqxx (bigD1 k) //= (negPf kc) eqxx dotNr.
by rewrite big1 ?addr0 // => l /andP[/negPf -> /negPf ->]; rewrite dot0r.
Qed.

Theorem right_iff_positive v (examples : seq ('rV[F]_d * 'I_K)) :
  (forall x c, (x, c) \in examples -> forall k, k != c -> v k · x < v c · x) <->
  (forall x c, (x, c) \in examples -> forall k, k != c -> 0 < long_dot v (kesler x c k)).
Proof.
by split=> right x c seen k kc; have := right x c seen k kc; rewrite product // subr_gt0.
Qed.

Theorem squared_length x c k : k != c -> long_dot (kesler x c k) (kesler x c k) = (x · x) *+ 2.
Proof.
move=> kc; rewrite product // /kesler eqxx (negPf kc) eqxx dotNl opprK mulr2n //.
Qed.
End Kesler.

(* The example of the text: after the first update the second product is positive as well. *)
Example after_one_update (c k l : 'I_3) (x := vector 3 [:: 2%:Q; 1; 1]) : l != c -> l != k ->
  long_dot (kesler x c k) (kesler x c l) = 6%:Q.
Proof. by move=> lc lk; rewrite product // /kesler eqxx (negPf lc) (negPf lk) dot0l subr0; with_numbers. Qed.

(* Wrong: the rival's part with a plus.  The product is positive, but the rival wins. *)
Example wrong_plus (v := fun k : 'I_2 => vector 1 [:: nth 0 [:: 1; 2%:Q] k]) (x := vector 1 [:: 1]) :
  0 < long_dot v (fun=> x) /\ ~ v ord_max · x < v ord0 · x.
Proof. rewrite /long_dot !big_ord_recl big_ord0; with_numbers. Qed.
