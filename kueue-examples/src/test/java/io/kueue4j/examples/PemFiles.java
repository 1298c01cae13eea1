package io.kueue4j.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.io.BaseEncoding;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;

/** Keys and certificates for tests with TLS, in PEM files. */
public final class PemFiles {
  private static final String PASSWORD = "changeit";

  private PemFiles() {}

  /**
   * Creates a key and a certificate that it signs itself, valid for two days, in the files
   * {@code tls.key} and {@code tls.crt}.
   *
   * @param name the common name of the certificate
   * @param address the server, such as {@code dns:localhost}
   */
  public static void writeSelfSigned(Path folder, String name, String address)
      throws IOException, GeneralSecurityException {
    Path store = folder.resolve(name + ".p12");
    Process keytool = new ProcessBuilder(List.of(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
            "-genkeypair",
            "-alias",
            "key",
            "-keyalg",
            "EC",
            "-dname",
            "CN=" + name,
            "-ext",
            "san=" + address,
            "-validity",
            "2",
            "-storetype",
            "PKCS12",
            "-keystore",
            store.toString(),
            "-storepass",
            PASSWORD))
        .redirectErrorStream(true)
        .start();
    String output = new String(keytool.getInputStream().readAllBytes(), UTF_8);
    if (keytool.onExit().join().exitValue() != 0) {
      throw new IOException("keytool: " + output);
    }
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    Files.writeString(
        folder.resolve("tls.key"),
        text("PRIVATE KEY", keys.getKey("key", PASSWORD.toCharArray()).getEncoded()));
    Files.writeString(
        folder.resolve("tls.crt"),
        text("CERTIFICATE", keys.getCertificate("key").getEncoded()));
  }

  /** {@return the content of a file with an object of this type} */
  public static String text(String type, byte[] content) {
    return "-----BEGIN " + type + "-----\n"
        + BaseEncoding.base64().withSeparator("\n", 64).encode(content) + "\n-----END " + type
        + "-----\n";
  }
}
