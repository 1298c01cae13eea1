package io.kueue4j.examples.controller;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Ascii;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableSetMultimap;
import com.google.common.collect.MoreCollectors;
import com.google.common.collect.Multimap;
import com.google.common.collect.TreeMultimap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.kueue4j.examples.CommandLineRun;
import io.kueue4j.examples.DeployManifests;
import io.kueue4j.examples.controller.configuration.ClusterConfiguration;
import io.kueue4j.examples.controller.configuration.ServedKinds;
import io.kueue4j.examples.controller.object.ObjectKey;
import io.kueue4j.examples.controller.object.WatchedKind;
import io.kueue4j.k8s.internal.kueue.KueueReader;
import io.kueue4j.k8s.job.JobKind;
import io.kueue4j.k8s.job.JobKinds;
import io.kueue4j.k8s.kueue.KueueApiVersion;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The manifests of the controller grant its permissions and no others, and its arguments exist. */
final class DeploymentTest {
  private static Multimap<String, String> granted(List<PolicyRule> rules) {
    Multimap<String, String> verbs = TreeMultimap.create();
    for (PolicyRule rule : rules) {
      assertThat(rule.getNonResourceURLs()).isEmpty();
      for (String group : rule.getApiGroups()) {
        for (String resource : rule.getResources()) {
          verbs.putAll(group + "/" + resource, rule.getVerbs());
        }
      }
    }
    return verbs;
  }

  private static String plural(String kind) {
    String lower = Ascii.toLowerCase(kind);
    if (lower.endsWith("y")) {
      return lower.substring(0, lower.length() - 1) + "ies";
    }
    return lower + (lower.endsWith("ss") ? "es" : "s");
  }

  private static void follow(Multimap<String, String> verbs, String group, String resource) {
    verbs.put(group + "/" + resource, "list");
    verbs.put(group + "/" + resource, "watch");
  }

  @Test
  void theControllerMayReadAndWriteNothingElse() throws IOException {
    Multimap<String, String> needed = TreeMultimap.create();
    Multimap<String, String> pods = TreeMultimap.create();
    for (WatchedKind kind : ServedKinds.BUILT_IN) {
      follow(needed, kind.group(), kind.plural());
    }
    KueueReader.kinds(KueueApiVersion.GROUP)
        .filter(kind -> !kind.equals("Queue")) // of the version v1alpha1, which no cluster serves
        .filter(kind ->
            ClusterConfiguration.concerns(new ObjectKey(KueueApiVersion.GROUP, kind, "", "")))
        .forEach(kind -> follow(needed, KueueApiVersion.GROUP, plural(kind)));
    follow(needed, "kueue4j.io", "capacitywindows");
    follow(needed, JobKinds.TrainingRuntimes.GROUP, "trainingruntimes");
    follow(needed, JobKinds.TrainingRuntimes.GROUP, "clustertrainingruntimes");
    for (JobKind<?> kind : JobKinds.all().asList()) {
      if (!kind.kind().equals("PodGroup")) {
        follow(needed, kind.apiGroup(), plural(kind.kind()));
        boolean startsByPods = kind.startsByPods() || kind.apiGroup().isEmpty();
        (startsByPods ? pods : needed).put(kind.apiGroup() + "/" + plural(kind.kind()), "update");
      }
    }
    needed.put("batch/jobs/status", "update");
    pods.put("/pods/status", "update");
    pods.put("/pods", "delete");
    needed.putAll("/events", List.of("create", "patch"));
    needed.put("apiextensions.k8s.io/customresourcedefinitions", "get");
    // The records of admissions.
    follow(needed, KueueApiVersion.GROUP, "workloads");
    needed.putAll("kueue.x-k8s.io/workloads", List.of("create", "update", "delete"));
    needed.put("kueue.x-k8s.io/workloads/status", "update");

    ClusterRole role = DeployManifests.find(ClusterRole.class);
    assertThat(ImmutableSetMultimap.copyOf(granted(role.getRules())).asMap())
        .isEqualTo(ImmutableSetMultimap.copyOf(needed).asMap());
    assertThat(grantedBy("pods")).isEqualTo(ImmutableSetMultimap.copyOf(pods).asMap());
    assertThat(grantedBy("queue-status"))
        .isEqualTo(ImmutableSetMultimap.of(
                "kueue.x-k8s.io/clusterqueues/status",
                "update",
                "kueue.x-k8s.io/localqueues/status",
                "update")
            .asMap());
    assertThat(grantedBy("provisioning"))
        .isEqualTo(ImmutableSetMultimap.<String, String>builder()
            .putAll("kueue.x-k8s.io/workloads", "list", "watch")
            .putAll("kueue.x-k8s.io/workloads/status", "patch")
            .putAll("kueue.x-k8s.io/admissionchecks", "list", "watch")
            .putAll("kueue.x-k8s.io/admissionchecks/status", "patch")
            .putAll("kueue.x-k8s.io/provisioningrequestconfigs", "list", "watch")
            .putAll("kueue.x-k8s.io/resourceflavors", "list", "watch")
            .putAll(
                "autoscaling.x-k8s.io/provisioningrequests",
                "get",
                "list",
                "watch",
                "create",
                "delete")
            .putAll("/podtemplates", "get", "create", "update")
            .build()
            .asMap());
    assertThat(grantedBy("authenticated"))
        .isEqualTo(ImmutableSetMultimap.of(
                "authentication.k8s.io/tokenreviews",
                "create",
                "authorization.k8s.io/subjectaccessreviews",
                "create")
            .asMap());
  }

  private static Map<String, Collection<String>> grantedBy(String option) throws IOException {
    ClusterRole role = DeployManifests.option(option).stream()
        .filter(ClusterRole.class::isInstance)
        .map(ClusterRole.class::cast)
        .collect(MoreCollectors.onlyElement());
    return ImmutableSetMultimap.copyOf(granted(role.getRules())).asMap().entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  @Test
  void inItsNamespaceItMayUseOneLease() throws IOException {
    List<PolicyRule> rules = DeployManifests.find(Role.class).getRules();

    assertThat(ImmutableSetMultimap.copyOf(granted(rules)).asMap())
        .containsExactly(
            Map.entry("coordination.k8s.io/leases", ImmutableSet.of("create", "get", "patch")));
    assertThat(rules)
        .filteredOn(rule -> !rule.getVerbs().equals(ImmutableList.of("create")))
        .allMatch(rule -> rule.getResourceNames().equals(List.of("kueue4j-controller")));
    assertThat(CommandLineRun.of("controller", "--help").out()).contains("kueue4j-controller");
  }

  @Test
  void theArgumentsAreThoseOfTheCommand() throws IOException {
    Container container = DeployManifests.find(Deployment.class)
        .getSpec()
        .getTemplate()
        .getSpec()
        .getContainers()
        .get(0);
    List<String> arguments = container.getArgs();
    assertThat(arguments.get(0)).isEqualTo("controller");
    String help = CommandLineRun.of("controller", "--help").out();
    assertThat(arguments.subList(1, arguments.size()))
        .allMatch(argument -> help.contains(argument.substring(0, argument.indexOf('='))));
    ImmutableList<String> variables =
        container.getEnv().stream().map(EnvVar::getName).collect(toImmutableList());
    assertThat(arguments)
        .filteredOn(argument -> argument.contains("$("))
        .isNotEmpty()
        .allMatch(argument -> variables.contains(
            argument.substring(argument.indexOf("$(") + 2, argument.indexOf(')'))));
  }
}
