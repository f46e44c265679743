package org.kblake.cli.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.kblake.core.model.Group;
import org.kblake.format.argument.ByteSize;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/** Parses command lines with a program of one command. */
final class CommandModelTest {

  /** The names are the option's values. */
  enum Colour {
    red,
    green
  }

  private final CommandModel model =
      CommandModel.of("paint", "Paint a wall.")
          .description("", "Paints it once.")
          .footer("  program paint");

  private final Values<Path> walls = model.arguments(Path.class, "WALL", "The walls.");
  private final Flag twice = model.flag("Paint it twice.", "-2", "--twice");

  private final OptionalValue<Duration> pause =
      model.value(Duration.class, "TIME", "A pause.", "--pause");

  private final Value<ByteSize> bucket =
      model.preset(ByteSize.class, "2K", "SIZE", "Default: ${DEFAULT-VALUE}.", "--bucket");

  private final Value<Colour> colour =
      model.preset(Colour.class, "red", "COLOUR", "${COMPLETION-CANDIDATES}.", "--colour");

  private final Value<String> brush =
      model.choice(List.of("broad", "narrow"), "broad", "NAME", "The brush.", "--brush");

  private final Values<Group> groups =
      model.values(Group.class, "GROUP", "The groups.", "-g", "--group");

  private final CommonOptions common = new CommonOptions();

  private CommandLine program() {
    CommandLine program = CommandModel.of("program", "A program.").line(null);
    common.addTo(program);
    return program.addSubcommand(model.line(null));
  }

  private void parse(String... args) {
    program().parseArgs(args);
  }

  /** The help shows options in the order of the declaration, and common options last. */
  @Test
  void optionsHaveTheOrderOfTheirDeclaration() {
    CommandLine line = Objects.requireNonNull(program().getSubcommands().get("paint"));
    CommandSpec command = line.getCommandSpec();
    List<String> names = new ArrayList<>();
    for (OptionSpec option : command.options()) {
      names.add(option.longestName());
    }
    assertThat(names)
        .startsWith(
            "--twice",
            "--pause",
            "--bucket",
            "--colour",
            "--brush",
            "--group",
            "--help",
            "--version",
            "--quiet")
        .endsWith("--zone", "--out-zone");
    assertThat(command.findOption("--quiet").order()).isEqualTo(100);
    assertThat(command.findOption("--zone").order()).isEqualTo(108);
    assertThat(command.findOption("--bucket").description()).containsExactly("Default: 2K.");
    assertThat(command.findOption("--colour").description()).containsExactly("red, green.");
    assertThat(command.usageMessage().header()).containsExactly("Paint a wall.");
    assertThat(command.usageMessage().description()).containsExactly("", "Paints it once.");
    assertThat(command.usageMessage().footer()).containsExactly("  program paint");
  }

  @Test
  void omittedOptionsHaveTheirDefaults() {
    parse("paint");
    assertThat(walls.get()).isEmpty();
    assertThat(twice.isSet()).isFalse();
    assertThat(pause.get()).isNull();
    assertThat(pause.isGiven()).isFalse();
    assertThat(bucket.get()).isEqualTo(new ByteSize(2048));
    assertThat(colour.get()).isEqualTo(Colour.red);
    assertThat(brush.get()).isEqualTo("broad");
    assertThat(groups.get()).isEmpty();
    assertThat(common.quiet()).isFalse();
    assertThat(common.color()).isEqualTo(ColorMode.auto);
  }

  @Test
  void valuesAreParsedByTheirType() {
    parse("paint", "-2", "north", "--pause=90s", "--bucket", "1M", "--colour", "GREEN", "south");
    assertThat(walls.get()).containsExactly(Path.of("north"), Path.of("south"));
    assertThat(twice.isSet()).isTrue();
    assertThat(pause.get()).isEqualTo(Duration.ofSeconds(90));
    assertThat(pause.isGiven()).isTrue();
    assertThat(bucket.get()).isEqualTo(new ByteSize(1 << 20));
    assertThat(colour.get()).isEqualTo(Colour.green);
  }

  @Test
  void listHasTheValuesOfAllOccurrences() {
    parse("paint", "-g", "VA/CCG", "--group=RF/AnalogData", "-gBM/DCCT");
    assertThat(groups.get())
        .containsExactly(
            Group.parse("VA/CCG"), Group.parse("RF/AnalogData"), Group.parse("BM/DCCT"));
  }

  /** A common option is the same option before and after the command's name. */
  @Test
  void commonOptionsMayPrecedeOrFollowTheCommand() {
    parse("-q", "--color", "never", "paint", "--config", "a.toml");
    assertThat(common.quiet()).isTrue();
    assertThat(common.color()).isEqualTo(ColorMode.never);
    assertThat(common.config()).isEqualTo(Path.of("a.toml"));
    parse("--config", "b.toml", "paint", "--color=always", "-q");
    assertThat(common.quiet()).isTrue();
    assertThat(common.color()).isEqualTo(ColorMode.always);
    assertThat(common.config()).isEqualTo(Path.of("b.toml"));
    parse("paint");
    assertThat(common.quiet()).isFalse();
    assertThat(common.color()).isEqualTo(ColorMode.auto);
    assertThat(common.config()).isNull();
    assertThatThrownBy(() -> parse("paint", "--config", "a", "--config", "b"))
        .isInstanceOf(ParameterException.class)
        .hasMessage("option '--config' (FILE) should be specified only once");
  }

  /** A default is not given. */
  @Test
  void givenAreTheOptionsOfTheCommandLine() {
    parse("paint", "--colour", "red", "--pause", "1s");
    assertThat(model.given("--bucket", "--pause", "--colour"))
        .containsExactly("--pause", "--colour");
  }

  @Test
  void wrongValueNamesTheOptionAndTheForm() {
    assertThatThrownBy(() -> parse("paint", "--colour", "blue"))
        .hasMessage("Invalid value for option '--colour': 'blue' is not one of red, green");
    assertThatThrownBy(() -> parse("paint", "-g", "VACCG"))
        .hasMessage("Invalid value for option '--group' (GROUP): group is not SYSTEM/NAME: VACCG");
  }

  @Test
  void requiredOptionsAndArgumentsMustBeGiven() {
    CommandModel strict = CommandModel.of("strict", "Need all.");
    Value<Path> from = strict.argument(Path.class, "FROM", "The source.");
    Value<Integer> count = strict.required(int.class, "N", "The count.", "--count");
    Values<Group> named = strict.requiredValues(Group.class, "GROUP", "The group.", "-g");
    CommandLine line = strict.line(null);
    line.parseArgs("-g", "VA/CCG", "a", "--count", "3");
    assertThat(from.get()).isEqualTo(Path.of("a"));
    assertThat(count.get()).isEqualTo(3);
    assertThat(named.get()).containsExactly(Group.parse("VA/CCG"));
    assertThatThrownBy(() -> line.parseArgs("-g", "VA/CCG", "--count", "3"))
        .isInstanceOf(MissingParameterException.class)
        .hasMessage("Missing required parameter: 'FROM'");
    assertThatThrownBy(() -> line.parseArgs("a", "--count", "3"))
        .hasMessage("Missing required option: '-g=GROUP'");
    assertThatThrownBy(() -> line.parseArgs("a", "-g", "VA/CCG"))
        .hasMessage("Missing required option: '--count=N'");
  }

  @Test
  void optionalArgumentMayBeOmitted() {
    CommandModel lenient = CommandModel.of("lenient", "Need nothing.");
    OptionalValue<Path> to = lenient.optionalArgument(Path.class, "TO", "The target.");
    CommandLine line = lenient.line(null);
    line.parseArgs();
    assertThat(to.get()).isNull();
    line.parseArgs("b");
    assertThat(to.get()).isEqualTo(Path.of("b"));
  }
}
