import { t } from '@lingui/core/macro'
import type { CompleteSetup } from '@kinora/contract/operations/setup.ts'
import type { PublicSite } from '@kinora/contract/operations/site.ts'
import { fileFormats } from '@kinora/contract/videos/file-formats.ts'
import { type FormEvent, useState } from 'react'
import { fieldErrors } from '../../../../lib/forms/field-errors.ts'
import { focusFirstInvalid } from '../../../../lib/forms/focus-first-invalid.ts'
import { fileOf, textOf } from '../../../../lib/forms/form-fields.ts'
import {
  acceptPictures,
  pictureFormatError,
  pictureFormatsHint,
} from '../../../../lib/forms/picture-formats.ts'
import { settings } from '../../../../lib/settings.ts'
import { Button } from '../../../../ui/button.tsx'
import { Field } from '../../../../ui/forms/field.tsx'
import { FileField } from '../../../../ui/forms/file-field.tsx'
import { NewPasswordField } from '../../../../ui/forms/new-password-field.tsx'
import { Check } from './check.tsx'
import styles from './settings-form.module.css'
import { readFormats } from './format-fields.tsx'
import {
  changesOf,
  readRegistration,
  readSiteFields,
  RegistrationField,
  settingProps,
  SiteFields,
} from './site-fields.tsx'

/** The first administrator of a site, and what the site says about itself. */
export function SetupForm({
  initial,
  fixed,
  error,
  isPending,
  onSave,
}: {
  initial: PublicSite
  fixed: readonly string[]
  /** Of the last attempt. */
  error: unknown
  isPending: boolean
  onSave: (setup: Omit<CompleteSetup, 'token'>, logo: File | undefined) => Promise<unknown>
}) {
  const [logoError, setLogoError] = useState<string>()
  const errors = fieldErrors(error)
  const setting = settingProps(error, fixed)
  const account = (name: string) => ({ name, required: true, error: errors[name] })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isPending) return
    const form = event.currentTarget
    const fields = new FormData(form)
    const logo = fileOf(fields, 'logo')
    const refused = logo && pictureFormatError(logo)
    setLogoError(refused)
    if (refused) return focusFirstInvalid(form, { logo: refused })
    const chosen = [...initial.acceptedContainers, ...readFormats(fields)]
    const acceptedContainers = fileFormats.filter((format) => chosen.includes(format))
    const setup = {
      fullname: textOf(fields, 'fullname'),
      email: textOf(fields, 'email'),
      username: textOf(fields, 'username'),
      password: textOf(fields, 'password'),
      ...changesOf(
        { ...readSiteFields(fields), ...readRegistration(fields), acceptedContainers },
        initial,
        fixed,
      ),
    }
    onSave(setup, logo).catch((failure: unknown) => focusFirstInvalid(form, fieldErrors(failure)))
  }

  return (
    <form className={styles['form']} onSubmit={submit} aria-busy={isPending} noValidate>
      <fieldset className={styles['group']}>
        <legend>{t`Administrator`}</legend>
        <Field label={t`Full name`} autoComplete="name" {...account('fullname')} />
        <Field label={t`Email`} type="email" autoComplete="email" {...account('email')} />
        <Field
          label={t`Username`}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          hint={t`Letters and numbers only. Part of your channel's address.`}
          {...account('username')}
        />
        <NewPasswordField
          label={t`Password`}
          hint={t`At least ${settings.passwordMinLength} characters.`}
          {...account('password')}
        />
      </fieldset>
      <fieldset className={styles['group']}>
        <legend>{t`Site`}</legend>
        <FileField
          label={t`Logo`}
          name="logo"
          shape="logo"
          prompt={t`Choose`}
          accept={acceptPictures}
          hint={t`Optional. Square pictures look best; others are cropped. ${pictureFormatsHint}`}
          error={logoError}
          onPick={(picked) => setLogoError(picked && pictureFormatError(picked))}
        />
        <SiteFields initial={initial} setting={setting} />
        <RegistrationField initial={initial} setting={setting} />
        <Check
          label={t`People will upload from iPhones and cameras`}
          value="mov"
          defaultChecked={initial.acceptedContainers.includes('mov')}
          {...setting('acceptedContainers', t`Also accepts QuickTime files (MOV), which most of them write.`)}
        />
      </fieldset>
      <p>
        <Button type="submit" variant="solid" disabled={isPending}>
          {isPending ? t`Saving…` : t`Set up the site`}
        </Button>
      </p>
    </form>
  )
}
