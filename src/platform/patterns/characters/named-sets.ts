import { CharSet, intersectionOf, rangeOf } from './char-set.js';
import { PatternError } from '../pattern-error.js';

const ASCII = rangeOf(0, 0x7f);

/** Sets of Ruby's POSIX brackets (`[[:alpha:]]`) as JavaScript classes, which test one character at a time. */
const POSIX_CLASSES: Record<string, string> = {
  alnum: '[\\p{Alphabetic}\\p{Nd}]',
  alpha: '\\p{Alphabetic}',
  ascii: '[\\x00-\\x7f]',
  blank: '[\\p{Zs}\\t]',
  cntrl: '\\p{Cc}',
  digit: '\\p{Nd}',
  graph: '[^\\p{White_Space}\\p{Cc}\\p{Cn}\\p{Cs}]',
  lower: '\\p{Lowercase}',
  print: '[^\\p{Cc}\\p{Cn}\\p{Cs}\\p{Zl}\\p{Zp}]',
  punct: '[\\p{P}$+<=>^`|~]',
  space: '\\p{White_Space}',
  upper: '\\p{Uppercase}',
  word: '[\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}]',
  xdigit: '[0-9A-Fa-f]',
};

/** Names with a form that cannot be guessed from how they are written: `\p{whitespace}`, `\p{IDStart}`. */
const SPELLINGS = (
  'White_Space ASCII_Hex_Digit Hex_Digit ID_Start ID_Continue XID_Start XID_Continue IDS_Binary_Operator ' +
  'IDS_Trinary_Operator Join_Control Noncharacter_Code_Point Default_Ignorable_Code_Point Grapheme_Base ' +
  'Grapheme_Extend Pattern_Syntax Pattern_White_Space Quotation_Mark Unified_Ideograph Variation_Selector ' +
  'Case_Ignorable Changes_When_Casefolded Changes_When_Lowercased Changes_When_Titlecased Changes_When_Uppercased ' +
  'Emoji_Component Emoji_Modifier Emoji_Modifier_Base Emoji_Presentation Extended_Pictographic ' +
  'Logical_Order_Exception Regional_Indicator Sentence_Terminal Soft_Dotted Terminal_Punctuation ' +
  'Uppercase_Letter Lowercase_Letter Titlecase_Letter Cased_Letter Modifier_Letter Other_Letter Nonspacing_Mark ' +
  'Spacing_Mark Enclosing_Mark Decimal_Number Letter_Number Other_Number Connector_Punctuation Dash_Punctuation ' +
  'Open_Punctuation Close_Punctuation Initial_Punctuation Final_Punctuation Other_Punctuation Math_Symbol ' +
  'Currency_Symbol Modifier_Symbol Other_Symbol Space_Separator Line_Separator Paragraph_Separator Private_Use LC ' +
  'Anatolian_Hieroglyphs Bassa_Vah Canadian_Aboriginal Caucasian_Albanian Cypro_Minoan Dives_Akuru ' +
  'Egyptian_Hieroglyphs Gunjala_Gondi Hanifi_Rohingya Imperial_Aramaic Inscriptional_Pahlavi ' +
  'Inscriptional_Parthian Kayah_Li Khitan_Small_Script Masaram_Gondi Meetei_Mayek Mende_Kikakui Meroitic_Cursive ' +
  'Meroitic_Hieroglyphs New_Tai_Lue Nyiakeng_Puachue_Hmong Ol_Chiki Old_Hungarian Old_Italic Old_North_Arabian ' +
  'Old_Permic Old_Persian Old_Sogdian Old_South_Arabian Old_Turkic Pahawh_Hmong Pau_Cin_Hau Phags_Pa ' +
  'Psalter_Pahlavi Sora_Sompeng Syloti_Nagri Tai_Le Tai_Tham Tai_Viet Warang_Citi Zanabazar_Square'
).split(' ');
const spellings = new Map(SPELLINGS.map((name) => [plain(name), name]));

const kept = new Map<string, CharSet>();

/** Returns the set of a POSIX bracket's name (`alpha`); undefined if there is none of that name. */
export function posixSet(name: string, { ascii }: { ascii: boolean }): CharSet | undefined {
  if (!Object.hasOwn(POSIX_CLASSES, name)) return undefined;
  const all = classSet(POSIX_CLASSES[name] ?? '');
  return ascii ? intersectionOf([ASCII, all]) : all;
}

/**
 * Returns the set of `\p{name}`: a POSIX name, a general category, a script or a property of Unicode, in any spelling.
 * @throws PatternError naming what is unknown.
 */
export function propertySet(name: string): CharSet {
  const key = plain(name);
  if (key === 'any') return classSet('[^]');
  if (key === 'assigned') return classSet('\\P{Cn}');
  // `\p{Punct}` is the category, without the symbols of the bracket.
  if (key === 'punct') return classSet('\\p{P}');
  const posix = Object.hasOwn(POSIX_CLASSES, key) ? POSIX_CLASSES[key] : undefined;
  if (posix !== undefined) return classSet(posix);
  for (const spelling of [
    spellings.get(key),
    capitalised(name),
    key.toUpperCase(),
    `${key.slice(0, 1).toUpperCase()}${key.slice(1)}`,
  ]) {
    for (const property of spelling === undefined ? [] : [spelling, `Script=${spelling}`]) {
      const set = /^[\w=]+$/.test(property) ? knownSet(`\\p{${property}}`) : undefined;
      if (set !== undefined) return set;
    }
  }
  throw new PatternError(`invalid character property name {${name}}`);
}

/** A character is a part of a word: `\b`, and `\w` after `(?u)`. */
export const WORD = classSet(POSIX_CLASSES.word ?? '');

function plain(name: string): string {
  return name.replace(/[\s_-]/g, '').toLowerCase();
}

/** `old italic`, `Old_Italic`, `oldItalic` → `Old_Italic`. */
function capitalised(name: string): string {
  const words = name.replace(/([a-z])([A-Z])/g, '$1_$2').split(/[\s_-]+/);
  return words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase()).join('_');
}

function knownSet(source: string): CharSet | undefined {
  try {
    return classSet(source);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Only names that JavaScript knows are kept, so their number is bounded. */
function classSet(source: string): CharSet {
  const known = kept.get(source);
  if (known !== undefined) return known;
  const regex = new RegExp(`^${source}$`, 'u');
  const set = new CharSet((code) => regex.test(String.fromCodePoint(code)));
  kept.set(source, set);
  return set;
}
