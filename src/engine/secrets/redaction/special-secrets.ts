import { sign } from 'aws4';
import { NOT_MTLS } from '../../../agents/face.js';
import { type AwsKeys, sentHeaders } from '../../../platform/outbound/aws-signature.js';
import { PermanentJobError } from '../../../platform/errors.js';
import { isJsonObject } from '../../../platform/json.js';
import type { HttpRequest } from '../../../platform/outbound/http-exchange.js';
import type { OpenedSecrets } from '../opened-secrets.js';

/** The option of an HTTP action that names a certificate. */
const CERTIFICATE_OPTION = 'mutual_tls';

/**
 * Returns the request with what no text can give: the signature of AWS for a credential that is its authorization, and the
 * certificate that its option `mutual_tls` names.
 * @throws PermanentJobError if such a credential stands anywhere else.
 */
export function withSpecialSecrets(
  request: HttpRequest,
  opened: unknown,
  secrets: OpenedSecrets,
): HttpRequest {
  const marks = secrets.obtained().filter(([, { aws, tls }]) => aws !== undefined || tls !== undefined);
  const option = isJsonObject(opened) ? opened[CERTIFICATE_OPTION] : undefined;
  const given = typeof option === 'string' ? option.trim() : option;
  const certificate = marks.find(([, { text, tls }]) => tls !== undefined && text === given)?.[1].tls;
  if (certificate === undefined && isGiven(given)) throw new PermanentJobError(NOT_MTLS);
  const authorization = request.headers.authorization?.trim();
  const signer = marks.find(([, found]) => found.aws !== undefined && found.text === authorization);
  const sent = signer === undefined ? request : withoutAuthorization(request);
  for (const [name, { text, tls }] of marks) {
    if (!holds(sent, text)) continue;
    throw new PermanentJobError(tls === undefined ? `The credential "${name}" ${NOT_ALONE}` : NOT_MTLS);
  }
  return {
    ...(signer?.[1].aws === undefined ? sent : noting(signer[0], signed(sent, signer[1].aws), secrets)),
    ...(certificate !== undefined && { clientCertificate: certificate, alwaysVerifyTls: true }),
  };
}

const NOT_ALONE = 'signs requests: it can only be used as the whole Authorization header of an HTTP request';

function isGiven(option: unknown): boolean {
  return option !== undefined && option !== null && option !== '' && option !== false;
}

function withoutAuthorization(request: HttpRequest): HttpRequest {
  const { authorization: _, ...headers } = request.headers;
  return { ...request, headers };
}

function holds({ url, headers, body }: HttpRequest, mark: string): boolean {
  return (
    [url, ...Object.values(headers)].some((text) => text.includes(mark)) || body?.includes(mark) === true
  );
}

/** Some servers echo what they get: the signature is redacted in the response. */
function noting(name: string, request: HttpRequest, secrets: OpenedSecrets): HttpRequest {
  for (const header of ['authorization', 'x-amz-security-token']) {
    const value = request.headers[header];
    if (value !== undefined) secrets.note(name, value);
  }
  return request;
}

/** The signature holds for the request's own address: redirects are not followed. */
function signed(request: HttpRequest, keys: AwsKeys): HttpRequest {
  const { host, hostname, pathname, search } = new URL(request.url);
  if (!/\.amazonaws\.com(?:\.cn)?$/.test(hostname)) {
    throw new PermanentJobError(
      'Credentials of the mode AWS can only sign requests to hosts of amazonaws.com',
    );
  }
  const { headers = {} } = sign(
    {
      // The service and the region are parts of the name; the signed header has the port too.
      hostname,
      path: `${pathname}${search}`,
      method: request.method,
      headers: { ...request.headers, host },
      ...(request.body !== undefined && { body: request.body }),
    },
    keys,
  );
  return { ...request, headers: sentHeaders(headers), followRedirects: false };
}
