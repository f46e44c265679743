/**
 * What commands that answer questions about channels share: channels as arguments, progress, notes
 * on missing and empty answers, files that appear when they are complete.
 */
@NullMarked
package org.kblake.cli.command.answer;

import org.jspecify.annotations.NullMarked;
