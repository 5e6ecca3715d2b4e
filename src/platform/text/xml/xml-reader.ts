import { decodeHTMLStrict } from 'entities';
import { SaxesParser } from 'saxes';
import type { JsonObject } from '../../json.js';
import { withoutLongComments } from './long-comments.js';
import { XmlError } from './xml-error.js';
import { XmlTree } from './xml-tree.js';

const QUOTED = /"[^"]*"|'[^']*'/g;
const EXTERNAL_ID = /\s(?:SYSTEM|PUBLIC)\s/;
const HTML_NAME = /^[A-Za-z][A-Za-z0-9]{1,31}$/;

/** The entities that every document has. */
const PREDEFINED: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** Reads one document with saxes. Declarations inside it are refused, and external ones never fetched. */
export class XmlReader {
  readonly #tree = new XmlTree();
  readonly #entities: Record<string, string>;
  /** Entities may be declared in another file, which nobody reads. */
  #isPartial = false;
  #isStandalone = false;
  #attributes = 0;

  constructor(private readonly mostAttributes: number) {
    const none: Record<string, string> = {};
    this.#entities = new Proxy(none, { get: (_, name) => this.#entityOf(String(name)) });
  }

  /** @throws XmlError for what goes over a limit or is not read; the parser's error if it is not well-formed. */
  read(document: string): JsonObject {
    const parser = new SaxesParser<{ xmlns: false }>({ xmlns: false });
    parser.ENTITIES = this.#entities;
    let depth = 0;
    parser.on('xmldecl', ({ standalone }) => {
      this.#isStandalone = standalone === 'yes';
    });
    parser.on('doctype', (type) => this.#readType(type));
    parser.on('attribute', () => this.#countAttribute());
    parser.on('opentag', ({ name, attributes }) => {
      depth += 1;
      this.#tree.openElement(name, new Map(Object.entries(attributes)));
    });
    parser.on('text', (found) => {
      if (depth > 0) this.#tree.addText(found);
    });
    parser.on('cdata', (found) => this.#tree.addSection(found));
    parser.on('closetag', () => {
      depth -= 1;
      this.#tree.closeElement();
    });
    parser.write(withoutLongComments(document)).close();
    return this.#tree.toJson();
  }

  /** Reads what stands between `<!DOCTYPE` and its last `>`. */
  #readType(type: string): void {
    const outsideQuotes = type.replace(QUOTED, '""');
    if (outsideQuotes.includes('[')) {
      throw new XmlError('a document type with declarations inside the document is not read');
    }
    this.#isPartial = EXTERNAL_ID.test(outsideQuotes);
  }

  /** Returns what a reference stands for; undefined: the document is not well-formed. */
  #entityOf(name: string): string | undefined {
    const known = PREDEFINED.get(name) ?? htmlCharacter(name);
    if (known !== undefined) return known;
    return this.#isPartial && !this.#isStandalone ? `&${name};` : undefined;
  }

  #countAttribute(): void {
    this.#attributes += 1;
    if (this.#attributes > this.mostAttributes) {
      throw new XmlError(`more than ${this.mostAttributes} attributes`, { tooLarge: true });
    }
  }
}

/** Returns the character of a name of HTML, such as `nbsp`. Feeds and exports use them without declaring them. */
function htmlCharacter(name: string): string | undefined {
  if (!HTML_NAME.test(name)) return undefined;
  const reference = `&${name};`;
  const character = decodeHTMLStrict(reference);
  return character === reference ? undefined : character;
}
