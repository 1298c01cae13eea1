package io.kueue4j.k8s;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.kueue4j.k8s.job.JobKind;
import io.kueue4j.k8s.job.JobPodSet;
import java.util.List;
import java.util.Optional;

/** A kind of job whose pods cannot be read. */
final class FailingKind implements JobKind<GenericKubernetesResource> {
  @Override
  public Class<GenericKubernetesResource> type() {
    return GenericKubernetesResource.class;
  }

  @Override
  public String apiGroup() {
    return "example.com";
  }

  @Override
  public String kind() {
    return "Failing";
  }

  @Override
  public boolean isSuspended(GenericKubernetesResource job) {
    return true;
  }

  @Override
  public GenericKubernetesResource withSuspend(GenericKubernetesResource job, boolean suspend) {
    return job;
  }

  @Override
  public List<JobPodSet> podSets(GenericKubernetesResource job) {
    throw new IllegalStateException("oh");
  }

  @Override
  public GenericKubernetesResource withPodSets(
      GenericKubernetesResource job, List<JobPodSet> podSets) {
    return job;
  }

  @Override
  public Optional<JobKind.Outcome> outcome(GenericKubernetesResource job) {
    return Optional.empty();
  }

  @Override
  public boolean isActive(GenericKubernetesResource job) {
    return false;
  }

  @Override
  public boolean podsReady(GenericKubernetesResource job) {
    return false;
  }
}
