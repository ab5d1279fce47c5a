import { t } from '@lingui/core/macro'
import type { ChannelGroup } from '@kinora/contract/watching/subscriptions.ts'
import { useQuery } from '@tanstack/react-query'
import { PenLine, Plus } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { paths } from '../../../../paths.ts'
import { Button } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { Icon } from '../../../../ui/icon.tsx'
import { channelGroupsQuery } from './api.ts'
import styles from './group-bar.module.css'
import { GroupForm } from './group-form.tsx'

/** Filters the feed by a group of channels, and opens the form of a group. */
export function GroupBar({
  groupId,
  username,
  onSaved,
}: {
  /** Undefined: all channels. */
  groupId: string | undefined
  /** Owner of the groups. */
  username: string
  /** Called with a created or changed group, or with undefined after its deletion. */
  onSaved: (group: ChannelGroup | undefined) => void
}) {
  const { data: groups = [] } = useQuery(channelGroupsQuery)
  const [edited, setEdited] = useState<ChannelGroup | 'new'>()
  const open = groups.find(({ _id }) => _id === groupId)
  const choices = [{ _id: undefined, name: t`All channels` }, ...groups]
  return (
    <div className={styles['bar']}>
      {groups.length > 0 && (
        <nav aria-label={t`Channel groups`} className={styles['groups']}>
          {choices.map(({ _id, name }) => (
            <Link
              key={_id ?? ''}
              to={paths.subscribedTo(username, _id)}
              replace
              dir="auto"
              aria-current={_id === groupId ? 'true' : undefined}
            >
              {name}
            </Link>
          ))}
        </nav>
      )}
      <Button variant="bare" onClick={() => setEdited('new')}>
        <Icon of={Plus} size={18} />
        {t`New group`}
      </Button>
      {open && (
        <Button variant="bare" onClick={() => setEdited(open)}>
          <Icon of={PenLine} size={18} />
          {t`Edit group`}
        </Button>
      )}
      {edited && (
        <Dialog
          title={edited === 'new' ? t`New group` : t`Edit group`}
          onClose={() => setEdited(undefined)}
          closesOnOutsideClick={false}
        >
          <GroupForm
            group={edited === 'new' ? undefined : edited}
            username={username}
            onCancel={() => setEdited(undefined)}
            onSaved={(group) => {
              setEdited(undefined)
              onSaved(group)
            }}
          />
        </Dialog>
      )}
    </div>
  )
}
