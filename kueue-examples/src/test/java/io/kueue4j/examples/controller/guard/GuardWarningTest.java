package io.kueue4j.examples.controller.guard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the controller says of a guard that is not as it should be. */
class GuardWarningTest {
  private static final String POLICY = """
      {"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicy",
       "metadata": {"name": "%s", "annotations": {"kueue4j.io/guard-version": "1"}},
       "spec": {"failurePolicy": "Fail"}}
      """;
  private static final String BINDING = """
      {"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicyBinding",
       "metadata": {"name": "%s"},
       "spec": {"policyName": "%1$s", "validationActions": ["Deny"]}}
      """;

  private String present = "";
  private String replacement = "";
  private int failure;
  private HttpServer server;
  private KubernetesClient client;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", exchange -> {
      String path = exchange.getRequestURI().getPath();
      String name = path.substring(path.lastIndexOf('/') + 1);
      String text = (path.contains("bindings") ? BINDING : POLICY).formatted(name);
      byte[] answer = text.replace(present, replacement).getBytes(UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(failure == 0 ? 200 : failure, answer.length);
      exchange.getResponseBody().write(answer);
      exchange.close();
    });
    server.start();
    Config config = new ConfigBuilder(Config.empty())
        .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
        .withRequestRetryBackoffLimit(0)
        .build();
    client = new KubernetesClientBuilder().withConfig(config).build();
  }

  @AfterEach
  void close() {
    client.close();
    server.stop(0);
  }

  private Optional<String> warning() {
    try (Guard guard = Guard.watch(client, Duration.ofHours(1))) {
      return guard.warning();
    }
  }

  @Test
  void aGuardAsItShouldBeNeedsNoWarning() {
    assertThat(warning()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"Fail\" | \"Ignore\" | has failurePolicy Ignore instead of Fail",
        "\"1\" | \"0\" | has version \"0\" of the rules",
        "\"Deny\" | \"Audit\" | has the actions [Audit], without Deny",
        "\"policyName\": \"kueue4j-pods\" | \"policyName\": \"other\" | binds the policy other",
        "\"policyName\" | \"matchResources\": {}, \"policyName\" | has matchResources"
      })
  void aGuardThatIsDifferentIsReported(String part, String other, String expected) {
    present = part;
    replacement = other;
    assertThat(warning()).hasValueSatisfying(text -> assertThat(text).contains(expected));
  }

  @ParameterizedTest
  @CsvSource({"403", "404"})
  void aGuardThatIsNotFoundIsReported(int code) {
    failure = code;
    assertThat(warning())
        .hasValueSatisfying(
            text -> assertThat(text).contains("does not exist, or may not be read"));
  }

  @Test
  void withoutAnAnswerWhatWasKnownStays() {
    try (Guard guard = Guard.watch(client, Duration.ofHours(1))) {
      failure = 500;
      guard.look();
      assertThat(guard.warning()).isEmpty();
    }
  }
}
