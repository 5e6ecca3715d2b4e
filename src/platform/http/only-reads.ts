import type { Request } from 'express';
import { MethodNotAllowed } from '../errors.js';

/** Comes after the handler of a path that is only read. @throws MethodNotAllowed. */
export function onlyReads({ method }: Request): never {
  throw new MethodNotAllowed('GET, HEAD', `${method} is not supported here; use GET or HEAD`);
}
