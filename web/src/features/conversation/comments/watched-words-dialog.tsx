import { t } from '@lingui/core/macro'
import {
  getWatchedWords,
  putWatchedWords,
  type WatchedWords,
} from '@kinora/contract/conversation/comments.ts'
import { call } from '@kinora/contract/client.ts'
import { watchedWordsMaxCharacters } from '@kinora/contract/constants.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { failureMessage } from '../../../lib/forms/failure-message.ts'
import { focusFirstInvalid } from '../../../lib/forms/focus-first-invalid.ts'
import { textOf } from '../../../lib/forms/form-fields.ts'
import { textError } from '../../../lib/forms/text-error.ts'
import { commentKeys } from '../../../lib/query-keys.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { Alert } from '../../../ui/feedback/alert.tsx'
import { LoadFailure } from '../../../ui/feedback/load-failure.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { TextArea } from '../../../ui/forms/field.tsx'
import { Select } from '../../../ui/forms/select.tsx'

/** Words that hold or refuse comments on one's own videos. */
export function WatchedWordsDialog({ onClose }: { onClose: () => void }) {
  const { data, isError, refetch } = useQuery({
    queryKey: commentKeys.watchedWords,
    queryFn: ({ signal }) => call(getWatchedWords, { signal }),
  })
  return (
    <Dialog title={t`Watched words`} closesOnOutsideClick={false} onClose={onClose}>
      {isError && !data && (
        <LoadFailure title={t`Could not load the watched words`} onRetry={() => void refetch()} />
      )}
      {!isError && !data && <Skeleton width="100%" height={240} />}
      {data && <WatchedWordsForm words={data} onClose={onClose} />}
    </Dialog>
  )
}

function WatchedWordsForm({ words, onClose }: { words: WatchedWords; onClose: () => void }) {
  const client = useQueryClient()
  const [error, setError] = useState<string>()
  const saving = useMutation({
    mutationFn: (body: WatchedWords) => call(putWatchedWords, { body }),
    onSuccess: (saved) => {
      client.setQueryData(commentKeys.watchedWords, saved)
      onClose()
    },
  })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (saving.isPending) return
    const fields = new FormData(event.currentTarget)
    const watchedWords = textOf(fields, 'watchedWords')
    const invalid = watchedWords && textError(t`Watched words`, watchedWords, watchedWordsMaxCharacters)
    setError(invalid || undefined)
    if (invalid) return focusFirstInvalid(event.currentTarget, { watchedWords: invalid })
    const watchedWordsAction = fields.get('watchedWordsAction') === 'refuse' ? 'refuse' : 'hold'
    saving.mutate({ watchedWords, watchedWordsAction })
  }

  return (
    <form onSubmit={submit} noValidate>
      {saving.isError && <Alert>{failureMessage(saving.error)}</Alert>}
      <TextArea
        label={t`Words`}
        name="watchedWords"
        rows={6}
        defaultValue={words.watchedWords}
        error={error}
        hint={t`In comments of others on your videos. One word or phrase on each line; none switches this off.`}
      />
      <Select
        label={t`Comments with one of them`}
        name="watchedWordsAction"
        defaultValue={words.watchedWordsAction}
      >
        <option value="hold">{t`Wait for your approval`}</option>
        <option value="refuse">{t`Are refused`}</option>
      </Select>
      <DialogActions>
        <Button onClick={onClose}>{t`Cancel`}</Button>
        <Button type="submit" variant="solid" disabled={saving.isPending}>{t`Save`}</Button>
      </DialogActions>
    </form>
  )
}
