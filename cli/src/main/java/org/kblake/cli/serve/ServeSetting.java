package org.kblake.cli.serve;

import static org.kblake.cli.settings.SettingType.ADDRESS;
import static org.kblake.cli.settings.SettingType.COUNT;
import static org.kblake.cli.settings.SettingType.FILE;
import static org.kblake.cli.settings.SettingType.SIZE;
import static org.kblake.cli.settings.SettingType.SWITCH;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.kblake.cli.settings.ListenAddress;
import org.kblake.cli.settings.SettingKey;
import org.kblake.cli.settings.SettingType;
import org.kblake.cli.settings.SettingsTable;
import org.kblake.server.settings.AddressBlock;

/** The keys of the table {@code serve} in kblake.toml. */
public final class ServeSetting {

  public static final SettingsTable TABLE = new SettingsTable("serve", " ");

  private static final SettingType<Duration> TIME = SettingType.durations("1ms", "1d");
  private static final SettingType<List<String>> NAMES =
      SettingType.list(SettingType.of("NAME", ServeSetting::host));
  private static final SettingType<List<AddressBlock>> BLOCKS =
      SettingType.list(SettingType.of("ADDRESS[/BITS]", AddressBlock::parse));

  public static final SettingKey<ListenAddress> LISTEN =
      TABLE
          .key("listen", ADDRESS, "127.0.0.1:17668")
          .means("HOST:PORT, `:17668` for all addresses")
          .option("Address to listen on; default: 127.0.0.1:17668.");
  public static final SettingKey<List<String>> HOST =
      TABLE
          .key("host", NAMES)
          .means("further names of this host in URLs, also of a proxy; in the key with commas")
          .option(
              "Name of this host in URLs, besides that of --listen. Requests with other names are refused. May be given more than once.");
  public static final SettingKey<Path> TOKEN_FILE =
      TABLE
          .key("token-file", FILE)
          .means("a file of tokens, one in a line")
          .option("File with the tokens that clients must send.");
  public static final SettingKey<List<AddressBlock>> ALLOW =
      TABLE
          .key("allow", BLOCKS)
          .means(
              "ADDRESS[/BITS] of clients that need no token, such as Phoebus; in the key with commas")
          .option("Clients that need no token. May be given more than once.");
  public static final SettingKey<Path> TLS_CERT =
      TABLE
          .key("tls-cert", FILE)
          .means("PEM: the certificate with those that sign it")
          .option("Certificate for TLS, in PEM.");
  public static final SettingKey<Path> TLS_KEY =
      TABLE
          .key("tls-key", FILE)
          .means("PEM: the key of the certificate (PKCS 8, no password)")
          .option("Private key of the certificate, in PEM (PKCS 8).");
  public static final SettingKey<Boolean> CORS =
      TABLE
          .key("cors", SWITCH, "no")
          .means(
              "yes: web pages of other hosts may use `/retrieval`, `/archappl_retrieve`, `/mgmt` and `/archive`")
          .option("Let web pages of other hosts use the paths of the Archiver Appliance.");
  public static final SettingKey<Boolean> INSECURE =
      TABLE
          .key("insecure", SWITCH, "no")
          .means("yes: listen off loopback without token or TLS; what is given still applies")
          .option("Listen off loopback even without token or without TLS.");
  public static final SettingKey<Boolean> REQUEST_LOG =
      TABLE
          .key("request-log", SWITCH, "no")
          .means(
              "yes: lines on standard error: time, client (ADDRESS, or NAME@ADDRESS of a token), method, path, status, bytes, milliseconds; `cut` after an answer without its end")
          .option("Write a line for each request to standard error.");
  public static final SettingKey<Integer> TRENDS =
      TABLE
          .key("trends", COUNT, "16")
          .means("trends, names, values at a time that are answered at once");
  public static final SettingKey<Integer> EXPORTS =
      TABLE.key("exports", COUNT, "4").means("answers with events at once");
  public static final SettingKey<Integer> STREAMS =
      TABLE.key("streams", COUNT, "64").means("streams of live values at once");
  public static final SettingKey<Integer> CONNECTIONS =
      TABLE
          .key("connections", COUNT, "4096")
          .means(
              "if there are more, the one that waits longest is closed; 16 are for this host only");
  public static final SettingKey<Integer> CONNECTIONS_PER_ADDRESS =
      TABLE
          .key("connections-per-address", COUNT, "512")
          .means("if one address (IPv6: 64 bits) has more, they are closed; not on this host");
  public static final SettingKey<Integer> REQUESTS_PER_CLIENT =
      TABLE
          .key("requests-per-client", COUNT, "200")
          .means("requests of a kind that one client has in work or waiting");
  public static final SettingKey<Duration> HEADER_TIME =
      TABLE
          .key("header-time", TIME, "15s")
          .means("a connection is closed if a header is not complete so long after its first byte");
  public static final SettingKey<Long> MIN_RATE =
      TABLE
          .key("least-rate", SIZE, "1k")
          .means(
              "a connection is closed if a body or an answer moves fewer bytes per second over `header-time`");
  public static final SettingKey<Long> MEMORY =
      TABLE
          .key("memory", SIZE)
          .means("what answers keep before writing; by default a quarter of the heap");
  public static final SettingKey<Duration> TREND_TIME =
      TABLE.key("trend-time", TIME, "1m").means("longest time of a trend");
  public static final SettingKey<Duration> EXPORT_TIME =
      TABLE.key("export-time", TIME, "30m").means("longest time of an answer with events");
  public static final SettingKey<Duration> IDLE =
      TABLE
          .key("idle", TIME, "30s")
          .means("a connection is closed if its client neither sends nor reads for so long");

  private ServeSetting() {}

  private static String host(String name) {
    if (name.isEmpty() || name.matches(".*[\\s/@].*|[^\\[:]*:\\d*")) {
      throw new IllegalArgumentException(
          "'" + name + "' is not the name of a host; write it without scheme, port and path");
    }
    return name;
  }
}
