package io.kueue4j.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.examples.CommandLineRun;
import io.kueue4j.examples.story.StoryFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

class TestCommandTest {
  @TempDir
  Path folder;

  private Path passing;
  private Path failing;

  @BeforeEach
  void create() throws IOException {
    StoryFolder files = new StoryFolder(folder);
    passing = files.write("a.scenario.yaml", """
        name: one job runs
        given: queues.yaml
        steps:
        - submit: job.yaml
          expect: {admitted: job}
        """);
    Files.createDirectory(folder.resolve("b"));
    failing = files.write("b/c.scenario.yaml", """
        name: a "large" job runs & runs
        given: ../queues.yaml
        steps:
        - submit: ../job.yaml
          copies: 5
          expect:
            admitted:
            - job-5
            finished: [job-1]
        """);
  }

  @Test
  void aLineSaysWhatBecameOfEachScenario() {
    CommandLineRun run = CommandLineRun.of("test", folder);

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .isEqualTo("passed " + passing + ": one job runs\n"
            + "FAILED " + failing + ": a \"large\" job runs & runs\n"
            + "  " + failing + ":8: job-5 is Pending, expected Admitted\n"
            + """
                job-5 is pending: WaitingForQuota, NO_PREEMPTION_CANDIDATES
                  before it: 0 in ClusterQueue research, 0 in LocalQueue queue
                  because: pod set main: cpu in flavor spot: requests 2, 0 available, 2 more needed\
             (in use 8, nominal quota 4), and no workload may be preempted for it
                    requested 2, available 0, nominal quota 4, used 8
                    limited by the quota of Cohort all: 8 of 8 in use
                    held by default/job-1 in research (2), default/job-2 in research (2),\
             default/job-3 in research (2), default/job-4 in research (2)
                  would be admitted if: ClusterQueue research has more nominal quota: cpu in\
             flavor spot from 4 to 6 (+2)
                  or if: workload default/job-1 stops
            """
            + "  " + failing + ":9: job-1 is Admitted, expected Finished\n"
            + "    job-1 is admitted by ClusterQueue research on spot\n"
            + "2 scenarios, 1 failed\n");
  }

  @Test
  void scenariosAreChosenByFileAndName() {
    CommandLineRun all = CommandLineRun.of("test", passing, "--filter", "one job");
    assertThat(all.exitCode()).isZero();
    assertThat(all.out()).endsWith("1 scenario, 0 failed\n");

    CommandLineRun none = CommandLineRun.of("test", folder, "--filter", "two jobs");
    assertThat(none.exitCode()).isEqualTo(2);
    assertThat(none.err())
        .isEqualTo("error: --filter: there is no scenario with 'two jobs' in its name\n");
  }

  @Test
  void everyFileThatIsNoScenarioIsNamed() throws IOException {
    Files.writeString(passing, "name: [");
    Files.writeString(failing, "nam: x");

    CommandLineRun run = CommandLineRun.of("test", folder);

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains(passing.toString(), failing.toString());
  }

  @Test
  void noScenarioIsAnError() throws IOException {
    Path empty = Files.createDirectory(folder.resolve("empty"));
    Files.createFile(Files.createDirectory(empty.resolve(".git")).resolve("x.scenario.yaml"));
    assertThat(CommandLineRun.of("test", empty))
        .isEqualTo(new CommandLineRun(
            2,
            "",
            "error: " + empty + ": no scenario in this folder; expected files ending in"
                + " .scenario.yaml\n"));
    assertThat(CommandLineRun.of("test").exitCode()).isEqualTo(2);
    assertThat(CommandLineRun.of("test", folder.resolve("no")).err())
        .startsWith("error: " + folder.resolve("no") + ": ");
  }

  @Test
  void symbolicLinksAreFollowed() throws IOException {
    Path linked = Files.createDirectory(folder.resolve("linked"));
    Files.createSymbolicLink(linked.resolve("in"), failing.getParent());
    Path link = Files.createSymbolicLink(folder.resolve("link"), linked);

    assertThat(CommandLineRun.of("test", link).out())
        .startsWith("FAILED " + link.resolve("in/c.scenario.yaml") + ": ");
  }

  @Test
  void anUpdateMakesScenariosPass() throws IOException {
    CommandLineRun update = CommandLineRun.of("test", folder, "--update");

    assertThat(update.exitCode()).isZero();
    assertThat(update.out())
        .isEqualTo("passed " + passing + ": one job runs\n"
            + "passed " + failing + ": a \"large\" job runs & runs (updated)\n"
            + "2 scenarios, 0 failed\n");
    assertThat(failing).content().endsWith("""
          expect:
            admitted:
              job-1: spot
            pending:
              job-5: NO_PREEMPTION_CANDIDATES
        """);
    assertThat(CommandLineRun.of("test", folder).exitCode()).isZero();
  }

  @Test
  void aStepThatCannotBeTakenIsNotUpdated() throws IOException {
    String text = "name: x\ngiven: ../queues.yaml\nsteps:\n- finish: job\n";
    Files.writeString(failing, text);

    assertThat(CommandLineRun.of("test", failing, "--update").exitCode()).isEqualTo(1);
    assertThat(failing).content().isEqualTo(text);
  }

  @Test
  void optionsChangeTheSettings() throws IOException {
    Files.writeString(passing, Files.readString(passing).replace("admitted: job", "pending: job"));
    assertThat(CommandLineRun.of("test", passing).exitCode()).isEqualTo(1);
    assertThat(CommandLineRun.of("test", passing, "--feature-gate", "no=true").exitCode())
        .isEqualTo(2);
  }

  @Test
  void junitXmlCountsCasesAndFailures() throws Exception {
    Path file = folder.resolve("results.xml");
    assertThat(CommandLineRun.of("test", folder, "--junit", file).exitCode()).isEqualTo(1);

    Document document =
        DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
    Element suite = document.getDocumentElement();
    assertThat(suite.getTagName()).isEqualTo("testsuite");
    assertThat(suite.getAttribute("tests")).isEqualTo("2");
    assertThat(suite.getAttribute("failures")).isEqualTo("1");
    Element test = (Element) suite.getElementsByTagName("testcase").item(1);
    assertThat(test.getAttribute("name")).isEqualTo("a \"large\" job runs & runs");
    assertThat(test.getAttribute("classname")).isEqualTo(failing.toString());
    Element failure = (Element) test.getElementsByTagName("failure").item(0);
    assertThat(failure.getAttribute("message")).isEqualTo("job-5 is Pending, expected Admitted");
    assertThat(failure.getTextContent()).contains(failing + ":9: job-1 is Admitted, expected");
    assertThat(suite.getElementsByTagName("failure").getLength()).isEqualTo(1);
    assertThat(CommandLineRun.of("test", folder, "--junit", "-").out())
        .isEqualToIgnoringNewLines(Files.readString(file));
  }
}
