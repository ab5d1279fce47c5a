import { i18n } from '@lingui/core'
import { plural, t } from '@lingui/core/macro'
import type { PersonDetails } from '@kinora/contract/operations/people.ts'
import { ApiError } from '@kinora/contract/client.ts'
import { hasRole, type Role } from '@kinora/contract/accounts/roles.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from 'react-router'
import { personQuery } from '../../features/operations/administration/api.ts'
import { NoticeBar } from '../../features/operations/administration/notice-bar.tsx'
import { PersonBadges } from '../../features/operations/administration/people/person-badges.tsx'
import { PersonSignIn } from '../../features/operations/administration/people/person-sign-in.tsx'
import { roleNames } from '../../features/operations/administration/people/role-names.ts'
import { RoleSelect } from '../../features/operations/administration/people/role-select.tsx'
import { Tile, Tiles } from '../../features/operations/administration/overview/tiles.tsx'
import { commentsPathOf } from '../../features/operations/administration/use-list-view.ts'
import { useActions } from '../../features/operations/administration/use-actions.ts'
import {
  mayChangePerson,
  suspensionActionOf,
  usePersonActions,
} from '../../features/operations/administration/people/use-person-actions.tsx'
import { useAuth } from '../../features/accounts/sessions/use-auth.ts'
import { formatAge } from '../../lib/format/age.ts'
import { formatBytes } from '../../lib/format/bytes.ts'
import { formatCount, formatFullCount } from '../../lib/format/counts.ts'
import { dateLocale } from '../../lib/i18n/language.ts'
import { paths } from '../../paths.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { BackLink } from '../../ui/back-link.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { LoadFailure } from '../../ui/feedback/load-failure.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { Part } from '../../ui/part.tsx'
import styles from './person-page.module.css'

/** One account: what it holds, and what moderators and administrators do to it. */
export function PersonPage() {
  const { username = '' } = useParams()
  const { authData } = useAuth()
  const { data, dataUpdatedAt, error, refetch } = useQuery(personQuery(username))
  if (!authData) return null
  return (
    <>
      <PageTitle title={t`${{ title: username }} · Administration`} />
      <BackLink to={paths.administrationOf('people')}>{t`All people`}</BackLink>
      {data && <PersonSections key={data._id} person={data} me={authData} nowMs={dataUpdatedAt} />}
      {!data && error instanceof ApiError && error.status === 404 && (
        <EmptyState title={t`Nothing found`} text={t`There is no account ${username}.`} />
      )}
      {!data && error && !(error instanceof ApiError && error.status === 404) && (
        <LoadFailure title={t`Could not load the account`} onRetry={() => void refetch()} />
      )}
      {!data && !error && <Skeleton className={styles['skeleton']} height={320} />}
    </>
  )
}

function PersonSections({
  person,
  me,
  nowMs,
}: {
  person: PersonDetails
  me: { username: string; role: Role }
  nowMs: number
}) {
  const navigate = useNavigate()
  const { act, notice } = useActions()
  const { dialogs, ...actions } = usePersonActions(act, {
    onDeleted: () => void navigate(paths.administrationOf('people')),
  })
  const isAdministrator = hasRole(me.role, 'administrator')
  const mayChange = mayChangePerson(me, person)
  const suspension = suspensionActionOf(person)
  const { username, fullname, email, role, invitedBy } = person
  return (
    <>
      <header className={styles['header']}>
        <Avatar src={person.avatar} name={fullname} size={72} />
        <div>
          <h2 dir="auto">{fullname}</h2>
          <p>
            <Link to={paths.channel(username)}>
              <bdi>@{username}</bdi>
            </Link>{' '}
            · {email}
          </p>
          <p>
            {i18n._(roleNames[role])} <PersonBadges person={person} />
          </p>
        </div>
      </header>
      <NoticeBar notice={notice} />
      <Figures person={person} nowMs={nowMs} />
      <p className={styles['links']}>
        <Link to={paths.administrationOf('videos', username)}>{t`Videos of ${username}`}</Link>
        <Link to={commentsPathOf(username)}>{t`Comments of ${username}`}</Link>
        {isAdministrator && (
          <Link to={paths.administrationOf('audit-log', username)}>{t`Audit log about ${username}`}</Link>
        )}
      </p>
      {invitedBy !== null && (
        <p className={styles['note']}>
          {t`Invited by`}{' '}
          <Link to={paths.person(invitedBy)}>
            <bdi>@{invitedBy}</bdi>
          </Link>
        </p>
      )}
      {(mayChange || isAdministrator) && (
        <Part className={styles['section']} title={t`Account`} level="h3">
          {isAdministrator && mayChange && (
            <RoleSelect person={person} onChangeRole={(chosen) => actions.changeRole(person, chosen)} />
          )}
          <div className={styles['actions']}>
            {isAdministrator && (
              <Button onClick={() => actions.changeQuota(person)}>{t`Change quota…`}</Button>
            )}
            {mayChange && (
              <Button onClick={() => actions.toggleSuspension(person)}>
                {person.suspendedAt === null ? t`Suspend…` : suspension.label}
              </Button>
            )}
            {isAdministrator && mayChange && (
              <Button onClick={() => actions.deletePerson(person)}>{t`Delete account…`}</Button>
            )}
          </div>
        </Part>
      )}
      {isAdministrator && mayChange && (
        <Part className={styles['section']} title={t`Sign-in`} note={factorsOf(person)} level="h3">
          <PersonSignIn person={person} act={act} />
        </Part>
      )}
      {dialogs}
    </>
  )
}

function factorsOf({ hasSecondFactor, passkeys }: PersonDetails): string {
  const keys = plural(passkeys, {
    one: `${formatCount(passkeys)} passkey`,
    other: `${formatCount(passkeys)} passkeys`,
  })
  return hasSecondFactor
    ? t`Second factor: on. ${{ keys }}. Sessions:`
    : t`Second factor: off. ${{ keys }}. Sessions:`
}

function Figures({ person, nowMs }: { person: PersonDetails; nowMs: number }) {
  return (
    <Tiles>
      <Tile label={t`Videos`} value={formatFullCount(person.videos)} note={formatBytes(person.bytes)} />
      <Tile label={t`Comments`} value={formatFullCount(person.comments)} note={t`published or held`} />
      <Tile label={t`Subscribers`} value={formatFullCount(person.subscribers)} note={t`of the channel`} />
      <Tile
        label={t`Reports`}
        value={formatFullCount(person.reports)}
        note={plural(person.removals, {
          one: `${formatCount(person.removals)} removal`,
          other: `${formatCount(person.removals)} removals`,
        })}
      />
      <Tile
        label={t`Joined`}
        value={formatAge(person.createdAt, nowMs)}
        note={new Date(person.createdAt).toLocaleDateString(dateLocale)}
      />
    </Tiles>
  )
}
