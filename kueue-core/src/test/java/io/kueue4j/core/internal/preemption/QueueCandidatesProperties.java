package io.kueue4j.core.internal.preemption;

import static io.kueue4j.core.internal.fairness.GpuCohorts.gpus;
import static io.kueue4j.core.internal.fairness.GpuCohorts.group;
import static io.kueue4j.core.internal.fairness.GpuCohorts.queue;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.internal.quota.TreeObserver;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.testkit.jqwik.Choices;
import io.kueue4j.core.testkit.jqwik.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;

/** The candidates are in order, and the first one is found, while candidates come and go. */
class QueueCandidatesProperties {
  private final PreemptionFixture fixture = new PreemptionFixture();
  private final List<String> running = new ArrayList<>();
  private Choices choices = Choices.ofSeed(0);
  private int submitted;

  /** Passes changes on to the candidates. */
  private record Teller(QueueCandidates candidates) implements TreeObserver {
    @Override
    public void borrowingChanged(int node, int column) {}

    @Override
    public void queueChanged(int node) {}

    @Override
    public void candidateAdded(int node, QuotaHolder holder) {
      candidates.add(holder);
    }

    @Override
    public void candidateRemoved(int node, QuotaHolder holder) {
      candidates.remove(holder);
    }
  }

  private QuotaHolder randomHolder() {
    return fixture.holder(choices.of(running));
  }

  private void run() {
    String name = "w" + submitted++;
    long reserved = 1000L * choices.nextInt(6);
    String resource = choices.oneIn(4) ? "disk" : "gpu";
    int priority = choices.nextInt(3);
    fixture.running(reserved, reserved, name, name, "q", priority, Map.of(resource, 1L));
    choices.note("%s of priority %s runs with %s since %s", name, priority, resource, reserved);
    running.add(name);
  }

  private void stop() {
    QuotaHolder holder = randomHolder();
    choices.note("%s ends", holder.workload().source().name());
    running.remove(holder.workload().source().name());
    fixture.queueOf(holder).remove(holder);
  }

  private void change(boolean grows) {
    int what = choices.nextInt(8);
    if (running.isEmpty() || what < (grows ? 4 : 2)) {
      run();
    } else if (what < 6) {
      stop();
    } else if (what == 6) {
      QuotaHolder holder = randomHolder();
      choices.note("%s set aside or back", holder.workload().source().name());
      fixture.queueOf(holder).setAside(holder, !fixture.isSetAside(holder));
    } else {
      fixture.evict(choices.of(running), 1000L * choices.nextInt(6));
    }
  }

  @Provide
  Arbitrary<Run> areInOrderRuns() {
    return Run.of(choices -> new QueueCandidatesProperties().checkAreInOrder(choices));
  }

  @Property(tries = 60)
  void areInOrder(@ForAll("areInOrderRuns") Run run) {
    run.check();
  }

  private void checkAreInOrder(Choices choices) {
    this.choices = choices;
    fixture.cohorts.with(queue("q", "r", group(gpus(5), ResourceQuota.ofAmount("disk", 5))));
    QueueQuota quota = fixture.cohorts.queue("q");
    FlavorResource gpu = fixture.cohorts.gpuPair();
    QueueCandidates candidates =
        new QueueCandidates(quota, CandidateOrder.BY_PRIORITY, holder -> holder.holds(gpu));
    quota.tree().borrowers().observe(new Teller(candidates));
    int looks = 1 + choices.nextInt(6);
    choices.repeat(400, number -> {
      change(number / 100 % 2 == 0);
      List<QuotaHolder> expected = quota.holders().stream()
          .filter(holder -> holder.holds(gpu) && !quota.isSetAside(holder))
          .sorted(CandidateOrder.BY_PRIORITY)
          .toList();
      if (choices.nextInt(looks) == 0) {
        @Nullable QuotaHolder first = expected.isEmpty() ? null : expected.get(0);
        assertThat(candidates.first()).isSameAs(first);
      }
      if (choices.nextInt(4 * looks) == 0) {
        assertThat(candidates.inOrder()).containsExactlyElementsOf(expected);
      }
    });
  }
}
