package io.kueue4j.examples.server;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.common.hash.Hashing;
import com.sun.net.httpserver.Authenticator;
import com.sun.net.httpserver.HttpExchange;
import io.fabric8.kubernetes.api.model.authentication.TokenReview;
import io.fabric8.kubernetes.api.model.authentication.TokenReviewBuilder;
import io.fabric8.kubernetes.api.model.authentication.UserInfo;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewBuilder;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewSpecBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the API server who a bearer token belongs to (TokenReview) and what that user may do
 * (SubjectAccessReview), as kube-rbac-proxy does. Answers are cached for 30 seconds; a request
 * whose answer is not available is refused. Thread-safe.
 */
public final class ClusterAccess {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterAccess.class);
  private static final Duration TTL = Duration.ofSeconds(30);
  private static final long MAX_CACHED = 10_000;

  /** A user waits for the answer, and few requests are served at a time. */
  private static final int TIMEOUT_MILLIS = 5_000;

  private static final String BEARER = "Bearer ";
  private static final int UNAUTHORIZED = 401;
  private static final int FORBIDDEN = 403;
  private static final int UNAVAILABLE = 503;

  private final KubernetesClient client;
  private final Cache<String, Optional<ClusterUser>> users = cache();
  private final Cache<String, Boolean> permissions = cache();

  /** Creates an access to the cluster of a client, which needs to create both reviews. */
  public ClusterAccess(KubernetesClient client) {
    this.client = client
        .newClient(new RequestConfigBuilder()
            .withRequestRetryBackoffLimit(0)
            .withRequestTimeout(TIMEOUT_MILLIS)
            .build())
        .adapt(KubernetesClient.class);
  }

  private static <V> Cache<String, V> cache() {
    return CacheBuilder.newBuilder()
        .expireAfterWrite(TTL)
        .maximumSize(MAX_CACHED)
        .build();
  }

  /** {@return an authenticator that accepts every user of the cluster} */
  public Authenticator anyUser() {
    return authenticator(Optional.empty());
  }

  /**
   * {@return an authenticator that accepts users who may {@code get} a path by
   * {@code nonResourceURLs}}
   */
  public Authenticator usersOf(String path) {
    return authenticator(Optional.of(path));
  }

  private Authenticator authenticator(Optional<String> path) {
    return new Authenticator() {
      @Override
      public Result authenticate(HttpExchange exchange) {
        try {
          Optional<ClusterUser> user = user(exchange);
          if (user.isEmpty()) {
            exchange.getResponseHeaders().set("WWW-Authenticate", "Bearer");
            return new Failure(UNAUTHORIZED);
          }
          return path.isEmpty() || mayGet(user.get(), path.get())
              ? new Success(user.get())
              : new Failure(FORBIDDEN);
        } catch (KubernetesClientException e) {
          LOG.atWarn().addKeyValue("cause", e.getMessage()).log("users cannot be verified");
          return new Failure(UNAVAILABLE);
        }
      }
    };
  }

  private Optional<ClusterUser> user(HttpExchange exchange) {
    String header = exchange.getRequestHeaders().getFirst("Authorization");
    if (header == null || !header.startsWith(BEARER)) {
      return Optional.empty();
    }
    String token = header.substring(BEARER.length()).strip();
    String key = Hashing.sha256().hashString(token, StandardCharsets.UTF_8).toString();
    Optional<ClusterUser> known = users.getIfPresent(key);
    if (known == null) {
      known = review(token);
      users.put(key, known);
    }
    return known;
  }

  private Optional<ClusterUser> review(String token) {
    TokenReview review = client
        .tokenReviews()
        .create(
            new TokenReviewBuilder().withNewSpec().withToken(token).endSpec().build());
    return review.getStatus() != null
            && Boolean.TRUE.equals(review.getStatus().getAuthenticated())
            && review.getStatus().getUser() != null
        ? Optional.of(new ClusterUser(review.getStatus().getUser(), this))
        : Optional.empty();
  }

  private boolean mayGet(ClusterUser user, String path) {
    return isAllowed(user, "get " + path, subject(user).withNewNonResourceAttributes(path, "get"));
  }

  /** {@return whether a user may list Jobs in a namespace, or in all if that is empty} */
  boolean mayListJobs(ClusterUser user, String namespace) {
    try {
      return isAllowed(
          user,
          "list jobs " + namespace,
          subject(user)
              .withNewResourceAttributes()
              .withGroup("batch")
              .withResource("jobs")
              .withVerb("list")
              .withNamespace(namespace)
              .endResourceAttributes());
    } catch (KubernetesClientException e) {
      LOG.atWarn().addKeyValue("cause", e.getMessage()).log("permissions cannot be determined");
      return false;
    }
  }

  private static SubjectAccessReviewSpecBuilder subject(ClusterUser user) {
    UserInfo info = user.info();
    return new SubjectAccessReviewSpecBuilder()
        .withUser(info.getUsername())
        .withUid(info.getUid())
        .withGroups(info.getGroups())
        .withExtra(info.getExtra());
  }

  private boolean isAllowed(ClusterUser user, String what, SubjectAccessReviewSpecBuilder spec) {
    // Groups decide as well, and a user may have several tokens with different ones.
    String key = user.info() + " " + what;
    Boolean known = permissions.getIfPresent(key);
    if (known == null) {
      SubjectAccessReview review = client
          .authorization()
          .v1()
          .subjectAccessReview()
          .create(new SubjectAccessReviewBuilder().withSpec(spec.build()).build());
      known = review.getStatus() != null
          && Boolean.TRUE.equals(review.getStatus().getAllowed())
          && !Boolean.TRUE.equals(review.getStatus().getDenied());
      permissions.put(key, known);
    }
    return known;
  }
}
