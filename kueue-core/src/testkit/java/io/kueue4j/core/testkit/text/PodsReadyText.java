package io.kueue4j.core.testkit.text;

import io.kueue4j.core.model.PodsReadyPolicy;
import io.kueue4j.core.model.PodsReadyPolicy.RequeuingTimestamp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The complete and exact text of policies for pods that do not become ready, without jitter. */
public final class PodsReadyText {
  /** The word that such a text starts with. */
  public static final String WORD = "podsReady";

  private static final String BLOCKS = "block";
  private static final String LIMIT = "limit";

  private PodsReadyText() {}

  /** {@return the text of a policy} */
  public static Term print(PodsReadyPolicy policy) {
    List<Term> terms = new ArrayList<>();
    terms.add(Term.of(policy.timeout().toString()));
    terms.add(Term.of(policy.recoveryTimeout().toString()));
    terms.add(Term.of(policy.backoffBase().toString()));
    terms.add(Term.of(policy.backoffMax().toString()));
    terms.add(Term.of(policy.requeuingTimestamp().toString()));
    policy.backoffLimitCount().ifPresent(limit -> terms.add(Term.of(LIMIT, limit)));
    if (policy.blockAdmission()) {
      terms.add(Term.of(BLOCKS));
    }
    return Term.of(WORD, terms);
  }

  /** {@return the policy described by {@code term}} */
  public static PodsReadyPolicy policy(Term term) {
    PodsReadyPolicy.Builder policy = PodsReadyPolicy.builder()
        .timeout(Duration.parse(term.word(0)))
        .recoveryTimeout(Duration.parse(term.word(1)))
        .backoffBase(Duration.parse(term.word(2)))
        .backoffMax(Duration.parse(term.word(3)))
        .requeuingTimestamp(Term.named(term.word(4), RequeuingTimestamp.values()));
    for (Term part : term.termsFrom(5)) {
      switch (part.word()) {
        case LIMIT -> policy.backoffLimitCount(part.smallNumber(0));
        case BLOCKS -> policy.blockAdmission(true);
        default -> throw part.unknown("limit or block");
      }
    }
    return policy.build();
  }
}
