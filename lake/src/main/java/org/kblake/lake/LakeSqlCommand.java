package org.kblake.lake;

import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import org.kblake.cli.command.shared.GroupChoice;
import org.kblake.cli.command.shared.GroupOption;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.error.RequestException;
import org.kblake.cli.frame.Command;
import org.kblake.cli.frame.CommandModel;
import org.kblake.cli.frame.Session;
import org.kblake.cli.frame.Value;
import org.kblake.core.model.Group;
import org.kblake.lake.publish.LakeErrors;
import org.kblake.lake.table.LakeCatalog;
import org.kblake.lake.table.LakeTable;
import org.kblake.lake.view.Engine;
import org.kblake.lake.view.LakeViews;

/** {@code kblake lake sql}: prints views of DuckDB or Spark over the tables. */
public final class LakeSqlCommand implements Command {

  private final Session session;
  private final CommandModel model =
      CommandModel.of("sql", "Print views of DuckDB or Spark over the tables.")
          .description(
              "",
              "Prints SQL of views over the present snapshots of the tables at LOCATION. VA_CCG has"
                  + " the value events of all channels with single numbers, without strays."
                  + " VA_CCG_held has the values that these channels held, each with its begin and"
                  + " its end: the next value, a stop of the archiver, or a disconnection."
                  + " VA_CCG_mean has their means over time for each hour, and the seconds in which"
                  + " the value was known. VA_CCG_enum and so on have all rows of a table, and"
                  + " VA_CCG_enum_held its held values. kblake_coverage and kblake_channels tell"
                  + " when the archiver wrote, and what is known of channels.",
              "",
              "The views read the snapshots of now, whatever is published later. Print them again"
                  + " for newer ones. kblake_ns(TIMESTAMP) returns nanoseconds since 1970 UTC: a"
                  + " condition on time_ns lets the engine skip files.")
          .footer(
              "  kblake lake publish -q tables && kblake lake sql tables",
              "  kblake lake sql --engine spark --name lake tables");

  private final CatalogOptions catalogs;
  private final GroupOption groups = new GroupOption(model);

  private final Value<Engine> engine =
      model.preset(
          Engine.class,
          "duckdb",
          "ENGINE",
          "${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.",
          "--engine");

  private final Value<String> name =
      model.preset(
          String.class,
          "lake",
          "NAME",
          "The name of the catalog in Spark. Default: ${DEFAULT-VALUE}.",
          "--name");

  public LakeSqlCommand(Session session) {
    this.session = session;
    catalogs = new CatalogOptions(model, session);
  }

  @Override
  public CommandModel model() {
    return model;
  }

  @Override
  public Integer call() throws IOException {
    try (LakeCatalog catalog = catalogs.open();
        Writer out = session.text()) {
      // The coverage first: events are published before it. So no value is held too long.
      List<LakeTable> site = withSnapshot(catalog.siteTables());
      if (!LakeViews.hasCoverage(site)) {
        throw new RequestException(
            "tables have no coverage: location="
                + catalog.location()
                + "; publish again with this version of kblake");
      }
      List<Group> all = LakeGroups.of(catalog, List.of());
      LakeViews views = new LakeViews(engine.get(), name.get(), all, out);
      views.writeHead(site);
      for (Group group : GroupChoice.of(groups.named(), all, "the tables")) {
        views.write(group, withSnapshot(catalog.tables(group)));
      }
      return ExitStatus.DONE;
    } catch (RequestException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new RequestException("tables cannot be read: " + LakeErrors.line(e));
    }
  }

  private static List<LakeTable> withSnapshot(List<LakeTable> tables) {
    List<LakeTable> present = new ArrayList<>(tables);
    present.removeIf(table -> table.snapshot() == null);
    return present;
  }
}
