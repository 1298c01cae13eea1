package io.kueue4j.k8s.testkit;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkNotNull;
import static com.google.common.base.Preconditions.checkState;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.collect.ImmutableMap;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.Explanation;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.AdmissionCheckState.CheckState;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.PodsReadyPolicy;
import io.kueue4j.core.model.WorkloadCondition.ConditionType;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.k8s.status.ObjectConditions;
import io.kueue4j.k8s.status.WorkloadStatusWriter;
import java.io.ByteArrayInputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A cluster with Kueue, for tests of an operator that writes Workloads: fabric8's mock API server,
 * and an admission loop in the same process.
 *
 * <pre>{@code
 * try (KueueCluster kueue = KueueCluster.builder().manifests(queues).start();
 *     MyOperator operator = MyOperator.start(kueue.client())) {
 *   kueue.client().resource(job).create();
 *   kueue.admits(WorkloadId.of("default", "my-job"));
 * }
 * }</pre>
 *
 * <p>Kueue acts on each write before the writer gets its answer: it decides, and writes the status
 * of Workloads and queues. So a test needs no sleeps, and the order of writes alone determines what
 * is decided. Time passes only in {@link #advance}.
 *
 * <p>What an operator does in threads of its own takes time. {@link #admits}, {@link #pends} and
 * {@link #evicts} wait for it, up to {@link Builder#timeout}.
 *
 * <p>Only a part of Kueue is here: no webhooks, no jobs of Kueue's integrations, and no pods. An
 * evicted Workload keeps its quota until its operator deletes it or resets its admission, as
 * Kueue's reconciler does for jobs; {@link #podsStopped} does it in place of an operator.
 *
 * <p>Thread-safe.
 *
 * @since 0.1.0
 */
public final class KueueCluster implements AutoCloseable {
  private static final String DEFAULT_NAMESPACE = "default";

  private final Duration timeout;
  private final AdmissionLoop loop;
  private final MockApiServer monitor;
  private final KubernetesMockServer server;
  private final KubernetesClient client;
  private volatile Instant now;

  private KueueCluster(Builder builder) {
    timeout = builder.timeout;
    now = builder.now;
    loop = new AdmissionLoop(builder.settings, () -> now);
    monitor = loop.server();
    server = new KubernetesMockServer(
        new Context(), new MockWebServer(), new HashMap<>(), monitor, false);
    server.init();
    client = server.createClient().inNamespace(DEFAULT_NAMESPACE);
  }

  /** {@return a cluster with the defaults of {@link Builder}; to be closed by the caller} */
  public static KueueCluster start() {
    return builder().start();
  }

  /** {@return a new builder} */
  public static Builder builder() {
    return new Builder();
  }

  /** {@return a client of this cluster, in the namespace {@code default}; closed with it} */
  public KubernetesClient client() {
    return client;
  }

  /**
   * {@return the mock API server, for further clients, and to declare custom resources that have a
   * status of their own: {@code server().expectCustomResource(…)}}
   */
  public KubernetesMockServer server() {
    return server;
  }

  /** {@return the clock, which only {@link #advance} moves} */
  public InstantSource clock() {
    return () -> now;
  }

  /**
   * Creates or replaces objects, with their status where they have one: an AdmissionCheck with the
   * condition {@code Active} counts as accepted by its controller.
   *
   * @param manifests YAML or JSON; an object without namespace is put into {@code default}
   * @throws IllegalArgumentException if Kueue cannot use one of the objects; it names the object
   *     and the field, and the objects are on the server nevertheless. Also if {@code manifests}
   *     are no objects; then none of them is
   */
  public void apply(String manifests) {
    checkNotNull(manifests, "apply: manifests is null");
    List<String> wrong = new ArrayList<>();
    for (HasMetadata item : read(manifests)) {
      HasMetadata stored = client.resource(item).createOr(NonDeletingOperation::update);
      if (item instanceof GenericKubernetesResource object && object.get("status") != null) {
        object.setMetadata(stored.getMetadata());
        stored = client.resource(object).createOr(NonDeletingOperation::updateStatus);
      }
      Optional.ofNullable(problems().get(Problems.key(stored))).ifPresent(wrong::add);
    }
    checkArgument(wrong.isEmpty(), "Kueue cannot use what was applied: %s", wrong);
  }

  private List<HasMetadata> read(String manifests) {
    try {
      return client.load(new ByteArrayInputStream(manifests.getBytes(UTF_8))).items();
    } catch (RuntimeException e) {
      throw new IllegalArgumentException(
          "cannot read the manifests: " + e.getMessage()
              + "; expected YAML or JSON objects with apiVersion, kind and metadata",
          e);
    }
  }

  /**
   * {@return what is wrong with objects that Kueue cannot use, by kind, namespace and name, such as
   * {@code Workload team-a/train}; Kueue goes on with the version before, if there is one}
   */
  public ImmutableMap<String, String> problems() {
    synchronized (monitor) {
      return loop.problems().all();
    }
  }

  /**
   * {@return why a Workload waits, and what would help}
   *
   * @throws IllegalArgumentException if Kueue knows no such Workload
   */
  public Explanation explain(WorkloadId workload) {
    return loop.engine().explain(workload);
  }

  /**
   * Moves the clock. Everything that is due meanwhile happens at its time: backoffs end, Workloads
   * without ready pods and Workloads that run too long are evicted.
   *
   * @throws IllegalArgumentException if {@code time} is negative
   */
  public void advance(Duration time) {
    checkArgument(!time.isNegative(), "given %s; expected a time that is not negative", time);
    change(() -> {
      Instant end = now.plus(time);
      Optional<Instant> next = next(end);
      while (next.isPresent()) {
        now = next.get();
        loop.decide();
        next = next(end);
      }
      now = end;
    });
  }

  private Optional<Instant> next(Instant end) {
    return loop.engine().nextTick().filter(next -> next.isAfter(now) && !next.isAfter(end));
  }

  private void change(Runnable change) {
    synchronized (monitor) {
      change.run();
      loop.decide();
      monitor.notifyAll();
    }
  }

  /**
   * Waits until a Workload is admitted.
   *
   * @return the Workload with its admission
   * @throws AssertionError if it is not admitted in time; the message says why it waits
   */
  @CanIgnoreReturnValue
  public GenericKubernetesResource admits(WorkloadId workload) {
    return await(
        workload,
        "admitted",
        () -> loop.workloads()
            .object(workload)
            .filter(object -> ObjectConditions.isTrue(object, "Admitted")));
  }

  /**
   * Waits until a Workload is known and waits for quota.
   *
   * @return why it waits
   * @throws AssertionError if it does not exist in time or holds quota
   */
  @CanIgnoreReturnValue
  public String pends(WorkloadId workload) {
    return await(
        workload,
        "pending",
        () -> isPending(workload) ? Optional.of(loop.reasons(workload)) : Optional.empty());
  }

  /** {@return whether a Workload is known now and waits for quota} */
  public boolean isPending(WorkloadId workload) {
    AdmissionEngine engine = loop.engine();
    synchronized (monitor) {
      return engine.workload(workload).isPresent()
          && !engine.lifecycle().status(workload).isTrue(ConditionType.QUOTA_RESERVED);
    }
  }

  /**
   * Waits until a Workload is evicted. Each eviction is reported once, also if the operator has
   * deleted the Workload since.
   *
   * @return the reason, such as {@code Preempted}
   * @throws AssertionError if it is not evicted in time
   */
  @CanIgnoreReturnValue
  public String evicts(WorkloadId workload) {
    return await(workload, "evicted", () -> loop.workloads().takeEviction(workload));
  }

  private <T> T await(WorkloadId workload, String state, Supplier<Optional<T>> result) {
    long deadline = System.nanoTime() + timeout.toNanos();
    synchronized (monitor) {
      while (true) {
        Optional<T> reached = result.get();
        if (reached.isPresent()) {
          return reached.get();
        }
        long left = deadline - System.nanoTime();
        if (left <= 0) {
          throw new AssertionError("Workload " + workload + " is not " + state + " within "
              + timeout.toMillis() + " ms: " + loop.reasons(workload));
        }
        try {
          TimeUnit.NANOSECONDS.timedWait(monitor, left);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new AssertionError("interrupted while Workload " + workload + " was awaited", e);
        }
      }
    }
  }

  /**
   * Evicts a Workload. It keeps its quota until its operator deletes it or resets its admission,
   * then waits as the reason says.
   *
   * @param reason why; {@link EvictionReason#DEACTIVATED} also sets {@code spec.active} to false.
   *     Not {@link EvictionReason#PREEMPTED}: create a Workload of higher priority
   * @throws IllegalArgumentException if there is no such Workload, or the reason is PREEMPTED
   * @throws IllegalStateException if it holds no quota
   */
  public void evict(WorkloadId workload, EvictionReason reason) {
    checkArgument(
        reason != EvictionReason.PREEMPTED,
        "given PREEMPTED; expected another reason, or create a Workload of higher priority");
    change(() -> {
      AdmissionEngine engine = loop.engine();
      checkState(
          engine.lifecycle().status(workload).isTrue(ConditionType.QUOTA_RESERVED),
          "Workload %s holds no quota; expected a Workload with quota: call admits before",
          workload);
      if (reason == EvictionReason.DEACTIVATED) {
        engine.lifecycle().setActive(workload, false);
      } else {
        engine.lifecycle().evict(workload, reason, "Evicted by the test");
      }
    });
  }

  /**
   * Resets the admission of an evicted Workload, as Kueue's reconciler does when the pods of a job
   * have stopped: its quota is free, and it is queued again. For an operator that leaves this to
   * Kueue or to another controller.
   *
   * @throws IllegalStateException if it was not evicted, or holds no quota any more
   */
  public void podsStopped(WorkloadId workload) {
    change(() -> {
      checkState(
          loop.engine().isStopping(workload),
          "Workload %s is not evicted; expected an evicted Workload: call evicts before",
          workload);
      loop.engine().podsStopped(workload);
    });
  }

  /**
   * Marks a Workload as finished with reason {@code Succeeded}; its quota is free.
   *
   * @throws IllegalArgumentException if there is no such Workload
   */
  public void finish(WorkloadId workload) {
    change(() -> {
      checkArgument(
          loop.workloads().object(workload).isPresent(),
          "cannot finish %s: %s",
          workload,
          loop.reasons(workload));
      loop.workloads()
          .finish(
              workload, WorkloadStatusWriter.FinishReason.SUCCEEDED, "Job finished successfully");
    });
  }

  /**
   * Sets the state of an admission check of a Workload, in place of the controller of the check.
   *
   * @throws IllegalArgumentException if there is no such Workload, or the check is none of its own
   */
  public void setCheck(WorkloadId workload, String check, CheckState state) {
    change(() -> {
      List<String> checks = loop.engine().lifecycle().status(workload).admissionChecks().stream()
          .map(AdmissionCheckState::name)
          .toList();
      checkArgument(
          checks.contains(check), "given check %s; Workload %s has %s", check, workload, checks);
      loop.engine().lifecycle().setCheck(workload, AdmissionCheckState.of(check, state));
    });
  }

  /** Stops the server and closes {@link #client}. Other clients are closed by their creators. */
  @Override
  public void close() {
    client.close();
    server.destroy();
  }

  /** Builds {@link KueueCluster}s; reusable, not thread-safe. */
  public static final class Builder {
    private Settings settings =
        Settings.builder().podsReady(PodsReadyPolicy.defaults()).build();
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private Duration timeout = Duration.ofSeconds(5);
    private final List<String> manifests = new ArrayList<>();

    private Builder() {}

    /**
     * Sets the settings of Kueue. Unless set, they are Kueue's as installed: it evicts a Workload
     * whose operator does not report {@code PodsReady} within 30 minutes.
     */
    @CanIgnoreReturnValue
    public Builder settings(Settings settings) {
      this.settings = checkNotNull(settings, "settings");
      return this;
    }

    /** Sets the time at which the clock stands; {@code 2026-01-01T00:00:00Z} unless set. */
    @CanIgnoreReturnValue
    public Builder now(Instant now) {
      this.now = checkNotNull(now, "now");
      return this;
    }

    /** Sets how long a test waits for an operator, in real time; 5 seconds unless set. */
    @CanIgnoreReturnValue
    public Builder timeout(Duration timeout) {
      this.timeout = checkNotNull(timeout, "timeout");
      return this;
    }

    /** Adds objects that exist from the start; see {@link KueueCluster#apply}. */
    @CanIgnoreReturnValue
    public Builder manifests(String manifests) {
      this.manifests.add(manifests);
      return this;
    }

    /**
     * {@return a cluster, which the caller closes}
     *
     * @throws IllegalArgumentException if Kueue cannot use one of the manifests
     */
    public KueueCluster start() {
      KueueCluster cluster = new KueueCluster(this);
      try {
        manifests.forEach(cluster::apply);
      } catch (RuntimeException e) {
        cluster.close();
        throw e;
      }
      return cluster;
    }
  }
}
