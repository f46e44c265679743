# shellcheck shell=bash
# Completion of kblake in bash and zsh. Read it with: source kblake.bash
#
# It completes commands, options, fixed values, files, and the groups and channels of the archive. The names of groups and
# channels come from kblake channels, for the settings on the line. They are kept in ${XDG_CACHE_HOME:-~/.cache}/kblake/names
# for less than a minute. A line with an archive that does not answer in five seconds is completed without them.

# Sets kind to what may follow: the options or the arguments of a command, or the values of an option. A kind is one of
#
#   words A B ...   one of these words
#   list A B ...    several of these words, with commas between them
#   channels        names of channels, with commas between them
#   groups          a group
#   files           a file or directory
#   any             a text that is not known
#   none            an option without a value
#
# An option whose value may be omitted has a kind that begins with "maybe".
_kblake_kind() {
  _kblake_extension "$1" && return
  case $1 in
# (the build inserts the commands here)
    *) kind= ;;
  esac
}

# Sets kind as the extensions of the program on the line say. Fails if none has the words.
_kblake_extension() {
  local name directory value
  kind=
  case $1 in
    'lake '* | 'record '* | 'import '*) ;;
    *) return 1 ;;
  esac
  if [ -z "$home" ]; then
    _kblake_value "${tokens[0]}"
    home=$(readlink -f "$(command -v "$value")" 2>/dev/null)
    home=${home%/bin/*}
  fi
  for name in lake record; do
    for directory in "${KBLAKE_EXTENSIONS:-$home/extensions}/$name" "$home/$name/target/documents"; do
      [ -r "$directory/completion.bash" ] || continue
      # shellcheck disable=SC1091
      . "$directory/completion.bash"
      "_kblake_kind_$name" "$1"
      break
    done
    [ -z "$kind" ] || return 0
  done
  return 1
}

# Divides the line up to the cursor into tokens without quotes. The last token is the one to complete. The shell replaces
# what follows the first $kept characters of it. open is the quotation mark before the cursor that is not closed.
_kblake_tokens() {
  local line=${COMP_LINE:0:$COMP_POINT} token='' quote='' begun='' i c
  tokens=()
  kept=0
  for ((i = 0; i < ${#line}; i++)); do
    c=${line:$i:1}
    if [ -n "$quote" ]; then
      if [ "$c" = "$quote" ]; then
        quote=
      else
        token+=$c
      fi
      continue
    fi
    case $c in
      ' ' | $'\t' | $'\n')
        [ -z "$begun" ] || tokens+=("$token")
        token='' begun='' kept=0
        continue
        ;;
      "'" | '"')
        quote=$c
        [ -z "$BASH_VERSION" ] || kept=${#token}
        ;;
      \\)
        i=$((i + 1))
        token+=${line:$i:1}
        ;;
      *)
        token+=$c
        # Bash completes what follows such a character.
        case $c$COMP_WORDBREAKS in
          :*:* | =*=*) kept=${#token} ;;
        esac
        ;;
    esac
    begun=true
  done
  tokens+=("$token")
  open=$quote
}

# Sets value to a word with a variable or ~ at its begin replaced. Nothing is executed.
_kblake_value() {
  local name rest
  value=$1
  case $1 in
    \~ | \~/*) value=$HOME${1#?} ;;
    '$'*)
      name=${1#'$'}
      case $name in
        '{'*'}'*) rest=${name#*'}'} name=${name#'{'} name=${name%%'}'*} ;;
        *) rest=${name#"${name%%[!A-Za-z0-9_]*}"} name=${name%%[!A-Za-z0-9_]*} ;;
      esac
      case $name in
        '' | [0-9]* | *[!A-Za-z0-9_]*) ;;
        *) eval "value=\${$name-}\$rest" ;;
      esac
      ;;
  esac
}

# Sets file to a file with the names of the groups or channels.
_kblake_names() {
  local directory=${XDG_CACHE_HOME:-$HOME/.cache}/kblake/names key value
  key=$(printf '%s\n' "$1" "$PWD" "$KBLAKE_ARCHIVE" "$KBLAKE_STORE" "$KBLAKE_CONFIG" "$KBLAKE_ZONE" "${settings[@]}" | cksum)
  file=$directory/${key// /-}
  [ -z "$(find "$file" -mmin -1 2>/dev/null)" ] || return 0
  _kblake_value "${tokens[0]}"
  command mkdir -p "$directory" 2>/dev/null && [ -w "$directory" ] || return 0
  find "$directory" -type f -mmin +60 -exec rm -f {} + 2>/dev/null
  if [ "$1" = groups ]; then
    timeout 5 "$value" channels --groups -q "${settings[@]}"
  else
    timeout 5 "$value" channels -q "${settings[@]}"
  fi </dev/null >"$file.$$" 2>/dev/null
  command mv -f "$file.$$" "$file"
}

# Puts the lines of standard input that begin with a text into COMPREPLY, each behind a prefix. Bash inserts them as they
# are, so characters that it would interpret get a backslash. zsh does this itself.
_kblake_reply() {
  local IFS=$'\n' globs=''
  case $- in
    *f*) ;;
    *) globs=true ;;
  esac
  set -f
  # shellcheck disable=SC2207
  COMPREPLY=($(WORD=$2 PREFIX=$1 KEPT=$kept OPEN=${ZSH_VERSION:+zsh}$open LC_ALL=C awk '
    BEGIN { word = ENVIRON["WORD"]; prefix = ENVIRON["PREFIX"]; kept = ENVIRON["KEPT"]; open = ENVIRON["OPEN"] }
    word == "" || index($0, word) == 1 {
      text = substr(prefix $0, kept + 1)
      if (open == "") gsub(/[^A-Za-z0-9_.,:=@%+\/\200-\377-]/, "\\\\&", text)
      if (open == "\"") gsub(/[$`"\\]/, "\\\\&", text)
      if (open == "\047") gsub(/\047/, "\047\\\047\047", text)
      print text
    }'))
  [ -z "$globs" ] || set +f
}

# Completes a text of a kind, behind a prefix of its word.
_kblake_complete() {
  local prefix=$1 word=$2 file
  case $kind in
    list* | channels)
      case $word in
        *,*) prefix=$prefix${word%,*}, word=${word##*,} ;;
      esac
      ;;
  esac
  case $kind in
    words* | list*)
      # shellcheck disable=SC2086
      _kblake_reply "$prefix" "$word" < <(set -f && printf '%s\n' ${kind#* })
      ;;
    channels | groups)
      _kblake_names "$kind"
      [ ! -r "$file" ] || _kblake_reply "$prefix" "$word" <"$file"
      ;;
  esac
  # Files are left to the shell.
  [ "$kind" = files ] || [ -n "$ZSH_VERSION" ] || compopt +o default 2>/dev/null
}

_kblake() {
  local -a tokens settings
  local kept open kind option='' command='' home='' word value i
  COMPREPLY=()
  settings=()
  _kblake_tokens
  for ((i = 1; i < ${#tokens[@]} - 1; i++)); do
    word=${tokens[$i]}
    if [ -n "$option" ]; then
      _kblake_value "$word"
      case $option in
        --archive | --store | --zone | --config) settings+=("$option" "$value") ;;
      esac
      option=
      continue
    fi
    case $word in
      --archive=* | --store=* | --zone=* | --config=*)
        _kblake_value "${word#*=}"
        settings+=("${word%%=*}" "$value")
        ;;
      -*=*) ;;
      -?*)
        _kblake_option "$word"
        case $kind in
          '' | none | maybe*) ;;
          *) option=$word ;;
        esac
        ;;
      *)
        _kblake_kind "$command arguments"
        case " $kind " in
          ' words'*" $word "*)
            _kblake_kind "${command:+$command }$word options"
            [ -z "$kind" ] || command=${command:+$command }$word
            ;;
        esac
        ;;
    esac
  done
  word=${tokens[$i]}
  if [ -n "$option" ]; then
    _kblake_option "$option"
    _kblake_complete '' "$word"
    return
  fi
  case $word in
    -*=*)
      _kblake_option "${word%%=*}"
      kind=${kind#maybe }
      _kblake_complete "${word%%=*}=" "${word#*=}"
      ;;
    -*)
      _kblake_kind "$command options"
      local own=$kind
      _kblake_kind ' options'
      [ -z "$command" ] || kind="$own ${kind#words }"
      _kblake_complete '' "$word"
      ;;
    *)
      _kblake_kind "$command arguments"
      _kblake_complete '' "$word"
      ;;
  esac
}

# Sets kind to that of the values of an option.
_kblake_option() {
  _kblake_kind "$command $1"
  [ -n "$kind" ] || _kblake_kind " $1"
}

if [ -n "$ZSH_VERSION" ]; then
  # zsh runs completions of bash.
  whence compdef >/dev/null || { autoload -Uz compinit && compinit; }
  autoload -Uz bashcompinit && bashcompinit
fi
complete -o default -F _kblake kblake
