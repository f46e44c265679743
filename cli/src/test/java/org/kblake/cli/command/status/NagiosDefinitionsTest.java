package org.kblake.cli.command.status;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.cli.check.CheckKind;

/** The packaged definitions for Nagios and NRPE. */
final class NagiosDefinitionsTest {

  private static final Path DIRECTORY = Path.of("../packaging/nagios");
  private static final String PROGRAM = "/opt/kblake/bin/kblake";
  private static final Pattern COMMAND =
      Pattern.compile("command_name +(\\S+)\\s+command_line +(.+)");
  private static final Pattern SERVICE = Pattern.compile("check_command +(\\S+)");
  private static final Pattern REMOTE = Pattern.compile("(?m)^command\\[(\\S+)\\]=(.+)$");

  @TempDir private Path directory;

  private static Map<String, String> found(Pattern pattern, String file) throws IOException {
    Map<String, String> found = new HashMap<>();
    Matcher matcher = pattern.matcher(Files.readString(DIRECTORY.resolve(file)));
    while (matcher.find()) {
      found.put(matcher.group(1), matcher.groupCount() == 1 ? "" : matcher.group(2));
    }
    return found;
  }

  /** Runs a command line. A wrong kind, option or threshold is an error on standard error. */
  private void assertAccepted(String line) throws IOException {
    List<String> words = new ArrayList<>(Arrays.asList(line.split(" +")));
    assertThat(words.remove(0)).isEqualTo(PROGRAM);
    assertThat(line).doesNotContain("$");
    Path settings = directory.resolve("kblake.toml");
    Files.writeString(settings, "archive = \"archive\"\nstore = \"store\"\n");
    Files.createDirectories(directory.resolve("archive"));
    words.replaceAll(word -> word.equals("/etc/kblake/kblake.toml") ? settings.toString() : word);
    KblakeRun run = KblakeRun.in(directory).run(words.toArray(new String[0]));
    assertThat(run.err()).as(line).isEmpty();
    assertThat(run.out()).as(line).startsWith("KBLAKE ");
  }

  @Test
  void servicesCallCommandsThatExist() throws IOException {
    Map<String, String> commands = found(COMMAND, "kblake.cfg");
    Map<String, String> services = found(SERVICE, "kblake.cfg");
    assertThat(services).hasSize(CheckKind.values().length);
    for (String service : services.keySet()) {
      String[] arguments = service.split("!");
      String line = String.valueOf(commands.get(arguments[0]));
      for (int i = 1; i < arguments.length; i++) {
        assertThat(line).as(service).contains("$ARG" + i + "$");
        line = line.replace("$ARG" + i + "$", arguments[i]);
      }
      assertAccepted(line);
    }
    assertAccepted(String.valueOf(commands.get("check_kblake")));
  }

  @Test
  void commandsOfTheDaemonAreAccepted() throws IOException {
    for (String line : found(REMOTE, "nrpe.cfg").values()) {
      assertAccepted(line);
    }
  }

  @Test
  void everyKindHasACommand() throws IOException {
    Map<String, String> here = found(COMMAND, "kblake.cfg");
    Map<String, String> remote = found(REMOTE, "nrpe.cfg");
    for (CheckKind kind : CheckKind.values()) {
      String name = "check_kblake_" + kind.toString().replace('-', '_');
      assertThat(String.valueOf(here.get(name))).contains(" check " + kind + " ");
      assertThat(String.valueOf(remote.get(name))).contains(" check " + kind + " ");
    }
    assertThat(remote.keySet()).isEqualTo(here.keySet());
  }

  @Test
  void wrongCommandsAreFound() {
    KblakeRun run = KblakeRun.in(directory).run("check", "stal", "-w", "1h");
    assertThat(run.err()).contains("no such kind");
  }
}
