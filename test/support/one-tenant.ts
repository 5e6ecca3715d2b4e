import { type Account, buildAccount } from './builders.js';
import type { TestStores } from './stores.js';

/** Deletes all tenants but that of the account: only where there is one, its Owner sees the whole installation. */
export async function leaveOneTenant(
  stores: TestStores,
  { account }: { account: Pick<Account, 'tenantId'> },
): Promise<void> {
  await stores.sql('DELETE FROM tenants WHERE id <> ?', [account.tenantId]);
}

/** Returns an Owner of the only tenant. */
export async function buildOperator(stores: TestStores): Promise<Account> {
  const account = await buildAccount(stores.db, { owner: true });
  await leaveOneTenant(stores, { account });
  return account;
}
