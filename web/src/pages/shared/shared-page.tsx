import { t } from '@lingui/core/macro'
import { ApiError } from '@kinora/contract/client.ts'
import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useRef } from 'react'
import { Link, Navigate, useLocation, useSearchParams } from 'react-router'
import { type OpenedLink, sharedVideoQuery } from '../../features/videos/share-links/api.ts'
import type { PlayerHandle } from '../../features/videos/playback/state/player.ts'
import { failureMessage } from '../../lib/forms/failure-message.ts'
import { paths } from '../../paths.ts'
import { buttonClass } from '../../ui/button.tsx'
import { LoadFailure } from '../../ui/feedback/load-failure.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { LinkPasswordForm } from './link-password-form.tsx'
import styles from './shared-page.module.css'
import { SharedPlayer, SharedVideoPage } from './shared-video.tsx'
import { useLinkCheck } from './use-link-check.ts'

const SharedPlaylistPage = lazy(async () => ({
  default: (await import('./shared-playlist.tsx')).SharedPlaylistPage,
}))

const EmbedChat = lazy(async () => ({
  default: (await import('../watch/embed-chat.tsx')).EmbedChat,
}))

/** A video or playlist by a share link, whose secret follows after `#`, for people without an account. */
export function SharedPage() {
  const { opened, gate } = useOpenedLink()
  if (!opened) return gate
  if (opened.video) return <SharedVideoPage video={opened.video} visit={opened.visit} />
  return (
    <Suspense>
      <SharedPlaylistPage visit={opened.visit} />
    </Suspense>
  )
}

/** The player alone, for frames on other sites. Playlists open beside them: their videos may have rules of their own for frames. */
export function SharedEmbedPage() {
  const { opened, gate } = useOpenedLink()
  const { hash } = useLocation()
  const [search] = useSearchParams()
  const player = useRef<PlayerHandle>(null)
  return (
    <main className={styles['embed']} id="main" tabIndex={-1}>
      {!opened && gate}
      {opened?.video && (
        <>
          <PageTitle title={opened.video.title} />
          <SharedPlayer
            ref={player}
            className={styles['fill']}
            video={opened.video}
            autoplays={false}
            isEmbedded
          />
          {search.get('chat') === '1' && opened.video.hasChat && (
            <Suspense>
              <EmbedChat videoId={opened.video._id} visit={opened.visit} player={player} />
            </Suspense>
          )}
        </>
      )}
      {opened && !opened.video && (
        <div className={styles['gate']}>
          <PageTitle title={t`Shared playlist`} />
          <h1>{t`Shared playlist`}</h1>
          <a
            className={buttonClass('solid')}
            href={paths.shared(hash.slice(1))}
            target="_blank"
            rel="noopener"
          >
            {t`Open in a new tab`}
          </a>
        </div>
      )}
    </main>
  )
}

/** The video or playlist of the link in the address, or what stands between it and the viewer. */
function useOpenedLink(): { opened?: OpenedLink | undefined; gate: ReactNode } {
  const secret = useLocation().hash.slice(1)
  const { data: opened, error, refetch } = useQuery({ ...sharedVideoQuery(secret), enabled: secret !== '' })
  useLinkCheck(secret, opened?.video, error)
  if (secret === '') return { gate: <Navigate to={paths.notFound()} replace /> }
  if (!error) return { opened, gate: null }
  const isRefused = error instanceof ApiError && error.status < 500
  // a page that plays survives a failure of the network, but not the end of its link
  if (opened && !isRefused) return { opened, gate: null }
  if (!isRefused)
    return { gate: <LoadFailure title={t`Could not open the link`} onRetry={() => void refetch()} /> }
  return {
    gate: (
      <div className={styles['gate']}>
        <PageTitle title={t`Shared link`} />
        {error.reason === 'share_password_required' ? (
          <LinkPasswordForm linkKey={secret} hint={t`The person who sent you the link knows it.`}>
            <h1>{t`This link has a password`}</h1>
          </LinkPasswordForm>
        ) : (
          <>
            <h1>{failureMessage(error)}</h1>
            <p>{t`Ask the person who sent it to you for a new one.`}</p>
            <Link className={buttonClass('quiet')} to={paths.home()}>{t`Open the site`}</Link>
          </>
        )}
      </div>
    ),
  }
}
