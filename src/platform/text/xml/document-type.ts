import { DeclarationScanner } from './declaration-scanner.js';
import { XmlError } from './xml-error.js';
import { isCharacter, NAME, PREDEFINED } from './xml-names.js';

/** Most characters of a document type with its declarations, and of all that its parameter entities stand for. */
const MAX_CHARACTERS = 64 * 1024;
const MAX_PARAMETER_DEPTH = 20;

const ATTRIBUTE_TYPE = /(?:CDATA|IDREFS?|ID|ENTITY|ENTITIES|NMTOKENS?)(?=[ \t\r\n])/y;
const REFERENCE = new RegExp(`&(?:#[0-9]+|#x[0-9a-fA-F]+|${NAME});`, 'gu');
const ENTITY_REFERENCE = /&([^#;][^;]*);/g;
const CHARACTER_REFERENCE = /&#(?:x([0-9a-fA-F]+)|([0-9]+));/g;

/** A declared general entity: its text, or undefined if it is external. */
export interface Entity {
  text: string | undefined;
}

/** A declared attribute. */
export interface DeclaredAttribute {
  /** Of another type than CDATA: spaces at the ends and doubled ones do not count. */
  isToken: boolean;
  /** As written, with its references. */
  defaultValue: string | undefined;
}

/** The declarations of a document type that change what a document says. */
export interface DocumentType {
  entities: ReadonlyMap<string, Entity>;
  /** By element and attribute. */
  attributes: ReadonlyMap<string, ReadonlyMap<string, DeclaredAttribute>>;
  /** Other entities may be declared where nobody looks: in an external subset or parameter entity. */
  isPartial: boolean;
}

/**
 * Reads a document type, given what stands between `<!DOCTYPE` and its last `>`. Nothing external is fetched.
 * @throws XmlError if it is not well-formed, too long, or uses an external parameter entity.
 */
export function readDocumentType(text: string, xmlVersion: string): DocumentType {
  return new DocumentTypeReader(xmlVersion).read(text);
}

class DocumentTypeReader {
  readonly #entities = new Map<string, Entity>();
  readonly #parameters = new Map<string, Entity>();
  readonly #attributes = new Map<string, Map<string, DeclaredAttribute>>();
  #isPartial = false;
  #characters = 0;

  constructor(private readonly xmlVersion: string) {}

  read(text: string): DocumentType {
    this.#count(text);
    const scanner = new DeclarationScanner(text);
    scanner.needSpace();
    scanner.needName();
    if (scanner.takeSpace()) this.#isPartial = scanner.takeExternalId();
    scanner.takeSpace();
    if (scanner.takeText('[')) {
      this.#readDeclarations(scanner, ']', 0);
      scanner.takeSpace();
    }
    if (!scanner.isAtEnd) scanner.fail('the end is missing');
    return { entities: this.#entities, attributes: this.#attributes, isPartial: this.#isPartial };
  }

  #count(text: string): void {
    this.#characters += text.length;
    if (this.#characters > MAX_CHARACTERS) {
      throw new XmlError(`the document type has more than ${MAX_CHARACTERS} characters`, { tooLarge: true });
    }
  }

  #readDeclarations(scanner: DeclarationScanner, end: string, depth: number): void {
    for (;;) {
      scanner.takeSpace();
      if (end === '' ? scanner.isAtEnd : scanner.takeText(end)) return;
      if (scanner.takeText('%')) this.#readParameter(scanner, depth);
      else this.#readDeclaration(scanner);
    }
  }

  #readParameter(scanner: DeclarationScanner, depth: number): void {
    const name = scanner.needName();
    scanner.need(';');
    const entity = this.#parameters.get(name);
    if (entity === undefined) {
      if (!this.#isPartial) scanner.fail(`the parameter entity "${name}" is not declared`);
      return;
    }
    // Nobody who skips parameter entities knows what is declared (XML 1.0).
    this.#isPartial = true;
    if (entity.text === undefined) throw new XmlError('external entities are not read');
    if (depth > MAX_PARAMETER_DEPTH) scanner.fail(`the parameter entity "${name}" is nested too deep`);
    this.#count(entity.text);
    this.#readDeclarations(new DeclarationScanner(entity.text), '', depth + 1);
  }

  #readDeclaration(scanner: DeclarationScanner): void {
    if (scanner.takeText('<!--')) {
      scanner.needUntil('--');
      scanner.need('>');
    } else if (scanner.takeText('<?')) readInstruction(scanner);
    else if (scanner.takeText('<!ENTITY')) this.#readEntity(scanner);
    else if (scanner.takeText('<!ATTLIST')) this.#readAttributes(scanner);
    else if (scanner.takeText('<!ELEMENT')) readElement(scanner);
    else if (scanner.takeText('<!NOTATION')) readNotation(scanner);
    else scanner.fail('there is no declaration');
  }

  #readEntity(scanner: DeclarationScanner): void {
    scanner.needSpace();
    const isParameter = scanner.takeText('%');
    if (isParameter) scanner.needSpace();
    const name = scanner.needName();
    scanner.needSpace();
    let text: string | undefined;
    if (!scanner.takeExternalId()) text = replacementText(scanner, this.xmlVersion);
    else if (scanner.takeSpace() && !isParameter && scanner.takeText('NDATA')) {
      scanner.needSpace();
      scanner.needName();
    }
    scanner.needEnd();
    const table = isParameter ? this.#parameters : this.#entities;
    // The first declaration counts (XML 1.0).
    if (!table.has(name)) table.set(name, { text });
  }

  #readAttributes(scanner: DeclarationScanner): void {
    scanner.needSpace();
    const element = scanner.needName();
    const declared = this.#attributes.get(element) ?? new Map<string, DeclaredAttribute>();
    this.#attributes.set(element, declared);
    for (;;) {
      const hasSpace = scanner.takeSpace();
      if (scanner.takeText('>')) return;
      if (!hasSpace) scanner.fail('white space is missing');
      const name = scanner.needName();
      scanner.needSpace();
      const isToken = readAttributeType(scanner);
      scanner.needSpace();
      const defaultValue = readDefault(scanner);
      if (defaultValue !== undefined && !this.#isPartial) this.#checkDeclared(defaultValue, scanner);
      if (!declared.has(name)) declared.set(name, { isToken, defaultValue });
    }
  }

  /** An entity in a default value has to be declared before it, and not to be external (XML 1.0). */
  #checkDeclared(value: string, scanner: DeclarationScanner): void {
    for (const [, name = ''] of value.matchAll(ENTITY_REFERENCE)) {
      const isKnown = PREDEFINED.has(name) || this.#entities.get(name)?.text !== undefined;
      if (!isKnown) scanner.fail(`the entity "${name}" is not declared`);
    }
  }
}

function readInstruction(scanner: DeclarationScanner): void {
  const target = scanner.needName();
  if (target.toLowerCase() === 'xml') scanner.fail('an XML declaration stands inside');
  if (scanner.takeText('?>')) return;
  scanner.needSpace();
  scanner.needUntil('?>');
}

function readElement(scanner: DeclarationScanner): void {
  scanner.needSpace();
  scanner.needName();
  scanner.needSpace();
  scanner.needContent();
  scanner.needEnd();
}

function readNotation(scanner: DeclarationScanner): void {
  scanner.needSpace();
  scanner.needName();
  scanner.needSpace();
  if (!scanner.takeExternalId({ publicAlone: true })) scanner.fail('an identifier is missing');
  scanner.needEnd();
}

/** Returns whether it is another type than CDATA. */
function readAttributeType(scanner: DeclarationScanner): boolean {
  const type = scanner.take(ATTRIBUTE_TYPE);
  if (type !== undefined) return type !== 'CDATA';
  if (scanner.takeText('NOTATION')) {
    scanner.needSpace();
    scanner.need('(');
    scanner.needNames(() => scanner.needName());
  } else {
    if (!scanner.takeText('(')) scanner.fail('the type of an attribute is missing');
    scanner.needNames(() => scanner.needToken());
  }
  return true;
}

function readDefault(scanner: DeclarationScanner): string | undefined {
  if (scanner.takeText('#REQUIRED') || scanner.takeText('#IMPLIED')) return undefined;
  if (scanner.takeText('#FIXED')) scanner.needSpace();
  const value = scanner.needLiteral();
  if (value.includes('<')) scanner.fail('"<" stands in the value of an attribute');
  checkReferences(value, scanner);
  return value.replace(/[\t\n\r]/g, ' ');
}

/** Returns the text that an entity stands for: with its characters, but with its other references as written (XML 1.0). */
function replacementText(scanner: DeclarationScanner, xmlVersion: string): string {
  const value = scanner.needLiteral();
  if (value.includes('%')) scanner.fail('"%" stands in the text of an entity');
  checkReferences(value, scanner);
  return value.replace(CHARACTER_REFERENCE, (reference, hexadecimal?: string, decimal?: string) => {
    const code = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16);
    return isCharacter(code, xmlVersion)
      ? String.fromCodePoint(code)
      : scanner.fail(`${reference} is no character`);
  });
}

function checkReferences(value: string, scanner: DeclarationScanner): void {
  if (value.replace(REFERENCE, '').includes('&')) scanner.fail('"&" stands alone');
}
