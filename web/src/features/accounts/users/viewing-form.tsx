import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { putViewing, type User } from '@kinora/contract/accounts/users.ts'
import { call } from '@kinora/contract/client.ts'
import { sensitiveChoices } from '@kinora/contract/constants.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useEndpointForm } from '../../../lib/forms/use-endpoint-form.ts'
import { authKey } from '../../../lib/query-keys.ts'
import { sensitiveLabels } from '../../../lib/sensitive-labels.ts'
import { useSettings } from '../../../lib/settings.ts'
import { languageOptions } from '../../../lib/metadata-choices.ts'
import { languageName } from '../../../lib/video-metadata.ts'
import { EndpointForm } from '../../../ui/forms/endpoint-form.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { LanguageChips } from './language-chips.tsx'

/** Choices of an account about lists: videos with sensitive content, and languages of the home page. */
export function ViewingForm({ user: { viewing } }: { user: User }) {
  const client = useQueryClient()
  const site = i18n._(sensitiveLabels[useSettings().sensitiveVideos])
  const [languages, setLanguages] = useState(viewing?.languages ?? [])
  const form = useEndpointForm({
    fields: ['sensitiveVideos', 'languages'],
    send: async (fields) => {
      const chosen = sensitiveChoices.find((choice) => choice === fields.get('sensitiveVideos')) ?? null
      await call(putViewing, { body: { sensitiveVideos: chosen, languages } })
    },
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: authKey, exact: true })
      // lists of before would show what the account has just left out
      client.removeQueries({
        predicate: ({ queryKey }) => queryKey[0] !== authKey[0],
        type: 'inactive',
      })
    },
  })
  const change = (chosen: string[]) => {
    setLanguages(chosen)
    form.events.onInput()
  }
  const left = languageOptions(null).filter(({ tag }) => !languages.includes(tag))
  return (
    <EndpointForm form={form}>
      <Select
        label={t`Videos with sensitive content`}
        defaultValue={viewing?.sensitiveVideos ?? ''}
        {...form.field('sensitiveVideos')}
      >
        <option value="">{t`As the site: ${site}`}</option>
        {sensitiveChoices.map((choice) => (
          <option key={choice} value={choice}>
            {i18n._(sensitiveLabels[choice])}
          </option>
        ))}
      </Select>
      <Select
        label={t`Languages that you understand`}
        value=""
        hint={t`The home page and recommendations then show videos in these languages, and those that state none. Search still finds all.`}
        onChange={({ currentTarget }) => change([...languages, currentTarget.value])}
        {...form.field('languages')}
      >
        <option value="">{languages.length === 0 ? t`All languages` : t`Add a language…`}</option>
        {left.map(({ tag, label }) => (
          <option key={tag} value={tag}>
            {label}
          </option>
        ))}
      </Select>
      <LanguageChips
        names={languages.map((tag) => ({ tag, label: languageName(tag) }))}
        onRemove={(tag) => change(languages.filter((each) => each !== tag))}
      />
    </EndpointForm>
  )
}
