package io.kueue4j.core.internal.compiled;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkloadCompilerTest {
  private final Catalog catalog = new Catalog();
  private final WorkloadCompiler compiler =
      compilerWithout(FeatureGate.SCHEDULING_EQUIVALENCE_HASHING_IGNORE_POD_SET_NAME);

  private WorkloadCompiler compilerWithout(FeatureGate gate) {
    return new WorkloadCompiler(
        catalog, Settings.builder().putFeatureGates(gate, false).build());
  }

  private static Workload.Builder workload(PodSet... podSets) {
    return Workload.builder().namespace("team").name("job").queueName("queue").addPodSets(podSets);
  }

  private static PodSet gpus(String name, int count) {
    return PodSet.builder().name(name).count(count).requestAmount("gpu", 2).build();
  }

  private CompiledWorkload compile(Workload.Builder workload) {
    return compile(workload, ImmutableSortedMap.of());
  }

  private CompiledWorkload compile(
      Workload.Builder workload, SortedMap<String, Integer> reclaimable) {
    return compiler.compile(workload.build(), reclaimable, 0);
  }

  @Nested
  class Sharing {
    @Test
    void workloadsOfEqualPodSetsAndPriorityAreCompiledOnce() {
      CompiledWorkload one = compile(workload(gpus("main", 3)));
      CompiledWorkload other = compile(workload(gpus("main", 3)).name("other"));

      assertThat(other.shape()).isSameAs(one.shape());
      assertThat(other.podSet(0)).isSameAs(one.podSet(0));
      assertThat(other.source().name()).isEqualTo("other");
    }

    @Test
    void workloadsOfOtherPodSetsOrPriorityAreNot() {
      Workload workload = workload(gpus("main", 3)).build();
      CompiledWorkload one = compiler.compile(workload, ImmutableSortedMap.of(), 0);

      assertThat(compiler.compile(workload, ImmutableSortedMap.of(), 1).shape())
          .isNotEqualTo(one.shape());
      assertThat(compile(workload(gpus("main", 4))).podSet(0).count()).isEqualTo(4);
    }

    @Test
    void givenBackPodsMakeTheShapeButNotTheSizeSmaller() {
      PodSet smaller =
          PodSet.builder().count(3).minCount(1).requestAmount("gpu", 2).build();
      CompiledWorkload small = compile(workload(smaller));
      CompiledWorkload reduced = compile(
          workload(PodSet.builder().from(smaller).count(5).build()),
          ImmutableSortedMap.of(smaller.name(), 2));

      assertThat(reduced.shape()).isEqualTo(small.shape());
      assertThat(reduced.fullCounts()).containsExactly(3);
      assertThat(small.shrinkablePods()).isEqualTo(2);
      assertThat(reduced.shrinkablePods()).isEqualTo(4);
    }
  }

  @Nested
  class VisitingOrder {
    private List<String> visited(String... resources) {
      PodSet.Builder podSet = PodSet.builder();
      for (String resource : resources) {
        podSet.requestAmount(resource, 1);
      }
      CompiledPodSet compiled = compile(workload(podSet.build())).podSet(0);
      List<String> names = new ArrayList<>();
      for (int i = 0; i < compiled.size(); i++) {
        names.add(compiled.resource(i).name());
      }
      return names;
    }

    @Test
    void isThatOfTheHashesOfTheNames() {
      assertThat(visited("cpu", "gpu", "memory", "pods"))
          .as("0x2e78eb99a1612fee, 0x8bfcee0da86a3c2d, 0xd5235618fae1fad5, 0xf5a8fa190cb314c9")
          .containsExactly("memory", "pods", "gpu", "cpu");
    }

    @Test
    void comparesHashesAsUnsignedNumbers() {
      assertThat(visited("foobar", "a", "nvidia.com/gpu", "ephemeral-storage"))
          .as("0x0a740d6438a94c20, 0x4f75cf4c78df7ee4, 0x85944171f73967e8, 0xaf63dc4c8601ec8c")
          .containsExactly("ephemeral-storage", "nvidia.com/gpu", "foobar", "a");
    }

    @Test
    void doesNotDependOnWhichResourceWasMetFirst() {
      catalog.resource("cpu");
      catalog.resource("memory");

      assertThat(visited("cpu", "memory")).containsExactly("memory", "cpu");
    }

    @Test
    void keepsAmountsWithTheirResources() {
      CompiledPodSet podSet = compile(workload(PodSet.builder()
              .requestAmount("cpu", 1)
              .requestAmount("memory", 2)
              .requestAmount("gpu", 3)
              .build()))
          .podSet(0);

      assertThat(podSet.amount(podSet.indexOf(catalog.resource("cpu")), 10)).isEqualTo(10);
      assertThat(podSet.amount(podSet.indexOf(catalog.resource("memory")), 10)).isEqualTo(20);
      assertThat(podSet.amount(podSet.indexOf(catalog.resource("gpu")), 10)).isEqualTo(30);
      assertThat(podSet.indexOf(catalog.resource("disk"))).isNegative();
    }
  }

  @Nested
  class Reclaim {
    @ParameterizedTest
    @CsvSource({"0, 5", "2, 3", "5, 0", "9, 0"})
    void leavesOutReclaimablePods(int reclaimable, int count) {
      CompiledWorkload workload =
          compile(workload(gpus("main", 5)), ImmutableSortedMap.of("main", reclaimable));

      assertThat(workload.podSet(0).count()).isEqualTo(count);
      assertThat(workload.fullCounts()).containsExactly(count);
    }

    @Test
    void countsForTheNamedPodSetOnly() {
      CompiledWorkload workload =
          compile(workload(gpus("a", 5), gpus("b", 5)), ImmutableSortedMap.of("b", 2));

      assertThat(workload.fullCounts()).containsExactly(5, 3);
    }

    @Test
    void isIgnoredWhenSwitchedOff() {
      CompiledWorkload workload = compilerWithout(FeatureGate.RECLAIMABLE_PODS)
          .compile(workload(gpus("main", 5)).build(), ImmutableSortedMap.of("main", 2), 0);

      assertThat(workload.fullCounts()).containsExactly(5);
    }

    @Test
    void ofAllPodsLeavesNothingToRequest() {
      CompiledWorkload workload =
          compile(workload(gpus("main", 5)), ImmutableSortedMap.of("main", 5));

      assertThat(workload.podSet(0).amount(0, 5)).isZero();
    }
  }

  @Test
  void requestsSaturateInsteadOfWrapping() {
    CompiledWorkload workload = compile(
        workload(PodSet.builder().requestAmount("gpu", Long.MAX_VALUE / 2).build()));

    assertThat(workload.podSet(0).amount(0, 3)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void aPodUsesWhatItRequestsOnANodeAndOneOfItsPods() {
    PodRequest pod = compile(workload(PodSet.builder()
            .requestAmount("cpu", 1)
            .podRequests(ImmutableSortedMap.of("cpu", 2L, "pods", 3L))
            .build()))
        .podSet(0)
        .podRequest();

    assertThat(pod.amountOf(catalog.resource("cpu"))).isEqualTo(2);
    assertThat(pod.amountOf(catalog.resource("pods"))).isEqualTo(4);
  }

  @Test
  void podsDifferByWhatTheyNameWithoutAnAmount() {
    ImmutableSortedMap<String, Long> cpu = ImmutableSortedMap.of("cpu", 1L);
    ImmutableSortedMap<String, Long> both = ImmutableSortedMap.of("cpu", 1L, "gpu", 0L);

    assertThat(PodRequest.of(cpu, catalog))
        .isEqualTo(PodRequest.of(cpu, catalog))
        .isNotEqualTo(PodRequest.of(both, catalog));
  }

  @ParameterizedTest
  @CsvSource({
    ", , 9223372036854775807, false",
    "PT2S, , 2000, false",
    ", PT3S, 3000, true",
    "PT2S, PT3S, 2000, false",
    "PT4S, PT3S, 3000, false",
    "PT0.000001S, , 1, false"
  })
  void runsAsLongAsExpectedButNotLongerThanAllowed(
      @Nullable Duration expected, @Nullable Duration allowed, long millis, boolean atMost) {
    CompiledWorkload workload = compile(workload(gpus("main", 1))
        .expectedDuration(Optional.ofNullable(expected))
        .maximumExecutionTime(Optional.ofNullable(allowed)));

    assertThat(workload.expectedMillis()).isEqualTo(millis);
    assertThat(workload.isExpectedAtMost()).isEqualTo(atMost);
  }

  @Test
  void podSetsOfAGroupStandTogetherInOrderOfFirstAppearance() {
    PodSet leader = PodSet.builder().name("leader").group("g").build();
    PodSet worker = PodSet.builder().name("worker").group("g").build();

    CompiledWorkload workload =
        compile(workload(gpus("first", 1), leader, gpus("alone", 1), worker));

    assertThat(workload.groups()).isDeepEqualTo(new int[][] {{0}, {1, 3}, {2}});
  }

  @Test
  void shrinksByTheSumOfWhatItsPodSetsCanDoWithout() {
    PodSet elastic = PodSet.builder().name("elastic").count(10).minCount(4).build();
    PodSet other = PodSet.builder().name("other").count(3).minCount(2).build();

    assertThat(compile(workload(gpus("fixed", 5), elastic, other)).shrinkablePods())
        .isEqualTo(7);
  }

  @Nested
  class Shapes {
    private final PodSet podSet = gpus("main", 3);
    private final Shape shape = compile(workload(podSet)).shape();

    private Shape namelessShape(String podSetName) {
      PodSet renamed = PodSet.builder().from(podSet).name(podSetName).build();
      return new WorkloadCompiler(catalog, Settings.defaults())
          .compile(workload(renamed).build(), ImmutableSortedMap.of(), 0)
          .shape();
    }

    private Shape shape(UnaryOperator<PodSet.Builder> change) {
      return compile(workload(change.apply(PodSet.builder().from(podSet)).build()))
          .shape();
    }

    @Test
    void areEqualWhateverNamespaceNameQueueAndTime() {
      Workload other = Workload.builder()
          .namespace("other")
          .name("other")
          .uid("other")
          .queueName("other")
          .creationTime(Instant.EPOCH)
          .addPodSets(podSet)
          .build();

      assertThat(compiler.compile(other, ImmutableSortedMap.of(), 0).shape())
          .isEqualTo(shape)
          .hasSameHashCodeAs(shape);
    }

    @Test
    void differInEffectivePriority() {
      assertThat(compiler
              .compile(workload(podSet).build(), ImmutableSortedMap.of(), 1)
              .shape())
          .isNotEqualTo(shape);
    }

    @Test
    void differInWhatOnePodSetAsks() {
      assertThat(shape(same -> same.name("other"))).isNotEqualTo(shape);
      assertThat(namelessShape("other"))
          .isEqualTo(namelessShape("again"))
          .isEqualTo(shape)
          .isNotEqualTo(shape(same -> same.count(4)));
      assertThat(shape(same -> same.count(4))).isNotEqualTo(shape);
      assertThat(shape(same -> same.minCount(1))).isNotEqualTo(shape);
      assertThat(shape(same -> same.requestAmount("cpu", 1))).isNotEqualTo(shape);
      assertThat(shape(same -> same.putNodeSelector("zone", "a"))).isNotEqualTo(shape);
      assertThat(shape(same -> same.group("g"))).isNotEqualTo(shape);
      assertThat(shape(same -> same.shape("ports 80"))).isNotEqualTo(shape);
    }

    @Test
    void ignoreNamesAfterReclaim() {
      assertThat(new WorkloadCompiler(catalog, Settings.defaults())
              .compile(workload(gpus("other", 5)).build(), ImmutableSortedMap.of("other", 2), 0)
              .shape())
          .isEqualTo(shape);
    }

    @Test
    void countPodsAfterReclaim() {
      assertThat(compile(workload(gpus("main", 5)), ImmutableSortedMap.of("main", 2))
              .shape())
          .isEqualTo(shape);
    }

    @Test
    void differWhenAnotherPodSetJoins() {
      assertThat(compile(workload(podSet, gpus("second", 1))).shape()).isNotEqualTo(shape);
    }
  }
}
