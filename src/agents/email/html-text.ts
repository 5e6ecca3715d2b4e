/** Elements that begin and end a line of their own. */
const BLOCKS = new Set(
  'address article blockquote dd div dl dt fieldset footer form h1 h2 h3 h4 h5 h6 header hr li main ol p pre section table tr ul'.split(
    ' ',
  ),
);
/** Block elements with an empty line before and after. */
const PARAGRAPHS = /^(p|h[1-6])$/;
/** Elements whose content is not shown. */
const HIDDEN = new Set(['head', 'script', 'style', 'template', 'title']);

const ENTITIES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  bull: '•',
  euro: '€',
  copy: '©',
  reg: '®',
};

/** Whether the text holds markup: a tag or an entity. */
export function isHtml(text: string): boolean {
  return /<[a-z!/][^<>]*>|&(?:[a-z]+|#\d+|#x[0-9a-f]+);/i.test(text);
}

/** Converts plain text to HTML that looks the same. */
export function textToHtml(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return escaped.replace(/\r\n|\r|\n/g, '<br>\n');
}

/** The state of the conversion. Parts are joined once, at the end, to keep long mails cheap. */
interface Reading {
  parts: string[];
  /** Line ends at the end of the output so far. */
  lineEnds: number;
  /** Name of the current hidden element. */
  hidden: string | undefined;
  /** Address of the current link, and the index of the part where its text begins. */
  link: { href: string; start: number } | undefined;
}

/** Converts HTML to readable text: lines for blocks and `<br>`, links followed by their address. Takes linear time. */
export function htmlToText(html: string): string {
  const reading: Reading = { parts: [], lineEnds: 2, hidden: undefined, link: undefined };
  for (const [token, close, name] of withoutComments(html).matchAll(TOKEN)) {
    if (name !== undefined) readTag(reading, token, { name: name.toLowerCase(), isEnd: close === '/' });
    else if (reading.hidden === undefined && !/^<[!?/]/.test(token)) readText(reading, token);
  }
  const lines = reading.parts.join('').split('\n');
  return `${lines
    .map((line) => line.trim())
    .join('\n')
    .trim()}\n`;
}

/** A tag with its name, something else in angle brackets, text, or a lone bracket. */
const TOKEN = /<(\/?)([a-z][a-z0-9]*)[^<>]*>|<[!?/][^<>]*>|[^<]+|</gi;

function withoutComments(html: string): string {
  const kept: string[] = [];
  for (let at = 0; ; ) {
    const start = html.indexOf('<!--', at);
    kept.push(html.slice(at, start === -1 ? undefined : start));
    const end = start === -1 ? -1 : html.indexOf('-->', start);
    if (end === -1) return kept.join('');
    at = end + '-->'.length;
  }
}

function readText(reading: Reading, text: string): void {
  const plain = decodeEntities(text.replace(/\s+/g, ' '));
  if (reading.lineEnds > 0 && plain.trim() === '') return;
  reading.parts.push(plain);
  reading.lineEnds = 0;
}

/** Ends the line, and adds an empty line if `lineEnds` is 2; there is never more than one empty line. */
function endLine(reading: Reading, lineEnds: number): void {
  while (reading.lineEnds < lineEnds) {
    reading.parts.push('\n');
    reading.lineEnds += 1;
  }
}

function readTag(reading: Reading, token: string, { name, isEnd }: { name: string; isEnd: boolean }): void {
  if (reading.hidden !== undefined) {
    if (isEnd && name === reading.hidden) reading.hidden = undefined;
  } else if (HIDDEN.has(name)) {
    if (!isEnd) reading.hidden = name;
  } else if (name === 'br') endLine(reading, Math.min(reading.lineEnds + 1, 2));
  else if (name === 'td' || name === 'th') readText(reading, isEnd ? '&#9;' : '');
  else if (name === 'a') readLink(reading, token, isEnd);
  else if (BLOCKS.has(name)) {
    endLine(reading, PARAGRAPHS.test(name) ? 2 : 1);
    if (name === 'li' && !isEnd) readText(reading, '- ');
  }
}

function readLink(reading: Reading, token: string, isEnd: boolean): void {
  if (!isEnd) {
    const [, double, single, bare] = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i.exec(token) ?? [];
    const href = decodeEntities(double ?? single ?? bare ?? '');
    reading.link = href === '' ? undefined : { href, start: reading.parts.length };
    return;
  }
  const { link } = reading;
  reading.link = undefined;
  if (link === undefined || link.href.startsWith('#')) return;
  const shown = reading.parts.slice(link.start).join('').trim();
  if (shown !== link.href && `mailto:${shown}` !== link.href)
    readText(reading, ` (${link.href.replaceAll('&', '&amp;')})`);
}

function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]+));/gi, (entity, decimal, hex, name) => {
    if (name !== undefined) return (Object.hasOwn(ENTITIES, name) ? ENTITIES[name] : undefined) ?? entity;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : entity;
  });
}
