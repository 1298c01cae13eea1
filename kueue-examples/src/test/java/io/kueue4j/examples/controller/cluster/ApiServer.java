package io.kueue4j.examples.controller.cluster;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.kueue4j.examples.DeployManifests;
import io.kueue4j.examples.controller.object.WatchedKind;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An API server for tests that take any: the one of {@code KUBECONFIG_TEST} if that is set; else
 * one of its own, from the programs in {@code KUBEBUILDER_ASSETS} if that is set; else a
 * {@link StrictMockServer}.
 */
public final class ApiServer implements AutoCloseable {
  private static final String MANAGER = "kube-controller-manager";

  private static final long PATIENCE_SECONDS = 30;
  private static final Pattern REQUESTS = Pattern.compile("^apiserver_request_total\\{"
      + ".*\\bresource=\"(\\w+)\".*\\bsubresource=\"(\\w*)\".*\\bverb=\"(\\w+)\".*} (\\S+)$");

  private final String description;
  private final boolean runsJobs;
  private final boolean hasCustomResourceDefinitions;
  private final Supplier<? extends KubernetesClient> clients;
  private final LongSupplier jobReplacements;
  private final Closeable server;
  private Optional<LocalApiServer> own = Optional.empty();
  private Optional<Config> config = Optional.empty();
  private Optional<StrictMockServer> mock = Optional.empty();

  private ApiServer(
      String description,
      boolean runsJobs,
      boolean hasCustomResourceDefinitions,
      Supplier<? extends KubernetesClient> clients,
      LongSupplier jobReplacements,
      Closeable server) {
    this.description = description;
    this.runsJobs = runsJobs;
    this.hasCustomResourceDefinitions = hasCustomResourceDefinitions;
    this.clients = clients;
    this.jobReplacements = jobReplacements;
    this.server = server;
  }

  /** {@return the server that the environment says} */
  public static ApiServer choose() throws IOException {
    String kubeconfig = System.getenv("KUBECONFIG_TEST");
    if (kubeconfig != null && !kubeconfig.isEmpty()) {
      Config config = Config.fromKubeconfig(new File(kubeconfig));
      return new ApiServer(
          "the cluster of " + kubeconfig,
          true,
          true,
          () -> new KubernetesClientBuilder().withConfig(config).build(),
          () -> jobReplacements(config),
          () -> {});
    }
    return ofItsOwn();
  }

  /**
   * {@return the same, but never the cluster of {@code KUBECONFIG_TEST}}
   *
   * @param options options of a real API server
   */
  public static ApiServer ofItsOwn(String... options) throws IOException {
    String assets = System.getenv("KUBEBUILDER_ASSETS");
    if (assets != null && !assets.isEmpty()) {
      LocalApiServer local = LocalApiServer.start(Path.of(assets), options);
      Config config = new ConfigBuilder(Config.empty())
          .withMasterUrl(local.url())
          .withOauthToken(LocalApiServer.TOKEN)
          .withTrustCerts(true)
          .build();
      ApiServer server = new ApiServer(
          "kube-apiserver of " + assets,
          false,
          true,
          () -> new KubernetesClientBuilder().withConfig(config).build(),
          () -> jobReplacements(config),
          local::close);
      server.config = Optional.of(config);
      server.own = Optional.of(local);
      return server;
    }
    StrictMockServer mock =
        StrictMockServer.start(ServerVersion.KUBERNETES_1_35, InstantSource.system());
    ApiServer server = new ApiServer(
        "the strict mock server", false, false, mock::client, mock::jobReplacements, mock::close);
    server.mock = Optional.of(mock);
    return server;
  }

  /** {@return a new client, to be closed by the caller} */
  public KubernetesClient client() {
    return clients.get();
  }

  /** {@return how to connect to a real server of this process} */
  public Config config() {
    return config.orElseThrow();
  }

  /** {@return whether it has users and permissions, as required by {@link #clientAs}} */
  public boolean hasUsers() {
    return config.isPresent();
  }

  /**
   * {@return a new client with only the permissions of a user, to be closed by the caller; on a
   * server without users, with all permissions}
   */
  public KubernetesClient clientAs(String user) {
    return config
        .<KubernetesClient>map(known -> new KubernetesClientBuilder()
            .withConfig(new ConfigBuilder(known).withImpersonateUsername(user).build())
            .build())
        .orElseGet(this::client);
  }

  /**
   * Rejects requests from now on, by method and plural, such as {@code "GET secrets"}, on a server
   * without users.
   */
  public void forbid(Predicate<String> requests) {
    mock.ifPresent(server -> server.forbid(requests));
  }

  /** Kills the API server, which must be a process of this one; what is stored stays. */
  public void kill() {
    own.orElseThrow().kill();
  }

  /** Starts the API server again after {@link #kill}; returns when it is ready. */
  public void startAgain() throws IOException {
    own.orElseThrow().startAgain();
  }

  /** Stops the store of a server of its own for some time, so that requests get no answer. */
  public void stopStore(Duration time) throws IOException, InterruptedException {
    own.orElseThrow().stopStore(time);
  }

  /** Makes the server accept any object of a kind; does nothing if it accepts any kind. */
  public void serve(WatchedKind kind) {
    if (!hasCustomResourceDefinitions) {
      return;
    }
    CustomResourceDefinition definition = new CustomResourceDefinitionBuilder()
        .withNewMetadata()
        .withName(kind.plural() + "." + kind.group())
        // Groups of Kubernetes itself require it.
        .addToAnnotations("api-approved.kubernetes.io", "unapproved, for a test")
        .endMetadata()
        .withNewSpec()
        .withGroup(kind.group())
        .withScope(kind.namespaced() ? "Namespaced" : "Cluster")
        .withNewNames()
        .withKind(kind.kind())
        .withPlural(kind.plural())
        .endNames()
        .addNewVersion()
        .withName(kind.version())
        .withServed(true)
        .withStorage(true)
        .withNewSchema()
        .withNewOpenAPIV3Schema()
        .withType("object")
        .withXKubernetesPreserveUnknownFields(true)
        .endOpenAPIV3Schema()
        .endSchema()
        .withNewSubresources()
        .withNewStatus()
        .endStatus()
        .endSubresources()
        .endVersion()
        .endSpec()
        .build();
    try (KubernetesClient client = client()) {
      define(client, definition);
    }
  }

  /** Creates a definition, and waits until the server serves its kind. */
  public static void define(KubernetesClient client, CustomResourceDefinition definition) {
    client.resource(definition).create();
    client
        .resource(definition)
        .waitUntilCondition(ApiServer::isEstablished, PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  /** {@return whether a server of its own can have the controllers of Jobs and JobSets} */
  public static boolean hasControllers() {
    String assets = System.getenv("KUBEBUILDER_ASSETS");
    return hasJobSetController() && Files.isExecutable(Path.of(assets).resolve(MANAGER));
  }

  /** Starts the Job controller and the garbage collector of a server of its own. */
  public void startControllerManager() throws IOException {
    LocalApiServer local = own.orElseThrow();
    Path kubeconfig = local.folder().resolve("controller-manager.kubeconfig");
    LocalApiServer.writeKubeconfig(kubeconfig, local.url(), LocalApiServer.TOKEN);
    local.run(
        MANAGER,
        Path.of(System.getenv("KUBEBUILDER_ASSETS")).resolve(MANAGER).toString(),
        "--kubeconfig=" + kubeconfig,
        "--controllers=job-controller,garbage-collector-controller",
        "--leader-elect=false",
        "--secure-port=0");
  }

  /** {@return whether a server of its own can have the JobSet controller} */
  public static boolean hasJobSetController() {
    String assets = System.getenv("KUBEBUILDER_ASSETS");
    return assets != null && !assets.isEmpty() && JobSetController.isIn(Path.of(assets));
  }

  /** Makes a server of its own accept JobSets, with the definition and controller of JobSet. */
  public void startJobSetController() throws IOException {
    try (KubernetesClient client = client()) {
      JobSetController.start(
          own.orElseThrow(), Path.of(System.getenv("KUBEBUILDER_ASSETS")), client);
    }
  }

  /** Makes a server of its own accept Workloads; does nothing if it accepts any kind. */
  public void serveWorkloads() throws IOException {
    if (own.isPresent()) {
      try (KubernetesClient client = client()) {
        serveWorkloads(client);
      }
    }
  }

  /** Makes a server accept Workloads, with the schema of Kueue. */
  public static void serveWorkloads(KubernetesClient client) throws IOException {
    define(
        client,
        Serialization.unmarshal(
            Files.readString(DeployManifests.ROOT.resolve("definitions/workloads.yaml")),
            CustomResourceDefinition.class));
  }

  private static boolean isEstablished(@Nullable CustomResourceDefinition definition) {
    // A definition that was just created has a status without conditions.
    return definition != null
        && definition.getStatus() != null
        && definition.getStatus().getConditions() != null
        && definition.getStatus().getConditions().stream()
            .anyMatch(condition -> condition.getType().equals("Established")
                && condition.getStatus().equals("True"));
  }

  /**
   * {@return the number of replacements of Jobs, not of their status, since the server has started}
   */
  public long jobReplacements() {
    return jobReplacements.getAsLong();
  }

  private static long jobReplacements(Config config) {
    return requests(config).getOrDefault("PUT jobs", 0L);
  }

  /**
   * {@return the number of requests to a real server since it has started, by its own metrics, such
   * as the number of {@code "PUT jobs"} and {@code "APPLY workloads/status"}}
   */
  public Map<String, Long> requests() {
    return requests(config());
  }

  private static Map<String, Long> requests(Config config) {
    Map<String, Long> numbers = new TreeMap<>();
    try (KubernetesClient client =
        new KubernetesClientBuilder().withConfig(config).build()) {
      client
          .raw("/metrics")
          .lines()
          .map(REQUESTS::matcher)
          .filter(Matcher::matches)
          .forEach(line -> {
            String resource =
                line.group(2).isEmpty() ? line.group(1) : line.group(1) + "/" + line.group(2);
            numbers.merge(
                line.group(3) + " " + resource,
                (long) Double.parseDouble(line.group(4)),
                Long::sum);
          });
    }
    return numbers;
  }

  /** {@return the processor time of a server of its own so far, with its store} */
  public Duration cpu() {
    return own.orElseThrow().cpu();
  }

  /** {@return whether there is a Job controller, which writes the status of Jobs} */
  public boolean runsJobs() {
    return runsJobs;
  }

  @Override
  public String toString() {
    return description;
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
