package io.kueue4j.examples.server;

import java.util.Optional;

/**
 * How the HTTP server of a controller is protected.
 *
 * @param address the address that it listens on, empty for all
 * @param tls its certificate, empty for plain HTTP
 * @param access asks who its users are, empty for no authentication
 */
public record ServerSecurity(
    Optional<String> address, Optional<TlsFiles> tls, Optional<ClusterAccess> access) {
  /** {@return a server on all addresses, without TLS and authentication} */
  public static ServerSecurity none() {
    return new ServerSecurity(Optional.empty(), Optional.empty(), Optional.empty());
  }
}
