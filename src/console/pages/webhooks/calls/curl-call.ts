import { type CallWriter, hasBody } from './call-writer.js';

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
const EXAMPLE = '{"severity":"high"}';
const sent = (method: string, body = EXAMPLE) =>
  hasBody(method) ? ` \\\n  -H 'Content-Type: application/json' -d ${quoted(body)}` : '';
const head = (method: string) => (method === 'HEAD' ? 'curl --head' : `curl -X ${method}`);

/** Calls for a shell with curl; that with a signature needs openssl. */
export const CURL: CallWriter = {
  address: ({ method, url, secret, body }) =>
    `${head(method)} ${quoted(`${url}/${encodeURIComponent(secret)}`)}${sent(method, body)}`,
  basic: ({ method, url, secret, body }) =>
    `${head(method)} -u ${quoted(`any:${secret}`)} ${quoted(url)}${sent(method, body)}`,
  signature: ({ method, url, secret, body = EXAMPLE }) =>
    [
      `url=${quoted(url)}`,
      `body=${hasBody(method) ? quoted(body) : `''`}`,
      'ts=$(date +%s)',
      `hmac=$(printf '%s.%s.%s' "$ts" "$url" "$body" | openssl dgst -sha256 -hmac ${quoted(secret)} | sed 's/^.* //')`,
      `${head(method)} "$url" -H "X-Service-Signature: ts=$ts;sig1=$hmac"${
        hasBody(method) ? ` \\\n  -H 'Content-Type: application/json' -d "$body"` : ''
      }`,
    ].join('\n'),
};
