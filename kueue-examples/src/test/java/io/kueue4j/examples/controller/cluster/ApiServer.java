package io.kueue4j.examples.controller.cluster;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.function.Supplier;

/**
 * An API server for tests that take any: the one of {@code KUBECONFIG_TEST} if that is set; else
 * one of its own, from the programs in {@code KUBEBUILDER_ASSETS} if that is set; else a
 * {@link StrictMockServer}.
 */
public final class ApiServer implements AutoCloseable {
  private final String description;
  private final boolean runsJobs;
  private final Supplier<? extends KubernetesClient> clients;
  private final Closeable server;

  private ApiServer(
      String description,
      boolean runsJobs,
      Supplier<? extends KubernetesClient> clients,
      Closeable server) {
    this.description = description;
    this.runsJobs = runsJobs;
    this.clients = clients;
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
          () -> new KubernetesClientBuilder().withConfig(config).build(),
          () -> {});
    }
    String assets = System.getenv("KUBEBUILDER_ASSETS");
    if (assets != null && !assets.isEmpty()) {
      LocalApiServer local = LocalApiServer.start(Path.of(assets));
      Config config = new ConfigBuilder(Config.empty())
          .withMasterUrl(local.url())
          .withOauthToken(LocalApiServer.TOKEN)
          .withTrustCerts(true)
          .build();
      return new ApiServer(
          "kube-apiserver of " + assets,
          false,
          () -> new KubernetesClientBuilder().withConfig(config).build(),
          local::close);
    }
    StrictMockServer mock =
        StrictMockServer.start(ServerVersion.KUBERNETES_1_35, InstantSource.system());
    return new ApiServer("the strict mock server", false, mock::client, mock::close);
  }

  /** {@return a client of its own, to be closed by the caller} */
  public KubernetesClient client() {
    return clients.get();
  }

  /** {@return whether a Job controller is there, which writes the status of Jobs} */
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
