import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import {
  type PersonDetails,
  createPasswordLink,
  endSessionOfPerson,
  endSessionsOfPerson,
  removeSecondFactorOfPerson,
} from '@kinora/contract/operations/people.ts'
import { call } from '@kinora/contract/client.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { copyText } from '../../../../lib/browser/copy-text.ts'
import { formatAgeInSentence } from '../../../../lib/format/age.ts'
import { deviceName } from '../../../../lib/format/device-name.ts'
import { failureMessage } from '../../../../lib/forms/failure-message.ts'
import { paths } from '../../../../paths.ts'
import { Button } from '../../../../ui/button.tsx'
import { ConfirmDialog } from '../../../../ui/confirm-dialog.tsx'
import { Dialog, DialogActions } from '../../../../ui/dialog.tsx'
import { Alert, Status } from '../../../../ui/feedback/alert.tsx'
import { LoadFailure } from '../../../../ui/feedback/load-failure.tsx'
import { Skeleton } from '../../../../ui/feedback/skeleton.tsx'
import { Row, RowList } from '../../../../ui/row-list.tsx'
import { sessionsOfPersonQuery } from '../api.ts'
import styles from './person-sign-in.module.css'
import type { Action } from '../use-actions.ts'

/** How somebody signs in, for administrators: sessions, a link for a new password, the second factor. */
export function PersonSignIn({ person, act }: { person: PersonDetails; act: (action: Action) => void }) {
  const { username } = person
  const params = { username }
  const [asking, setAsking] = useState<'sign out' | 'second factor'>()
  const close = () => setAsking(undefined)
  const link = useMutation({ mutationFn: () => call(createPasswordLink, { params }) })
  return (
    <>
      <Sessions username={username} act={act} />
      <div className={styles['actions']}>
        <Button onClick={() => setAsking('sign out')}>{t`Sign out everywhere…`}</Button>
        <Button disabled={link.isPending} onClick={() => link.mutate()}>
          {link.isPending ? t`Creating…` : t`Create password link`}
        </Button>
        {person.hasSecondFactor && (
          <Button onClick={() => setAsking('second factor')}>{t`Remove second factor…`}</Button>
        )}
      </div>
      <Alert>{link.isError && failureMessage(link.error)}</Alert>
      {link.isSuccess && (
        <LinkDialog
          username={username}
          link={`${location.origin}${paths.resetPassword()}#${link.data.code}`}
          onClose={() => link.reset()}
        />
      )}
      {asking === 'sign out' && (
        <ConfirmDialog
          title={t`Sign ${username} out everywhere`}
          confirmLabel={t`Sign out`}
          onClose={close}
          onConfirm={() =>
            act({
              run: () => call(endSessionsOfPerson, { params }),
              done: t`${username} is signed out everywhere.`,
            })
          }
        >
          <p>{t`All sessions end, and all API tokens are revoked. The password stays the same.`}</p>
        </ConfirmDialog>
      )}
      {asking === 'second factor' && (
        <ConfirmDialog
          title={t`Remove the second factor of ${username}`}
          confirmLabel={t`Remove`}
          onClose={close}
          onConfirm={() =>
            act({
              run: () => call(removeSecondFactorOfPerson, { params }),
              done: t`${username} signs in by the password alone.`,
            })
          }
        >
          <p>
            {t`For people who lost the authenticator app and the recovery codes. Make sure that you are talking to the owner of the account.`}
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}

function Sessions({ username, act }: { username: string; act: (action: Action) => void }) {
  const { data, dataUpdatedAt, isError, refetch } = useQuery(sessionsOfPersonQuery(username))
  const list = useRef<HTMLUListElement>(null)
  if (isError && !data)
    return <LoadFailure title={t`Could not load the sessions`} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={64} />
  if (data.length === 0) return <p>{t`Not signed in anywhere.`}</p>
  return (
    <RowList ref={list} label={t`Sessions of ${username}`}>
      {data.map(({ _id: sessionId, device, createdAt, usedAt }) => (
        <Row
          key={sessionId}
          title={deviceName(device)}
          note={
            <Trans>
              Used <time dateTime={usedAt}>{formatAgeInSentence(usedAt, dataUpdatedAt)}</time>, signed in{' '}
              <time dateTime={createdAt}>{formatAgeInSentence(createdAt, dataUpdatedAt)}</time>
            </Trans>
          }
          controls={
            <Button
              aria-label={t`End session of ${deviceName(device, t`an unknown device`)}`}
              onClick={() => {
                // the focused button disappears with its row
                list.current?.focus()
                act({
                  run: () => call(endSessionOfPerson, { params: { username, sessionId } }),
                  done: t`That device is signed out.`,
                })
              }}
            >{t`End session`}</Button>
          }
        />
      ))}
    </RowList>
  )
}

/** The new link, which only this dialog shows. */
function LinkDialog({ username, link, onClose }: { username: string; link: string; onClose: () => void }) {
  const [outcome, setOutcome] = useState<'copied' | 'failed'>()
  return (
    <Dialog title={t`Password link for ${username}`} onClose={onClose} closesOnOutsideClick={false}>
      <p>
        {t`Hand it over now: it is not shown again. It works once, for 30 minutes. It sets a new password and ends every session of the account.`}
      </p>
      <p className={styles['link']}>{link}</p>
      <Status>
        {outcome === 'copied' && t`Link copied!`}
        {outcome === 'failed' && t`Could not copy. Select the text and copy it manually.`}
      </Status>
      <DialogActions>
        <Button
          onClick={({ currentTarget }) =>
            void copyText(link, currentTarget).then((isCopied) => setOutcome(isCopied ? 'copied' : 'failed'))
          }
        >{t`Copy link`}</Button>
        <Button variant="solid" onClick={onClose}>{t`Done`}</Button>
      </DialogActions>
    </Dialog>
  )
}
