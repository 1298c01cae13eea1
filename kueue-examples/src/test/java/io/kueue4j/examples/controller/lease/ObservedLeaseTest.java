package io.kueue4j.examples.controller.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaderElectionRecord;
import io.kueue4j.examples.controller.Await;
import io.kueue4j.examples.controller.cluster.ServerVersion;
import io.kueue4j.examples.controller.cluster.StrictMockServer;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who holds a lease, whatever the clocks of the candidates say. */
class ObservedLeaseTest {
  private static final LeaseTimes TIMES = LeaseTimes.defaults();

  private StrictMockServer server;
  private KubernetesClient client;
  private long nanos = 5;

  @BeforeEach
  void start() {
    server = StrictMockServer.start(ServerVersion.KUBERNETES_1_35, InstantSource.system());
    client = server.client();
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  private ObservedLease lease() {
    return new ObservedLease("default", "controller", "pod", () -> nanos);
  }

  /** What an elector does, with an error of its clock when it writes. */
  private void attempt(ObservedLease lease, Duration clockError) {
    LeaderElectionRecord found = lease.get(client);
    ZonedDateTime now = ZonedDateTime.now(ZoneOffset.UTC);
    LeaderElectionRecord taken = new LeaderElectionRecord(
        lease.identity(), TIMES.lease(), now.plus(clockError), now.plus(clockError), 0);
    if (found == null) {
      lease.create(client, taken);
    } else if (lease.identity().equals(found.getHolderIdentity())
        || found.getHolderIdentity() == null
        || now.isAfter(found.getRenewTime().plus(found.getLeaseDuration()))) {
      lease.update(client, taken);
    }
  }

  private void attempt(ObservedLease lease) {
    attempt(lease, Duration.ZERO);
  }

  private void pass(int seconds) {
    nanos += Duration.ofSeconds(seconds).toNanos();
  }

  private static boolean isHeld(ObservedLease lease) {
    return lease.isHeld(TIMES.renewDeadline());
  }

  private Resource<Lease> stored() {
    return client.leases().inNamespace("default").withName("controller");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 45, 3600, -45, -3600})
  void aLiveLeaseIsNotTakenWhateverTheClocksSay(int errorSeconds) {
    ObservedLease one = lease();
    ObservedLease two = lease();
    for (int i = 0; i < 20; i++) {
      attempt(one, Duration.ofSeconds(errorSeconds));
      pass(2);
      attempt(two);
      assertThat(isHeld(one)).isTrue();
      assertThat(isHeld(two)).isFalse();
    }
  }

  @Test
  void itIsTakenAfterItWasObservedUnchangedForItsDuration() {
    ObservedLease one = lease();
    attempt(one);
    pass(3600);
    ObservedLease two = lease();
    attempt(two);
    assertThat(isHeld(one)).isFalse();
    assertThat(isHeld(two)).isFalse();
    pass(14);
    attempt(two);
    assertThat(isHeld(two)).isFalse();
    pass(2);
    attempt(two);
    assertThat(isHeld(two)).isTrue();

    assertThat(one.isLost()).isFalse();
    attempt(one);
    assertThat(one.isLost()).isTrue();
    assertThat(two.isLost()).isFalse();
  }

  @Test
  void aHolderThatCannotRenewStopsBeforeAnotherTakesIt() {
    ObservedLease one = lease();
    attempt(one);
    pass(9);
    assertThat(isHeld(one)).isTrue();
    pass(1);
    assertThat(isHeld(one)).isFalse();
    pass(20);
    attempt(one);
    assertThat(isHeld(one)).isTrue();
    assertThat(one.isLost()).isFalse();
  }

  @Test
  void itIsHeldFromTheBeginningOfTheWriteOn() {
    ObservedLease slow = new ObservedLease("default", "controller", "pod", () -> {
      nanos += Duration.ofSeconds(4).toNanos();
      return nanos;
    });
    attempt(slow);
    // The write began 8 s ago, after the read; now it is 12 s.
    assertThat(slow.isHeld(Duration.ofSeconds(4))).isFalse();
    assertThat(slow.isHeld(Duration.ofSeconds(9))).isTrue();
  }

  @Test
  void aDeletedLeaseIsNotTakenBeforeItsHolderHasNoticed() {
    ObservedLease one = lease();
    ObservedLease two = lease();
    attempt(one);
    attempt(two);
    var unused = stored().delete();
    pass(14);
    attempt(two);
    assertThat(isHeld(two)).isFalse();
    pass(2);
    attempt(two);
    assertThat(isHeld(two)).isTrue();
    attempt(one);
    assertThat(one.isLost()).isTrue();
  }

  @Test
  void aHolderCreatesADeletedLeaseAgain() {
    ObservedLease one = lease();
    attempt(one);
    var unused = stored().delete();
    pass(9);
    attempt(one);
    pass(9);
    assertThat(isHeld(one)).isTrue();
    assertThat(one.isLost()).isFalse();
  }

  @Test
  void candidatesOfTheSameNameAreDifferent() {
    assertThat(lease().identity()).startsWith("pod_").isNotEqualTo(lease().identity());
  }

  @Test
  void aLeaseWithoutTimesIsNotTaken() {
    Lease unused = client
        .resource(new LeaseBuilder()
            .withNewMetadata()
            .withNamespace("default")
            .withName("controller")
            .endMetadata()
            .withNewSpec()
            .withHolderIdentity("by hand")
            .endSpec()
            .build())
        .create();
    ObservedLease lease = lease();
    assertThatThrownBy(() -> lease.get(client))
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining("delete it, and it is created again");
  }

  @Test
  void neverIsItHeldTwice() {
    for (int seed = 0; seed < 2; seed++) {
      Random random = new Random(seed);
      boolean unused = stored().delete().isEmpty();
      List<ObservedLease> candidates = new ArrayList<>(List.of(lease(), lease(), lease()));
      boolean[] isCut = new boolean[3];
      int holders = 0;
      for (int step = 0; step < 250; step++) {
        nanos += Duration.ofMillis(random.nextInt(4000)).toNanos();
        int which = random.nextInt(3);
        int choice = random.nextInt(20);
        if (choice == 0) {
          isCut[which] = !isCut[which];
        } else if (choice == 1 || candidates.get(which).isLost()) {
          candidates.set(which, lease());
        } else if (!isCut[which]) {
          attempt(candidates.get(which), Duration.ofSeconds(random.nextInt(200) - 100));
        }
        long held = candidates.stream().filter(ObservedLeaseTest::isHeld).count();
        assertThat(held).as("seed %s, step %s", seed, step).isLessThan(2);
        holders += (int) held;
      }
      assertThat(holders).as("seed %s", seed).isPositive();
    }
  }

  @Test
  void aKeeperHoldsItUntilItIsClosedAndThenAnotherDoes() {
    LeaseTimes times =
        new LeaseTimes(Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofMillis(100));
    LeaseName name = new LeaseName("default", "controller", "pod");
    LeaseKeeper first = LeaseKeeper.start(client, name, times);
    Await.until("it is held", first::isHeld);
    try (LeaseKeeper second = LeaseKeeper.start(client, name, times)) {
      ZonedDateTime renewed = stored().get().getSpec().getRenewTime();
      Await.until("it is renewed", () -> stored().get().getSpec().getRenewTime().isAfter(renewed));
      assertThat(second.isHeld()).isFalse();

      first.close();

      assertThat(first.isHeld()).isFalse();
      Await.until("the second holds it", second::isHeld);
    }
  }

  @Test
  void aKeeperThatCouldNotRenewInTimeGoesOn() throws InterruptedException {
    LeaseTimes times =
        new LeaseTimes(Duration.ofSeconds(2), Duration.ofMillis(800), Duration.ofMillis(100));
    try (LeaseKeeper keeper =
        LeaseKeeper.start(client, new LeaseName("default", "controller", "pod"), times)) {
      Await.until("it is held", keeper::isHeld);
      server.forbid(request -> request.endsWith(" leases"));
      Await.until("it is not renewed", () -> !keeper.isHeld());
      // The elector gives up.
      Thread.sleep(500);
      assertThat(keeper.isHeld()).isFalse();
      assertThat(keeper.isLost()).isFalse();

      server.forbid(unused -> false);
      Await.until("it is held again", keeper::isHeld);
      assertThat(keeper.isLost()).isFalse();
    }
  }

  @ParameterizedTest
  @CsvSource({"10, 10, 2", "15, 10, 5", "15, 10, 0"})
  void timesThatAreNotInOrderAreRefused(int lease, int renewDeadline, int retry) {
    assertThatThrownBy(() -> new LeaseTimes(
            Duration.ofSeconds(lease),
            Duration.ofSeconds(renewDeadline),
            Duration.ofSeconds(retry)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected 0 < 2.2 * retry < renewDeadline < lease");
  }
}
