import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Makes the files of the image other than jars: {@code runtime} with a JRE of the modules that the program needs and the C
 * libraries that it needs, and {@code archive} with a class-data archive and the arguments of the JVM. Usage: {@code java
 * ImageFiles.java FOLDER RUNNABLE_JAR MAIN_CLASS MANIFEST…}, where FOLDER has the jars as they are in the image, {@code
 * app/classpath} and {@code app/libs}, and RUNNABLE_JAR the same in one.
 *
 * <p>A class-data archive is only good for the JVM that made it, and for jars of the same names, times and order. So the JRE
 * comes from the JDK that builds, and not from a base image, which would have to be run in order to make the archive. The class
 * path is relative to the folder of the program: names in an archive must be those at run time.
 */
final class ImageFiles {
  /** The time that Jib gives to all files. */
  private static final FileTime TIME = FileTime.from(Instant.ofEpochSecond(1));

  /** What no class refers to: the elliptic curves of TLS. */
  private static final String SERVICES = "jdk.crypto.ec";

  /** Libraries of java.desktop, which libraries need for its beans: nothing is drawn or played. */
  private static final Pattern DESKTOP =
      Pattern.compile("lib(awt.*|fontmanager|freetype|harfbuzz|javajpeg|jawt|jsound|lcms|mlib_image|splashscreen)\\.so");

  private static final Pattern LIBRARY = Pattern.compile("(/\\S+)\\s+\\(0x");
  /** How long a command is run for the list of its classes; the controller goes on until it is ended. */
  private static final int TRIAL_SECONDS = 20;

  private static final String ARCHIVE = "kueue4j.jsa";

  private static final List<String> NAME_SERVICES = List.of("passwd: files", "group: files", "hosts: files dns");

  private final Path folder;
  private final Path app;
  private final Path runtime;
  private final Path home;
  private final Path archive;

  private ImageFiles(Path folder) {
    this.folder = folder;
    app = folder.resolve("app");
    runtime = folder.resolve("runtime");
    home = runtime.resolve("opt/java");
    archive = folder.resolve("archive");
  }

  public static void main(String[] arguments) throws IOException, InterruptedException {
    ImageFiles files = new ImageFiles(Path.of(arguments[0]).toAbsolutePath());
    files.deleteOld();
    List<String> jars = files.jars();
    files.linkRuntime(arguments[1]);
    files.copyLibraries();
    files.writeConfiguration();
    files.dumpArchive(jars, arguments[2], List.of(arguments).subList(3, arguments.length));
  }

  private void deleteOld() throws IOException {
    for (Path old : List.of(runtime, archive)) {
      if (Files.exists(old)) {
        for (Path each : walk(old, Comparator.reverseOrder())) {
          Files.delete(each);
        }
      }
    }
    Files.createDirectories(home.getParent());
    Files.createDirectories(archive);
  }

  /** The class path, relative to the program's folder, with times as in the image. */
  private List<String> jars() throws IOException {
    List<String> jars = new ArrayList<>();
    for (String part : List.of("classpath", "libs")) {
      for (Path jar : walk(app.resolve(part), Comparator.naturalOrder())) {
        if (jar.toString().endsWith(".jar")) {
          Files.setLastModifiedTime(jar, TIME);
          jars.add(app.relativize(jar).toString());
        }
      }
    }
    return jars;
  }

  private void linkRuntime(String runnableJar) throws IOException, InterruptedException {
    String modules = run(app, List.of(
        tool("jdeps"), "--multi-release", "17", "--ignore-missing-deps", "--print-module-deps", runnableJar)).strip();
    run(app, List.of(
        tool("jlink"), "--add-modules", modules + "," + SERVICES, "--no-header-files", "--no-man-pages",
        "--strip-java-debug-attributes", "--output", home.toString()));
    for (Path file : walk(home.resolve("lib"), Comparator.naturalOrder())) {
      if (DESKTOP.matcher(file.getFileName().toString()).matches()) {
        Files.delete(file);
      }
    }
  }

  /** Copies what the JRE is linked with: the C library and its like, each to where it is here. */
  private void copyLibraries() throws IOException, InterruptedException {
    Set<Path> libraries = new TreeSet<>();
    for (Path file : walk(home, Comparator.naturalOrder())) {
      if (file.toString().endsWith(".so") || file.equals(home.resolve("bin/java"))) {
        Matcher linked = LIBRARY.matcher(run(app, List.of("ldd", file.toString())));
        while (linked.find()) {
          Path library = Path.of(linked.group(1));
          if (!library.startsWith(folder)) {
            libraries.add(library);
          }
        }
      }
    }
    for (Path library : libraries) {
      Path copy = runtime.resolve(library.toString().substring(1));
      Files.createDirectories(copy.getParent());
      Files.copy(library.toRealPath(), copy);
    }
    copyLicenses(libraries);
  }

  /** On Debian and its like, the copyright of each package with one of these libraries. */
  private void copyLicenses(Collection<Path> libraries) throws IOException, InterruptedException {
    if (!Files.isExecutable(Path.of("/usr/bin/dpkg-query"))) {
      return;
    }
    for (Path library : libraries) {
      // Packages know files by their names before /lib became a link to /usr/lib.
      String found = run(app, List.of(
          "sh", "-c", "dpkg-query -S \"$1\" 2>/dev/null || dpkg-query -S \"$2\" 2>/dev/null || true", "sh", library.toString(),
          library.toRealPath().toString()));
      String name = found.replaceFirst("(?s):.*", "").strip();
      Path copyright = Path.of("/usr/share/doc", name, "copyright");
      if (!name.isEmpty() && Files.exists(copyright)) {
        Path copy = runtime.resolve(copyright.toString().substring(1));
        if (!Files.exists(copy)) {
          Files.createDirectories(copy.getParent());
          Files.copy(copyright, copy);
        }
      }
    }
  }

  private void writeConfiguration() throws IOException {
    Path etc = Files.createDirectories(runtime.resolve("etc"));
    Files.write(etc.resolve("passwd"), List.of("kueue4j:x:65532:65532:kueue4j:/app:/nologin"));
    Files.write(etc.resolve("group"), List.of("kueue4j:x:65532:"));
    Files.write(etc.resolve("nsswitch.conf"), NAME_SERVICES);
  }

  /** Archives the classes that are loaded by runs of the commands that people use. */
  private void dumpArchive(List<String> jars, String mainClass, List<String> manifests)
      throws IOException, InterruptedException {
    String java = home.resolve("bin/java").toString();
    Path work = Files.createDirectories(folder.resolve("work"));
    Path kubeconfig = Files.writeString(work.resolve("kubeconfig"), """
        apiVersion: v1
        kind: Config
        clusters: [{name: none, cluster: {server: 'https://127.0.0.1:1'}}]
        users: [{name: none, user: {token: none}}]
        contexts: [{name: none, context: {cluster: none, user: none}}]
        current-context: none
        """);
    Set<String> classes = new LinkedHashSet<>();
    List<List<String>> runs = List.of(
        List.of("--version"), with(manifests, "admit"), with(manifests, "controller", "--dry-run"),
        // Finds no cluster.
        List.of("controller", "--port", "0", "--kubeconfig", kubeconfig.toString()));
    for (List<String> arguments : runs) {
      Path list = work.resolve("classes");
      List<String> command = new ArrayList<>(List.of(
          java, "-Xshare:off", "-XX:DumpLoadedClassList=" + list, "-cp", String.join(":", jars), mainClass));
      command.addAll(arguments);
      Process process = new ProcessBuilder(command)
          .directory(app.toFile())
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start();
      if (!process.waitFor(TRIAL_SECONDS, SECONDS)) {
        process.destroy();
        process.waitFor();
      } else if (process.exitValue() != 0) {
        throw new IOException(command + " ended with " + process.exitValue());
      }
      classes.addAll(Files.readAllLines(list));
    }
    Path list = Files.write(work.resolve("classes"), classes);
    run(app, List.of(
        java, "-Xshare:dump", "-Xlog:cds=error", "-Xlog:cds+heap=error", "-XX:SharedClassListFile=" + list,
        "-XX:SharedArchiveFile=" + archive.resolve(ARCHIVE), "-cp", String.join(":", jars)));
    Files.write(archive.resolve("java.args"), List.of(
        "-XX:SharedArchiveFile=" + ARCHIVE,
        // Writes no file, and leaves it to the cluster to start it again.
        "-XX:-UsePerfData", "-XX:+ExitOnOutOfMemoryError", "-cp", String.join(":", jars), mainClass));
  }

  private static List<String> with(List<String> rest, String... first) {
    List<String> all = new ArrayList<>(List.of(first));
    all.addAll(rest);
    return all;
  }

  private static String tool(String name) {
    return Path.of(System.getProperty("java.home"), "bin", name).toString();
  }

  private static List<Path> walk(Path root, Comparator<Path> order) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files.filter(file -> Files.exists(file, LinkOption.NOFOLLOW_LINKS)).sorted(order).toList();
    }
  }

  /** The output of a program that must succeed. */
  private static String run(Path directory, List<String> command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(command + " ended with " + process.exitValue() + ":\n" + text);
    }
    return text;
  }
}
