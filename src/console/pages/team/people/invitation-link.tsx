import { ShownOnce } from '../../../ui/overlay/shown-once.js';

/** Shows the link of an invitation that cannot be mailed. */
export function InvitationLink({ link, onClose }: { link: string; onClose: () => void }) {
  return (
    <ShownOnce
      title="Pass this link on"
      about="This server cannot send mail. Send the link to the user yourself: it sets a password, works once, and expires in three days."
      text={link}
      noun="the link"
      onClose={onClose}
    />
  );
}
