/**
 * The rules of {@code kblake check}: numbers and thresholds come in, one line and a status as
 * Nagios wants them go out. Nothing is read here.
 */
@NullMarked
package org.kblake.cli.check;

import org.jspecify.annotations.NullMarked;
