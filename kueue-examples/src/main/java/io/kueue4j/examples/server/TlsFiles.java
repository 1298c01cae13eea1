package io.kueue4j.examples.server;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.google.common.hash.HashCode;
import com.google.common.hash.Hashing;
import com.google.common.io.BaseEncoding;
import com.google.common.primitives.Bytes;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.KeyStoreBuilderParameters;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificate and key of a server, in PEM files that are read again when they change, as a
 * mounted Secret does. While new files cannot be used, the old certificate stays in use.
 */
public final class TlsFiles {
  private static final Logger LOG = LoggerFactory.getLogger(TlsFiles.class);
  /** Of a store in memory; the API wants one. */
  private static final char[] PASSWORD = {};

  private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final List<String> ALGORITHMS = List.of("RSA", "EC", "Ed25519");
  private static final Pattern BLOCK = Pattern.compile(
      "-----BEGIN ((?:RSA )?PRIVATE KEY)-----([A-Za-z0-9+/=\\s]+)-----END \\1-----");

  /** The version 0 and the identifier of RSA, which stand before a key of PKCS#1 in PKCS#8. */
  private static final byte[] RSA_HEADER =
      BaseEncoding.base16().decode("020100300D06092A864886F70D0101010500");

  private final Path certificateFile;
  private final Path keyFile;

  /** A store with the chain and its key, and the hash of the files that they were read from. */
  private record Content(KeyStore store, HashCode hash) {}

  /** Creates a reader of files in PEM format: a chain of certificates, and an unencrypted key. */
  public TlsFiles(Path certificateFile, Path keyFile) {
    this.certificateFile = certificateFile;
    this.keyFile = keyFile;
  }

  /**
   * {@return a context that follows changes of the files}
   *
   * @throws IOException if the files cannot be read, or hold something else
   */
  public SSLContext context() throws IOException {
    try {
      // This algorithm asks for the store at each connection, and reads chain and key together.
      KeyManagerFactory keys = KeyManagerFactory.getInstance("NewSunX509");
      keys.init(new KeyStoreBuilderParameters(new Store(read())));
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), null, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private HashCode hash() throws IOException {
    return Hashing.sha256()
        .hashBytes(Bytes.concat(Files.readAllBytes(certificateFile), Files.readAllBytes(keyFile)));
  }

  private Content read() throws IOException, GeneralSecurityException {
    HashCode hash = hash();
    X509Certificate[] chain = CertificateFactory.getInstance("X.509")
        .generateCertificates(new ByteArrayInputStream(Files.readAllBytes(certificateFile)))
        .toArray(X509Certificate[]::new);
    if (chain.length == 0) {
      throw new IOException(certificateFile + " holds no certificate; expected one in PEM format");
    }
    KeyStore store = KeyStore.getInstance("JKS");
    store.load(null, null);
    store.setKeyEntry("server", key(Files.readString(keyFile, US_ASCII)), PASSWORD, chain);
    return new Content(store, hash);
  }

  private PrivateKey key(String text) throws IOException, GeneralSecurityException {
    Matcher block = BLOCK.matcher(text);
    if (!block.find()) {
      throw new IOException(keyFile + " holds no key that can be read; expected \"BEGIN PRIVATE"
          + " KEY\" or \"BEGIN RSA PRIVATE KEY\": convert it by openssl pkcs8 -topk8 -nocrypt");
    }
    byte[] encoded = BaseEncoding.base64().decode(block.group(2).replaceAll("\\s", ""));
    PKCS8EncodedKeySpec spec = new PKCS8EncodedKeySpec(
        block.group(1).startsWith("RSA")
            ? der(0x30, Bytes.concat(RSA_HEADER, der(0x04, encoded)))
            : encoded);
    for (String algorithm : ALGORITHMS) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(spec);
      } catch (InvalidKeySpecException e) {
        // It is of another algorithm.
      }
    }
    throw new IOException(keyFile + " holds a key that is none of " + ALGORITHMS);
  }

  private static byte[] der(int tag, byte[] value) {
    int length = value.length;
    byte[] header = length < 0x80
        ? new byte[] {(byte) tag, (byte) length}
        : new byte[] {(byte) tag, (byte) 0x82, (byte) (length >> 8), (byte) length};
    return Bytes.concat(header, value);
  }

  /** Gives the present certificate to new connections. */
  private final class Store extends KeyStore.Builder {
    private Content current;
    private long nextNanos = System.nanoTime() + INTERVAL_NANOS;

    Store(Content first) {
      current = first;
    }

    @Override
    public synchronized KeyStore getKeyStore() {
      if (System.nanoTime() - nextNanos >= 0) {
        nextNanos = System.nanoTime() + INTERVAL_NANOS;
        refresh();
      }
      return current.store();
    }

    private void refresh() {
      try {
        if (!current.hash().equals(hash())) {
          current = read();
          LOG.atInfo().addKeyValue("file", certificateFile).log("the certificate was replaced");
        }
      } catch (IOException | GeneralSecurityException e) {
        LOG.atWarn()
            .addKeyValue("file", certificateFile)
            .addKeyValue("cause", e.getMessage())
            .log("the certificate was not replaced");
      }
    }

    @Override
    public KeyStore.ProtectionParameter getProtectionParameter(String alias) {
      return new KeyStore.PasswordProtection(PASSWORD);
    }
  }
}
