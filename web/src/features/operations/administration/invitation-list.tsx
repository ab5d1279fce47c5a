import { t } from '@lingui/core/macro'
import type { Invitation } from '@kinora/contract/operations/administration.ts'
import { Fragment, useState } from 'react'
import { Link } from 'react-router'
import { copyText } from '../../../lib/browser/copy-text.ts'
import { formatPublishedDay } from '../../../lib/format/published-day.ts'
import { paths } from '../../../paths.ts'
import { Button } from '../../../ui/button.tsx'
import { VisuallyHidden } from '../../../ui/text/visually-hidden.tsx'
import styles from './table.module.css'

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
  return (
    <table className={styles['table']}>
      <thead>
        <tr>
          <th scope="col">{t`Link`}</th>
          <th scope="col">{t`Used`}</th>
          <th scope="col">{t`Valid until`}</th>
          <th scope="col">{t`By`}</th>
          <th scope="col">{t`Who came`}</th>
          <th scope="col">
            <VisuallyHidden>{t`Actions`}</VisuallyHidden>
          </th>
        </tr>
      </thead>
      <tbody>
        {invitations.map((invitation) => {
          const { _id: id, note, uses, maxUses, expiresAt, createdBy, invited } = invitation
          const link = location.origin + paths.invitation(id)
          const isOver = uses >= maxUses || Date.parse(expiresAt) <= nowMs
          return (
            <tr key={id}>
              <td className={styles['wide']}>
                {note && (
                  <b className={styles['name']} dir="auto">
                    {note}
                  </b>
                )}
                <span className={styles['text']}>{link}</span>
              </td>
              <td data-label={t`Used`}>{t`${uses} of ${maxUses}`}</td>
              <td className={styles['day']} data-label={t`Valid until`}>
                <time dateTime={expiresAt}>{formatPublishedDay(expiresAt, nowMs)}</time>{' '}
                {isOver && <span className={styles['badge']}>{t`Over`}</span>}
              </td>
              <td data-label={t`By`}>
                {createdBy === null ? (
                  t`the command line or a deleted account`
                ) : (
                  <Link to={paths.person(createdBy)}>
                    <bdi>@{createdBy}</bdi>
                  </Link>
                )}
              </td>
              <td data-label={t`Who came`}>
                {invited.length === 0 && t`Nobody yet`}
                {invited.map((username, index) => (
                  <Fragment key={username}>
                    {index > 0 && ', '}
                    <Link to={paths.person(username)}>
                      <bdi>@{username}</bdi>
                    </Link>
                  </Fragment>
                ))}
              </td>
              <td className={styles['wide']}>
                <span className={styles['actions']}>
                  {!isOver && (
                    <Button
                      onClick={({ currentTarget }) =>
                        void copyText(link, currentTarget).then((isCopied) => isCopied && setCopiedId(id))
                      }
                    >
                      {copiedId === id ? t`Copied` : t`Copy link`}
                    </Button>
                  )}
                  <Button onClick={() => onDelete(invitation)}>{t`Delete`}</Button>
                </span>
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
