package org.kblake.cli.format.text;

import java.time.ZoneId;
import org.kblake.cli.format.OutputFormat;
import org.kblake.cli.format.time.TimeStyle;

/**
 * The form of lines of events.
 *
 * @param format a text format: {@link OutputFormat#text}
 * @param style the style of times
 * @param zone the archive's zone
 * @param withGroup whether a column has the group
 * @param withStray whether a column marks strays
 */
public record LineForm(
    OutputFormat format, TimeStyle style, ZoneId zone, boolean withGroup, boolean withStray) {}
