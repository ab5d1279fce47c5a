import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { settings } from '../../../lib/settings.ts'
import { Button } from '../../../ui/button.tsx'
import { uploadQuotaQuery } from './api.ts'
import styles from './quota-note.module.css'
import { describeOwnQuota, describeQuota } from './rules.ts'

/** Quota and usage of the signed-in user, or of a channel of somebody else. Renders nothing without a limit. */
export function QuotaNote({
  channel,
  className,
}: {
  channel?: string | undefined
  className?: string | undefined
}) {
  const { data: own, isError, isFetching, refetch } = useQuery(uploadQuotaQuery(channel))
  const ofSite = describeQuota(settings)
  if (isError && !own)
    return (
      <div className={clsx(styles['note'], className)} role="status">
        <span>{[ofSite, t`What you have left could not be loaded.`].filter(Boolean).join(' ')}</span>
        <Button disabled={isFetching} onClick={() => void refetch()}>{t`Try again`}</Button>
      </div>
    )
  // Most sites have no quota: nothing appears there while it loads.
  const text = own ? describeOwnQuota(own) : ofSite && `${ofSite} ${t`Loading what you have left…`}`
  return text ? <p className={clsx(styles['note'], className)}>{text}</p> : null
}
