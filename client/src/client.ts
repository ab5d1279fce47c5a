import createClient, { type Client, type ClientOptions } from 'openapi-fetch'
import type { paths } from './api.ts'

export type { components, operations, paths } from './api.ts'

export interface KinoraOptions extends Omit<ClientOptions, 'baseUrl' | 'headers'> {
  /** Address of the site, such as `https://video.example.org`. */
  site: string
  /** API token of `/account`. Calls without one get what visitors get. */
  token?: string | undefined
}

/**
 * Calls the API of a site: `kinora.GET('/video')`. A call resolves to `data` or `error` and the `response`; it rejects
 * only when the site cannot be reached. The other options are those of `openapi-fetch`.
 */
export function createKinora({ site, token, ...options }: KinoraOptions): Client<paths> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const baseUrl = new URL('/api/v1', site).href
  return createClient<paths>({ ...options, baseUrl, headers })
}

/** Encodes a body with files or of `multipart/form-data`: pass it as `bodySerializer`. Absent values are left out. */
export function formData(body: object): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(body)) {
    if (value === undefined || value === null) continue
    form.append(name, value instanceof Blob ? value : String(value))
  }
  return form
}
