import { operationErrors } from '@kinora/contract/operations/errors.ts'
import type { CompleteSetup } from '@kinora/contract/operations/setup.ts'
import type { Context } from '../../../context/context.ts'
import type { Db } from '../../../context/database.ts'
import { withPlainPicture } from '@kinora/media/pictures/plain-picture.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { hashOfToken, newToken } from '@kinora/platform/secret-token.ts'
import { record } from '../administration/actions/audit-log.ts'
import { storeSettings } from '../site/actions.ts'
import { registerUser } from '../../accounts/users/actions/register-user.ts'
import { updateRole } from '../../accounts/users/queries.ts'
import { deleteToken, hasToken, putToken } from './queries.ts'

/** Replaces the token that sets up a site without an administrator; undefined for other sites. */
export async function issueSetupToken(db: Db): Promise<string | undefined> {
  const token = newToken()
  return (await putToken(db, hashOfToken(token))) ? token : undefined
}

/** Throws `forbidden` unless the token sets up this site. */
export async function assertSetupToken(db: Db, token: string): Promise<void> {
  if (!(await hasToken(db, hashOfToken(token)))) throw usedToken()
}

/**
 * Creates the first administrator and stores the settings, in one transaction that uses up the token. Returns the id of
 * the account. Throws `forbidden` for a used token, and errors as at registration and of the settings.
 */
export async function completeSetup(
  context: Pick<Context, 'db' | 'clock' | 'siteSettings'> & Parameters<typeof registerUser>[0],
  { token, fullname, email, username, password, ...settings }: CompleteSetup,
): Promise<string> {
  await assertSetupToken(context.db, token)
  await context.siteSettings.load()
  const id = await withPlainPicture(username, (avatar) =>
    registerUser(
      context,
      { fullname, email, username, password, avatar, coverImage: undefined },
      {
        also: async (db, userId) => {
          if (!(await deleteToken(db, hashOfToken(token)))) throw usedToken()
          await updateRole(db, userId, 'administrator')
          const actor = { id: userId, username, role: 'administrator' } as const
          await record({ ...context, db }, actor, 'change_role', [{ subject: username, details: actor.role }])
          await storeSettings({ ...context, db }, actor, settings)
        },
      },
    ),
  )
  await context.siteSettings.load()
  return id
}

const usedToken = () => new AppError(operationErrors.setupLinkUsed)
