package io.kueue4j.core.internal.promise;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.internal.attempt.Assignment;
import io.kueue4j.core.internal.attempt.AssignmentMode;
import io.kueue4j.core.internal.compiled.CompiledWorkload;
import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.internal.compiled.FlavorTable;
import io.kueue4j.core.internal.flavor.AssignmentWalk;
import io.kueue4j.core.internal.flavor.FlavorNeeds;
import io.kueue4j.core.internal.flavor.FlavorSearch;
import io.kueue4j.core.internal.flavor.PreemptionOracle;
import io.kueue4j.core.internal.flavor.WorkloadPlacer;
import io.kueue4j.core.internal.fleet.Fleets;
import io.kueue4j.core.internal.fleet.NodesAndFleets;
import io.kueue4j.core.internal.promise.PromiseTimeline.Fit;
import io.kueue4j.core.internal.promise.PromiseTimeline.Question;
import io.kueue4j.core.internal.quota.AmountOverTime;
import io.kueue4j.core.internal.quota.Footprint;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.internal.quota.QuotaTree;
import io.kueue4j.core.internal.support.CompiledQueues;
import io.kueue4j.core.internal.topology.Inventories;
import io.kueue4j.core.internal.versioned.Journal;
import io.kueue4j.core.model.CapacityWindow;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.testkit.jqwik.Choices;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;

/**
 * A timeline answers as a plain search does. The search lets a tree of cohorts look as it will
 * after each start and end, one after another, and tries the workload each time.
 */
class PromiseTimelineProperties {
  private static final long NOW = 100;
  private static final List<String> FLAVORS = List.of("a", "b");
  private static final List<String> RESOURCES = List.of("disk", "gpu");

  @Provide
  Arbitrary<Runnable> plays() {
    return Choices.arbitrary(choices -> () -> new Play(choices).run());
  }

  @Property(tries = 400)
  void answersAsAPlainSearchDoes(@ForAll("plays") Runnable play) {
    play.run();
  }

  /** Questions about a random tree. */
  private static final class Play {
    private final Choices choices;
    private final CompiledQueues compiled = new CompiledQueues();
    private final FlavorTable flavors = new FlavorTable(new Journal());
    private final Inventories inventories =
        new Inventories(compiled.catalog, Settings.defaults(), new Journal());
    private final List<QueueQuota> queues = new ArrayList<>();
    private final List<Stay> running = new ArrayList<>();
    private final List<Stay> promised = new ArrayList<>();
    private final List<Window> windows = new ArrayList<>();
    private final PromiseTimeline timeline;
    private int created;

    /** What counts for the present question. */
    private Question question;

    private record Window(
        CapacityWindow window,
        QueueQuota queue,
        Set<WorkloadId> beneficiaries,
        long start,
        long end) {}

    Play(Choices choices) {
      this.choices = choices;
      configure();
      this.question = new Question(queues.get(0), Set.of(), List.of(), window -> true);
      for (int i = 0; i < 6; i++) {
        long end = choices.oneIn(4) ? AmountOverTime.NEVER : NOW + choices.nextInt(20);
        Stay stay = running(end);
        running.add(stay);
        charge(stay, true);
      }
      this.timeline = new PromiseTimeline(tree(), running, NOW);
      for (int i = 0; i < 4; i++) {
        promise();
      }
      choices.repeat(2, i -> addWindow());
    }

    private void configure() {
      FLAVORS.forEach(flavor -> flavors.put(ResourceFlavor.of(flavor)));
      compiled.put(Cohort.builder().name("top").addResourceGroups(quotas(false)).build());
      for (String cohort : List.of("left", "right")) {
        compiled.put(Cohort.builder()
            .name(cohort)
            .parent("top")
            .addResourceGroups(quotas(true))
            .build());
      }
      for (int i = 0; i < 3; i++) {
        compiled.put(ClusterQueue.builder()
            .name("q" + i)
            .cohort(choices.of("left", "right"))
            .addResourceGroups(quotas(true))
            .build());
      }
      for (int i = 0; i < 3; i++) {
        queues.add(compiled.queue("q" + i));
      }
    }

    private ResourceGroup quotas(boolean isLimited) {
      return ResourceGroup.of(FLAVORS.stream()
          .map(flavor -> FlavorQuotas.of(
              flavor,
              RESOURCES.stream()
                  .map(resource -> quota(resource, isLimited))
                  .toArray(ResourceQuota[]::new)))
          .toArray(FlavorQuotas[]::new));
    }

    private ResourceQuota quota(String resource, boolean isLimited) {
      ResourceQuota quota = ResourceQuota.ofAmount(resource, choices.nextInt(6));
      if (isLimited && choices.oneIn(4)) {
        quota = quota.withBorrowingLimit(String.valueOf(choices.nextInt(4)));
      }
      return isLimited && choices.oneIn(3)
          ? quota.withLendingLimit(String.valueOf(choices.nextInt(4)))
          : quota;
    }

    private QuotaTree tree() {
      return queues.get(0).tree();
    }

    private CompiledWorkload workload() {
      Workload.Builder workload =
          Workload.builder().namespace("team").name("job" + created++).queueName("queue");
      if (choices.nextBoolean()) {
        workload.maximumExecutionTime(Duration.ofSeconds(1));
      }
      choices.list(
          1,
          2,
          some -> workload.addPodSets(PodSet.builder()
              .name("pods" + some.nextInt(1000))
              .requestAmount("disk", some.nextInt(4))
              .requestAmount("gpu", some.nextInt(3))
              .build()));
      return compiled.compile(workload.build(), 0);
    }

    private QuotaHolder holder() {
      FlavorResource[] pairs = RESOURCES.stream()
          .map(resource -> compiled.pair(choices.of(FLAVORS), resource))
          .toArray(FlavorResource[]::new);
      long[] amounts = {choices.nextInt(4), choices.nextInt(3)};
      return new QuotaHolder(workload(), "q", pairs, amounts, 0, 0, false, Footprint.NONE);
    }

    private Stay running(long end) {
      return new Stay(choices.of(queues), holder(), true, Long.MIN_VALUE, end);
    }

    private void promise() {
      long start = NOW + choices.nextInt(20);
      long end = choices.oneIn(4) ? AmountOverTime.NEVER : start + choices.nextInt(10);
      Stay stay = new Stay(choices.of(queues), holder(), false, start, end);
      promised.add(stay);
      timeline.set(stay);
    }

    private void addWindow() {
      QueueQuota queue = choices.of(queues);
      long start = NOW - 5 + choices.nextInt(20);
      long end = Math.max(NOW, start) + 1 + choices.nextInt(10);
      CapacityWindow window = CapacityWindow.builder()
          .name("w" + windows.size())
          .start(Instant.ofEpochMilli(start))
          .end(Instant.ofEpochMilli(end))
          .clusterQueue(queue.name())
          .keep(choices.of(FLAVORS), choices.of(RESOURCES), String.valueOf(choices.nextInt(5)))
          .build();
      List<WorkloadId> ids = new ArrayList<>();
      running.forEach(stay -> ids.add(stay.id()));
      promised.forEach(stay -> ids.add(stay.id()));
      Set<WorkloadId> beneficiaries = new HashSet<>(choices.someOf(ids));
      windows.add(new Window(window, queue, beneficiaries, Math.max(start, NOW), end));
      timeline.addWindow(
          new KeptCapacity(
              window,
              queue,
              holder -> beneficiaries.contains(holder.id()),
              compiled.catalog,
              new NodesAndFleets(inventories, new Fleets(new Journal()))),
          start,
          end);
    }

    void run() {
      for (int i = 0; i < 4; i++) {
        int checkpoint = tree().checkpoint();
        disturb();
        ask();
        tree().rollback(checkpoint);
        if (choices.oneIn(2)) {
          timeline.remove(promised.remove(0).id());
          promise();
        }
      }
    }

    /** Lets some workloads leave, and others start, as in a cycle. */
    private void disturb() {
      List<QuotaHolder> leaving = new ArrayList<>();
      if (choices.oneIn(2)) {
        choices.someOf(running).forEach(stay -> {
          leaving.add(stay.holder());
          charge(stay, false);
        });
        charge(running(AmountOverTime.NEVER), true);
      }
      Set<WorkloadId> without = new HashSet<>();
      choices.someOf(promised).forEach(stay -> without.add(stay.id()));
      List<CapacityWindow> met =
          choices.someOf(windows.stream().map(Window::window).toList());
      question = new Question(choices.of(queues), without, leaving, met::contains);
    }

    private void ask() {
      CompiledWorkload workload = workload();
      long duration = choices.oneIn(4) ? AmountOverTime.NEVER / 2 : 1 + choices.nextInt(15);
      Assignment found =
          ask(FlavorNeeds.of(workload, question.queue()), duration, () -> fit(workload));
      if (found != null) {
        Assignment unused =
            ask(FlavorNeeds.of(found), duration, () -> stillFits(found) ? found : null);
        assertThat(timeline.firstMisfit(question, NOW + duration, found, this::stillFits))
            .isEqualTo(misfit(found, NOW, NOW + duration));
      }
    }

    private @Nullable Assignment ask(
        FlavorNeeds needs, long duration, Supplier<@Nullable Assignment> fit) {
      long latest = NOW + choices.nextInt(40);
      Fit found =
          timeline.earliest(question, needs, duration, latest, at -> fit.get(), this::stillFits);
      assertThat(text(found)).isEqualTo(text(earliest(duration, latest, fit)));
      return found == null ? null : found.assignment();
    }

    private static String text(@Nullable Fit fit) {
      return fit == null
          ? "never"
          : fit.startMillis() + text(fit.assignment()) + (fit.isBounded() ? "" : " as a guess");
    }

    private static String text(Assignment assignment) {
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < assignment.usage().size(); i++) {
        text.append(' ').append(assignment.usage().pair(i));
        text.append('=').append(assignment.usage().amount(i));
      }
      return text.toString();
    }

    private @Nullable Assignment fit(CompiledWorkload workload) {
      WorkloadPlacer placer = new WorkloadPlacer(
          inventories, new Fleets(new Journal()), compiled.catalog, false, (name, flavor) -> false);
      FlavorSearch search = new FlavorSearch(
          flavors,
          placer,
          Settings.defaults(),
          PreemptionOracle.NO_CANDIDATES,
          workload,
          question.queue(),
          null,
          null);
      Assignment found = new AssignmentWalk(search, workload.fullCounts(), null).walk();
      return found.mode() == AssignmentMode.FIT ? found : null;
    }

    private boolean stillFits(Assignment assignment) {
      for (int i = 0; i < assignment.usage().size(); i++) {
        FlavorResource pair = assignment.usage().pair(i);
        if (assignment.usage().amount(i) > question.queue().available(pair)) {
          return false;
        }
      }
      return true;
    }

    // ----- the plain search

    private @Nullable Fit earliest(long duration, long latest, Supplier<@Nullable Assignment> fit) {
      long next = NOW;
      for (long at : times()) {
        Assignment assignment = at < next || at > latest ? null : at(at, fit);
        next = assignment == null ? next : misfit(assignment, at, at + duration);
        if (assignment != null && next == AmountOverTime.NEVER) {
          boolean isGuess =
              stays().stream().anyMatch(stay -> stay.endMillis() <= at && stay.isGuess());
          return new Fit(at, assignment, !isGuess);
        }
      }
      return null;
    }

    private long misfit(Assignment assignment, long start, long end) {
      for (long at : times()) {
        if (at >= start && at < end && !at(at, () -> stillFits(assignment))) {
          return at;
        }
      }
      return AmountOverTime.NEVER;
    }

    private List<Stay> stays() {
      List<Stay> stays = new ArrayList<>(running);
      stays.removeIf(stay -> question.leaving().contains(stay.holder()));
      promised.stream().filter(stay -> !question.without().contains(stay.id())).forEach(stays::add);
      return stays;
    }

    private Set<Long> times() {
      Set<Long> times = new TreeSet<>(Set.of(NOW));
      for (Stay stay : stays()) {
        times.add(Math.max(NOW, stay.startMillis()));
        times.add(stay.endMillis());
      }
      for (Window window : windows) {
        times.add(window.start);
        times.add(window.end);
      }
      times.remove(AmountOverTime.NEVER);
      return times;
    }

    /** {@return an answer about the tree as it will look at a time} */
    private <R extends @Nullable Object> R at(long time, Supplier<R> answer) {
      int checkpoint = tree().checkpoint();
      for (Stay stay : stays()) {
        if (stay.isRunning() && stay.endMillis() <= time) {
          charge(stay, false);
        } else if (!stay.isRunning() && isWithin(time, stay.startMillis(), stay.endMillis())) {
          charge(stay, true);
        }
      }
      for (Window window : windows) {
        if (question.windows().test(window.window) && isWithin(time, window.start, window.end)) {
          keep(window, time);
        }
      }
      R found = answer.get();
      tree().rollback(checkpoint);
      return found;
    }

    private static boolean isWithin(long time, long start, long end) {
      return start <= time && time < end;
    }

    private void keep(Window window, long time) {
      CapacityWindow.KeptAmount kept = window.window.amounts().get(0);
      FlavorResource pair = compiled.pair(kept.flavor(), kept.resource());
      long used = stays().stream()
          .filter(stay -> stay.queue() == window.queue
              && window.beneficiaries.contains(stay.id())
              && isWithin(time, stay.startMillis(), stay.endMillis()))
          .mapToLong(stay -> stay.holder().amountOf(pair))
          .sum();
      compiled.use(window.queue, pair, Math.max(0, kept.amount() - used));
    }

    private void charge(Stay stay, boolean isCharged) {
      QueueQuota queue = Objects.requireNonNull(stay.queue());
      for (int i = 0; i < stay.holder().size(); i++) {
        int column = tree().column(stay.holder().pair(i));
        if (isCharged) {
          tree().add(queue.node(), column, stay.holder().amount(i));
        } else {
          tree().remove(queue.node(), column, stay.holder().amount(i));
        }
      }
    }
  }
}
