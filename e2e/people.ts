import { randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'

/** Somebody with an account. */
export interface Person {
  fullname: string
  email: string
  username: string
  password: string
}

/** A 64 by 64 pixel PNG in one colour, for profile pictures. */
export const picture = {
  name: 'picture.png',
  mimeType: 'image/png',
  buffer: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAIAAAAlC+aJAAAATUlEQVR42u3PQQkAAAgEsKtrBdNfBN/CYAWWzP4mICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIHApnw4w07Y+YbgAAAAASUVORK5CYII=',
    'base64',
  ),
}

/** A person nobody has met yet. */
export function newPerson(fullname = 'Ines Falk'): Person {
  const username = `p${randomBytes(6).toString('hex')}`
  return { fullname, username, email: `${username}@kinora.example`, password: 'linocut-heron' }
}

/** Makes an account through the API, without signing in. */
export async function makeAccount(page: Page, person = newPerson()): Promise<Person> {
  const response = await page.request.post('/api/v1/users/register', {
    multipart: { ...person, avatar: picture },
  })
  if (!response.ok()) throw new Error(`Registering answered ${response.status()}: ${await response.text()}`)
  return person
}

/** Makes an account and signs this visitor in with it. */
export async function signIn(page: Page, person?: Person): Promise<Person> {
  const known = person ?? (await makeAccount(page))
  const response = await page.request.post('/api/v1/users/login', {
    form: { email: known.email, password: known.password },
  })
  if (!response.ok()) throw new Error(`Signing in answered ${response.status()}`)
  return known
}
