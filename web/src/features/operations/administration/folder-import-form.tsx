import { t } from '@lingui/core/macro'
import { call } from '@kinora/contract/client.ts'
import { createFolderImport, type FolderPlacement } from '@kinora/contract/portability/folder-imports.ts'
import { useQueryClient } from '@tanstack/react-query'
import { textOf } from '../../../lib/forms/form-fields.ts'
import { useEndpointForm } from '../../../lib/forms/use-endpoint-form.ts'
import { Check } from '../../../ui/forms/check.tsx'
import { EndpointForm } from '../../../ui/forms/endpoint-form.tsx'
import { Field } from '../../../ui/forms/field.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { folderImportsQuery } from './api.ts'
import styles from './cells.module.css'

/** Form that starts the import of a folder that the operator has named. */
export function FolderImportForm({ folders }: { folders: readonly string[] }) {
  const client = useQueryClient()
  const form = useEndpointForm({
    fields: ['folder', 'username', 'placement'],
    send: (fields) => call(createFolderImport, { body: read(fields) }),
    onSuccess: () => void client.invalidateQueries({ queryKey: folderImportsQuery.queryKey }),
  })
  return (
    <EndpointForm className={styles['form']} form={form} submit={t`Start import`} pending={t`Starting…`}>
      <Select label={t`Folder`} {...form.field('folder')}>
        {folders.map((folder) => (
          <option key={folder}>{folder}</option>
        ))}
      </Select>
      <Field
        label={t`Username of the channel`}
        {...form.field('username')}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        hint={t`The videos are private until they are published there.`}
      />
      <Select label={t`Files`} {...form.field('placement')}>
        <option value="reference">{t`Stay where they are, and are played from there`}</option>
        <option value="link">{t`Hard links: deleted files stay playable`}</option>
        <option value="copy">{t`Are copied into the storage`}</option>
      </Select>
      <Check name="hasPlaylists" label={t`A private playlist for each directory below`} />
      <Check
        name="isDryRun"
        label={t`Only report what would be done`}
        hint={t`Nothing is imported or changed.`}
      />
    </EndpointForm>
  )
}

const placements: readonly FolderPlacement[] = ['reference', 'link', 'copy']

const read = (form: FormData) => ({
  folder: textOf(form, 'folder'),
  username: textOf(form, 'username'),
  placement: placements.find((name) => name === textOf(form, 'placement')) ?? 'reference',
  hasPlaylists: form.has('hasPlaylists'),
  isDryRun: form.has('isDryRun'),
})
