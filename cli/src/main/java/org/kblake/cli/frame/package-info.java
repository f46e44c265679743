/**
 * The frame of all commands: declarations of options, common options, help, error reports, the
 * session of one run. No command is named here.
 */
@NullMarked
package org.kblake.cli.frame;

import org.jspecify.annotations.NullMarked;
