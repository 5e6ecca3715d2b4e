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
        {!isStored && 'The credential is saved but has no token yet. '}
        Open the link and authorize access within fifteen minutes.
      </p>
      {comesBackHere(address) && (
        <p className="warn">
          The redirect would return to this console, which cannot handle it. Ask the operator to set
          PUBLIC_URL to the API URL.
        </p>
      )}
      <p className="wrap">
        <a href={address} target="_blank" rel="noopener noreferrer">
          <ExternalLink aria-hidden="true" /> {new URL(address).host}
        </a>
      </p>
      <div className="row row-end">
        <Button onClick={onLater}>Go to credential</Button>
      </div>
    </div>
  );
}

function comesBackHere(address: string): boolean {
  const back = new URL(address).searchParams.get('redirect_uri');
  return back !== null && new URL(back).origin === location.origin;
}
