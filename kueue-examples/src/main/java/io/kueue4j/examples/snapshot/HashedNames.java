package io.kueue4j.examples.snapshot;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSortedSet;
import com.google.common.hash.HashFunction;
import com.google.common.hash.Hashing;
import java.util.Objects;

/**
 * Names in place of others: {@code n012-ab34cd56}, the rank of the name among all names of the
 * snapshot, since names break ties of decisions, and a keyed hash, which is the same in every
 * snapshot with the same salt.
 */
final class HashedNames {
  private static final int HASH_LENGTH = 10;

  private final ImmutableMap<String, String> names;

  private HashedNames(ImmutableMap<String, String> names) {
    this.names = names;
  }

  static HashedNames of(ImmutableSortedSet<String> given, String salt) {
    HashFunction hash = Hashing.hmacSha256(salt.getBytes(UTF_8));
    int digits = String.valueOf(given.size()).length();
    ImmutableMap.Builder<String, String> names = ImmutableMap.builder();
    int rank = 0;
    for (String name : given) {
      String hashed = hash.hashString(name, UTF_8).toString().substring(0, HASH_LENGTH);
      names.put(name, "n" + Strings.padStart(String.valueOf(rank), digits, '0') + "-" + hashed);
      rank++;
    }
    return new HashedNames(names.buildOrThrow());
  }

  String get(String name) {
    return Objects.requireNonNull(names.get(name), "every name was collected before");
  }
}
