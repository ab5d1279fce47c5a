import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from 'react-router'
import { inChannel } from '../../../lib/in-channel.ts'
import { paths } from '../../../paths.ts'
import { Select } from '../../../ui/forms/select.tsx'
import { collaborationsQuery } from './api.ts'
import styles from './people.module.css'

/** Chooses the channel that the studio shows. Nothing for people who work on their own channel alone. */
export function ChannelSwitch({ channel, own }: { channel: string | undefined; own: string }) {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const { data = [] } = useQuery(collaborationsQuery)
  const others = data.filter(({ isInvited }) => !isInvited)
  if (others.length === 0 && channel === undefined) return null
  // other channels have no page of imports
  const to = (name: string) => {
    const path = pathname === paths.videoImports() ? paths.studio() : pathname
    return inChannel(path, name || undefined)
  }
  return (
    <div className={styles['switch']}>
      <Select
        label={t`Channel`}
        value={channel ?? ''}
        onChange={({ currentTarget }) => void navigate(to(currentTarget.value))}
      >
        <option value="">{t`${own} (yours)`}</option>
        {others.map(({ channel: { _id, username, fullname } }) => (
          <option key={_id} value={username}>
            {fullname}
          </option>
        ))}
      </Select>
    </div>
  )
}
