package io.kueue4j.examples.deploy;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.kueue4j.examples.DeployManifests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The chart installs the objects of the base and of the monitoring, changed by its values. */
class ChartTest {
  private static final Path CHART = DeployManifests.ROOT.resolve("chart");
  private static final String IMAGE = "ghcr.io/kueue4j/kueue-examples:0.1.0";

  private static ImmutableList<HasMetadata> render(String namespace, String... values)
      throws IOException, InterruptedException {
    List<Object> arguments = new ArrayList<>(List.of(
        "template", "kueue4j", CHART, "--namespace", namespace, "--kube-version", "1.35.0"));
    for (String value : values) {
      arguments.add("--set");
      arguments.add(value);
    }
    return DeployManifests.objects(Tools.run("helm", arguments.toArray()));
  }

  private static PodSpec pod(Deployment deployment) {
    return deployment.getSpec().getTemplate().getSpec();
  }

  private static <T> T find(ImmutableList<HasMetadata> objects, Class<T> type) {
    return objects.stream().filter(type::isInstance).map(type::cast).findFirst().orElseThrow();
  }

  @Test
  void itContainsTheFilesOfKustomize() throws IOException {
    assertThat(Files.isSameFile(CHART.resolve("base"), DeployManifests.BASE)).isTrue();
    assertThat(Files.isSameFile(
            CHART.resolve("monitoring"), DeployManifests.ROOT.resolve("monitoring")))
        .isTrue();
    assertThat(Files.isSameFile(CHART.resolve("guard"), DeployManifests.ROOT.resolve("guard")))
        .isTrue();
    assertThat(Files.isSameFile(CHART.resolve("options"), DeployManifests.ROOT.resolve("options")))
        .isTrue();
    String templates = Files.readString(CHART.resolve("templates/controller.yaml"));
    assertThat(DeployManifests.resources(DeployManifests.BASE))
        .extracting(file -> file.getFileName().toString())
        .filteredOn(name -> !name.equals("namespace.yaml")) // by helm install --create-namespace
        .allMatch(templates::contains);
    assertThat(DeployManifests.resources(DeployManifests.ROOT.resolve("guard")))
        .extracting(file -> file.getFileName().toString())
        .allMatch(Files.readString(CHART.resolve("templates/guard.yaml"))::contains);
  }

  @Test
  void helmFindsNoMistake() throws Exception {
    assertThat(Tools.run("helm", "lint", "--strict", CHART)).contains("0 chart(s) failed");
  }

  @Test
  void withoutValuesItIsTheBase() throws Exception {
    List<HasMetadata> expected = DeployManifests.base().stream()
        .filter(object -> !(object instanceof Namespace))
        .collect(toImmutableList());
    expected.stream()
        .filter(Deployment.class::isInstance)
        .forEach(object -> pod((Deployment) object).getContainers().get(0).setImage(IMAGE));

    assertThat(render("kueue4j-system")).containsExactlyInAnyOrderElementsOf(expected);
    assertThat(DeployManifests.map(DeployManifests.BASE.resolve("kustomization.yaml"))
            .toString())
        .as("the same image")
        .contains("newName=" + IMAGE.substring(0, IMAGE.lastIndexOf(':')))
        .contains("newTag=" + IMAGE.substring(IMAGE.lastIndexOf(':') + 1));
  }

  @Test
  void optionsAddRolesAndArguments() throws Exception {
    ImmutableList<HasMetadata> all = render(
        "elsewhere",
        "options.pods=true",
        "options.queueStatus=true",
        "options.authenticated=true",
        "options.provisioning=true");
    assertThat(all)
        .filteredOn(object -> object.getKind().equals("ClusterRole"))
        .extracting(object -> object.getMetadata().getName())
        .containsExactlyInAnyOrder(
            "kueue4j-controller",
            "kueue4j-controller-pods",
            "kueue4j-controller-queue-status",
            "kueue4j-controller-authenticated",
            "kueue4j-controller-provisioning");
    assertThat(pod(find(all, Deployment.class)).getContainers().get(0).getArgs())
        .endsWith("--queue-status", "--authenticate");
  }

  @Test
  void valuesChangeIt() throws Exception {
    ImmutableList<HasMetadata> all = render(
        "elsewhere",
        "monitoring.enabled=true",
        "guard.enabled=true",
        "networkPolicy.enabled=false",
        "queues=kind: ClusterQueue",
        "extraArgs={--fair-sharing}",
        "image.repository=registry.example.com/kueue4j",
        "nodeSelector.pool=system",
        "replicas=1");

    assertThat(all)
        .extracting(HasMetadata::getKind)
        .contains("ServiceMonitor", "PrometheusRule", "ValidatingAdmissionPolicyBinding")
        .doesNotContain("NetworkPolicy");
    assertThat(all)
        .filteredOn(object -> !object.getKind().startsWith("ClusterRole"))
        .filteredOn(object -> !object.getKind().startsWith("ValidatingAdmissionPolicy"))
        .allMatch(object -> object.getMetadata().getNamespace().equals("elsewhere"));
    Deployment deployment = find(all, Deployment.class);
    assertThat(deployment.getSpec().getReplicas()).isEqualTo(1);
    assertThat(pod(deployment).getNodeSelector()).containsEntry("pool", "system");
    Container container = pod(deployment).getContainers().get(0);
    assertThat(container.getImage()).isEqualTo("registry.example.com/kueue4j:0.1.0");
    assertThat(container.getArgs())
        .startsWith("controller")
        .endsWith("--fair-sharing", "--queues=/etc/kueue4j/queues.yaml");
    assertThat(all)
        .filteredOn(ConfigMap.class::isInstance)
        .extracting(object -> object.getMetadata().getName())
        .containsExactlyInAnyOrder("kueue4j-queues", "kueue4j-dashboard");
    for (HasMetadata object : all) {
      assertThat(ManifestsTest.problems(object)).as(object.getKind()).isEmpty();
    }
  }
}
