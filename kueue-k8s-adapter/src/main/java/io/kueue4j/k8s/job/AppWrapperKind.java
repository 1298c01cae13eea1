package io.kueue4j.k8s.job;

import com.google.common.base.Ascii;
import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/**
 * AppWrappers of {@code workload.codeflare.dev}: they wrap objects of other kinds, and have one pod
 * set per pod template in these, named by the AppWrapper and a number.
 *
 * <p>A start does not change the wrapped objects; it writes the assignment of the pods beside each
 * of them. Rules: J-13.
 */
final class AppWrapperKind extends GenericJobKind {
  private static final RawPath COMPONENTS = RawPath.of("spec.components");
  private static final DeclaredJobKind.StatusCheck SUCCEEDED =
      DeclaredJobKind.StatusCheck.value("status.phase", "Succeeded");
  private static final DeclaredJobKind.StatusCheck FAILED =
      DeclaredJobKind.StatusCheck.value("status.phase", "Failed");
  private static final DeclaredJobKind.StatusCheck DEPLOYED =
      DeclaredJobKind.StatusCheck.condition("ResourcesDeployed");

  AppWrapperKind() {
    super("workload.codeflare.dev", "AppWrapper", RawPath.of("spec.suspend"));
  }

  @Override
  List<PlacedPodSet> read(JobFields fields) {
    String name = Ascii.toLowerCase(JobMetadata.name(fields.job()));
    List<PlacedPodSet> placed = new ArrayList<>();
    int components = fields.items(COMPONENTS).size();
    for (int i = 0; i < components; i++) {
      RawPath component = COMPONENTS.item(i);
      List<JobPodSet> wrapped = WrappedPodSets.read(fields, component);
      for (int j = 0; j < wrapped.size(); j++) {
        placed.add(placed(
            fields, wrapped.get(j), name + "-" + placed.size(), component, j, wrapped.size()));
      }
    }
    return ImmutableList.copyOf(placed);
  }

  @Override
  public boolean supportsPrebuiltWorkloads() {
    return true;
  }

  @Override
  public Optional<JobKind.Outcome> outcome(GenericKubernetesResource job) {
    if (SUCCEEDED.holds(root(job))) {
      return Optional.of(new JobKind.Outcome(true, "AppWrapper finished successfully"));
    }
    return FAILED.holds(root(job)) && !DEPLOYED.holds(root(job))
        ? Optional.of(new JobKind.Outcome(false, "AppWrapper failed"))
        : Optional.empty();
  }

  @Override
  public boolean isActive(GenericKubernetesResource job) {
    return DeclaredJobKind.StatusCheck.condition("QuotaReserved").holds(root(job));
  }

  @Override
  public boolean podsReady(GenericKubernetesResource job) {
    return DeclaredJobKind.StatusCheck.condition("PodsReady").holds(root(job));
  }

  private static PlacedPodSet placed(
      JobFields fields, JobPodSet wrapped, String name, RawPath component, int number, int of) {
    RawPath infos = component.field("podSetInfos");
    List<Object> nothing = new ArrayList<>();
    for (int i = 0; i < of; i++) {
      nothing.add(new LinkedHashMap<>());
    }
    RawPath info = infos.item(number);
    PodTemplateSpec base = wrapped.template();
    JobPodSet podSet = new JobPodSet(
        name,
        wrapped.path(),
        PodAdditions.read(fields, info).addTo(base),
        wrapped.count(),
        wrapped.minCount(),
        wrapped.counts(),
        wrapped.index());
    return new PlacedPodSet(podSet, InjectionPlace.flat(info, base).withSkeleton(infos, nothing));
  }
}
