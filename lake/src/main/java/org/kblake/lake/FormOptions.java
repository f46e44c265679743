package org.kblake.lake;

import org.kblake.cli.command.shared.CodecName;
import org.kblake.cli.frame.CommandModel;
import org.kblake.cli.frame.Flag;
import org.kblake.cli.frame.OptionalValue;
import org.kblake.lake.publish.DataForm;

/** What data files have beside their rows. */
final class FormOptions {

  private final OptionalValue<CodecName> name;
  private final Flag fieldIds;

  /** Adds the options to a command. */
  FormOptions(CommandModel model) {
    name =
        model.value(
            CodecName.class,
            "CODEC",
            "Write files of the store again that are not compressed with CODEC, for engines that"
                + " do not read theirs, such as Trino: one of ${COMPLETION-CANDIDATES}. Files that"
                + " are in the tables stay. Default: files keep their compression.",
            "--codec");
    fieldIds =
        model.flag(
            "Write files of the store again, so that their columns have ids: for engines that do"
                + " not find columns by name, such as Daft. Files that are in the tables stay.",
            "--field-ids");
  }

  /** Returns what data files must have. */
  DataForm form() {
    CodecName chosen = name.get();
    return new DataForm(chosen == null ? null : chosen.codec(), fieldIds.isSet());
  }
}
