package io.kueue4j.core.internal.compiled;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ClusterQueue.QueueingStrategy;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import org.junit.jupiter.api.Test;

class CompiledQueueTest {
  private final Catalog catalog = new Catalog();
  private final ResourceName cpu = catalog.resource("cpu");
  private final ResourceName gpu = catalog.resource("gpu");
  private final ResourceName disk = catalog.resource("disk");

  private static ResourceQuota quota(String resource) {
    return ResourceQuota.ofAmount(resource, 1);
  }

  private static ClusterQueue.Builder spec() {
    return ClusterQueue.builder()
        .name("queue")
        .addResourceGroups(
            ResourceGroup.of(
                FlavorQuotas.of("spot", quota("gpu"), quota("cpu")),
                FlavorQuotas.of("reserved", quota("gpu"), quota("cpu"))),
            ResourceGroup.of(FlavorQuotas.of("ssd", quota("disk"))));
  }

  private CompiledQueue compile(ClusterQueue.Builder spec) {
    return new CompiledQueue(spec.build(), catalog);
  }

  @Test
  void coversTheResourcesOfItsGroups() {
    CompiledQueue queue = compile(spec());

    assertThat(queue.covers(cpu)).isTrue();
    assertThat(queue.covers(disk)).isTrue();
    assertThat(queue.covers(catalog.resource("memory"))).isFalse();
  }

  @Test
  void doesNotCoverAResourceMetAfterwards() {
    CompiledQueue queue = compile(spec());

    for (int i = 0; i < 100; i++) {
      assertThat(queue.covers(catalog.resource("later-" + i))).isFalse();
    }
  }

  @Test
  void tellsResourcesOfOneGroupFromThoseOfAnother() {
    CompiledQueue queue = compile(spec());

    assertThat(queue.inSameGroup(cpu, gpu)).isTrue();
    assertThat(queue.inSameGroup(cpu, disk)).isFalse();
    assertThat(queue.groupCount()).isEqualTo(2);
  }

  @Test
  void keepsFlavorsInOrderOfPreference() {
    CompiledGroup group = compile(spec()).group(cpu);

    assertThat(group.flavorCount()).isEqualTo(2);
    assertThat(group.flavor(0)).isEqualTo("spot");
    assertThat(group.flavor(1)).isEqualTo("reserved");
  }

  @Test
  void knowsThePairOfEachFlavorAndResource() {
    CompiledGroup group = compile(spec()).group(gpu);

    assertThat(group.pair(1, cpu)).isEqualTo(catalog.pair("reserved", "cpu"));
    assertThat(group.pair(0, gpu)).isEqualTo(catalog.pair("spot", "gpu"));
    assertThatThrownBy(() -> group.pair(0, disk)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void chargesPodsOnlyIfAGroupCoversThem() {
    ResourceGroup pods = ResourceGroup.of(FlavorQuotas.of("any", quota("pods")));

    assertThat(compile(spec()).coversPods()).isFalse();
    CompiledQueue queue = compile(spec().addResourceGroups(pods));
    assertThat(queue.coversPods()).isTrue();
    assertThat(queue.pods()).isEqualTo(catalog.resource("pods"));
  }

  @Test
  void isBestEffortUnlessSaidOtherwise() {
    assertThat(compile(spec()).isStrictFifo()).isFalse();
    assertThat(compile(spec().queueingStrategy(QueueingStrategy.STRICT_FIFO)).isStrictFifo())
        .isTrue();
  }

  @Test
  void withoutGroupsCoversNothing() {
    CompiledQueue queue = compile(ClusterQueue.builder().name("empty"));

    assertThat(queue.groupCount()).isZero();
    assertThat(queue.covers(cpu)).isFalse();
  }
}
