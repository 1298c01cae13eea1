package io.kueue4j.examples.provisioning;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Maps;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.AdmissionCheckState.CheckState;
import io.kueue4j.core.model.AdmissionCheckState.PodSetUpdate;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is to be done for one check of one workload: as Kueue's controller of provisioning checks
 * decides it.
 *
 * @param state the new state of the check, empty if it stays
 * @param create the request to create, empty for none
 * @param keep the request that counts, which must not be deleted; empty for none
 */
record ProvisioningPlan(
    Optional<AdmissionCheckState> state, Optional<NewRequest> create, Optional<String> keep) {
  /** The prefix of annotations of a workload that become parameters of its requests. */
  static final String PARAMETER_PREFIX = "provreq.kueue.x-k8s.io/";

  private static final ProvisioningPlan NOTHING =
      new ProvisioningPlan(Optional.empty(), Optional.empty(), Optional.empty());

  /**
   * A request to create.
   *
   * @param name its name
   * @param className its provisioning class
   * @param parameters its parameters
   * @param pods its pods
   */
  record NewRequest(
      String name,
      String className,
      ImmutableMap<String, String> parameters,
      ImmutableList<RequestedPods> pods) {}

  /**
   * {@return what is to be done}
   *
   * @param workload the workload
   * @param check the state of the check
   * @param config what requests are to be like, empty if the configuration of the check is missing
   * @param requests the requests that the workload owns
   */
  static ProvisioningPlan of(
      ProvisionedWorkload workload,
      AdmissionCheckState check,
      Optional<ProvisioningConfig> config,
      List<NodeRequest> requests) {
    if (workload.isFinished() || workload.isEvicted() || !workload.hasQuota()) {
      return NOTHING;
    }
    if (config.isEmpty()) {
      return changed(check, CheckState.PENDING, "the check is not active");
    }
    if (workload.provisioned(config.get()).isEmpty()) {
      return check.state() == CheckState.READY
          ? NOTHING
          : changed(check, CheckState.READY, "the provisioning request is not needed");
    }
    return new Decision(workload, check, config.get(), requests).plan();
  }

  private static ProvisioningPlan changed(
      AdmissionCheckState check, CheckState state, String message) {
    return new ProvisioningPlan(
        different(check, with(check, state, message)), Optional.empty(), Optional.empty());
  }

  private static Optional<AdmissionCheckState> different(
      AdmissionCheckState before, AdmissionCheckState after) {
    return Optional.of(after).filter(state -> !state.equals(before));
  }

  /** {@return the check in another state; what it wants of pods belongs to Ready} */
  private static AdmissionCheckState with(
      AdmissionCheckState check, CheckState state, String message) {
    AdmissionCheckState.Builder changed =
        AdmissionCheckState.builder().from(check).state(state).message(message);
    if (state != check.state()) {
      changed.podSetUpdates(ImmutableList.of());
    }
    return changed.build();
  }

  /** The decision about a workload that needs nodes. */
  private record Decision(
      ProvisionedWorkload workload,
      AdmissionCheckState check,
      ProvisioningConfig config,
      List<NodeRequest> requests) {

    ProvisioningPlan plan() {
      Optional<NodeRequest> last = requests.stream()
          .filter(request -> attempt(request) > 0 && request.matches(config))
          .max(Comparator.comparingInt(this::attempt));
      AdmissionCheckState after = last.map(this::follow).orElse(check);
      Optional<NewRequest> create = isAnotherNeeded(last, after)
          ? Optional.of(request(last.map(this::attempt).orElse(check.retryCount()) + 1))
          : Optional.empty();
      return new ProvisioningPlan(different(check, after), create, last.map(NodeRequest::name));
    }

    private int attempt(NodeRequest request) {
      return ProvisioningNames.attempt(request.name(), workload.name(), check.name())
          .orElse(0);
    }

    private boolean isAnotherNeeded(Optional<NodeRequest> last, AdmissionCheckState after) {
      if (last.isEmpty()) {
        return after.state() != CheckState.READY;
      }
      boolean isOver =
          last.get().is("Failed") || (last.get().is("BookingExpired") && !workload.isAdmitted());
      return isOver && after.state() == CheckState.PENDING;
    }

    /** {@return the state of the check that follows from a request} */
    private AdmissionCheckState follow(NodeRequest request) {
      if (request.is("Failed")) {
        return failed(request, "Failed", "Retrying after failure: ");
      }
      if (request.is("CapacityRevoked")) {
        return workload.isActive()
            ? with(check, CheckState.REJECTED, request.message("CapacityRevoked"))
            : check;
      }
      if (request.is("BookingExpired")) {
        return workload.isAdmitted()
            ? check
            : failed(request, "BookingExpired", "Retrying after booking expired: ");
      }
      if (request.is("Provisioned")) {
        return check.state() == CheckState.READY ? check : ready(request);
      }
      if (request.is("Accepted")) {
        return request
            .plannedMessage()
            .map(message -> with(check, CheckState.PENDING, message))
            .orElse(check);
      }
      return with(check, CheckState.PENDING, "");
    }

    private AdmissionCheckState failed(NodeRequest request, String condition, String introduction) {
      int attempt = attempt(request);
      if (attempt > config.backoffLimitCount()) {
        return with(check, CheckState.REJECTED, request.message(condition));
      }
      String message = introduction + request.message(condition);
      // A request of an attempt that was counted before is the reason of an earlier retry.
      return attempt <= check.retryCount()
          ? with(check, check.state(), message)
          : AdmissionCheckState.builder()
              .from(with(check, CheckState.RETRY, message))
              .requeueAfter(config.backoff(check.retryCount() + 1))
              .build();
    }

    private AdmissionCheckState ready(NodeRequest request) {
      Map<String, String> podSets = Maps.newHashMap();
      workload
          .podSets()
          .forEach(podSet -> podSets.put(
              ProvisioningNames.podTemplate(request.name(), podSet.name()), podSet.name()));
      AdmissionCheckState.Builder ready = AdmissionCheckState.builder()
          .from(with(check, CheckState.READY, request.message("Provisioned")));
      for (String template : request.templates()) {
        Optional.ofNullable(podSets.get(template))
            .ifPresent(podSet -> ready.addPodSetUpdates(update(podSet, request)));
      }
      return ready.build();
    }

    private PodSetUpdate update(String podSet, NodeRequest request) {
      PodSetUpdate.Builder update = PodSetUpdate.builder()
          .name(podSet)
          .putAnnotations("autoscaling.x-k8s.io/consume-provisioning-request", request.name())
          .putAnnotations("autoscaling.x-k8s.io/provisioning-class-name", request.className());
      config
          .nodeSelector()
          .forEach((label, detail) -> Optional.ofNullable(request.details().get(detail))
              .ifPresent(value -> update.putNodeSelector(label, value)));
      return update.build();
    }

    private NewRequest request(int attempt) {
      ImmutableMap.Builder<String, String> parameters = ImmutableMap.builder();
      parameters.putAll(config.parameters());
      workload.annotations().forEach((key, value) -> {
        if (key.startsWith(PARAMETER_PREFIX)) {
          parameters.put(key.substring(PARAMETER_PREFIX.length()), value);
        }
      });
      return new NewRequest(
          ProvisioningNames.request(workload.name(), check.name(), attempt),
          config.className(),
          parameters.buildKeepingLast(),
          RequestedPods.of(workload, config));
    }
  }
}
