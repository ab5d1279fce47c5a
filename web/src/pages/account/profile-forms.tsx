import { t } from '@lingui/core/macro'
import { call } from '@kinora/contract/client.ts'
import { type User, updateAvatar, updateCover } from '@kinora/contract/accounts/users.ts'
import { changePassword } from '@kinora/contract/accounts/passwords.ts'
import { updateDetails } from '@kinora/contract/accounts/emails.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { EditForm, EditForms } from '../../features/accounts/users/edit-form.tsx'
import { detailsError, passwordError, pictureError } from '../../features/accounts/users/rules.ts'
import { failureMessage } from '../../lib/forms/failure-message.ts'
import { fileOf, textOf } from '../../lib/forms/form-fields.ts'
import { acceptPictures, pictureFormatsHint } from '../../lib/forms/picture-formats.ts'
import { authKey } from '../../lib/query-keys.ts'
import { userKeys } from '../../lib/rare-keys.ts'
import { settings } from '../../lib/settings.ts'
import { Field } from '../../ui/forms/field.tsx'
import { FileField } from '../../ui/forms/file-field.tsx'
import { NewPasswordField } from '../../ui/forms/new-password-field.tsx'
import { PasswordField } from '../../ui/forms/password-field.tsx'

/** Delay before the page reloads after a save, fixed by the specification. */
const RELOAD_DELAY_MS = 1_000
const MUTATION_KEY = ['profile']

const allParts = ['Details', 'Password', 'Avatar', 'Cover'] as const
type Part = (typeof allParts)[number]

/** Forms for parts of the profile, saved separately; all four unless some are named. */
export function ProfileForms({ user, parts = allParts }: { user: User; parts?: readonly Part[] }) {
  const { save, refuse, statusOf } = useSave()

  function saveDetails(fields: FormData) {
    const form = { fullname: textOf(fields, 'fullname').trim(), email: textOf(fields, 'email').trim() }
    save('Details', detailsError(form), () => call(updateDetails, { body: form }))
  }

  function savePassword(fields: FormData) {
    const oldPassword = textOf(fields, 'oldPassword')
    const newPassword = textOf(fields, 'newPassword')
    const repeated = textOf(fields, 'repeated')
    const { username } = user
    save('Password', passwordError({ username, oldPassword, newPassword, repeated }), () =>
      call(changePassword, { body: { oldPassword, newPassword } }),
    )
  }

  return (
    <EditForms>
      {parts.includes('Details') && (
        <EditForm title={t`Details`} {...statusOf('Details', t`Details saved`)} onSave={saveDetails}>
          <Field
            label={t`Full name`}
            name="fullname"
            autoComplete="name"
            placeholder={user.fullname}
            hint={t`Leave empty to keep your name.`}
          />
          <Field
            label={t`Email`}
            name="email"
            type="email"
            autoComplete="email"
            placeholder={user.email}
            hint={
              settings.hasMail
                ? t`Leave empty to keep your email. A new one counts once you open the link that we mail to it.`
                : t`Leave empty to keep your email.`
            }
          />
        </EditForm>
      )}
      {parts.includes('Password') && (
        <EditForm title={t`Password`} {...statusOf('Password', t`Password changed`)} onSave={savePassword}>
          <PasswordField label={t`Current password`} name="oldPassword" autoComplete="current-password" />
          <NewPasswordField label={t`New password`} name="newPassword" username={user.username} />
          <PasswordField label={t`Repeat new password`} name="repeated" autoComplete="new-password" />
        </EditForm>
      )}
      {pictureParts(user)
        .filter(({ part }) => parts.includes(part))
        .map(({ part, label, update, ...field }) => (
          <EditForm
            key={part}
            title={label}
            {...statusOf(part, t`${{ part: label }} saved`)}
            onSave={(fields) =>
              save(part, pictureError(fileOf(fields, field.name)), () => call(update, { body: fields }))
            }
          >
            <FileField
              label={label}
              isLabelHidden
              accept={acceptPictures}
              onPick={(file) => refuse(part, file && pictureError(file))}
              {...field}
            />
          </EditForm>
        ))}
    </EditForms>
  )
}

const pictureParts = (user: User) => [
  {
    part: 'Avatar' as const,
    label: t`Avatar`,
    update: updateAvatar,
    name: 'avatar',
    shape: 'avatar' as const,
    prompt: t`Choose`,
    currentSrc: user.avatar,
    hint: t`Shown as a round image next to your name. ${pictureFormatsHint}`,
  },
  {
    part: 'Cover' as const,
    label: t`Cover`,
    update: updateCover,
    name: 'coverImage',
    shape: 'cover' as const,
    prompt: t`Choose a wide picture`,
    currentSrc: user.coverImage ?? undefined,
    hint: t`Shown at the top of your channel. ${pictureFormatsHint}`,
  },
]

/** Saves one part at a time. After a success, further saves are ignored and the page reloads. */
function useSave() {
  const client = useQueryClient()
  const [refusal, setRefusal] = useState<{ part: Part; message: string }>()
  const { mutate, variables, isPending, isSuccess, error } = useMutation({
    mutationKey: MUTATION_KEY,
    mutationFn: ({ send }: { part: Part; send: () => Promise<unknown> }) => send(),
  })

  useEffect(() => {
    if (!isSuccess) return
    const timer = setTimeout(() => location.reload(), RELOAD_DELAY_MS)
    return () => {
      clearTimeout(timer)
      // Shows the new values if the user navigates away before the reload.
      void client.invalidateQueries({ queryKey: authKey })
      void client.invalidateQueries({ queryKey: userKeys.channels })
    }
  }, [client, isSuccess])

  /** Shows a validation error of a part; undefined clears it. */
  function refuse(part: Part, problem: string | undefined) {
    if (problem !== undefined) setRefusal({ part, message: problem })
    else if (refusal?.part === part) setRefusal(undefined)
  }

  function save(part: Part, problem: string | undefined, send: () => Promise<unknown>) {
    // Reads the cache, because a second click may arrive before the first one renders.
    if (client.isMutating({ mutationKey: MUTATION_KEY }) > 0 || isSuccess) return
    setRefusal(problem === undefined ? undefined : { part, message: problem })
    if (problem === undefined) mutate({ part, send })
  }

  function statusOf(part: Part, success: string) {
    const isLatest = variables?.part === part
    const failure = isLatest && error ? failureMessage(error) : undefined
    return {
      error: refusal ? (refusal.part === part ? refusal.message : undefined) : failure,
      success: isLatest && isSuccess ? t`${success}. Reloading…` : undefined,
      isSaving: isLatest && isPending,
    }
  }

  return { save, refuse, statusOf }
}
