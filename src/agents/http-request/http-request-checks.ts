import { PermanentJobError } from '../../platform/errors.js';
import type { JsonObject } from '../../platform/json.js';
import { isGiven, optionText } from '../options/options.js';
import type { OptionChecks } from '../options/option-rules.js';
import { asksForLoop } from '../setting-names.js';
import { readPagination } from './pagination.js';
import { requestAddress, isBodiless, methodOf, requireFields } from './request.js';
import { contentKindOf } from './request-body.js';
import { basicAuthorization, digestCredentials, requestHeaders } from './request-headers.js';
import { statusTest } from './status-ranges.js';

/** The fault of a value of `mutual_tls` that is no certificate. */
export const NOT_MTLS = 'mutual_tls: set exactly one credential of the mode MTLS';

/** Rules of an HTTP request that its schema does not have. */
export const httpRequestChecks: OptionChecks = {
  url: (url) => isGiven(url) && requestAddress(optionText(url)),
  method: (method) => isGiven(method) && methodOf(optionText(method)),
  content_type: (type) => isGiven(type) && contentKindOf(optionText(type)),
  'content-type': (type) => isGiven(type) && contentKindOf(optionText(type)),
  headers: (headers) => requestHeaders((headers ?? {}) as JsonObject),
  basic_auth: basicAuthorization,
  digest_auth: digestCredentials,
  mutual_tls: (name) => {
    if (isGiven(name) && name !== false) throw new PermanentJobError(NOT_MTLS);
  },
  payload: (payload, { method }) => {
    if (Array.isArray(payload) && isBodiless(optionText(method).trim().toUpperCase())) requireFields(payload);
  },
  log_error_on_status: (ranges) => statusTest((ranges ?? []) as string[], 'log_error_on_status'),
  retry_on_status: (ranges) => statusTest((ranges ?? []) as string[], 'retry_on_status'),
  fail_on_status: (ranges) => statusTest((ranges ?? []) as string[], 'fail_on_status'),
  pagination: (_, options) => {
    if (readPagination(options.pagination) === undefined || !asksForLoop(options)) return;
    throw new PermanentJobError('options loop and pagination cannot be used together');
  },
};
