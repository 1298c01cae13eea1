package io.kueue4j.core.internal.compiled;

import java.nio.charset.StandardCharsets;

/**
 * The name of a resource.
 *
 * <p>Rules: N-6.
 */
public final class ResourceName extends Interned {
  private final String name;
  private final long visitHash;

  ResourceName(String name) {
    super(name.hashCode());
    this.name = name;
    this.visitHash = visitHash(name);
  }

  /** The 64-bit FNV-1a hash. */
  private static long visitHash(String name) {
    long hash = 0xcbf29ce484222325L;
    for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ (b & 0xff)) * 0x100000001b3L;
    }
    return hash;
  }

  /** {@return the name} */
  public String name() {
    return name;
  }

  /** {@return less than 0 if resource {@code a} is visited before {@code b}; rule N-6} */
  public static int compareVisits(ResourceName a, ResourceName b) {
    int byHash = Long.compareUnsigned(a.visitHash, b.visitHash);
    return byHash != 0 ? byHash : a.name.compareTo(b.name);
  }

  @Override
  public String toString() {
    return name;
  }
}
