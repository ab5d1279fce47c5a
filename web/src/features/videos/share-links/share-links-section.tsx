import { plural, t } from '@lingui/core/macro'
import type { ShareLink } from '@kinora/contract/videos/share-links.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { copyText } from '../../../lib/browser/copy-text.ts'
import { formatAgeInSentence } from '../../../lib/format/age.ts'
import { pageLanguage } from '../../../lib/i18n/language.ts'
import { useRowAction } from '../../../lib/use-row-action.ts'
import { paths } from '../../../paths.ts'
import { Button } from '../../../ui/button.tsx'
import { Status } from '../../../ui/feedback/alert.tsx'
import { Part } from '../../../ui/part.tsx'
import { RevocableList } from '../../../ui/revocable-list.tsx'
import { type LinkSubject, revokeLink, shareLinksQuery } from './api.ts'
import { CreateShareLink } from './create-share-link.tsx'

/** Links with which people without an account watch own videos: a list to copy and revoke, and a button that creates one. */
export function ShareLinksSection({ to }: { to: LinkSubject }) {
  const query = useQuery(shareLinksQuery(to))
  const [isCreating, setCreating] = useState(false)
  const [copied, setCopied] = useState<{ name: string; isCopied: boolean }>()
  const [nowMs] = useState(() => Date.now())
  const revoke = useRowAction({
    run: ({ _id: linkId }: ShareLink) => revokeLink(to, linkId),
    confirm: (link) => ({
      title: t`Revoke the link for ${link.name}?`,
      text: t`People who use it can no longer watch anything with it. Other links keep working.`,
      label: t`Revoke`,
    }),
    done: (link) => t`The link for ${link.name} is revoked.`,
    queryKey: shareLinksQuery(to).queryKey,
  })

  async function copy({ name, secret }: ShareLink, button: HTMLElement) {
    setCopied({ name, isCopied: await copyText(`${location.origin}${paths.shared(secret)}`, button) })
  }

  return (
    <Part
      title={t`Share links`}
      note={
        'videoId' in to
          ? t`People who have a link can watch this video without an account, also while it is private.`
          : t`People who have a link can watch your videos of this playlist without an account, also while they are private. Of the others it shows those that are for everybody.`
      }
      isDivided
    >
      <RevocableList
        label={t`Share links`}
        query={query}
        failure={t`Could not load the links`}
        action={revoke}
        rowOf={(link) => ({
          key: link._id,
          title: link.name,
          badge: hasEnded(link, nowMs) && t`Ended`,
          isAlarming: true,
          note: noteOf(link, nowMs),
          revoke: { label: t`Revoke`, name: t`Revoke the link for ${link.name}` },
          controls: (
            <Button
              aria-label={t`Copy link for ${link.name}`}
              onClick={({ currentTarget }) => void copy(link, currentTarget)}
            >{t`Copy link`}</Button>
          ),
        })}
      />
      <Status>
        {copied &&
          (copied.isCopied
            ? t`Link for ${copied.name} copied`
            : t`Could not copy. Open this page with https.`)}
      </Status>
      <Button onClick={() => setCreating(true)}>{t`Create a share link`}</Button>
      {isCreating && <CreateShareLink to={to} onClose={() => setCreating(false)} />}
    </Part>
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
    link.isListed && t`listed with a lock`,
    end && (hasEnded(link, nowMs) ? t`ended ${end}` : t`ends ${end}`),
  ]
    .filter(Boolean)
    .join(' · ')
}
