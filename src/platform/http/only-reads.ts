import type { Request } from 'express';
import { MethodNotAllowed } from '../errors.js';

/** Comes after the handler of a path that is only read. @throws MethodNotAllowed. */
export function onlyReads({ method }: Request): never {
  throw new MethodNotAllowed('GET, HEAD', `${method} is not served here: GET, HEAD are`);
}
