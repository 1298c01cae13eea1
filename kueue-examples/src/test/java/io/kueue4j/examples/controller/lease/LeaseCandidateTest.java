package io.kueue4j.examples.controller.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableMap;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Who holds a lease, whatever the clocks of the candidates say. */
class LeaseCandidateTest {
  private static final String NAME = "controller";
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final MemoryLeases leases = new MemoryLeases();
  private long nanos = 5;

  /** A candidate, its connection, and the error of its wall clock. */
  private final class Machine {
    final AtomicBoolean isCut = new AtomicBoolean();
    final LeaseCandidate candidate;

    Machine(String identity, Duration clockError) {
      candidate = new LeaseCandidate(
          leases.through(isCut),
          NAME,
          identity,
          LeaseTimes.defaults(),
          () -> nanos,
          () -> START.plusNanos(nanos).plus(clockError));
    }

    boolean holds() {
      return candidate.holds();
    }
  }

  private Machine machine(String identity) {
    return new Machine(identity, Duration.ZERO);
  }

  private void pass(int seconds, Machine... machines) {
    for (int i = 0; i < seconds; i++) {
      nanos += Duration.ofSeconds(1).toNanos();
      for (Machine machine : machines) {
        machine.candidate.attempt();
      }
      assertThat(List.of(machines).stream().filter(Machine::holds).count()).isLessThan(2);
    }
  }

  @Test
  void aCandidateWithAnotherClockDoesNotTakeALiveLease() {
    for (int error : new int[] {45, 3600, -45, -3600}) {
      leases.remove(NAME);
      Machine one = machine("one");
      one.candidate.attempt();
      Machine two = new Machine("two", Duration.ofSeconds(error));

      pass(120, one, two);

      assertThat(one.holds()).isTrue();
      assertThat(two.holds()).isFalse();
      assertThat(two.candidate.holder()).isEqualTo("one");
    }
  }

  @Test
  void aLeaseIsTakenAfterItWasObservedUnchangedForItsDuration() {
    Machine one = machine("one");
    one.candidate.attempt();
    nanos += Duration.ofHours(1).toNanos();
    Machine two = machine("two");
    two.candidate.attempt();

    pass(14, two);
    assertThat(two.holds()).isFalse();
    pass(1, two);

    assertThat(two.holds()).isTrue();
    one.candidate.attempt();
    assertThat(one.candidate.isLost()).isTrue();
  }

  @Test
  void theDurationThatTheHolderHasSetAppliesIfItIsLonger() {
    Machine one = machine("one");
    LeaseCandidate patient = new LeaseCandidate(
        leases.through(one.isCut),
        NAME,
        "patient",
        new LeaseTimes(Duration.ofSeconds(60), Duration.ofSeconds(50), Duration.ofSeconds(2)),
        () -> nanos,
        () -> START);
    patient.attempt();

    pass(59, one);
    assertThat(one.holds()).isFalse();
    pass(2, one);
    assertThat(one.holds()).isTrue();
  }

  @Test
  void aHolderThatCannotRenewStopsBeforeAnotherCanTakeTheLease() {
    Machine one = machine("one");
    Machine two = machine("two");
    one.candidate.attempt();
    pass(30, one, two);
    one.isCut.set(true);

    pass(9, one, two);
    assertThat(one.holds()).isTrue();
    pass(1, one, two);
    assertThat(one.holds()).isFalse();
    assertThat(one.candidate.isLost()).isFalse();
    assertThat(one.candidate.problem()).isPresent();
    pass(4, one, two);
    assertThat(two.holds())
        .as("a request of the holder may still be on its way")
        .isFalse();
    pass(2, one, two);
    assertThat(two.holds()).isTrue();
    one.isCut.set(false);
    pass(1, one, two);
    assertThat(one.candidate.isLost()).isTrue();
  }

  @Test
  void aLeaseIsHeldFromTheBeginningOfItsRequestOn() {
    LeaseStore slow = new LeaseStore() {
      private final LeaseStore store = leases.through(new AtomicBoolean());

      @Override
      public Optional<Lease> get(String name) {
        return store.get(name);
      }

      @Override
      public Lease create(Lease lease) {
        nanos += Duration.ofSeconds(8).toNanos();
        return store.create(lease);
      }

      @Override
      public Lease replace(Lease lease) {
        return store.replace(lease);
      }
    };
    LeaseCandidate candidate = new LeaseCandidate(
        slow, NAME, "one", LeaseTimes.defaults(), () -> nanos, () -> START.plusNanos(nanos));
    assertThat(candidate.attempt()).isTrue();
    nanos += Duration.ofSeconds(1).toNanos();
    assertThat(candidate.holds()).isTrue();
    nanos += Duration.ofSeconds(1).toNanos();
    assertThat(candidate.holds()).isFalse();
  }

  @Test
  void aHolderWhoseLeaseWasTakenByItsNamesakeHasLostIt() {
    Machine one = machine("same");
    Machine two = machine("same");
    one.candidate.attempt();
    pass(5, one, two);
    one.isCut.set(true);
    pass(20, one, two);
    assertThat(two.holds()).isTrue();
    one.isCut.set(false);
    pass(2, one, two);
    assertThat(one.candidate.isLost()).isTrue();
    assertThat(two.holds()).isTrue();
  }

  @Test
  void aHolderThatWasCutOffAloneGoesOnWithTheSameLease() {
    Machine one = machine("one");
    one.candidate.attempt();
    one.isCut.set(true);
    pass(100, one);
    assertThat(one.holds()).isFalse();

    one.isCut.set(false);
    pass(1, one);

    assertThat(one.holds()).isTrue();
    assertThat(one.candidate.isLost()).isFalse();
    assertThat(one.candidate.problem()).isEmpty();
    assertThat(transitions()).isZero();
  }

  private int transitions() {
    return leases.get(NAME).map(Lease::getSpec).orElseThrow().getLeaseTransitions();
  }

  @Test
  void aReleasedLeaseIsTakenAtOnce() {
    Machine one = machine("one");
    Machine two = machine("two");
    pass(5, one, two);
    one.candidate.release();
    assertThat(one.holds()).isFalse();

    pass(1, two);

    assertThat(two.holds()).isTrue();
    assertThat(transitions()).isEqualTo(1);
  }

  @Test
  void anotherProcessWithTheSameIdentityIsAnotherHolder() {
    Machine one = machine("same");
    one.candidate.attempt();
    nanos += 1_000_000;
    Machine two = machine("same");

    pass(60, one, two);

    assertThat(one.holds()).isTrue();
    assertThat(two.holds()).isFalse();
  }

  @Test
  void aDeletedLeaseIsLostAndNotTakenBeforeItsHolderHasNoticed() {
    Machine one = machine("one");
    Machine two = machine("two");
    pass(5, one, two);
    leases.remove(NAME);

    pass(14, two);
    assertThat(two.holds()).isFalse();
    pass(2, one, two);

    assertThat(one.candidate.isLost()).isTrue();
    assertThat(two.holds()).isTrue();
  }

  @Test
  void aWriteToTheLeaseByOthersDoesNotEndIt() {
    Machine one = machine("one");
    one.candidate.attempt();
    Lease lease = leases.get(NAME).orElseThrow();
    lease.getMetadata().setAnnotations(ImmutableMap.of("note", "by an administrator"));
    Lease unused = leases.through(new AtomicBoolean()).replace(lease);

    pass(20, one);

    assertThat(one.holds()).isTrue();
    assertThat(leases.get(NAME).orElseThrow().getMetadata().getAnnotations())
        .containsEntry("note", "by an administrator");
  }

  @Test
  void neverDoTwoHoldTheLease() {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      leases.remove(NAME);
      List<Machine> machines = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        machines.add(new Machine("m" + i, Duration.ofSeconds(random.nextInt(200) - 100)));
      }
      int holders = 0;
      for (int step = 0; step < 1500; step++) {
        nanos += Duration.ofMillis(random.nextInt(400)).toNanos();
        int which = random.nextInt(machines.size());
        Machine machine = machines.get(which);
        int choice = random.nextInt(100);
        if (choice < 4) {
          machine.isCut.set(!machine.isCut.get());
        } else if (choice < 5) {
          machine.candidate.release();
        } else if (choice < 6 || machine.candidate.isLost()) {
          machines.set(which, new Machine("m" + which, Duration.ofSeconds(random.nextInt(200))));
          // A process that has ended does not write any more.
        } else {
          machine.candidate.attempt();
        }
        long held = machines.stream().filter(Machine::holds).count();
        assertThat(held).as("seed %s, step %s", seed, step).isLessThan(2);
        holders += (int) held;
      }
      assertThat(holders).as("seed %s", seed).isPositive();
    }
  }

  @Test
  void timesThatAreNotInOrderAreRefused() {
    assertThatThrownBy(() ->
            new LeaseTimes(Duration.ofSeconds(10), Duration.ofSeconds(10), Duration.ofSeconds(2)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected 0 < retry < renewDeadline < lease");
  }
}
