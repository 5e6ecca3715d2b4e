import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { onSignedOut } from '../api/console-api.js';
import { openStream } from '../api/live.js';
import { followNews } from '../api/query-client.js';
import { readSession, signInByLink } from '../api/session-api.js';
import { SignInPage } from '../pages/sign-in/sign-in-page.js';
import { Failed, Loading } from '../ui/states.js';
import { takeLink } from './link.js';
import { SESSION_KEY } from './signed-in.js';
import { Shell } from './shell.js';

/** Lets in who is signed in, and asks the others; a one-time link in the address is used first. */
export function Gate() {
  const client = useQueryClient();
  const [linkError, setLinkError] = useState<unknown>();
  const session = useQuery({
    queryKey: SESSION_KEY,
    queryFn: async () => {
      const token = takeLink();
      if (token !== undefined) await signInByLink(token).catch(setLinkError);
      return readSession();
    },
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
  useEffect(() => onSignedOut(() => client.setQueryData(SESSION_KEY, null)), [client]);

  const isIn = session.data !== undefined && session.data !== null;
  useEffect(() => {
    if (!isIn) return undefined;
    const ends = [followNews(client), openStream()];
    return () => ends.forEach((end) => end());
  }, [client, isIn]);

  if (session.data === undefined) {
    return (
      <main>{session.error ? <Failed error={session.error} retry={session.refetch} /> : <Loading />}</main>
    );
  }
  if (session.data === null) return <SignInPage error={linkError} />;
  return <Shell />;
}
