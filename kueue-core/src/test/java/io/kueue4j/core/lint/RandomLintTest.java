package io.kueue4j.core.lint;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.EnumMultiset;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.Iterables;
import com.google.common.collect.Multiset;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.EngineView;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.CohortView;
import io.kueue4j.core.decision.Decision;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.PreemptionVictim;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.lint.Finding.Play;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadPriorityClass;
import io.kueue4j.core.resource.Amount;
import io.kueue4j.core.testkit.Scenario;
import io.kueue4j.core.testkit.ScenarioGenerator;
import io.kueue4j.core.testkit.ScenarioOptions;
import io.kueue4j.core.testkit.Step;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Confirms what is found in random configurations, by plays that share no code with the rules. */
class RandomLintTest {
  private static final int CONFIGURATIONS = 1_000;
  private static final int WORKLOADS = 12;

  private final Multiset<LintRule> confirmed = EnumMultiset.create(LintRule.class);

  @Test
  void findingsOnRandomConfigurationsAreTrue() {
    ScenarioGenerator generator =
        ScenarioGenerator.create(ScenarioOptions.builder().steps(8).build());
    for (int seed = 0; seed < CONFIGURATIONS; seed++) {
      Scenario scenario = generator.scenario(seed);
      ImmutableList<ConfigObject> objects = scenario.steps().stream()
          .flatMap(step -> step instanceof Step.Apply apply ? Stream.of(apply) : Stream.empty())
          .map(apply -> ImmutableList.copyOf(apply.objects()))
          .findFirst()
          .orElseThrow();
      ImmutableList<Workload> workloads = scenario.steps().stream()
          .flatMap(step ->
              step instanceof Step.Submit submit ? Stream.of(submit.workload()) : Stream.empty())
          .collect(toImmutableList());
      List<Finding> findings = ConfigurationLint.of(objects)
          .withSettings(scenario.settings())
          .withWorkloads(workloads)
          .findings();
      for (Finding finding : findings) {
        assertThat(
                finding.rule() == LintRule.FLAVOR_WITHOUT_PODS
                    ? isWithoutPods(finding, objects, workloads)
                    : isTrue(finding, objects, scenario.settings(), new Random(seed)))
            .as("seed %s: %s%n%s%n%s", seed, finding, finding.play(), objects)
            .isTrue();
        confirmed.add(finding.rule());
      }
    }
    assertThat(confirmed.elementSet())
        .contains(
            LintRule.LIMIT_WITHOUT_EFFECT,
            LintRule.UNRECLAIMABLE_QUOTA,
            LintRule.NEVER_ADMITTED,
            LintRule.UNUSED_FLAVOR);
  }

  private static boolean isTrue(
      Finding finding, List<ConfigObject> objects, Settings settings, Random random) {
    return switch (finding.rule()) {
      // The generator makes no invalid objects, and loops are searched by LoopSearch.
      case INVALID_OBJECT, FLAVOR_WITHOUT_PODS, PREEMPTION_LOOP -> false;
      case MISSING_OBJECT, UNANSWERED_CHECK -> hasInactiveQueue(objects, settings);
      case UNUSABLE_LOCAL_QUEUE,
          STOPPED_QUEUE,
          STRICT_FIFO_BLOCKED,
          SLICE_WITHOUT_POOL,
          NEVER_ADMITTED,
          LEVEL_WITHOUT_NODES,
          COHORT_WITHOUT_QUOTA,
          ZERO_QUOTA ->
        holding(finding.play().orElseThrow(), objects, settings).stream().noneMatch(holds -> holds);
      case UNRECLAIMABLE_QUOTA ->
        holding(finding.play().orElseThrow(), objects, settings).equals(List.of(true, false));
      case ZERO_WEIGHT ->
        holding(finding.play().orElseThrow(), objects, settings).equals(List.of(false, true));
      case UNREACHABLE_QUOTA -> isUnreachable(finding, objects, settings);
      case UNUSED_FLAVOR ->
        flavors(objects).noneMatch(flavor -> finding.object().equals("ResourceFlavor " + flavor));
      case FLAVOR_WITHOUT_NODES -> isWithoutNodes(finding, objects);
      case PRIORITY_WITHOUT_EFFECT -> hasEqualPriorities(objects);
      case LIMIT_WITHOUT_EFFECT -> isWithoutEffect(finding, objects, settings, random);
    };
  }

  private static boolean hasInactiveQueue(List<ConfigObject> objects, Settings settings) {
    AdmissionEngine engine = engine(settings, objects);
    return engine.view().clusterQueues().stream().anyMatch(queue -> !queue.isActive());
  }

  private static Stream<String> flavors(List<ConfigObject> objects) {
    return objects.stream()
        .flatMap(object -> groups(object).stream())
        .flatMap(group -> group.flavors().stream())
        .map(FlavorQuotas::flavor);
  }

  /** {@return whether no usage of any queue shows a quota, which a view of the engine lists} */
  private static boolean isUnreachable(
      Finding finding, List<ConfigObject> objects, Settings settings) {
    ResourceQuota lent = objects.stream()
        .filter(object -> object.key().equals(finding.object()))
        .map(object -> quotas(object).get(placeOf(finding.field())))
        .findFirst()
        .orElseThrow();
    EngineView view = engine(settings, objects).view();
    Optional<CohortView> cohort = view.cohort(finding.object().substring("Cohort ".length()));
    String flavor = finding.message().replaceAll(".* in flavor (\\S+) is lent.*", "$1");
    return cohort.stream()
        .flatMap(
            found -> view.cohorts().stream().filter(other -> other.name().equals(found.root())))
        .flatMap(root -> root.clusterQueues().stream())
        .flatMap(name -> view.clusterQueue(name).orElseThrow().usage().stream())
        .noneMatch(
            usage -> usage.flavor().equals(flavor) && usage.resource().equals(lent.resource()));
  }

  private static List<ResourceGroup> groups(ConfigObject object) {
    if (object instanceof ClusterQueue queue) {
      return queue.resourceGroups();
    }
    return object instanceof Cohort cohort ? cohort.resourceGroups() : List.of();
  }

  private static boolean isWithoutNodes(Finding finding, List<ConfigObject> objects) {
    Map<String, String> labels = objects.stream()
        .filter(object -> object.key().equals(finding.object()))
        .map(object -> ((ResourceFlavor) object).nodeLabels())
        .findFirst()
        .orElseThrow();
    return objects.stream()
        .flatMap(object -> object instanceof Node node ? Stream.of(node) : Stream.empty())
        .noneMatch(node -> labels.entrySet().stream()
            .allMatch(label -> label.getValue().equals(node.labels().get(label.getKey()))));
  }

  private static boolean isWithoutPods(
      Finding finding, List<ConfigObject> objects, List<Workload> workloads) {
    ResourceFlavor flavor = objects.stream()
        .filter(object -> object.key().equals(finding.object()))
        .map(object -> (ResourceFlavor) object)
        .findFirst()
        .orElseThrow();
    List<PodSet> podSets = workloads.stream()
        .filter(workload -> objects.stream()
            .anyMatch(object -> object instanceof LocalQueue local
                && local.namespace().equals(workload.namespace())
                && local.name().equals(workload.queueName())
                && objects.stream()
                    .filter(queue -> queue.key().equals("ClusterQueue " + local.clusterQueue()))
                    .anyMatch(queue ->
                        flavors(List.of(queue)).anyMatch(name -> name.equals(flavor.name())))))
        .flatMap(workload -> workload.podSets().stream())
        .toList();
    return !podSets.isEmpty() && podSets.stream().allMatch(podSet -> isKeptOut(podSet, flavor));
  }

  private static boolean isKeptOut(PodSet podSet, ResourceFlavor flavor) {
    boolean isTainted = flavor.nodeTaints().stream()
        .anyMatch(taint -> taint.effect().excludes()
            && Stream.concat(podSet.tolerations().stream(), flavor.tolerations().stream())
                .noneMatch(toleration -> toleration.tolerates(taint)));
    boolean isElsewhere = flavor.nodeLabels().entrySet().stream()
        .anyMatch(label -> !podSet
            .nodeSelector()
            .getOrDefault(label.getKey(), label.getValue())
            .equals(label.getValue()));
    return isTainted || isElsewhere || !podSet.nodeAffinity().isEmpty();
  }

  private static boolean hasEqualPriorities(List<ConfigObject> objects) {
    List<Integer> values = objects.stream()
        .flatMap(object -> object instanceof WorkloadPriorityClass priority
            ? Stream.of(priority.value())
            : Stream.empty())
        .toList();
    return values.stream().distinct().count() < values.size();
  }

  private static AdmissionEngine engine(Settings settings, Iterable<ConfigObject> objects) {
    AdmissionEngine engine = AdmissionEngine.builder()
        .clock(InstantSource.fixed(Instant.EPOCH))
        .settings(Settings.builder().from(settings).podsReady(Optional.empty()).build())
        .build();
    engine.apply(objects);
    return engine;
  }

  private static Decisions settle(AdmissionEngine engine) {
    return engine
        .runUntilStable(20, () -> {
          Decisions decided = engine.runCycle();
          decided.mustStop().forEach(engine::podsStopped);
          return decided;
        })
        .decisions();
  }

  /** {@return whether each workload of a play holds quota in the end} */
  private static List<Boolean> holding(Play play, List<ConfigObject> objects, Settings settings) {
    AdmissionEngine engine = engine(settings, objects);
    engine.apply(play.added());
    for (List<Workload> step : play.steps()) {
      step.forEach(engine::submit);
      var unused = settle(engine);
    }
    return play.steps().stream()
        .flatMap(List::stream)
        .map(workload -> engine.admission(workload.id()).isPresent())
        .toList();
  }

  private static boolean isWithoutEffect(
      Finding finding, List<ConfigObject> objects, Settings settings, Random random) {
    ImmutableList<ConfigObject> open =
        objects.stream().map(RandomLintTest::open).collect(toImmutableList());
    ImmutableList<ConfigObject> without = open.stream()
        .map(object ->
            object.key().equals(finding.object()) ? withoutLimit(object, finding.field()) : object)
        .collect(toImmutableList());
    assertThat(without).isNotEqualTo(open);
    List<LocalQueue> queues = open.stream()
        .flatMap(object -> object instanceof ClusterQueue queue
            ? Stream.of(LocalQueue.of("any", "any-" + queue.name(), queue.name()))
            : Stream.empty())
        .toList();
    AdmissionEngine one = engine(settings, Iterables.concat(open, queues));
    AdmissionEngine other = engine(settings, Iterables.concat(without, queues));
    for (int i = 0; i < WORKLOADS; i++) {
      Workload workload = workload(i, queues, open, random);
      one.submit(workload);
      other.submit(workload);
      if (!withoutFigures(settle(one)).equals(withoutFigures(settle(other)))) {
        return false;
      }
    }
    return true;
  }

  private static ConfigObject open(ConfigObject object) {
    return object instanceof ClusterQueue queue
        ? ClusterQueue.builder()
            .from(queue)
            .namespaceSelector(LabelSelector.everything())
            .build()
        : object;
  }

  private static Workload workload(
      int number, List<LocalQueue> queues, List<ConfigObject> objects, Random random) {
    LocalQueue queue = queues.get(random.nextInt(queues.size()));
    List<ResourceQuota> quotas = objects.stream()
        .filter(object -> object.key().equals("ClusterQueue " + queue.clusterQueue()))
        .flatMap(object -> groups(object).stream())
        .flatMap(group -> group.flavors().stream())
        .flatMap(flavor -> flavor.resources().stream())
        .toList();
    PodSet.Builder podSet = PodSet.builder();
    if (!quotas.isEmpty()) {
      ResourceQuota quota = quotas.get(random.nextInt(quotas.size()));
      long most = Math.max(1, Math.min(1 << 20, Amount.multiply(quota.nominalQuota(), 2)));
      podSet.requestAmount(quota.resource(), 1 + random.nextInt((int) most));
    }
    return Workload.builder()
        .from(Workload.of("any", "w" + number, queue.name(), podSet.build()))
        .priority(random.nextInt(3))
        .creationTime(Instant.EPOCH.plusSeconds(number))
        .build();
  }

  private static List<String> withoutFigures(Decisions decisions) {
    List<String> texts = new ArrayList<>();
    for (Decision decision : decisions.ofKind(Decision.class)) {
      if (decision instanceof AdmissionResult.Admitted || decision instanceof PreemptionVictim) {
        texts.add(decision.toString());
      }
    }
    return texts;
  }

  private static String placeOf(String field) {
    return field.substring(0, field.lastIndexOf('.'));
  }

  /** {@return the quotas of an object by their paths} */
  private static Map<String, ResourceQuota> quotas(ConfigObject object) {
    Map<String, ResourceQuota> quotas = new HashMap<>();
    var unused = changed(object, (place, quota) -> {
      quotas.put(place, quota);
      return quota;
    });
    return quotas;
  }

  private static ConfigObject withoutLimit(ConfigObject object, String field) {
    boolean isBorrowing = field.endsWith("borrowingLimit");
    return changed(
        object,
        (place, quota) -> place.equals(placeOf(field))
            ? new ResourceQuota(
                quota.resource(),
                quota.nominalQuota(),
                isBorrowing ? OptionalLong.empty() : quota.borrowingLimit(),
                isBorrowing ? quota.lendingLimit() : OptionalLong.empty())
            : quota);
  }

  private static ConfigObject changed(
      ConfigObject object, BiFunction<String, ResourceQuota, ResourceQuota> change) {
    List<ResourceGroup> groups = new ArrayList<>();
    for (int i = 0; i < groups(object).size(); i++) {
      ResourceGroup group = groups(object).get(i);
      List<FlavorQuotas> flavors = new ArrayList<>();
      for (int j = 0; j < group.flavors().size(); j++) {
        FlavorQuotas flavor = group.flavors().get(j);
        List<ResourceQuota> quotas = new ArrayList<>();
        for (int k = 0; k < flavor.resources().size(); k++) {
          quotas.add(change.apply(
              "resourceGroups[%d].flavors[%d].resources[%d]".formatted(i, j, k),
              flavor.resources().get(k)));
        }
        flavors.add(new FlavorQuotas(flavor.flavor(), quotas));
      }
      groups.add(new ResourceGroup(group.coveredResources(), flavors));
    }
    return object instanceof ClusterQueue queue
        ? ClusterQueue.builder().from(queue).resourceGroups(groups).build()
        : Cohort.builder().from((Cohort) object).resourceGroups(groups).build();
  }
}
