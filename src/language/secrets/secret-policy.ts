/**
 * What a function or filter does with a reference to a secret (decision 0026).
 * `carried`: it goes through whole; the function only moves or joins values.
 * `elements`: the same inside lists and objects; a text itself becomes a marker.
 * `deferred`: the client works the function out when it sends.
 * `whole`: the same of one reference alone, with no other text: what it gives depends on which characters meet.
 * `pieces`: deferred too, for each reference alone; the text between is worked out at once.
 * `replacement`: carried in what is put in, and passed over in what is searched.
 * `query`: written into a query by the client.
 * All others get a marker in its place.
 */
export type SecretPolicy = 'carried' | 'elements' | 'deferred' | 'whole' | 'pieces' | 'replacement' | 'query';

const HASHES = ['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512'];
const DIGESTS = HASHES.flatMap((hash) => [hash, `${hash}_base64`, `hmac_${hash}`, `hmac_${hash}_base64`]);

/**
 * Encodings, digests, signatures, and white space at the ends. Nothing that is told what to look for in the secret:
 * whether the other side still takes the result would tell what is in it.
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
 * Decodings. Text that is put before a secret would decide what its first characters are taken for: the length of the
 * result, or that there is none, would then tell which they are.
 */
const WHOLE = ['base64_decode', 'base64url_decode', 'url_decode', 'hex_decode', 'unescape', 'escape_once'];

/** What they make of a text is what they make of its parts, joined. */
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
  chunk chunk_array difference flatten intersection union zip tally
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
  ['to_query', 'query'],
]);

/** Of a filter or function, by its name in any letter case; undefined: it gets a marker. */
export function secretPolicy(name: string): SecretPolicy | undefined {
  return POLICIES.get(name.toLowerCase());
}
