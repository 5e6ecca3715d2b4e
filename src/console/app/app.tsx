import { QueryClientProvider } from '@tanstack/react-query';
import { Tooltip } from 'radix-ui';
import { useState } from 'react';
import { Router } from 'wouter';
import { CONSOLE_PATH } from '../api/console-place.js';
import { createQueryClient } from '../api/query-client.js';
import { say, Toasts } from '../ui/overlay/toasts.js';
import { ErrorBoundary } from './error-boundary.js';
import { Gate } from './gate.js';

/** The whole console: answers of the server, routes, messages, and who is signed in. */
export function App() {
  const [client] = useState(() => createQueryClient(say));
  return (
    <ErrorBoundary>
      <QueryClientProvider client={client}>
        <Tooltip.Provider delayDuration={300}>
          <Router base={CONSOLE_PATH}>
            <Gate />
          </Router>
        </Tooltip.Provider>
        <Toasts />
      </QueryClientProvider>
    </ErrorBoundary>
  );
}
