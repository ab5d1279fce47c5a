import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { copyText } from '../../../lib/browser/copy-text.ts'
import { failureMessage } from '../../../lib/forms/failure-message.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { Alert } from '../../../ui/feedback/alert.tsx'
import { liveKeyQuery, useCreateKey } from './api.ts'
import styles from './encoder-settings.module.css'

/** Addresses and key for the encoder. The key is shown when somebody asks for it, because others may see the screen. */
export function EncoderSettings({ servers, hasKey }: { servers: readonly string[]; hasKey: boolean }) {
  const [isShown, setShown] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const { data, error } = useQuery({ ...liveKeyQuery, enabled: isShown && hasKey })
  const create = useCreateKey()
  const key = hasKey && isShown ? data?.key : undefined
  const failure = error ?? create.error
  return (
    <dl className={styles['settings']}>
      {servers.map((server) => (
        <Value key={server} label={t`Server`} value={server} />
      ))}
      <dt>{t`Stream key`}</dt>
      <dd>
        {hasKey && <code dir="ltr">{key ?? '•'.repeat(16)}</code>}
        <span className={styles['buttons']}>
          {hasKey && (
            <Button onClick={() => setShown(!isShown)}>{isShown ? t`Hide key` : t`Show key`}</Button>
          )}
          {key && <CopyButton label={t`Copy key`} text={key} />}
          <Button
            disabled={create.isPending}
            onClick={() =>
              hasKey ? setAsking(true) : create.mutate(undefined, { onSuccess: () => setShown(true) })
            }
          >
            {hasKey ? t`Replace key` : t`Create a key`}
          </Button>
        </span>
        <p>{t`Everybody who has this key can stream on your channel.`}</p>
        {failure && <Alert>{failureMessage(failure)}</Alert>}
      </dd>
      {isAsking && (
        <ConfirmDialog
          title={t`Replace the stream key?`}
          confirmLabel={t`Replace`}
          onConfirm={() => create.mutate()}
          onClose={() => setAsking(false)}
        >
          <p>{t`Encoders with the key before cannot connect any more. A stream that runs continues.`}</p>
        </ConfirmDialog>
      )}
    </dl>
  )
}

function Value({ label, value }: { label: string; value: string }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>
        <code dir="ltr">{value}</code>
        <span className={styles['buttons']}>
          <CopyButton label={t`Copy address`} text={value} />
        </span>
      </dd>
    </>
  )
}

function CopyButton({ label, text }: { label: string; text: string }) {
  const [isCopied, setCopied] = useState(false)
  return (
    <Button onClick={({ currentTarget }) => void copyText(text, currentTarget).then(setCopied)}>
      {isCopied ? t`Copied` : label}
    </Button>
  )
}
