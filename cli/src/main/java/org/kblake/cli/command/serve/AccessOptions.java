package org.kblake.cli.command.serve;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.frame.Flag;
import org.kblake.cli.frame.OptionalValue;
import org.kblake.cli.frame.Options;
import org.kblake.cli.frame.Values;
import org.kblake.cli.serve.ServeSetting;

/** The options that say who may ask a server. */
final class AccessOptions {

  private static final List<String> YES = List.of("yes");

  private final Values<String> hosts;
  private final OptionalValue<Path> token;
  private final Values<String> allowed;
  private final OptionalValue<Path> certificate;
  private final OptionalValue<Path> key;
  private final Flag cors;
  private final Flag insecure;

  AccessOptions(Options options) {
    hosts =
        options.values(
            String.class,
            "NAME",
            "Name of this host in URLs, besides that of --listen. Requests with other names are"
                + " refused. May be given more than once.",
            "--host");
    token =
        options.value(
            Path.class, "FILE", "File with the tokens that clients must send.", "--token-file");
    allowed =
        options.values(
            String.class,
            "ADDRESS[/BITS]",
            "Clients that need no token. May be given more than once.",
            "--allow");
    certificate = options.value(Path.class, "FILE", "Certificate for TLS, in PEM.", "--tls-cert");
    key =
        options.value(
            Path.class, "FILE", "Private key of the certificate, in PEM (PKCS 8).", "--tls-key");
    cors =
        options.flag(
            "Let web pages of other hosts use the paths of the Archiver Appliance.", "--cors");
    insecure = options.flag("Listen off loopback even without token or without TLS.", "--insecure");
  }

  /** Returns the given options. */
  Map<ServeSetting, String> given() {
    Map<ServeSetting, String> given = new EnumMap<>(ServeSetting.class);
    put(given, ServeSetting.HOST, hosts.get());
    put(given, ServeSetting.TOKEN_FILE, one(token.get()));
    put(given, ServeSetting.ALLOW, allowed.get());
    put(given, ServeSetting.TLS_CERT, one(certificate.get()));
    put(given, ServeSetting.TLS_KEY, one(key.get()));
    put(given, ServeSetting.CORS, cors.isSet() ? YES : List.of());
    put(given, ServeSetting.INSECURE, insecure.isSet() ? YES : List.of());
    return given;
  }

  private static List<String> one(@Nullable Path file) {
    return file == null ? List.of() : List.of(file.toString());
  }

  private static void put(
      Map<ServeSetting, String> given, ServeSetting setting, List<String> values) {
    if (!values.isEmpty()) {
      given.put(setting, String.join(",", values));
    }
  }
}
