/** Patterns of store errors that quote values; the rest of the text says what is wrong. */
const QUOTES: [RegExp, string][] = [
  [/(Duplicate entry )'[\s\S]*'( for key )/g, "$1'…'$2"],
  [/(value: )'[\s\S]*'( for (?:column|function) )/g, "$1'…'$2"],
  [/((?:Incorrect|Truncated incorrect|Invalid)[\w() ]* (?:value|string|format): )'[\s\S]*'/g, "$1'…'"],
  [/(\bnear )'[\s\S]*'( at line \d+)/g, "$1'…'$2"],
  [/(\bnear )"[\s\S]*"( at line \d+)/g, '$1"…"$2'],
  [/(convert (?:string )?)'[\s\S]*'( (?:from|to) )/gi, "$1'…'$2"],
  [/(with args beginning with: ).*/g, '$1…'],
];

/** A quoted text, with the word before it and a following `@`. */
const QUOTED = /(?:(\b\w+)\s+)?'(?:[^'\\]|\\.)*'(@?)/g;
/** Words before the name of a schema object, an account or a charset. */
const NAMED =
  /^(?:column|field|key|table|database|schema|view|index|constraint|trigger|function|procedure|collation|set|engine|user|host|variable|clause|plugin|in|for)$/i;

/** Removes the values that errors of the database and of Redis quote, anywhere in the text. */
export function withoutQuotedValues(text: string): string {
  if (!/['"]|beginning with/.test(text)) return text;
  return QUOTES.reduce((kept, [pattern, replacement]) => kept.replace(pattern, replacement), text);
}

/** Returns the text of a database error without any quoted value. */
export function driverText(text: string): string {
  return withoutQuotedValues(text).replace(QUOTED, (whole: string, word: string | undefined, at: string) => {
    if (at === '@' || (word !== undefined && NAMED.test(word))) return whole;
    return word === undefined ? "'…'" : `${word} '…'`;
  });
}
