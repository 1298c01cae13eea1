package io.kueue4j.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.examples.simulation.InputException;
import io.kueue4j.k8s.internal.yaml.Issues;
import io.kueue4j.k8s.internal.yaml.TextPosition;
import io.kueue4j.k8s.manifest.ManifestException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;

final class ErrorsTest {
  @Command(name = "fail")
  private static final class Failing implements Callable<Integer> {
    private final RuntimeException failure;

    Failing(RuntimeException failure) {
      this.failure = failure;
    }

    @Override
    public Integer call() {
      throw failure;
    }
  }

  private final StringWriter err = new StringWriter();

  @Test
  void badInputIsOneLineForEachProblem() {
    assertThat(run(new InputException("a.yaml: x\nb.yaml: y"))).isEqualTo(2);
    assertThat(err.toString().lines()).containsExactly("error: a.yaml: x", "error: b.yaml: y");
  }

  @Test
  void aManifestThatCannotBeUsedIsBadInputWhereverThatIsFound() {
    Issues issues = new Issues("a.yaml", 1);
    issues.problem(TextPosition.START, "spec", "missing");

    assertThat(run(new ManifestException(issues.problems()))).isEqualTo(2);
    assertThat(err.toString().lines())
        .containsExactly("error: a.yaml: document 1, line 1, column 1: spec: missing");
  }

  @Test
  void aDefectIsSaidToBeOneWithoutAStackTrace() {
    assertThat(run(new IllegalStateException("impossible"))).isEqualTo(70);
    assertThat(err.toString().lines())
        .containsExactly(
            "internal error, please report it: java.lang.IllegalStateException: impossible");
  }

  private int run(RuntimeException failure) {
    return new CommandLine(new Failing(failure))
        .setErr(new PrintWriter(err))
        .setExecutionExceptionHandler(new Errors())
        .execute();
  }
}
