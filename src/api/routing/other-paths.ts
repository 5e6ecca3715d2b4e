import type { NextFunction, Request, Response } from 'express';

/** Paths that public clients send, each with the path that serves it; `:id` stands for digits, and what follows stays. */
const OTHER_PATHS: readonly (readonly [sent: string, served: string])[] = [
  ['/api/v1/cases', '/api/v2/cases'],
  ['/api/v1/diagram_notes', '/api/v1/notes'],
  ['/api/v1/resources', '/api/v1/global_resources'],
  ['/api/v1/events/:id/retry', '/api/v1/events/:id/reemit'],
];

/** Serves other names of a path with the same routes. */
export function otherPaths(req: Request, res: Response, next: NextFunction): void {
  const [path = '', ...query] = req.url.split('?');
  for (const [sent, served] of OTHER_PATHS) {
    const changed = exchanged(path, sent, served);
    if (changed === undefined) continue;
    req.url = [changed, ...query].join('?');
    res.locals['asSent'] = (known: string) => exchanged(known, served, sent) ?? known;
    break;
  }
  next();
}

/** Returns a path of a route under the name that the client sent. */
export function pathAsSent(res: Response, path: string): string {
  const asSent = res.locals['asSent'] as ((path: string) => string) | undefined;
  return asSent?.(path) ?? path;
}

/** Returns the path with `to` in place of `from`, with which it begins; undefined for any other path. */
function exchanged(path: string, from: string, to: string): string | undefined {
  const parts = path.split('/');
  const pattern = from.split('/');
  const begins = pattern.every((part, index) =>
    part === ':id' ? /^\d+$/.test(parts[index] ?? '') : part === parts[index],
  );
  if (!begins) return undefined;
  const start = to.split('/').map((part, index) => (part === ':id' ? parts[index] : part));
  return [...start, ...parts.slice(pattern.length)].join('/');
}
