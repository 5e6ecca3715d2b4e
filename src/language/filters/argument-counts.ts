import { digestFilters } from './encoding-filters.js';

/** How many arguments a filter takes after its value; all named ones together count as one, as in Ruby. */
interface ArgumentCount {
  fewest: number;
  most: number;
}

const DIGESTS = Object.keys(digestFilters);
const isKeyed = (name: string) => name.startsWith('hmac_');

/**
 * The counts of Ruby's Liquid, and for the filters of Jekyll and Huginn those of their methods. A filter that is in no
 * list takes any number: what it does not know it ignores.
 */
const LISTS: readonly (ArgumentCount & { names: string })[] = [
  {
    fewest: 0,
    most: 0,
    names: `abs base64_decode base64_encode base64_url_safe_decode base64_url_safe_encode capitalize ceil downcase escape
      escape_once first h floor last lstrip newline_to_br reverse rstrip size squish strip strip_html strip_newlines upcase
      url_decode url_encode cgi_escape date_to_rfc822 date_to_xmlschema inspect jsonify normalize_whitespace to_integer
      uri_escape xml_escape to_xpath unescape fromjson hex_encode hex_decode ${DIGESTS.filter((name) => !isKeyed(name)).join(' ')}`,
  },
  {
    fewest: 0,
    most: 1,
    names: `compact join round sort sort_natural sum uniq array_to_sentence_string number_of_words pop sample shift slugify
      to_uri`,
  },
  { fewest: 2, most: 3, names: 'hmac_verify rsa_verify ecdsa_verify' },
  { fewest: 2, most: 2, names: 'ed25519_verify' },
  { fewest: 1, most: 1, names: 'secret_equal' },
  { fewest: 0, most: 2, names: 'default truncate truncatewords date_to_string date_to_long_string' },
  {
    fewest: 1,
    most: 1,
    names: `append at_least at_most concat divided_by map minus modulo plus prepend remove remove_first remove_last split
      times group_by push unshift ${DIGESTS.filter(isKeyed).join(' ')}`,
  },
  // Ruby's own `date` has no zone.
  {
    fewest: 1,
    most: 2,
    names: `date find find_index has reject replace replace_first slice where regex_replace regex_replace_first
      regex_extract`,
  },
  {
    fewest: 2,
    most: 2,
    names: 'replace_last where_exp reject_exp find_exp find_index_exp has_exp group_by_exp',
  },
];

const COUNTS: ReadonlyMap<string, ArgumentCount> = new Map(
  LISTS.flatMap(({ names, ...count }) => names.split(/\s+/).map((name) => [name, count] as const)),
);

/**
 * Returns a function for the fault of a call of the filter; it returns undefined for a number of arguments that the
 * filter takes. An argument is a pair if it is named.
 */
export function argumentFaults(name: string): (args: readonly unknown[]) => string | undefined {
  const count = COUNTS.get(name);
  if (count === undefined) return () => undefined;
  const { fewest, most } = count;
  const expected = fewest === most ? String(most) : `${fewest} to ${most}`;
  return (args) => {
    const given = args.length < 2 ? args.length : numberOf(args);
    const isTaken = given >= fewest && given <= most;
    return isTaken ? undefined : `wrong number of arguments (given ${given}, expected ${expected})`;
  };
}

function numberOf(args: readonly unknown[]): number {
  const named = args.filter(Array.isArray).length;
  return args.length - Math.max(named - 1, 0);
}
