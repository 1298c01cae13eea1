package io.kueue4j.k8s;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.k8s.ApplyResult.ObjectResult.Outcome;
import io.kueue4j.k8s.internal.job.ManifestJob;
import io.kueue4j.k8s.job.PodGroup;
import io.kueue4j.k8s.manifest.Manifest;
import io.kueue4j.k8s.manifest.ManifestIssue;
import java.util.Optional;

/** One call of {@link KubernetesAdmission#delete}. */
final class DeleteCall {
  private final ClusterState state;

  DeleteCall(ClusterState state) {
    this.state = state;
  }

  ApplyResult delete(ManifestSource source) {
    ImmutableList.Builder<ApplyResult.ObjectResult> results = ImmutableList.builder();
    for (ReadObject read : state.reader().readEach(ImmutableList.of(source))) {
      // What is deleted may be malformed, as long as it says what it is.
      if (read.manifest().isPresent()) {
        results.add(delete(read.manifest().get()));
      } else if (!read.problems().isEmpty()) {
        results.add(new ApplyResult.ObjectResult(
            Optional.empty(), Outcome.REFUSED, ImmutableList.of(), read.problems()));
      }
    }
    return new ApplyResult(results.build(), ImmutableList.of(), state.takeDecisions());
  }

  private ApplyResult.ObjectResult delete(Manifest manifest) {
    boolean wasKnown = state.references().remove(manifest);
    state.setUnresolved(manifest, false);
    if (manifest.is("", "Node") || manifest.is("", "Pod")) {
      try {
        wasKnown |= deleteFromNodes(manifest);
      } catch (IllegalArgumentException e) {
        return result(manifest, Outcome.REFUSED, String.valueOf(e.getMessage()));
      }
    }
    ImmutableList<WorkloadId> workloads = state.workloads(manifest);
    for (WorkloadId workload : workloads) {
      wasKnown |= state.delete(workload);
    }
    Optional<ConfigObject> object = state.configuration(key(manifest));
    if (object.isPresent() && !manifest.is("", "Node")) {
      try {
        state.remove(object.get());
        wasKnown = true;
      } catch (IllegalStateException e) {
        return result(manifest, Outcome.REFUSED, "still needed: " + e.getMessage());
      }
    }
    return wasKnown
        ? new ApplyResult.ObjectResult(
            Optional.of(manifest), Outcome.DELETED, workloads, ImmutableList.of())
        : result(manifest, Outcome.IGNORED, "was not known");
  }

  private boolean deleteFromNodes(Manifest manifest) {
    if (manifest.is("", "Node")) {
      boolean wasKnown = state.nodes().node(manifest.name().orElse("")).isPresent();
      state.nodes().delete(manifest.as(Node.class));
      state.configureNodes();
      return wasKnown;
    }
    Pod pod = manifest.as(Pod.class);
    state.removeMember(PodGroup.nameOf(pod), manifest);
    state.nodes().delete(pod);
    state.configureNodes();
    // A pod that is known for nothing but what it took of a node is gone with that.
    return !ManifestJob.isJob(pod);
  }

  /** {@return the key of the configuration object that was made of a manifest} */
  private static String key(Manifest manifest) {
    String kind = manifest.kind().equals("Queue") ? "LocalQueue" : manifest.kind();
    return kind + " " + manifest.namespace().map(namespace -> namespace + "/").orElse("")
        + manifest.name().orElse("");
  }

  private static ApplyResult.ObjectResult result(
      Manifest manifest, Outcome outcome, String message) {
    ManifestIssue issue = manifest.issue("", message);
    return new ApplyResult.ObjectResult(
        Optional.of(manifest), outcome, ImmutableList.of(), ImmutableList.of(issue));
  }
}
