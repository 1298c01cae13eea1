package io.kueue4j.examples.controller.guard;

import com.google.common.annotations.VisibleForTesting;
import com.google.common.collect.ImmutableList;
import com.google.common.util.concurrent.ThreadFactoryBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicy;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicyBinding;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicyBindingSpec;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.kueue4j.examples.controller.object.JobAnnotations;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The guard of a cluster: ValidatingAdmissionPolicies that keep everyone but the controller from
 * starting jobs with a queue and from writing records of admission. An administrator applies them;
 * the controller only reads, at intervals, whether they are there, bind everywhere, and are those
 * of its version.
 *
 * <p>Needs the permission to get these policies and their bindings, which their manifests grant.
 * Thread-safe.
 */
public final class Guard implements AutoCloseable {
  /** The policies of the guard; each has a binding of the same name. */
  public static final ImmutableList<String> POLICIES = ImmutableList.of(
      "kueue4j-jobs",
      "kueue4j-pods",
      "kueue4j-parts",
      "kueue4j-resize",
      "kueue4j-services",
      "kueue4j-records",
      "kueue4j-workloads");

  /** Annotation on a policy: the version of the rules, {@link #VERSION} in this release. */
  public static final String VERSION_ANNOTATION = "kueue4j.io/guard-version";

  /** The version of the rules that this controller expects; it changes with the rules. */
  public static final String VERSION = "1";

  private static final Logger LOG = LoggerFactory.getLogger(Guard.class);
  private static final int FORBIDDEN = 403;
  private static final String RISK = "Until then, a job that a tenant starts without quota runs"
      + " until the controller has stopped it; docs/install.md says how to apply the guard";

  private final KubernetesClient client;
  private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor(
      new ThreadFactoryBuilder().setNameFormat("guard").setDaemon(true).build());
  private volatile Optional<String> warning = Optional.of("the guard was not looked at yet");

  private Guard(KubernetesClient client) {
    this.client = client;
  }

  /**
   * {@return the guard of a cluster, looked at now and at intervals until it is closed}
   *
   * @param client the cluster; not closed
   * @param interval the time between two looks
   */
  public static Guard watch(KubernetesClient client, Duration interval) {
    Guard guard = new Guard(client);
    guard.look();
    Future<?> unused = guard.executor.scheduleWithFixedDelay(
        guard::look, interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
    return guard;
  }

  /** {@return why the guard is not in place, empty if it is} */
  public Optional<String> warning() {
    return warning;
  }

  /** Looks once; without an answer of the API server, what was known stays. */
  @VisibleForTesting
  void look() {
    Optional<String> found;
    try {
      found = POLICIES.stream()
          .map(this::problem)
          .flatMap(Optional::stream)
          .findFirst()
          .map(problem -> "the guard is not in place: " + problem + ". " + RISK);
    } catch (KubernetesClientException e) {
      LOG.debug("the guard cannot be looked at", e);
      return;
    }
    if (!found.equals(warning)) {
      warning = found;
      LOG.atLevel(found.isPresent() ? Level.WARN : Level.INFO)
          .log(found.orElse("the guard is in place"));
    }
  }

  private Optional<String> problem(String name) {
    return problem(ValidatingAdmissionPolicy.class, name, Guard::problem)
        .or(() -> problem(ValidatingAdmissionPolicyBinding.class, name, Guard::problem));
  }

  private <T extends HasMetadata> Optional<String> problem(
      Class<T> type, String name, Function<T, String> check) {
    @Nullable T object = null;
    try {
      object = client.resources(type).withName(name).get();
    } catch (KubernetesClientException e) {
      // The manifests of the guard grant the permission: without it, they are not there.
      if (e.getCode() != FORBIDDEN) {
        throw e;
      }
    }
    String problem = object == null ? "does not exist, or may not be read" : check.apply(object);
    return problem.isEmpty()
        ? Optional.empty()
        : Optional.of(HasMetadata.getKind(type) + " " + name + " " + problem);
  }

  private static String problem(ValidatingAdmissionPolicy policy) {
    String version = JobAnnotations.of(policy, VERSION_ANNOTATION);
    if (!version.equals(VERSION)) {
      return "has version \"" + version + "\" of the rules, but this controller needs \"" + VERSION
          + "\"";
    }
    String failurePolicy = policy.getSpec().getFailurePolicy();
    return "Fail".equals(failurePolicy)
        ? ""
        : "has failurePolicy " + failurePolicy + " instead of Fail";
  }

  private static String problem(ValidatingAdmissionPolicyBinding binding) {
    ValidatingAdmissionPolicyBindingSpec spec = binding.getSpec();
    if (!binding.getMetadata().getName().equals(spec.getPolicyName())) {
      return "binds the policy " + spec.getPolicyName();
    }
    if (!spec.getValidationActions().contains("Deny")) {
      return "has the actions " + spec.getValidationActions() + ", without Deny";
    }
    return spec.getMatchResources() == null
        ? ""
        : "has matchResources, and so does not bind everywhere";
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
