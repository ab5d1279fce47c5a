import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { forgetForHome, isAccountDeleted, keptForHome } from '../../../lib/home-notice.ts'
import { type LoginReason, loginReasonOf } from '../../../lib/login-reason.ts'
import { paths } from '../../../paths.ts'
import { IconButton } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import styles from './home-notice.module.css'
import { useAuth } from './use-auth.ts'

/**
 * One line above the videos: after a login the way back to what it was for, after the deletion of an account that it is gone.
 * Renders nothing in any other state.
 */
export function HomeNotice({ state: stateOfVisit }: { state: unknown }) {
  const [kept, setKept] = useState(keptForHome)
  useEffect(forgetForHome, [])
  const state = stateOfVisit ?? kept
  const navigate = useNavigate()
  const { authData } = useAuth()
  const reason = authData ? loginReasonOf(state) : undefined
  if (!reason && !isAccountDeleted(state)) return null

  function close() {
    setKept(null)
    document.getElementById('main')?.focus({ preventScroll: true })
    void navigate(paths.home(), { replace: true, preventScrollReset: true })
  }
  return (
    <div className={styles['notice']}>
      {reason ? <WayBack reason={reason} /> : <p role="status">{t`Your account was deleted.`}</p>}
      <IconButton label={t`Close`} onClick={close}>
        <Icon of={X} size={18} />
      </IconButton>
    </div>
  )
}

/** The title is no part of the link, because the card of the video has a link of that name. */
function WayBack({ reason: { wish, title, path } }: { reason: LoginReason }) {
  if (wish === 'channel')
    return (
      <p>
        <Trans>
          <Link to={path}>Continue</Link> with the channel of <bdi>{title}</bdi>
        </Trans>
      </p>
    )
  return (
    <p>
      {title === '' ? (
        <Trans>
          <Link to={path}>Continue</Link> where you were
        </Trans>
      ) : (
        <Trans>
          <Link to={path}>Continue</Link> with “<bdi>{title}</bdi>”
        </Trans>
      )}
    </p>
  )
}
