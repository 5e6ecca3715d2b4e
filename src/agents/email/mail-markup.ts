import { decodeHTMLStrict } from 'entities';

/** The names of HTML's elements, the obsolete ones that mails use included. */
const ELEMENTS = new Set(
  `a abbr acronym address applet area article aside audio b base basefont bdi bdo big blink blockquote body br button
   canvas caption center cite code col colgroup data datalist dd del details dfn dialog dir div dl dt em embed fieldset
   figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img input
   ins kbd label legend li link main map mark marquee math menu meta meter nav nobr noframes noscript object ol
   optgroup option output p param picture pre progress q rp rt ruby s samp script search section select slot small
   source span strike strong style sub summary sup svg table tbody td template textarea tfoot th thead time title tr
   track tt u ul var video wbr xml`.split(/\s+/),
);

/** A tag with its name, or an entity. */
const CANDIDATE = /<\/?([a-z][a-z0-9]*)(?=[\s/>])[^<>]*>|&(?:[a-z][a-z0-9]*|#\d+|#x[0-9a-f]+);/gi;
/** Most candidates that are looked at; what has none among so many is plain text. */
const MAX_CANDIDATES = 10_000;

/**
 * Whether the text holds markup: a tag of HTML, a comment, a document type or a known entity. `<bob@example.com>` and
 * `<https://example.com>` are none.
 */
export function isHtml(text: string): boolean {
  if (/<!--|<!doctype\s/i.test(text)) return true;
  let candidates = 0;
  for (const [found, name] of text.matchAll(CANDIDATE)) {
    if (name === undefined ? decodeHTMLStrict(found) !== found : ELEMENTS.has(name.toLowerCase()))
      return true;
    candidates += 1;
    if (candidates >= MAX_CANDIDATES) return false;
  }
  return false;
}

/** Converts plain text to HTML that looks the same. */
export function textToHtml(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return escaped.replace(/\r\n|\r|\n/g, '<br>\n');
}
