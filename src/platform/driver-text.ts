/** Where a store's error text quotes values; the rest of it says what is wrong. */
const QUOTES: [RegExp, string][] = [
  [/(Duplicate entry )'[\s\S]*'( for key )/g, "$1'…'$2"],
  [/(value: )'[\s\S]*'( for (?:column|function) )/g, "$1'…'$2"],
  [/((?:Incorrect|Truncated incorrect|Invalid)[\w() ]* (?:value|string|format): )'[\s\S]*'/g, "$1'…'"],
  [/(\bnear )'[\s\S]*'( at line \d+)/g, "$1'…'$2"],
  [/(\bnear )"[\s\S]*"( at line \d+)/g, '$1"…"$2'],
  [/(convert (?:string )?)'[\s\S]*'( (?:from|to) )/gi, "$1'…'$2"],
  [/(with args beginning with: ).*/g, '$1…'],
];

/** A quoted text, with the word before it and what follows at once. */
const QUOTED = /(?:(\b\w+)\s+)?'(?:[^'\\]|\\.)*'(@?)/g;
/** After these words stands the name of a thing of the schema, of an account or of a charset. */
const NAMED =
  /^(?:column|field|key|table|database|schema|view|index|constraint|trigger|function|procedure|collation|set|engine|user|host|variable|clause|plugin|in|for)$/i;

/** The text without the values that errors of the database and of Redis quote, wherever they stand in it. */
export function withoutQuotedValues(text: string): string {
  if (!/['"]|beginning with/.test(text)) return text;
  return QUOTES.reduce((kept, [pattern, replacement]) => kept.replace(pattern, replacement), text);
}

/** The text of an error that is known to be the database's: no quoted value is left in it. */
export function driverText(text: string): string {
  return withoutQuotedValues(text).replace(QUOTED, (whole: string, word: string | undefined, at: string) => {
    if (at === '@' || (word !== undefined && NAMED.test(word))) return whole;
    return word === undefined ? "'…'" : `${word} '…'`;
  });
}
