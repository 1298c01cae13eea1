package io.kueue4j.examples.controller.shard;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.hash.HashFunction;
import com.google.common.hash.Hashing;
import java.util.Collection;
import java.util.Comparator;

/**
 * Rendezvous hashing: each replica has a random-looking weight for each tree, and the greatest
 * decides. When a replica joins or leaves, only the trees that it gets or had move.
 */
final class Rendezvous {
  private static final HashFunction HASH = Hashing.murmur3_128();

  private Rendezvous() {}

  /**
   * {@return the owner of a tree}
   *
   * @throws IllegalArgumentException if there are no replicas
   */
  static String owner(String tree, Collection<String> replicas) {
    return replicas.stream()
        .max(Comparator.<String>comparingLong(replica -> weight(tree, replica))
            .thenComparing(Comparator.naturalOrder()))
        .orElseThrow(() -> new IllegalArgumentException(
            "tree " + tree + " has no owner, as there are no replicas; give one at least"));
  }

  private static long weight(String tree, String replica) {
    return HASH.newHasher()
        .putString(tree, UTF_8)
        .putChar('\0')
        .putString(replica, UTF_8)
        .hash()
        .asLong();
  }
}
