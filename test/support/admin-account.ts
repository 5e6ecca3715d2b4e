/* The account of the queue board in tests. */

export const ADMIN_USER = 'admin';
export const ADMIN_PASSWORD = 'correct horse';

export function basic(user: string, password: string): Record<string, string> {
  return { Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
}

export const ADMIN_BASIC = basic(ADMIN_USER, ADMIN_PASSWORD);
