import { plural, t } from '@lingui/core/macro'
import type { ShareLink } from '@kinora/contract/videos/share-links.ts'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { copyText } from '../../../lib/browser/copy-text.ts'
import { failureMessage } from '../../../lib/forms/failure-message.ts'
import { formatAgeInSentence } from '../../../lib/format/age.ts'
import { pageLanguage } from '../../../lib/i18n/language.ts'
import { paths } from '../../../paths.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { Alert, Status } from '../../../ui/feedback/alert.tsx'
import { LoadFailure } from '../../../ui/feedback/load-failure.tsx'
import { Row, RowList } from '../../../ui/row-list.tsx'
import { shareLinksQuery, useRevokeShareLink } from './api.ts'
import { CreateShareLink } from './create-share-link.tsx'
import styles from './share-links-section.module.css'

/** Links with which people without an account watch an own video: a list to copy and revoke, and a button that creates one. */
export function ShareLinksSection({ videoId }: { videoId: string }) {
  const { data: links, isError, refetch } = useQuery(shareLinksQuery(videoId))
  const revoking = useRevokeShareLink(videoId)
  const [toRevoke, setToRevoke] = useState<ShareLink>()
  const [isCreating, setCreating] = useState(false)
  const [copied, setCopied] = useState<{ name: string; isCopied: boolean }>()
  const [nowMs] = useState(() => Date.now())
  const list = useRef<HTMLUListElement>(null)

  async function copy({ name, secret }: ShareLink, button: HTMLElement) {
    setCopied({ name, isCopied: await copyText(`${location.origin}${paths.shared(secret)}`, button) })
  }

  return (
    <section className={styles['links']} aria-labelledby="share-links">
      <h2 id="share-links">{t`Share links`}</h2>
      <p className={styles['note']}>
        {t`People who have a link can watch this video without an account, also while it is private.`}
      </p>
      {isError && <LoadFailure title={t`Could not load the links`} onRetry={() => void refetch()} />}
      {links && links.length > 0 && (
        <RowList ref={list} label={t`Share links`}>
          {links.map((link) => (
            <Row
              key={link._id}
              title={link.name}
              badge={hasEnded(link, nowMs) && t`Ended`}
              isAlarming
              note={noteOf(link, nowMs)}
              controls={
                <>
                  <Button
                    aria-label={t`Copy the link for ${link.name}`}
                    onClick={({ currentTarget }) => void copy(link, currentTarget)}
                  >{t`Copy link`}</Button>
                  <Button
                    aria-label={t`Revoke the link for ${link.name}`}
                    disabled={revoking.isPending}
                    onClick={() => setToRevoke(link)}
                  >{t`Revoke`}</Button>
                </>
              }
            />
          ))}
        </RowList>
      )}
      {revoking.isError && <Alert>{failureMessage(revoking.error)}</Alert>}
      <Status>
        {copied &&
          (copied.isCopied
            ? t`Link for ${copied.name} copied`
            : t`Could not copy. Open this page with https.`)}
      </Status>
      <Button onClick={() => setCreating(true)}>{t`Create a share link`}</Button>
      {isCreating && <CreateShareLink videoId={videoId} onClose={() => setCreating(false)} />}
      {toRevoke && (
        <ConfirmDialog
          title={t`Revoke the link for ${toRevoke.name}?`}
          confirmLabel={t`Revoke`}
          onConfirm={() => revoking.mutate(toRevoke._id, { onSuccess: () => list.current?.focus() })}
          onClose={() => setToRevoke(undefined)}
        >
          <p>{t`People who use it can no longer watch the video. Other links keep working.`}</p>
        </ConfirmDialog>
      )}
    </section>
  )
}

const hasEnded = ({ expiresAt }: ShareLink, nowMs: number) =>
  expiresAt !== null && Date.parse(expiresAt) <= nowMs

/** Conditions of a link, and who has used it. */
function noteOf(link: ShareLink, nowMs: number): string {
  const { viewers, maxViewers, usedAt, expiresAt } = link
  const used = usedAt && formatAgeInSentence(usedAt, nowMs)
  const end =
    expiresAt && new Date(expiresAt).toLocaleString(pageLanguage, { dateStyle: 'medium', timeStyle: 'short' })
  return [
    maxViewers === null
      ? plural(viewers, { one: '# viewer', other: '# viewers' })
      : plural(maxViewers, { one: `${viewers} of # viewer`, other: `${viewers} of # viewers` }),
    used ? t`last used ${used}` : t`not used yet`,
    link.hasPassword && t`with a password`,
    link.allowsDownload && t`with download`,
    end && (hasEnded(link, nowMs) ? t`ended ${end}` : t`ends ${end}`),
  ]
    .filter(Boolean)
    .join(' · ')
}
