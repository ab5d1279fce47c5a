import { t } from '@lingui/core/macro'
import type { Invitation } from '@kinora/contract/operations/administration.ts'
import { Fragment, useState } from 'react'
import { copyText } from '../../../lib/browser/copy-text.ts'
import { formatPublishedDay } from '../../../lib/format/published-day.ts'
import { paths } from '../../../paths.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import styles from './cells.module.css'
import { PersonLink } from './cells.tsx'

/** Invitations with their links, and who came with them. */
export function InvitationList({
  invitations,
  onDelete,
}: {
  invitations: readonly Invitation[]
  onDelete: (invitation: Invitation) => void
}) {
  const [nowMs] = useState(() => Date.now())
  const [copiedId, setCopiedId] = useState<string>()
  const linkOf = ({ _id }: Invitation) => location.origin + paths.invitation(_id)
  const isOver = ({ uses, maxUses, expiresAt }: Invitation) =>
    uses >= maxUses || Date.parse(expiresAt) <= nowMs
  return (
    <DataTable
      labelledBy="invitations"
      rows={invitations}
      idOf={({ _id }) => _id}
      columns={[
        {
          heading: t`Link`,
          kind: 'wide',
          render: (invitation) => (
            <>
              {invitation.note && (
                <b className={styles['name']} dir="auto">
                  {invitation.note}
                </b>
              )}
              <span className={styles['text']}>{linkOf(invitation)}</span>
            </>
          ),
        },
        {
          heading: t`Used`,
          isLabelled: true,
          render: ({ uses, maxUses }) => t`${uses} of ${maxUses}`,
        },
        {
          heading: t`Valid until`,
          kind: 'day',
          render: (invitation) => (
            <>
              <time dateTime={invitation.expiresAt}>{formatPublishedDay(invitation.expiresAt, nowMs)}</time>{' '}
              {isOver(invitation) && <Badge>{t`Over`}</Badge>}
            </>
          ),
        },
        {
          heading: t`By`,
          isLabelled: true,
          render: ({ createdBy }) =>
            createdBy === null ? (
              t`the command line or a deleted account`
            ) : (
              <PersonLink username={createdBy} />
            ),
        },
        {
          heading: t`Who came`,
          isLabelled: true,
          render: ({ invited }) =>
            invited.length === 0
              ? t`Nobody yet`
              : invited.map((username, index) => (
                  <Fragment key={username}>
                    {index > 0 && ', '}
                    <PersonLink username={username} />
                  </Fragment>
                )),
        },
      ]}
      renderButtons={(invitation) => (
        <>
          {!isOver(invitation) && (
            <Button
              onClick={({ currentTarget }) =>
                void copyText(linkOf(invitation), currentTarget).then(
                  (isCopied) => isCopied && setCopiedId(invitation._id),
                )
              }
            >
              {copiedId === invitation._id ? t`Copied` : t`Copy link`}
            </Button>
          )}
          <Button onClick={() => onDelete(invitation)}>{t`Delete`}</Button>
        </>
      )}
    />
  )
}
