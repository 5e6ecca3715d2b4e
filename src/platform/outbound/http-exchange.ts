/** One request that leaves the machine. */
export interface HttpRequest {
  /** Absolute, http or https. */
  url: string;
  /** Upper case. */
  method: string;
  /** Names in lower case. */
  headers: Record<string, string>;
  body?: Buffer;
  /** For the whole request, waiting for a connection, redirects and body included; the client's own unless given. */
  timeoutMs?: number;
  /** Default true; at most five. */
  followRedirects?: boolean;
  /** Default true. */
  verifyTls?: boolean;
  /** Certificates are verified, whatever `verifyTls` says: for requests that carry a secret. */
  alwaysVerifyTls?: boolean;
  /**
   * Called before each hop's connection, the first included. What it throws comes out of `request` as it is. `bare`:
   * a redirect went to another origin, so the caller's headers and body are left out, but for harmless headers.
   */
  checkHop?: (url: URL, hop: { bare: boolean }) => void;
  /** Headers that hold a secret: they go to no other origin, harmless as their names are. */
  secretHeaders?: readonly string[];
  /** Ends the request early. */
  signal?: AbortSignal;
  /** Whose request it is (the tenant): each has connections of its own, so that one cannot hold up another. */
  group?: number;
}

/** The other side answered; `body` is decompressed. */
export interface HttpAnswer {
  answered: true;
  status: number;
  /** Names in lower case; a name that came several times has its values joined by `, `. */
  headers: Record<string, string>;
  body: Buffer;
  /** For the story's author: what was not done as the request asks, such as a redirect that was not followed. */
  note?: string;
}

/** There was no usable answer. */
export interface NoAnswer {
  answered: false;
  /** For a story's author: names the host at most, never the path, the query or a header. */
  reason: string;
  /** The caller's signal ended it: nothing is known about the other side. */
  interrupted: boolean;
}

export interface HttpClient {
  /**
   * Never throws for what the network or the other side does: that is a `NoAnswer`.
   * @throws what the request's `checkHop` throws.
   */
  request(request: HttpRequest): Promise<HttpAnswer | NoAnswer>;
  /** Ends idle connections and those in use. */
  close(): Promise<void>;
}
