import type { PersonSignInOutcome, SignIn, WebhookMeter } from '../../web/face.js';
import type { SignInMethod } from '../../people/face.js';
import type { CallMeter } from '../../api/face.js';
import type { Config } from '../../config/face.js';
import { type ActionMeter, type DeliverySummary, type RunMeter, runStartOf } from '../../engine/face.js';
import { createMetricRegistry, type Instruments } from '../../platform/metrics/metric-registry.js';
import type { BatchMeter } from '../../platform/mysql/commit/group-commit.js';
import type { HttpClient, HttpResponse, NoResponse } from '../../platform/outbound/http-exchange.js';
import type { TenantMailers } from '../../data/face.js';
import { countIsolated, createActionCounts } from './action-counts.js';
import { MailRefused, MailRefusedForGood, NotYet } from '../../platform/errors.js';
import type { Mailer } from '../../platform/outbound/mail/mail.js';
import { METRICS, type MetricList } from './metric-list.js';
import { createProcessGauges } from './process-gauges.js';

/** Sets gauges at the time of a reading; it handles its own errors. */
type Reading = () => Promise<void> | void;

/** The metrics of one process, as its services see them: each room counts through an interface of its own. */
export interface Metrics {
  instruments: Instruments<MetricList>;
  runs: RunMeter & BatchMeter;
  actions: ActionMeter;
  webhooks: WebhookMeter;
  calls: CallMeter;
  /** A job ended whose work began `waitedMs` after the job was added. */
  waited(queue: string, waitedMs: number): void;
  /** A delivery ended in a process of its own, which exports no metrics. */
  ranIsolated(summary: DeliverySummary): void;
  requeued(count: number): void;
  /** Somebody signed in to the board, or tried to. */
  signedIn(outcome: SignIn): void;
  /** Somebody signed in to the console, or tried to. */
  personSignedIn(outcome: PersonSignInOutcome, method: SignInMethod): void;
  /** Returns a client that counts its requests. */
  client(http: HttpClient): HttpClient;
  /** Returns mailers that count their mails. */
  mailers(mailers: TenantMailers): TenantMailers;
  /** Adds what is only known at the time of a reading. */
  onReading(read: Reading): void;
  /** Removes all values of a gauge: it is absent until it is set again. */
  clear(gauge: keyof MetricList): void;
  contentType: string;
  /** Returns all values in the text format of Prometheus, with the role of the process at each. */
  text(role: string): Promise<string>;
}

/** Creates the metrics of this process; undefined with `METRICS=off`: then nothing is counted. */
export function createMetrics(config: Pick<Config, 'metrics' | 'metricsStories'>): Metrics | undefined {
  if (config.metrics === 'off') return undefined;
  const registry = createMetricRegistry(METRICS);
  const { instruments, contentType } = registry;
  const readings: Reading[] = [createProcessGauges(instruments)];
  return {
    instruments,
    contentType,
    clear: (gauge) => registry.clear(gauge),
    ...metersOf(instruments, config.metricsStories),
    client: (http) => countedClient(http, instruments.requests),
    mailers: (mailers) => countedMailers(mailers, instruments.mails),
    onReading: (read) => void readings.push(read),
    async text(role) {
      registry.labelAll({ role });
      await Promise.all(readings.map(async (read) => read()));
      return registry.text();
    },
  };
}

function metersOf(instruments: Instruments<MetricList>, mostStories: number) {
  return {
    runs: runMeterOf(instruments),
    actions: createActionCounts(instruments, mostStories),
    webhooks: webhookMeterOf(instruments),
    calls: callMeterOf(instruments),
    ranIsolated: (summary: DeliverySummary) => countIsolated(summary, instruments.actions),
    waited: (queue: string, waitedMs: number) =>
      instruments.actionQueueSeconds.observe({ queue }, Math.max(0, waitedMs) / 1000),
    signedIn: (outcome: SignIn) => instruments.boardSignIns.inc({ outcome }),
    personSignedIn: (outcome: PersonSignInOutcome, method: SignInMethod) =>
      instruments.consoleSignIns.inc({ outcome, method }),
    requeued: (count: number) => instruments.relayRequeued.inc(count),
  };
}

function runMeterOf(instruments: Instruments<MetricList>): RunMeter & BatchMeter {
  const { runsStarted, runsEnded, runSeconds, batchItems, batchSeconds } = instruments;
  return {
    started: (source, count) => runsStarted.inc({ source }, count),
    ended(guid, atMs) {
      runsEnded.inc();
      const began = runStartOf(guid);
      if (began !== undefined) runSeconds.observe(Math.max(0, atMs - began) / 1000);
    },
    settled(writer, { items, tookMs }) {
      batchItems.observe({ writer }, items);
      batchSeconds.observe({ writer }, tookMs / 1000);
    },
  };
}

function webhookMeterOf({ webhookCalls, webhookStoreSeconds }: Instruments<MetricList>): WebhookMeter {
  return {
    accepted(outcome, storeMs) {
      webhookCalls.inc({ outcome });
      webhookStoreSeconds.observe({ outcome }, storeMs / 1000);
    },
    refused: (outcome) => webhookCalls.inc({ outcome }),
  };
}

function callMeterOf({ apiCalls, apiCallSeconds }: Instruments<MetricList>): CallMeter {
  return {
    ended({ method: verb, path: route }, { status, aborted, tookMs }) {
      const method = verb.toUpperCase();
      apiCalls.inc({ method, route, class: aborted ? 'aborted' : `${Math.floor(status / 100)}xx` });
      apiCallSeconds.observe({ method }, tookMs / 1000);
    },
  };
}

/** Returns the client with its requests counted by the class of their response. */
function countedClient(http: HttpClient, requests: Instruments<MetricList>['requests']): HttpClient {
  return {
    async request(request) {
      try {
        const end = await http.request(request);
        requests.inc({ class: classOf(end) });
        return end;
      } catch (error) {
        requests.inc({ class: 'failed' });
        throw error;
      }
    },
    close: () => http.close(),
  };
}

function classOf(end: HttpResponse | NoResponse): string {
  if (end.answered) return `${Math.floor(end.status / 100)}xx`;
  if (end.interrupted) return 'interrupted';
  return end.forbidden === true ? 'forbidden' : 'no_response';
}

type Mails = Instruments<MetricList>['mails'];

/** Returns the mailers with their mails counted by what came of them. */
function countedMailers(mailers: TenantMailers, mails: Mails): TenantMailers {
  return {
    of: (tenantId, note) => countedMailer(mailers.of(tenantId, note), mails),
    close: () => mailers.close(),
  };
}

function countedMailer(mailer: Mailer, mails: Mails): Mailer {
  return {
    async send(mail, signal) {
      try {
        const refused = await mailer.send(mail, signal);
        mails.inc({ class: refused.length === 0 ? 'sent' : 'partly_refused' });
        return refused;
      } catch (error) {
        mails.inc({ class: codeClassOf(error) });
        throw error;
      }
    },
    close: () => mailer.close(),
  };
}

function codeClassOf(error: unknown): string {
  if (error instanceof NotYet) return 'waiting';
  return error instanceof MailRefused || error instanceof MailRefusedForGood ? 'refused' : 'failed';
}
