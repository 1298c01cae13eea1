package io.kueue4j.examples.monitoring;

import com.google.common.base.Ascii;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Counts the requests of a Kubernetes client to the API server, with the name and labels of Go's
 * client: {@code rest_client_requests_total} by {@code code}, {@code method} and {@code host}. The
 * code is {@code <error>} if there was no response; the client reports that before each retry, so a
 * last attempt without response is not counted.
 *
 * <pre>{@code
 * new KubernetesClientBuilder()
 *     .withHttpClientBuilderConsumer(
 *         http -> http.addOrReplaceInterceptor("counter", new RequestCounter(registry)))
 * }</pre>
 */
public final class RequestCounter implements Interceptor {
  private static final String NO_RESPONSE = "<error>";

  private final MeterRegistry registry;

  /** Stores the counters in {@code registry}. */
  public RequestCounter(MeterRegistry registry) {
    this.registry = registry;
  }

  @Override
  public void after(
      HttpRequest request,
      HttpResponse<?> response,
      AsyncBody.Consumer<List<ByteBuffer>> consumer) {
    count(request, Integer.toString(response.code()));
  }

  @Override
  public void afterConnectionFailure(HttpRequest request, Throwable failure) {
    count(request, NO_RESPONSE);
  }

  private void count(HttpRequest request, String code) {
    Counter.builder("rest_client_requests_total")
        .description("Requests to the API server, by status code, method and host.")
        .tag("code", code)
        .tag("method", Ascii.toUpperCase(request.method()))
        .tag("host", request.uri().getAuthority())
        .register(registry)
        .increment();
  }
}
