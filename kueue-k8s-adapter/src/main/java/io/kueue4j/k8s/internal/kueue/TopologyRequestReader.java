package io.kueue4j.k8s.internal.kueue;

import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.model.TopologyRequest.SliceConstraint;
import io.kueue4j.k8s.internal.yaml.Fields;

/**
 * Reads {@code Workload.spec.podSets[].topologyRequest} except for the group. Rules: T-16, T-90.
 */
final class TopologyRequestReader {
  private TopologyRequestReader() {}

  static TopologyRequest read(Fields request) {
    TopologyRequest.Builder topology = TopologyRequest.builder();
    request.text("required").ifPresent(topology::required);
    request.text("preferred").ifPresent(topology::preferred);
    request.flag("unconstrained").ifPresent(topology::unconstrained);
    request.text("podSetSliceRequiredTopology").ifPresent(topology::sliceTopology);
    request.integer("podSetSliceSize").ifPresent(topology::sliceSize);
    for (Fields constraint : request.objects("podsetSliceRequiredTopologyConstraints")) {
      topology.addSliceConstraints(new SliceConstraint(
          constraint.requiredText("topology"), constraint.integer("size").orElse(0)));
    }
    request.text("podIndexLabel").ifPresent(topology::podIndexLabel);
    request.text("subGroupIndexLabel").ifPresent(topology::subGroupIndexLabel);
    request.integer("subGroupCount").ifPresent(topology::subGroupCount);
    return topology.build();
  }
}
