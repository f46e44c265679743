package org.kblake.record.command;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.doctor.Diagnosis;
import org.kblake.cli.doctor.ExtensionTable;
import org.kblake.core.log.PairName;
import org.kblake.core.model.Group;
import org.kblake.record.log.StampsFile;

/** Examines what a standby goes on from: the stamps of groups, and ZooKeeper. Writes nothing. */
final class StandbyExamination {

  private static final int CONNECT_MILLIS = 1_000;
  private static final int MOST_SERVERS = 9;
  private static final int USUAL_PORT = 2181;

  private final Path root;
  private final Consumer<Diagnosis> diagnoses;

  /**
   * @param root the archive's root
   * @param diagnoses gets each result
   */
  StandbyExamination(Path root, Consumer<Diagnosis> diagnoses) {
    this.root = root;
    this.diagnoses = diagnoses;
  }

  /**
   * Compares the stamps of a group that a recorder of this machine records with the present time.
   *
   * @param keep how old they may be
   */
  void stamps(Group group, Instant now, Duration keep) {
    Instant written = newest(group);
    if (written == null) {
      return;
    }
    Duration age = Duration.between(written, now);
    String found = "stamps for a standby: " + group + ", " + age.toSeconds() + " s old";
    diagnoses.accept(
        age.compareTo(keep) <= 0
            ? Diagnosis.ok(ExtensionTable.RECORD, found)
            : Diagnosis.warning(
                ExtensionTable.RECORD,
                found + ": a standby would write again what it keeps",
                "look into the log of the recorder: it writes none without --standby, or its disk"
                    + " is full"));
  }

  /** Returns when stamps of a group were written last; null without any. */
  private @Nullable Instant newest(Group group) {
    Instant newest = null;
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(root.resolve(group.system()), ".*.stamps")) {
      for (Path file : files) {
        PairName pair = StampsFile.pair(String.valueOf(file.getFileName()));
        if (pair != null && pair.group().equals(group.name())) {
          Instant written = Files.getLastModifiedTime(file).toInstant();
          newest = newest == null || written.isAfter(newest) ? written : newest;
        }
      }
    } catch (IOException e) {
      // Another line says that a directory is away; a file that has gone is not stale.
      return newest;
    }
    return newest;
  }

  /**
   * Looks which servers accept connections.
   *
   * @param servers the setting, {@code HOST:PORT,HOST:PORT/PATH}
   */
  void zooKeeper(String servers) {
    int slash = servers.indexOf('/');
    List<String> all = List.of((slash < 0 ? servers : servers.substring(0, slash)).split(","));
    List<String> away = new ArrayList<>();
    for (String server : all.subList(0, Math.min(MOST_SERVERS, all.size()))) {
      String problem = problem(server.strip());
      if (problem != null) {
        away.add(problem);
      }
    }
    if (away.isEmpty()) {
      diagnoses.accept(
          Diagnosis.ok(ExtensionTable.RECORD, "ZooKeeper accepts connections: " + servers));
    } else {
      diagnoses.accept(
          Diagnosis.warning(
              ExtensionTable.RECORD,
              "ZooKeeper does not accept connections: " + String.join(", ", away),
              "start it, or correct zookeeper: without a majority another recorder begins only after 60 to 90 s"));
    }
  }

  private static @Nullable String problem(String server) {
    int colon = server.lastIndexOf(':');
    try (Socket socket = new Socket()) {
      int port = colon < 0 ? USUAL_PORT : Integer.parseInt(server.substring(colon + 1));
      String host = colon < 0 ? server : server.substring(0, colon);
      socket.connect(new InetSocketAddress(host, port), CONNECT_MILLIS);
      return null;
    } catch (IOException | IllegalArgumentException e) {
      return server + " (" + e.getMessage() + ")";
    }
  }
}
