package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.examples.controller.cluster.ServerVersion;
import io.kueue4j.examples.controller.cluster.StrictMockServer;
import io.kueue4j.examples.controller.configuration.ClusterConfiguration;
import io.kueue4j.examples.controller.configuration.ServedKinds;
import io.kueue4j.examples.controller.job.JobContext;
import io.kueue4j.examples.controller.object.ObjectCache;
import io.kueue4j.examples.controller.object.ObjectKey;
import io.kueue4j.examples.controller.record.WorkloadRecords;
import io.kueue4j.examples.controller.state.ControllerOptions;
import io.kueue4j.examples.controller.state.EngineBook;
import io.kueue4j.examples.controller.state.JobEventRecorder;
import io.kueue4j.examples.controller.state.JobReader;
import io.kueue4j.examples.controller.state.JobRecord;
import io.kueue4j.examples.controller.state.JobState;
import io.kueue4j.examples.controller.state.JobWrites;
import io.kueue4j.examples.controller.state.WorkloadPods;
import io.kueue4j.examples.controller.write.KubernetesWrites;
import io.kueue4j.examples.controller.write.Workers;
import io.kueue4j.examples.controller.write.WriteException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.Test;

/** Events about jobs that wait, or are refused. */
final class PendingEventsTest {
  private final Scene scene = Scene.create();

  private List<Event> events(String name) {
    return scene.connection().events().stream()
        .filter(event -> event.getInvolvedObject().getName().equals(name))
        .toList();
  }

  private List<String> texts(String name) {
    return events(name).stream()
        .map(event -> event.getType() + " " + event.getReason() + ": " + event.getMessage())
        .toList();
  }

  @Test
  void aPendingJobGetsOneEventThatSaysWhy() {
    scene.createJob("first", 2);
    scene.createJob("second", 1);
    scene.settle();
    scene.createJob("waits", 3);
    scene.settle();
    assertThat(texts("waits"))
        .containsExactly("Warning WaitingForQuota: pod set main: cpu in flavor spot: requests 3, 1"
            + " available, 2 more needed (in use 3, nominal quota 4), and no workload may be"
            + " preempted for it");

    // The same reason with other amounts.
    scene.finish("second");
    scene.settle();
    scene.clock.advance(Duration.ofHours(1));
    scene.createJob("other", 1);
    scene.settle();
    assertThat(texts("waits")).hasSize(1);
  }

  /** So many starts that a step ends before all of them. */
  private void createMany(String name) {
    for (int number = 0; number < 40; number++) {
      scene.createJob(name + number, 0);
    }
  }

  @Test
  void aJobThatStartsWhileOthersAreDueNeedsNoEvent() {
    scene.createJob("runs", 4);
    scene.settle();
    scene.createJob("waits", 4);
    createMany("many");
    scene.work();
    scene.finish("runs");
    scene.settle();
    assertThat(scene.events("waits")).containsExactly("Started");
  }

  @Test
  void aJobThatWaitsForLongSaysSoThoughOthersAreDue() {
    scene.createJob("runs", 4);
    scene.settle();
    scene.createJob("waits", 4);
    createMany("many");
    scene.work();
    assertThat(scene.events("waits")).isEmpty();
    createMany("more");
    scene.clock.advance(Duration.ofMinutes(1));
    scene.work();
    assertThat(scene.state("more39")).isEqualTo(JobState.PENDING);
    assertThat(scene.events("waits")).containsExactly("WaitingForQuota");
  }

  @Test
  void anotherReasonIsAnotherEventAfterAMinute() {
    scene.createJob("runs", 4);
    scene.settle();
    scene.createJob("waits", 2);
    scene.settle();
    assertThat(scene.events("waits")).containsExactly("WaitingForQuota");
    scene.setQuota("spot", 1);
    scene.settle();
    assertThat(scene.events("waits")).containsExactly("WaitingForQuota");

    scene.clock.advance(Duration.ofMinutes(2));
    scene.setQuota("spot", 0);
    scene.settle();
    assertThat(scene.events("waits")).containsExactly("WaitingForQuota", "ExceedsMaxQuota");
  }

  @Test
  void aReasonOfThePastMinuteIsSaidAfterIt() {
    scene.createJob("runs", 4);
    scene.settle();
    scene.createJob("waits", 2);
    scene.settle();
    scene.setQuota("spot", 1);
    scene.settle();
    assertThat(scene.events("waits")).containsExactly("WaitingForQuota");

    scene.clock.advance(Duration.ofMinutes(1));
    scene.work();
    assertThat(scene.events("waits")).containsExactly("WaitingForQuota", "ExceedsMaxQuota");
  }

  @Test
  void aJobWithoutItsQueueGetsAnEvent() {
    scene.createJob("lost", 1, Scene.withLabel("kueue.x-k8s.io/queue-name", "nowhere"));
    scene.settle();
    assertThat(texts("lost")).singleElement().asString().contains("nowhere");
  }

  @Test
  void theEventOfAnInvalidJobIsShort() {
    List<String> violations = new ArrayList<>();
    for (int number = 0; number < 40; number++) {
      violations.add("spec.template.spec.containers[" + number + "]: a long problem");
    }
    JobRecord record =
        new JobRecord(new ObjectKey("batch", "Job", "default", "job"), scene.createJob("job", 1));
    ClusterConfiguration configuration =
        new ClusterConfiguration(AdmissionEngine.create(), d -> {});
    JobReader reader =
        new JobReader(ControllerOptions.defaults(), new ObjectCache(), configuration);
    JobEventRecorder events = new JobEventRecorder(scene.connection(), scene.clock);
    EngineBook book = new EngineBook(AdmissionEngine.create(), scene.clock);
    JobWrites writes =
        new JobWrites(scene.connection(), stored -> {}, scene.clock, events, Workers.one());
    JobContext context = new JobContext(
        book,
        configuration,
        reader,
        new WorkloadRecords(book, reader, writes),
        new WorkloadPods(Settings.defaults().kueueVersion()),
        writes,
        events);
    context.invalid(record, violations);
    assertThat(texts("job"))
        .singleElement()
        .asString()
        .hasSizeLessThan(330)
        .contains("containers[0]")
        .endsWith("(and 37 more)");
    assertThat(record.messages()).singleElement().asString().contains("containers[39]");
  }

  @Test
  void aRefusalIsWhatTheServerSays() {
    try (StrictMockServer server =
            StrictMockServer.start(ServerVersion.KUBERNETES_1_35, InstantSource.system());
        KubernetesClient client = server.client()) {
      Job given = scene.createJob("job", 1);
      given.getMetadata().setResourceVersion(null);
      given.getMetadata().setUid(null);
      Job job = client.resource(given).create();
      KubernetesWrites writes = new KubernetesWrites(
          client, ImmutableList.copyOf(ServedKinds.BUILT_IN), () -> true, e -> {});
      assertThat(refusal(() -> writes.replace(withOtherImage(job))))
          .contains("spec.template", "field is immutable")
          .doesNotContain("busybox", "Failure executing", "Received status");
      server.forbid(request -> request.equals("PUT jobs"));
      assertThat(refusal(() -> writes.replace(job)))
          .contains("forbidden")
          .doesNotContain("Failure executing", "Received status");
    }
  }

  private static Job withOtherImage(Job job) {
    return new JobBuilder(job)
        .editSpec()
        .editTemplate()
        .editSpec()
        .editFirstContainer()
        .withImage("other")
        .endContainer()
        .endSpec()
        .endTemplate()
        .endSpec()
        .build();
  }

  private static String refusal(ThrowableAssert.ThrowingCallable write) {
    String message =
        String.valueOf(catchThrowableOfType(WriteException.class, write).getMessage());
    assertThat(message).hasSizeLessThan(150);
    return message;
  }
}
