package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.kueue4j.examples.controller.object.ObjectKey;
import io.kueue4j.examples.controller.state.JobState;
import io.kueue4j.examples.controller.write.WriteException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How soon a write of a job that fails for ten minutes is tried again. */
final class StartRetryTest {
  private final Scene scene = Scene.create();
  private final List<Instant> tries = new ArrayList<>();

  /** The longest time between two tries of the writes that fail. */
  private Duration longestGap(WriteException.Reason reason, Predicate<HasMetadata> fails) {
    failWrites(reason, fails);
    scene.createJob("one", 2);
    pass(Duration.ofMinutes(10));
    Duration longest = Duration.ZERO;
    for (int i = 1; i < tries.size(); i++) {
      Duration gap = Duration.between(tries.get(i - 1), tries.get(i));
      longest = gap.compareTo(longest) > 0 ? gap : longest;
    }
    return longest;
  }

  private void pass(Duration time) {
    Instant end = scene.clock.instant().plus(time);
    while (scene.clock.instant().isBefore(end)) {
      scene.settle();
      scene.clock.advance(Duration.ofMillis(500));
    }
    scene.settle();
  }

  private void failWrites(WriteException.Reason reason, Predicate<HasMetadata> fails) {
    scene.restart(new InterceptedWrites(scene.connection()) {
      @Override
      public <T extends HasMetadata> T replace(T object) {
        check(object);
        return super.replace(object);
      }

      @Override
      public <T extends HasMetadata> T create(T object) {
        check(object);
        return super.create(object);
      }

      private void check(HasMetadata object) {
        if (fails.test(object)) {
          tries.add(scene.clock.instant());
          throw new WriteException(reason, "the server fails");
        }
      }
    });
  }

  private static boolean isStart(HasMetadata object) {
    return object instanceof Job job && Boolean.FALSE.equals(job.getSpec().getSuspend());
  }

  @ParameterizedTest
  @EnumSource
  void aFailedStartIsTriedAgainWithinTenSeconds(WriteException.Reason reason) {
    assertThat(longestGap(reason, StartRetryTest::isStart))
        .isBetween(Duration.ofSeconds(1), Duration.ofSeconds(10));
    assertThat(tries).hasSizeBetween(60, 100);
  }

  @Test
  void aJobWithoutQuotaIsTriedAgainAfterAMinute() {
    assertThat(longestGap(
            WriteException.Reason.UNAVAILABLE, object -> object.getKind().equals("Workload")))
        .isBetween(Duration.ofSeconds(64), Duration.ofSeconds(65));
    assertThat(scene.usedMillis()).isZero();
  }

  /** Its Workload is refused, so it waits for the next try when its owner starts it. */
  @Test
  void aJobThatItsOwnerStartsIsNotLeftAloneForAMinute() {
    failWrites(WriteException.Reason.REFUSED, object -> object.getKind().equals("Workload"));
    scene.createJob("one", 2);
    while (tries.size() < 10) {
      pass(Duration.ofSeconds(1));
    }
    scene.edit("one", job -> job.getSpec().setSuspend(false));
    scene.work();
    scene.clock.advance(Duration.ofSeconds(1));
    scene.work();
    assertThat(scene.job("one").getSpec().getSuspend()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(names = {"UNAVAILABLE", "REFUSED"})
  void afterASuccessAFailureDelaysAsLittleAsTheFirst(WriteException.Reason reason) {
    AtomicBoolean fails = new AtomicBoolean(true);
    failWrites(reason, object -> fails.get() && isStart(object));
    scene.createJob("one", 2);
    pass(Duration.ofSeconds(20));
    fails.set(false);
    pass(Duration.ofSeconds(10));
    assertThat(scene.runs("one")).isTrue();

    tries.clear();
    fails.set(true);
    scene.edit("one", job -> job.getSpec().setSuspend(true));
    pass(Duration.ofSeconds(2));
    assertThat(tries).hasSize(2);
  }

  /** Its owner has made its Workload so large that nothing more can be written to it. */
  @Test
  void aJobIsStoppedAlsoIfTheServerRefusesToRecordThat() {
    AtomicBoolean isFull = new AtomicBoolean();
    scene.restart(new InterceptedWrites(scene.connection()) {
      @Override
      public <T extends HasMetadata> T replaceStatus(T object) {
        if (isFull.get() && object.getKind().equals(ObjectKey.WORKLOAD)) {
          throw new WriteException(WriteException.Reason.REFUSED, "request is too large");
        }
        return super.replaceStatus(object);
      }
    });
    scene.createJob("one", 2);
    scene.settle();
    isFull.set(true);
    scene.edit("one", job -> job.getSpec().setParallelism(10));
    scene.settle();
    assertThat(scene.job("one").getSpec().getSuspend()).isTrue();
    assertThat(scene.pods()).isEmpty();
    assertThat(scene.usedMillis()).isEqualTo(2000);

    isFull.set(false);
    pass(Duration.ofSeconds(10));
    assertThat(scene.usedMillis()).isZero();
    assertThat(scene.state("one")).isEqualTo(JobState.PENDING);
  }

  /** The record is tried twice: the first write arrives late, and the second is refused. */
  @Test
  void anUnansweredRecordDoesNotTakeEffectAfterItsQuotaIsGone() {
    List<Runnable> late = new ArrayList<>();
    scene.restart(new InterceptedWrites(scene.connection()) {
      @Override
      public <T extends HasMetadata> T replaceStatus(T object) {
        if (!object.getMetadata().getName().startsWith("job-one-")) {
          return super.replaceStatus(object);
        }
        boolean isFirst = late.isEmpty();
        late.add(() -> super.replaceStatus(object));
        throw new WriteException(
            isFirst ? WriteException.Reason.UNAVAILABLE : WriteException.Reason.REFUSED, "no");
      }
    });
    scene.createJob("one", 4);
    scene.createJob("next", 4);
    while (!scene.runs("next")) {
      pass(Duration.ofMillis(500));
    }
    arrive(late.get(0));
    scene.restart();
    pass(Duration.ofSeconds(10));

    assertThat(scene.runs("next")).isTrue();
    assertThat(scene.runs("one")).isFalse();
  }

  private static void arrive(Runnable late) {
    try {
      late.run();
    } catch (WriteException e) {
      assertThat(e.reason()).isEqualTo(WriteException.Reason.CONFLICT);
    }
  }

  /** The former leader takes the admission back, and this one starts the job. */
  @Test
  void anUnansweredReleaseDoesNotTakeEffectAfterTheStart() {
    List<Runnable> late = new ArrayList<>();
    scene.restart(new InterceptedWrites(scene.connection()) {
      @Override
      public <T extends HasMetadata> T replace(T object) {
        if (isStart(object)) {
          throw new WriteException(WriteException.Reason.REFUSED, "no");
        }
        return super.replace(object);
      }

      @Override
      public <T extends HasMetadata> T replaceStatus(T object) {
        if (!object.getKind().equals(ObjectKey.WORKLOAD) || !scene.isRecorded(scene.job("one"))) {
          return super.replaceStatus(object);
        }
        late.add(() -> super.replaceStatus(object));
        throw new WriteException(WriteException.Reason.UNAVAILABLE, "no");
      }
    });
    scene.createJob("one", 4);
    pass(Duration.ofSeconds(5));
    scene.restart();
    scene.settle();
    assertThat(scene.runs("one")).isTrue();
    arrive(late.get(0));
    pass(Duration.ofSeconds(10));

    assertThat(scene.runs("one")).isTrue();
    assertThat(scene.events("one")).doesNotContain("AdmissionRefused");
  }
}
