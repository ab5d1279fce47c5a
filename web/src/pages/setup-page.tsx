import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { completeSetup, openSetup, type CompleteSetup } from '@kinora/contract/operations/setup.ts'
import { putLogo } from '@kinora/contract/operations/site.ts'
import { login } from '@kinora/contract/accounts/sign-in.ts'
import { ApiError, call } from '@kinora/contract/client.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, Navigate, useLocation } from 'react-router'
import { SetupForm } from '../features/operations/administration/settings/setup-form.tsx'
import { failureMessage } from '../lib/forms/failure-message.ts'
import { siteKeys } from '../lib/rare-keys.ts'
import { paths } from '../paths.ts'
import { LoadFailure } from '../ui/feedback/load-failure.tsx'
import { Skeleton } from '../ui/feedback/skeleton.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import styles from './about-page.module.css'

/** The set-up of a new site, by the link that its start prints. Without the secret of the link there is no such page. */
export function SetupPage() {
  const token = useLocation().hash.slice(1)
  const { data, error, isError, refetch } = useQuery({
    queryKey: siteKeys.setup(token),
    queryFn: ({ signal }) => call(openSetup, { body: { token }, signal }),
    enabled: token !== '',
    staleTime: Infinity,
    retry: false,
  })
  if (token === '') return <Navigate to={paths.notFound()} replace />
  const isRefused = error instanceof ApiError && error.status < 500
  return (
    <div className={styles['about']}>
      <PageTitle title={t`Set-up`} />
      <h1>{t`Set up your site`}</h1>
      {isRefused && (
        <p>
          {failureMessage(error)} <Link to={paths.home()}>{t`Open the site`}</Link>
        </p>
      )}
      {isError && !isRefused && (
        <LoadFailure title={t`Could not load the set-up`} onRetry={() => void refetch()} />
      )}
      {!isError && !data && <Skeleton width="100%" height={320} />}
      {data && (
        <>
          <p>
            <Trans>
              Your account administers the site. Everything else can be changed later, at Administration,
              Settings. <Link to={paths.home()}>Do this later</Link>. The link works until somebody uses it or
              the site restarts.
            </Trans>
          </p>
          <SetupForm
            initial={data.settings}
            fixed={data.fixed}
            onSave={(setup, logo) => complete({ token, ...setup }, logo)}
          />
        </>
      )}
    </div>
  )
}

async function complete(setup: CompleteSetup, logo: File | undefined): Promise<void> {
  await call(completeSetup, { body: setup })
  const { username, password } = setup
  const isSignedIn = await call(login, { body: { username, password } }).then(
    () => true,
    () => false,
  )
  const isComplete = !isSignedIn || logo === undefined || (await saveLogo(logo))
  const next = isComplete ? paths.home() : paths.administrationOf('settings')
  // loads the page again, because its name and colour may be others now
  location.assign(isSignedIn ? next : paths.login())
}

/** Returns whether the logo was saved. The site exists already, so a refused one is left to its settings page. */
async function saveLogo(logo: File): Promise<boolean> {
  const body = new FormData()
  body.append('logo', logo)
  return call(putLogo, { body }).then(
    () => true,
    () => false,
  )
}
