import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { api } from '../api/console-api.js';
import { isLive, watchStream } from '../api/live.js';
import { keys } from '../api/keys.js';
import { Button } from '../ui/form/button.js';
import { BUILT_VERSION } from './version.js';

const ASK_MS = 5 * 60_000;
/** A stream that is back within this time was not missed. */
const PATIENCE_MS = 6_000;

/** Tells that this page is older than the server, or that nothing comes in. */
export function Banner() {
  const isOffline = useIsOffline();
  const { data } = useQuery({ queryKey: keys.info, queryFn: () => api.info.get(), refetchInterval: ASK_MS });
  if (isOffline) {
    return (
      <div className="banner" role="status">
        Live updates are paused: the connection to the server was lost. Reconnecting…
      </div>
    );
  }
  if (data === undefined || data.version === BUILT_VERSION) return null;
  return (
    <div className="banner" role="status">
      <span className="grow">
        The server was updated to version {data.version}. This page was loaded from {BUILT_VERSION}.
      </span>
      <Button onClick={() => location.reload()}>Reload</Button>
    </div>
  );
}

function useIsOffline(): boolean {
  const live = useSyncExternalStore(watchStream, isLive);
  const [isOffline, setOffline] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOffline(!live), live ? 0 : PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [live]);
  return isOffline;
}
