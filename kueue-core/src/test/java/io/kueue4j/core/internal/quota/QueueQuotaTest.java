package io.kueue4j.core.internal.quota;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.internal.compiled.Catalog;
import io.kueue4j.core.internal.compiled.CompiledWorkload;
import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.internal.compiled.WorkloadCompiler;
import io.kueue4j.core.internal.versioned.Journal;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.resource.Amount;
import java.util.List;
import org.junit.jupiter.api.Test;

class QueueQuotaTest {
  private final Catalog catalog = new Catalog();
  private final Journal journal = new Journal();
  private final Forest forest =
      new Forest(catalog, TrialParticipant.NONE, true, journal, queue -> {});
  private final FlavorResource pair = catalog.pair("any", "gpu");

  private QueueQuota queue(String name) {
    QueueQuota queue = forest.put(ClusterQueue.builder()
        .name(name)
        .cohort("pool")
        .addResourceGroups(ResourceGroup.of(
            FlavorQuotas.of("any", ResourceQuota.ofAmount("gpu", Amount.UNLIMITED))))
        .build());
    forest.rebuild();
    return queue;
  }

  private QuotaHolder holder(QueueQuota queue, String name, long amount) {
    CompiledWorkload workload = new WorkloadCompiler(catalog, Settings.defaults())
        .compile(
            Workload.builder()
                .namespace("team")
                .name(name)
                .queueName("queue")
                .addPodSets(PodSet.builder().build())
                .build(),
            ImmutableSortedMap.of(),
            0);
    return new QuotaHolder(
        workload,
        queue.name(),
        new FlavorResource[] {pair},
        new long[] {amount},
        0,
        0,
        false,
        Footprint.NONE);
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
  void aFailedCallRestoresASumThatHadLeftTheRange() {
    QueueQuota queue = queue("research");
    QuotaHolder small = holder(queue, "small", 5);
    QuotaHolder vast = holder(queue, "vast", Amount.UNLIMITED);
    queue.add(small);
    queue.add(vast);

    journal.begin();
    queue.remove(small);
    queue.remove(vast);
    assertThat(queue.usage(pair)).isZero();
    journal.rollback();

    assertThat(queue.usage(pair)).isEqualTo(Amount.UNLIMITED);
    assertThat(queue.tree().usage(0, queue.tree().column(pair))).isEqualTo(Amount.UNLIMITED);
    journal.begin();
    queue.remove(vast);
    journal.commit();
    assertThat(queue.usage(pair)).isEqualTo(5);
    journal.begin();
    queue.remove(small);
    journal.rollback();
    assertThat(queue.usage(pair)).isEqualTo(5);
  }

  @Test
  void aFailedCallRestoresItsSpecAndItsActivity() {
    QueueQuota queue = queue("research");
    ClusterQueue spec = queue.spec();

    journal.begin();
    forest.put(ClusterQueue.builder().from(spec).fairSharingWeight(2).build());
    forest.setActive(queue, false);
    journal.rollback();

    assertThat(queue.spec()).isEqualTo(spec);
    assertThat(queue.isActive()).isTrue();
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

  @Test
  void holdersAreThoseNotRemovedInWhateverOrderTheyGo() {
    QueueQuota queue = queue("research");
    QuotaHolder first = holder(queue, "first", 1);
    QuotaHolder second = holder(queue, "second", 2);
    QuotaHolder third = holder(queue, "third", 4);
    List.of(first, second, third).forEach(queue::add);

    queue.remove(first);
    assertThat(queue.holders()).containsExactlyInAnyOrder(second, third);
    queue.remove(third);
    assertThat(queue.holders()).containsExactly(second);
    assertThat(queue.usage(pair)).isEqualTo(2);
    queue.remove(second);
    assertThat(queue.holders()).isEmpty();
    assertThat(queue.usage(pair)).isZero();
  }

  @Test
  void generationAdvancesWithEveryRemovalButNotWithAdditions() {
    QueueQuota queue = queue("research");
    QuotaHolder holder = holder(queue, "holder", 1);
    long before = queue.generation();

    queue.add(holder);
    assertThat(queue.generation()).isEqualTo(before);
    queue.remove(holder);
    assertThat(queue.generation()).isEqualTo(before + 1);
  }

  /** Flavor "any" is no longer declared, and then again. */
  @Test
  void holdersKeepWhatIsNoLongerDeclared() {
    QueueQuota queue = queue("research");
    QueueQuota other = queue("other");
    QuotaHolder some = holder(queue, "some", 3);
    QuotaHolder nothing = holder(other, "nothing", 0);
    queue.add(some);
    other.add(nothing);

    forest.put(ClusterQueue.builder().name("research").cohort("pool").build());
    forest.put(ClusterQueue.builder().name("other").cohort("pool").build());
    forest.rebuild();

    assertThat(queue.usage(pair)).isEqualTo(3);
    assertThat(queue.tree().usage(0, queue.tree().column(pair))).isEqualTo(3);
    other.remove(nothing);
    queue.remove(some);
    assertThat(queue.usage(pair)).isZero();
    assertThat(queue.tree().usage(0, queue.tree().column(pair))).isZero();
  }

  @Test
  void aHolderOfNothingOfAGoneFlavorMayFinish() {
    QueueQuota queue = queue("research");
    QuotaHolder nothing = holder(queue, "nothing", 0);
    queue.add(nothing);
    forest.put(ClusterQueue.builder().name("research").cohort("pool").build());
    forest.rebuild();

    queue.remove(nothing);

    assertThat(queue.holders()).isEmpty();
    assertThat(queue.usage(pair)).isZero();
  }
}
