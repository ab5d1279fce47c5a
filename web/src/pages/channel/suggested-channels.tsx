import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { isSameUsername, useAuth } from '../../features/accounts/sessions/use-auth.ts'
import { suggestedChannelsQuery } from '../../features/watching/channels/api.ts'
import { ListedChannels } from '../../features/watching/channels/listed-channels.tsx'
import { paths } from '../../paths.ts'
import { buttonClass } from '../../ui/button.tsx'
import { SubscribeAction } from './subscribe-action.tsx'
import styles from './suggested-channels.module.css'

const SHOWN = 5

/** Five channels of others, for a feed without videos. Renders nothing until loaded, and without any. */
export function SuggestedChannels() {
  const { authData } = useAuth()
  const { data } = useQuery(suggestedChannelsQuery)
  const others = data?.items.filter(({ username }) => !isSameUsername(username, authData?.username)) ?? []
  if (others.length === 0) return null
  return (
    <div className={styles['suggested']}>
      <ListedChannels channels={others.slice(0, SHOWN)} action={SubscribeAction} />
      <Link className={buttonClass('quiet')} to={paths.channels()}>{t`Browse channels`}</Link>
    </div>
  )
}
