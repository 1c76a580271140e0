(** The inequality of Cauchy and Schwarz (thm-bg-cauchy)
    Stated: the inequality and its case of equality, with both sides squared, so that no root
    is needed; with any number of entries, over any ordered field. Nothing is left out. *)
From Halfspaces Require Import Numbers.

Section Vectors.
Variables (F : realFieldType) (d : nat).
Implicit Types (a : F) (u v w : 'rV[F]_d).
Add Ring numbers : (numbers F).

Lemma dotC u v : u · v = v · u.
Proof. by apply: eq_bigr => j _; rewrite mulrC. Qed.
Lemma dotDl u v w : (u + v) · w = u · w + v · w.
Proof. by rewrite -big_split; apply: eq_bigr => j _; rewrite !mxE mulrDl. Qed.
Lemma dotZl a u v : (a *: u) · v = a * (u · v).
Proof. by rewrite /dot mulr_sumr; apply: eq_bigr => j _; rewrite !mxE mulrA. Qed.
Lemma dotDr u v w : w · (u + v) = w · u + w · v.
Proof. by rewrite dotC dotDl !(dotC w). Qed.
Lemma dotZr a u v : v · (a *: u) = a * (v · u).
Proof. by rewrite dotC dotZl (dotC v). Qed.
Lemma dotNl u v : (- u) · v = - (u · v).
Proof. by rewrite -scaleN1r dotZl mulN1r. Qed.
Lemma dotNr u v : v · (- u) = - (v · u).
Proof. by rewrite dotC dotNl (dotC v). Qed.
Lemma dot0l u : 0 · u = 0.
Proof. by rewrite -(scale0r 0) dotZl mul0r. Qed.
Lemma dot0r u : u · 0 = 0.
Proof. by rewrite dotC dot0l. Qed.
Definition dotE := (dotDl, dotDr, dotZl, dotZr, dotNl, dotNr, dot0l, dot0r).

Lemma dot_sum n (f : 'I_n -> 'rV[F]_d) w : w · (\sum_i f i) = \sum_i w · f i.
Proof. by apply: (big_morph (dot w)) => [u v|]; rewrite dotE. Qed.

Lemma dot_ge0 u : 0 <= u · u.
Proof. by apply: sumr_ge0 => j _; rewrite -expr2 sqr_ge0. Qed.

Lemma dot_eq0 u : (u · u == 0) = (u == 0).
Proof.
apply/eqP/eqP => [zero | ->]; last by rewrite dot0l.
have square0 j : 0 <= u 0 j * u 0 j by rewrite -expr2 sqr_ge0.
apply/rowP => j; rewrite mxE; apply/eqP; move: zero => /eqP.
by rewrite psumr_eq0 // => /allP /(_ j (mem_index_enum j)); rewrite mulf_eq0 orbb.
Qed.

Lemma square_of_difference u v (z := (v · v) *: u - (u · v) *: v) :
  z · z = (v · v) * ((u · u) * (v · v) - (u · v) ^+ 2).
Proof. rewrite /z !dotE (dotC v u); multiply_out. Qed.

Theorem cauchy_schwarz u v : (u · v) ^+ 2 <= (u · u) * (v · v).
Proof.
have [-> | v0] := eqVneq v 0; first by rewrite !dot0r expr0n mulr0.
have vv0 : 0 < v · v by rewrite lt_def dot_eq0 v0 dot_ge0.
by rewrite -subr_ge0 -(pmulr_rge0 _ vv0) -square_of_difference dot_ge0.
Qed.

Theorem equality u v : (u · v) ^+ 2 = (u · u) * (v · v) <-> v = 0 \/ exists a, u = a *: v.
Proof.
split=> [equal | [-> | [a ->]]]; last 2 first.
  by rewrite !dot0r expr0n mulr0.
  by rewrite !dotE; multiply_out.
have [-> | v0] := eqVneq v 0; [by left | right].
exists ((v · v)^-1 * (u · v)).
have /eqP := square_of_difference u v; rewrite equal subrr mulr0 dot_eq0 subr_eq0 => /eqP z.
by rewrite -scalerA -z scalerA mulVf ?scale1r // dot_eq0.
Qed.
End Vectors.

(* The example of the text, and both wrong versions of the card of the chapter on the perceptron, at its first numbers. *)
Definition squares (u v : 'rV[rat]_2) s := \sum_j \sum_l (u 0 j * v 0 l + s * (u 0 l * v 0 j)) ^+ 2.

Example of_the_text (u := vector 2 [:: 3%:Q; 4%:Q]) (v := vector 2 [:: 2%:Q; 1]) :
  u · v = 10%:Q /\ u · u = 25%:Q /\ v · v = 5%:Q.
Proof. with_numbers. Qed.

Example right_and_wrong (u := vector 2 [:: -1; 2%:Q]) (v := vector 2 [:: 3%:Q; 2%:Q]) :
  let difference := (u · u) * (v · v) - (u · v) ^+ 2 in
  difference = squares u v (-1) / 2%:Q /\
  difference <> squares u v (-1) /\ difference <> squares u v 1 / 2%:Q.
Proof. rewrite /= /squares !big_ord_recl !big_ord0 !mxE; with_numbers. Qed.
