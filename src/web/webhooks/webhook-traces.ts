/** A webhook request whose run has begun. */
export interface AcceptedRequest {
  guid: string;
  storyId: number;
  agentId: number;
  /** When it came, in ms since 1970. */
  beganMs: number;
  /** The caller's header, as it came. */
  traceparent: string | undefined;
  /** Whether its event waits in the spool, as MySQL is away. */
  spooled: boolean;
}

/** Makes the spans in which runs of webhooks begin. */
export interface WebhookTraces {
  accepted(request: AcceptedRequest): void;
}
