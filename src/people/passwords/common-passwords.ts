/** Words of which people make passwords; the product's name among them. Longer words come before those in them. */
const WORDS =
  `administrator administrador superman password passwort passwd senha contrasena motdepasse kennwort
geheimnis geheim secret welcome willkommen bienvenue bienvenido letmein changeme changeit default temporary fabula admin
master login logon system server access test guest user root super hello hallo bonjour please bitte
iloveyou ichliebedich jetaime teamo love liebe trustno freedom whatever shadow sunshine princess dragon monkey football
fussball baseball basketball soccer hockey michael jordan batman starwars pokemon computer internet company firma
spring summer autumn winter fruehling fruhling sommer herbst
january february march april june july august september october november december
januar februar maerz marz juni juli oktober dezember
monday tuesday wednesday thursday friday saturday sunday`
    .split(/\s+/)
    .toSorted((a, b) => b.length - a.length);

/** Neighbours on keyboards, in the alphabet and in numbers. */
const ROWS = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
  'qsdfghjklm',
  'zxcvbnm',
  'yxcvbnm',
  'wxcvbn',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik',
  '1q2w3e4r5t6y7u8i9o0p',
].flatMap((row) => [row, row.split('').toReversed().join('')]);

/** Characters that people write for letters. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'l',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

const LEAST_DISTINCT = 5;
const LEAST_REPEATED = 8;
/** Characters that must be left without the words, rows and years that everybody tries. */
const LEAST_LEFT = 5;
const LEAST_RUN = 3;
const LEAST_PART = 3;

/** Returns true for a password that is among the first that anybody tries: common words, the own address, rows, repeats. */
export function isCommonPassword(password: string, email: string): boolean {
  const lower = password.normalize('NFKC').toLowerCase();
  const read = lower.replaceAll(/[013457@$!]/g, (char) => LOOKALIKES[char] ?? char);
  const parts = email
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part.length >= LEAST_PART);
  const words = [...parts.toSorted((a, b) => b.length - a.length), ...WORDS];
  return [lower, read].some((text) => isWeak(text.replaceAll(/[^\p{L}\p{N}]/gu, ''), words));
}

function isWeak(text: string, words: readonly string[]): boolean {
  const isFew = new Set(text).size < LEAST_DISTINCT;
  return isFew || repeatedPart(text).length < LEAST_REPEATED || leftOf(text, words) < LEAST_LEFT;
}

/** Returns the shortest part of which the text is a repetition; the text itself if it is none. */
function repeatedPart(text: string): string {
  const next = (text + text).indexOf(text, 1);
  return next === -1 ? text : text.slice(0, next);
}

/** Counts the characters that belong to no word, year or row. */
function leftOf(text: string, words: readonly string[]): number {
  let left = 0;
  for (let at = 0; at < text.length; ) {
    const rest = text.slice(at);
    const word = words.find((each) => rest.startsWith(each));
    const known = word?.length ?? yearIn(rest) ?? runIn(rest);
    left += known === 0 ? 1 : 0;
    at += Math.max(1, known);
  }
  return left;
}

function yearIn(text: string): number | undefined {
  return /^(?:19|20)\d\d/.test(text) ? 'YYYY'.length : undefined;
}

/** Returns the length of the row, or of the same character again and again, with which the text begins; 0 without one. */
function runIn(text: string): number {
  const same = /^(.)\1*/u.exec(text)?.[0].length ?? 0;
  const row = Math.max(...ROWS.map((each) => commonLength(each, text)));
  const longest = Math.max(same, row);
  return longest >= LEAST_RUN ? longest : 0;
}

/** Returns how much of the beginning of `text` stands somewhere in the row. */
function commonLength(row: string, text: string): number {
  const start = row.indexOf(text.slice(0, 1));
  if (start === -1) return 0;
  let length = 0;
  while (length < text.length && row[start + length] === text[length]) length += 1;
  return length;
}
