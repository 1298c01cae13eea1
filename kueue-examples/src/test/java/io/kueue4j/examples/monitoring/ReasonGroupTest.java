package io.kueue4j.examples.monitoring;

import static io.kueue4j.examples.monitoring.MonitoredEngine.job;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Lists;
import io.kueue4j.examples.monitoring.MonitorView.WaitState;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which jobs wait for the same, and how that is said. */
class ReasonGroupTest {
  private static MonitorView.Waiting outside(String name, String... messages) {
    return MonitorView.Waiting.outside(
        new JobName("Job", "team", name),
        "main",
        WaitState.DELAYED,
        ImmutableList.copyOf(messages));
  }

  @Test
  void textsThatDifferInNumbersAreTheSame() {
    List<ReasonGroup> groups = ReasonGroup.of(List.of(
        outside("a", "preempted 3 times, until 10:15"),
        outside("b", "no LocalQueue x"),
        outside("c", "preempted 12 times, until 9:05"),
        outside("d", "no LocalQueue x", "and more")));
    assertThat(groups).extracting(group -> group.jobs().size()).containsExactly(2, 1, 1);
    assertThat(groups.get(0).texts()).containsExactly("such as: preempted 3 times, until 10:15");
    assertThat(groups.get(1).texts()).containsExactly("no LocalQueue x");
    assertThat(groups.get(2).texts()).containsExactly("no LocalQueue x", "and more");
  }

  @Test
  void keysStayTheSameFromOnePageToTheNext() {
    ImmutableList<MonitorView.Waiting> jobs = MonitoredEngine.busy().view().waiting();
    assertThat(ReasonGroup.of(jobs)).extracting(ReasonGroup::key).doesNotHaveDuplicates();
    assertThat(ReasonGroup.of(Lists.reverse(jobs)))
        .extracting(ReasonGroup::key)
        .containsExactlyInAnyOrderElementsOf(
            ReasonGroup.of(jobs).stream().map(ReasonGroup::key).toList());
  }

  @Test
  void whatCanNeverFitIsNotMixedWithWhatWaits() {
    MonitoredEngine busy = MonitoredEngine.busy();
    busy.engine.submit(job("huge", "language", 50));
    busy.engine.submit(job("new", "vision", 1));
    var unused = busy.engine.runUntilStable(100);
    busy.engine.submit(job("later", "vision", 2));
    List<String> texts = ReasonGroup.of(busy.view().waiting()).stream()
        .flatMap(group -> group.texts().stream())
        .toList();
    assertThat(texts)
        .contains(
            "cpu in flavor spot: 50 requested, more than the queue could ever get (10)",
            "cpu in flavor spot: 5 requested, 0 available; no workload may be preempted",
            "their turn has not come: queued in ClusterQueue vision");
  }
}
