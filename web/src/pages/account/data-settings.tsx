import { t } from '@lingui/core/macro'
import type { User } from '@kinora/contract/accounts/users.ts'
import { StoredData } from '../../features/accounts/users/stored-data.tsx'
import { MutedPeople } from '../../features/conversation/mutes/muted-people.tsx'
import { AccountExport } from '../../features/portability/account-exports/account-export.tsx'
import { AccountImport } from '../../features/portability/account-imports/account-import.tsx'
import { forgetUpload, transferFile } from '../../features/videos/uploads/transfer/transfer-file.ts'
import { SubscriptionViewers } from '../../features/watching/subscriptions/subscription-viewers.tsx'
import { AccountDeletion } from './account-deletion.tsx'
import { Part } from '../../ui/part.tsx'

/** Data of the account: who sees it, what there is, and how it comes and goes. */
export function DataSettings({ user }: { user: User }) {
  return (
    <>
      <Part title={t`Your subscriptions`} note={t`The channels that you follow, as your channel lists them.`}>
        <SubscriptionViewers />
      </Part>
      <Part
        title={t`Muted and blocked people`}
        note={t`Lists and notifications leave out their videos and comments. Blocked people cannot write to you either.`}
      >
        <MutedPeople />
      </Part>
      <Part
        title={t`Your data`}
        note={t`One zip file with your videos, captions, pictures, playlists, comments, likes, history and subscriptions.`}
      >
        <AccountExport />
      </Part>
      <Part
        title={t`Import your data`}
        note={t`Import an account archive of Kinora, PeerTube or YouTube (Takeout), or subscriptions of NewPipe, FreeTube or a feed reader. What you have here stays as it is, and nobody is notified.`}
      >
        <AccountImport send={transferFile} forget={forgetUpload} />
      </Part>
      <Part
        title={t`Stored data`}
        note={t`Besides your name, username, email, pictures and a hash of your password.`}
      >
        <StoredData />
      </Part>
      <AccountDeletion user={user} />
    </>
  )
}
