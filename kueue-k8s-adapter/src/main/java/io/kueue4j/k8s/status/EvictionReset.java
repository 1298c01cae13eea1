package io.kueue4j.k8s.status;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Clears what other controllers have written for one admission when the workload is evicted: the
 * nomination of clusters, failed nodes, opened gates.
 *
 * <p>Rules: L-9, L-25, J-21.
 */
final class EvictionReset {
  private EvictionReset() {}

  static void reset(Map<String, Object> status, Instant now) {
    status.remove("nominatedClusterNames");
    status.remove("clusterName");
    status.remove("unhealthyNodes");
    List<Object> gates = new ArrayList<>();
    for (Object item : ObjectStatus.items(status.get("preemptionGates"))) {
      Map<String, Object> gate = ObjectStatus.mapping(item);
      if (!"Closed".equals(gate.put("position", "Closed"))) {
        gate.put("lastTransitionTime", ObjectStatus.time(now));
      }
      gates.add(gate);
    }
    ObjectStatus.put(status, "preemptionGates", gates);
  }
}
