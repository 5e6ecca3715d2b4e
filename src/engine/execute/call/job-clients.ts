import type { HttpClient } from '../../../platform/outbound/http-exchange.js';
import type { Mailer } from '../../../platform/outbound/mail/mail.js';

/** Replaces the clients of one job by others that also watch. */
export interface JobClients {
  /** Returns the client that the action sends its requests with. */
  client?(http: HttpClient): HttpClient;
  /** Returns the mailer that the action sends its mails with. */
  mailer?(mailer: Mailer): Mailer;
}
