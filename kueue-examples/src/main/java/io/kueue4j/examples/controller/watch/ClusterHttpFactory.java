package io.kueue4j.examples.controller.watch;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.TlsVersion;
import io.fabric8.kubernetes.client.okhttp.OkHttpClientFactory;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import okhttp3.ConnectionSpec;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;

/**
 * Makes the HTTP clients of a controller, which differ from fabric8's in two ways.
 *
 * <p>The time limit of requests holds for the handshakes of watches, too. Otherwise a client waits
 * without limit for the answer to a handshake; only later, pings show that its server is there.
 *
 * <p>They offer the cipher suites that the JVM is set to, in its order, as with
 * {@code jdk.tls.client.cipherSuites}. Otherwise AES comes first, which is slow without the second
 * compiler of the JVM.
 */
public final class ClusterHttpFactory extends OkHttpClientFactory {
  private final Config config;

  /** Creates a factory for clients with that configuration. */
  public ClusterHttpFactory(Config config) {
    this.config = config;
  }

  @Override
  protected void additionalConfig(OkHttpClient.Builder builder) {
    ConnectionSpec tls = new ConnectionSpec.Builder(ConnectionSpec.MODERN_TLS)
        .allEnabledCipherSuites()
        .tlsVersions(
            Arrays.stream(config.getTlsVersions()).map(TlsVersion::javaName).toArray(String[]::new))
        .build();
    builder.connectionSpecs(ImmutableList.of(tls, ConnectionSpec.CLEARTEXT));
    builder.addInterceptor(chain -> {
      boolean isHandshake = chain.request().header("Upgrade") != null;
      Interceptor.Chain limited = isHandshake
          ? chain.withReadTimeout(config.getRequestTimeout(), TimeUnit.MILLISECONDS)
          : chain;
      return limited.proceed(chain.request());
    });
  }
}
