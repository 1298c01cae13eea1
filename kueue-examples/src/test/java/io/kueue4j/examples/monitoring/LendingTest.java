package io.kueue4j.examples.monitoring;

import static io.kueue4j.examples.monitoring.MonitoredEngine.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What ClusterQueues lend, when one of them uses 10 of its 4. */
class LendingTest {
  private final AdmissionEngine engine =
      AdmissionEngine.builder().clock(InstantSource.fixed(MonitoredEngine.NOW)).build();

  private static ClusterQueue queue(String name, String cohort, ResourceQuota quota) {
    return ClusterQueue.builder()
        .name(name)
        .cohort(cohort)
        .namespaceSelector(LabelSelector.everything())
        .addResourceGroups(ResourceGroup.of(FlavorQuotas.of("spot", quota)))
        .build();
  }

  private static ResourceQuota cpu(int amount) {
    return ResourceQuota.of("cpu", String.valueOf(amount));
  }

  /** {@return the least and the most that each queue lends, in cores, by name of the queue} */
  private List<String> lent(ClusterQueue... lenders) {
    engine.apply(ResourceFlavor.of("spot"), queue("borrower", "research", cpu(4)));
    engine.apply(lenders);
    engine.apply(LocalQueue.of("team", "borrower", "borrower"));
    assertThat(engine.tryAdmit(job("big", "borrower", 10)).result().isAdmitted())
        .isTrue();
    Lending lending = Lending.of(engine.view());
    return engine.view().clusterQueues().stream()
        .map(queue -> {
          QuotaLine line = lending.lines(queue).get(0);
          return queue.name() + " " + line.lentAtLeast() / 1000 + "–" + line.lentAtMost() / 1000;
        })
        .toList();
  }

  @Test
  void theOnlyLenderLendsAll() {
    assertThat(lent(queue("a", "research", cpu(20)))).containsExactly("a 6–6", "borrower 0–0");
  }

  @Test
  void ofTwoLendersOnlyLimitsAreKnown() {
    assertThat(lent(queue("a", "research", cpu(20)), queue("b", "research", cpu(5))))
        .containsExactly("a 1–6", "b 0–5", "borrower 0–0");
  }

  @Test
  void aLendingLimitBindsTheLender() {
    assertThat(lent(
            queue("a", "research", cpu(20).withLendingLimit("4")), queue("b", "research", cpu(2))))
        .containsExactly("a 4–4", "b 2–2", "borrower 0–0");
  }

  @Test
  void quotaOfCohortsMayHaveBeenUsedInstead() {
    engine.apply(Cohort.builder()
        .name("research")
        .parent("company")
        .addResourceGroups(ResourceGroup.of(FlavorQuotas.of("spot", cpu(5))))
        .build());
    assertThat(lent(queue("a", "company", cpu(20)), queue("alone", "others", cpu(9))))
        .containsExactly("a 1–6", "alone 0–0", "borrower 0–0");
  }
}
