/**
 * The rules of {@code kblake check}: they make one line and a status for Nagios of figures and
 * thresholds. No file is read here.
 */
@NullMarked
package org.kblake.cli.check;

import org.jspecify.annotations.NullMarked;
