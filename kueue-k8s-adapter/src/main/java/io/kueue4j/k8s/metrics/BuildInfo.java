package io.kueue4j.k8s.metrics;

import com.google.common.base.Ascii;

/**
 * The running program, reported by the metric {@code kueue_build_info}.
 *
 * @param version the version of the program; label {@code git_version}
 * @param commit the commit that it was built from, empty if unknown; label {@code git_commit}
 * @param buildDate the time of the build, empty if unknown; label {@code build_date}
 * @param javaVersion the version of Java, such as {@code java17.0.12}; label {@code go_version}
 * @param virtualMachine the name of the virtual machine; label {@code compiler}
 * @param platform operating system and architecture, such as {@code linux/amd64}
 * @since 0.1.0
 */
public record BuildInfo(
    String version,
    String commit,
    String buildDate,
    String javaVersion,
    String virtualMachine,
    String platform) {

  /**
   * {@return the build info of this process, without commit and date}
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

  /** {@return this info with a commit and a date of the build} */
  public BuildInfo withBuild(String builtCommit, String date) {
    return new BuildInfo(version, builtCommit, date, javaVersion, virtualMachine, platform);
  }
}
