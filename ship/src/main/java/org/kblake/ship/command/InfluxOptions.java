package org.kblake.ship.command;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.frame.CommandModel;
import org.kblake.cli.frame.OptionalValue;
import org.kblake.cli.frame.Session;
import org.kblake.cli.frame.Value;
import org.kblake.cli.settings.TrustedFile;
import org.kblake.ship.influx.InfluxDestination;
import org.kblake.ship.influx.InfluxVersion;

/** The options that name a database, and who writes to it. */
final class InfluxOptions {

  private final Session session;
  private final Value<String> url;
  private final Value<String> api;
  private final Value<String> database;
  private final OptionalValue<String> policy;
  private final OptionalValue<String> organisation;
  private final OptionalValue<Path> token;
  private final OptionalValue<String> user;

  InfluxOptions(CommandModel model, Session session) {
    this.session = session;
    url = model.argument(String.class, "URL", "The server, such as http://host:8086.");
    api =
        model.choice(
            List.of("1", "2", "3"),
            "1",
            "VERSION",
            "The version of InfluxDB: 1, 2 or 3. Default: ${DEFAULT-VALUE}.",
            "--api");
    database =
        model.required(
            String.class, "NAME", "The database; the bucket of version 2.", "--database");
    policy =
        model.value(
            String.class,
            "NAME",
            "The retention policy of version 1. Default: that of the database.",
            "--retention-policy");
    organisation = model.value(String.class, "NAME", "The organisation of version 2.", "--org");
    token =
        model.value(
            Path.class,
            "FILE",
            "A file with the token of version 2 or 3, or with the password of --user.",
            "--token-file");
    user = model.value(String.class, "NAME", "The user of version 1.", "--user");
  }

  InfluxDestination destination() throws IOException {
    if (!url.get().matches("https?://[^/?#@]+/*")) {
      throw new UsageException("URL is not http://HOST:PORT or https://HOST:PORT: " + url.get());
    }
    InfluxVersion version = InfluxVersion.valueOf("V" + api.get());
    if (policy.isGiven() && version != InfluxVersion.V1
        || organisation.isGiven() != (version == InfluxVersion.V2)
        || user.isGiven() && version != InfluxVersion.V1) {
      throw new UsageException(
          "--retention-policy and --user are for --api 1, --org is needed for --api 2 only");
    }
    String scope = policy.isGiven() ? policy.get() : organisation.get();
    return new InfluxDestination(
        version, url.get(), database.get(), scope == null ? "" : scope, authorization(version));
  }

  private String authorization(InfluxVersion version) throws IOException {
    Path file = token.get();
    String name = user.get();
    if (file == null) {
      if (name != null) {
        throw new UsageException("--user needs the password: --token-file FILE");
      }
      return "";
    }
    String secret = secret(session.path(file));
    if (url.get().startsWith("http:")
        && !url.get().matches("http://(127\\.|localhost[:/]|localhost$|\\[::1]).*")) {
      session.report("the token of " + file + " goes over the network unencrypted: " + url.get());
    }
    return switch (version) {
      case V1 -> "Basic " + basic(name, secret);
      case V2 -> "Token " + secret;
      case V3 -> "Bearer " + secret;
    };
  }

  /** Reads one line, which messages do not show. */
  private static String secret(Path file) throws IOException {
    TrustedFile.check(file);
    String secret = Files.readString(file).strip();
    if (!secret.matches("[!-~]([ -~]*[!-~])?")) {
      throw new UsageException("--token-file is not one line of ASCII characters: " + file);
    }
    return secret;
  }

  private static String basic(@Nullable String name, String secret) {
    if (name == null) {
      throw new UsageException("--token-file needs --user with --api 1");
    }
    return Base64.getEncoder()
        .encodeToString((name + ":" + secret).getBytes(StandardCharsets.UTF_8));
  }
}
