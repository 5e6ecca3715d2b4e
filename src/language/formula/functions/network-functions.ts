import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';
import { parse } from 'tldts';
import { replaceEach } from '../../filters/lists/replace-each.js';
import { TemplateError } from '../../../platform/text/template-error.js';
import { textOf } from '../../values/values.js';
import { holds } from '../evaluation/evaluator.js';
import type { FunctionTable } from './formula-function.js';
import { queryValues } from './values/query-values.js';
import { itemsFrom } from './values/selectors.js';

/** A longer text is not a URL. */
const MAX_ADDRESS_CHARACTERS = 100_000;

const PRIVATE = blockListOf([
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '100.64.0.0/10',
  '::1/128',
  'fc00::/7',
  'fe80::/10',
]);

/** Functions on addresses of networks, hosts and people. */
export const networkFunctions: FunctionTable = {
  IS_IP: {
    takes: 'text',
    gives: 'TRUE for an IPv4 or IPv6 address',
    example: ['IS_IP("10.0.0.1")', true],
    run: ([text]) => isIP(trimmed(text)) !== 0,
  },
  IS_IPV4: {
    takes: 'text',
    gives: 'TRUE for an IPv4 address',
    example: ['IS_IPV4("::1")', false],
    run: ([text]) => isIPv4(trimmed(text)),
  },
  IS_IPV6: {
    takes: 'text',
    gives: 'TRUE for an IPv6 address',
    example: ['IS_IPV6("::1")', true],
    run: ([text]) => isIPv6(trimmed(text)),
  },
  IS_PRIVATE_IP: {
    takes: 'text',
    gives: 'TRUE for a private, loopback or link-local address',
    example: ['IS_PRIVATE_IP("192.168.1.1")', true],
    run: ([text]) => isIP(trimmed(text)) !== 0 && PRIVATE.check(trimmed(text), familyOf(trimmed(text))),
  },
  IN_CIDR: {
    takes: 'address, network',
    gives:
      'TRUE for an address inside the network, or inside one of a list of networks; for a list of addresses, if all are',
    example: ['IN_CIDR(["10.1.2.3", "10.4.5.6"], "10.0.0.0/8")', true],
    run: ([given, network], { step }) => {
      const addresses: unknown[] = Array.isArray(given) ? itemsFrom(given) : [given];
      let list: BlockList | undefined;
      const isInside = (address: string) => {
        step();
        if (isIP(address) === 0) return false;
        list ??= blockListOf((Array.isArray(network) ? itemsFrom(network) : [network]).map(trimmed));
        return list.check(address, familyOf(address));
      };
      return addresses.length > 0 && addresses.every((address) => isInside(trimmed(address)));
    },
  },
  IS_URL: {
    takes: 'text',
    gives: 'TRUE for an HTTP or HTTPS URL',
    example: ['IS_URL("https://x.org/a")', true],
    run: ([text]) => /^https?:\/\//i.test(trimmed(text)) && isAddress(trimmed(text)),
  },
  URL_PARSE: {
    takes: 'text',
    gives: '`{scheme, host, port, path, query, fragment}` of a URL; NULL if it is not a URL',
    example: [
      'URL_PARSE("https://x.org:8080/a?b=1#c")',
      { scheme: 'https', host: 'x.org', port: 8080, path: '/a', query: 'b=1', fragment: 'c' },
    ],
    run: ([text]) => {
      if (!isAddress(trimmed(text))) return null;
      const url = new URL(trimmed(text));
      return {
        scheme: url.protocol.replace(/:$/, ''),
        host: url.hostname,
        port: url.port === '' ? null : Number(url.port),
        path: url.pathname,
        query: url.search.replace(/^\?/, ''),
        fragment: url.hash.replace(/^#/, ''),
      };
    },
  },
  PARSE_URL: {
    takes: 'text, include_public_suffix_domains?',
    gives:
      'the parts of a URL, with the query as an object (repeated names as a list), the `port` even if it is the default, the registered `domain` and its `tld`. With the second value, shared hosting domains (`github.io`) are treated like others. NULL if the text is not a URL',
    example: [
      'PARSE_URL("https://www.x.co.uk/a?b=1&c=2&c=3#d")',
      {
        scheme: 'https',
        host: 'www.x.co.uk',
        domain: 'x.co.uk',
        tld: 'co.uk',
        path: '/a',
        port: 443,
        query: { b: '1', c: ['2', '3'] },
        fragment: 'd',
      },
    ],
    run: ([text, withShared]) =>
      isAddress(trimmed(text)) ? urlParts(trimmed(text), holds(withShared)) : null,
  },
  IS_EMAIL: {
    takes: 'text',
    gives: 'TRUE for text that looks like an email address',
    example: ['IS_EMAIL("a@x.org")', true],
    run: ([text]) =>
      trimmed(text).length <= 254 &&
      /^[^\s@<>"(),;:]{1,64}@[^\s@<>"(),;:.]+(?:\.[^\s@<>"(),;:.]+)+$/.test(trimmed(text)),
  },
  EMAIL_DOMAIN: {
    takes: 'text',
    gives: 'the part after the last `@`, in lower case; NULL without `@`',
    example: ['EMAIL_DOMAIN("Ann <ann@X.org>")', 'x.org'],
    run: ([text]) => {
      const at = textOf(text).lastIndexOf('@');
      return at === -1 ? null : (/^[^\s>"',;]+/.exec(textOf(text).slice(at + 1))?.[0].toLowerCase() ?? null);
    },
  },
  DEFANG: {
    takes: 'text',
    gives: 'the text with its URLs and addresses made unclickable',
    example: ['DEFANG("http://evil.org")', 'hxxp://evil[.]org'],
    run: ([text], { checkTime }) => {
      const named = textOf(text).replace(/\bhttp(s?):\/\//gi, 'hxxp$1://');
      return replaceEach(named, /(?<=[\p{L}\p{N}])\.(?=[\p{L}\p{N}])/gu, {
        by: () => '[.]',
        checkTime,
      });
    },
  },
  REFANG: {
    takes: 'text',
    gives: 'the text with defanged URLs and addresses restored',
    example: ['REFANG("hxxps://evil[.]org")', 'https://evil.org'],
    run: ([text], { checkTime }) => {
      const named = textOf(text).replace(/\bhxxp(s?)(?:\[:\]|:)\/\//gi, 'http$1://');
      return replaceEach(named, /\[\.\]|\(\.\)|\[dot\]|\[@\]|\[at\]/gi, {
        by: (found) => (/[@a]/i.test(found) ? '@' : '.'),
        checkTime,
      });
    },
  },
};

const USUAL_PORTS: Record<string, number> = { http: 80, https: 443, ftp: 21 };

function urlParts(text: string, includeShared: boolean) {
  const url = new URL(text);
  const scheme = url.protocol.replace(/:$/, '');
  const hasPath = /^[^:]*:\/\/[^/?#]*[/\\]/.test(text) || url.pathname !== '/';
  return {
    scheme,
    host: url.hostname === '' ? null : url.hostname,
    ...registeredDomain(url.hostname, includeShared),
    path: hasPath ? url.pathname : '',
    port: url.port === '' ? (USUAL_PORTS[scheme] ?? null) : Number(url.port),
    query: url.search === '' ? null : queryValues(url.search),
    fragment: url.hash === '' ? null : url.hash.slice(1),
  };
}

/** Limits the length: parsing names in other scripts costs a microsecond per letter. */
function isAddress(text: string): boolean {
  return text.length <= MAX_ADDRESS_CHARACTERS && URL.canParse(text);
}

function trimmed(value: unknown): string {
  return textOf(value).trim();
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}

/** @throws TemplateError for a text that is not a network such as `10.0.0.0/8`. */
function blockListOf(networks: string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits = isIPv6(address) ? '128' : '32'] = network.split('/');
    const isNetwork =
      isIP(address) !== 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (isIPv6(address) ? 128 : 32);
    if (!isNetwork) throw new TemplateError(`"${network.slice(0, 100)}" is not a network such as 10.0.0.0/8`);
    list.addSubnet(address, Number(bits), familyOf(address));
  }
  return list;
}

/**
 * Returns the registered domain of a host, and the public suffix it is registered under; NULL if the host is not in a
 * domain, as an address or a single name is not.
 * @param ignoreShared treats hosting providers, such as `github.io`, like other domains.
 */
function registeredDomain(
  host: string,
  ignoreShared: boolean,
): { domain: string | null; tld: string | null } {
  const found = parse(host, { allowPrivateDomains: !ignoreShared, extractHostname: false });
  if (found.isIp === true || !host.replace(/\.$/, '').includes('.')) return { domain: null, tld: null };
  return { domain: found.domain, tld: found.publicSuffix };
}
