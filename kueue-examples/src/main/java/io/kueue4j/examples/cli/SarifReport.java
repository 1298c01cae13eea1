package io.kueue4j.examples.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kueue4j.core.lint.LintRule;
import java.io.PrintWriter;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;

/**
 * Prints findings in the Static Analysis Results Interchange Format (SARIF) 2.1.0, which code hosts
 * show on the lines of a pull request.
 */
final class SarifReport {
  private static final String SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json";
  private static final String FINGERPRINT = "kueue4jFinding/v1";

  private SarifReport() {}

  /** Prints a log of one run. */
  static void print(List<PlacedFinding> findings, PrintWriter out) {
    ObjectNode root = JsonReport.newObject().put("$schema", SCHEMA).put("version", "2.1.0");
    ObjectNode run = root.putArray("runs").addObject();
    ObjectNode driver = run.putObject("tool")
        .putObject("driver")
        .put("name", "kueue4j")
        .put("version", Version.number());
    ArrayNode rules = driver.putArray("rules");
    for (LintRule rule : LintRule.values()) {
      ObjectNode written = rules.addObject().put("id", rule.toString());
      written.putObject("shortDescription").put("text", rule.summary());
      written.putObject("defaultConfiguration").put("level", rule.severity().toString());
    }
    ArrayNode results = run.putArray("results");
    findings.forEach(finding -> write(finding, results.addObject()));
    JsonReport.print(root, out);
  }

  private static void write(PlacedFinding finding, ObjectNode result) {
    result
        .put("ruleId", finding.finding().rule().toString())
        .put("level", finding.finding().severity().toString())
        .putObject("message")
        .put("text", finding.text() + ". Change: " + finding.finding().advice() + ".");
    ObjectNode location = result.putArray("locations").addObject();
    if (finding.isInText()) {
      ObjectNode physical = location.putObject("physicalLocation");
      physical.putObject("artifactLocation").put("uri", uri(finding.place().source()));
      physical
          .putObject("region")
          .put("startLine", finding.place().line())
          .put("startColumn", finding.place().column());
    }
    location.putArray("logicalLocations").addObject().put("fullyQualifiedName", finding.object());
    result.putObject("partialFingerprints").put(FINGERPRINT, finding.fingerprint());
  }

  /** {@return a relative path as a relative address, which code hosts resolve by the repository} */
  private static String uri(String source) {
    Path path = Path.of(source).normalize();
    if (path.isAbsolute()) {
      return path.toUri().toString();
    }
    try {
      String relative = path.toString().replace(path.getFileSystem().getSeparator(), "/");
      // With a first part, since what stands before a colon would be a scheme.
      return new URI(null, null, "./" + relative, null).normalize().toString();
    } catch (URISyntaxException e) {
      throw new IllegalStateException("any path can be quoted: " + source, e);
    }
  }
}
