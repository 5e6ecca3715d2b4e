import { callbackify } from 'node:util';

/** Servers lock an account after some wrong logins. */
export const LOGIN_ATTEMPTS = 3;

/** The access tokens with which a mailer logs in (XOAUTH2). */
export interface MailTokens {
  /** Returns a token that has not ended. @throws AgentError without any secret. */
  get(): Promise<string>;
  /** Forgets a token that the mail server refused, unless it is new. Returns whether another one will be fetched. */
  renew(): boolean;
}

type TokenCallback = (error: Error | null, token?: string) => void;

/** Returns the options by which the mail library logs in with tokens: over encrypted connections only. */
export function tokenLogin(smtpUrl: string, tokens: MailTokens) {
  const give = callbackify(async (isRefused: boolean) => {
    if (isRefused) tokens.renew();
    return tokens.get();
  });
  return {
    requireTLS: true,
    auth: {
      type: 'OAuth2' as const,
      user: decodeURIComponent(new URL(smtpUrl).username),
      provisionCallback: (_user: string, isRefused: boolean, callback: TokenCallback) =>
        give(isRefused, callback),
    },
  };
}
