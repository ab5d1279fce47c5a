import { login, type User } from '@kinora/contract/users.ts'
import sharp from 'sharp'
import type { TestApp } from './test-app.ts'
import type { TestClient } from './test-client.ts'

export const testPassword = 'correct horse battery'

let count = 0

/** A picture of one colour. */
export async function drawPicture(
  width = 64,
  height = 64,
  format: 'png' | 'jpeg' | 'webp' | 'gif' | 'avif' = 'png',
): Promise<Blob> {
  const create = { width, height, channels: 3, background: 'tomato' } as const
  const bytes = await sharp({ create }).toFormat(format).toBuffer()
  return new Blob([new Uint8Array(bytes)], { type: `image/${format}` })
}

/** The form of a registration; fields given as undefined are left out. */
export async function registrationForm(
  fields: Record<string, string | Blob | undefined> = {},
): Promise<FormData> {
  count += 1
  const form = new FormData()
  const all = {
    fullname: `Person ${count}`,
    email: `person${count}@example.org`,
    username: `person${count}`,
    password: testPassword,
    avatar: await drawPicture(),
    ...fields,
  }
  for (const [name, value] of Object.entries(all)) {
    if (value instanceof Blob) form.set(name, value, `${name}.png`)
    else if (value !== undefined) form.set(name, value)
  }
  return form
}

/** Registers somebody and signs them in. */
export async function signUp(
  site: TestApp,
  fields: Record<string, string | Blob | undefined> = {},
): Promise<{ client: TestClient; user: User }> {
  const client = site.client()
  const form = await registrationForm(fields)
  const { status, text } = await client.post('/api/v1/users/register', form)
  if (status !== 201) throw new Error(`Could not register: ${status} ${text}`)
  const credentials = { username: String(form.get('username')), password: String(form.get('password')) }
  const { user } = await client.call(login, { body: credentials })
  return { client, user }
}

/** Registers and signs in many, a few at a time. */
export async function signUpMany(
  site: TestApp,
  howMany: number,
): Promise<Awaited<ReturnType<typeof signUp>>[]> {
  const people: Awaited<ReturnType<typeof signUp>>[] = []
  while (people.length < howMany) {
    const next = Math.min(10, howMany - people.length)
    people.push(...(await Promise.all(Array.from({ length: next }, () => signUp(site)))))
  }
  return people
}
