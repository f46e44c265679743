package org.kblake.lake;

import org.jspecify.annotations.Nullable;
import org.kblake.cli.command.shared.CodecName;
import org.kblake.cli.frame.CommandModel;
import org.kblake.cli.frame.OptionalValue;
import org.kblake.core.internal.parquet.page.Codec;

/** The compression of data files. */
final class CodecOption {

  private final OptionalValue<CodecName> name;

  /** Adds the option to a command. */
  CodecOption(CommandModel model) {
    name =
        model.value(
            CodecName.class,
            "CODEC",
            "Write files of the store again that are not compressed with CODEC, for engines that"
                + " do not read theirs, such as Trino: one of ${COMPLETION-CANDIDATES}. Files that"
                + " are in the tables stay. Default: files keep their compression.",
            "--codec");
  }

  /** Returns the compression, or null if files keep theirs. */
  @Nullable Codec codec() {
    CodecName chosen = name.get();
    return chosen == null ? null : chosen.codec();
  }
}
