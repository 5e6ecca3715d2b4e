import {
  membersOf,
  itemsOf,
  type OpenapiDocument,
  partOf,
  shortText,
  type Spot,
  spotAt,
  textIn,
} from './imported-document.js';

/** A server of an operation. */
export interface OpenapiServer {
  /** Absolute, without a slash at its end; variables have their default values. */
  url: string;
  description: string | null;
}

/** The place of an address that a pasted document does not have. */
export const UNKNOWN_SERVER = 'https://example.com';

/** Returns the servers of an operation: its own, else those of its path, else those of the document. */
export function serversOf(document: OpenapiDocument, places: readonly Spot[]): OpenapiServer[] {
  const lists = places.map((place) => spotAt(document, place, 'servers'));
  const list = lists.find(({ value }) => itemsOf(value).length > 0);
  const found = itemsOf(list?.value).map((server) => ({
    url: absolute(withDefaults(server), document.address),
    description: shortText(partOf(server, 'description')),
  }));
  return found.length > 0 ? found : [{ url: absolute('/', document.address), description: null }];
}

function withDefaults(server: Parameters<typeof textIn>[0]): string {
  const variables = new Map(
    membersOf(partOf(server, 'variables')).map(([name, value]) => [
      name,
      textIn(partOf(value, 'default')) || textIn(itemsOf(partOf(value, 'enum'))[0]),
    ]),
  );
  return textIn(partOf(server, 'url')).replace(
    /\{([^{}]{1,200})\}/g,
    (whole, name: string) => variables.get(name) ?? whole,
  );
}

function absolute(url: string, address: string | undefined): string {
  const base = address ?? UNKNOWN_SERVER;
  const text = /^https?:\/\//i.test(url) || !URL.canParse(url, base) ? url : new URL(url, base).href;
  return text.replace(/\/+$/, '');
}

/** Returns the host of an address, with the port unless it is the usual one; undefined if it is no address. */
export function hostOfServer(url: string): string | undefined {
  if (!/^https?:\/\//i.test(url) || /[{}<>%]/.test(url) || !URL.canParse(url)) return undefined;
  return new URL(url).host;
}
