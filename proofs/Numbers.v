(** Vectors and numbers that all proofs share (coq-numbers)
    Stated: the definition of the product of vectors, and lemmas for computing with numbers.
    `multiply_out` proves identities of numbers, `with_numbers` computes with rational ones. *)
From mathcomp Require Export all_ssreflect all_algebra.
From Coq Require Export Ring.
Export Order.TTheory GRing.Theory Num.Theory.
Open Scope ring_scope.
#[export] Set Implicit Arguments.
#[export] Unset Strict Implicit.
#[export] Set Maximal Implicit Insertion.
#[export] Unset Printing Implicit Defensive.

Definition dot (F : realFieldType) d (u v : 'rV[F]_d) : F :=
  \sum_j u 0 j * v 0 j.
Notation "u · v" := (dot u v) (at level 40) : ring_scope.

Section Numbers.
Variable F : realFieldType.
Definition addition (a b : F) : F := a + b.
Definition subtraction (a b : F) : F := a - b.
Definition multiplication (a b : F) : F := a * b.
Definition opposite (a : F) : F := - a.

Lemma numbers : ring_theory (0 : F) (1 : F) addition multiplication subtraction opposite eq.
Proof.
split; [exact: add0r | exact: addrC | exact: addrA | exact: mul1r | exact: mulrC
  | exact: mulrA | exact: mulrDl | by [] | exact: subrr].
Qed.
End Numbers.

(* After `Add Ring numbers : (numbers F)`, Coq's own `ring` does the work. *)
Ltac multiply_out := rewrite ?expr2 ?mulr2n;
  match goal with F : realFieldType |- _ =>
    repeat match goal with
    | |- context [@GRing.add ?V ?a ?b] => change (@GRing.add V a b) with (@addition F a b)
    | |- context [@GRing.mul ?V ?a ?b] => change (@GRing.mul V a b) with (@multiplication F a b)
    | |- context [@GRing.opp ?V ?a] => change (@GRing.opp V a) with (@opposite F a)
    end;
    match goal with |- ?a = ?b => change (@eq F a b) end; ring end.

(* A vector of rational numbers is written as the list of its entries. *)
Definition vector d (entries : seq rat) : 'rV[rat]_d := \row_j nth 0 entries j.

Lemma vector0 d : 0 = vector d [::].
Proof. by apply/rowP => j; rewrite !mxE nth_nil. Qed.
Lemma vectorD d a u v :
  vector d u + a *: vector d v = vector d (mkseq (fun j => nth 0 u j + a * nth 0 v j) d).
Proof. by apply/rowP => j; rewrite !mxE nth_mkseq. Qed.
Lemma vectorS d u v : vector d u + vector d v = vector d (mkseq (fun j => nth 0 u j + nth 0 v j) d).
Proof. by apply/rowP => j; rewrite !mxE nth_mkseq. Qed.
Lemma vectorZ d a u : a *: vector d u = vector d (mkseq (fun j => a * nth 0 u j) d).
Proof. by apply/rowP => j; rewrite !mxE nth_mkseq. Qed.
Definition products d (u v : seq rat) :=
  foldr (fun j s => nth 0 u j * nth 0 v j + s) 0 (iota 0 d).
Lemma vector_dot d u v :
  vector d u · vector d v = products d u v.
Proof.
rewrite /products.
have -> : iota 0 d = index_iota 0 d by rewrite /index_iota subn0.
transitivity (\sum_(0 <= j < d) nth 0 u j * nth 0 v j); last by rewrite unlock.
by rewrite big_mkord; apply: eq_bigr => j _; rewrite !mxE.
Qed.

Ltac with_numbers := rewrite ?(vector0, vectorD, vector_dot);
  match goal with
  | |- _ /\ _ => split; with_numbers
  | |- [/\ _, _ & _] => split; with_numbers
  | |- _ \/ _ => (left; with_numbers) + (right; with_numbers)
  | |- vector _ _ = vector _ _ => congr vector; apply/eqP; vm_compute; exact isT
  | |- _ = _ => apply/eqP; vm_compute; exact isT
  | |- ~ _ => first [apply/eqP | apply/negP]; vm_compute; exact isT
  | |- is_true _ => vm_compute; exact isT
  end.
