import { Drop } from 'liquidjs';
import { textOf } from '../values/values.js';
import type { FilterTable } from './value-filter.js';

const MAX_ADDRESS_CHARACTERS = 100_000;

/** Huginn's filters for addresses and XPath. */
export const uriFilters: FilterTable = {
  to_uri: (value, { args: [base] }) => addressOf(textOf(value), textOf(base)),
  to_xpath: (value) => xpathLiteral(textOf(value)),
};

/** An address: its text in an output; `.host`, `.path` … in a reference. */
class Address extends Drop {
  readonly #url: URL;

  constructor(url: URL) {
    super();
    this.#url = url;
  }

  override valueOf(): string | undefined {
    return #url in this ? this.#url.href : undefined;
  }

  toJSON(): string | undefined {
    return this.valueOf();
  }

  override liquidMethodMissing(key: unknown): unknown {
    // `x.__proto__.host` calls this on an object that the constructor did not initialise.
    if (!(#url in this) || typeof key !== 'string') return undefined;
    return PARTS.get(key)?.(this.#url);
  }
}

// liquidjs also reads inherited properties of a Drop: without this line templates could call the constructor.
Object.defineProperty(Address.prototype, 'constructor', { value: undefined });

const DEFAULT_PORTS = new Map([
  ['http:', 80],
  ['https:', 443],
  ['ftp:', 21],
]);

/** Properties of an address, with the names of Ruby's URI. */
const PARTS: ReadonlyMap<string, (url: URL) => unknown> = new Map<string, (url: URL) => unknown>([
  ['scheme', (url: URL) => url.protocol.slice(0, -1)],
  ['userinfo', (url: URL) => [url.username, url.password].filter((part) => part !== '').join(':') || null],
  ['user', (url: URL) => url.username || null],
  ['host', (url: URL) => url.hostname || null],
  ['port', (url: URL) => (url.port === '' ? (DEFAULT_PORTS.get(url.protocol) ?? null) : Number(url.port))],
  ['path', (url: URL) => (isOpaque(url) ? null : url.pathname)],
  ['opaque', (url: URL) => (isOpaque(url) ? url.pathname : null)],
  ['query', (url: URL) => url.search.slice(1) || null],
  ['fragment', (url: URL) => url.hash.slice(1) || null],
]);

/** True for addresses such as `mailto:a@x.org`, which have no path. */
function isOpaque(url: URL): boolean {
  return !url.pathname.startsWith('/');
}

/** Returns null for a text that is no address. */
function addressOf(text: string, base: string): Address | null {
  if (text.length + base.length > MAX_ADDRESS_CHARACTERS) return null;
  const from = base === '' ? undefined : base;
  return URL.canParse(text, from) ? new Address(new URL(text, from)) : null;
}

/** Quotes a text for XPath, which has no escapes: `concat("it's ", '"')` where both quotes occur. */
function xpathLiteral(text: string): string {
  const parts = text === '' ? ['""'] : [...text.matchAll(/[^"]+|[^']+/gy)].map(([part]) => quoted(part));
  return parts.length === 1 ? (parts[0] ?? '""') : `concat(${parts.join(', ')})`;
}

function quoted(part: string): string {
  return part.includes('"') ? `'${part}'` : `"${part}"`;
}
