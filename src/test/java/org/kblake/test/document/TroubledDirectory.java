package org.kblake.test.document;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.kblake.cli.KblakeRun;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.store.Store;
import org.kblake.core.model.Group;
import org.kblake.server.settings.AccessSettings;
import org.kblake.server.settings.AccessTokens;
import org.kblake.server.settings.ServerLimits;
import org.kblake.test.fixture.CommandFixture;
import org.kblake.test.fixture.OtherUser;
import org.kblake.test.fixture.Shell;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.server.ServedSample;

/**
 * A directory in which everything goes wrong that docs/troubleshooting.md describes.
 *
 * <p>{@code archive} and {@code store} are right. The archive {@code empty} has nothing, {@code
 * away} lacks a group, {@code damaged} has wrong bytes, {@code cut} a log without its end, {@code
 * halved} lacks an index, {@code shorter} has a log that is shorter than its copy in the mirror of
 * the store {@code mirrored}, {@code other} is another one. The store {@code wrong} has a damaged
 * block, {@code newer} a higher format, {@code locked} a writer, {@code earlier} one of an earlier
 * version, {@code elsewhere} one of another host; {@code full} has other files, {@code private}
 * belongs to another user, and {@code unreadable} cannot be opened. There are settings with
 * mistakes. USED is a port in use, GUARDED that of a server that wants a token.
 */
final class TroubledDirectory implements Closeable {

  /** Matches lines that run in this JVM: variables, a program, and words without a shell. */
  private static final Pattern PLAIN = Pattern.compile("((?:[A-Z_]+=\\S* )*)(kblake|kblogrd) (.*)");

  /** A time after the archive's. */
  private static final Instant NOW = Instant.parse("2024-06-01T00:00:00Z");

  private static final String AS_OTHER_USER = "OTHER kblake ";
  private static final int OTHER_USER = 4001;

  private final Path directory;
  private final List<Closeable> open = new ArrayList<>();
  private String used = "";
  private String guarded = "";

  TroubledDirectory(Path directory) {
    this.directory = directory;
  }

  void make() throws Exception {
    Files.createDirectories(directory);
    OtherUser.letIn(directory);
    OtherUser.letIn(Objects.requireNonNull(directory.toAbsolutePath().getParent()));
    run("kblake simulate --scale 0.1 --days 0.02 archive");
    run("kblake simulate --scale 0.1 --days 0.02 --seed 2 other");
    run("kblake backfill");
    makeArchives();
    makeStores();
    for (String name : List.of("full", "empty", "installed", "installed/bin", "installed/lib")) {
      Files.createDirectory(directory.resolve(name));
    }
    Files.writeString(directory.resolve("full/file"), "");
    for (String name : List.of("kblake", "launch.sh")) {
      Files.copy(Path.of("..", "..", "bin", name), directory.resolve("installed/bin/" + name));
    }
    Path anyones = Files.writeString(directory.resolve("open.toml"), "zone = \"UTC\"\n");
    Files.setPosixFilePermissions(anyones, PosixFilePermissions.fromString("rw-rw-rw-"));
    Files.writeString(
        directory.resolve("metrics.toml"),
        "archive = \"archive\"\nstore = \"store\"\n[run]\nlisten = \"0.0.0.0:0\"\n");
    Files.writeString(directory.resolve("unquoted.toml"), "archive = /kekblog\n");
    Files.writeString(directory.resolve("misspelled.toml"), "archiv = \"/kekblog\"\n");
    Files.writeString(directory.resolve("zone.toml"), "zone = \"Tokyo\"\n");
    Files.writeString(directory.resolve("empty.token"), "");
    Files.writeString(directory.resolve("token"), "0123456789abcdef");
    ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    open.add(socket);
    used = String.valueOf(socket.getLocalPort());
    ServedSample server =
        new ServedSample(
            directory.resolve("archive"),
            null,
            new AccessSettings(
                List.of(),
                AccessTokens.read(directory.resolve("token")),
                List.of(),
                false,
                null,
                false),
            ServerLimits.defaults(),
            null);
    open.add(server::close);
    guarded = String.valueOf(server.port());
  }

  private void makeArchives() throws IOException {
    Path archive = directory.resolve("archive");
    Path away = TestStores.copy(archive, directory.resolve("away"));
    Files.move(away.resolve("VA"), directory.resolve("unmounted"));
    Path damaged = TestStores.copy(archive, directory.resolve("damaged"));
    Path log = CommandFixture.find(damaged, "DCCT_20240520000000.log2");
    byte[] bytes = Files.readAllBytes(log);
    Arrays.fill(bytes, bytes.length / 2, bytes.length / 2 + 2000, (byte) -1);
    Files.write(log, bytes);
    Path cut = TestStores.copy(archive, directory.resolve("cut"));
    Path whole = CommandFixture.find(cut, "DCCT_20240520000000.log2");
    Files.write(whole, Arrays.copyOf(Files.readAllBytes(whole), (int) Files.size(whole) / 2));
    TestStores.closePairs(cut);
    Path shorter = TestStores.copy(archive, directory.resolve("shorter"));
    TestStores.closePairs(shorter);
    Archive known = Archive.open(shorter, ArchiveSettings.defaults());
    TestStores.storeForWriting(known, directory.resolve("mirrored")).close();
    List<Pair> pairs = known.pairs(new Group("BM", "DCCT"));
    Pair newest = pairs.get(pairs.size() - 1);
    TestStores.mirror(directory.resolve("mirrored"), directory.resolve("copies"), newest);
    try (FileChannel file = FileChannel.open(newest.logPath(), StandardOpenOption.WRITE)) {
      file.truncate(file.size() - 30);
    }
    TestStores.closePairs(shorter);
    Path halved = TestStores.copy(archive, directory.resolve("halved"));
    Files.delete(CommandFixture.find(halved, "DCCT_20240520000000.log1"));
  }

  private void makeStores() throws IOException {
    Path store = directory.resolve("store");
    Path wrong = TestStores.copy(store, directory.resolve("wrong"));
    Path columns = CommandFixture.block(wrong.resolve("BM/DCCT")).resolve("double.parquet");
    CommandFixture.flip(columns, Files.size(columns) / 2);
    Path properties =
        TestStores.copy(store, directory.resolve("newer")).resolve("kblake-store.properties");
    Files.writeString(
        properties, Files.readString(properties).replaceAll("(format|oldest-reader)=1", "$1=9"));
    Archive archive = Archive.open(directory.resolve("archive"), ArchiveSettings.defaults());
    Store locked = TestStores.storeForWriting(archive, directory.resolve("locked"));
    open.add(locked::close);
    writeHolder("earlier", "requests=yes");
    writeHolder("elsewhere", "requests=socket");
    // The superuser enters every directory. Nobody reads a directory as a file.
    Files.createDirectories(directory.resolve("unreadable/kblake-store.properties"));
    Path owned = Files.createDirectory(directory.resolve("private"));
    Files.setPosixFilePermissions(owned, PosixFilePermissions.fromString("r-xr-xr-x"));
  }

  private void writeHolder(String store, String requests) throws IOException {
    Files.writeString(
        Files.createDirectory(directory.resolve(store)).resolve("writer.lock"),
        "host=elsewhere.example pid=1 since=2024-05-20T00:00:00Z " + requests);
  }

  /** Runs a command, and returns what it prints. */
  String run(String command) throws IOException {
    String line = command.replace("USED", used).replace("GUARDED", guarded);
    Matcher plain = PLAIN.matcher(line);
    if (plain.matches()) {
      return plain(plain);
    }
    if (line.startsWith(AS_OTHER_USER)) {
      return asOtherUser(line.substring(AS_OTHER_USER.length()));
    }
    Shell.Result result = new Shell(directory).run("chmod +x installed/bin/kblake; " + line);
    return result.out() + result.err();
  }

  private String plain(Matcher line) {
    KblakeRun.Builder kblake =
        KblakeRun.in(directory)
            .at(NOW)
            .with("KBLAKE_ARCHIVE", "archive")
            .with("KBLAKE_STORE", "store");
    for (String variable : line.group(1).split(" ")) {
      if (!variable.isEmpty()) {
        String[] parts = variable.split("=", 2);
        kblake.with(parts[0], parts[1]);
      }
    }
    // Quotes and patterns are those of a shell.
    String words = new Shell(directory).run("set -f; printf '%s\\0' " + line.group(3)).out();
    KblakeRun run =
        line.group(2).equals("kblake")
            ? kblake.run(words.split("\0"))
            : kblake.kblogrd(words.split("\0"));
    return run.out() + run.err();
  }

  /** The superuser may write everywhere, and becomes another user first. */
  private String asOtherUser(String words) throws IOException {
    if (!Files.isWritable(directory.resolve("private"))) {
      return run("kblake " + words);
    }
    Path classes = Files.createDirectory(directory.resolve("classes"));
    OtherUser.letIn(classes);
    OtherUser user = new OtherUser(OTHER_USER, OtherUser.readableClassPath(classes));
    Shell.Result result =
        user.shell(
            directory, "KBLAKE_ARCHIVE=archive " + user.quotedKblake(List.of(words.split(" "))));
    return result.out() + result.err();
  }

  @Override
  public void close() throws IOException {
    for (Closeable each : open) {
      each.close();
    }
  }
}
