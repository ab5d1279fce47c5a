import { t } from '@lingui/core/macro'
import { ApiError } from '@kinora/contract/client.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense } from 'react'
import { Link, Navigate, useLocation } from 'react-router'
import {
  linkCheckQuery,
  type OpenedLink,
  openLink,
  sharedVideoQuery,
} from '../../features/videos/share-links/api.ts'
import { failureMessage } from '../../lib/forms/failure-message.ts'
import { textOf } from '../../lib/forms/form-fields.ts'
import { useEndpointForm } from '../../lib/forms/use-endpoint-form.ts'
import { useInitialFocus } from '../../lib/forms/use-initial-focus.ts'
import { paths } from '../../paths.ts'
import { buttonClass } from '../../ui/button.tsx'
import { LoadFailure } from '../../ui/feedback/load-failure.tsx'
import { EndpointForm } from '../../ui/forms/endpoint-form.tsx'
import { PasswordField } from '../../ui/forms/password-field.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import styles from './shared-page.module.css'
import { SharedPlayer, SharedVideoPage } from './shared-video.tsx'

const SharedPlaylistPage = lazy(async () => ({
  default: (await import('./shared-playlist.tsx')).SharedPlaylistPage,
}))

/** A video or playlist by a share link, whose secret follows after `#`, for people without an account. */
export function SharedPage() {
  const { opened, gate } = useOpenedLink()
  if (!opened) return gate
  if (opened.video) return <SharedVideoPage video={opened.video} />
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
  return (
    <main className={styles['embed']} id="main" tabIndex={-1}>
      {!opened && gate}
      {opened?.video && (
        <>
          <PageTitle title={opened.video.title} />
          <SharedPlayer className={styles['fill']} video={opened.video} autoplays={false} isEmbedded />
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

/** What the link in the address opens, or what stands between it and the viewer. */
function useOpenedLink(): { opened?: OpenedLink | undefined; gate: ReactNode } {
  const secret = useLocation().hash.slice(1)
  const { data: opened, error, refetch } = useQuery({ ...sharedVideoQuery(secret), enabled: secret !== '' })
  const client = useQueryClient()
  useQuery({
    ...linkCheckQuery(client, secret, opened?.video?.streamUrl ?? ''),
    enabled: Boolean(opened?.video) && !error,
  })
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
          <PasswordForm secret={secret} />
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

function PasswordForm({ secret }: { secret: string }) {
  const client = useQueryClient()
  const element = useInitialFocus()
  const form = useEndpointForm({
    fields: [],
    send: (fields) => openLink(secret, textOf(fields, 'password')),
    onSuccess: (opened) => client.setQueryData(sharedVideoQuery(secret).queryKey, opened),
  })
  return (
    <EndpointForm ref={element} className={styles['form']} form={form} submit={t`Watch`}>
      <h1>{t`This link has a password`}</h1>
      <PasswordField
        label={t`Password`}
        autoComplete="off"
        hint={t`The person who sent you the link knows it.`}
        {...form.field('password')}
      />
    </EndpointForm>
  )
}
