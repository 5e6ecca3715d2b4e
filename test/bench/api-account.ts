import { type Account, buildAccount } from '../support/builders.js';
import type { Bench } from './measure.js';

/** No call is refused, and yet each is counted, as where the limits are the usual ones. */
export const LIMITS_OUT_OF_REACH = {
  RATE_LIMIT_PER_MINUTE: '1000000000',
  RATE_LIMIT_USER_PER_MINUTE: '1000000000',
  RATE_LIMIT_TENANT_PER_MINUTE: '1000000000',
  RECORDS_LIST_RATE_LIMIT_PER_MINUTE: '1000000000',
};

/** Somebody with a key, who calls the API. */
export interface ApiAccount extends Account {
  headers: Record<string, string>;
  /** One call; gives the response's body, undefined when it has none. @throws when it is an error. */
  call<T>(method: string, path: string, body?: unknown): Promise<T>;
}

/** An editor of a team of their own, on the product at `url`. */
export async function openApiAccount({ stores }: Pick<Bench, 'stores'>, url: string): Promise<ApiAccount> {
  const account = await buildAccount(stores.db);
  const headers = { 'x-user-token': account.key };
  return {
    ...account,
    headers,
    async call<T>(method: string, path: string, body?: unknown) {
      const response = await fetch(url + path, {
        method,
        headers: { ...headers, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
      return (text === '' ? undefined : JSON.parse(text)) as T;
    },
  };
}
