import { ApiError } from '@kinora/contract/client.ts'
import {
  type RegistrationPolicy,
  registrationPolicies,
  siteContactMaxCharacters,
  siteNameMaxCharacters,
} from '@kinora/contract/constants.ts'
import type { SiteSettings, SiteSettingsChanges } from '@kinora/contract/site.ts'
import { type FormEvent, useState } from 'react'
import { textOf } from '../../lib/forms/form-fields.ts'
import { focusFirstInvalid } from '../../lib/forms/focus-first-invalid.ts'
import { Button } from '../../ui/button.tsx'
import { Field, TextArea } from '../../ui/forms/field.tsx'
import { Select } from '../../ui/forms/select.tsx'
import styles from './settings-form.module.css'

const policyNames: Record<RegistrationPolicy, string> = {
  open: 'Everybody',
  approval: 'Everybody, once a moderator approves',
  invitation: 'People with an invitation',
  closed: 'Nobody',
}

const defaultAccent = '#00697a'

/** Edits what a site says about itself. Settings of the environment cannot be changed. */
export function SettingsForm({
  settings,
  fixed,
  error,
  isPending,
  onSave,
}: {
  settings: SiteSettings
  fixed: readonly string[]
  /** Of the last attempt. */
  error: unknown
  isPending: boolean
  onSave: (changes: SiteSettingsChanges) => Promise<unknown>
}) {
  /** As when the form was opened or last saved. Others may have changed them since: only changes of this form are sent. */
  const [initial, setInitial] = useState(settings)
  const errors = Object.fromEntries(
    (error instanceof ApiError ? error.errors : []).map(({ path, message }) => [path, message]),
  )
  const common = (name: keyof SiteSettings, hint?: string) => ({
    name,
    error: errors[name],
    disabled: fixed.includes(name),
    hint: fixed.includes(name) ? 'An environment variable of the server sets this.' : hint,
  })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isPending) return
    const form = event.currentTarget
    const fields = new FormData(form)
    const accent = textOf(fields, 'siteAccent')
    const all: SiteSettings = {
      siteName: textOf(fields, 'siteName'),
      siteAccent: accent === defaultAccent ? null : accent,
      siteAbout: textOf(fields, 'siteAbout'),
      siteRules: textOf(fields, 'siteRules'),
      siteContact: textOf(fields, 'siteContact'),
      registration: registrationPolicies.find((name) => name === fields.get('registration')) ?? 'open',
      watchedWords: textOf(fields, 'watchedWords'),
      watchedWordsAction: fields.get('watchedWordsAction') === 'refuse' ? 'refuse' : 'hold',
      holdFirstComments: fields.has('holdFirstComments'),
      holdFirstLinks: fields.has('holdFirstLinks'),
    }
    const changes = Object.fromEntries(
      // disabled fields have no value
      Object.entries(all).filter(
        ([name, value]) => !fixed.includes(name) && value !== initial[name as keyof SiteSettings],
      ),
    ) as SiteSettingsChanges
    if (Object.keys(changes).length === 0) return
    const saved = onSave(changes).then(() => setInitial(all))
    saved.catch((failure: unknown) => {
      const paths = failure instanceof ApiError ? failure.errors.map(({ path }) => [path, path]) : []
      focusFirstInvalid(form, Object.fromEntries(paths))
    })
  }

  return (
    <form className={styles['form']} onSubmit={submit} noValidate>
      <Field
        label="Name"
        defaultValue={initial.siteName}
        maxLength={siteNameMaxCharacters}
        required
        {...common('siteName', 'In the bar, in titles, feeds and link previews.')}
      />
      <Field
        label="Accent colour"
        type="color"
        defaultValue={initial.siteAccent ?? defaultAccent}
        {...common('siteAccent', 'Of buttons and links. Dark enough to read text in it.')}
      />
      <TextArea
        label="About"
        rows={5}
        defaultValue={initial.siteAbout}
        {...common('siteAbout', 'On the page about the site.')}
      />
      <TextArea
        label="Rules"
        rows={8}
        defaultValue={initial.siteRules}
        {...common('siteRules', 'On a page of their own, linked at the end of every page.')}
      />
      <Field
        label="Contact"
        defaultValue={initial.siteContact}
        maxLength={siteContactMaxCharacters}
        {...common('siteContact', 'An address or a sentence, on the page about the site.')}
      />
      <Select label="Who may register" defaultValue={initial.registration} {...common('registration')}>
        {registrationPolicies.map((policy) => (
          <option key={policy} value={policy}>
            {policyNames[policy]}
          </option>
        ))}
      </Select>
      <TextArea
        label="Watched words"
        rows={4}
        defaultValue={initial.watchedWords}
        {...common('watchedWords', 'One on each line. None switches this off.')}
      />
      <Select
        label="Comments with a watched word"
        defaultValue={initial.watchedWordsAction}
        {...common('watchedWordsAction')}
      >
        <option value="hold">Wait for the owner of the video</option>
        <option value="refuse">Are refused</option>
      </Select>
      <label className={styles['check']}>
        <input type="checkbox" name="holdFirstComments" defaultChecked={initial.holdFirstComments} /> Hold
        comments of an account until one was published
      </label>
      <label className={styles['check']}>
        <input type="checkbox" name="holdFirstLinks" defaultChecked={initial.holdFirstLinks} /> Hold comments
        with a link until one of the account was published
      </label>
      <p>
        <Button type="submit" variant="solid" disabled={isPending}>
          Save
        </Button>
      </p>
    </form>
  )
}
