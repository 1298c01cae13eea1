package io.kueue4j.examples.docs;

// snippet
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Workload;

class Quickstart {
  public static void main(String[] args) {
    AdmissionEngine engine = AdmissionEngine.create();
    ResourceGroup gpus =
        ResourceGroup.of(FlavorQuotas.of("a100", ResourceQuota.of("nvidia.com/gpu", "8")));
    engine.apply(
        ResourceFlavor.of("a100"),
        ClusterQueue.builder()
            .name("research")
            .namespaceSelector(LabelSelector.everything())
            .addResourceGroups(gpus)
            .build(),
        LocalQueue.of("team-a", "queue", "research"));
    PodSet pods = PodSet.builder().count(6).request("nvidia.com/gpu", "1").build();

    Workload training = Workload.of("team-a", "training", "queue", pods);
    boolean admitted = engine.tryAdmit(training).result().isAdmitted();
    System.out.println("training admitted: " + admitted);

    Workload tuning = Workload.of("team-a", "tuning", "queue", pods);
    engine.submit(tuning);
    System.out.println("admitted by a cycle: " + engine.runCycle().admitted());
    engine.explain(tuning.id()).reasons().forEach(why -> System.out.println(why.message()));
  }
}
// end
