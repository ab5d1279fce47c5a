import { t } from '@lingui/core/macro'
import type { Health } from '@kinora/contract/operations/health.ts'
import type { Overview } from '@kinora/contract/operations/administration.ts'
import { useQuery } from '@tanstack/react-query'
import { Circle, CircleCheck } from 'lucide-react'
import { Link } from 'react-router'
import { settings } from '../../../../lib/settings.ts'
import { paths } from '../../../../paths.ts'
import { Icon } from '../../../../ui/icon.tsx'
import { VisuallyHidden } from '../../../../ui/text/visually-hidden.tsx'
import { healthQuery, overviewQuery } from '../api.ts'
import { Part } from '../../../../ui/part.tsx'
import styles from './checklist.module.css'

/** First steps of the administrator of a new site; nothing once all are done. */
export function Checklist({ username }: { username: string }) {
  const { data: overview } = useQuery(overviewQuery)
  const { data: health } = useQuery(healthQuery)
  if (!overview || !health) return null
  const steps = stepsOf(overview, health, username)
  if (steps.every(({ isDone }) => isDone)) return null
  return (
    <Part className={styles['checklist']} title={t`First steps`}>
      <ul>
        {steps.map(({ label, why, to, isDone }) => (
          <li key={label} className={isDone ? styles['done'] : undefined}>
            <Icon of={isDone ? CircleCheck : Circle} />
            <span>
              {isDone ? (
                <>
                  {label} <VisuallyHidden>{t`Done`}</VisuallyHidden>
                </>
              ) : (
                <Link to={to}>{label}</Link>
              )}
              {!isDone && <small>{why}</small>}
            </span>
          </li>
        ))}
      </ul>
    </Part>
  )
}

function stepsOf({ users, videos }: Overview, { findings, lastBackupAt }: Health, username: string) {
  return [
    {
      label: t`Invite people`,
      why: t`A link with which they register.`,
      to: paths.administrationOf('invitations'),
      isDone: users > 1,
    },
    {
      label: t`Try an upload`,
      why: t`It shows whether videos are processed and played.`,
      to: paths.upload(username),
      isDone: videos > 0,
    },
    {
      label: t`Let the site send mail`,
      why: t`Without it, nobody can recover a password alone.`,
      to: paths.settings('mail'),
      isDone: settings.hasMail,
    },
    {
      label: t`Make the first backup`,
      why: t`And let the site make one every night.`,
      to: paths.administrationOf('backups'),
      isDone: lastBackupAt !== null,
    },
    {
      label: t`Run the site as a user of its own`,
      why: t`As root, a flaw in it would open the whole server.`,
      to: paths.administrationOf('overview'),
      isDone: !findings.some(({ code }) => code === 'user.root'),
    },
  ]
}
