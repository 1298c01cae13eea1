package io.kueue4j.examples.docs;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceColumnDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.kueue4j.examples.DeployManifests;
import io.kueue4j.examples.controller.Await;
import io.kueue4j.examples.controller.RunningController;
import io.kueue4j.examples.controller.cluster.ApiServer;
import io.kueue4j.examples.controller.configuration.ServedKinds;
import io.kueue4j.examples.controller.object.Json;
import io.kueue4j.examples.controller.object.WatchedKind;
import io.kueue4j.k8s.ManifestReader;
import io.kueue4j.k8s.ManifestSource;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The forms of kubectl that docs/controller-tutorial.md uses, and no others, for an API server of
 * its own. Definitions, permissions and policies are only applied to a real one; a mock has none.
 */
final class TutorialKubectl implements AutoCloseable {
  private static final String OVERLAY = "tutorial";
  private static final String USER = "system:serviceaccount:kueue4j-system:kueue4j-controller";
  private static final WatchedKind JOB = WatchedKind.of(Job.class);
  private static final Map<String, WatchedKind> KINDS =
      Map.of("job", JOB, "job.batch", JOB, "workload.kueue.x-k8s.io", ServedKinds.WORKLOAD);
  private static final Pattern CONDITION =
      Pattern.compile("\\.status\\.conditions\\[\\?\\(@\\.type=='(\\w+)'\\)\\]\\.status");
  private static final Pattern NAME =
      Pattern.compile("\\$\\(kubectl -n (\\S+) get workloads -o name \\| grep (\\S+)\\)");

  /** The content of a file of the page, by its name. */
  private final Function<String, String> files;

  private final ApiServer server;
  private final KubernetesClient admin;
  private final ImmutableList<Form> forms;
  private Optional<RunningController> controller = Optional.empty();
  private final InstantSource clock = InstantSource.system();
  private String piped = "";
  private long lastCreation;

  /** A form of a command, and what it prints. */
  private record Form(Pattern pattern, Function<MatchResult, String> run) {
    static Form of(String pattern, Function<MatchResult, String> run) {
      return new Form(Pattern.compile(pattern), run);
    }
  }

  /** Starts a server; the caller closes it. */
  TutorialKubectl(Function<String, String> files) throws IOException {
    this.files = files;
    server = ApiServer.ofItsOwn();
    admin = server.client();
    forms = ImmutableList.of(
        Form.of("kubectl apply (?:--server-side )?-k (\\S+)", form -> apply(form.group(1))),
        Form.of("kubectl delete -k (\\S+)", form -> delete(form.group(1))),
        Form.of("kubectl create namespace (\\S+)", form -> createNamespace(form.group(1))),
        Form.of("kubectl delete namespace (\\S+)", form -> deleteNamespace(form.group(1))),
        Form.of(
            "kubectl -n (\\S+) create rolebinding (\\S+) --clusterrole=(\\S+) --user=(\\S+)",
            this::bind),
        Form.of(
            "kubectl -n kueue4j-system rollout status deployment/kueue4j-controller",
            form -> awaitController()),
        Form.of("sed ((?:s/\\w+/\\w+/(?:; )?)+) (\\S+)", form -> sed(form.group(1), form.group(2))),
        Form.of(
            "kubectl -n (\\S+) apply -f (\\S+)", form -> createJob(form.group(1), form.group(2))),
        Form.of("kubectl -n (\\S+) get workloads", form -> workloads(form.group(1))),
        Form.of(
            "kubectl -n (\\S+) events --for job/(\\S+)",
            form -> events(form.group(1), form.group(2))),
        Form.of(
            "kubectl -n (\\S+)(?: --as (\\S+))? patch (\\S+)[ /](\\S+) --type merge -p (.+)",
            form -> patch(form, false)),
        Form.of(
            "kubectl -n (\\S+) delete job (\\S+)",
            form -> deleteJob(form.group(1), form.group(2))));
  }

  /** Starts what a cluster has: the Job controller where it is there, and the role {@code edit}. */
  void startCluster() throws IOException {
    if (ApiServer.hasControllers()) {
      server.startControllerManager();
    }
    if (server.hasUsers()) {
      // A controller of Kubernetes puts it together from these.
      List<PolicyRule> rules = Stream.of("system:aggregate-to-edit", "system:aggregate-to-view")
          .map(part -> admin.rbac().clusterRoles().withName(part).get())
          .flatMap(part -> part.getRules().stream())
          .toList();
      ClusterRole unused = admin
          .rbac()
          .clusterRoles()
          .withName("edit")
          .edit(role -> new ClusterRoleBuilder(role).withRules(rules).build());
    }
  }

  /** {@return whether the guard can refuse anything} */
  boolean hasPolicies() {
    return server.hasUsers();
  }

  /**
   * Runs a command.
   *
   * @return what it prints
   * @throws IllegalArgumentException if it is of no known form
   */
  String run(List<String> words) {
    Matcher name = NAME.matcher(String.join(" ", words));
    String command = name.replaceAll(found -> workloadName(found.group(1), found.group(2)));
    for (Form form : forms) {
      Matcher matcher = form.pattern().matcher(command);
      if (matcher.matches()) {
        return form.run().apply(matcher);
      }
    }
    throw new IllegalArgumentException("unknown command: " + command);
  }

  // ----- installation

  private static List<HasMetadata> manifests(String folder) {
    Path path = folder.equals(OVERLAY) ? DeployManifests.BASE : MarkdownPage.ROOT.resolve(folder);
    try {
      return DeployManifests.of(path);
    } catch (IOException e) {
      throw new IllegalArgumentException("no folder of manifests: " + folder, e);
    }
  }

  private String apply(String folder) {
    List<HasMetadata> manifests = manifests(folder);
    if (server.hasUsers()) {
      for (HasMetadata object : manifests) {
        if (object instanceof CustomResourceDefinition definition) {
          ApiServer.define(admin, definition);
        } else {
          admin.resource(object).create();
        }
      }
    }
    if (folder.equals(OVERLAY)) {
      startController();
    }
    return "";
  }

  /** Without kubelets, a controller with the rights of the Deployment runs here instead. */
  private void startController() {
    String overlay = files.apply(OVERLAY + "/kustomization.yaml");
    if (!overlay.contains("files: [queues.yaml]") || !overlay.contains("--queues=")) {
      throw new IllegalArgumentException("the overlay reads no queues: " + overlay);
    }
    String queues = files.apply(OVERLAY + "/queues.yaml");
    try {
      controller = Optional.of(RunningController.start(
          server.clientAs(USER),
          builder -> builder
              .kinds(RunningController.KINDS)
              .queues(ManifestReader.create().read(ManifestSource.of("queues.yaml", queues)))));
    } catch (IOException e) {
      throw new IllegalStateException("the controller does not start", e);
    }
  }

  private String awaitController() {
    controller.orElseThrow().awaitView();
    return "";
  }

  private String delete(String folder) {
    if (folder.equals(OVERLAY)) {
      controller.orElseThrow().close();
      controller = Optional.empty();
    }
    List<HasMetadata> manifests = new ArrayList<>(manifests(folder));
    Collections.reverse(manifests);
    if (server.hasUsers()) {
      manifests.forEach(object -> admin.resource(object).delete());
    }
    return "";
  }

  private String createNamespace(String name) {
    admin
        .resource(new NamespaceBuilder()
            .withNewMetadata()
            .withName(name)
            .endMetadata()
            .build())
        .create();
    return "";
  }

  private String bind(MatchResult form) {
    admin
        .resource(new RoleBindingBuilder()
            .withNewMetadata()
            .withName(form.group(2))
            .withNamespace(form.group(1))
            .endMetadata()
            .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", form.group(3))
            .addNewSubject("rbac.authorization.k8s.io", "User", form.group(4), null)
            .build())
        .create();
    return "";
  }

  /**
   * Empties the namespace as Kubernetes does, which waits for finalizers; the mock does so itself.
   */
  private String deleteNamespace(String name) {
    if (server.hasUsers()) {
      admin.batch().v1().jobs().inNamespace(name).delete();
      admin
          .genericKubernetesResources(ServedKinds.WORKLOAD.context())
          .inNamespace(name)
          .delete();
      Await.until("no Workload is left", () -> listWorkloads(name).isEmpty());
    }
    admin.namespaces().withName(name).delete();
    return "";
  }

  // ----- jobs

  private String sed(String script, String file) {
    piped = files.apply(file);
    for (String replacement : script.split("; ", -1)) {
      List<String> parts = List.of(replacement.split("/", -1));
      piped = Pattern.compile("^(.*?)" + parts.get(1), Pattern.MULTILINE)
          .matcher(piped)
          .replaceAll("$1" + parts.get(2));
    }
    return "";
  }

  private String createJob(String namespace, String file) {
    Job job = Serialization.unmarshal(file.equals("-") ? piped : files.apply(file), Job.class);
    // Creation times have whole seconds, and decide which of two jobs comes first.
    Await.until("another second", () -> clock.instant().getEpochSecond() > lastCreation);
    admin.resource(job).inNamespace(namespace).create();
    lastCreation = clock.instant().getEpochSecond();
    return "job.batch/" + job.getMetadata().getName() + " created\n";
  }

  private String deleteJob(String namespace, String name) {
    admin
        .batch()
        .v1()
        .jobs()
        .inNamespace(namespace)
        .withName(name)
        .withPropagationPolicy(DeletionPropagation.BACKGROUND)
        .delete();
    if (server.hasUsers() && !ApiServer.hasControllers()) {
      // As the garbage collector does.
      listWorkloads(namespace).stream()
          .map(object -> object.getMetadata().getName())
          .filter(workload -> workload.startsWith("job-" + name + "-"))
          .forEach(workload -> workloadsIn(namespace).withName(workload).delete());
    }
    return "";
  }

  /** {@return what a patch prints that must be refused; the guard takes a moment to be in force} */
  String awaitRefusal(List<String> words, String expected) {
    Matcher form = forms.stream()
        .map(known -> known.pattern().matcher(String.join(" ", words)))
        .filter(Matcher::matches)
        .filter(known -> known.groupCount() == 5)
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("not a patch: " + words));
    if (!hasPolicies()) {
      return expected;
    }
    Await.until("a refusal", () -> patch(form, true).startsWith("Error"));
    return patch(form, false);
  }

  private String patch(MatchResult form, boolean isDryRun) {
    WatchedKind kind = Optional.ofNullable(KINDS.get(form.group(3))).orElseThrow();
    PatchContext context = new PatchContext.Builder()
        .withPatchType(PatchType.JSON_MERGE)
        .withDryRun(isDryRun ? List.of("All") : List.of())
        .build();
    try (KubernetesClient user =
        form.group(2) == null ? server.client() : server.clientAs(form.group(2))) {
      Resource<GenericKubernetesResource> object = user.genericKubernetesResources(kind.context())
          .inNamespace(form.group(1))
          .withName(form.group(4));
      GenericKubernetesResource unused = object.patch(context, form.group(5));
      return "%s.%s/%s patched\n"
          .formatted(kind.kind().toLowerCase(Locale.ROOT), kind.group(), form.group(4));
    } catch (KubernetesClientException e) {
      return "Error from server (%s): %s\n"
          .formatted(e.getStatus().getReason(), e.getStatus().getMessage());
    }
  }

  // ----- what is shown

  private NonNamespaceOperation<
          GenericKubernetesResource,
          GenericKubernetesResourceList,
          Resource<GenericKubernetesResource>>
      workloadsIn(String namespace) {
    return admin.genericKubernetesResources(ServedKinds.WORKLOAD.context()).inNamespace(namespace);
  }

  private List<GenericKubernetesResource> listWorkloads(String namespace) {
    return workloadsIn(namespace).list().getItems().stream()
        .sorted(Comparator.comparing(object -> object.getMetadata().getName()))
        .toList();
  }

  private String workloadName(String namespace, String part) {
    return listWorkloads(namespace).stream()
        .map(object -> "workload.kueue.x-k8s.io/" + object.getMetadata().getName())
        .filter(name -> name.contains(part))
        .findFirst()
        .orElseThrow();
  }

  /** A table with the columns of the definition. */
  private String workloads(String namespace) {
    List<CustomResourceColumnDefinition> columns =
        manifests("kueue-examples/src/main/deploy/definitions").stream()
            .filter(object -> object.getMetadata().getName().startsWith("workloads."))
            .flatMap(object -> ((CustomResourceDefinition) object)
                .getSpec().getVersions().get(0).getAdditionalPrinterColumns().stream())
            .toList();
    List<List<String>> rows = new ArrayList<>();
    rows.add(row("NAME", columns, column -> column.getName().toUpperCase(Locale.ROOT)));
    for (GenericKubernetesResource object : listWorkloads(namespace)) {
      rows.add(
          row(object.getMetadata().getName(), columns, column -> value(Json.tree(object), column)));
    }
    return KubectlTable.print(rows);
  }

  private static List<String> row(
      String name,
      List<CustomResourceColumnDefinition> columns,
      Function<CustomResourceColumnDefinition, String> cell) {
    List<String> row = new ArrayList<>(List.of(name));
    columns.forEach(column -> row.add(cell.apply(column)));
    return row;
  }

  private static String value(JsonNode object, CustomResourceColumnDefinition column) {
    if (column.getType().equals("date")) {
      return KubectlTable.TIME;
    }
    Matcher condition = CONDITION.matcher(column.getJsonPath());
    if (!condition.matches()) {
      return object.at(column.getJsonPath().replace('.', '/')).asText();
    }
    for (JsonNode found : object.at("/status/conditions")) {
      if (found.path("type").asText().equals(condition.group(1))) {
        return found.path("status").asText();
      }
    }
    return "";
  }

  private String events(String namespace, String job) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("LAST SEEN", "TYPE", "REASON", "OBJECT", "MESSAGE"));
    admin.v1().events().inNamespace(namespace).list().getItems().stream()
        .filter(event -> event.getInvolvedObject().getKind().equals("Job")
            && event.getInvolvedObject().getName().equals(job))
        .forEach(event -> rows.add(List.of(
            KubectlTable.TIME,
            event.getType(),
            event.getReason(),
            "Job/" + job,
            event.getMessage())));
    return KubectlTable.print(rows);
  }

  @Override
  public void close() throws IOException {
    controller.ifPresent(RunningController::close);
    admin.close();
    server.close();
  }
}
