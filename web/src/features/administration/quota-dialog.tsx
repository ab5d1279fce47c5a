import type { Person, PersonQuota } from '@kinora/contract/administration.ts'
import type { FormEvent } from 'react'
import { textOf } from '../../lib/forms/form-fields.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field } from '../../ui/forms/field.tsx'

const gigabyte = 1e9

/** Changes what an account may upload. Empty fields stand for the quota of the site. */
export function QuotaDialog({
  person,
  onClose,
  onSave,
}: {
  person: Person
  onClose: () => void
  onSave: (quota: PersonQuota) => void
}) {
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const numberOf = (name: string) => Number(textOf(fields, name))
    onSave({
      quotaBytes: Math.round(numberOf('gigabytes') * gigabyte) || null,
      quotaVideos: numberOf('videos') || null,
      quotaDailyBytes: Math.round(numberOf('daily') * gigabyte) || null,
      quotaVideoMinutes: numberOf('minutes') || null,
    })
    onClose()
  }
  return (
    <Dialog title={`Quota of ${person.username}`} closesOnOutsideClick={false} onClose={onClose}>
      <form onSubmit={submit}>
        <Field
          label="Gigabytes"
          name="gigabytes"
          type="number"
          min={0.001}
          max={9_000_000}
          step="any"
          defaultValue={person.quotaBytes === null ? '' : person.quotaBytes / gigabyte}
          hint="Of all videos and unfinished uploads. Empty: the quota of the site."
        />
        <Field
          label="Videos"
          name="videos"
          type="number"
          min={1}
          max={1_000_000_000}
          defaultValue={person.quotaVideos ?? ''}
          hint="Empty: the quota of the site."
        />
        <Field
          label="Uploads within 24 hours (GB)"
          name="daily"
          type="number"
          min={0.001}
          max={9_000_000}
          step="any"
          defaultValue={person.quotaDailyBytes === null ? '' : person.quotaDailyBytes / gigabyte}
          hint="Deleted ones count. Empty: the quota of the site."
        />
        <Field
          label="Longest video (minutes)"
          name="minutes"
          type="number"
          min={1}
          max={1_000_000_000}
          defaultValue={person.quotaVideoMinutes ?? ''}
          hint="Empty: the quota of the site."
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="solid">
            Save
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
