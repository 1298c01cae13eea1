package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Ascii;
import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.kueue4j.examples.CommandLineRun;
import io.kueue4j.k8s.job.JobKind;
import io.kueue4j.k8s.job.JobKinds;
import io.kueue4j.k8s.job.TrainingRuntimes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The manifests of the controller grant its permissions, and contain valid arguments. */
final class DeploymentTest {
  private static final Path FILE = Path.of("src/main/kubernetes/controller.yaml");

  private static <T> T find(Class<T> type) throws IOException {
    try (InputStream stream = Files.newInputStream(FILE)) {
      List<HasMetadata> all = new KubernetesSerialization().unmarshal(stream);
      return all.stream().filter(type::isInstance).map(type::cast).findFirst().orElseThrow();
    }
  }

  private static boolean isGranted(
      List<PolicyRule> rules, String group, String resource, String verb) {
    return rules.stream()
        .anyMatch(rule -> rule.getApiGroups().contains(group)
            && rule.getResources().contains(resource)
            && rule.getVerbs().contains(verb));
  }

  private static void assertGranted(String group, String resource, String... verbs)
      throws IOException {
    List<PolicyRule> rules = find(ClusterRole.class).getRules();
    assertThat(verbs)
        .as(group + "/" + resource)
        .allSatisfy(
            verb -> assertThat(isGranted(rules, group, resource, verb)).as(verb).isTrue());
  }

  private static String plural(String kind) {
    String lower = Ascii.toLowerCase(kind);
    if (lower.endsWith("y")) {
      return lower.substring(0, lower.length() - 1) + "ies";
    }
    return lower + (lower.endsWith("ss") ? "es" : "s");
  }

  @Test
  void everyKindThatIsLookedAtMayBeRead() throws IOException {
    for (WatchedKind kind : ServedKinds.BUILT_IN) {
      assertGranted(kind.group(), kind.plural(), "list", "watch");
    }
    for (String kind : ImmutableList.of(
        "ResourceFlavor",
        "ClusterQueue",
        "LocalQueue",
        "Cohort",
        "WorkloadPriorityClass",
        "Topology")) {
      assertThat(ClusterConfiguration.concerns(new ObjectKey("kueue.x-k8s.io", kind, "", "")))
          .isTrue();
      assertGranted("kueue.x-k8s.io", plural(kind), "list", "watch");
    }
    assertGranted(TrainingRuntimes.GROUP, "trainingruntimes", "list", "watch");
    assertGranted(TrainingRuntimes.GROUP, "clustertrainingruntimes", "list", "watch");
  }

  @Test
  void everyKindOfJobMayBeReadAndWritten() throws IOException {
    for (JobKind<?> kind : JobKinds.all().asList()) {
      if (!kind.kind().equals("PodGroup")) {
        assertGranted(kind.apiGroup(), plural(kind.kind()), "list", "watch", "update");
      }
    }
    assertGranted("batch", "jobs/status", "update");
    assertGranted("", "pods/status", "update");
    assertGranted("", "pods", "delete");
    assertGranted("", "events", "create");
  }

  @Test
  void theStatusOfQueuesMayBeWritten() throws IOException {
    assertGranted("kueue.x-k8s.io", "clusterqueues/status", "update");
    assertGranted("kueue.x-k8s.io", "localqueues/status", "update");
  }

  @Test
  void theLeaseMayBeTaken() throws IOException {
    List<PolicyRule> rules = find(Role.class).getRules();
    assertThat(ImmutableList.of("get", "create", "patch"))
        .allMatch(verb -> isGranted(rules, "coordination.k8s.io", "leases", verb));
  }

  @Test
  void theSecretOfTheSealsMayBeKeptAndNoOther() throws IOException {
    Secret secret = find(Secret.class);
    assertThat(secret.getData()).as("the controller fills it").isNullOrEmpty();
    assertThat(find(Role.class).getRules())
        .filteredOn(rule -> rule.getResources().contains("secrets"))
        .singleElement()
        .satisfies(rule -> {
          assertThat(rule.getResourceNames())
              .containsExactly(secret.getMetadata().getName());
          assertThat(rule.getVerbs()).containsExactly("get", "update");
        });
    assertThat(find(ClusterRole.class).getRules())
        .noneMatch(rule -> rule.getResources().contains("secrets"));
    assertThat(CommandLineRun.of("controller", "--help").out())
        .contains(secret.getMetadata().getName());
  }

  @Test
  void theArgumentsAreThoseOfTheCommand() throws IOException {
    List<String> arguments = find(Deployment.class)
        .getSpec()
        .getTemplate()
        .getSpec()
        .getContainers()
        .get(0)
        .getArgs();
    assertThat(arguments.get(0)).isEqualTo("controller");
    String help = CommandLineRun.of("controller", "--help").out();
    assertThat(arguments.subList(1, arguments.size()))
        .allMatch(argument -> help.contains(argument.substring(0, argument.indexOf('='))));
  }
}
