import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { call } from '@kinora/contract/client.ts'
import {
  type Collaborator,
  deleteCollaborator,
  putCollaborator,
} from '@kinora/contract/videos/collaborators.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatAgeInSentence } from '../../../lib/format/age.ts'
import { useRowAction } from '../../../lib/use-row-action.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { RevocableList } from '../../../ui/revocable-list.tsx'
import { RowActionResult } from '../../../ui/row-action-result.tsx'
import { collaboratorsQuery } from './api.ts'
import { InviteForm } from './invite-form.tsx'
import styles from './people.module.css'
import { roleNames } from './role-names.ts'

/** People who work on a channel, and those who are invited; managers invite, change roles and remove. */
export function PeopleSection({ channel, isManager }: { channel: string | undefined; isManager: boolean }) {
  const [nowMs] = useState(() => Date.now())
  const query = useQuery(collaboratorsQuery(channel))
  const { queryKey } = collaboratorsQuery(channel)
  const callOf = ({ person: { username } }: Collaborator) => ({ params: { username }, query: { channel } })
  const changing = useRowAction<Collaborator>({
    run: (row) => call(putCollaborator, { ...callOf(row), body: { role: otherRole(row) } }),
    done: (row) => t`${row.person.fullname} is now: ${i18n._(roleNames[otherRole(row)])}.`,
    keepsButton: () => true,
    queryKey,
  })
  const removing = useRowAction<Collaborator>({
    run: (row) => call(deleteCollaborator, callOf(row)),
    confirm: ({ person, isInvited }) =>
      isInvited
        ? {
            title: t`Withdraw the invitation of ${person.fullname}?`,
            text: t`You can invite this person again.`,
            label: t`Withdraw`,
          }
        : {
            title: t`Remove ${person.fullname}?`,
            text: t`This person cannot work on the channel any more, from now on. What was uploaded and edited stays.`,
            label: t`Remove`,
          },
    done: ({ person }) => t`${person.fullname} is removed.`,
    queryKey,
  })
  return (
    <section className={styles['part']} aria-labelledby="people">
      <h2 id="people">{t`People of this channel`}</h2>
      {query.data?.length === 0 ? (
        <EmptyState
          title={t`Nobody else works here`}
          text={t`Invite people to work on this channel. Everybody keeps their own password.`}
        />
      ) : (
        <RevocableList
          label={t`People of this channel`}
          query={query}
          failure={t`Could not load the people`}
          action={removing}
          rowOf={(row) => ({
            key: row.person._id,
            title: row.person.fullname,
            badge: row.isInvited ? t`Invited` : undefined,
            note: `@${row.person.username} · ${i18n._(roleNames[row.role])} · ${formatAgeInSentence(row.since, nowMs)}`,
            controls: isManager ? (
              <Button
                aria-label={t`${row.person.fullname}: ${changeLabel(row)}`}
                disabled={changing.isPending}
                onClick={() => changing.start(row)}
              >
                {changeLabel(row)}
              </Button>
            ) : undefined,
            revoke: isManager ? removalOf(row) : undefined,
          })}
        >
          <RowActionResult action={changing} />
        </RevocableList>
      )}
      {isManager && <InviteForm channel={channel} />}
    </section>
  )
}

const otherRole = ({ role }: Collaborator) => (role === 'editor' ? 'manager' : 'editor')

const changeLabel = (row: Collaborator) =>
  otherRole(row) === 'manager' ? t`Make a manager` : t`Make an editor`

function removalOf({ person: { fullname }, isInvited }: Collaborator) {
  return isInvited
    ? { label: t`Withdraw`, name: t`Withdraw the invitation of ${fullname}` }
    : { label: t`Remove`, name: t`Remove ${fullname}` }
}
