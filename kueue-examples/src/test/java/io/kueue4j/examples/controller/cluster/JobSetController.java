package io.kueue4j.examples.controller.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.kueue4j.examples.PemFiles;
import io.kueue4j.examples.controller.Await;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.List;

/**
 * The controller of JobSet, a program that works beside an API server, with its definition and its
 * webhooks. It ends with the server.
 */
final class JobSetController {
  private static final String PROGRAM = "jobset";

  private JobSetController() {}

  /** {@return whether a folder has the program} */
  static boolean isIn(Path assets) {
    return Files.isExecutable(assets.resolve(PROGRAM));
  }

  /** Starts the controller; returns when the server accepts JobSets as its webhooks say. */
  static void start(LocalApiServer server, Path assets, KubernetesClient client)
      throws IOException {
    ApiServer.define(
        client,
        Serialization.unmarshal(
            Files.readString(assets.resolve("jobset-definition.yaml")),
            CustomResourceDefinition.class));
    try {
      Path certificates = Files.createDirectory(server.folder().resolve("jobset"));
      PemFiles.writeSelfSigned(certificates, "jobset", "ip:127.0.0.1");
      int port = LocalApiServer.freePort();
      run(server, assets, certificates, port);
      register(
          client,
          assets.resolve("jobset-webhooks.yaml"),
          "https://127.0.0.1:" + port,
          Files.readAllBytes(certificates.resolve("tls.crt")));
    } catch (GeneralSecurityException e) {
      throw new IOException("the JobSet controller has no certificate", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while the JobSet controller started", e);
    }
    Await.until("the webhooks of JobSet", () -> refusesWrongName(client));
  }

  private static void run(LocalApiServer server, Path assets, Path folder, int port)
      throws IOException, InterruptedException, GeneralSecurityException {
    String health = "127.0.0.1:" + LocalApiServer.freePort();
    Path kubeconfig = folder.resolve("kubeconfig");
    LocalApiServer.writeKubeconfig(kubeconfig, server.url(), LocalApiServer.TOKEN);
    Path configuration = folder.resolve("configuration.yaml");
    Files.writeString(configuration, """
        apiVersion: config.jobset.x-k8s.io/v1alpha1
        kind: Configuration
        health: {healthProbeBindAddress: "%s"}
        # No metrics.
        metrics: {bindAddress: "0"}
        webhook: {host: 127.0.0.1, port: %d, certDir: "%s"}
        leaderElection: {leaderElect: false}
        internalCertManagement: {enable: false}
        """.formatted(health, port, folder));
    server.run(
        PROGRAM,
        assets.resolve(PROGRAM).toString(),
        "--kubeconfig=" + kubeconfig,
        "--config=" + configuration);
    server.awaitReady("http://" + health);
  }

  /** Registers webhooks at an address instead of a Service. */
  private static void register(
      KubernetesClient client, Path manifests, String url, byte[] certificate) throws IOException {
    List<HasMetadata> given;
    try (InputStream in = Files.newInputStream(manifests)) {
      given = client.load(in).items();
    }
    for (HasMetadata configuration : given) {
      ObjectNode tree = Trees.of(configuration);
      for (JsonNode webhook : tree.path("webhooks")) {
        String path = webhook.at("/clientConfig/service/path").asText();
        ((ObjectNode) webhook)
            .putObject("clientConfig")
            .put("url", url + path)
            .put("caBundle", Base64.getEncoder().encodeToString(certificate));
      }
      client.resource(Trees.toObject(tree, GenericKubernetesResource.class)).create();
    }
  }

  /**
   * {@return whether the server refuses a JobSet whose Jobs would have no valid name} Only one
   * webhook knows that, and it fails if the other has not set defaults before.
   */
  private static boolean refusesWrongName(KubernetesClient client) {
    GenericKubernetesResource wrong =
        Trees.toObject(Trees.parse("""
            {"apiVersion": "jobset.x-k8s.io/v1alpha2", "kind": "JobSet",
             "metadata": {"name": "0", "namespace": "default"},
             "spec": {"replicatedJobs": [{"name": "a", "template": {"spec": {
               "template": {"spec": {"containers": [{"name": "main", "image": "x"}]}}}}}]}}
            """), GenericKubernetesResource.class);
    try {
      client.resource(wrong).dryRun().create();
      return false;
    } catch (KubernetesClientException e) {
      return e.getCode() == 422;
    }
  }
}
