import { normalizeEncoding } from '@exodus/bytes/encoding.js';
import iconv from 'iconv-lite';

/** A character set that bytes can be decoded from. */
export interface Charset {
  /** The name in lower case: of the Encoding Standard, else of iconv-lite. */
  name: string;
  /** The source of its table: the Encoding Standard, iconv-lite, or a shift code of our own. */
  source: 'standard' | 'iconv' | 'shifted';
}

/** Labels beyond the Encoding Standard, without their punctuation: names of Windows, Java, Python and mail programs. */
const ALIASES: Record<string, string> = {
  utf8mb3: 'utf-8',
  utf8mb4: 'utf-8',
  utf8sig: 'utf-8',
  utf8n: 'utf-8',
  cp65001: 'utf-8',
  xutf8: 'utf-8',
  ucs2: 'utf-16le',
  ucs2le: 'utf-16le',
  ucs2be: 'utf-16be',
  cp1200: 'utf-16le',
  cp1201: 'utf-16be',
  ansi: 'windows-1252',
  ascii8bit: 'windows-1252',
  ansix31101983: 'windows-1252',
  ansix3110: 'windows-1252',
  iso646us: 'windows-1252',
  cp20127: 'windows-1252',
  usascii: 'windows-1252',
  latin7: 'iso-8859-13',
  latin8: 'iso-8859-14',
  latin9: 'iso-8859-15',
  latin0: 'iso-8859-15',
  latin10: 'iso-8859-16',
  tis620: 'windows-874',
  cp874: 'windows-874',
  ibm874: 'windows-874',
  cp932: 'shift_jis',
  mswin932: 'shift_jis',
  windows932: 'shift_jis',
  win932: 'shift_jis',
  ibm943: 'shift_jis',
  cp943: 'shift_jis',
  cp942: 'shift_jis',
  sjiswin: 'shift_jis',
  shiftjis2004: 'shift_jis',
  shiftjisx0213: 'shift_jis',
  shiftjis: 'shift_jis',
  windows31j: 'shift_jis',
  cswindows31j: 'shift_jis',
  cp20932: 'euc-jp',
  cp51932: 'euc-jp',
  eucjp: 'euc-jp',
  ujis: 'euc-jp',
  eucjpms: 'euc-jp',
  eucjpwin: 'euc-jp',
  iso2022jp: 'iso-2022-jp',
  iso2022jp1: 'iso-2022-jp',
  iso2022jp2: 'iso-2022-jp',
  iso2022jp3: 'iso-2022-jp',
  iso2022jp2004: 'iso-2022-jp',
  iso2022jpms: 'iso-2022-jp',
  jis: 'iso-2022-jp',
  cp50220: 'iso-2022-jp',
  cp50221: 'iso-2022-jp',
  cp50222: 'iso-2022-jp',
  cp936: 'gbk',
  ms936: 'gbk',
  windows936: 'gbk',
  win936: 'gbk',
  euccn: 'gbk',
  gb231280: 'gbk',
  cp20936: 'gbk',
  cp51936: 'gbk',
  cp54936: 'gb18030',
  gb180302000: 'gb18030',
  gb180302005: 'gb18030',
  gb180302022: 'gb18030',
  cp949: 'euc-kr',
  ms949: 'euc-kr',
  win949: 'euc-kr',
  uhc: 'euc-kr',
  xwindows949: 'euc-kr',
  euckr: 'euc-kr',
  cp51949: 'euc-kr',
  cp970: 'euc-kr',
  ksx1001: 'euc-kr',
  ksc56011987: 'euc-kr',
  cp950: 'big5',
  ms950: 'big5',
  windows950: 'big5',
  win950: 'big5',
  big5eten: 'big5',
  big5tw: 'big5',
  big5hkscs: 'big5',
  big5hkscs2004: 'big5',
  cp951: 'big5',
  koi8ru: 'koi8-u',
  koi8r: 'koi8-r',
  koi8u: 'koi8-u',
  cp20866: 'koi8-r',
  cp21866: 'koi8-u',
  ibm866: 'ibm866',
  macroman: 'macintosh',
  cp10000: 'macintosh',
  cp10007: 'x-mac-cyrillic',
  maccyrillic: 'x-mac-cyrillic',
  macukraine: 'x-mac-cyrillic',
  macukrainian: 'x-mac-cyrillic',
};

/** Charsets that switch between two tables by control codes; the Encoding Standard refuses them for browsers. */
const SHIFTED: Record<string, string> = {
  iso2022kr: 'iso-2022-kr',
  csiso2022kr: 'iso-2022-kr',
  hzgb2312: 'hz-gb-2312',
  hz: 'hz-gb-2312',
};

/** iconv-lite also takes names that are no charsets, such as `base64` and `hex`. */
const OF_ICONV =
  /^(?:(?:cp|ibm|csibm|dos|ms|pc)?\d{3,5}|cspc.*|utf7(?:imap)?|unicode11utf7|utf32(?:le|be)?|ucs4(?:le|be)?|mac[a-z]+|koi8[a-z]+|armscii8|viscii|tcvn.*|rk1048|pt154|hproman8|iso646[a-z]+|georgian[a-z]+)$/;

/** Not a name of a charset, but what a mail program writes if it does not know it. */
const UNKNOWN = new Set(['replacement', 'x-user-defined']);

/**
 * Returns the charset that a label means, whatever its case, quotes and punctuation; undefined for an unknown one.
 * Labels of the Encoding Standard mean what it says: `iso-8859-1` and `us-ascii` are windows-1252.
 */
export function charsetNamed(label: string): Charset | undefined {
  if (label.length > MAX_LABEL) return undefined;
  const written = label.replace(/["'\s]/g, '').toLowerCase();
  const compact = written.replace(/[^a-z0-9]/g, '');
  const shifted = own(SHIFTED, compact);
  if (shifted !== undefined) return { name: shifted, source: 'shifted' };
  const name = standardName(written, compact);
  if (name !== undefined) return { name, source: 'standard' };
  if (!OF_ICONV.test(compact)) return undefined;
  const dos = compact.replace(/^(?:csibm|ibm|dos|ms|pc|cspc)(?=\d)/, 'cp');
  const known = [dos, compact].find((candidate) => iconv.encodingExists(candidate));
  return known === undefined ? undefined : { name: known, source: 'iconv' };
}

const MAX_LABEL = 100;

function standardName(written: string, compact: string): string | undefined {
  const [, iso, direction = ''] = /^(?:x|cs)?iso8859(\d{1,2})([ei]?)(?:19\d\d)?$/.exec(compact) ?? [];
  const [, , page] = /^(x?cp|win|windows|xwindows|ms|mswin|ibm|ansi)(125\d|874)$/.exec(compact) ?? [];
  const candidates = [
    written,
    own(ALIASES, compact),
    page === undefined ? undefined : `windows-${page}`,
    iso === undefined ? undefined : `iso-8859-${iso}${direction === '' ? '' : `-${direction}`}`,
    compact.replace(/^(?:iso)?latin(?=\d)/, 'latin'),
    compact.replace(/^utf(?=\d)/, 'utf-').replace(/^(utf-16)(le|be)$/, '$1$2'),
    /^8859(\d{1,2})$/.test(compact) ? `iso-8859-${compact.slice('8859'.length)}` : undefined,
  ];
  for (const candidate of candidates) {
    const name = candidate === undefined ? null : normalizeEncoding(candidate);
    if (name !== null && !UNKNOWN.has(name)) return name;
  }
  return undefined;
}

function own(table: Record<string, string>, key: string): string | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
