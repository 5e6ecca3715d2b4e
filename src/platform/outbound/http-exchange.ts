import type { JsonObject } from '../json.js';
import type { ResponseHeaders } from '../headers/header-of.js';
import type { DigestCredentials } from './http/digest.js';

/** The certificate and key by which a client proves its identity to a server, in PEM form. */
export interface ClientCertificate {
  /** Absent: none is shown. */
  cert?: string;
  key?: string;
  /** A certificate to trust besides those that are trusted anyway. */
  ca?: string;
}

/** An outgoing request. */
export interface HttpRequest {
  /** Absolute, http or https. */
  url: string;
  /** Upper case. */
  method: string;
  /** Names in lower case. */
  headers: Record<string, string>;
  body?: Buffer;
  /** Answers a challenge to Digest authentication (RFC 7616) of the request's own origin. */
  digest?: DigestCredentials;
  /** For the whole request, with the wait for a connection, redirects and body; default: the client's timeout. */
  timeoutMs?: number;
  /** Shown to the request's own origin only. */
  clientCertificate?: ClientCertificate;
  /** Default true; at most five are followed. */
  followRedirects?: boolean;
  /** Default true. */
  verifyTls?: boolean;
  /** Certificates are verified even if `verifyTls` is false: for requests that contain a secret. */
  alwaysVerifyTls?: boolean;
  /**
   * Called before each hop connects, the first included. `request` throws unchanged what it throws. `bare`: after a
   * redirect to another origin, the caller's body and all but harmless headers are left out.
   */
  checkHop?: (url: URL, hop: { bare: boolean }) => void;
  /** Returns headers for the address of each hop, the first included; they replace those of the same names. */
  hopHeaders?: (url: URL) => Promise<Record<string, string>>;
  /** Headers that contain a secret: they are not sent to another origin, even if their names are harmless. */
  secretHeaders?: readonly string[];
  /** Aborts the request. */
  signal?: AbortSignal;
  /** The owner of the request (the tenant): each has connections of its own, so that none blocks another. */
  group?: number;
}

/** The server responded; `body` is decompressed. */
export interface HttpResponse {
  answered: true;
  status: number;
  /** The values of a repeated name are joined by `, `; several `set-cookie` are a list. */
  headers: ResponseHeaders;
  body: Buffer;
  /** The body in the form of an event, if it was read before: `body` is empty then. */
  read?: JsonObject;
  /** For the story's author: what was done differently from the request, such as a redirect that was not followed. */
  note?: string;
}

/** No usable response was received. */
export interface NoResponse {
  answered: false;
  /** For a story's author: contains the host at most, never the path, the query or a header. */
  reason: string;
  /** The caller aborted it: nothing is known about the server. */
  interrupted: boolean;
  /** A setting of the operator forbids the request: another attempt has the same result. */
  forbidden?: boolean;
}

export interface HttpClient {
  /**
   * Never throws for faults of the network or the server: those are a `NoResponse`.
   * @throws what the request's `checkHop` throws.
   */
  request(request: HttpRequest): Promise<HttpResponse | NoResponse>;
  /** Closes all connections, idle or in use. */
  close(): Promise<void>;
}
