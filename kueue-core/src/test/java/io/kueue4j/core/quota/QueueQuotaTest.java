package io.kueue4j.core.quota;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.compiled.Catalog;
import io.kueue4j.core.compiled.CompiledWorkload;
import io.kueue4j.core.compiled.WorkloadCompiler;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.resource.Amount;
import org.junit.jupiter.api.Test;

class QueueQuotaTest {
  private final Catalog catalog = new Catalog();
  private final Forest forest = new Forest(catalog);
  private final int pair = catalog.pair(catalog.flavor("any"), catalog.resource("gpu"));

  private QueueQuota queue(String name) {
    QueueQuota queue = forest.put(ClusterQueue.builder()
        .name(name)
        .cohort("pool")
        .addResourceGroups(
            ResourceGroup.of(FlavorQuotas.of("any", ResourceQuota.of("gpu", Amount.UNLIMITED))))
        .build());
    forest.rebuild();
    return queue;
  }

  private QuotaHolder holder(QueueQuota queue, String name, long amount) {
    CompiledWorkload workload = new WorkloadCompiler(catalog, true)
        .compile(
            Workload.builder()
                .namespace("team")
                .name(name)
                .queueName("queue")
                .addPodSets(PodSet.builder().build())
                .build(),
            0);
    return new QuotaHolder(
        workload, queue, new int[] {pair}, new long[] {amount}, 0, 0, Footprint.NONE);
  }

  @Test
  void forgetsNothingWhenASumHadLeftTheRange() {
    QueueQuota queue = queue("research");
    QuotaHolder small = holder(queue, "small", 5);
    QuotaHolder vast = holder(queue, "vast", Amount.UNLIMITED);
    queue.add(small);
    queue.add(vast);

    queue.remove(vast);
    assertThat(queue.usage(pair)).isEqualTo(5);
    queue.remove(small);
    assertThat(queue.usage(pair)).isZero();
  }

  @Test
  void forgetsNothingWhenOnlyTheCohortsSumHadLeftTheRange() {
    QueueQuota first = queue("first");
    QueueQuota second = queue("second");
    QuotaHolder large = holder(first, "large", Long.MAX_VALUE - 1);
    QuotaHolder other = holder(second, "other", 7);
    first.add(large);
    second.add(other);

    first.remove(large);

    assertThat(second.tree().usage(0, second.tree().column(pair))).isEqualTo(7);
    assertThat(second.usage(pair)).isEqualTo(7);
  }
}
