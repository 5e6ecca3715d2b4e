import { oauthGrant } from '../credentials/tokens/oauth-token.js';
import { AgentError, PermanentJobError } from '../../platform/errors.js';
import type { HttpClient } from '../../platform/outbound/http-exchange.js';
import { LOGIN_ATTEMPTS, type MailTokens } from '../../platform/outbound/mail/token-login.js';

/** The access to a mail server by tokens. With a refresh token a person has allowed it, else the client has it itself. */
export interface MailOauth {
  tokenUrl: string;
  clientId: string;
  clientSecret?: string | undefined;
  refreshToken?: string | undefined;
  scope?: string | undefined;
}

/** A token is replaced this long before it ends. */
const MARGIN_MS = 30_000;
/** For tokens whose server does not say for how long they hold. */
const UNSAID_SECONDS = 10 * 60;
/** A younger token that the mail server refuses is not replaced: another one would be refused too. */
const RENEWED_AFTER_MS = 60_000;

interface HeldToken {
  token: string;
  gotAtMs: number;
  endsAtMs: number;
}

/**
 * Returns the tokens of a mail server, each fetched once and kept in this process until it ends. Requests follow the rules
 * for outbound connections. A refusal is tried as often as a refused login.
 */
export function createMailTokens(
  oauth: MailOauth,
  { http, tenantId }: { http: HttpClient; tenantId: number },
  nowMs: () => number = () => performance.now(),
): MailTokens {
  let held: HeldToken | undefined;
  let underWay: Promise<string> | undefined;

  const fetched = async (): Promise<string> => {
    const { accessToken: token, expiresInSeconds = UNSAID_SECONDS } = await granted(oauth, http, tenantId);
    const gotAtMs = nowMs();
    const lifeMs = expiresInSeconds * 1000;
    held = { token, gotAtMs, endsAtMs: gotAtMs + Math.max(lifeMs - MARGIN_MS, lifeMs / 2) };
    return token;
  };

  return {
    async get() {
      if (held !== undefined && nowMs() < held.endsAtMs) return held.token;
      underWay ??= fetched().finally(() => {
        underWay = undefined;
      });
      return underWay;
    },
    renew() {
      if (held === undefined || nowMs() - held.gotAtMs < RENEWED_AFTER_MS) return false;
      held = undefined;
      return true;
    },
  };
}

async function granted(oauth: MailOauth, http: HttpClient, tenantId: number) {
  const { tokenUrl, clientId, clientSecret, refreshToken, scope } = oauth;
  const settings = {
    oauth_token_url: tokenUrl,
    oauth_client_id: clientId,
    ...(clientSecret !== undefined && { oauth_client_secret: clientSecret }),
  };
  const parameters = {
    ...(refreshToken === undefined
      ? { grant_type: 'client_credentials' }
      : { grant_type: 'refresh_token', refresh_token: refreshToken }),
    ...(scope !== undefined && { scope }),
  };
  const owner = { name: '', called: 'the mail server', allowedHosts: [], tenantId };
  try {
    return await oauthGrant(settings, parameters, { owner, http });
  } catch (error) {
    if (!(error instanceof PermanentJobError)) throw error;
    throw new AgentError(error.message, { cause: error, maxAttempts: LOGIN_ATTEMPTS });
  }
}
