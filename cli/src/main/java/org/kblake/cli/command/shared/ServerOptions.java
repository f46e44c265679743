package org.kblake.cli.command.shared;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.frame.CommandModel;
import org.kblake.cli.frame.OptionalValue;
import org.kblake.cli.frame.Session;
import org.kblake.query.RemoteReader;
import org.kblake.query.question.Source;

/** The options that name a server in place of the archive and the store. */
public final class ServerOptions {

  private static final String TOKEN_VARIABLE = "KBLAKE_TOKEN";
  private static final int MAX_TOKEN_BYTES = 4096;
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  private final OptionalValue<String> server;
  private final OptionalValue<Path> tokenFile;
  private final OptionalValue<Duration> timeout;

  /** Adds the options to a command. */
  public ServerOptions(CommandModel model) {
    server =
        model.value(
            String.class,
            "URL",
            "Read from kblake serve at this address, such as http://HOST:17668. If it is away, raw"
                + " logs of --archive are read, if that is set.",
            "--server");
    tokenFile =
        model.value(
            Path.class,
            "FILE",
            "File with the token of --server; default: the variable KBLAKE_TOKEN.",
            "--token-file");
    timeout =
        model.value(
            Duration.class,
            "DURATION",
            "The longest silence of --server before it counts as away; default: 1min.",
            "--server-timeout");
  }

  /** Returns whether a server is named. */
  public boolean isGiven() {
    if (!server.isGiven() && (tokenFile.isGiven() || timeout.isGiven())) {
      throw new UsageException("--token-file and --server-timeout need --server");
    }
    return server.isGiven();
  }

  /**
   * Returns the server. Nothing is sent yet.
   *
   * @return the caller closes it
   * @throws UsageException if the address is wrong
   */
  public RemoteReader open(Session session) throws IOException {
    Duration silence = timeout.get();
    if (silence != null && silence.toMillis() <= 0) {
      throw new UsageException("--server-timeout must be at least 1ms");
    }
    boolean hasArchive = session.settings().archiveIfSet() != null;
    return new RemoteReader(
        address(String.valueOf(server.get())),
        token(session),
        silence == null ? TIMEOUT : silence,
        hasArchive ? () -> ReaderOpening.open(session, Source.RAW) : null,
        session::note);
  }

  private static URI address(String text) {
    try {
      URI uri = URI.create(text);
      String scheme = uri.getScheme();
      if (("http".equals(scheme) || "https".equals(scheme))
          && uri.getHost() != null
          && uri.getUserInfo() == null
          && uri.getQuery() == null
          && uri.getFragment() == null) {
        return uri;
      }
    } catch (IllegalArgumentException e) {
      // The error below names the address.
    }
    throw new UsageException("--server is http://HOST:PORT or https://HOST:PORT, found " + text);
  }

  private @Nullable String token(Session session) throws IOException {
    Path file = tokenFile.get();
    if (file == null) {
      String variable = session.environment().variables().get(TOKEN_VARIABLE);
      return variable == null || variable.isEmpty() ? null : checked(variable, TOKEN_VARIABLE);
    }
    Path path = session.path(file);
    if (Files.size(path) > MAX_TOKEN_BYTES) {
      throw new UsageException("--token-file: the file is longer than a token: " + file);
    }
    String text = Files.readString(path, StandardCharsets.ISO_8859_1).strip();
    return checked(text, "--token-file " + file);
  }

  private static String checked(String token, String origin) {
    for (int i = 0; i < token.length(); i++) {
      if (token.charAt(i) <= ' ' || token.charAt(i) > '~') {
        throw new UsageException(origin + ": a token has no blanks and only ASCII characters");
      }
    }
    if (token.isEmpty()) {
      throw new UsageException(origin + ": there is no token");
    }
    return token;
  }
}
