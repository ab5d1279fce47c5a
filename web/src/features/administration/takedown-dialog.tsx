import type { ListedVideo } from '@kinora/contract/administration.ts'
import { reasonMaxCharacters } from '@kinora/contract/constants.ts'
import { type FormEvent, useState } from 'react'
import { focusFirstInvalid } from '../../lib/forms/focus-first-invalid.ts'
import { textOf } from '../../lib/forms/form-fields.ts'
import { textError } from '../../lib/forms/text-error.ts'
import { useInitialFocus } from '../../lib/forms/use-initial-focus.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { TextArea } from '../../ui/forms/field.tsx'

/** Asks for the reason of a takedown, which the owner of the video reads. */
export function TakedownDialog({
  video,
  onTakeDown,
  onClose,
}: {
  video: Pick<ListedVideo, 'title' | 'owner'>
  onTakeDown: (reason: string) => void
  onClose: () => void
}) {
  const form = useInitialFocus()
  const [error, setError] = useState<string>()
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const reason = textOf(new FormData(event.currentTarget), 'reason')
    const invalid = textError('Reason', reason, reasonMaxCharacters)
    setError(invalid)
    if (invalid) return focusFirstInvalid(event.currentTarget, { reason: invalid })
    onClose()
    onTakeDown(reason)
  }
  return (
    <Dialog title="Take a video down" closesOnOutsideClick={false} onClose={onClose}>
      <p>
        Only its owner, @{video.owner}, will still see <bdi>“{video.title}”</bdi>, with this reason.
      </p>
      <form ref={form} onSubmit={submit} noValidate>
        <TextArea label="Reason" name="reason" rows={3} required error={error} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="danger">
            Take down
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
