import { StreamLanguage, type StringStream } from '@codemirror/language';

/** The state in which the colouring of a line begins. */
interface Place {
  /** The column of the last key or dash. */
  column: number;
  /** A block of text is open: further in than this, all is text. */
  block: number | undefined;
}

const KEY =
  /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s#"'[\]{},&*!|>%@`-](?:[^:#]|:(?!\s|$)|\S#)*?)(?=\s*:(?:\s|$))/;
const PLAIN_VALUE = /^(?:-?\d[\d.eE+-]*|true|false|null|~)(?=\s*(?:$|\s#|[,\]}]))/;
const QUOTED = /^(?:"(?:[^"\\]|\\.)*"?|'(?:[^']|'')*'?)/;

/** The colours of YAML: keys, texts, numbers and comments. */
export const yamlColours = StreamLanguage.define<Place>({
  name: 'yaml',
  startState: () => ({ column: 0, block: undefined }),
  token: (stream, place) => {
    if (stream.sol() && place.block !== undefined) {
      if (stream.eol() || stream.indentation() > place.block) {
        stream.skipToEnd();
        return 'string';
      }
      place.block = undefined;
    }
    if (stream.eatSpace()) return null;
    return tokenAt(stream, place);
  },
  languageData: { commentTokens: { line: '#' } },
});

function tokenAt(stream: StringStream, place: Place): string | null {
  const column = stream.column();
  if (stream.match(/^#.*/)) return 'comment';
  if (stream.match(/^-(?=\s|$)/)) {
    place.column = column;
    return null;
  }
  if (stream.match(/^[|>][-+\d]*(?=\s*(?:$|#))/)) {
    place.block = place.column;
    return 'keyword';
  }
  if (stream.match(KEY)) {
    place.column = column;
    return 'propertyName';
  }
  if (stream.match(PLAIN_VALUE)) return 'number';
  if (stream.match(QUOTED)) return 'string';
  if (stream.match(/^[[\]{},:]/)) return null;
  if (stream.match(/^(?:[^\s,[\]{}]|\s(?!#))+/) === null) stream.next();
  return 'string';
}
