import { t } from '@lingui/core/macro'
import type { BodyOf } from '@kinora/contract/endpoint.ts'
import type { createShareLink } from '@kinora/contract/videos/share-links.ts'
import { useState } from 'react'
import { textOf } from '../../../lib/forms/form-fields.ts'
import { useEndpointForm } from '../../../lib/forms/use-endpoint-form.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Check } from '../../../ui/forms/check.tsx'
import { EndpointForm } from '../../../ui/forms/endpoint-form.tsx'
import { Field } from '../../../ui/forms/field.tsx'
import { type LinkSubject, useCreateShareLink } from './api.ts'

type NewLink = BodyOf<typeof createShareLink>

/** Dialog that creates a link. */
export function CreateShareLink({ to, onClose }: { to: LinkSubject; onClose: () => void }) {
  const creating = useCreateShareLink(to)
  const form = useEndpointForm({
    fields: ['name', 'password', 'expiresAt', 'maxViewers'],
    send: (fields) => creating.mutateAsync(read(fields)),
    onSuccess: onClose,
  })

  return (
    <Dialog title={t`Create a share link`} onClose={onClose} closesOnOutsideClick={false}>
      <EndpointForm form={form} submit={t`Create link`} pending={t`Creating…`} onCancel={onClose}>
        <Field
          label={t`Who gets it`}
          {...form.field('name')}
          maxLength={80}
          autoComplete="off"
          hint={t`Only you read this, for example: Class 4b`}
        />
        <Field
          label={t`Password (optional)`}
          {...form.field('password')}
          maxLength={200}
          autoComplete="off"
          hint={t`Send it to them another way than the link.`}
        />
        <Field
          label={t`Ends (optional)`}
          {...form.field('expiresAt')}
          type="datetime-local"
          hint={t`In your time zone. You can revoke the link at any time.`}
        />
        <Field
          label={t`Number of viewers (optional)`}
          {...form.field('maxViewers')}
          type="number"
          min={1}
          max={100_000}
          inputMode="numeric"
          hint={t`This many browsers can open it. Empty for any number.`}
        />
        <Check name="allowsDownload" label={t`Viewers may download the uploaded file`} />
        {'videoId' in to && <LockChoice />}
      </EndpointForm>
    </Dialog>
  )
}

/** Whether lists show the video with a lock. */
function LockChoice() {
  const [isListed, setListed] = useState(false)
  return (
    <>
      <Check
        name="isListed"
        label={t`List the video with a lock`}
        hint={t`Everybody sees its title on your channel, and needs the password to watch it.`}
        onChange={({ currentTarget }) => setListed(currentTarget.checked)}
      />
      {isListed && <Check name="showsPicture" label={t`Show its picture, too`} />}
    </>
  )
}

function read(form: FormData): NewLink {
  const [password, end, maxViewers] = ['password', 'expiresAt', 'maxViewers'].map((name) =>
    textOf(form, name),
  )
  return {
    name: textOf(form, 'name'),
    ...(password && { password }),
    ...(end && { expiresAt: new Date(end).toISOString() }),
    ...(maxViewers && { maxViewers: Number(maxViewers) }),
    allowsDownload: form.has('allowsDownload'),
    ...(form.has('isListed') && { isListed: true, showsPicture: form.has('showsPicture') }),
  }
}
