import { type WaitReason, waitSentence } from '../../../text/wait-words.js';
import { nounWords } from '../../../ui/words/figures.js';
import { Time } from '../../../ui/words/time.js';
import { WaitLink } from '../../../ui/words/wait-link.js';
import { useHeldOf } from '../../inbox/inbox-data.js';

/** Why work of an action waits, and until when; nothing if none is held. */
export function HeldNote({ storyId, actionId }: { storyId: number; actionId: number }) {
  const held = useHeldOf(storyId, actionId).data ?? [];
  return held.map(({ reason, until, count, oldest }) => (
    <p key={reason} className="wrap">
      <span className="warn">{nounWords(count, 'delivery waits', 'deliveries wait')}.</span>{' '}
      {waitSentence(reason as WaitReason, until)}. <Time at={oldest} prefix="Since " />{' '}
      <WaitLink reason={reason as WaitReason} />
    </p>
  ));
}
