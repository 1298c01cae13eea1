package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableMap;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.kueue4j.examples.controller.cluster.ApiWrite;
import io.kueue4j.examples.controller.cluster.StrictCluster;
import io.kueue4j.examples.controller.cluster.Trees;
import io.kueue4j.examples.controller.seal.SequenceLedger;
import java.time.Duration;
import java.util.HashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Users who may edit jobs write any notes; none of them is trusted. */
class SealedNotesTest {
  private final Scene scene = Scene.create();

  /** The change of a user to the note of a running job. */
  @SuppressWarnings("ImmutableEnumChecker") // the functions have no state
  enum Tampering {
    EMPTIED(note -> ""),
    UNREADABLE(note -> "{broken"),
    NO_OBJECT(note -> "[]"),
    WITHOUT_SEAL(note -> edited(note, json -> json.remove("seal"))),
    SEAL_WITHOUT_FIELDS(note -> edited(note, json -> json.putObject("seal"))),
    LOWERED(note -> note.replace("\"cpu\":\"3\"", "\"cpu\":\"1\"")),
    INFLATED(note -> note.replace("\"cpu\":\"3\"", "\"cpu\":\"300\"")),
    OTHER_QUEUE(note -> note.replace("research", "elsewhere")),
    OTHER_BEFORE(note -> edited(note, json -> json.putObject("before").putArray("podSets"))),
    WITHOUT_PAST(note -> edited(note, json -> json.remove("status"))),
    LATER_NUMBER(note -> edited(
        note,
        json -> ((ObjectNode) json.path("seal"))
            .put("sequence", json.at("/seal/sequence").asLong() + 1))),
    OTHER_KEY(note -> edited(note, json -> ((ObjectNode) json.path("seal")).put("key", "000000")));

    private final UnaryOperator<String> change;

    Tampering(UnaryOperator<String> change) {
      this.change = change;
    }

    private static String edited(String note, Consumer<ObjectNode> change) {
      ObjectNode json = Json.parse(note);
      change.accept(json);
      return Json.text(json);
    }
  }

  private void assertNoneRunsUncounted() {
    long running = scene.cluster.keys(key -> key.kind().equals("Job")).stream()
        .mapToLong(key -> Scene.runningMillis(scene.job(key.name())))
        .sum();
    assertThat(running).isEqualTo(scene.usedMillis()).isLessThanOrEqualTo(4000);
  }

  /**
   * Starts the job {@code train}.
   *
   * @return its note
   */
  private String startTrain() {
    scene.createJob("train", 3);
    scene.settle();
    return scene.note("train");
  }

  /**
   * Starts the job {@code train} and stops it for {@code high}.
   *
   * @return the note of its run
   */
  private String stopTrain() {
    String note = startTrain();
    scene.preempt(4);
    return note;
  }

  @Test
  void aNoteIsSealedByTheWriteThatStarts() {
    scene.createJob("train", 2);
    scene.settle();
    assertThat(scene.writes("train")).isEqualTo(1);
    assertThat(Json.parse(scene.note("train")).at("/seal/mac").asText()).hasSize(44);
    scene.restart();
    scene.settle();
    assertThat(scene.writes("train")).as("nothing is to be sealed anew").isEqualTo(1);
    assertThat(scene.events("train")).containsExactly("Started");
  }

  @ParameterizedTest
  @EnumSource(Tampering.class)
  void whoTampersWhileTheControllerRunsIsStoppedAndIsAgainWhatItWas(Tampering tampering) {
    Job given = scene.createJob("train", 3);
    scene.settle();
    scene.forge("train", tampering.change.apply(scene.note("train")));
    scene.work();

    assertThat(scene.job("train").getSpec().getSuspend()).isTrue();
    assertThat(scene.state("train")).isEqualTo(JobState.STOPPING);
    assertThat(scene.usedMillis()).as("until its pods are gone").isEqualTo(3000);
    assertThat(scene.events("train")).containsExactly("Started", "AdmissionRefused", "Stopped");
    assertThat(scene.view().refusedNotes())
        .singleElement()
        .satisfies(refused -> assertThat(refused.name()).isEqualTo("train"));

    scene.createJob("other", 2);
    scene.preempt(4);
    assertThat(Json.tree(Scene.withoutMetadata(scene.job("train"))))
        .isEqualTo(Json.tree(Scene.withoutMetadata(given)));
    assertNoneRunsUncounted();
  }

  @ParameterizedTest
  @EnumSource(Tampering.class)
  void whoTampersWhileNoControllerRunsIsStopped(Tampering tampering) {
    startTrain();
    scene.forge("train", tampering.change.apply(scene.note("train")));
    scene.createHigh(4);
    scene.restart();
    scene.work();

    assertThat(scene.job("train").getSpec().getSuspend()).isTrue();
    if (tampering != Tampering.EMPTIED) {
      assertThat(scene.events("train")).contains("AdmissionRefused");
      assertThat(scene.view().refusedNotes()).hasSize(1);
    }
    scene.settle();
    assertThat(scene.runs("high")).isTrue();
    assertThat(scene.pods()).hasSize(1);
    assertNoneRunsUncounted();
  }

  @Test
  void aCopiedNoteIsNotBelieved() {
    scene.createJob("one", 3);
    scene.settle();
    String note = scene.note("one");
    scene.createJob("copy", 3, job -> {
      job.getMetadata()
          .setAnnotations(new HashMap<>(ImmutableMap.of(JobAnnotations.ADMISSION, note)));
      job.getSpec().setSuspend(false);
    });
    scene.runPods();
    scene.work();
    assertThat(scene.job("copy").getSpec().getSuspend()).isTrue();
    assertThat(scene.note("copy")).as("it is taken away").isEmpty();
    assertThat(scene.view().refusedNotes().get(0).reason()).contains("copied from another object");
    scene.settle();
    assertThat(scene.state("copy")).isEqualTo(JobState.PENDING);
    assertNoneRunsUncounted();
  }

  @Test
  void aNoteCannotBeMadeToFitByTheUid() {
    scene.createJob("one", 3);
    scene.settle();
    Job copy = scene.createJob("copy", 3);
    scene.forge(
        "copy",
        scene
            .note("one")
            .replace(scene.job("one").getMetadata().getUid(), copy.getMetadata().getUid()));
    scene.restart();
    scene.settle();
    assertThat(scene.runs("copy")).isFalse();
    assertNoneRunsUncounted();
  }

  /** It first named a queue that does not exist, was not counted, and then the real one. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aQueueThatDoesNotExistAndThenTheRealOneIsNoWayRound(boolean isAway) {
    scene.createJob("one", 3);
    scene.settle();
    String real = scene
        .note("one")
        .replace(scene.job("one").getMetadata().getUid(), "UID")
        .replace("job-one", "job-copy");
    Job copy = scene.createJob("copy", 4);
    String noted = real.replace("UID", copy.getMetadata().getUid());
    scene.forge("copy", noted.replace("research", "nowhere"));
    if (isAway) {
      scene.restart();
    }
    scene.settle();
    assertThat(scene.runs("copy")).isFalse();
    scene.forge("copy", noted);
    scene.settle();
    assertThat(scene.runs("copy")).isFalse();
    assertNoneRunsUncounted();
  }

  @Test
  void noLaterEditMakesBelievableWhatWasNot() {
    String good = startTrain();
    AtomicBoolean isFirst = new AtomicBoolean(true);
    scene.restart(new BeforeEachWrite(scene.connection(), () -> {
      if (isFirst.getAndSet(false)) {
        // Just before the controller stops the job, so that its write conflicts.
        scene.forge("train", good);
      }
    }));
    scene.work();
    scene.forge("train", good.replace("research", "elsewhere"));
    scene.work();
    assertThat(isFirst).isFalse();
    assertThat(scene.note("train")).isEqualTo(good);
    scene.clock.advance(Duration.ofSeconds(10));
    scene.work();
    assertThat(scene.job("train").getSpec().getSuspend()).isTrue();
    scene.settle();
    assertThat(scene.events("train")).contains("AdmissionRefused", "Stopped");
    assertNoneRunsUncounted();
  }

  @Test
  void anOlderNoteOfTheSameJobIsNotBelievedWhileTheControllerRuns() {
    String first = stopTrain();

    scene.forge("train", first);
    scene.runPods();
    scene.work();
    assertThat(scene.job("train").getSpec().getSuspend()).isTrue();
    scene.settle();
    assertThat(scene.runs("high")).isTrue();
    assertNoneRunsUncounted();

    scene.finish("high");
    scene.settle();
    assertThat(scene.runs("train")).isTrue();
    scene.forge("train", first);
    scene.work();
    assertThat(scene.view().refusedNotes().get(0).reason()).contains("it was put back");
    scene.settle();
    assertNoneRunsUncounted();
  }

  @Test
  void ofAJobThatThisControllerHasNeverSeenRunAnOldNoteIsNotBelievedEither() {
    String first = stopTrain();
    scene.restart();
    scene.settle();
    scene.forge("train", first);
    scene.settle();
    assertThat(scene.events("train")).endsWith("Stopped");
    assertThat(scene.runs("high")).isTrue();
    assertThat(scene.runs("train")).isFalse();
    assertNoneRunsUncounted();
  }

  @Test
  void anOlderNoteIsNotBelievedIfItIsPutBackWhileNoControllerRuns() {
    String first = stopTrain();

    scene.forge("train", first);
    scene.restart();
    scene.settle();
    assertThat(scene.job("train").getSpec().getSuspend()).isTrue();
    assertThat(scene.events("train")).contains("AdmissionRefused", "Stopped");
    assertThat(scene.view().refusedNotes().get(0).reason()).contains("it was put back");
    assertNoneRunsUncounted();

    // Nor after it has run again.
    scene.finish("high");
    scene.settle();
    assertThat(scene.runs("train")).isTrue();
    scene.forge("train", first);
    scene.restart();
    scene.settle();
    assertThat(scene.events("train")).endsWith("AdmissionRefused", "Stopped", "Started");
    assertNoneRunsUncounted();
  }

  @Test
  void aNoteThatIsHiddenFromAControllerIsOutdatedAfterwards() {
    String first = startTrain();
    scene.edit("train", job -> {
      job.getMetadata().getAnnotations().remove(JobAnnotations.ADMISSION);
      job.getMetadata().getLabels().remove("kueue.x-k8s.io/queue-name");
      job.getSpec().setSuspend(true);
    });
    scene.restart();
    scene.settle();
    scene.preempt(4);

    scene.edit("train", job -> {
      job.getMetadata().getLabels().put("kueue.x-k8s.io/queue-name", "queue");
    });
    scene.forge("train", first);
    scene.restart();
    scene.settle();
    assertThat(scene.job("train").getSpec().getSuspend()).isTrue();
    assertThat(scene.runs("high")).isTrue();
    assertNoneRunsUncounted();
  }

  @ParameterizedTest
  @EnumSource(Tampering.class)
  void aNoteThatIsOverwrittenWhileNoControllerRunsIsOutdatedAfterwards(Tampering tampering) {
    scene.createJob("train", 3);
    scene.settle();
    String first = scene.note("train");
    scene.forge("train", tampering.change.apply(first));
    scene.edit("train", job -> job.getSpec().setSuspend(true));
    scene.createHigh(4);
    scene.restart();
    scene.settle();
    assertThat(scene.runs("high")).isTrue();

    scene.forge("train", first);
    scene.restart();
    scene.settle();
    assertThat(scene.job("train").getSpec().getSuspend()).isTrue();
    assertThat(scene.runs("high")).isTrue();
    assertNoneRunsUncounted();
  }

  /** The notes of jobs that waited at a start have numbers that are ahead of the time. */
  @Test
  void aControllerWhoseClockIsBehindOutdatesTheNotesOfTheFormerOneToo() {
    scene.createHigh(4);
    scene.createJob("train", 3);
    scene.settle();
    scene.restart();
    scene.settle();
    scene.finish("high");
    scene.settle();
    String first = scene.note("train");
    scene.forge("train", "");
    scene.edit("train", job -> job.getSpec().setSuspend(true));
    scene.clock.advance(Duration.ofMinutes(-5));
    scene.restart();
    scene.settle();

    scene.forge("train", first);
    scene.restart();
    scene.settle();
    assertThat(scene.view().refusedNotes().get(0).reason()).contains("it was put back");
    assertThat(scene.events("train")).contains("AdmissionRefused", "Stopped");
  }

  @Test
  void theRecordOfOutdatedNotesIsStoredBeforeTheNoteIsRemoved() {
    startTrain();
    scene.preempt(4);
    long stored = 0;
    long removed = 0;
    for (ApiWrite write : scene.log()) {
      if (write.key().kind().equals("Secret")
          && write.before() != null
          && !write
              .before("data", SequenceLedger.ENTRY)
              .equals(write.after("data", SequenceLedger.ENTRY))) {
        stored = write.revision();
      }
      if (write.key().name().equals("train")
          && write.before("metadata", "annotations").has(JobAnnotations.ADMISSION)
          && !write.after("metadata", "annotations").has(JobAnnotations.ADMISSION)) {
        removed = write.revision();
      }
    }
    assertThat(stored).isPositive().isLessThan(removed);
  }

  @Test
  void whoEmptiesTheNoteOfAStoppedJobDoesNotKeepItsNodeSelectors() {
    Job given = scene.createJob("low", 4);
    scene.settle();
    scene.createHigh(4);
    scene.work();
    assertThat(scene.state("low")).isEqualTo(JobState.STOPPING);
    scene.edit("low", job -> job.getMetadata().getAnnotations().remove(JobAnnotations.ADMISSION));
    scene.settle();
    assertThat(scene.runs("high")).isTrue();
    assertThat(Json.tree(Scene.withoutMetadata(scene.job("low"))))
        .isEqualTo(Json.tree(Scene.withoutMetadata(given)));
    assertNoneRunsUncounted();
  }

  @Test
  void aForgedNoteOnAJobThatWaitsIsIgnoredAndSaid() {
    scene.createJob("first", 4);
    scene.settle();
    scene.createJob(
        "train",
        2,
        job -> job.getMetadata()
            .setAnnotations(
                new HashMap<>(ImmutableMap.of(JobAnnotations.ADMISSION, scene.note("first")))));
    scene.settle();
    assertThat(scene.state("train")).isEqualTo(JobState.PENDING);
    assertThat(scene.events("train")).containsExactly("AdmissionRefused", "WaitingForQuota");
    scene.finish("first");
    scene.settle();
    assertThat(scene.runs("train")).isTrue();
    scene.restart();
    scene.settle();
    assertThat(scene.runs("train")).isTrue();
  }

  @Test
  void aForgedPastIsNotBelieved() {
    scene.createJob("first", 4);
    scene.settle();
    scene.createJob(
        "train",
        2,
        job -> job.getMetadata()
            .setAnnotations(new HashMap<>(ImmutableMap.of(
                JobAnnotations.STATUS,
                "{\"conditions\":[],\"requeueState\":{\"count\":1,"
                    + "\"requeueAt\":\"2099-01-01T00:00:00Z\"}}"))));
    scene.finish("first");
    scene.settle();
    assertThat(scene.runs("train")).isTrue();
    assertThat(scene.view().refusedNotes().get(0).reason())
        .contains(JobAnnotations.STATUS, "no seal");
  }

  @Test
  void aJobWithoutAQueueIsNotStoppedForItsNote() {
    scene.createJob("free", 2, job -> {
      job.getMetadata().setLabels(new HashMap<>());
      job.getMetadata()
          .setAnnotations(new HashMap<>(ImmutableMap.of(JobAnnotations.ADMISSION, "{}")));
      job.getSpec().setSuspend(false);
    });
    scene.settle();
    assertThat(scene.writes("free")).isZero();
  }

  @Test
  void whoTakesQueueAndNoteAwayIsStoppedNevertheless() {
    startTrain();
    scene.forge("train", "");
    scene.edit("train", job -> job.getMetadata().setLabels(new HashMap<>()));
    scene.work();
    assertThat(scene.job("train").getSpec().getSuspend()).isTrue();
  }

  // ----- objects of the cluster

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aNoteOfAnotherClusterQueueThanTheLocalQueueLeadsToIsNotBelieved(boolean isSealing) {
    Scene scene = new Scene(
        ControllerOptions.defaults(), isSealing ? Scene.Mode.SEALED : Scene.Mode.UNSEALED);
    scene.createJob("train", 3);
    scene.settle();
    scene.cluster.edit(
        StrictCluster.USER,
        ApiWrite.Verb.REPLACE,
        Scene.key("LocalQueue", "default", "queue"),
        tree -> Trees.child(tree, "spec").put("clusterQueue", "other"));
    scene.restart();
    scene.settle();
    assertThat(scene.runs("train")).isFalse();
    assertThat(scene.events("train"))
        .containsExactly("Started", "AdmissionRefused", "Stopped", "Misconfigured");
    assertThat(scene.view().refusedNotes().get(0).reason()).contains("leads to other");
  }

  @Test
  void aNoteInANamespaceThatTheQueueDoesNotTakeIsNotBelieved() {
    startTrain();
    scene.editQueue(
        "namespaceSelector", ImmutableMap.of("matchLabels", ImmutableMap.of("team", "a")));
    scene.restart();
    scene.settle();
    assertThat(scene.runs("train")).isFalse();
    assertThat(scene.pods()).isEmpty();
    assertThat(scene.view().refusedNotes().get(0).reason()).contains("namespaceSelector");
  }

  @Test
  void withoutItsLocalQueueAJobRunsOnAndIsCounted() {
    startTrain();
    scene.cluster.delete(StrictCluster.USER, Scene.key("LocalQueue", "default", "queue"));
    scene.restart();
    scene.settle();
    assertThat(scene.runs("train")).isTrue();
    assertNoneRunsUncounted();
  }
}
