import type { JsonObject, JsonValue } from '../../platform/json.js';
import {
  membersOf,
  itemsOf,
  type OpenapiDocument,
  partOf,
  shortText,
  type Spot,
  spotAt,
  spotOf,
  textIn,
} from './imported-document.js';
import { literalTemplate, referenceTo, type TemplateKind } from './literal-template.js';

/** A credential to create: fields of `POST /api/v1/user_credentials`, without its secrets. */
export interface SuggestedOpenapiCredential extends JsonObject {
  name: string;
  mode: string;
  allowed_hosts: string[];
}

/** A credential that the options of an operation name. */
export interface NeededCredential {
  /** The option: `headers.Authorization`. */
  where: string;
  /** The name of the security scheme. */
  scheme: string;
  description: string | null;
  suggestion: SuggestedOpenapiCredential;
}

/** What a security scheme adds to the options. */
export interface OpenapiSecurity {
  options: { headers: JsonObject; query: JsonObject; others: JsonObject };
  credentials: NeededCredential[];
  remarks: string[];
}

/** What names and binds the credentials. */
export interface SecurityPlace {
  /** The host of the server; undefined if it is not known. */
  host: string | undefined;
  title: string;
  language: TemplateKind;
}

/** Maps the security of an operation to credentials: of several ways the first whose schemes are all known. */
export function securityOf(
  document: OpenapiDocument,
  operation: Spot,
  place: SecurityPlace,
): OpenapiSecurity {
  const security: OpenapiSecurity = {
    options: { headers: {}, query: {}, others: {} },
    credentials: [],
    remarks: [],
  };
  const own = spotAt(document, operation, 'security').value;
  const ways = itemsOf(own ?? spotOf(document, 'security').value).map((way) => membersOf(way));
  const wanted = ways.filter((way) => way.length > 0);
  const schemes = spotOf(document, 'components', 'securitySchemes');
  const schemeOf = (name: string) => spotAt(document, schemes, name).value;
  const way = wanted.find((names) => names.every(([name]) => isKnown(schemeOf(name)))) ?? wanted[0] ?? [];
  for (const [name, scopes] of way)
    addScheme({ name, scheme: schemeOf(name), scopes }, { security, place, document });
  const others = wanted
    .filter((other) => other !== way)
    .map((names) => names.map(([name]) => name).join(' with '));
  if (others.length > 0)
    security.remarks.push(`The operation also takes other security: ${others.slice(0, 5).join('; ')}.`);
  if (ways.length > wanted.length && way.length > 0)
    security.remarks.push('The operation also works without a credential.');
  return security;
}

const KNOWN_TYPES = ['apiKey', 'oauth2', 'mutualTLS', 'openIdConnect'];

function isKnown(scheme: JsonValue | undefined): boolean {
  const type = textIn(partOf(scheme, 'type'));
  const http = textIn(partOf(scheme, 'scheme')).toLowerCase();
  return KNOWN_TYPES.includes(type) || (type === 'http' && ['basic', 'bearer', 'digest'].includes(http));
}

interface Named {
  name: string;
  scheme: JsonValue | undefined;
  scopes: JsonValue;
}

interface Into {
  security: OpenapiSecurity;
  place: SecurityPlace;
  document: OpenapiDocument;
}

function addScheme(named: Named, into: Into): void {
  const { name, scheme } = named;
  const type = textIn(partOf(scheme, 'type'));
  const http = textIn(partOf(scheme, 'scheme')).toLowerCase();
  const { headers, others } = into.security.options;
  const keep = (where: string, noun: string, settings: JsonObject = { mode: 'TEXT' }) =>
    suggested({ where, noun, settings, named }, into);
  if (!isKnown(scheme)) {
    into.security.remarks.push(
      `The security scheme ${name} is not supported: ${http || type || 'it is missing'}.`,
    );
  } else if (type === 'apiKey') addKey(named, into);
  else if (type === 'mutualTLS') others.mutual_tls = keep('mutual_tls', 'certificate', { mode: 'MTLS' });
  else if (type === 'http' && http !== 'bearer') {
    const where = `${http}_auth`;
    others[where] = ['user', keep(where, 'password')];
    into.security.remarks.push(`Put the user into ${where}, in place of "user".`);
  } else {
    const settings = type === 'http' ? { mode: 'TEXT' } : oauthSettings(named, into);
    headers.Authorization = `Bearer ${keep('headers.Authorization', 'token', settings)}`;
  }
}

function addKey({ name, scheme, scopes }: Named, into: Into): void {
  const { options, remarks } = into.security;
  const { language } = into.place;
  const field = textIn(partOf(scheme, 'name'));
  const place = textIn(partOf(scheme, 'in'));
  const keep = (where: string, settings: JsonObject = { mode: 'TEXT' }) =>
    suggested({ where, noun: 'key', settings, named: { name, scheme, scopes } }, into);
  if (partOf(scheme, 'x-amazon-apigateway-authtype') === 'awsSigv4') {
    options.headers.Authorization = keep('headers.Authorization', { mode: 'AWS' });
  } else if (place === 'query') options.query[field] = keep(`query_params.${field}`);
  else if (place === 'cookie') {
    options.headers.Cookie = `${literalTemplate(field, language)}=${keep('headers.Cookie')}`;
  } else {
    options.headers[field] = keep(`headers.${field}`);
    if (field.toLowerCase() === 'authorization') {
      remarks.push(
        'The credential is the whole header Authorization, with a word such as Bearer if the API wants one.',
      );
    }
  }
}

/** Notes a credential, and returns the template that stands for it. */
function suggested(
  { where, noun, settings, named }: { where: string; noun: string; settings: JsonObject; named: Named },
  { security: { credentials }, place }: Into,
): string {
  const { host, title, language } = place;
  const words = `${host?.replace(/^(?:api|www)\.|:\d+$/g, '') ?? title} ${noun}`;
  const wanted = words
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
    .slice(0, 100);
  const taken = new Set(credentials.map(({ suggestion }) => suggestion.name));
  let name = wanted;
  for (let count = 2; taken.has(name); count += 1) name = `${wanted}_${count}`;
  credentials.push({
    where,
    scheme: named.name,
    description: shortText(partOf(named.scheme, 'description')),
    suggestion: { name, mode: 'TEXT', ...settings, allowed_hosts: host === undefined ? [] : [host] },
  });
  return referenceTo('CREDENTIAL', name, language);
}

/** Which flows a server can take by itself comes first. */
const FLOWS = [
  ['clientCredentials', 'client_credentials'],
  ['authorizationCode', 'authorization_code'],
] as const;

function oauthSettings(
  { name, scheme, scopes }: Named,
  { security: { remarks }, document }: Into,
): JsonObject {
  if (textIn(partOf(scheme, 'type')) === 'openIdConnect') {
    const address = textIn(partOf(scheme, 'openIdConnectUrl')).slice(0, 300);
    remarks.push(`The addresses of OAuth for ${name} stand in ${address}.`);
    return { mode: 'OAUTH', oauth_grant_type: 'client_credentials' };
  }
  const flows = partOf(scheme, 'flows');
  const [flow, grant] = FLOWS.find(([key]) => partOf(flows, key) !== undefined) ?? [];
  if (flow === undefined) {
    remarks.push(`The flow of ${name} needs a browser or a password: put a token into the credential.`);
    return { mode: 'TEXT' };
  }
  const found = partOf(flows, flow);
  const asked = itemsOf(scopes).map(textIn).filter(Boolean).join(' ');
  return {
    mode: 'OAUTH',
    oauth_grant_type: grant,
    ...addressIn('oauth_token_url', partOf(found, 'tokenUrl'), document),
    ...(grant === 'authorization_code' &&
      addressIn('oauth_url', partOf(found, 'authorizationUrl'), document)),
    ...(asked !== '' && { oauth_scope: asked }),
  };
}

function addressIn(setting: string, value: JsonValue | undefined, { address }: OpenapiDocument): JsonObject {
  const text = textIn(value);
  if (text === '' || !URL.canParse(text, address)) return {};
  const url = new URL(text, address);
  return /^https?:$/.test(url.protocol) ? { [setting]: url.href } : {};
}
