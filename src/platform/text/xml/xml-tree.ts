import type { JsonObject, JsonValue } from '../../json.js';
import { XmlError } from './xml-error.js';

const MAX_DEPTH = 200;
const TEXT = '#text';
const ONLY_SPACE = /^[ \t\r\n]*$/;

interface Element {
  name: string;
  /** Attributes and child elements. A map, so that `__proto__` and its like are keys as any other. */
  entries: Map<string, JsonValue>;
  texts: string[];
  hasAttributes: boolean;
  hasChildren: boolean;
  /** White space between its child elements is kept: `xml:space="preserve"`, or a CDATA section has some. */
  keepsSpace: boolean;
}

/**
 * Makes the JSON of an XML document from its parts in order; docs/use/webhooks.md has the table of how XML becomes JSON.
 * It goes on until the root element is closed.
 */
export class XmlTree {
  readonly #open: Element[] = [elementOf('', false)];

  /** @throws XmlError if it is nested too deep. */
  openElement(name: string, attributes: ReadonlyMap<string, string>): void {
    if (this.#open.length > MAX_DEPTH) throw new XmlError(`nested deeper than ${MAX_DEPTH} levels`);
    const parent = this.#current;
    parent.hasChildren = true;
    const element = elementOf(name, parent.keepsSpace);
    const space = attributes.get('xml:space');
    if (space !== undefined) element.keepsSpace = space === 'preserve';
    for (const [key, value] of attributes) element.entries.set(key, value);
    element.hasAttributes = attributes.size > 0;
    this.#open.push(element);
  }

  addText(text: string): void {
    this.#current.texts.push(text);
  }

  /** Adds the text of a CDATA section. */
  addSection(text: string): void {
    this.#current.keepsSpace ||= text !== '';
    this.addText(text);
  }

  closeElement(): void {
    const element = this.#open.pop();
    if (element !== undefined) addEntry(this.#current.entries, element.name, valueOf(element));
  }

  /** Returns the document as an object with the root element as its only key. */
  toJson(): JsonObject {
    return Object.fromEntries(this.#current.entries);
  }

  get #current(): Element {
    const current = this.#open.at(-1);
    if (current === undefined) throw new Error('Every element is closed');
    return current;
  }
}

function elementOf(name: string, keepsSpace: boolean): Element {
  return { name, entries: new Map(), texts: [], hasAttributes: false, hasChildren: false, keepsSpace };
}

/** Adds a value to those of the same name, as a list. Values themselves are no lists. */
function addEntry(entries: Map<string, JsonValue>, name: string, value: JsonValue): void {
  const present = entries.get(name);
  if (present === undefined) entries.set(name, value);
  else if (Array.isArray(present)) present.push(value);
  else entries.set(name, [present, value]);
}

function valueOf({ entries, texts, hasAttributes, hasChildren, keepsSpace }: Element): JsonValue {
  const text = texts.join('');
  if (!hasAttributes && !hasChildren) return text;
  const isLayout = hasChildren && !keepsSpace && ONLY_SPACE.test(text);
  if (text !== '' && !isLayout) entries.set(TEXT, text);
  return Object.fromEntries(entries);
}
