import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { reasonMaxCharacters, type ReportKind } from '@kinora/contract/constants.ts'
import { type FormEvent, useState } from 'react'
import { focusFirstInvalid } from '../../../lib/forms/focus-first-invalid.ts'
import { textOf } from '../../../lib/forms/form-fields.ts'
import { textError } from '../../../lib/forms/text-error.ts'
import { useInitialFocus } from '../../../lib/forms/use-initial-focus.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { TextArea } from '../../../ui/forms/field.tsx'
import styles from './settings/settings-form.module.css'

const texts: Record<
  ReportKind,
  { title: MessageDescriptor; effect: MessageDescriptor; action: MessageDescriptor }
> = {
  video: {
    title: msg`Take a video down`,
    effect: msg`Only its owner will still see it, with this reason.`,
    action: msg`Take down`,
  },
  comment: {
    title: msg`Remove a comment`,
    effect: msg`Nobody will see it any more. Its author reads this reason.`,
    action: msg`Remove`,
  },
  channel: {
    title: msg`Suspend an account`,
    effect: msg`It is signed out everywhere and cannot sign in. Its owner reads this reason.`,
    action: msg`Suspend`,
  },
}

/** Asks for the reason of a removal, which the person concerned reads. `children`: what is removed. */
export function RemovalDialog({
  kind,
  initialReason = '',
  optionLabel,
  onRemove,
  onClose,
  children,
}: {
  kind: ReportKind
  initialReason?: string
  /** Label of something that can be done as well. */
  optionLabel?: string | undefined
  onRemove: (reason: string, isOptionChecked: boolean) => void
  onClose: () => void
  children: string
}) {
  const form = useInitialFocus()
  const [error, setError] = useState<string>()
  const { title, effect, action } = texts[kind]
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const reason = textOf(fields, 'reason')
    const invalid = textError(t`Reason`, reason, reasonMaxCharacters)
    setError(invalid)
    if (invalid) return focusFirstInvalid(event.currentTarget, { reason: invalid })
    onClose()
    onRemove(reason, fields.has('option'))
  }
  return (
    <Dialog title={i18n._(title)} closesOnOutsideClick={false} onClose={onClose}>
      <p>
        <bdi>“{children.length > 200 ? `${children.slice(0, 200)}…` : children}”</bdi>. {i18n._(effect)}
      </p>
      <form ref={form} onSubmit={submit} noValidate>
        <TextArea
          label={t`Reason`}
          name="reason"
          rows={3}
          required
          defaultValue={initialReason}
          error={error}
        />
        {optionLabel !== undefined && (
          <label className={styles['check']}>
            <input type="checkbox" name="option" />
            <span>{optionLabel}</span>
          </label>
        )}
        <DialogActions>
          <Button onClick={onClose}>{t`Cancel`}</Button>
          <Button type="submit" variant="danger">
            {i18n._(action)}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
