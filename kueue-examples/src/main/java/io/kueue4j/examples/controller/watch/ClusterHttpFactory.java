package io.kueue4j.examples.controller.watch;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.okhttp.OkHttpClientFactory;
import java.util.concurrent.TimeUnit;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;

/**
 * Makes the HTTP clients of a controller: the time limit of requests holds for the handshakes of
 * watches, too. Otherwise a client waits without limit for the answer to a handshake; only later,
 * pings show that its server is there.
 */
public final class ClusterHttpFactory extends OkHttpClientFactory {
  private final Config config;

  /** Creates a factory for clients with that configuration. */
  public ClusterHttpFactory(Config config) {
    this.config = config;
  }

  @Override
  protected void additionalConfig(OkHttpClient.Builder builder) {
    builder.addInterceptor(chain -> {
      boolean isHandshake = chain.request().header("Upgrade") != null;
      Interceptor.Chain limited = isHandshake
          ? chain.withReadTimeout(config.getRequestTimeout(), TimeUnit.MILLISECONDS)
          : chain;
      return limited.proceed(chain.request());
    });
  }
}
