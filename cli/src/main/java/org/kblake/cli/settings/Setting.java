package org.kblake.cli.settings;

import org.jspecify.annotations.Nullable;

/**
 * A setting's present value.
 *
 * @param name the setting
 * @param value the text, or null if it is not set
 * @param source the origin as help shows it: {@code --zone}, {@code KBLAKE_ZONE}, a file, {@code
 *     default}, {@code not set}
 */
public record Setting(SettingName name, @Nullable String value, String source) {}
