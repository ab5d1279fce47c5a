import type { Privacy } from '@kinora/contract/site.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { privacyQuery } from '../features/site/api.ts'
import { settings, useSettings } from '../lib/settings.ts'
import { paths } from '../paths.ts'
import { LoadFailure } from '../ui/feedback/load-failure.tsx'
import { Skeleton } from '../ui/feedback/skeleton.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { LinkifiedText } from '../ui/text/linkified-text.tsx'
import styles from './about-page.module.css'

/** What the site stores, for how long, and who may see it, as it is configured. */
export function PrivacyPage() {
  const { siteName } = useSettings()
  const { data, isError, refetch } = useQuery(privacyQuery)
  return (
    <div className={styles['about']}>
      <PageTitle title="Privacy" />
      <h1>Privacy on {siteName}</h1>
      {isError && !data && <LoadFailure title="Could not load this page" onRetry={() => void refetch()} />}
      {!isError && !data && <Skeleton width="100%" height={320} />}
      {data && <Text {...data} />}
    </div>
  )
}

const formatChoice = new Intl.ListFormat('en', { type: 'disjunction' })

const days = (count: number) => (count === 1 ? 'one day' : `${count} days`)

function Text({
  siteContact,
  addressDays,
  auditLogDays,
  sessionDays,
  sendsMail,
  isBehindProxy,
  usesBucket,
}: Privacy) {
  const providers = settings.signInProviders.map(({ name }) => name)
  return (
    <>
      <p>
        The pages of this site load nothing from other sites, and contain no trackers and no advertisements.
      </p>
      <div className={styles['parts']}>
        <section>
          <h2>Without an account</h2>
          <p>
            Views are counted without your name. To limit abuse, the server counts requests by address for at
            most an hour, and stores the address only as a hash. The log of the server names the addresses of
            failed sign-ins and of changes; its owner decides how long that log is kept. There is no cookie
            that follows you. Your browser keeps choices such as the theme and the volume.
          </p>
        </section>
        <section>
          <h2>With an account</h2>
          <p>
            The site stores your name, username, email, pictures and a hash of your password; what you publish
            and write; your likes, subscriptions, playlists and history.{' '}
            <Link to={paths.account()}>Your account page</Link> counts them. The history can be paused and
            cleared.
          </p>
        </section>
        <section>
          <h2>Signing in</h2>
          <p>
            A cookie keeps you signed in. A session ends when it is not used for {days(sessionDays)}. The
            addresses (as hashes) and devices of your sign-ins are forgotten {days(addressDays)} after the
            last one, except for your last device.
          </p>
          {providers.length > 0 && (
            <p>
              You can also sign in with {formatChoice.format(providers)}, which then learns of the sign-in.
              The site stores your identifier there, when you connected it and when you last used it. A new
              account takes your name and email address from there.
            </p>
          )}
        </section>
        <section>
          <h2>Who sees it</h2>
          <p>
            Everybody sees what you publish as public, your comments, and your channel once they are signed
            in, with the channels that you follow. Only you see your history and private playlists. Moderators
            see names, email addresses, videos and comments, and reports about them.
          </p>
        </section>
        <section>
          <h2>For how long</h2>
          <p>
            What you delete is deleted with its files. A deleted comment is kept for up to 30 days, in which
            it can be restored. Your account is deleted with everything that belongs to it,{' '}
            {settings.deletionDays > 0
              ? `${days(settings.deletionDays)} after you delete it. Until then nobody sees it, and you can keep it.`
              : 'at once.'}{' '}
            Backups of the owner may keep it longer. What moderators decide is recorded{' '}
            {auditLogDays === null ? 'for good' : `for ${days(auditLogDays)}`}.
            {settings.confirmEmails &&
              ' A registration whose email address nobody confirms is deleted after a week.'}
          </p>
        </section>
        <section>
          <h2>Where it is</h2>
          <p>
            The database is run by the owner of the site. Video files and pictures are{' '}
            {usesBucket ? 'in an object store that the owner has chosen' : 'on the disk of the server'}.{' '}
            {isBehindProxy
              ? 'Requests pass a proxy, which sees your address and may keep a log of its own. '
              : ''}
            {sendsMail
              ? 'Mail to you, such as the link for a new password, passes the mail server of the site.'
              : 'The site sends no mail.'}
          </p>
          <p>
            If you choose to be notified on a device, messages pass the push service of its browser. They are
            encrypted: the service learns that this site sent your browser something, and when, but not what.
            The site stores the address of your browser there until you sign out.
          </p>
        </section>
      </div>
      {siteContact !== '' && (
        <p>
          Contact: <LinkifiedText text={siteContact} />
        </p>
      )}
    </>
  )
}
