package io.kueue4j.k8s.metrics;

import com.google.common.base.Ascii;

/**
 * What is running, as the metric {@code kueue_build_info} tells it.
 *
 * @param version the version of the program; label {@code git_version}
 * @param commit the commit that it was built from, empty if nobody knows; label {@code git_commit}
 * @param buildDate when it was built, empty if nobody knows; label {@code build_date}
 * @param javaVersion the version of Java, such as {@code java17.0.12}; label {@code go_version}
 * @param virtualMachine what runs it; label {@code compiler}
 * @param platform operating system and architecture, such as {@code linux/amd64}
 */
public record BuildInfo(
    String version,
    String commit,
    String buildDate,
    String javaVersion,
    String virtualMachine,
    String platform) {

  /**
   * {@return what is running here}
   *
   * @param version the version of the program
   */
  public static BuildInfo of(String version) {
    return new BuildInfo(
        version,
        "",
        "",
        "java" + System.getProperty("java.version", ""),
        System.getProperty("java.vm.name", ""),
        Ascii.toLowerCase(System.getProperty("os.name", "")) + "/"
            + System.getProperty("os.arch", ""));
  }

  /** {@return the same, with what it was built from and when} */
  public BuildInfo withBuild(String builtCommit, String date) {
    return new BuildInfo(version, builtCommit, date, javaVersion, virtualMachine, platform);
  }
}
