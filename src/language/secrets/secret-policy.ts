/**
 * How a function or filter treats a reference to a secret (decision 0026).
 * `carried`: the reference stays intact; the function only moves or joins values.
 * `elements`: the same inside lists and objects; a direct text argument becomes a marker.
 * `deferred`: the client computes the function when it sends.
 * `whole`: the same for a single reference without other text: the result depends on adjacent characters.
 * `pieces`: deferred too, for each reference by itself; the text between is computed at once.
 * `replacement`: kept in the replacement, and skipped in the searched text.
 * `query`: the client writes it into a query string.
 * `keyed`: `deferred` for key, and text to sign or encrypt, each a single reference without other text; refused otherwise.
 * `verified`: the function gives only true or false, so it sees the key itself (decision 0026).
 * `refused`: the result would be worthless with a marker for a key, and it cannot be deferred.
 * For all others a marker replaces it.
 */
export type SecretPolicy =
  | 'carried'
  | 'elements'
  | 'deferred'
  | 'whole'
  | 'pieces'
  | 'replacement'
  | 'query'
  | 'keyed'
  | 'verified'
  | 'refused';

const HASHES = ['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512'];
const DIGESTS = HASHES.flatMap((hash) => [hash, `${hash}_base64`, `hmac_${hash}`, `hmac_${hash}_base64`]);

/**
 * Encodings, digests, signatures, and trimming. No function that searches the secret for a given text:
 * whether the server still accepts the result would reveal the secret's content.
 */
const DEFERRED = [
  ...DIGESTS,
  'base64_encode',
  'base64url_encode',
  'jwt_sign',
  'strip',
  'lstrip',
  'rstrip',
  'trim',
];

/**
 * Decodings. Text joined before a secret would change how its first characters are decoded: the length of the result,
 * or its absence, would then reveal them.
 */
const WHOLE = ['base64_decode', 'base64url_decode', 'url_decode', 'hex_decode', 'unescape', 'escape_once'];

/** Functions whose result for a text is the joined result for its parts. */
const PIECES = [
  'url_encode',
  'cgi_escape',
  'uri_escape',
  'escape',
  'xml_escape',
  'hex_encode',
  'strip_newlines',
];

const REPLACEMENT = [
  'replace',
  'replace_first',
  'replace_last',
  'remove',
  'remove_first',
  'remove_last',
  'regex_replace',
];

/** Functions with a key: a marker in its place would be a key that everybody knows. */
const KEYED = ['rsa_sign', 'aes_encrypt', 'aes_decrypt', 'openssl_decrypt', 'tines_encrypt', 'tines_decrypt'];

/** Checks of signatures, each with the place of its key among its values. */
const VERIFIED: ReadonlyMap<string, number> = new Map([
  ['hmac_verify', 2],
  ['rsa_verify', 2],
  ['ecdsa_verify', 2],
  ['ed25519_verify', 2],
  ['secret_equal', 1],
]);

/**
 * Functions that the key of a check may be made with. Each sees the whole secret, and succeeds for any, or for any of its
 * encoding: the verdict, or an error, tells only whether the whole was guessed.
 */
const OF_KEYS: ReadonlySet<string> = new Set([
  ...DIGESTS,
  'base64_encode',
  'base64url_encode',
  'hex_encode',
  'base64_decode',
  'base64url_decode',
  'hex_decode',
  'strip',
  'lstrip',
  'rstrip',
  'trim',
]);

/** Their results are lists, objects or bytes. */
const REFUSED = ['zip', 'unzip', 'openssl_encrypt'];

const CARRIED = words(`
  append prepend concat push unshift join text default get raw
  as_object s_object __typed_output json jsonify to_json neat_json inspect
  json_parse parse_json json_lines_parse csv_parse csv_parse_to_objects
  array list force_array object set merge deep_merge from_entries reduce
  type not xor is_empty is_blank is_present is_null
`);

const ELEMENTS = words(`
  first last pop shift drop take slice reverse size liquid_size
  compact uniq sort sort_natural where reject find find_index has group_by
  map map_lambda filter flat_map index_by partition all any count max_by min_by
  chunk chunk_array difference flatten intersection union zip_lists tally
  keys values entries pick omit has_key invert map_keys map_values sort_keys compact_object
  array_to_sentence array_to_sentence_string jsonpath sample shuffle random_element
`);

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}

const POLICIES: ReadonlyMap<string, SecretPolicy> = new Map<string, SecretPolicy>([
  ...CARRIED.map((name) => [name, 'carried'] as const),
  ...ELEMENTS.map((name) => [name, 'elements'] as const),
  ...DEFERRED.map((name) => [name, 'deferred'] as const),
  ...WHOLE.map((name) => [name, 'whole'] as const),
  ...PIECES.map((name) => [name, 'pieces'] as const),
  ...REPLACEMENT.map((name) => [name, 'replacement'] as const),
  ...KEYED.map((name) => [name, 'keyed'] as const),
  ...[...VERIFIED.keys()].map((name) => [name, 'verified'] as const),
  ...REFUSED.map((name) => [name, 'refused'] as const),
  ['to_query', 'query'],
]);

/** Returns the policy of a filter or function, by its name in any letter case; undefined: it receives a marker. */
export function secretPolicy(name: string): SecretPolicy | undefined {
  return POLICIES.get(name.toLowerCase());
}

/** Returns the place of the key of a function that checks signatures, by its name in any letter case. */
export function keyPlace(name: string): number | undefined {
  return VERIFIED.get(name.toLowerCase());
}

/** Returns true for a function that the key of a check may be made with, by its name in any letter case. */
export function makesKeys(name: string): boolean {
  return OF_KEYS.has(name.toLowerCase());
}
