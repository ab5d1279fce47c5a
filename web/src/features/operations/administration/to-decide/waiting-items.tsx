import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import type { ListedVideo } from '@kinora/contract/operations/moderation.ts'
import type { Person } from '@kinora/contract/operations/people.ts'
import { Link } from 'react-router'
import { formatAge } from '../../../../lib/format/age.ts'
import { paths } from '../../../../paths.ts'
import { Button } from '../../../../ui/button.tsx'
import { Thumbnail } from '../../../../ui/thumbnail.tsx'
import { kindNames } from '../reports/report-names.ts'
import styles from '../reports/report-list.module.css'

/** An account that waits for approval, with its buttons. */
export function WaitingAccountItem({
  person: { username, fullname, email, createdAt },
  nowMs,
  onApprove,
  onDelete,
}: {
  person: Person
  nowMs: number
  onApprove: () => void
  /** For administrators. */
  onDelete: (() => void) | undefined
}) {
  return (
    <article aria-label={t`Account of ${username}`}>
      <p className={styles['facts']}>
        <b>{t`Account`}</b> · <bdi>@{username}</bdi> · {email} · {formatAge(createdAt, nowMs)}
      </p>
      <p className={styles['subject']}>
        <Link to={paths.person(username)} dir="auto">
          {fullname}
        </Link>
      </p>
      <p className={styles['actions']}>
        <Button aria-keyshortcuts="a" onClick={onApprove}>{t`Approve`}</Button>
        {onDelete && <Button aria-keyshortcuts="r" onClick={onDelete}>{t`Delete…`}</Button>}
      </p>
    </article>
  )
}

/** A video that waits for approval, with its buttons. */
export function WaitingVideoItem({
  video: { _id, title, owner, thumbnail, createdAt },
  nowMs,
  onApprove,
  onTakeDown,
}: {
  video: ListedVideo
  nowMs: number
  onApprove: () => void
  onTakeDown: () => void
}) {
  return (
    <article aria-label={t`Video of ${owner}`}>
      <p className={styles['facts']}>
        <b>{i18n._(kindNames.video)}</b> ·{' '}
        <Link to={paths.person(owner)}>
          <bdi>@{owner}</bdi>
        </Link>{' '}
        · {formatAge(createdAt, nowMs)}
      </p>
      <p className={styles['subject']}>
        {thumbnail !== null && <Thumbnail className={styles['thumbnail']} src={thumbnail} sizes="160px" />}
        <Link to={paths.watch(_id)} dir="auto">
          {title}
        </Link>
      </p>
      <p className={styles['actions']}>
        <Button aria-keyshortcuts="a" onClick={onApprove}>{t`Approve`}</Button>
        <Button aria-keyshortcuts="r" onClick={onTakeDown}>{t`Take down…`}</Button>
      </p>
    </article>
  )
}
