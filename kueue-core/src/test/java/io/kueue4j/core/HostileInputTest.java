package io.kueue4j.core;

import static io.kueue4j.core.Cluster.id;
import static io.kueue4j.core.DecisionText.admitted;
import static io.kueue4j.core.DecisionText.preempted;
import static io.kueue4j.core.Queues.group;
import static io.kueue4j.core.Queues.queue;
import static io.kueue4j.core.model.Preemption.Policy.ANY;
import static io.kueue4j.core.model.Preemption.Policy.LOWER_PRIORITY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.InvalidConfigurationException;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Workload;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Extreme input: the result is an answer or a documented error, at once. */
class HostileInputTest {
  /** A chain of cohorts of this depth would overflow the stack in a recursive traversal. */
  private static final int DEPTH = 5_000;

  private static final ResourceQuota MOST = ResourceQuota.ofAmount("cpu", Long.MAX_VALUE);

  private static List<ConfigObject> chain(int depth, boolean closed) {
    List<ConfigObject> cohorts = new ArrayList<>();
    for (int i = 0; i < depth; i++) {
      Cohort.Builder cohort = Cohort.builder().name("c" + i);
      if (i > 0 || closed) {
        cohort.parent("c" + Math.floorMod(i - 1, depth));
      }
      cohorts.add(cohort.build());
    }
    return cohorts;
  }

  @Nested
  class DeepCohorts {
    private Cluster deep(Settings settings) {
      Cluster cluster = new Cluster(settings).ticking();
      cluster.engine.apply(chain(DEPTH, false));
      return cluster.with(
          queue("bottom", "c" + (DEPTH - 1), 2)
              .preemption(Preemption.builder()
                  .withinClusterQueue(LOWER_PRIORITY)
                  .reclaimWithinCohort(ANY)
                  .build()),
          queue("top", "c0", 2),
          queue("middle", "c" + DEPTH / 2, 0));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void areLentAcrossAndReclaimedFrom(boolean fairSharing) {
      Cluster cluster =
          deep(fairSharing ? Settings.builder().fairSharing().build() : Settings.defaults());
      cluster.run("borrower", "middle", 4, 0);
      cluster.submit("owner", "bottom", 2, 0).submit("other", "top", 1, 0);

      assertThat(preempted(cluster.cycle())).hasSize(1).first().asString().startsWith("borrower");
      cluster.stop("borrower");
      assertThat(admitted(cluster.cycle())).contains("owner");
      assertThat(cluster.used("bottom")).isEqualTo(2);
      cluster.engine.finish(id("owner"));
      assertThat(cluster.used("bottom")).isZero();
    }

    @Test
    void areReclaimedFromFromAbove() {
      Cluster cluster = deep(Settings.defaults())
          .with(queue("top", "c0", 2)
              .preemption(Preemption.builder()
                  .withinClusterQueue(LOWER_PRIORITY)
                  .reclaimWithinCohort(ANY)
                  .build()));
      cluster.run("borrower", "bottom", 4, 0).submit("owner", "top", 2, 0);

      assertThat(preempted(cluster.cycle()))
          .containsExactly("borrower for owner: InCohortReclamation");
    }

    @Test
    void mayBeTakenApart() {
      Cluster cluster = deep(Settings.defaults());

      assertThat(EngineCalls.remove(cluster.engine, Cohort.class, "c" + DEPTH / 2))
          .isTrue();

      assertThat(
              cluster.engine.tryAdmit(cluster.job("w", "bottom", 4, 0)).result().isAdmitted())
          .isFalse();
    }

    @Test
    void inACycleAreOneViolation() {
      Cluster cluster = new Cluster().ticking();
      List<ConfigObject> cycle = chain(DEPTH, true);

      InvalidConfigurationException refused = catchThrowableOfType(
          InvalidConfigurationException.class, () -> cluster.engine.apply(cycle));

      assertThat(refused.violations()).hasSize(1);
      assertThat(refused).hasMessageContaining("(5000 cohorts)");
    }
  }

  @Nested
  class Amounts {
    private final Cluster cluster = new Cluster()
        .ticking()
        .with(queue("q", "c", 10)
            .preemption(Preemption.builder()
                .withinClusterQueue(LOWER_PRIORITY)
                .reclaimWithinCohort(ANY)
                .build()))
        .with(queue("huge", "c", group(MOST)));

    private Workload pods(String name, String queue, int count, int minCount, long milliCpus) {
      return cluster
          .jobWithoutPods(name, queue)
          .addPodSets(PodSet.builder()
              .count(count)
              .minCount(minCount)
              .requestAmount("cpu", milliCpus)
              .build())
          .build();
    }

    @ParameterizedTest
    @CsvSource({"1000000, 1", "2147483647, 9223372036854775807", "2147483647, 1"})
    void ofAnySizeAreAnswered(int count, long milliCpus) {
      Workload all = pods("all", "q", count, count, milliCpus);
      Workload some = pods("some", "q", count, 1, milliCpus);

      assertThat(cluster.engine.tryAdmit(all).result()).isNotNull();
      assertThat(cluster.engine.tryAdmit(some).result()).isNotNull();
      cluster.engine.submit(pods("queued", "huge", count, 1, milliCpus));
      cluster.cycle();
      assertThat(cluster.engine.view().toString()).isNotEmpty();
      assertThat(cluster.engine.finish(id("queued")).removed()).isNotEmpty();
      cluster.engine.finish(id("all"));
      cluster.engine.finish(id("some"));
      assertThat(cluster.used("huge")).isZero();
      assertThat(cluster.used("q")).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, Integer.MAX_VALUE})
    void andPrioritiesAtTheirLimitsDoNotWrapAround(int extreme) {
      Cluster boosting = Cluster.with(FeatureGate.PRIORITY_BOOST, true)
          .ticking()
          .with(queue("q", "c", 1)
              .preemption(Preemption.builder()
                  .withinClusterQueue(LOWER_PRIORITY)
                  .reclaimWithinCohort(ANY)
                  .build()));
      boosting.run(Workload.builder()
          .from(boosting.job("extreme", "q", 1, extreme))
          .priorityBoost(extreme)
          .build());
      boosting.submit("plain", "q", 1, 0);

      assertThat(preempted(boosting.cycle())).hasSize(extreme < 0 ? 1 : 0);
    }
  }

  @Nested
  class Shapes {
    private final Cluster cluster = new Cluster().ticking().with(queue("q", "c", 10));

    @Test
    void tenThousandPodSetsAreRefused() {
      Workload many = cluster
          .jobWithoutPods("many", "q")
          .addAllPodSets(IntStream.range(0, 10_000)
              .mapToObj(i -> PodSet.builder().name("p" + i).build())
              .toList())
          .build();

      assertThat(cluster.engine.tryAdmit(many).result())
          .isInstanceOf(AdmissionResult.Rejected.class);
      assertThat(cluster.engine.submit(many).result()).isInstanceOf(AdmissionResult.Rejected.class);
    }

    @Test
    @SuppressWarnings("NullAway") // that is what is tried
    void nullIsRefusedBeforeAnythingChanges() {
      assertThatThrownBy(() -> cluster.engine.apply(ResourceFlavor.of("a"), null))
          .isInstanceOf(NullPointerException.class);
      assertThatThrownBy(() -> cluster.engine.apply(Arrays.asList(ResourceFlavor.of("a"), null)))
          .isInstanceOf(NullPointerException.class);

      assertThat(EngineCalls.remove(cluster.engine, ResourceFlavor.class, "a")).isFalse();
    }

    @Test
    void thousandsOfQuotasWithTheGreatestAmountsAddUp() {
      FlavorQuotas[] flavors = IntStream.range(0, 64)
          .mapToObj(i -> FlavorQuotas.of("f" + i, MOST))
          .toArray(FlavorQuotas[]::new);
      for (int i = 0; i < 20; i++) {
        cluster.with(queue("m" + i, "c", ResourceGroup.of(flavors)));
      }
      cluster.engine.apply(
          IntStream.range(0, 64).mapToObj(i -> ResourceFlavor.of("f" + i)).toList());

      for (int i = 0; i < 20; i++) {
        cluster.run(cluster.job("w" + i, "m" + i, 0, Map.of("cpu", Long.MAX_VALUE)));
      }
      for (int i = 0; i < 20; i++) {
        assertThat(cluster.engine.finish(id("w" + i)).removed()).isNotEmpty();
        assertThat(cluster.used("m" + i)).isZero();
      }
    }
  }

  @Nested
  class Times {
    private final Cluster cluster = new Cluster().ticking().with(queue("q", "c", 1));

    @Test
    void atTheirLimitsAreOrderedAsOthers() {
      for (Instant time : List.of(Instant.MAX, Instant.EPOCH, Instant.MIN)) {
        cluster.submit(Workload.builder()
            .from(cluster.job("t" + time.getEpochSecond(), "q", 1, 0))
            .name("at" + (time.equals(Instant.EPOCH) ? 1 : time.equals(Instant.MIN) ? 0 : 2))
            .creationTime(time)
            .build());
      }

      assertThat(cluster.pending("q")).containsExactly("at0", "at1", "at2");
    }

    @Test
    void aRequeueTimeAtTheLimitIsNeverReached() {
      cluster.backOff(cluster.job("w", "q", 1), Instant.MAX);

      assertThat(cluster.cycle().isEmpty()).isTrue();
      assertThat(cluster.engine.explain(id("w")).toString()).isNotEmpty();
    }
  }
}
