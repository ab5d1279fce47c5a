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
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { copyText } from '../../../lib/browser/copy-text.ts'
import { textOf } from '../../../lib/forms/form-fields.ts'
import { useEndpointForm } from '../../../lib/forms/use-endpoint-form.ts'
import { formatAgeInSentence } from '../../../lib/format/age.ts'
import { formatPublishedDay } from '../../../lib/format/published-day.ts'
import { accountKeys } from '../../../lib/account-keys.ts'
import { useRowAction } from '../../../lib/use-row-action.ts'
import { Button } from '../../../ui/button.tsx'
import { DialogButton } from '../../../ui/dialog-button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { Status } from '../../../ui/feedback/alert.tsx'
import { CheckGroup } from '../../../ui/forms/check-group.tsx'
import { CurrentPasswordField } from '../../../ui/forms/current-password-field.tsx'
import { EndpointForm } from '../../../ui/forms/endpoint-form.tsx'
import { Field } from '../../../ui/forms/field.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { type Revocable, RevocableList } from '../../../ui/revocable-list.tsx'
import styles from './api-token-list.module.css'

const tokensQuery = queryOptions({
  queryKey: accountKeys.apiTokens,
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
  const [nowMs] = useState(() => Date.now())
  const revokeToken = useRowAction({
    run: ({ _id: tokenId }: ApiToken) => call(deleteApiToken, { params: { tokenId } }),
    confirm: (token) => ({
      title: t`Revoke ${token.name}?`,
      text: t`Programs that use this token lose access immediately. This cannot be undone.`,
      label: t`Revoke`,
    }),
    done: () => t`The token is revoked.`,
    queryKey: tokensQuery.queryKey,
  })
  return (
    <RevocableList
      label={t`API tokens`}
      query={useQuery(tokensQuery)}
      failure={t`Could not load your API tokens`}
      action={revokeToken}
      rowOf={(token) => rowOf(token, nowMs)}
    >
      <DialogButton label={t`Create a token`}>
        {(close) => <CreateDialog isModerator={isModerator} onClose={close} />}
      </DialogButton>
    </RevocableList>
  )
}

function rowOf(token: ApiToken, nowMs: number): Revocable {
  const { _id: key, name, scopes, createdAt, expiresAt, usedAt } = token
  const isExpired = expiresAt !== null && Date.parse(expiresAt) <= nowMs
  const created = formatAgeInSentence(createdAt, nowMs)
  const used = usedAt && formatAgeInSentence(usedAt, nowMs)
  const day = expiresAt === null ? undefined : formatPublishedDay(expiresAt, nowMs)
  const facts = [
    scopes.join(', '),
    t`created ${created}`,
    used ? t`used ${used}` : t`not used yet`,
    day === undefined ? t`does not expire` : isExpired ? t`expired ${day}` : t`expires ${day}`,
  ]
  return {
    key,
    title: name,
    badge: isExpired && t`Expired`,
    isAlarming: true,
    note: facts.join(' · '),
    revoke: { label: t`Revoke`, name: t`Revoke ${name}` },
  }
}

function CreateDialog({ isModerator, onClose }: { isModerator: boolean; onClose: () => void }) {
  const client = useQueryClient()
  const form = useEndpointForm({
    fields: ['name', 'scopes', 'password'],
    send: (fields) => {
      const chosen = fields.getAll('scopes')
      const { days } = lifetimes[Number(fields.get('lifetime'))] ?? { days: 90 }
      return call(createApiToken, {
        body: {
          name: textOf(fields, 'name'),
          scopes: tokenScopes.filter((scope) => chosen.includes(scope)),
          days,
          password: textOf(fields, 'password'),
        },
      })
    },
    onSuccess: () => void client.invalidateQueries(tokensQuery),
  })
  if (form.result) return <TokenDialog token={form.result.token} onClose={onClose} />
  const scopes = tokenScopes.filter((scope) => scope !== 'admin' || isModerator)
  return (
    <Dialog title={t`Create an API token`} onClose={onClose} closesOnOutsideClick={false}>
      <EndpointForm form={form} submit={t`Create token`} pending={t`Creating…`} onCancel={onClose}>
        <Field
          label={t`Token name`}
          maxLength={apiTokenNameMaxCharacters}
          autoComplete="off"
          hint={t`What uses it, for example: Backup script`}
          {...form.field('name')}
        />
        <CheckGroup legend={t`Scopes`} error={form.field('scopes').error}>
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
        <CurrentPasswordField label={t`Your password`} error={form.field('password').error} />
      </EndpointForm>
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
