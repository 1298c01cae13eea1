package io.kueue4j.core.testkit.reference;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Comparator;

/**
 * The order in which the resources of a pod set are visited: by the FNV-1a hash of the name.
 *
 * <p>Rules: N-6.
 */
final class ResourceOrder {
  static final Comparator<String> INSTANCE = Comparator.comparing(
          ResourceOrder::hash, Long::compareUnsigned)
      .thenComparing(Comparator.naturalOrder());

  private static final long OFFSET_BASIS = 0xcbf29ce484222325L;
  private static final long PRIME = 0x100000001b3L;

  private ResourceOrder() {}

  private static long hash(String name) {
    long hash = OFFSET_BASIS;
    for (byte each : name.getBytes(UTF_8)) {
      hash = (hash ^ (each & 0xff)) * PRIME;
    }
    return hash;
  }
}
