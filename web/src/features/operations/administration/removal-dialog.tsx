import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { reasonMaxCharacters, type ReportKind } from '@kinora/contract/constants.ts'
import { textOf } from '../../../lib/forms/form-fields.ts'
import { textError } from '../../../lib/forms/text-error.ts'
import { useEndpointForm } from '../../../lib/forms/use-endpoint-form.ts'
import { useInitialFocus } from '../../../lib/forms/use-initial-focus.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Check } from '../../../ui/forms/check.tsx'
import { EndpointForm } from '../../../ui/forms/endpoint-form.tsx'
import { TextArea } from '../../../ui/forms/field.tsx'

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
  clip: {
    title: msg`Remove a clip`,
    effect: msg`It is removed for good, and its maker reads this reason. The video stays as it is.`,
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
  const element = useInitialFocus()
  const { title, effect, action } = texts[kind]
  const form = useEndpointForm({
    fields: ['reason'],
    check: (fields) => ({ reason: textError(t`Reason`, textOf(fields, 'reason'), reasonMaxCharacters) }),
    send: async (fields) => {
      onClose()
      onRemove(textOf(fields, 'reason'), fields.has('option'))
    },
  })
  return (
    <Dialog title={i18n._(title)} closesOnOutsideClick={false} onClose={onClose}>
      <p>
        <bdi>“{children.length > 200 ? `${children.slice(0, 200)}…` : children}”</bdi>. {i18n._(effect)}
      </p>
      <EndpointForm ref={element} form={form} submit={i18n._(action)} variant="danger" onCancel={onClose}>
        <TextArea
          label={t`Reason`}
          rows={3}
          required
          defaultValue={initialReason}
          {...form.field('reason')}
        />
        {optionLabel !== undefined && <Check label={optionLabel} name="option" />}
      </EndpointForm>
    </Dialog>
  )
}
