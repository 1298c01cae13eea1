package io.kueue4j.examples.deploy;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.google.common.base.Ascii;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableMap;
import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResource;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicy;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.kueue4j.examples.DeployManifests;
import io.kueue4j.examples.controller.guard.Guard;
import io.kueue4j.k8s.kueue.KueueApiVersion;
import java.beans.IntrospectionException;
import java.beans.Introspector;
import java.beans.PropertyDescriptor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The manifests are objects that an API server accepts, and belong together. */
class ManifestsTest {
  static final Path SCHEMAS = Path.of("src/test/resources/deploy");
  private static final Path MONITORING = DeployManifests.ROOT.resolve("monitoring");
  private static final Path GUARD = DeployManifests.ROOT.resolve("guard");
  private static final Set<String> WRITES = Set.of("create", "update", "patch", "delete");
  private static final String WORKLOADS = "[kueue.x-k8s.io]workloads";
  private static final ImmutableList<Path> OPTIONS =
      ImmutableList.of(GUARD, DeployManifests.ROOT.resolve("guard-mutating"));

  private static ImmutableList<String> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> !name.equals("kustomization.yaml"))
          .sorted()
          .collect(toImmutableList());
    }
  }

  /** Adds the fields that the class of an object does not have, with their places. */
  private static void findUnknown(Object value, String path, List<String> found) {
    if (value instanceof Map<?, ?> map) {
      map.forEach((key, entry) -> findUnknown(entry, path + "." + key, found));
    } else if (value instanceof List<?> list) {
      list.forEach(entry -> findUnknown(entry, path + "[]", found));
    } else if (value instanceof KubernetesResource) {
      try {
        for (PropertyDescriptor property :
            Introspector.getBeanInfo(value.getClass(), Object.class).getPropertyDescriptors()) {
          if (property.getReadMethod() == null) {
            continue;
          }
          Object field = property.getReadMethod().invoke(value);
          if (property.getName().equals("additionalProperties")) {
            ((Map<?, ?>) field).keySet().forEach(key -> found.add(path + "." + key));
          } else {
            findUnknown(field, path + "." + property.getName(), found);
          }
        }
      } catch (IntrospectionException | ReflectiveOperationException e) {
        throw new IllegalStateException(path, e);
      }
    }
  }

  /** {@return what is wrong with the fields of an object} */
  static ImmutableList<String> problems(HasMetadata object) throws IOException {
    if (object instanceof GenericKubernetesResource generic) {
      Path schema = SCHEMAS.resolve(Ascii.toLowerCase(generic.getKind()) + ".schema.yaml");
      KubernetesSerialization yaml = new KubernetesSerialization();
      return StructuralSchema.read(schema)
          .problems(yaml.unmarshal(yaml.asJson(generic), Map.class));
    }
    List<String> unknown = new ArrayList<>();
    findUnknown(object, object.getKind(), unknown);
    return ImmutableList.copyOf(unknown);
  }

  static ImmutableList<HasMetadata> monitoring() throws IOException {
    ImmutableList.Builder<HasMetadata> all = ImmutableList.builder();
    for (Path file : DeployManifests.resources(MONITORING)) {
      all.addAll(DeployManifests.objects(Files.readString(file)));
    }
    return all.build();
  }

  private static PodSpec pod() throws IOException {
    return DeployManifests.find(Deployment.class).getSpec().getTemplate().getSpec();
  }

  @Test
  void everyFileIsPartOfAKustomization() throws IOException {
    assertThat(DeployManifests.resources(DeployManifests.BASE))
        .extracting(file -> file.getFileName().toString())
        .containsExactlyInAnyOrderElementsOf(files(DeployManifests.BASE));
    for (Path folder : OPTIONS) {
      assertThat(DeployManifests.resources(folder))
          .extracting(file -> file.getFileName().toString())
          .containsExactlyInAnyOrderElementsOf(files(folder));
    }
    List<String> monitored = new ArrayList<>(ImmutableList.of("kueue4j.json"));
    DeployManifests.resources(MONITORING)
        .forEach(file -> monitored.add(file.getFileName().toString()));
    assertThat(monitored).containsExactlyInAnyOrderElementsOf(files(MONITORING));
  }

  @Test
  void everyFieldIsOneOfItsKind() throws IOException {
    List<HasMetadata> all = new ArrayList<>(DeployManifests.base());
    all.addAll(monitoring());
    for (Path folder : OPTIONS) {
      all.addAll(DeployManifests.of(folder));
    }
    for (HasMetadata object : all) {
      assertThat(problems(object)).as(object.getKind()).isEmpty();
    }
  }

  /**
   * The guard protects the kinds of jobs that the role of the controller may update, and Workloads.
   */
  @Test
  void theGuardCoversWhatTheControllerStarts() throws IOException {
    Set<String> started = Stream.concat(
            DeployManifests.base().stream(), DeployManifests.option("pods").stream())
        .filter(ClusterRole.class::isInstance)
        .flatMap(role -> ((ClusterRole) role).getRules().stream())
        .filter(rule -> rule.getVerbs().contains("update"))
        .filter(rule -> !rule.getApiGroups().contains(KueueApiVersion.GROUP))
        .flatMap(rule -> rule.getResources().stream()
            .filter(name -> !name.contains("/"))
            .map(name -> rule.getApiGroups() + name))
        .collect(toImmutableSet());
    Map<String, Set<String>> guarded = new HashMap<>();
    for (HasMetadata object : DeployManifests.of(GUARD)) {
      if (object instanceof ValidatingAdmissionPolicy policy) {
        policy
            .getSpec()
            .getMatchConstraints()
            .getResourceRules()
            .forEach(rule -> rule.getResources()
                .forEach(name -> guarded
                    .computeIfAbsent(policy.getMetadata().getName(), unused -> new HashSet<>())
                    .add(rule.getApiGroups() + name)));
      }
    }
    assertThat(guarded).containsOnlyKeys(Guard.POLICIES);
    assertThat(guarded.remove("kueue4j-workloads"))
        .containsExactlyInAnyOrder(WORKLOADS, WORKLOADS + "/status");
    assertThat(guarded.remove("kueue4j-records")).isEqualTo(started);
    assertThat(guarded.remove("kueue4j-parts")).containsExactly("[batch]jobs");
    assertThat(guarded.remove("kueue4j-resize")).containsExactly("[]pods/resize");
    assertThat(guarded.values().stream().flatMap(Set::stream))
        .containsExactlyInAnyOrderElementsOf(started);
  }

  /** docs/operations.md says what each right to write is needed for. */
  @Test
  void everyRightToWriteIsDocumented() throws IOException {
    String page = Files.readString(Path.of("../docs/operations.md"));
    String section =
        page.substring(page.indexOf("## Rights"), page.indexOf("## Back-up and restore"));
    Set<String> documented = new HashSet<>();
    Matcher row = Pattern.compile("(?m)^\\| `([a-z-]+)` \\| ([^|]*) \\|").matcher(section);
    while (row.find()) {
      // What stands behind a colon restricts the right.
      Matcher resource =
          Pattern.compile("`([a-z]+(?:/status)?)`").matcher(row.group(2).replaceFirst(":.*", ""));
      while (resource.find()) {
        documented.add(row.group(1) + " " + resource.group(1));
      }
    }
    Set<String> granted = new HashSet<>();
    ImmutableListMultimap<String, HasMetadata> manifests =
        ImmutableListMultimap.<String, HasMetadata>builder()
            .putAll("base", DeployManifests.base())
            .putAll("guard", DeployManifests.of(GUARD))
            .putAll("pods", DeployManifests.option("pods"))
            .putAll("queue-status", DeployManifests.option("queue-status"))
            .putAll("provisioning", DeployManifests.option("provisioning"))
            .putAll("authenticated", DeployManifests.option("authenticated"))
            .build();
    manifests.forEach((folder, object) -> rules(object)
        .filter(rule -> rule.getVerbs().stream().anyMatch(WRITES::contains))
        .flatMap(rule -> rule.getResources().stream())
        .forEach(resource -> granted.add(folder + " " + resource)));
    assertThat(documented).isEqualTo(granted);
  }

  private static Stream<PolicyRule> rules(HasMetadata object) {
    if (object instanceof ClusterRole role) {
      return role.getRules().stream();
    }
    return object instanceof Role role ? role.getRules().stream() : Stream.empty();
  }

  @Test
  void unknownFieldsAndWrongValuesAreFound() throws IOException {
    String deployment = Files.readString(DeployManifests.BASE.resolve("deployment.yaml"));
    assertThat(problems(DeployManifests.objects(
                deployment.replace("readOnlyRootFilesystem", "readOnlyRootFileSystem"))
            .get(0)))
        .containsExactly(
            "Deployment.spec.template.spec.containers[].securityContext.readOnlyRootFileSystem");
    String monitor = Files.readString(MONITORING.resolve("servicemonitor.yaml"));
    assertThat(problems(DeployManifests.objects(monitor.replace("honorLabels", "honourLabels"))
            .get(0)))
        .containsExactly(".spec.endpoints[0].honourLabels: unknown field");
    assertThat(problems(DeployManifests.objects(monitor.replace("30s", "30 s")).get(0)))
        .singleElement()
        .asString()
        .startsWith(".spec.endpoints[0].interval: is 30 s, expected to match ");
    assertThat(problems(
            DeployManifests.objects(monitor.replace("selector:", "selectors:")).get(0)))
        .contains(".spec: lacks selector");
  }

  @Test
  void whatSelectsSelectsTheController() throws IOException {
    Map<String, String> labels = DeployManifests.find(Deployment.class)
        .getSpec()
        .getTemplate()
        .getMetadata()
        .getLabels();
    Service service = DeployManifests.find(Service.class);
    assertThat(labels)
        .containsAllEntriesOf(
            DeployManifests.find(Deployment.class).getSpec().getSelector().getMatchLabels())
        .containsAllEntriesOf(service.getSpec().getSelector())
        .containsAllEntriesOf(DeployManifests.find(PodDisruptionBudget.class)
            .getSpec()
            .getSelector()
            .getMatchLabels())
        .containsAllEntriesOf(
            DeployManifests.find(NetworkPolicy.class).getSpec().getPodSelector().getMatchLabels())
        .containsAllEntriesOf(
            pod().getTopologySpreadConstraints().get(0).getLabelSelector().getMatchLabels());
    GenericKubernetesResource monitor = (GenericKubernetesResource) monitoring().stream()
        .filter(object -> object.getKind().equals("ServiceMonitor"))
        .findFirst()
        .orElseThrow();
    Map<String, String> selected = monitor.get("spec", "selector", "matchLabels");
    assertThat(service.getMetadata().getLabels()).containsAllEntriesOf(selected);
    String port = monitor.get("spec", "endpoints", 0, "port");
    assertThat(service.getSpec().getPorts()).extracting("name").containsExactly(port);
    assertThat(pod().getContainers().get(0).getPorts()).extracting("name").contains(port);
  }

  @Test
  void rolesAreBoundToTheAccountOfThePod() throws IOException {
    String account = DeployManifests.find(ServiceAccount.class).getMetadata().getName();
    String namespace = DeployManifests.find(Namespace.class).getMetadata().getName();
    assertThat(pod().getServiceAccountName()).isEqualTo(account);
    assertThat(Stream.concat(
            DeployManifests.find(ClusterRoleBinding.class).getSubjects().stream(),
            DeployManifests.find(RoleBinding.class).getSubjects().stream()))
        .hasSize(2)
        .allMatch(subject ->
            subject.getName().equals(account) && subject.getNamespace().equals(namespace));
    assertThat(DeployManifests.base())
        .filteredOn(object -> !(object instanceof Namespace))
        .filteredOn(object -> !object.getKind().startsWith("ClusterRole"))
        .allMatch(object -> object.getMetadata().getNamespace().equals(namespace));
  }

  /** As the Pod Security Standard "restricted", which the namespace enforces, and more. */
  @Test
  void theContainerHasNoPrivileges() throws IOException {
    assertThat(DeployManifests.find(Namespace.class).getMetadata().getLabels())
        .containsEntry("pod-security.kubernetes.io/enforce", "restricted");
    assertThat(pod().getSecurityContext()).satisfies(pod -> {
      assertThat(pod.getRunAsNonRoot()).isTrue();
      assertThat(pod.getRunAsUser()).isEqualTo(65532);
      assertThat(pod.getSeccompProfile().getType()).isEqualTo("RuntimeDefault");
    });
    assertThat(pod().getContainers()).singleElement().satisfies(container -> {
      assertThat(container.getSecurityContext().getAllowPrivilegeEscalation()).isFalse();
      assertThat(container.getSecurityContext().getReadOnlyRootFilesystem()).isTrue();
      assertThat(container.getSecurityContext().getCapabilities().getDrop()).containsExactly("ALL");
      assertThat(container.getResources().getRequests()).containsOnlyKeys("cpu", "memory");
      assertThat(container.getResources().getLimits()).containsOnlyKeys("cpu", "memory");
    });
  }

  @Test
  void eachOptionAddsItsRoleAndArgumentToTheBase(@TempDir Path folder) throws Exception {
    copyTo(folder);
    Files.writeString(folder.resolve("kustomization.yaml"), """
        apiVersion: kustomize.config.k8s.io/v1beta1
        kind: Kustomization
        resources:
        - base
        components:
        - options/pods
        - options/queue-status
        - options/authenticated
        - options/provisioning
        """);
    ImmutableList<HasMetadata> all =
        DeployManifests.objects(Tools.run("kubectl", "kustomize", folder));
    assertThat(all)
        .filteredOn(object -> object.getKind().startsWith("ClusterRole"))
        .extracting(object -> object.getMetadata().getName())
        .containsOnly(
            "kueue4j-controller",
            "kueue4j-controller-pods",
            "kueue4j-controller-queue-status",
            "kueue4j-controller-authenticated",
            "kueue4j-controller-provisioning")
        .hasSize(10);
    assertThat(all)
        .filteredOn(Deployment.class::isInstance)
        .singleElement()
        .satisfies(object -> assertThat(((Deployment) object)
                .getSpec()
                .getTemplate()
                .getSpec()
                .getContainers()
                .get(0)
                .getArgs())
            .endsWith("--queue-status", "--authenticate"));
    for (HasMetadata object : all) {
      assertThat(problems(object)).as(object.getKind()).isEmpty();
    }
  }

  private static void copyTo(Path folder) throws IOException {
    for (String part : List.of("base", "options")) {
      try (Stream<Path> files = Files.walk(DeployManifests.ROOT.resolve(part))) {
        for (Path file : (Iterable<Path>) files::iterator) {
          Path target = folder.resolve(DeployManifests.ROOT.relativize(file).toString());
          if (Files.isDirectory(file)) {
            Files.createDirectories(target);
          } else {
            Files.copy(file, target);
          }
        }
      }
    }
  }

  @Test
  void kustomizeRendersBaseAndMonitoring() throws Exception {
    ImmutableList<HasMetadata> base =
        DeployManifests.objects(Tools.run("kubectl", "kustomize", DeployManifests.BASE));
    ImmutableList<HasMetadata> all = DeployManifests.objects(
        Tools.run("kubectl", "kustomize", DeployManifests.ROOT.resolve("with-monitoring")));

    assertThat(base)
        .extracting(HasMetadata::getKind, object -> object.getMetadata().getName())
        .containsExactlyInAnyOrderElementsOf(DeployManifests.base().stream()
            .map(object -> tuple(object.getKind(), object.getMetadata().getName()))
            .toList());
    assertThat(all)
        .hasSize(base.size() + 3)
        .extracting(HasMetadata::getKind)
        .contains("ServiceMonitor", "PrometheusRule", "ConfigMap");
    for (HasMetadata object : all) {
      assertThat(problems(object)).as(object.getKind()).isEmpty();
    }
    assertThat(all)
        .filteredOn(object -> object.getKind().equals("ConfigMap"))
        .allMatch(object ->
            object.getMetadata().getLabels().equals(ImmutableMap.of("grafana_dashboard", "1")));
    Container container = base.stream()
        .filter(Deployment.class::isInstance)
        .map(Deployment.class::cast)
        .map(deployment ->
            deployment.getSpec().getTemplate().getSpec().getContainers().get(0))
        .findFirst()
        .orElseThrow();
    assertThat(container.getImage()).matches("ghcr\\.io/kueue4j/[a-z0-9-]+:[0-9.]+");
  }

  /** The overlays of the documentation, with the folders of this repository. */
  @ParameterizedTest
  @CsvSource({
    "install.md, kueue4j:0.1.0, --fair-sharing",
    "controller-tutorial.md, kueue-examples:0.1.0-SNAPSHOT, --queues=/etc/kueue4j/queues.yaml"
  })
  void theOverlayOfAPageIsRendered(String page, String image, String lastArgument)
      throws Exception {
    Matcher block = Pattern.compile(
            "```yaml\\n(?:# \\S+\\n)?(apiVersion: kustomize.*?)```", Pattern.DOTALL)
        .matcher(Files.readString(Path.of("../docs", page)));
    assertThat(block.find()).isTrue();
    Path folder = Files.createTempDirectory(Path.of("target"), "overlay");
    try {
      Files.writeString(
          folder.resolve("kustomization.yaml"),
          // The folder is two levels below the folder of this module.
          block
              .group(1)
              .replace("https://github.com/kueue4j/kueue4j//kueue-examples/", "../../")
              .replace("../kueue-examples/", "../../"));
      Files.writeString(folder.resolve("queues.yaml"), "# queues\n");

      ImmutableList<HasMetadata> all =
          DeployManifests.objects(Tools.run("kubectl", "kustomize", folder));

      for (HasMetadata object : all) {
        assertThat(problems(object)).as(object.getKind()).isEmpty();
      }
      PodSpec pod = all.stream()
          .filter(Deployment.class::isInstance)
          .map(Deployment.class::cast)
          .findFirst()
          .orElseThrow()
          .getSpec()
          .getTemplate()
          .getSpec();
      Container container = pod.getContainers().get(0);
      assertThat(container.getImage()).isEqualTo("registry.example.com/" + image);
      assertThat(container.getArgs())
          .contains("--queues=/etc/kueue4j/queues.yaml")
          .endsWith(lastArgument);
      assertThat(container.getVolumeMounts())
          .filteredOn(mount -> mount.getName().equals(pod.getVolumes().get(1).getName()))
          .extracting(VolumeMount::getMountPath)
          .containsExactly("/etc/kueue4j");
      assertThat(all)
          .filteredOn(object -> object.getKind().equals("ConfigMap"))
          .extracting(object -> object.getMetadata().getName())
          .contains(pod.getVolumes().get(1).getConfigMap().getName());
    } finally {
      MoreFiles.deleteRecursively(folder, RecursiveDeleteOption.ALLOW_INSECURE);
    }
  }
}
