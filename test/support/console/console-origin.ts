import type { TestFabula } from '../fabula.js';
import { makeLink } from '../people.js';
import type { TestStores } from '../stores.js';

/** The people's origin of a running Fabula, on which the console is. */
export interface ConsoleOrigin {
  url: string;
  /** Makes an address with a one-time link for Fabula's owner. */
  newLink(): Promise<string>;
}

/** The address of the console of a running Fabula, which needs `ADMIN_PORT`. */
export function openConsole(
  stores: TestStores,
  { adminUrl: url, account }: Pick<TestFabula, 'adminUrl' | 'account'>,
): ConsoleOrigin {
  return {
    url,
    newLink: async () => `${url}/console/?link=${await makeLink(stores, account.user.id, 'sign_in')}`,
  };
}
