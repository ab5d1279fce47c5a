import { t } from '@lingui/core/macro'
import { Dialog } from '../../ui/dialog.tsx'
import { SiteLinks } from '../site-links.tsx'
import { Destinations } from './destinations.tsx'
import styles from './side-nav.module.css'
import { SubscriptionList } from './subscription-list.tsx'

/** Everything that the dock of a phone has no room for. Following a link closes it. */
export function MoreSheet({ username, onClose }: { username: string | undefined; onClose: () => void }) {
  return (
    <Dialog title={t`More`} onClose={onClose}>
      <div className={styles['sheet']}>
        {username !== undefined && (
          <>
            <SubscriptionList username={username} onNavigate={onClose} />
            <ul>
              <Destinations classes={styles} onNavigate={onClose} />
            </ul>
          </>
        )}
        <SiteLinks className={styles['site']} onNavigate={onClose} />
      </div>
    </Dialog>
  )
}
