/**
 * Texts that users type and what they mean: times, durations, sizes, patterns, nearly right names.
 */
@NullMarked
package org.kblake.cli.argument;

import org.jspecify.annotations.NullMarked;
