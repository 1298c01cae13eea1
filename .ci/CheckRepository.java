import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * Checks a repository in a folder by the rules of Maven Central and of this project. Usage: {@code java
 * CheckRepository.java FOLDER VERSION ROOT}, where ROOT is the folder with LICENSE and NOTICE.
 */
final class CheckRepository {
  /** The files of an artifact: what follows {@code artifactId-version}. */
  private static final Set<String> LIBRARY =
      Set.of(".pom", ".jar", "-sources.jar", "-javadoc.jar", "-cyclonedx.json");

  /** The files of a library with a testkit. */
  private static final Set<String> TESTKIT =
      with(LIBRARY, "-testkit.jar", "-testkit-sources.jar", "-testkit-javadoc.jar");

  private static final Map<String, Set<String>> ARTIFACTS = Map.of(
      "kueue4j-bom", Set.of(".pom"),
      "kueue-core", TESTKIT,
      "kueue-k8s-adapter", TESTKIT,
      "kueue-examples", with(LIBRARY, "-runnable.jar"));

  /** Texts of the licenses and notices of libraries in the runnable jar, by the file that must contain them. */
  private static final Map<String, List<String>> THIRD_PARTIES = Map.of(
      "META-INF/LICENSE.txt", List.of("QOS.ch", "Gil Tene"),
      "META-INF/NOTICE", List.of("Jackson", "Micrometer"),
      "META-INF/FastDoubleParser-LICENSE", List.of("Werner Randelshofer"));

  /** The class files of Java 17. */
  private static final int NEWEST_CLASSES = 61;

  private final Path folder;
  private final String version;
  private final Path root;
  private final List<String> problems = new ArrayList<>();

  private CheckRepository(Path folder, String version, Path root) {
    this.folder = folder;
    this.version = version;
    this.root = root;
  }

  public static void main(String[] arguments) throws Exception {
    CheckRepository check =
        new CheckRepository(Path.of(arguments[0], "io", "kueue4j"), arguments[1], Path.of(arguments[2]));
    int files = check.run();
    check.problems.forEach(System.err::println);
    System.out.println("check-repository: " + files + " files, " + check.problems.size() + " problems");
    System.exit(check.problems.isEmpty() ? 0 : 1);
  }

  private int run() throws Exception {
    expect(names(folder).equals(new TreeSet<>(ARTIFACTS.keySet())), folder, "has " + names(folder));
    int files = 0;
    for (String artifact : new TreeSet<>(ARTIFACTS.keySet())) {
      Map<String, Path> found = files(artifact);
      expect(found.keySet().equals(ARTIFACTS.get(artifact)), folder.resolve(artifact), "has " + found.keySet());
      for (Map.Entry<String, Path> each : found.entrySet()) {
        files++;
        checkFile(artifact, each.getKey(), each.getValue());
      }
    }
    return files;
  }

  private void checkFile(String artifact, String suffix, Path file) throws Exception {
    expect(sum("SHA-1", file).equals(Files.readString(sibling(file, ".sha1"))), file, "has another SHA-1");
    expect(sum("MD5", file).equals(Files.readString(sibling(file, ".md5"))), file, "has another MD5");
    expect(Files.exists(sibling(file, ".asc")), file, "is not signed");
    if (suffix.equals(".pom")) {
      checkPom(artifact, file);
    } else if (suffix.endsWith(".jar")) {
      checkJar(suffix, file);
    } else {
      String text = Files.readString(file);
      expect(text.contains("\"CycloneDX\""), file, "is no CycloneDX document");
      expect(text.contains("pkg:maven/io.kueue4j/" + artifact + "@" + version), file, "describes something else");
    }
  }

  /** Files by what follows the artifact and the version, which in a snapshot is a time. */
  private Map<String, Path> files(String artifact) throws IOException {
    Map<String, Path> found = new TreeMap<>();
    String base = version.replace("-SNAPSHOT", "");
    String time = version.equals(base) ? "" : "-\\d{8}\\.\\d{6}-\\d+";
    for (String name : names(folder.resolve(artifact).resolve(version))) {
      if (!name.startsWith("maven-metadata") && !name.matches(".*\\.(asc|md5|sha1|sha256|sha512)")) {
        String suffix = name.replaceFirst("^" + artifact + "-" + base + time, "");
        found.put(suffix, folder.resolve(artifact).resolve(version).resolve(name));
      }
    }
    return found;
  }

  private void checkPom(String artifact, Path file) throws Exception {
    Element project =
        DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile()).getDocumentElement();
    for (String path : List.of(
        "name", "description", "url", "licenses/license/name", "licenses/license/url", "developers/developer/name",
        "scm/connection", "scm/developerConnection", "scm/url")) {
      expect(!text(project, path).isBlank(), file, "has no " + path);
    }
    expect(text(project, "groupId").equals("io.kueue4j"), file, "has another group");
    expect(text(project, "artifactId").equals(artifact), file, "has another name");
    expect(text(project, "version").equals(version), file, "has another version");
    for (String unneeded : List.of("parent", "build", "profiles", "repositories", "modules")) {
      expect(children(project, unneeded).isEmpty(), file, "has " + unneeded);
    }
    checkDependencies(artifact, file, project);
  }

  private void checkDependencies(String artifact, Path file, Element project) {
    List<Element> dependencies = children(project, "dependencies").stream()
        .flatMap(all -> children(all, "dependency").stream())
        .toList();
    for (Element each : dependencies) {
      String name = text(each, "groupId") + ":" + text(each, "artifactId");
      expect(Set.of("", "compile", "runtime", "provided").contains(text(each, "scope")), file, "needs " + name);
      boolean own = name.startsWith("io.kueue4j:") && text(each, "version").equals(version);
      expect(own || text(each, "version").matches("[0-9][0-9a-zA-Z.-]*") && !text(each, "version").endsWith("-SNAPSHOT"),
          file, "has no fixed version of " + name);
    }
    if (artifact.equals("kueue4j-bom")) {
      Set<String> managed = new TreeSet<>();
      children(project, "dependencyManagement").stream()
          .flatMap(all -> children(all, "dependencies").stream())
          .flatMap(all -> children(all, "dependency").stream())
          .forEach(each -> managed.add(text(each, "artifactId") + text(each, "classifier")));
      expect(
          managed.equals(new TreeSet<>(Set.of(
              "kueue-core", "kueue-coretestkit", "kueue-k8s-adapter", "kueue-k8s-adaptertestkit", "kueue-examples"))),
          file, "manages " + managed);
    }
  }

  private void checkJar(String suffix, Path file) throws IOException {
    try (JarFile jar = new JarFile(file.toFile())) {
      expect(Arrays.equals(content(jar, "META-INF/LICENSE"), Files.readAllBytes(root.resolve("LICENSE"))),
          file, "has another META-INF/LICENSE");
      String notice = new String(content(jar, "META-INF/NOTICE"), UTF_8);
      expect(notice.startsWith(Files.readString(root.resolve("NOTICE"))), file, "has another META-INF/NOTICE");
      List<String> classes =
          jar.stream().map(ZipEntry::getName).filter(name -> name.endsWith(".class")).toList();
      if (suffix.endsWith("-sources.jar") || suffix.endsWith("-javadoc.jar")) {
        String type = suffix.endsWith("-sources.jar") ? ".java" : ".html";
        expect(jar.stream().anyMatch(entry -> entry.getName().endsWith(type)), file, "has no " + type);
        expect(classes.isEmpty(), file, "has classes");
        return;
      }
      Attributes manifest = jar.getManifest().getMainAttributes();
      expect(version.equals(manifest.getValue("Implementation-Version")), file, "has no Implementation-Version");
      expect(manifest.getValue("Implementation-Title") != null, file, "has no Implementation-Title");
      for (String name : classes) {
        if (name.startsWith("io/kueue4j/")) {
          byte[] bytes = content(jar, name);
          expect(((bytes[6] & 0xff) << 8 | bytes[7] & 0xff) <= NEWEST_CLASSES, file, "has a newer " + name);
        }
      }
      if (suffix.equals("-runnable.jar")) {
        checkThirdParties(file, jar);
      } else {
        expect(classes.stream().allMatch(name -> name.startsWith("io/kueue4j/") || name.equals("module-info.class")),
            file, "has classes of others");
        boolean named = jar.getEntry("module-info.class") != null || manifest.getValue("Automatic-Module-Name") != null;
        expect(named || file.getFileName().toString().startsWith("kueue-examples"), file, "names no module");
      }
    }
  }

  private void checkThirdParties(Path file, JarFile jar) throws IOException {
    for (Map.Entry<String, List<String>> each : THIRD_PARTIES.entrySet()) {
      String text = new String(content(jar, each.getKey()), UTF_8);
      each.getValue().forEach(part -> expect(text.contains(part), file, each.getKey() + " does not contain " + part));
    }
  }

  private void expect(boolean condition, Path file, String problem) {
    if (!condition) {
      problems.add(file + " " + problem);
    }
  }

  private static Path sibling(Path file, String suffix) {
    return file.resolveSibling(file.getFileName() + suffix);
  }

  private static byte[] content(JarFile jar, String name) throws IOException {
    ZipEntry entry = jar.getEntry(name);
    return entry == null ? new byte[0] : jar.getInputStream(entry).readAllBytes();
  }

  private static String sum(String algorithm, Path file) throws Exception {
    return HexFormat.of().formatHex(MessageDigest.getInstance(algorithm).digest(Files.readAllBytes(file)));
  }

  private static Set<String> names(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      Set<String> names = new TreeSet<>();
      files.forEach(file -> names.add(file.getFileName().toString()));
      return names;
    }
  }

  private static Set<String> with(Set<String> some, String... more) {
    Set<String> all = new TreeSet<>(some);
    all.addAll(List.of(more));
    return all;
  }

  /** The text of the first element on a path, or empty. */
  private static String text(Element parent, String path) {
    Element found = parent;
    for (String name : path.split("/")) {
      List<Element> next = children(found, name);
      if (next.isEmpty()) {
        return "";
      }
      found = next.get(0);
    }
    return found.getTextContent().trim();
  }

  private static List<Element> children(Element parent, String name) {
    List<Element> found = new ArrayList<>();
    for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element element && element.getTagName().equals(name)) {
        found.add(element);
      }
    }
    return found;
  }
}
