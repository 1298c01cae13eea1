package io.kueue4j.examples.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.kueue4j.examples.controller.Await;
import io.kueue4j.examples.controller.cluster.ServerVersion;
import io.kueue4j.examples.controller.cluster.StrictMockServer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.net.URI;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

class RequestCounterTest {
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT).throwExceptionOnRegistrationFailure();

  private KubernetesClient client(String server) {
    Config config = new ConfigBuilder(Config.empty())
        .withMasterUrl(server)
        .withRequestRetryBackoffLimit(1)
        .withRequestRetryBackoffInterval(1)
        .build();
    return new KubernetesClientBuilder()
        .withConfig(config)
        .withHttpClientBuilderConsumer(
            http -> http.addOrReplaceInterceptor("counter", new RequestCounter(registry)))
        .build();
  }

  @Test
  void requestsAreCountedByCodeMethodAndHost() throws Exception {
    try (StrictMockServer server =
            StrictMockServer.start(ServerVersion.KUBERNETES_1_35, InstantSource.system());
        KubernetesClient known = server.client()) {
      String url = known.getConfiguration().getMasterUrl();
      try (KubernetesClient client = client(url)) {
        assertThat(client.pods().inNamespace("default").list().getItems()).isEmpty();
        assertThat(client.pods().inNamespace("default").withName("none").get()).isNull();
      }
      String host = URI.create(url).getAuthority();
      awaitOne("200", host);
      awaitOne("404", host);
    }
  }

  @Test
  void requestsWithoutResponseAreCounted() {
    try (KubernetesClient client = client("http://localhost:1")) {
      assertThatThrownBy(() -> client.pods().inNamespace("default").list())
          .isInstanceOf(KubernetesClientException.class);
    }
    awaitOne("<error>", "localhost:1");
  }

  /** The client may answer before it has counted. */
  private void awaitOne(String code, String host) {
    String sample =
        "rest_client_requests_total{code=\"" + code + "\",host=\"" + host + "\",method=\"GET\"}";
    Await.until(
        sample,
        () -> Double.valueOf(1).equals(new TextFormat(registry.scrape()).samples.get(sample)));
  }
}
