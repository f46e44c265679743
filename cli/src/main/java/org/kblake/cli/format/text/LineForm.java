package org.kblake.cli.format.text;

import java.time.ZoneId;
import org.kblake.cli.format.OutputFormat;
import org.kblake.cli.format.time.TimeStyle;

/**
 * What lines of events look like.
 *
 * @param format a text format: {@link OutputFormat#text}
 * @param style how times are written
 * @param zone of the archive
 * @param withGroup whether a column has the group
 * @param withStray whether a column marks strays
 */
public record LineForm(
    OutputFormat format, TimeStyle style, ZoneId zone, boolean withGroup, boolean withStray) {}
