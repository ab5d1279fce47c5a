import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { call } from '@kinora/contract/client.ts'
import {
  acceptCollaboration,
  type CollaboratedChannel,
  endCollaboration,
} from '@kinora/contract/videos/collaborators.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useRowAction } from '../../../lib/use-row-action.ts'
import { inChannel } from '../../../lib/in-channel.ts'
import { paths } from '../../../paths.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { RevocableList } from '../../../ui/revocable-list.tsx'
import { RowActionResult } from '../../../ui/row-action-result.tsx'
import { collaborationsQuery } from './api.ts'
import styles from './people.module.css'
import { roleNames, roleNotes } from './role-names.ts'

const callOf = ({ channel: { username } }: CollaboratedChannel) => ({ params: { username } })

/** Channels of others: invitations to accept or decline, and channels to open or leave. Nothing where there are none. */
export function CollaborationsSection() {
  const { queryKey } = collaborationsQuery
  const query = useQuery(collaborationsQuery)
  const accepting = useRowAction<CollaboratedChannel>({
    run: (row) => call(acceptCollaboration, callOf(row)),
    done: ({ channel }) => t`You work on the channel of ${channel.fullname} now.`,
    queryKey,
  })
  const ending = useRowAction<CollaboratedChannel>({
    run: (row) => call(endCollaboration, callOf(row)),
    confirm: ({ channel, isInvited }) => ({
      title: isInvited ? t`Decline the invitation of ${channel.fullname}?` : t`Leave ${channel.fullname}?`,
      text: t`You can come back only with another invitation.`,
      label: isInvited ? t`Decline` : t`Leave`,
    }),
    done: ({ channel, isInvited }) =>
      isInvited
        ? t`The invitation of ${channel.fullname} is declined.`
        : t`You do not work on the channel of ${channel.fullname} any more.`,
    queryKey,
  })
  if (query.data?.length === 0 && !ending.done) return null
  return (
    <section className={styles['part']} aria-labelledby="collaborations">
      <h2 id="collaborations">{t`Channels of others`}</h2>
      <RevocableList
        label={t`Channels of others`}
        query={query}
        failure={t`Could not load the channels`}
        action={ending}
        rowOf={(row) => {
          const { channel, role, isInvited } = row
          return {
            key: channel._id,
            title: channel.fullname,
            badge: isInvited ? t`Invitation` : i18n._(roleNames[role]),
            note: `@${channel.username} · ${isInvited ? i18n._(roleNotes[role]) : i18n._(roleNames[role])}`,
            controls: isInvited ? (
              <Button
                variant="solid"
                aria-label={t`Accept the invitation of ${channel.fullname}`}
                disabled={accepting.isPending}
                onClick={() => accepting.start(row)}
              >{t`Accept`}</Button>
            ) : (
              <Link
                className={buttonClass('quiet')}
                to={inChannel(paths.studio(), channel.username)}
                aria-label={t`Open the studio of ${channel.fullname}`}
              >{t`Open`}</Link>
            ),
            revoke: isInvited
              ? { label: t`Decline`, name: t`Decline the invitation of ${channel.fullname}` }
              : { label: t`Leave`, name: t`Leave ${channel.fullname}` },
          }
        }}
      >
        <RowActionResult action={accepting} />
      </RevocableList>
    </section>
  )
}
