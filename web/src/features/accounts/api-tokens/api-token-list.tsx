import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { call } from '@kinora/contract/client.ts'
import {
  createApiToken,
  deleteApiToken,
  listApiTokens,
  type ApiToken,
} from '@kinora/contract/accounts/api-tokens.ts'
import { apiTokenNameMaxCharacters } from '@kinora/contract/constants.ts'
import { type TokenScope, tokenScopes } from '@kinora/contract/accounts/token-scopes.ts'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { copyText } from '../../../lib/browser/copy-text.ts'
import { failureMessage } from '../../../lib/forms/failure-message.ts'
import { fieldErrors, formError } from '../../../lib/forms/field-errors.ts'
import { focusFirstInvalid } from '../../../lib/forms/focus-first-invalid.ts'
import { textOf } from '../../../lib/forms/form-fields.ts'
import { formatAgeInSentence } from '../../../lib/format/age.ts'
import { formatPublishedDay } from '../../../lib/format/published-day.ts'
import { sessionKeys } from '../../../lib/query-keys.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { CurrentPasswordField } from '../../../ui/forms/current-password-field.tsx'
import { Alert, Status } from '../../../ui/feedback/alert.tsx'
import { LoadFailure } from '../../../ui/feedback/load-failure.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { CheckGroup } from '../../../ui/forms/check-group.tsx'
import { Field } from '../../../ui/forms/field.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { Row, RowList } from '../../../ui/row-list.tsx'
import styles from './api-token-list.module.css'

const tokensQuery = queryOptions({
  queryKey: sessionKeys.apiTokens,
  queryFn: ({ signal }) => call(listApiTokens, { signal }),
})

const scopeTexts: Record<TokenScope, MessageDescriptor> = {
  read: msg`See what you see on the site`,
  upload: msg`Upload, change and delete your videos, playlists and channel`,
  comment: msg`Comment, like and subscribe as you`,
  admin: msg`Moderate and administer the site`,
}

const lifetimes = [
  { days: 7, label: msg`7 days` },
  { days: 30, label: msg`30 days` },
  { days: 90, label: msg`90 days` },
  { days: 365, label: msg`1 year` },
  { days: null, label: msg`No expiry` },
]

/** The API tokens of the account, each with a button that revokes it, and a button that creates one. */
export function ApiTokenList({ isModerator }: { isModerator: boolean }) {
  const client = useQueryClient()
  const [nowMs] = useState(() => Date.now())
  const [isAdding, setAdding] = useState(false)
  const [toRevoke, setToRevoke] = useState<ApiToken>()
  const list = useRef<HTMLUListElement>(null)
  const { data: tokens, isError, refetch } = useQuery(tokensQuery)
  const revokeToken = useMutation({
    mutationFn: ({ _id: tokenId }: ApiToken) => call(deleteApiToken, { params: { tokenId } }),
    // the focused button disappears
    onSuccess: () => list.current?.focus(),
    onSettled: () => client.invalidateQueries(tokensQuery),
  })
  const close = () => {
    setAdding(false)
    void client.invalidateQueries(tokensQuery)
  }
  if (isError && !tokens)
    return <LoadFailure title={t`Could not load your API tokens`} onRetry={() => void refetch()} />
  if (!tokens) return <Skeleton />
  return (
    <>
      <RowList ref={list} label={t`API tokens`}>
        {tokens.map((token) => (
          <TokenItem
            key={token._id}
            token={token}
            nowMs={nowMs}
            isDisabled={revokeToken.isPending}
            onRevoke={() => setToRevoke(token)}
          />
        ))}
      </RowList>
      {revokeToken.isError && <Alert>{failureMessage(revokeToken.error)}</Alert>}
      <Status>{revokeToken.isSuccess && t`The token is revoked.`}</Status>
      <Button onClick={() => setAdding(true)}>{t`Create a token`}</Button>
      {isAdding && <CreateDialog isModerator={isModerator} onClose={close} />}
      {toRevoke && (
        <ConfirmDialog
          title={t`Revoke ${toRevoke.name}?`}
          confirmLabel={t`Revoke`}
          onConfirm={() => revokeToken.mutate(toRevoke)}
          onClose={() => setToRevoke(undefined)}
        >
          <p>{t`Programs that use this token lose access immediately. This cannot be undone.`}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

function TokenItem({
  token: { name, scopes, createdAt, expiresAt, usedAt },
  nowMs,
  isDisabled,
  onRevoke,
}: {
  token: ApiToken
  nowMs: number
  isDisabled: boolean
  onRevoke: () => void
}) {
  const isExpired = expiresAt !== null && Date.parse(expiresAt) <= nowMs
  const created = formatAgeInSentence(createdAt, nowMs)
  const used = usedAt && formatAgeInSentence(usedAt, nowMs)
  const day = expiresAt === null ? undefined : formatPublishedDay(expiresAt, nowMs)
  return (
    <Row
      title={name}
      badge={isExpired && t`Expired`}
      isAlarming
      note={
        <>
          {scopes.join(', ')} · {t`created ${created}`} · {used ? t`used ${used}` : t`not used yet`} ·{' '}
          {day === undefined ? t`does not expire` : isExpired ? t`expired ${day}` : t`expires ${day}`}
        </>
      }
      controls={
        <Button disabled={isDisabled} aria-label={t`Revoke ${name}`} onClick={onRevoke}>{t`Revoke`}</Button>
      }
    />
  )
}

function CreateDialog({ isModerator, onClose }: { isModerator: boolean; onClose: () => void }) {
  const createToken = useMutation({
    mutationFn: (form: FormData) => {
      const chosen = form.getAll('scopes')
      const { days } = lifetimes[Number(form.get('lifetime'))] ?? { days: 90 }
      return call(createApiToken, {
        body: {
          name: textOf(form, 'name'),
          scopes: tokenScopes.filter((scope) => chosen.includes(scope)),
          days,
          password: textOf(form, 'password'),
        },
      })
    },
  })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    if (!createToken.isPending)
      createToken.mutate(new FormData(form), {
        onError: (error) => focusFirstInvalid(form, fieldErrors(error)),
      })
  }

  const errors = fieldErrors(createToken.error)
  if (createToken.data) return <TokenDialog token={createToken.data.token} onClose={onClose} />
  const scopes = tokenScopes.filter((scope) => scope !== 'admin' || isModerator)
  return (
    <Dialog title={t`Create an API token`} onClose={onClose} closesOnOutsideClick={false}>
      <form onSubmit={submit} noValidate>
        <Field
          label={t`Token name`}
          name="name"
          maxLength={apiTokenNameMaxCharacters}
          autoComplete="off"
          error={errors['name']}
          hint={t`What uses it, for example: Backup script`}
        />
        <CheckGroup legend={t`Scopes`} error={errors['scopes']}>
          {scopes.map((scope) => (
            <label key={scope}>
              <input type="checkbox" name="scopes" value={scope} defaultChecked={scope === 'read'} />
              <span>
                <code>{scope}</code> {i18n._(scopeTexts[scope])}
              </span>
            </label>
          ))}
        </CheckGroup>
        <Select label={t`Expires after`} name="lifetime" defaultValue={2}>
          {lifetimes.map(({ label }, at) => (
            <option key={at} value={at}>
              {i18n._(label)}
            </option>
          ))}
        </Select>
        <CurrentPasswordField label={t`Your password`} error={errors['password']} />
        <Alert>{formError(createToken.error, ['name', 'scopes', 'password'])}</Alert>
        <DialogActions>
          <Button onClick={onClose}>{t`Cancel`}</Button>
          <Button variant="solid" type="submit" disabled={createToken.isPending}>
            {createToken.isPending ? t`Creating…` : t`Create token`}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** The new token, which only this dialog shows. */
function TokenDialog({ token, onClose }: { token: string; onClose: () => void }) {
  const [outcome, setOutcome] = useState<'copied' | 'failed'>()
  return (
    <Dialog title={t`Your new API token`} onClose={onClose} closesOnOutsideClick={false}>
      <p>{t`Copy it now. It is not shown again.`}</p>
      <p className={styles['token']}>{token}</p>
      <Status>
        {outcome === 'copied' && t`Token copied!`}
        {outcome === 'failed' && t`Could not copy. Select the text and copy it manually.`}
      </Status>
      <DialogActions>
        <Button
          onClick={({ currentTarget }) =>
            void copyText(token, currentTarget).then((isCopied) => setOutcome(isCopied ? 'copied' : 'failed'))
          }
        >{t`Copy token`}</Button>
        <Button variant="solid" onClick={onClose}>{t`Done`}</Button>
      </DialogActions>
    </Dialog>
  )
}
