import { decodeHTMLStrict } from 'entities';
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import type { JsonObject } from '../../json.js';
import { type DocumentType, readDocumentType } from './document-type.js';
import { Expansions } from './expansions.js';
import { withoutLongComments } from './long-comments.js';
import { XmlError } from './xml-error.js';
import { isCharacter, PREDEFINED } from './xml-names.js';
import { XmlTree } from './xml-tree.js';

/** Stands round the name of an entity in what the parser gives. No document can contain it: it is no character. */
const MARK = '\uFFFE';
/** Default values are short to declare, and stand at every element. */
const MAX_DEFAULTS = 20_000;
const NO_TYPE: DocumentType = { entities: new Map(), attributes: new Map(), isPartial: false };
const REFERENCE = /&(#?[^;&]*);/;
const HTML_NAME = /^[A-Za-z][A-Za-z0-9]{1,31}$/;
const WHITE_SPACE = /[\t\n\r]/g;

/** Reads one document. The parser (saxes) knows no document types, so entities and default attributes are added here. */
export class XmlReader {
  readonly #tree = new XmlTree();
  readonly #expansions = new Expansions();
  readonly #entities: Record<string, string>;
  #type = NO_TYPE;
  #isStandalone = false;
  #version = '1.0';
  #attributes = 0;
  #defaults = 0;

  constructor(private readonly mostAttributes: number) {
    const none: Record<string, string> = {};
    this.#entities = new Proxy(none, { get: (_, name) => this.#entityOf(String(name)) });
  }

  /** @throws XmlError for what goes over a limit or is not read; the parser's error if it is not well-formed. */
  read(document: string): JsonObject {
    this.#parse(withoutLongComments(document), false);
    return this.#tree.toJson();
  }

  #parse(text: string, fragment: boolean): void {
    const parser = new SaxesParser<{ fragment: boolean; xmlns: false }>({ fragment, xmlns: false });
    parser.ENTITIES = this.#entities;
    let depth = 0;
    parser.on('xmldecl', ({ version, standalone }) => {
      this.#version = version ?? '1.0';
      this.#isStandalone = standalone === 'yes';
    });
    parser.on('doctype', (type) => {
      this.#type = readDocumentType(type, this.#version);
    });
    parser.on('attribute', () => this.#countAttribute());
    parser.on('opentag', ({ name, attributes }) => {
      depth += 1;
      this.#tree.openElement(name, this.#attributesOf(name, attributes));
    });
    parser.on('text', (found) => {
      if (depth > 0 || fragment) this.#addText(found);
    });
    parser.on('cdata', (found) => this.#tree.addSection(found));
    parser.on('closetag', () => {
      depth -= 1;
      this.#tree.closeElement();
    });
    parser.write(text).close();
  }

  /** Returns what a reference stands for; a declared entity as its name between marks. */
  #entityOf(name: string): string | undefined {
    const character = PREDEFINED.get(name);
    if (character !== undefined) return character;
    if (this.#type.entities.has(name)) return MARK + name + MARK;
    const known = htmlCharacter(name);
    if (known !== undefined) return known;
    return this.#type.isPartial && !this.#isStandalone ? `&${name};` : undefined;
  }

  #addText(text: string): void {
    splitMarked(text, {
      text: (part) => this.#tree.addText(part),
      entity: (name) => this.#expand(name, (replacement) => this.#addReplacement(replacement)),
    });
  }

  /** Adds the text of an entity, which may hold elements of its own. */
  #addReplacement(replacement: string): void {
    if (replacement.includes('<')) this.#parse(replacement, true);
    else if (replacement.includes(']]>')) throw new XmlError('not well-formed, "]]>" stands in an entity');
    else this.#addText(this.#resolved(replacement));
  }

  /** Returns a text with its references replaced, declared entities by their name between marks. */
  #resolved(text: string): string {
    const [first = '', ...rest] = text.split(REFERENCE);
    let resolved = withoutReference(first);
    for (let at = 0; at < rest.length; at += 2) {
      const name = rest[at] ?? '';
      const found = name.startsWith('#') ? characterOf(name, this.#version) : this.#entityOf(name);
      if (found === undefined) throw new XmlError(`not well-formed, &${name}; is not declared`);
      resolved += found + withoutReference(rest[at + 1] ?? '');
    }
    return resolved;
  }

  #expand<T>(name: string, use: (replacement: string) => T): T {
    const entity = this.#type.entities.get(name);
    if (entity?.text === undefined) throw new XmlError('external entities are not read');
    return this.#expansions.during(name, entity.text, use);
  }

  #attributesOf(element: string, given: SaxesTagPlain['attributes']): Map<string, string> {
    const declared = this.#type.attributes.get(element);
    const attributes = new Map<string, string>();
    for (const [name, value] of Object.entries(given)) {
      const text = value.includes(MARK) ? this.#attributeText(value) : value;
      attributes.set(name, declared?.get(name)?.isToken ? collapsed(text) : text);
    }
    for (const [name, { isToken, defaultValue }] of declared ?? []) {
      if (defaultValue === undefined || attributes.has(name)) continue;
      this.#defaults += 1;
      if (this.#defaults > MAX_DEFAULTS) {
        throw new XmlError(`more than ${MAX_DEFAULTS} attributes by default`, { tooLarge: true });
      }
      const text = this.#attributeText(this.#resolved(defaultValue));
      attributes.set(name, isToken ? collapsed(text) : text);
    }
    return attributes;
  }

  #attributeText(value: string): string {
    const parts: string[] = [];
    splitMarked(value, {
      text: (part) => parts.push(part),
      entity: (name) =>
        parts.push(this.#expand(name, (replacement) => this.#attributeReplacement(replacement))),
    });
    return parts.join('');
  }

  #attributeReplacement(replacement: string): string {
    if (replacement.includes('<')) {
      throw new XmlError('not well-formed, "<" stands in an entity of an attribute');
    }
    return this.#attributeText(this.#resolved(replacement.replace(WHITE_SPACE, ' ')));
  }

  #countAttribute(): void {
    this.#attributes += 1;
    if (this.#attributes > this.mostAttributes) {
      throw new XmlError(`more than ${this.mostAttributes} attributes`, { tooLarge: true });
    }
  }
}

function splitMarked(text: string, parts: { text(part: string): void; entity(name: string): void }): void {
  if (!text.includes(MARK)) return parts.text(text);
  for (const [index, part] of text.split(MARK).entries()) {
    if (index % 2 === 1) parts.entity(part);
    else if (part !== '') parts.text(part);
  }
}

function withoutReference(text: string): string {
  if (text.includes('&')) throw new XmlError('not well-formed, "&" stands alone in an entity');
  return text;
}

/** Returns the character of a name of HTML, such as `nbsp`. Feeds and exports use them without declaring them. */
function htmlCharacter(name: string): string | undefined {
  if (!HTML_NAME.test(name)) return undefined;
  const reference = `&${name};`;
  const character = decodeHTMLStrict(reference);
  return character === reference ? undefined : character;
}

function characterOf(name: string, xmlVersion: string): string | undefined {
  const code = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return isCharacter(code, xmlVersion) ? String.fromCodePoint(code) : undefined;
}

function collapsed(text: string): string {
  return text.replace(/ +/g, ' ').replace(/^ | $/g, '');
}
