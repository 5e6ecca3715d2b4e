import { queryOptions } from '@tanstack/react-query';
import { api } from './console-api.js';
import { keys } from './keys.js';

const OPEN = { state: 'OPEN' } as const;

/** The open entries of the inbox with all its counts: one response for the navigation, the home page and the inbox. */
export const openInbox = queryOptions({
  queryKey: keys.inbox.list(OPEN),
  queryFn: () => api.inbox.list(OPEN),
});
