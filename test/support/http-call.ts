import http from 'node:http';

export interface CallOptions {
  method?: string;
  headers?: http.OutgoingHttpHeaders;
  body?: string | Buffer;
}

export interface CallResponse {
  status: number;
  headers: http.IncomingHttpHeaders;
  text: string;
}

/** One request with exactly these headers (and `host`, `connection`, `content-length`). */
export function call(url: string, options: CallOptions = {}): Promise<CallResponse> {
  return new Promise((resolve, reject) => {
    const method = options.method ?? (options.body === undefined ? 'GET' : 'POST');
    const request = http.request(url, { method, headers: options.headers ?? {}, agent: false });
    request.on('error', reject);
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString(),
        }),
      );
    });
    request.end(options.body);
  });
}

/** A call with a JSON body. */
export function postJson(
  url: string,
  value: unknown,
  headers: http.OutgoingHttpHeaders = {},
): Promise<CallResponse> {
  return call(url, {
    body: JSON.stringify(value),
    headers: { 'Content-Type': 'application/json', ...headers },
  });
}
