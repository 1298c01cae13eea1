package io.kueue4j.examples.server;

import com.sun.net.httpserver.HttpPrincipal;
import io.fabric8.kubernetes.api.model.authentication.UserInfo;

/** A user of a cluster whose token was verified. Thread-safe. */
public final class ClusterUser extends HttpPrincipal {
  private final UserInfo info;
  private final ClusterAccess access;

  ClusterUser(UserInfo info, ClusterAccess access) {
    super(String.valueOf(info.getUsername()), "kubernetes");
    this.info = info;
    this.access = access;
  }

  UserInfo info() {
    return info;
  }

  /** {@return whether the user may see the jobs of all namespaces} */
  public boolean maySeeAll() {
    return access.mayListJobs(this, "");
  }

  /** {@return whether the user may see the jobs of a namespace} */
  public boolean maySee(String namespace) {
    return maySeeAll() || (!namespace.isEmpty() && access.mayListJobs(this, namespace));
  }
}
