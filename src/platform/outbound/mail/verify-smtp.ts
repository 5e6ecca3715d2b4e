import { createTransport } from 'nodemailer';
import { type MailTokens, tokenLogin } from './token-login.js';

/**
 * Connects to a mail server, encrypts and logs in as a mailer would, and quits; sends no mail.
 * @throws the mail library's error: its `code` is EAUTH if the server refused the login. AgentError for a token that is not
 * to be had.
 */
export async function verifySmtp(
  { smtpUrl, tokens }: { smtpUrl: string; tokens?: MailTokens | undefined },
  limitMs: number,
): Promise<void> {
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: limitMs,
    greetingTimeout: limitMs,
    socketTimeout: limitMs,
    dnsTimeout: limitMs,
    ...(tokens !== undefined && tokenLogin(smtpUrl, tokens)),
  });
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}
