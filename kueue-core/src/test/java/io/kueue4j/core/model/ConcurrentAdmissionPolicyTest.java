package io.kueue4j.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.ClusterQueue.ConcurrentAdmissionPolicy;
import io.kueue4j.core.model.ClusterQueue.QueueingStrategy;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Rule CA-1. */
class ConcurrentAdmissionPolicyTest {
  private static final ConcurrentAdmissionPolicy ANY =
      ConcurrentAdmissionPolicy.of(ConcurrentAdmissionPolicy.Mode.TRY_PREFERRED_FLAVORS);

  private static ClusterQueue.Builder queue(int flavors) {
    return ClusterQueue.builder()
        .name("q")
        .concurrentAdmissionPolicy(ANY)
        .addResourceGroups(group("cpu", "f", flavors));
  }

  private static ResourceGroup group(String resource, String prefix, int flavors) {
    return ResourceGroup.of(IntStream.range(0, flavors)
        .mapToObj(i -> FlavorQuotas.of(prefix + i, ResourceQuota.ofAmount(resource, 1)))
        .toArray(FlavorQuotas[]::new));
  }

  private static String problems(ClusterQueue.Builder queue) {
    return Settings.defaults().violations(queue.build()).stream()
        .map(violation -> violation.field() + ": " + violation.problem())
        .reduce("", (a, b) -> a + b);
  }

  @Test
  void oneResourceGroupOfUpTo32FlavorsIsRight() {
    assertThat(problems(queue(1))).isEmpty();
    assertThat(problems(queue(32))).isEmpty();
    assertThat(problems(queue(2).concurrentAdmissionPolicy(ConcurrentAdmissionPolicy.upTo("f1"))))
        .isEmpty();
  }

  @Test
  void moreFlavorsAreRefused() {
    assertThat(problems(queue(33)))
        .contains("resourceGroups[0].flavors: 33 flavors; expected at most 32 with a"
            + " concurrentAdmissionPolicy");
  }

  @Test
  void moreOrFewerGroupsAreRefused() {
    assertThat(problems(queue(1).addResourceGroups(group("gpu", "g", 1))))
        .isEqualTo("resourceGroups: 2; expected one with a concurrentAdmissionPolicy");
    assertThat(problems(ClusterQueue.builder().name("q").concurrentAdmissionPolicy(ANY)))
        .isEqualTo("resourceGroups: 0; expected one with a concurrentAdmissionPolicy");
  }

  @Test
  void strictFifoIsRefused() {
    assertThat(problems(queue(1).queueingStrategy(QueueingStrategy.STRICT_FIFO)))
        .isEqualTo("queueingStrategy: StrictFIFO; expected BestEffortFIFO with a"
            + " concurrentAdmissionPolicy");
  }

  @Test
  void theLastAcceptableFlavorIsOneOfTheQueue() {
    assertThat(problems(queue(2).concurrentAdmissionPolicy(ConcurrentAdmissionPolicy.upTo("gold"))))
        .isEqualTo("concurrentAdmissionPolicy.lastAcceptableFlavor: \"gold\" is not a flavor of the"
            + " queue; expected one of [f0, f1]");
  }

  @Test
  void whoRetainsTheFirstAdmissionMovesNowhere() {
    ConcurrentAdmissionPolicy policy = new ConcurrentAdmissionPolicy(
        ConcurrentAdmissionPolicy.Mode.RETAIN_FIRST_ADMISSION, Optional.of("f0"));

    assertThat(problems(queue(2).concurrentAdmissionPolicy(policy)))
        .isEqualTo("concurrentAdmissionPolicy.lastAcceptableFlavor: given with mode"
            + " RetainFirstAdmission; expected only with TryPreferredFlavors");
  }

  @Test
  void itCannotChangeOnceTheQueueExists() {
    AdmissionEngine engine = AdmissionEngine.create();
    engine.apply(queue(2).build());

    assertThatCode(() -> engine.apply(queue(3).build())).doesNotThrowAnyException();
    assertThatThrownBy(() ->
            engine.apply(queue(2).concurrentAdmissionPolicy(Optional.empty()).build()))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessageContaining("ClusterQueue q: concurrentAdmissionPolicy: changed from")
        .hasMessageContaining("to none; it cannot change, remove the queue first");
    engine.remove(ClusterQueue.class, "q");
    assertThatCode(() ->
            engine.apply(queue(2).concurrentAdmissionPolicy(Optional.empty()).build()))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> engine.apply(queue(2).build()))
        .hasMessageContaining("changed from none to");
  }
}
