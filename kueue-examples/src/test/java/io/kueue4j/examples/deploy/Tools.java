package io.kueue4j.examples.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.common.base.Splitter;
import com.google.common.base.Strings;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs programs that may be installed here. */
final class Tools {
  private Tools() {}

  /**
   * {@return what a program prints}; skips the test if it is not installed.
   *
   * @throws AssertionError if the program fails
   */
  static String run(String program, Object... arguments) throws IOException, InterruptedException {
    assumeTrue(isInstalled(program), () -> program + " is not installed");
    List<String> command = new ArrayList<>(List.of(program));
    for (Object argument : arguments) {
      command.add(argument.toString());
    }
    Path output = Files.createTempFile(program, ".out");
    Path errors = Files.createTempFile(program, ".err");
    try {
      int code = new ProcessBuilder(command)
          .redirectOutput(output.toFile())
          .redirectError(errors.toFile())
          .start()
          .waitFor();
      if (code != 0) {
        throw new AssertionError(command + " ended with exit code " + code + ": "
            + Files.readString(errors) + Files.readString(output));
      }
      return new String(Files.readAllBytes(output), UTF_8);
    } finally {
      Files.delete(output);
      Files.delete(errors);
    }
  }

  private static boolean isInstalled(String program) {
    String path = Strings.nullToEmpty(System.getenv("PATH"));
    return Splitter.on(File.pathSeparatorChar)
        .splitToStream(path)
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }
}
