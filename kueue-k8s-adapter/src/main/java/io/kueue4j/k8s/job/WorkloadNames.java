package io.kueue4j.k8s.job;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.base.Ascii;
import com.google.common.base.Joiner;
import com.google.common.hash.HashFunction;
import com.google.common.hash.Hashing;

/**
 * The names that Kueue gives the workloads of jobs, such as {@code jobset-train-8c695}.
 *
 * <p>Kueue: kind and name of the job, and five digits of a hash over kind, API group, name and uid.
 */
final class WorkloadNames {
  private static final int MAX_LENGTH = 253;
  private static final int HASH_LENGTH = 5;

  /** Upstream's choice; it distinguishes names and protects no secret. */
  @SuppressWarnings("deprecation")
  private static final HashFunction SHA_1 = Hashing.sha1();

  private WorkloadNames() {}

  /**
   * {@return the name of the workload of a job}
   *
   * @param apiGroup the API group of the job without version, empty for the core group
   * @param kind the kind of the job
   * @param name the name of the job
   * @param uid the uid of the job, empty where there is none
   */
  static String of(String apiGroup, String kind, String name, String uid) {
    return of(apiGroup, kind, name, uid, "");
  }

  /**
   * {@return the name of one of several workloads of a job, such as the elastic slices of a job}
   *
   * @param apiGroup the API group of the job without version, empty for the core group
   * @param kind the kind of the job
   * @param name the name of the job
   * @param uid the uid of the job, empty if there is none
   * @param extra what distinguishes the workloads, for elastic slices the generation of the job;
   *     empty if there is only one
   */
  static String of(String apiGroup, String kind, String name, String uid, String extra) {
    String prefix = Ascii.toLowerCase(kind) + "-" + name;
    String hashed = Joiner.on('\n').join(kind, apiGroup, name, uid);
    String hash = SHA_1
        .hashString(extra.isEmpty() ? hashed : hashed + "\n" + extra, UTF_8)
        .toString();
    return prefix.substring(0, Math.min(prefix.length(), MAX_LENGTH - HASH_LENGTH - 1)) + "-"
        + hash.substring(0, HASH_LENGTH);
  }
}
