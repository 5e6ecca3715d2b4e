import { ExternalLink } from 'lucide-react';
import { Button } from '../../../ui/form/button.js';

/** Leads to the server at which a person allows the access of an OAuth credential. */
export function AllowAccess({
  address,
  isStored = false,
  onLater,
}: {
  address: string;
  /** Whether the credential was there before. */
  isStored?: boolean;
  onLater: () => void;
}) {
  return (
    <div className="credential-form stack" role="status">
      <p>
        {!isStored && 'The credential is stored. It has no token yet. '}
        Open the address, and allow the access within fifteen minutes.
      </p>
      {comesBackHere(address) && (
        <p className="warn">
          The way back would lead to this console, where it ends. Ask the operator to set PUBLIC_URL to the
          address of the API.
        </p>
      )}
      <p className="wrap">
        <a href={address} target="_blank" rel="noopener noreferrer">
          <ExternalLink aria-hidden="true" /> {new URL(address).host}
        </a>
      </p>
      <div className="row row-end">
        <Button onClick={onLater}>To the credential</Button>
      </div>
    </div>
  );
}

function comesBackHere(address: string): boolean {
  const back = new URL(address).searchParams.get('redirect_uri');
  return back !== null && new URL(back).origin === location.origin;
}
