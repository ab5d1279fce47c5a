import { t } from '@lingui/core/macro'
import type { CompleteSetup } from '@kinora/contract/operations/setup.ts'
import type { PublicSite } from '@kinora/contract/operations/site.ts'
import { fileFormats } from '@kinora/contract/videos/file-formats.ts'
import { useState } from 'react'
import { fileOf, textOf } from '../../../../lib/forms/form-fields.ts'
import {
  acceptPictures,
  pictureFormatError,
  pictureFormatsHint,
} from '../../../../lib/forms/picture-formats.ts'
import { useEndpointForm } from '../../../../lib/forms/use-endpoint-form.ts'
import { settings } from '../../../../lib/settings.ts'
import { Check } from '../../../../ui/forms/check.tsx'
import { EndpointForm } from '../../../../ui/forms/endpoint-form.tsx'
import { Field } from '../../../../ui/forms/field.tsx'
import { FileField } from '../../../../ui/forms/file-field.tsx'
import { NewPasswordField } from '../../../../ui/forms/new-password-field.tsx'
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
  onSave,
}: {
  initial: PublicSite
  fixed: readonly string[]
  onSave: (setup: Omit<CompleteSetup, 'token'>, logo: File | undefined) => Promise<unknown>
}) {
  const [refusal, setRefusal] = useState<string>()
  const form = useEndpointForm({
    fields: ['fullname', 'email', 'username', 'password', ...Object.keys(initial)],
    check: (fields) => {
      const logo = fileOf(fields, 'logo')
      return { logo: logo && pictureFormatError(logo) }
    },
    send: (fields) => {
      const chosen = [...initial.acceptedContainers, ...readFormats(fields)]
      const acceptedContainers = fileFormats.filter((format) => chosen.includes(format))
      const site = { ...readSiteFields(fields), ...readRegistration(fields), acceptedContainers }
      const setup = {
        fullname: textOf(fields, 'fullname'),
        email: textOf(fields, 'email'),
        username: textOf(fields, 'username'),
        password: textOf(fields, 'password'),
        ...changesOf<Omit<PublicSite, 'sensitiveVideos'>>(site, initial, fixed),
      }
      return onSave(setup, fileOf(fields, 'logo'))
    },
  })
  const setting = settingProps(form.field, fixed)
  const account = (name: string) => ({ ...form.field(name), required: true })

  return (
    <EndpointForm
      className={styles['form']}
      form={form}
      submit={t`Set up the site`}
      pending={t`Saving…`}
      saved=""
      isDisabled={form.isSent}
    >
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
          error={refusal ?? form.field('logo').error}
          onPick={(picked) => setRefusal(picked && pictureFormatError(picked))}
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
    </EndpointForm>
  )
}
