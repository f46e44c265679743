package org.kblake.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.transfer.build.Gatherer;
import org.kblake.transfer.build.GathererSettings;
import org.kblake.transfer.build.GathererSettings.Limits;
import org.kblake.transfer.build.GathererSettings.Source;
import org.kblake.transfer.collect.BuilderMap;
import org.kblake.transfer.collect.Collector;
import org.kblake.transfer.collect.CollectorSettings.Endpoint;
import org.kblake.transfer.fixture.Ends;
import org.kblake.transfer.fixture.Trees;

/** Transfers with TLS and tokens. */
@Timeout(120)
@SuppressWarnings("try") // collectors and builders work while they are open
class SecureTransferTest {

  private static final char[] PASSWORD = "password".toCharArray();

  @TempDir Path directory;

  private final Ends ends = new Ends();

  @Test
  void onlyABuilderWithTokenAndTrustGetsLogs() throws Exception {
    Path source = directory.resolve("source");
    Files.createDirectories(source.resolve("VA"));
    byte[] bytes = new byte[3_000_000];
    new SplittableRandom(1).nextBytes(bytes);
    Files.write(source.resolve("VA/CCG_20260101000000.log2"), bytes);
    SSLContext tls = tls();
    Endpoint endpoint =
        new Endpoint(
            Ends.local(0),
            Ends.local(0),
            () -> tls,
            (name, token) -> token.equals("secret-token-of-b") ? null : "the token is unknown");
    try (Collector collector =
        ends.collector(source, endpoint, new BuilderMap(List.of(), Duration.ZERO))) {
      assertGetsNothing(collector, "wrong", tls, "refused: the token is unknown");
      assertGetsNothing(collector, "secret-token-of-b", null, "collector is lost");
      assertGetsNothing(
          collector, "secret-token-of-b", SSLContext.getDefault(), "unable to find valid");
      Path target = Files.createDirectory(directory.resolve("target"));
      try (Gatherer builder = builder(target, collector, "secret-token-of-b", tls)) {
        ends.await("all", () -> Trees.areSame(source, target));
        assertThat(builder.connected()).isEqualTo(1);
      }
    }
    assertThat(ends.lines()).noneMatch(line -> line.contains("secret-token-of-b"));
  }

  private void assertGetsNothing(
      Collector collector, String token, @Nullable SSLContext tls, String said) throws Exception {
    Path target = Files.createTempDirectory(directory, "none");
    try (Gatherer builder = builder(target, collector, token, tls)) {
      ends.await(said, () -> ends.said(said));
      assertThat(builder.connected()).isZero();
    }
    assertThat(Trees.sizes(target)).isEmpty();
  }

  private Gatherer builder(Path root, Collector collector, String token, @Nullable SSLContext tls)
      throws Exception {
    Source source = new Source(collector.address(), "b", () -> token, tls);
    return Gatherer.start(
        new GathererSettings(root, List.of(source), Limits.none(), Ends.TIMEOUT, ends));
  }

  private SSLContext tls() throws Exception {
    Path file = directory.resolve("keys");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin/keytool").toString(),
                "-genkeypair",
                "-alias",
                "server",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=dns:localhost,ip:127.0.0.1",
                "-storepass",
                new String(PASSWORD),
                "-storetype",
                "PKCS12",
                "-keystore",
                file.toString())
            .inheritIO()
            .start();
    assertThat(keytool.waitFor(60, TimeUnit.SECONDS)).isTrue();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      keys.load(in, PASSWORD);
    }
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("server", keys.getCertificate("server"));
    KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    own.init(keys, PASSWORD);
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(own.getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }
}
