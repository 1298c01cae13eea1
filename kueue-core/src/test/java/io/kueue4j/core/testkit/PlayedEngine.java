package io.kueue4j.core.testkit;

import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.ClusterQueueView.QuotaUsage;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * An engine that was led through a scenario of the harness, for what invariants do not ask: they
 * see no more of an engine than any controller could show.
 *
 * @param engine the engine
 * @param session its books
 */
public record PlayedEngine(AdmissionEngine engine, Session session) {
  /** {@return a new engine after all steps of {@code scenario}} */
  public static PlayedEngine after(Scenario scenario) {
    List<AdmissionEngine> engines = new ArrayList<>();
    Session session = new Session(
        (settings, clock) -> {
          AdmissionEngine engine =
              AdmissionEngine.builder().settings(settings).clock(clock).build();
          engines.add(engine);
          return AdmissionEngineUnderTest.of(engine);
        },
        scenario.settings());
    scenario.steps().forEach(session::play);
    return new PlayedEngine(Objects.requireNonNull(engines.get(0)), session);
  }

  /** {@return whether sums of what is held may saturate, so that books and engine may differ} */
  public boolean hasGreatUsage() {
    return session.ledger().hasGreatUsage();
  }

  /** {@return what a queue could have of {@code usage}'s pair, by the rules and the books} */
  public BigInteger available(String queue, QuotaUsage usage) {
    return new QuotaBooks(session.ledger(), Set.of())
        .available(queue, new Pair(usage.flavor(), usage.resource()));
  }
}
