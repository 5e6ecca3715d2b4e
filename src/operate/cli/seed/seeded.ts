/**
 * The objects that the seed created or found. All keys except the last two are also keys of
 * `$DATA_DIR/credentials.json`.
 */
export interface Seeded {
  base_url: string;
  tenant_id: number;
  team_id: number;
  user_email: string;
  /** The database stores only a digest; later starts read the key with `readCredentials`. */
  api_key: string;
  admin_user: string;
  admin_password: string;
  /** Empty if the console's port is not known. */
  console_url: string;
  demo_webhook_url: string;
  /** Signs the Owner in to the console once, within ten minutes; empty without `console_url`. */
  console_link: string;
}

/** Content of `$DATA_DIR/credentials.json`. */
export type SeedCredentials = Omit<Seeded, 'demo_webhook_url' | 'console_link'>;
