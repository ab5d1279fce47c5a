import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { failureMessage } from '../../../lib/forms/failure-message.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { Alert, Status } from '../../../ui/feedback/alert.tsx'
import { LoadFailure } from '../../../ui/feedback/load-failure.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { mutedPeopleQuery, type MuteState, useMuteChange } from './api.ts'
import styles from './mutes.module.css'

const results: Record<MuteState, (name: string) => string> = {
  muted: (name) => t`You have muted ${name}.`,
  blocked: (name) => t`You have blocked ${name}.`,
  neither: (name) => t`${name} is no longer muted or blocked.`,
}

/** Mutes or blocks a person, or takes that back. */
export function MuteDialog({ username, onClose }: { username: string; onClose: () => void }) {
  const { data: people, isError, refetch } = useQuery(mutedPeopleQuery)
  const change = useMuteChange()
  const person = people?.find((one) => one.username.toLowerCase() === username.toLowerCase())
  useEffect(
    () => () => {
      // the button that opened the dialog disappears with the comments of the person
      if (document.activeElement === document.body) document.getElementById('main')?.focus()
    },
    [],
  )
  const done = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // the pressed button is gone
    if (change.isSuccess) done.current?.focus()
  }, [change.isSuccess])
  const changeTo = (state: MuteState) => change.mutate({ username, state })
  return (
    <Dialog title={t`Mute or block @${username}`} onClose={onClose}>
      {change.isError && <Alert>{failureMessage(change.error)}</Alert>}
      {isError && !people && (
        <LoadFailure title={t`Could not load whom you muted`} onRetry={() => void refetch()} />
      )}
      {!people && !isError && <Skeleton />}
      {change.isSuccess && (
        <>
          <Status>{results[change.variables.state](`@${username}`)}</Status>
          <DialogActions>
            <Button ref={done} onClick={onClose}>{t`Done`}</Button>
          </DialogActions>
        </>
      )}
      {people && !change.isSuccess && (
        <>
          <p className={styles['text']}>
            <Trans>
              <b>Mute</b>: lists and notifications no longer show you their videos and comments.
            </Trans>
          </p>
          <p className={styles['text']}>
            <Trans>
              <b>Block</b>: you also mute them, and they can no longer comment on your videos, reply to you or
              mention you.
            </Trans>
          </p>
          {person && (
            <p className={styles['text']}>
              {results[person.isBlocked ? 'blocked' : 'muted'](`@${username}`)}
            </p>
          )}
          <DialogActions>
            {person ? (
              <Button disabled={change.isPending} onClick={() => changeTo('neither')}>
                {person.isBlocked ? t`Unblock` : t({ message: 'Unmute', context: 'a person' })}
              </Button>
            ) : (
              <Button disabled={change.isPending} onClick={() => changeTo('muted')}>
                {t({ message: 'Mute', context: 'a person' })}
              </Button>
            )}
            {!person?.isBlocked && (
              <Button
                variant="solid"
                disabled={change.isPending}
                onClick={() => changeTo('blocked')}
              >{t`Block`}</Button>
            )}
          </DialogActions>
        </>
      )}
    </Dialog>
  )
}
