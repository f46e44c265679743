package org.kblake.cli.command.look;

/** The output formats of a list of channels. The names are the option's values. */
enum ChannelsForm {
  text,
  json
}
