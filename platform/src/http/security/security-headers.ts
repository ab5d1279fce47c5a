import { errors } from '@kinora/contract/errors.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import { readApiToken } from './api-token.ts'
import { hostPattern } from './origin.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Built once, as every response carries them. */
    securityHeaders: Record<PathKind, Record<string, string>>
    kindOfPath: (path: string) => PathKind
  }
}

/** Scripts, styles and data only from here, media perhaps from elsewhere. Players hand their bytes to the browser as blobs. */
const pagePolicy = (media: string) =>
  [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self'",
    `connect-src 'self'${media}`,
    `img-src 'self' data: blob:${media}`,
    `media-src 'self' blob:${media}`,
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ')

/** Policy of media files: the least that a browser needs to display one that is opened directly. */
const mediaPolicy = "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'"

const dataPolicy = "default-src 'none'"

/** Kinds of paths. Other sites may embed `media`, and `embed` in a frame. */
export type PathKind = 'api' | 'media' | 'embed' | 'page'

interface SecurityOptions {
  kindOfPath: (path: string) => PathKind
  /** Origin that visitors use, if it is configured. */
  publicUrl: string | undefined
  /** Origin of presigned URLs, e.g. `https://objects.example.org`; null if this server sends all media. */
  mediaOrigin: string | null
}

/** Strict-Transport-Security (RFC 6797): browsers use TLS only, for a year. */
const transportPolicy = 'max-age=31536000'

/** Pages record video from devices and screens. Nothing else, and no frame of another site, may ask for them. */
const permissionsPolicy = (recording: '(self)' | '()') =>
  `camera=${recording}, display-capture=${recording}, geolocation=(), microphone=${recording}, payment=()`

/** Headers of every response of a kind. Only the embedded player may stand in the frame of another site. */
function headersOf(
  kind: PathKind,
  { publicUrl, mediaOrigin }: Omit<SecurityOptions, 'kindOfPath'>,
): Record<string, string> {
  const own = { api: dataPolicy, media: mediaPolicy, embed: undefined, page: undefined }
  const policy = own[kind] ?? pagePolicy(mediaOrigin ? ` ${mediaOrigin}` : '')
  const isEmbed = kind === 'embed'
  return {
    'content-security-policy': `${policy}; frame-ancestors ${isEmbed ? '*' : "'none'"}`,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': kind === 'media' || isEmbed ? 'cross-origin' : 'same-origin',
    'permissions-policy': permissionsPolicy(kind === 'page' ? '(self)' : '()'),
    ...(isEmbed ? {} : { 'x-frame-options': 'DENY' }),
    ...(publicUrl?.startsWith('https:') ? { 'strict-transport-security': transportPolicy } : {}),
  }
}

export function setSecurityHeaders(request: FastifyRequest, reply: FastifyReply): void {
  const { securityHeaders, kindOfPath } = request.server
  reply.headers(securityHeaders[kindOfPath(request.url.split('?', 1)[0] ?? '')])
}

/** Throws unless there is exactly one valid Host header: a proxy could otherwise choose another one (RFC 9112, 3.2). */
function assertOneHost({ raw }: FastifyRequest): void {
  let hosts = 0
  for (let at = 0; at < raw.rawHeaders.length; at += 2) {
    const name = raw.rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  const isOldWithout = hosts === 0 && raw.httpVersion === '1.0'
  if (isOldWithout) return
  if (hosts !== 1) throw new AppError(errors.oneHostHeader)
  if (!hostPattern.test(raw.headers.host ?? '')) throw new AppError(errors.hostWithoutName)
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Returns whether a browser states that another site sent the request. Other programs send no such header, and only
 * their own cookies.
 */
function isCrossSite(
  headers: { origin?: string | undefined; 'sec-fetch-site'?: string | string[] | undefined },
  host: string,
  publicUrl: string | undefined,
): boolean {
  const site = headers['sec-fetch-site']
  if (site === 'same-origin' || site === 'none') return false
  if (site === 'cross-site') return true
  // On plain HTTP, browsers omit Sec-Fetch-Site, but not Origin.
  const { origin } = headers
  if (origin === undefined) return site !== undefined
  if (!URL.canParse(origin)) return true
  const { host: originHost } = new URL(origin)
  return originHost !== host.toLowerCase() && !(publicUrl && originHost === new URL(publicUrl).host)
}

/** Sets the headers of every response. Refuses requests without or with two `Host` headers, and writing requests of other sites. */
export function secure(app: FastifyInstance, { kindOfPath, ...addresses }: SecurityOptions): void {
  const { publicUrl } = addresses
  app.decorate('kindOfPath', kindOfPath)
  app.decorate('securityHeaders', {
    api: headersOf('api', addresses),
    media: headersOf('media', addresses),
    embed: headersOf('embed', addresses),
    page: headersOf('page', addresses),
  })
  app.addHook('onRequest', async (request, reply) => {
    setSecurityHeaders(request, reply)
    assertOneHost(request)
    if (safeMethods.has(request.method)) return
    // a browser adds no API token by itself, and cookies beside one are ignored
    if (readApiToken(request) !== undefined) return
    if (isCrossSite(request.headers, request.headers.host ?? '', publicUrl)) {
      throw new AppError(errors.otherSite)
    }
  })
}
