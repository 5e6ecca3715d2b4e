/**
 * What the seed made, or found when it was there already: all that a newcomer needs. The keys but the last
 * are those of `$DATA_DIR/credentials.json`.
 */
export interface Seeded {
  base_url: string;
  tenant_id: number;
  team_id: number;
  user_email: string;
  /** Only known to the run that made it (a digest is stored); later from `readCredentials`. */
  api_key: string;
  admin_user: string;
  admin_password: string;
  demo_webhook_url: string;
}

/** What `$DATA_DIR/credentials.json` holds. */
export type Credentials = Omit<Seeded, 'demo_webhook_url'>;
