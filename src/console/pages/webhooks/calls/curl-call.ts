import { type CallWriter, hasBody } from './call-writer.js';

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
const body = (method: string) =>
  hasBody(method) ? ` \\\n  -H 'Content-Type: application/json' -d '{"severity":"high"}'` : '';
const head = (method: string) => (method === 'HEAD' ? 'curl --head' : `curl -X ${method}`);

/** Calls for a shell with curl; that with a signature needs openssl. */
export const CURL: CallWriter = {
  address: ({ method, url, secret }) =>
    `${head(method)} ${quoted(`${url}/${encodeURIComponent(secret)}`)}${body(method)}`,
  basic: ({ method, url, secret }) =>
    `${head(method)} -u ${quoted(`any:${secret}`)} ${quoted(url)}${body(method)}`,
  signature: ({ method, url, secret }) =>
    [
      `url=${quoted(url)}`,
      `body=${hasBody(method) ? `'{"severity":"high"}'` : `''`}`,
      'ts=$(date +%s)',
      `hmac=$(printf '%s.%s.%s' "$ts" "$url" "$body" | openssl dgst -sha256 -hmac ${quoted(secret)} | sed 's/^.* //')`,
      `${head(method)} "$url" -H "X-Service-Signature: ts=$ts;sig1=$hmac"${
        hasBody(method) ? ` \\\n  -H 'Content-Type: application/json' -d "$body"` : ''
      }`,
    ].join('\n'),
};
