import type { Instruments } from '../../platform/metrics/metric-registry.js';
import type { HttpClient, HttpResponse, NoResponse } from '../../platform/outbound/http-exchange.js';
import type { MetricList } from './metric-list.js';

/** Returns the client with its requests counted by the class of their response. */
export function countedClient(http: HttpClient, requests: Instruments<MetricList>['requests']): HttpClient {
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
