package io.kueue4j.examples.controller.server;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.google.common.hash.HashCode;
import com.google.common.hash.Hashing;
import com.google.common.io.BaseEncoding;
import com.google.common.primitives.Bytes;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificate and key of a server, in PEM files that are read again when they change, as a
 * mounted Secret does. While new files cannot be used, the old certificate stays in use.
 */
public final class TlsFiles {
  private static final Logger LOG = LoggerFactory.getLogger(TlsFiles.class);
  private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final List<String> ALGORITHMS = List.of("RSA", "EC", "Ed25519");
  private static final Pattern BLOCK = Pattern.compile(
      "-----BEGIN ((?:RSA )?PRIVATE KEY)-----([A-Za-z0-9+/=\\s]+)-----END \\1-----");

  /** The version 0 and the identifier of RSA, which stand before a key of PKCS#1 in PKCS#8. */
  private static final byte[] RSA_HEADER =
      BaseEncoding.base16().decode("020100300D06092A864886F70D0101010500");

  private final Path certificateFile;
  private final Path keyFile;

  /** A certificate chain with its key, and the hash of the files that they were read from. */
  private record Pair(
      String alias, List<X509Certificate> chain, PrivateKey key, HashCode content) {}

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
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(new KeyManager[] {new Keys(read())}, null, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private HashCode content() throws IOException {
    return Hashing.sha256()
        .hashBytes(Bytes.concat(Files.readAllBytes(certificateFile), Files.readAllBytes(keyFile)));
  }

  private Pair read() throws IOException, GeneralSecurityException {
    HashCode content = content();
    List<X509Certificate> chain = CertificateFactory.getInstance("X.509")
        .generateCertificates(new ByteArrayInputStream(Files.readAllBytes(certificateFile)))
        .stream()
        .map(X509Certificate.class::cast)
        .toList();
    if (chain.isEmpty()) {
      throw new IOException(certificateFile + " holds no certificate; expected one in PEM format");
    }
    PrivateKey key = key(Files.readString(keyFile, US_ASCII));
    return new Pair(BaseEncoding.base16().encode(chain.get(0).getSignature()), chain, key, content);
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
  private final class Keys extends X509ExtendedKeyManager {
    private volatile Pair current;
    private volatile Pair previous;
    private volatile long nextNanos = System.nanoTime() + INTERVAL_NANOS;

    Keys(Pair first) {
      current = first;
      previous = first;
    }

    private synchronized void refresh() {
      if (System.nanoTime() - nextNanos < 0) {
        return;
      }
      nextNanos = System.nanoTime() + INTERVAL_NANOS;
      try {
        if (!current.content().equals(content())) {
          Pair read = read();
          previous = current;
          current = read;
          LOG.atInfo().addKeyValue("file", certificateFile).log("the certificate was replaced");
        }
      } catch (IOException | GeneralSecurityException e) {
        LOG.atWarn()
            .addKeyValue("file", certificateFile)
            .addKeyValue("cause", e.getMessage())
            .log("the certificate was not replaced");
      }
    }

    private @Nullable Pair pair(String alias) {
      Pair now = current;
      return now.alias().equals(alias) ? now : previous.alias().equals(alias) ? previous : null;
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
        String keyType, Principal @Nullable [] issuers, SSLEngine engine) {
      return chooseServerAlias(keyType, issuers, null);
    }

    @Override
    public @Nullable String chooseServerAlias(
        String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
      refresh();
      Pair now = current;
      String algorithm = now.key().getAlgorithm();
      return keyType.equals(algorithm) || keyType.startsWith(algorithm + "_") ? now.alias() : null;
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
      Pair pair = pair(alias);
      return pair == null ? null : pair.chain().toArray(new X509Certificate[0]);
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
      Pair pair = pair(alias);
      return pair == null ? null : pair.key();
    }

    @Override
    public String[] getServerAliases(String keyType, Principal @Nullable [] issuers) {
      return new String[] {current.alias()};
    }

    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
      return null;
    }

    @Override
    public @Nullable String chooseClientAlias(
        String[] keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
      return null;
    }
  }
}
