import { pageLanguage } from '../lib/i18n/language.ts'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Privacy } from '@kinora/contract/operations/site.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { privacyQuery } from '../features/operations/site/api.ts'
import { settings, useSettings } from '../lib/settings.ts'
import { paths } from '../paths.ts'
import { LoadFailure } from '../ui/feedback/load-failure.tsx'
import { Skeleton } from '../ui/feedback/skeleton.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { LinkifiedText } from '../ui/text/linkified-text.tsx'
import styles from './about-page.module.css'

/** Stored data of the site, how long it is kept, and who may see it, as it is configured. */
export function PrivacyPage() {
  const { siteName } = useSettings()
  const { data, isError, refetch } = useQuery(privacyQuery)
  return (
    <div className={styles['about']}>
      <PageTitle title={t`Privacy`} />
      <h1>{t`Privacy on ${siteName}`}</h1>
      {isError && !data && <LoadFailure title={t`Could not load this page`} onRetry={() => void refetch()} />}
      {!isError && !data && <Skeleton width="100%" height={320} />}
      {data && <Text {...data} />}
    </div>
  )
}

const formatChoice = new Intl.ListFormat(pageLanguage, { type: 'disjunction' })

const days = (count: number) => plural(count, { one: `one day`, other: '# days' })

function Text({
  siteContact,
  addressDays,
  auditLogDays,
  sessionDays,
  sendsMail,
  isBehindProxy,
  usesBucket,
}: Privacy) {
  const deletion =
    settings.deletionDays > 0
      ? t`${days(settings.deletionDays)} after you delete it. Until then nobody sees it, and you can keep it.`
      : t`at once.`
  const record = auditLogDays === null ? t`for good` : t`for ${days(auditLogDays)}`
  const place = usesBucket ? t`in an object store that the owner has chosen` : t`on the disk of the server`
  const providers = settings.signInProviders.map(({ name }) => name)
  return (
    <>
      <p>
        <Trans>
          The pages of this site load nothing from other sites, and contain no trackers and no advertisements.
        </Trans>
      </p>
      <div className={styles['parts']}>
        <section>
          <h2>{t`Without an account`}</h2>
          <p>
            <Trans>
              Views are counted without your name. To limit abuse, the server counts requests by address for
              at most an hour, and stores the address only as a hash. The log of the server names the
              addresses of failed sign-ins and of changes; its owner decides how long that log is kept. There
              is no cookie that follows you. Your browser keeps choices such as the theme and the volume.
            </Trans>
          </p>
        </section>
        <section>
          <h2>{t`With an account`}</h2>
          <p>
            <Trans>
              The site stores your name, username, email, pictures and a hash of your password; what you
              publish and write; your likes, subscriptions, playlists and history.{' '}
              <Link to={paths.account()}>Your account page</Link> counts them. The history can be paused and
              cleared.
            </Trans>
          </p>
        </section>
        <section>
          <h2>{t`Signing in`}</h2>
          <p>
            <Trans>
              A cookie keeps you signed in. A session ends when it is not used for {days(sessionDays)}. The
              addresses (as hashes) and devices of your sign-ins are forgotten {days(addressDays)} after the
              last one, except for your last device.
            </Trans>
          </p>
          {providers.length > 0 && (
            <p>
              <Trans>
                You can also sign in with {formatChoice.format(providers)}, which then learns of the sign-in.
                The site stores your identifier there, when you connected it and when you last used it. A new
                account takes your name and email address from there.
              </Trans>
            </p>
          )}
        </section>
        <section>
          <h2>{t`Who sees it`}</h2>
          <p>
            <Trans>
              Everybody sees what you publish as public, your comments, and your channel once they are signed
              in. It lists the channels that you follow, unless you choose otherwise on your account page.
              Only you see your history and private playlists. Moderators see names, email addresses, videos
              and comments, and reports about them.
            </Trans>
          </p>
        </section>
        <section>
          <h2>{t`For how long`}</h2>
          <p>
            <Trans>
              What you delete is deleted with its files. A deleted comment is kept for up to 30 days, in which
              it can be restored. Your account is deleted with everything that belongs to it, {deletion}{' '}
              Backups of the owner may keep it longer. What moderators decide is recorded {record}.
            </Trans>
            {settings.confirmEmails &&
              t` A registration whose email address nobody confirms is deleted after a week.`}
          </p>
        </section>
        <section>
          <h2>{t`Where it is`}</h2>
          <p>
            <Trans>The database is run by the owner of the site. Video files and pictures are {place}.</Trans>{' '}
            {isBehindProxy
              ? t`Requests pass a proxy, which sees your address and may keep a log of its own. `
              : ''}
            {sendsMail
              ? t`Mail to you, such as the link for a new password, passes the mail server of the site.`
              : t`The site sends no mail.`}
          </p>
          <p>
            <Trans>
              If you choose to be notified on a device, messages pass the push service of its browser. They
              are encrypted: the service learns that this site sent your browser something, and when, but not
              what. The site stores the address of your browser there until you sign out.
            </Trans>
          </p>
        </section>
      </div>
      {siteContact !== '' && (
        <p>
          {t`Contact:`} <LinkifiedText text={siteContact} />
        </p>
      )}
    </>
  )
}
