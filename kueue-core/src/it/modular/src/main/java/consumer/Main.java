package consumer;

import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodsReadyPolicy;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadStatus;
import java.util.List;

/** Prints what an engine decides, to show that a module can use it. */
public final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    List<ConfigObject> objects = List.of(
        ResourceFlavor.of("on-demand"),
        ClusterQueue.builder()
            .name("team")
            .namespaceSelector(LabelSelector.everything())
            .addResourceGroups(
                ResourceGroup.of(FlavorQuotas.of("on-demand", ResourceQuota.of("cpu", "2"))))
            .build(),
        LocalQueue.of("default", "main", "team"));
    AdmissionEngine engine = AdmissionEngine.create();
    engine.apply(objects);
    PodSet pods = PodSet.builder().count(1).request("cpu", "1").build();
    System.out.println(Settings.defaults().strictQuota());
    System.out.println(
        engine.tryAdmit(Workload.of("default", "job", "main", pods)).result().isAdmitted());
  }

  static List<Object> othersWithDefaults(TopologyRequest request) {
    return List.of(request, PodsReadyPolicy.builder(), WorkloadStatus.builder());
  }
}
