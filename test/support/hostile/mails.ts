import { MAX_RENDER_MS } from '../../../src/language/limits.js';
import type { JsonValue } from '../../../src/platform/json.js';
import { type Expected, type HostileCase, type HostileFamily, liquid } from './hostile-case.js';
import { filled, numbers } from './hostile-data.js';

const TIME = /took too long to render/;
const PARTS = /eml_parse: the mail has too many parts/;

type Given = Expected & { mail: () => string; show?: string };

const mail = (name: string, { mail: text, show = 'subject', ...expected }: Given): HostileCase =>
  liquid(name, `{{ mail | eml_parse | get: "${show}" }}`, {
    ...expected,
    event: (): { mail: JsonValue } => ({ mail: text() }),
  });

/** Parts in parts, the innermost of which is `inside`. */
const nestedParts = (depth: number, inside: string) =>
  numbers(depth)
    .map((level) => `Content-Type: multipart/mixed; boundary=b${level}\n\n--b${level}\n`)
    .join('') + inside;

/** Mails, in the filter `eml_parse`. */
export const mails: HostileFamily = {
  name: 'mails made to be hard to read',
  limitMs: MAX_RENDER_MS,
  cases: [
    mail('parts without end', {
      mail: () => `Content-Type: multipart/mixed; boundary=b\n\n${filled('--b\n\nx\n', 3_000_000)}`,
      stops: PARTS,
    }),
    mail('parts in parts without end', { mail: () => nestedParts(30, 'x'), stops: PARTS }),
    mail('lines that look like boundaries, at eighteen levels', {
      mail: () => nestedParts(18, filled('--x\n', 12_000_000)),
      stops: TIME,
    }),
    mail('headers without end', { mail: () => `Subject: s\n${filled('a:b\n', 8_000_000)}\nx`, gives: 's' }),
    mail('lines of one header without end', {
      mail: () => `Subject: ${filled('a\n ', 9_000_000)}\n\nx`,
      show: 'text',
      fastEnough: 'x',
      stops: TIME,
    }),
    mail('lines that are no headers', {
      mail: () => `Subject: s\n${filled('\u0000\n', 9_000_000)}`,
      fastEnough: 's',
      stops: TIME,
    }),
    mail('a header without end', {
      mail: () => `Subject: ${filled('s', 9_000_000)}\n\nx`,
      show: 'text',
      gives: 'x',
    }),
    mail('encoded words without end', {
      mail: () => `Subject: ${filled('=?utf-8?q?=41?= ', 9_000_000)}\n\nx`,
      show: 'text',
      gives: 'x',
    }),
    mail('encoded words that never end', {
      mail: () => `Subject: ${filled('=?utf-8?q?', 9_000_000)}\n\nx`,
      show: 'text',
      gives: 'x',
    }),
    mail('parameters without end', {
      mail: () => `Content-Type: text/plain${filled('; a=b', 9_000_000)}\n\nx`,
      show: 'text',
      gives: 'x',
    }),
    mail('parameters of spaces', {
      mail: () => `Content-Type: text/plain${filled(`;${' '.repeat(99)}`, 9_000_000)}\n\nx`,
      show: 'text',
      gives: 'x',
    }),
    mail('pieces of a file name without end', {
      mail: () => `Content-Disposition: attachment${filled('; filename*1*=%41', 9_000_000)}\n\nx`,
      show: 'text',
      gives: '',
    }),
    mail('quotes in addresses', {
      mail: () => ['From', 'To', 'Cc'].map((h) => `${h}: ${filled('"\\"', 900_000)}`).join('\n'),
      show: 'from',
      gives: '',
    }),
    mail('brackets in addresses', {
      mail: () => `From: ${filled('<', 900_000)}\nTo: ${filled('(', 900_000)}\nSubject: s\n\n`,
      gives: 's',
    }),
    mail('codes of bytes without end', {
      mail: () => `Subject: s\nContent-Transfer-Encoding: quoted-printable\n\n${filled('=41', 3_000_000)}`,
      gives: 's',
    }),
    mail('soft line ends without end', {
      mail: () =>
        `Subject: s\nContent-Transfer-Encoding: quoted-printable\n\n${filled(`=${' '.repeat(90)}`, 3_000_000)}`,
      gives: 's',
    }),
    mail('bytes that are no text', {
      mail: () => `Subject: s\n\n${filled('\udc80a', 3_000_000)}`,
      gives: 's',
    }),
    mail('a character set without end', {
      mail: () => `Content-Type: text/plain; charset="${filled('x', 900_000)}"\n\nx`,
      show: 'text',
      gives: 'x',
    }),
    mail('character sets that all objects have', {
      mail: () => 'Content-Type: text/plain; charset=__proto__\nSubject: =?constructor?Q?s?=\n\nx',
      gives: 's',
    }),
    mail('headers that all objects have', {
      mail: () => '__proto__: x\nconstructor: y\n\nx',
      show: 'headers',
      gives: '{"__proto__":"x","constructor":"y"}',
    }),
    mail('no mail at all', { mail: () => filled('\n', 9_000_000), show: 'from', gives: '' }),
  ],
};
