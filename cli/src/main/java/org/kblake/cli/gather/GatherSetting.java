package org.kblake.cli.gather;

import static org.kblake.cli.settings.SettingType.ADDRESS;
import static org.kblake.cli.settings.SettingType.FILE;
import static org.kblake.cli.settings.SettingType.SWITCH;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.kblake.cli.settings.ListenAddress;
import org.kblake.cli.settings.SettingKey;
import org.kblake.cli.settings.SettingType;
import org.kblake.cli.settings.SettingsTable;
import org.kblake.transfer.collect.BuilderMap;
import org.kblake.transfer.shape.BitRate;
import org.kblake.transfer.shape.BuilderShare;

/** The keys of the table {@code gather} in kblake.toml. */
public final class GatherSetting {

  public static final SettingsTable TABLE = new SettingsTable(GatherSettings.NAME, ": ");

  private static final SettingType<BitRate> RATE = SettingType.of("RATE", BitRate::parse);
  private static final SettingType<BitRate> SENDING =
      RATE.in(rate -> rate.bitsPerSecond() >= 1_000_000, "must be at least 1mbit, found %s");
  private static final SettingType<Duration> TIME = SettingType.durations("100ms", "1h");

  public static final SettingKey<ListenAddress> LISTEN =
      TABLE
          .key("listen", ADDRESS, "127.0.0.1:17670")
          .means("HOST:PORT for control, `:17670` for all addresses")
          .option("Address to listen on; default: 127.0.0.1:17670.");
  public static final SettingKey<Integer> DATA_PORT =
      TABLE
          .key("data-port", SettingType.of("PORT", GatherSetting::port))
          .means("the port for data at the same address; by default the next one");
  public static final SettingKey<List<BuilderMap.Entry>> BUILDERS =
      TABLE
          .key("builders", SettingType.list(SettingType.of("NAME=GROUP", BuilderMap.Entry::parse)))
          .means("who gets which groups: NAME=SYSTEM/GROUP, NAME=SYSTEM/* or NAME=*, with commas")
          .option("Groups of a builder. May be given more than once. Without it each gets all.");
  public static final SettingKey<Duration> TAKEOVER =
      TABLE
          .key("takeover", TIME, "10s")
          .means("groups of a builder that is lost for so long go to the next one");
  public static final SettingKey<Duration> TIMEOUT =
      TABLE.key("timeout", TIME, "10s").means("a builder that is silent for so long is lost");
  public static final SettingKey<Path> TOKEN_FILE =
      TABLE
          .key("token-file", FILE)
          .means("a file of tokens; one with a name is valid for the builder of this name")
          .option("File with the tokens that builders must send.");
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
  public static final SettingKey<Boolean> INSECURE =
      TABLE
          .key("insecure", SWITCH, "no")
          .means("yes: listen off loopback without token or TLS; what is given still applies")
          .option("Listen off loopback even without token or without TLS.");

  public static final SettingKey<ListenAddress> METRICS_LISTEN =
      TABLE
          .key("metrics-listen", ADDRESS)
          .means("HOST:PORT for `/metrics`, `/health` and `/ready`, with the same tokens");

  public static final SettingKey<BitRate> DATA_RATE =
      TABLE
          .key("data-rate", SENDING)
          .means("what is sent of logs at most, such as 200mbit, where --tc is not allowed");
  public static final SettingKey<BitRate> BUILDER_RATE =
      TABLE.key("builder-rate", SENDING).means("the same for each builder");
  public static final SettingKey<String> TC_DEVICE =
      TABLE
          .key("tc-device", SettingType.of("NAME", text -> text))
          .means("with --tc: the network interface to the builders");
  public static final SettingKey<BitRate> TC_LINE =
      TABLE.key("tc-line", RATE).means("with --tc: its rate, such as 10gbit");
  public static final SettingKey<BitRate> TC_CONTROL =
      TABLE.key("tc-control", RATE, "10mbit").means("with --tc: rate that control gets at least");
  public static final SettingKey<BitRate> TC_DATA =
      TABLE.key("tc-data", RATE).means("with --tc: rate that data gets at most");
  public static final SettingKey<List<BuilderShare>> TC_BUILDERS =
      TABLE
          .key("tc-builders", SettingType.list(SettingType.of("HOST=RATE", BuilderShare::parse)))
          .means(
              "with --tc: HOST or HOST=RATE, with commas; a builder gets at most its RATE of data");

  private GatherSetting() {}

  private static int port(String text) {
    return ListenAddress.parse(":" + text).port();
  }
}
