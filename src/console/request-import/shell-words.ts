/** A command in the words that a shell hands to the program. */
export interface ShellCommand {
  words: string[];
  /** What a here-document (`<<EOF`) gives to the program. */
  stdin?: string;
  /** Whether a quote has no end. */
  isOpen: boolean;
}

/**
 * Returns the words of the first command of a text. Variables (`$TOKEN`) stay as they are written. Copies for cmd of Windows
 * are known by their carets.
 */
export function shellWords(text: string): ShellCommand {
  const isOfCmd = /\^[ \t]*\r?\n|\^"|\^\\\^"/.test(text) && !/\\\r?\n/.test(text);
  return isOfCmd ? wordsOf(withoutCarets(text), CMD) : wordsOf(text, POSIX);
}

/** What a piece of a command means for its words. */
interface Piece {
  /** Matches at the place where it is looked for. */
  at: RegExp;
  /** Whether it stands between words only. */
  isBetween?: boolean;
  /** The text that it adds to the word; null ends the word, undefined the command. */
  gives: (groups: string[]) => string | null | undefined;
}

const END = undefined;
const SPACE = null;

const POSIX: readonly Piece[] = [
  // Blanks behind the backslash are left by some editors.
  { at: /\\[ \t]*\r?\n/y, gives: () => SPACE },
  { at: /\r?\n(?=\s*(?:\$ )?curl\s)/y, gives: () => END },
  { at: /\s+/y, gives: () => SPACE },
  { at: /#[^\n]*/y, isBetween: true, gives: () => SPACE },
  { at: /(?:\d|&)?>[>&|]?\s*[^\s|;&]+|<\s*(?![<\w-]*>)[^\s|;&<]+/y, isBetween: true, gives: () => SPACE },
  { at: /\|\|?|&&|[;&](?=\s|$)/y, gives: () => END },
  { at: /'([^']*)'/y, gives: ([text = '']) => text },
  { at: /\$'((?:\\[\s\S]|[^\\'])*)'/y, gives: ([text = '']) => ansiText(text) },
  {
    at: /\$?"((?:\\[\s\S]|[^\\"])*)"/y,
    gives: ([text = '']) =>
      text.replace(/\\(?:([$`"\\])|\r?\n)/g, (_, kept: string | undefined) => kept ?? ''),
  },
  { at: /\\([\s\S])/y, gives: ([text = '']) => text },
  { at: /[^\s'"\\$|;&#<>]+|[\s\S]/y, gives: ([text = '']) => text },
];

/** The rules of programs that Windows starts. Browsers double backslashes for them. */
const CMD: readonly Piece[] = [
  { at: /\s+/y, gives: () => SPACE },
  { at: /&(?=\s|$)|\|/y, isBetween: true, gives: () => END },
  {
    at: /"((?:\\[\s\S]|""|[^\\"])*)"/y,
    gives: ([text = '']) => text.replaceAll('""', '"').replace(/\\(["\\])/g, '$1'),
  },
  { at: /\\(["\\])/y, gives: ([text = '']) => text },
  { at: /[\s\S]/y, gives: ([text = '']) => text },
];

/** A caret makes the next character plain. Before a line end it goes on with the next line; an empty line is then a line end. */
function withoutCarets(text: string): string {
  return text.replace(/\^(?:[ \t]*\r?\n(\r?\n)?|([\s\S]))/g, (_, empty?: string, plain?: string) => {
    if (plain !== undefined) return plain;
    return empty === undefined ? ' ' : '\n';
  });
}

function wordsOf(text: string, pieces: readonly Piece[]): ShellCommand {
  const { line, body } = withoutHereDocument(text);
  const words: string[] = [];
  let word: string | undefined;
  let isOpen = false;
  for (let at = 0; at < line.length; ) {
    const { length, gives, quote } = pieceAt(line, at, { pieces, isBetween: word === undefined });
    at += length;
    isOpen ||= quote;
    if (gives === END) break;
    if (gives !== SPACE) word = (word ?? '') + gives;
    else if (word !== undefined) {
      words.push(word);
      word = undefined;
    }
  }
  if (word !== undefined) words.push(word);
  return { words, isOpen, ...(body !== undefined && { stdin: body }) };
}

function pieceAt(
  line: string,
  at: number,
  { pieces, isBetween }: { pieces: readonly Piece[]; isBetween: boolean },
): { length: number; gives: string | null | undefined; quote: boolean } {
  for (const piece of pieces) {
    if (piece.isBetween === true && !isBetween) continue;
    piece.at.lastIndex = at;
    const [whole, ...groups] = piece.at.exec(line) ?? [];
    if (whole === undefined || whole === '') continue;
    if (piece !== pieces.at(-1)) return { length: whole.length, gives: piece.gives(groups), quote: false };
    if (whole !== '"' && whole !== "'") return { length: whole.length, gives: whole, quote: false };
    // A quote without an end holds all that is left.
    const rest = line.slice(at + 1);
    return { length: rest.length + 1, gives: rest, quote: true };
  }
  return { length: 1, gives: line[at] ?? '', quote: false };
}

/** Takes a here-document out of a command. */
function withoutHereDocument(text: string): { line: string; body?: string } {
  const start = /<<-?[ \t]*(['"]?)(\w+)\1([^\n]*)\n/.exec(text);
  if (start === null) return { line: text };
  const [whole, , mark = '', rest = ''] = start;
  const from = start.index + whole.length;
  const end = new RegExp(`^[ \\t]*${mark}[ \\t]*$`, 'm').exec(text.slice(from));
  if (end === null) return { line: text };
  const body = text.slice(from, from + end.index).replace(/\r?\n$/, '');
  return {
    line: `${text.slice(0, start.index)}${rest}${text.slice(from + end.index + end[0].length)}`,
    body,
  };
}

const LETTERS: Record<string, string> = {
  a: '\u0007',
  b: '\b',
  e: '\u001b',
  E: '\u001b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** Returns what `$'…'` stands for. Escaped bytes are UTF-8, or characters of Latin-1 as Firefox writes them. */
function ansiText(text: string): string {
  return text
    .replace(/(?:\\x[0-9a-f]{1,2}|\\[0-7]{1,3})+|\\u[0-9a-f]{1,4}|\\U[0-9a-f]{1,8}|\\[^ux0-7]/gi, (found) => {
      if (/^\\u/i.test(found)) return characterOf(Number.parseInt(found.slice(2), 16));
      if (/^\\[x0-7]/i.test(found)) return textOfCodes(found);
      const letter = found.slice(1);
      return LETTERS[letter] ?? letter;
    })
    .replaceAll('\0', '');
}

function characterOf(code: number): string {
  return code <= 0xffff ? String.fromCharCode(code) : String.fromCodePoint(Math.min(code, 0x10ffff));
}

function textOfCodes(escapes: string): string {
  const codes = escapes.match(/x[0-9a-f]+|[0-7]+/gi) ?? [];
  const bytes = codes.map((code) =>
    code[0]?.toLowerCase() === 'x' ? Number.parseInt(code.slice(1), 16) : Number.parseInt(code, 8) & 0xff,
  );
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes));
  } catch {
    return String.fromCharCode(...bytes);
  }
}
