import { type ApiDescription, describeApi } from '../../api/face.js';
import { ROUTES } from '../routes.js';

/** `describeApi` for the routes of `ROUTES`. */
export function describeInThread(version: string): ApiDescription {
  return describeApi(ROUTES, version);
}
