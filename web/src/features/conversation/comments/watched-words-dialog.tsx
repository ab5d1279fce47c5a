import { t } from '@lingui/core/macro'
import {
  getWatchedWords,
  putWatchedWords,
  type WatchedWords,
} from '@kinora/contract/conversation/comments.ts'
import { call } from '@kinora/contract/client.ts'
import { watchedWordsMaxCharacters } from '@kinora/contract/constants.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { textOf } from '../../../lib/forms/form-fields.ts'
import { textError } from '../../../lib/forms/text-error.ts'
import { useEndpointForm } from '../../../lib/forms/use-endpoint-form.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { EndpointForm } from '../../../ui/forms/endpoint-form.tsx'
import { TextArea } from '../../../ui/forms/field.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { QuerySection } from '../../../ui/query-section.tsx'

const watchedWordsKey = (channel: string | undefined) => ['watched-words', channel]

/** Words that hold or refuse comments on the videos of a channel, or of the own one. */
export function WatchedWordsDialog({
  channel,
  onClose,
}: {
  channel?: string | undefined
  onClose: () => void
}) {
  const query = useQuery({
    queryKey: watchedWordsKey(channel),
    queryFn: ({ signal }) => call(getWatchedWords, { query: { channel }, signal }),
  })
  return (
    <Dialog title={t`Watched words`} closesOnOutsideClick={false} onClose={onClose}>
      <QuerySection
        query={query}
        failure={t`Could not load the watched words`}
        skeleton={<Skeleton width="100%" height={240} />}
      >
        {(words) => <WatchedWordsForm channel={channel} words={words} onClose={onClose} />}
      </QuerySection>
    </Dialog>
  )
}

function WatchedWordsForm({
  channel,
  words,
  onClose,
}: {
  channel: string | undefined
  words: WatchedWords
  onClose: () => void
}) {
  const client = useQueryClient()
  const form = useEndpointForm({
    fields: ['watchedWords'],
    check: (fields) => {
      const text = textOf(fields, 'watchedWords')
      return { watchedWords: text ? textError(t`Watched words`, text, watchedWordsMaxCharacters) : undefined }
    },
    send: (fields) => {
      const watchedWordsAction = fields.get('watchedWordsAction') === 'refuse' ? 'refuse' : 'hold'
      return call(putWatchedWords, {
        query: { channel },
        body: { watchedWords: textOf(fields, 'watchedWords'), watchedWordsAction },
      })
    },
    onSuccess: (saved) => {
      client.setQueryData(watchedWordsKey(channel), saved)
      onClose()
    },
  })
  return (
    <EndpointForm form={form} onCancel={onClose}>
      <TextArea
        label={t`Words`}
        rows={6}
        defaultValue={words.watchedWords}
        hint={t`In comments of others on your videos. One word or phrase on each line; none switches this off.`}
        {...form.field('watchedWords')}
      />
      <Select
        label={t`Comments with one of them`}
        name="watchedWordsAction"
        defaultValue={words.watchedWordsAction}
      >
        <option value="hold">{t`Wait for your approval`}</option>
        <option value="refuse">{t`Are refused`}</option>
      </Select>
    </EndpointForm>
  )
}
