import { t } from '@lingui/core/macro'
import { Menu } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useAuth } from '../../features/accounts/sessions/use-auth.ts'
import { CreateButton } from '../../features/videos/uploads/tray/create-button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Destinations } from './destinations.tsx'
import styles from './side-nav.module.css'
import { SubscriptionList } from './subscription-list.tsx'

const MoreSheet = lazy(async () => ({ default: (await import('./more-sheet.tsx')).MoreSheet }))

/** The main navigation: a column on wide screens, a rail on tablets, a dock at the bottom of phones. */
export function SideNav() {
  const { authStatus, authData } = useAuth()
  const [isSheetOpen, setSheetOpen] = useState(false)
  const me = authData?.username
  return (
    <nav className={styles['nav']} aria-label={t`Main`}>
      <ul className={styles['items']}>
        <Destinations classes={styles} />
        {me !== undefined && (
          <li className={styles['create']}>
            <CreateButton />
          </li>
        )}
        {authStatus !== null && (
          <li className={styles['more']}>
            <button type="button" aria-haspopup="dialog" onClick={() => setSheetOpen(true)}>
              <Icon of={Menu} />
              <span>{t`More`}</span>
            </button>
          </li>
        )}
      </ul>
      {me !== undefined && <SubscriptionList username={me} className={styles['aside']} />}
      {isSheetOpen && (
        <Suspense>
          <MoreSheet username={me} onClose={() => setSheetOpen(false)} />
        </Suspense>
      )}
    </nav>
  )
}
