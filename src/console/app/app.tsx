import { QueryClientProvider, useQuery, useQueryClient } from '@tanstack/react-query';
import { Tooltip } from 'radix-ui';
import { useEffect, useState } from 'react';
import { Router } from 'wouter';
import { CONSOLE_PATH } from '../api/console-place.js';
import { createQueryClient, followLiveEvents } from '../api/query-client.js';
import { say, Toasts } from '../ui/overlay/toasts.js';
import { ErrorBoundary } from './error-boundary.js';
import { onSignedOut } from '../api/console-api.js';
import { isConflict } from '../text/problems.js';
import { openStream } from '../api/live.js';
import { sendAs, sentAs } from '../api/send-to.js';
import { readSession, type Session, signInByLink } from '../api/session-api.js';
import { keys } from '../api/keys.js';
import { OtherPerson } from '../pages/sign-in/other-person.js';
import { OtherUser } from '../pages/sign-in/other-user.js';
import { SignInAgain } from '../pages/sign-in/sign-in-again.js';
import { SignInPage } from '../pages/sign-in/sign-in-page.js';
import { Failed, Loading } from '../ui/states.js';
import { Shell } from './shell.js';

/** The whole console: answers of the server, routes, messages, and who is signed in. */
export function App() {
  const [client] = useState(() => createQueryClient(say));
  return (
    <ErrorBoundary isWhole>
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

/** Lets in who is signed in, and asks the others; a one-time link in the address is used first. */
function Gate() {
  const client = useQueryClient();
  const [linkError, setLinkError] = useState<unknown>();
  const [linkOfAnother, setLinkOfAnother] = useState<string>();
  const [isOver, setOver] = useState(false);
  const session = useQuery({
    queryKey: keys.session,
    queryFn: async () => {
      const token = takeLink();
      if (token === undefined) {
        const [now, before] = [await readSession(), client.getQueryData<Session | null>(keys.session)];
        setOver(now === null && Boolean(before));
        // The page stays below the sign-in, with all that is typed.
        return entered(now ?? before ?? null);
      }
      await signInByLink(token).catch((error: unknown) => {
        if (isConflict(error)) setLinkOfAnother(token);
        else setLinkError(error);
      });
      return entered(await readSession());
    },
    staleTime: Number.POSITIVE_INFINITY,
    // The person may have signed in in another tab.
    refetchOnWindowFocus: isOver ? 'always' : false,
  });
  useEffect(
    // Whether nobody is signed in any more, or rights have changed, is told by the session itself.
    () =>
      onSignedOut(() => void client.invalidateQueries({ queryKey: keys.session }, { cancelRefetch: false })),
    [client],
  );

  const userId = session.data?.user.id;
  const isIn = userId !== undefined && userId === sentAs();
  useEffect(() => {
    if (!isIn || isOver) return undefined;
    const ends = [followLiveEvents(client), openStream()];
    return () => ends.forEach((end) => end());
  }, [client, isIn, isOver]);
  useEffect(() => {
    if (!isIn) return undefined;
    // The next person may be another one. While the sign-in is over the page, its responses stay.
    return () => client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== keys.session[0] });
  }, [client, isIn]);

  if (session.data === undefined) {
    return (
      <main>{session.error ? <Failed error={session.error} retry={session.refetch} /> : <Loading />}</main>
    );
  }
  if (session.data === null) return <SignInPage error={linkError} />;
  if (!isIn) return <OtherUser email={session.data.user.email} />;
  if (linkOfAnother !== undefined) {
    const stay = () => setLinkOfAnother(undefined);
    return <OtherPerson session={session.data} token={linkOfAnother} onStay={stay} />;
  }
  return (
    <>
      <Shell />
      {isOver && <SignInAgain session={session.data} onIn={() => setOver(false)} />}
    </>
  );
}

/** Returns the session. A page is the one of the first person whom it knows, until somebody signs in on it. */
function entered(session: Session | null): Session | null {
  if (session !== null && sentAs() === undefined) sendAs(session.user.id);
  return session;
}

/** Returns the token of a one-time link, and takes it out of the address and the history. */
function takeLink(): string | undefined {
  const address = new URL(location.href);
  const token = address.searchParams.get('link');
  if (token === null) return undefined;
  address.searchParams.delete('link');
  history.replaceState(null, '', address);
  return token;
}
