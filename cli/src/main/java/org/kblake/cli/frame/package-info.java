/**
 * What all commands share: the common options, settings and where they came from, exit statuses,
 * error lines, standard output. Knows no command.
 */
@NullMarked
package org.kblake.cli.frame;

import org.jspecify.annotations.NullMarked;
